package calibration

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"tapwise/solvers/screen"
)

// TestLineResiduals draws lines away from where the layout puts them.
func TestLineResiduals(t *testing.T) {
	const pitch = 100
	frame := image.NewRGBA(image.Rect(0, 0, 4*pitch, 2*pitch))
	draw.Draw(frame, frame.Bounds(), image.White, image.Point{}, draw.Src)
	l := screen.Layout{Rows: 1, Cols: 3, Pitch: pitch, Board: image.Rect(50, 50, 350, 150)}
	for c := range 3 {
		l.Centres = append(l.Centres, image.Pt(100+c*pitch, 100))
	}
	line := func(x0, x1 int, c color.Color) {
		draw.Draw(frame, image.Rect(x0, 50, x1, 150), image.NewUniform(c), image.Point{}, draw.Src)
	}
	if got := LineResiduals(frame, l); len(got) != 0 {
		t.Errorf("%v on an empty picture", got)
	}
	line(153, 156, color.Gray{200}) // the middle is 4 to the right of 150
	line(249, 252, color.Black)
	line(243, 246, color.Black) // another, farther off
	got := LineResiduals(frame, l)
	want := []Residual{{X: 154, Y: 100, Off: 4}, {X: 250, Y: 100, Off: 0}}
	if len(got) != len(want) {
		t.Fatalf("%v, expected %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, expected %v", got[i], want[i])
		}
	}
	if off := Off(got); off[0] != 0 || off[1] != 4 {
		t.Errorf("off %v, expected 0 and 4", off)
	}
	// A bright area that continues to one side is no line.
	line(253, 400, color.Gray{100})
	if got := LineResiduals(frame, l); len(got) != 2 || got[1] != want[1] {
		t.Errorf("%v beside an area, expected %v", got, want)
	}
}
