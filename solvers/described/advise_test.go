package described

import (
	"context"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/reason"
	"tapwise/solvers/engine/reason/reasontest"
)

// TestAdvise tells all steps of shipped levels and of generated ones. Each reason is looked at by
// plain evaluation on all ways to fill its cells: where its grounds hold, the step is as told, and
// without any one of them it could be otherwise.
func TestAdvise(t *testing.T) {
	for _, name := range []string{"tango", "minisudoku", "lightup", "hitori", "tapa", "heyawake"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := shipped(t, name)
			told, single, enumerated := 0, 0, 0
			for i, p := range boardsOf(t, g) {
				if i == 2 || testing.Short() && i == 1 {
					break
				}
				s, err := p.Solve(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				steps := s.Steps(nil)
				var done []int
				for len(done) < len(steps) {
					part := s.(*Solution).Part(done)
					r := p.reasoner(s.(*Solution), part)
					v, why := r.Answer()
					if why == nil {
						break
					}
					told++
					rules := 0
					for _, g := range why {
						if !g.Known() {
							rules++
						}
					}
					if rules == 1 {
						single++
					}
					if r.enumerate(t, v, why) {
						enumerated++
					}
					at := slices.IndexFunc(s.(*Solution).moves(), func(m move) bool { return slices.Contains(m.values, v) })
					done = append(done, at)
				}
			}
			t.Logf("%d steps, %d by one condition, %d reasons tried out", told, single, enumerated)
			if told < 3 || enumerated*3 < told {
				t.Errorf("%d steps told, %d reasons tried out: too few to tell anything", told, enumerated)
			}
		})
	}
}

// boardsOf are shipped levels and examples of a game, or a board that it makes.
func boardsOf(t *testing.T, g *Game) (boards []*Puzzle) {
	t.Helper()
	texts := slices.Clone(g.levels)
	for _, e := range g.examples {
		texts = append(texts, e.Puzzle)
	}
	for _, text := range texts {
		p, err := g.parse(text)
		if err != nil {
			t.Fatal(err)
		}
		boards = append(boards, p)
	}
	if boards != nil {
		return boards
	}
	made, err := g.Generate(t.Context(), solvers.GenerateOptions{Unique: true}, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return []*Puzzle{made.(*Puzzle)}
}

// enumerate tries a reason out on all ways to fill its cells. It reports false where there are
// too many, or a ground is about the whole board.
func (r *reasoner) enumerate(t *testing.T, v int, why []reason.Ground) bool {
	t.Helper()
	if slices.ContainsFunc(why, func(g reason.Ground) bool { return g.Scope == nil }) {
		return false
	}
	return reasontest.Board{Values: r.values, Domain: r.domain, Says: r.says, Holds: func(g reason.Ground, values []int) bool {
		e := &evaluation{ctx: context.Background(), values: values, memo: map[*term]int{}}
		_, holds := e.require(g.Of.(*term))
		return holds
	}}.Follows(t, v, why)
}

// domain is the values of a variable.
func (r *reasoner) domain(v int) (values []int) {
	l, _ := r.givens.layout.layerOf(v)
	lo, hi := l.bounds()
	for value := lo; value <= hi; value++ {
		values = append(values, value)
	}
	return values
}

// TestAdviseOnly tells nothing of a board whose steps do not follow.
func TestAdviseOnly(t *testing.T) {
	p, err := shipped(t, "tango").parse("......\n......\n......\n......\n......\n......")
	if err != nil {
		t.Fatal(err)
	}
	if a := p.Advise(nil, nil); a != nil {
		t.Errorf("%+v of an empty board", a)
	}
	var _ solvers.Adviser = p
}

// TestAdviseAll wants a reason for every step of an example of each game that has one, also where a
// whole loop is one step.
func TestAdviseAll(t *testing.T) {
	eachShipped(t, func(t *testing.T, g *Game) {
		if g.examples == nil {
			t.Skip("without examples")
		}
		p, err := g.parse(g.examples[0].Puzzle)
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Solve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var told []int
		for range s.Steps(nil)[:min(len(s.Steps(nil)), 12)] {
			next, why := solvers.NextStep(p, s, nil, told)
			if told = append(told, next); why == nil {
				t.Errorf("no reason for step %d of %d", len(told), len(s.Steps(nil)))
			}
		}
	})
}

// TestAdviseHard wants a reason for the first step of published boards on which none follows from a
// few conditions: the rules from which it follows, none of which can be left out.
func TestAdviseHard(t *testing.T) {
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Skipf("%s is not here: %v", golden, err)
	}
	hard := 0
	for _, url := range regexp.MustCompile(`https?://puzz.link/p\?heyawake/[78]/[^"]*`).FindAllString(string(data), -1) {
		p, err := shipped(t, "heyawake").parse(url)
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Solve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r := p.reasoner(s.(*Solution), nil)
		v, why := r.Answer()
		if why == nil {
			t.Errorf("%s: no reason", url)
			continue
		}
		if why[0].Of != nil {
			continue
		}
		hard++
		of := func(leave string) csp.Status {
			m, literals := r.Post(slices.DeleteFunc(slices.Clone(r.Grounds), func(g reason.Ground) bool {
				return g.Rule == leave || !slices.ContainsFunc(why, func(w reason.Ground) bool { return w.Rule == g.Rule })
			}))
			return m.Solve(t.Context(), literals(v)[0].Not())
		}
		if of("") != csp.Infeasible {
			t.Errorf("%s: %s does not follow from %+v", url, r.says(v), why)
		}
		for _, g := range why {
			if of(g.Rule) != csp.Feasible {
				t.Errorf("%s: %s follows without %q", url, r.says(v), g.Rule)
			}
		}
	}
	if hard == 0 {
		t.Error("no board is hard: nothing was tested")
	}
}
