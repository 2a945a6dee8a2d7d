package described

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/engine/reason"
)

// TestAdvise tells all steps of shipped levels and of generated ones. Each reason is looked at by
// plain evaluation on all ways to fill its cells: where its grounds hold, the step is as told, and
// without any one of them it could be otherwise.
func TestAdvise(t *testing.T) {
	for _, name := range []string{"tango", "minisudoku", "lightup", "hitori", "tapa"} {
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
					r := p.reasoner(part)
					if r == nil {
						t.Fatalf("level %d: no solution", i)
					}
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

// enumerate fills the cells that a reason is about in all ways. It reports false where there are
// too many, or a ground is about the whole board.
func (r *reasoner) enumerate(t *testing.T, v int, why []reason.Ground) bool {
	t.Helper()
	variables, ways := []int{v}, 1
	for _, g := range why {
		if g.Scope == nil {
			return false
		}
		variables = append(variables, g.Scope...)
	}
	slices.Sort(variables)
	variables = slices.Compact(variables)
	low, high := make([]int, len(variables)), make([]int, len(variables))
	for i, v := range variables {
		low[i], high[i] = r.bounds(v)
		if ways *= high[i] - low[i] + 1; ways > 50_000 {
			return false
		}
	}
	values := slices.Clone(r.values)
	otherwise := make([]bool, len(why)) // with all grounds but one
	var fill func(i int)
	fill = func(i int) {
		if i < len(variables) {
			for values[variables[i]] = low[i]; values[variables[i]] <= high[i]; values[variables[i]]++ {
				fill(i + 1)
			}
			return
		}
		if values[v] == r.values[v] {
			return
		}
		e := &evaluation{ctx: context.Background(), values: values, memo: map[*term]int{}}
		broken, which := 0, 0
		for k, g := range why {
			holds := values[g.Scope[0]] == r.values[g.Scope[0]]
			if t, ok := g.Of.(*term); ok {
				_, holds = e.require(t)
			}
			if !holds {
				broken, which = broken+1, k
			}
		}
		switch broken {
		case 0:
			t.Fatalf("%s can be otherwise: %+v\n%s", r.says(v), why, r.Puzzle)
		case 1:
			otherwise[which] = true
		}
	}
	fill(0)
	for k, needed := range otherwise {
		if !needed {
			t.Fatalf("%s follows without %+v of %+v\n%s", r.says(v), why[k], why, r.Puzzle)
		}
	}
	return true
}

// bounds are the least and greatest value of a variable.
func (r *reasoner) bounds(v int) (lo, hi int) {
	l, _ := r.givens.layout.layerOf(v)
	return l.bounds()
}

// TestAdviseOnly tells nothing of a board whose steps do not follow.
func TestAdviseOnly(t *testing.T) {
	p, err := shipped(t, "tango").parse("......\n......\n......\n......\n......\n......")
	if err != nil {
		t.Fatal(err)
	}
	if a := p.Advise(nil); a != nil {
		t.Errorf("%+v of an empty board", a)
	}
	var _ solvers.Adviser = p
}
