package gametest

import (
	"context"
	"errors"
	"image"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Run runs the suite on a game with the cases in files.
func Run(t *testing.T, game solvers.Game, pattern string) {
	t.Helper()
	t.Run("names", func(t *testing.T) {
		if !regexp.MustCompile(`^[a-z]+$`).MatchString(game.Name()) {
			t.Errorf("name %q, expected lower case letters as in the folder's name", game.Name())
		}
		if !reflect.TypeOf(game).Comparable() {
			t.Errorf("a %T cannot be compared with another game", game)
		}
	})
	seen := map[string]int{}
	var levels []solvers.Puzzle
	for _, c := range Cases(t, pattern) {
		seen[c.Kind]++
		if slices.Contains(styleKinds, c.Kind) {
			continue // for the app
		}
		t.Run(c.Kind+" "+c.Where, func(t *testing.T) {
			switch c.Kind {
			case "refused":
				refused(t, game, c.Parts[0], c.Want)
			default:
				p := parse(t, game, c.Parts[0])
				judge(t, p, c)
				if c.Kind == "solved" {
					levels = append(levels, p)
				}
			}
		})
	}
	if seen["solved"] == 0 || seen["wrong"] == 0 || seen["refused"] == 0 {
		t.Errorf("%s: %d solved, %d wrong and %d refused cases, expected at least one of each", pattern, seen["solved"], seen["wrong"], seen["refused"])
	}
	folder(t, game, pattern)
	t.Run("junk", func(t *testing.T) {
		for _, text := range []string{
			"", "\n", "\n\n", "\x00\x01\x02", "A\x00A", "\xff\xfe\xfd", strings.Repeat("(", 1<<16), "hex", "= solved", "x", "+",
			strings.Repeat("A", 300), strings.Repeat("- ", 300), strings.Repeat("A ", 300), strings.Repeat("+--+--+--+\n", 10),
		} {
			refused(t, game, text, "")
		}
		for _, level := range levels {
			for _, text := range []string{level.String() + "\x00", "\xff\xfe" + level.String(), strings.ReplaceAll(level.String(), "\n", "\r\n")} {
				refused(t, game, text, "")
			}
		}
	})
	t.Run("nothing seen", func(t *testing.T) {
		for _, o := range []*screen.Observation{{}, {On: screen.Frame{Size: image.Pt(1080, 2340)}}} {
			p, err := game.Read(o)
			refusedToRead(t, "an empty observation", p, err)
		}
		if place := game.Locate(&screen.Observation{}); place.Kind != screen.Elsewhere {
			t.Errorf("an empty observation is located at %v, expected elsewhere", place.Kind)
		}
	})
	t.Run("generate", func(t *testing.T) { generate(t, game) })
	t.Run("about", func(t *testing.T) { about(t, game) })
}

// judge runs a case of a puzzle.
func judge(t *testing.T, p solvers.Puzzle, c Case) {
	if c.Kind == "unsolvable" {
		unsolvable(t, p, c.Want)
		return
	}
	if len(c.Parts) < 2 {
		t.Fatalf("a case of kind %q, expected a line \"--\" and more below the puzzle", c.Kind)
	}
	switch c.Kind {
	case "solved":
		solved(t, p)
		right(t, p, c.Parts[1])
	case "right":
		right(t, p, c.Parts[1])
	case "wrong":
		wrong(t, p, c.Parts[1], c.Want)
	case "unwritable":
		for _, text := range c.Parts[1:] {
			if s, err := p.ParseSolution(text); err == nil || !strings.Contains(err.Error(), c.Want) {
				t.Errorf("%q: got %v, %v, expected an error with %q", text, s, err, c.Want)
			}
		}
	case "steps":
		steps(t, p, write(t, p, c.Parts[1]), c.Parts[2:])
	case "animation":
		animation(t, write(t, p, c.Parts[1]), c.Parts[2:])
	default:
		t.Fatalf("a case of kind %q, which is not known", c.Kind)
	}
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

// write reads a solution and has it printed back.
func write(t *testing.T, p solvers.Puzzle, text string) solvers.Solution {
	t.Helper()
	s, err := p.ParseSolution(text)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, p, text)
	}
	if got := s.String(); got != text {
		t.Errorf("solution printed back\n%s\nexpected\n%s", got, text)
	}
	return s
}

