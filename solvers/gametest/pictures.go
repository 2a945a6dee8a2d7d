package gametest

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// steps compares the steps of a solution, a line each; those that are on the
// board already begin with "drawn: ". With two parts, the first is the partial
// solution that is drawn.
func steps(t *testing.T, p solvers.Puzzle, s solvers.Solution, parts []string) {
	var drawn solvers.Solution
	if len(parts) > 1 {
		drawn = write(t, p, parts[0])
	}
	var got []string
	for _, step := range s.Steps(drawn) {
		text := step.Text
		if step.Drawn {
			text = "drawn: " + text
		}
		got = append(got, text)
	}
	if want := parts[len(parts)-1]; strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nexpected\n%s", strings.Join(got, "\n"), want)
	}
}

// pictured wants every picture of a right solution to be there and to lie on the
// paper.
func pictured(t *testing.T, p solvers.Puzzle, s solvers.Solution) {
	t.Helper()
	steps := s.Steps(nil)
	if len(steps) == 0 {
		t.Fatalf("no steps\n%s\n%s", p, s)
	}
	for _, step := range steps {
		if step.Drawn || step.Text == "" || len(step.Cells) == 0 || strings.Contains(step.Text, "\n") {
			t.Errorf("step %+v: expected one that is not drawn, a line, and cells", step)
		}
	}
	n := len(steps)
	onPaper(t, "the puzzle", s.Picture(0, 0))
	onPaper(t, "the last step", s.Picture(n-1, n))
	whole := s.Picture(0, n)
	onPaper(t, "the solution", whole)
	if a, b := len(s.Picture(0, 0).Shapes), len(whole.Shapes); a >= b {
		t.Errorf("%d shapes of the puzzle, %d with the solution, expected more", a, b)
	}
	first := s.Scene(0)
	for done := range n + 1 {
		scene := s.Scene(done)
		onPaper(t, "a scene", scene)
		if scene.Width != first.Width || scene.Height != first.Height {
			t.Fatalf("scene %d is %vx%v, the first %vx%v", done, scene.Width, scene.Height, first.Width, first.Height)
		}
	}
	tinted(t, s)
	if n <= mostTold {
		told(t, p, s)
	}
}

// mostTold is the most steps of a solution that told looks at, since reasons take time.
const mostTold = 16

// onPaper wants every point of a picture to be a number, and on the paper.
func onPaper(t *testing.T, what string, p solvers.Picture) {
	t.Helper()
	if !(p.Width > 0 && p.Height > 0 && p.Width < 1e4 && p.Height < 1e4) {
		t.Fatalf("%s: %vx%v", what, p.Width, p.Height)
	}
	for _, shape := range p.Shapes {
		if len(shape.Points) == 0 || shape.Colour.A == 0 || shape.Size < 0 || (shape.Text != "") != (shape.Kind == solvers.TextShape) {
			t.Fatalf("%s: shape %+v", what, shape)
		}
		for _, at := range shape.Points {
			if !(at[0] >= 0 && at[0] <= p.Width && at[1] >= 0 && at[1] <= p.Height) || math.IsNaN(shape.Size) {
				t.Fatalf("%s of %vx%v: shape %+v lies outside", what, p.Width, p.Height, shape)
			}
		}
	}
}

// tinted wants the solution's characters in the last picture of its animation
// to have colours.
func tinted(t *testing.T, s solvers.Solution) {
	t.Helper()
	pictures := s.Animation()
	if tints := s.Tints(); tints != nil && !strings.ContainsFunc(pictures[0]+pictures[len(pictures)-1], func(r rune) bool { return tints[r].A > 0 }) {
		t.Errorf("no character of the animation has a colour\n%s", pictures[len(pictures)-1])
	}
}

// painted wants a colour for each gesture of a plan.
func painted(t *testing.T, p solvers.Puzzle, plan []screen.Gesture) {
	t.Helper()
	paint := p.Paint(plan)
	if len(paint) != len(plan) {
		t.Fatalf("%d colours of %d gestures", len(paint), len(plan))
	}
	for i, g := range plan {
		if len(g.Points) > 1 && paint[i].A != 255 {
			t.Errorf("%s has no colour", g.Note)
		}
	}
	if len(plan) > 0 && !slices.ContainsFunc(paint, func(c color.NRGBA) bool { return c.A == 255 }) {
		t.Errorf("a plan of %d gestures has no colour", len(plan))
	}
	p.Paint([]screen.Gesture{{}, {Note: "pipe"}, {Note: "\x00", Points: []image.Point{{}}}}) // must not panic
}

// hinted wants a step to be missing from any board but the one that shows its
// solution, and from that none. What is drawn may be empty.
func hinted(t *testing.T, p solvers.Puzzle, s solvers.Solution, fill string) {
	t.Helper()
	var drawn solvers.Solution
	if fill != "" {
		drawn = write(t, p, fill)
	}
	short := func(step solvers.Step) bool { return !step.Drawn && len(step.Cells) <= 2 } // looks the same
	missing := slices.DeleteFunc(s.Steps(drawn), func(step solvers.Step) bool { return step.Drawn })
	if (len(missing) == 0) != (fill == s.String()) && slices.ContainsFunc(missing, func(step solvers.Step) bool { return !short(step) }) {
		t.Errorf("%d steps missing of what is drawn\n%s\nexpected\n%s", len(missing), fill, s)
	}
}

// told tells all steps of a solution one after the other: each is another one, what a reason
// names is part of it, and in the picture it is marked.
func told(t *testing.T, p solvers.Puzzle, s solvers.Solution) {
	t.Helper()
	steps := s.Steps(nil)
	var before []int
	for range steps {
		i, why := solvers.NextStep(p, s, nil, before)
		if i >= len(steps) || slices.Contains(before, i) {
			t.Fatalf("step %d after %v, expected another of %d", i, before, len(steps))
		}
		if why != nil {
			for _, c := range why.Cells {
				if !slices.Contains(steps[i].Cells, c) {
					t.Errorf("%q is told of %q, which is elsewhere", why.Text, steps[i].Text)
				}
			}
		}
		picture := solvers.HintScene(p, s.Picture(0, 0), s, before, i, why)
		onPaper(t, steps[i].Text, picture)
		if _, moves := s.(solvers.Mover); !moves && len(picture.Shapes) <= len(solvers.HintScene(p, s.Picture(0, 0), s, before[:0], i, nil).Shapes) && len(before) > 0 {
			t.Errorf("%q: %d shapes with %d steps before it, no more than without", steps[i].Text, len(picture.Shapes), len(before))
		}
		before = append(before, i)
	}
	if i, why := solvers.NextStep(p, s, nil, before); i != len(steps) || why != nil {
		t.Errorf("step %d, %v, after all %d", i, why, len(steps))
	}
}
