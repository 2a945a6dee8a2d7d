package vision_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"tapwise/solvers/screen"
	"tapwise/vision"
)

// A board of thin grey lines on black, as a game's app might draw it.
func ExampleObserve() {
	const size, rows, cols, pitch = 400, 4, 3, 80
	frame := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.Draw(frame, frame.Rect, image.NewUniform(color.Black), image.Point{}, draw.Src)
	board := image.Rect(60, 40, 60+cols*pitch, 40+rows*pitch)
	line := image.NewUniform(color.RGBA{120, 120, 120, 255})
	for r := range rows + 1 {
		y := board.Min.Y + r*pitch
		draw.Draw(frame, image.Rect(board.Min.X, y, board.Max.X+2, y+2), line, image.Point{}, draw.Src)
	}
	for c := range cols + 1 {
		x := board.Min.X + c*pitch
		draw.Draw(frame, image.Rect(x, board.Min.Y, x+2, board.Max.Y), line, image.Point{}, draw.Src)
	}
	spec := screen.Spec{Topologies: []screen.Topology{screen.Square}, MinSide: 2, MaxSide: 10, Dark: true}
	seen, err := vision.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d rows, %d columns, a pitch of %.0f pixels\n", seen.Layout.Rows, seen.Layout.Cols, seen.Layout.Pitch)
	// Output: 4 rows, 3 columns, a pitch of 80 pixels
}
