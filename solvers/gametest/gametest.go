package gametest

import (
	"context"
	"errors"
	"image"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// one is a case of the file.
type one struct {
	kind, rule       string
	puzzle, solution string
}

// Run runs the suite on a game with the cases of a file.
func Run(t *testing.T, game solvers.Game, file string) {
	t.Helper()
	cases := read(t, file)
	t.Run("names", func(t *testing.T) {
		if !regexp.MustCompile(`^[a-z]+$`).MatchString(game.Name()) {
			t.Errorf("name %q, expected lower case letters as in the folder's name", game.Name())
		}
	})
	seen := map[string]int{}
	for _, c := range cases {
		seen[c.kind]++
		t.Run(c.kind, func(t *testing.T) {
			switch c.kind {
			case "solved":
				solved(t, game, c)
			case "unsolvable":
				unsolvable(t, game, c)
			case "wrong":
				wrong(t, game, c)
			case "refused":
				refused(t, game, c.puzzle)
			default:
				t.Fatalf("%s: case of kind %q, expected solved, unsolvable, wrong or refused", file, c.kind)
			}
		})
	}
	if seen["solved"] == 0 || seen["wrong"] == 0 {
		t.Errorf("%s: %d solved and %d wrong cases, expected at least one of each", file, seen["solved"], seen["wrong"])
	}
	t.Run("junk", func(t *testing.T) {
		for _, text := range []string{"", "\n", "\x00\x01\x02", "\xff\xfe\xfd", strings.Repeat("(", 1<<16), "hex", "= solved"} {
			refused(t, game, text)
		}
	})
	t.Run("nothing seen", func(t *testing.T) {
		for _, o := range []*screen.Observation{{}, {On: screen.Frame{Size: image.Pt(1080, 2340)}}} {
			p, err := game.Read(o)
			var read *solvers.ReadError
			if !errors.As(err, &read) {
				t.Errorf("read of an empty observation: %v, %v, expected a *solvers.ReadError", p, err)
			}
		}
		if n, ok := game.(solvers.Navigator); ok {
			if place := n.Locate(&screen.Observation{}); place.Kind != screen.Elsewhere {
				t.Errorf("an empty observation is located at %v, expected elsewhere", place.Kind)
			}
		}
	})
	if g, ok := game.(solvers.Generator); ok {
		t.Run("generate", func(t *testing.T) { generate(t, g) })
	}
	if s, ok := game.(solvers.Simulator); ok {
		t.Run("simulate", func(t *testing.T) { simulate(t, s, cases) })
	}
}

func read(t *testing.T, file string) []one {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []one
	for _, text := range strings.Split("\n"+string(data), "\n= ")[1:] {
		title, body, _ := strings.Cut(text, "\n")
		var c one
		c.kind, c.rule, _ = strings.Cut(title, " ")
		c.puzzle, c.solution, _ = strings.Cut(strings.TrimRight(body, "\n"), "\n--\n")
		cases = append(cases, c)
	}
	return cases
}

// parse reads a puzzle and has it printed back.
func parse(t *testing.T, game solvers.Game, text string) solvers.Puzzle {
	t.Helper()
	p, err := game.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got := p.String(); got != text {
		t.Errorf("printed back\n%s\nexpected\n%s", got, text)
	}
	return p
}

func solved(t *testing.T, game solvers.Game, c one) {
	p := parse(t, game, c.puzzle)
	s, err := p.Solve(context.Background())
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	if err := s.Check(); err != nil {
		t.Errorf("the solver's solution: %v\n%s\n%s", err, p, s)
	}
	for _, text := range []string{s.String(), c.solution} {
		again, err := p.ParseSolution(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got := again.String(); got != text {
			t.Errorf("solution printed back\n%s\nexpected\n%s", got, text)
		}
		if err := again.Check(); err != nil {
			t.Errorf("%v\n%s\n%s", err, p, text)
		}
	}
	if list, ok := p.(solvers.Enumerator); ok {
		enumerate(t, list)
	}
	cancelled(t, p)
}

// enumerate wants each solution once, and the list ended when asked.
func enumerate(t *testing.T, p solvers.Enumerator) {
	const most = 50
	seen := map[string]bool{}
	if _, err := p.Enumerate(context.Background(), func(s solvers.Solution) bool {
		if seen[s.String()] {
			t.Errorf("enumerated twice:\n%s", s)
		}
		seen[s.String()] = true
		if err := s.Check(); err != nil {
			t.Errorf("enumerated: %v\n%s", err, s)
		}
		return len(seen) < most
	}); err != nil {
		t.Error(err)
	}
	if len(seen) == 0 || len(seen) > most {
		t.Errorf("%d solutions enumerated, expected 1 to %d", len(seen), most)
	}
	n := 0
	if _, err := p.Enumerate(context.Background(), func(solvers.Solution) bool { n++; return false }); err != nil || n != 1 {
		t.Errorf("stopped after the first solution: %d solutions, %v", n, err)
	}
}

// cancelled wants a context that has ended to be noticed.
func cancelled(t *testing.T, p solvers.Puzzle) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	done := make(chan error, 1)
	go func() {
		_, err := p.Solve(ctx)
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("solve with a cancelled context: %v, expected its error or a solution", err)
		}
	case <-time.After(time.Minute):
		t.Error("solve with a cancelled context goes on for a minute")
	}
}