func solved(t *testing.T, p solvers.Puzzle) {
	s, err := p.Solve(context.Background())
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	if err := s.Check(); err != nil {
		t.Errorf("the solver's solution: %v\n%s\n%s", err, p, s)
	}
	right(t, p, s.String())
	enumerate(t, p)
	cancelled(t, p)
}

func right(t *testing.T, p solvers.Puzzle, text string) {
	t.Helper()
	s := write(t, p, text)
	if err := s.Check(); err != nil {
		t.Errorf("%v\n%s\n%s", err, p, text)
		return
	}
	pictured(t, p, s)
}

// enumerate wants each solution once, and the list ended when asked.
func enumerate(t *testing.T, p solvers.Puzzle) {
	const most = 50
	seen := map[string]bool{}
	if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{}, func(s solvers.Solution) bool {
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
	if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{}, func(solvers.Solution) bool { n++; return false }); err != nil || n != 1 {
		t.Errorf("stopped after the first solution: %d solutions, %v", n, err)
	}
	if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{MaxMoves: 1}, func(s solvers.Solution) bool {
		if m, ok := s.(solvers.Mover); !ok || len(m.Moves()) > 1 {
			t.Errorf("enumerated with at most 1 move:\n%s", s)
		}
		return true
	}); err != nil && !errors.Is(err, solvers.ErrNoMoves) {
		t.Errorf("enumerated with at most 1 move: %v, expected no error, or ErrNoMoves", err)
	}
}

// Solutions lists all solutions of a puzzle, in order of their text, each
// checked.
func Solutions(t testing.TB, p solvers.Puzzle) []string {
	t.Helper()
	var found []string
	if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{}, func(s solvers.Solution) bool {
		if err := s.Check(); err != nil {
			t.Fatalf("a wrong solution: %v\n%s\n%s", err, p, s)
		}
		found = append(found, s.String())
		return true
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	if n := len(slices.Compact(slices.Clone(found))); n != len(found) {
		t.Fatalf("%d solutions listed, only %d different ones:\n%s", len(found), n, p)
	}
	return found
}

// SameSolutions requires the solver to list the solutions of a puzzle, given as text in order,
// and to solve it with one of them. If there are none, it returns the error that says so.
func SameSolutions(t testing.TB, p solvers.Puzzle, want []string) error {
	t.Helper()
	if got := Solutions(t, p); !slices.Equal(got, want) {
		t.Fatalf("%s\nhas %d solutions, expected %d\n%s\nexpected\n%s", p, len(got), len(want), strings.Join(got, "\n\n"), strings.Join(want, "\n\n"))
	}
	s, err := p.Solve(context.Background())
	switch {
	case len(want) == 0 && !errors.Is(err, solvers.ErrNoSolution):
		t.Fatalf("%s\nsolved to %v, %v, expected no solution", p, s, err)
	case len(want) > 0 && (err != nil || !slices.Contains(want, s.String())):
		t.Fatalf("%s\nsolved to %v, %v, expected one of\n%s", p, s, err, strings.Join(want, "\n\n"))
	}
	return err
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
		if !errors.Is(err, context.Canceled) {
			t.Errorf("solve with a cancelled context: %v, expected its error", err)
		}
	case <-time.After(20 * time.Minute):
		t.Error("solve with a cancelled context goes on")
	}
	if _, err := p.Enumerate(ctx, solvers.EnumerateOptions{}, func(solvers.Solution) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("enumerated with a cancelled context: %v, expected its error", err)
	}
}

func unsolvable(t *testing.T, p solvers.Puzzle, want string) {
	s, err := p.Solve(context.Background())
	if !errors.Is(err, solvers.ErrNoSolution) {
		t.Fatalf("got %v, %v, expected ErrNoSolution\n%s", s, err, p)
	}
	got := "for no reason"
	var reason *solvers.NoSolutionError
	if errors.As(err, &reason) {
		got = reason.Reason
	}
	if want != "" && got != want {
		t.Errorf("no solution because %q, expected %q\n%s", got, want, p)
	}
}

