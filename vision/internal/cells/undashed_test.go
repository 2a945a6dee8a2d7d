package cells

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

// TestUndashed finds a board between dashed lines once they are drawn through, and leaves
// solid lines and what stands in cells as they are.
func TestUndashed(t *testing.T) {
	frame := image.NewRGBA(image.Rect(0, 0, 720, 900))
	fill := func(x0, y0, x1, y1 int, level uint8) {
		draw.Draw(frame, image.Rect(x0, y0, x1, y1), &image.Uniform{C: color.RGBA{level, level, level, 255}}, image.Point{}, draw.Src)
	}
	const side, pitch = 6, 100
	fill(0, 0, 720, 900, 255)
	fill(54, 144, 66+side*pitch, 156+side*pitch, 0)
	fill(60, 150, 60+side*pitch, 150+side*pitch, 255)
	for i := 1; i < side; i++ {
		for at := 4; at < side*pitch; at += 16 {
			fill(59+i*pitch, 150+at, 61+i*pitch, min(158+at, 150+side*pitch), 120)
			fill(60+at, 149+i*pitch, min(68+at, 60+side*pitch), 151+i*pitch, 120)
		}
	}
	fill(200, 390, 220, 410, 0)
	if _, ok := (&PaneFinder{Frame: frame}).Panes(3, 24); ok {
		t.Error("a board is found between dashed lines as they are, expected none")
	}
	to := Undashed(frame)
	if l, ok := (&PaneFinder{Frame: to}).Panes(3, 24); !ok || l.Rows != side || l.Cols != side {
		t.Errorf("%d rows and %d columns, expected %d of both", l.Rows, l.Cols, side)
	}
	for _, at := range []image.Point{{100, 200}, {210, 400}, {300, 145}, {20, 20}} {
		if got, want := to.RGBAAt(at.X, at.Y), frame.RGBAAt(at.X, at.Y); got != want {
			t.Errorf("at %v: %v, expected %v as it was", at, got, want)
		}
	}
}