func unsolvable(t *testing.T, game solvers.Game, c one) {
	p := parse(t, game, c.puzzle)
	if s, err := p.Solve(context.Background()); !errors.Is(err, solvers.ErrNoSolution) {
		t.Errorf("got %v, %v, expected ErrNoSolution\n%s", s, err, p)
	}
}

func wrong(t *testing.T, game solvers.Game, c one) {
	p := parse(t, game, c.puzzle)
	s, err := p.ParseSolution(c.solution)
	if err != nil {
		t.Fatalf("%v: a solution that breaks a rule must be writable\n%s", err, c.solution)
	}
	var rule *solvers.RuleError
	if err := s.Check(); !errors.As(err, &rule) || rule.Rule != c.rule {
		t.Errorf("got %v, expected rule %q broken\n%s\n%s", err, c.rule, p, s)
	}
}

func refused(t *testing.T, game solvers.Game, text string) {
	t.Helper()
	p, err := game.Parse(text)
	switch {
	case err == nil:
		t.Errorf("%.60q: accepted as\n%s", text, p)
	case !strings.HasPrefix(err.Error(), game.Name()+": "):
		t.Errorf("%.60q: error %q, expected one that begins with the game's name", text, err)
	case strings.Contains(err.Error(), "\n") || len(err.Error()) > 300:
		t.Errorf("%.60q: error of %d bytes, expected one short line:\n%.500s", text, len(err.Error()), err)
	}
}

// generate wants the same puzzle from the same state of chance.
func generate(t *testing.T, g solvers.Generator) {
	for _, unique := range []bool{false, true} {
		var texts [2]string
		for i := range texts {
			p, err := g.Generate(context.Background(), solvers.GenerateOptions{Unique: unique}, rand.New(rand.NewPCG(7, 11)))
			if err != nil {
				t.Fatal(err)
			}
			texts[i] = p.String()
			if again, err := g.Parse(texts[i]); err != nil || again.String() != texts[i] {
				t.Fatalf("the generated puzzle is not read back: %v\n%s", err, texts[i])
			}
			s, err := p.Solve(context.Background())
			if err != nil {
				t.Fatalf("the generated puzzle: %v\n%s", err, p)
			}
			if err := s.Check(); err != nil {
				t.Errorf("%v\n%s", err, p)
			}
			promise, ok := g.(solvers.Promiser)
			if list, yes := p.(solvers.Enumerator); yes && ok && promise.PromisesOne() && unique {
				n := 0
				if _, err := list.Enumerate(context.Background(), func(solvers.Solution) bool { n++; return n < 2 }); err != nil || n != 1 {
					t.Errorf("asked for one solution, got %d (%v)\n%s", n, err, p)
				}
			}
		}
		if texts[0] != texts[1] {
			t.Errorf("two puzzles from the same seed:\n%s\n%s", texts[0], texts[1])
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := g.Generate(ctx, solvers.GenerateOptions{Rows: -1}, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("a puzzle with -1 rows was generated")
	}
}

// simulate draws the app on screens of many shapes and touches it everywhere.
func simulate(t *testing.T, s solvers.Simulator, cases []one) {
	var levels []solvers.Puzzle
	for _, c := range cases {
		if c.kind == "solved" {
			levels = append(levels, parse(t, s, c.puzzle))
		}
	}
	for _, size := range []image.Point{{1080, 2340}, {480, 800}, {2340, 1080}, {1600, 2560}, {320, 320}} {
		app, err := s.Simulate(levels, solvers.SimulateOptions{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if app.Package() == "" {
			t.Error("the app has no package name")
		}
		random := rand.New(rand.NewPCG(1, 2))
		canvas := &blank{size: size}
		now := time.Duration(0)
		for range 60 {
			app.Draw(canvas, now)
			x, y := random.Float64()*float64(size.X), random.Float64()*float64(size.Y)
			app.Touch(screen.TouchDown, x, y, now)
			for range 5 {
				now += 10 * time.Millisecond
				x, y = random.Float64()*float64(size.X), random.Float64()*float64(size.Y)
				app.Touch(screen.TouchMove, x, y, now)
			}
			app.Touch(screen.TouchUp, x, y, now)
			now += 400 * time.Millisecond
		}
		app.Back(now)
		app.Draw(canvas, now)
		if canvas.strokes == 0 {
			t.Errorf("%v: nothing was drawn", size)
		}
	}
}