func wrong(t *testing.T, p solvers.Puzzle, solution, want string) {
	rule, detail, _ := strings.Cut(want, ": ")
	var broken *solvers.RuleError
	s := write(t, p, solution)
	n := len(s.Steps(s)) // whatever there is of it can be drawn
	onPaper(t, "a wrong solution", s.Picture(0, n))
	onPaper(t, "a scene of a wrong solution", s.Scene(n))
	if err := s.Check(); !errors.As(err, &broken) || broken.Rule != rule || !strings.Contains(broken.Detail, detail) {
		t.Errorf("got %v, expected rule %q broken with %q\n%s\n%s", err, rule, detail, p, solution)
	}
}

func refused(t *testing.T, game solvers.Game, text, want string) {
	t.Helper()
	p, err := game.Parse(text)
	switch {
	case err == nil:
		t.Errorf("%.60q: accepted as\n%s", text, p)
	case p != nil:
		t.Errorf("%.60q: got %v with the error %v, expected nil", text, p, err)
	case !strings.HasPrefix(err.Error(), game.Name()+": "):
		t.Errorf("%.60q: error %q, expected one that begins with the game's name", text, err)
	case !strings.Contains(err.Error(), want):
		t.Errorf("%q: error %q, expected one with %q", text, err, want)
	case strings.Contains(err.Error(), "\n") || len(err.Error()) > 300:
		t.Errorf("%.60q: error of %d bytes, expected one short line:\n%.500s", text, len(err.Error()), err)
	}
}

// animation compares pictures, which are all of one size.
func animation(t *testing.T, s solvers.Solution, want []string) {
	pictures := s.Animation()
	first := strings.Split(pictures[0], "\n")
	for i, picture := range pictures {
		lines := strings.Split(picture, "\n")
		for k, line := range lines {
			if len(lines) != len(first) || utf8.RuneCountInString(line) != utf8.RuneCountInString(first[k]) {
				t.Fatalf("picture %d has another size than the first\n%s", i, picture)
			}
			lines[k] = strings.TrimRight(line, " ")
		}
		pictures[i] = strings.Join(lines, "\n")
	}
	if got, want := strings.Join(pictures, "\n--\n"), strings.Join(want, "\n--\n"); got != want {
		t.Errorf("got\n%s\nexpected\n%s", got, want)
	}
}

// generate wants the same puzzle from the same state of the random source.
func generate(t *testing.T, g solvers.Game) {
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
			if g.About().OneSolution && unique {
				n := 0
				if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{}, func(solvers.Solution) bool { n++; return n < 2 }); err != nil || n != 1 {
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
	for _, unique := range []bool{false, true} {
		if p, err := g.Generate(ctx, solvers.GenerateOptions{Unique: unique}, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, context.Canceled) {
			t.Errorf("generated with a cancelled context, unique %t: %v, %v, expected its error", unique, p, err)
		}
	}
}

// FuzzParse parses random texts as a puzzle and a solution of it: whatever is
// accepted is printed back, and can be checked. The seeds are the cases in files;
// more looks at each puzzle, with a text that need not be a solution of it.
func FuzzParse(f *testing.F, game solvers.Game, pattern string, more func(t *testing.T, p solvers.Puzzle, solution string)) {
	for _, c := range Cases(f, pattern) {
		f.Add(c.Parts[0], append(c.Parts, "")[1])
	}
	f.Fuzz(func(t *testing.T, puzzle, solution string) {
		share(t, "likeness", game.Likeness(puzzle))
		p, err := game.Parse(puzzle)
		if err != nil {
			return
		}
		if got := p.String(); withoutEnds(got) != withoutEnds(puzzle) {
			t.Fatalf("read %q, printed %q", puzzle, got)
		}
		if s, err := p.ParseSolution(solution); err == nil {
			if got := s.String(); withoutEnds(got) != withoutEnds(solution) {
				t.Fatalf("solution %q printed %q", solution, got)
			}
			_ = s.Check()
			s.Animation()
		}
		if more != nil {
			more(t, p, solution)
		}
	})
}

// withoutEnds is a text without blanks at the ends of its lines, which a game may
// add or drop, and without empty lines at its end.
func withoutEnds(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// GenerateRefuses wants options refused with errors that have a text.
func GenerateRefuses(t *testing.T, g solvers.Game, options map[string]solvers.GenerateOptions) {
	for want, o := range options {
		if p, err := g.Generate(context.Background(), o, rand.New(rand.NewPCG(1, 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, %v, expected an error with %q", o, p, err, want)
		}
	}
}
