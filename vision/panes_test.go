package vision_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"tapwise/solvers/screen"
	"tapwise/vision"
)

// paneSpec asks for boards of panes.
var paneSpec = screen.Spec{Topologies: []screen.Topology{screen.Square}, MinSide: 3, MaxSide: 12, Either: true, Panes: true,
	Measures: []screen.Measure{{Name: "middle", Radius: 0.1}}}

// TestPanes finds boards of flat squares between lines of several widths, darker or
// brighter than the squares, and measures the lines.
func TestPanes(t *testing.T) {
	const rows, cols, pitch, x0, y0 = 6, 5, 60, 37, 90
	for name, c := range map[string]struct{ page, cell, line, wall color.RGBA }{
		"light": {color.RGBA{244, 242, 238, 255}, color.RGBA{254, 254, 255, 255}, color.RGBA{160, 162, 159, 255}, color.RGBA{7, 7, 7, 255}},
		"dark":  {color.RGBA{27, 30, 35, 255}, color.RGBA{34, 38, 45, 255}, color.RGBA{112, 118, 128, 255}, color.RGBA{240, 242, 245, 255}},
		"faint": {color.RGBA{248, 250, 252, 255}, color.RGBA{255, 255, 255, 255}, color.RGBA{243, 244, 246, 255}, color.RGBA{18, 24, 38, 255}},
	} {
		frame := image.NewRGBA(image.Rect(0, 0, 400, 600))
		fill := func(r image.Rectangle, c color.RGBA) {
			draw.Draw(frame, r, image.NewUniform(c), image.Point{}, draw.Src)
		}
		fill(frame.Rect, c.page)
		fill(image.Rect(x0, y0, x0+cols*pitch, y0+rows*pitch), c.cell)
		for i := range cols + 1 {
			fill(image.Rect(x0+i*pitch-1, y0, x0+i*pitch+1, y0+rows*pitch), c.line)
		}
		for i := range rows + 1 {
			fill(image.Rect(x0, y0+i*pitch-1, x0+cols*pitch, y0+i*pitch+1), c.line)
		}
		// A wall to the right of row 2 column 1, from 0, and a band over the last row.
		fill(image.Rect(x0+2*pitch-6, y0+2*pitch-6, x0+2*pitch+6, y0+3*pitch+6), c.wall)
		fill(image.Rect(x0, y0+(rows-1)*pitch+18, x0+cols*pitch, y0+rows*pitch-18), color.RGBA{228, 88, 36, 255})
		seen, err := vision.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, paneSpec)
		if err != nil {
			t.Fatal(err)
		}
		if l := seen.Layout; l.Rows != rows || l.Cols != cols || seen.Confidence < 0.9 {
			t.Errorf("%s: %d rows and %d columns, confidence %.2f (%v), expected %d and %d", name, l.Rows, l.Cols, seen.Confidence, seen.Doubts, rows, cols)
			continue
		}
		for i, line := range seen.Vertical {
			row, col := i/(cols+1), i%(cols+1)
			want := 2.0
			if row == 2 && col == 2 {
				want = 12
			}
			if col > 0 && col < cols && (line.Width < want-1 || line.Width > want+1) {
				t.Errorf("%s: the line left of row %d column %d is %.1f pixels wide, expected %.0f", name, row, col, line.Width, want)
			}
		}
	}
}

// TestNoPanes finds nothing on a page of plain boxes.
func TestNoPanes(t *testing.T) {
	frame := image.NewRGBA(image.Rect(0, 0, 400, 600))
	draw.Draw(frame, frame.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	for i := range 3 {
		draw.Draw(frame, image.Rect(50, 50+150*i, 350, 150+150*i), image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	seen, err := vision.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, paneSpec)
	if err != nil || seen.Layout.Rows != 0 || len(seen.Doubts) == 0 {
		t.Errorf("%v, %d rows, doubts %q, expected no board and why", err, seen.Layout.Rows, seen.Doubts)
	}
}
