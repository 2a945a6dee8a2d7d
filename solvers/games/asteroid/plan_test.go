package asteroid

import (
	"image"
	"strings"
	"testing"

	"tapwise/solvers/screen"
)

// TestPlan looks at each swipe of a solution that moves in all directions.
func TestPlan(t *testing.T) {
	p := example(t)
	s, err := p.ParseSolution("0,1 left\n1,1 up\n0,0 right\n0,1 down\n2,1 exit")
	if err != nil {
		t.Fatal(err)
	}
	l := screen.Layout{On: screen.Frame{Size: image.Pt(400, 700), Rotation: 1}, Rows: 3, Cols: 3, Pitch: 100}
	for c := range cells {
		l.Centres = append(l.Centres, image.Pt(100+100*(c%3), 250+100*(c/3)))
	}
	want := []struct {
		from, to image.Point
	}{
		{image.Pt(200, 250), image.Pt(150, 250)},
		{image.Pt(200, 350), image.Pt(200, 300)},
		{image.Pt(100, 250), image.Pt(150, 250)},
		{image.Pt(200, 250), image.Pt(200, 300)},
		{image.Pt(200, 450), image.Pt(200, 500)},
	}
	plan := s.Plan(l)
	if len(plan) != len(want) {
		t.Fatalf("%d gestures, expected %d", len(plan), len(want))
	}
	for i, g := range plan {
		if g.On != l.On || len(g.Points) != 2 || g.Points[0] != want[i].from || g.Points[1] != want[i].to || g.Note != s.Steps(nil)[i].Text {
			t.Errorf("move %d: got %+v, expected from %v to %v", i+1, g, want[i].from, want[i].to)
		}
	}
	l.Rows = 4
	if plan := s.Plan(l); plan != nil {
		t.Errorf("on 4 rows planned %v, expected nothing", plan)
	}
}

// TestBoards looks at the positions between the moves.
func TestBoards(t *testing.T) {
	const start = `
+--+--+--+
|a |a |a |
|  |  |  |
+--+--+--+
|a |a |a |
|  |  |  |
+--+--+--+
|a |SS|  |
|  |  |  |
+--+--+--+`
	p, err := Parse(strings.TrimPrefix(start, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	first := p.String()
	down := strings.Replace(first, "|a |a |a |\n|  |  |  |\n+--+--+--+\n|a |SS|  |", "|a |a |  |\n|  |  |  |\n+--+--+--+\n|a |SS|a |", 1)
	out := strings.Replace(first, "SS", "  ", 1)
	for moves, want := range map[string][]string{
		"1,2 down\n1,2 up\n2,1 exit": {first, down}, // there is no tile at 1,2
		"1,2 down\n2,2 up\n2,1 exit": {first, down, first, out},
		"2,1 exit\n2,1 exit":         {first, out},
		"0,0 up\n2,1 exit":           {first},
		"0,0 right\n2,1 exit":        {first},
	} {
		s, err := p.ParseSolution(moves)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.(*Solution).Animation(); strings.Join(got, "\n\n") != strings.Join(want, "\n\n") {
			t.Errorf("%q: got\n%s\nexpected\n%s", moves, strings.Join(got, "\n\n"), strings.Join(want, "\n\n"))
		}
	}
}
