package fit

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"
	"testing"

	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/solvers"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
)

// The place of the cards on the pictures of TestAlike, in pixels.
const (
	cardsLeft, cardsTop = 60, 300
	cardPitch           = 96
)

// cards draws a board as cards with gaps on a light page. A letter is a disc of its own
// colour, a small letter a square of that colour.
func cards(board string) *image.RGBA {
	colours := []color.RGBA{{200, 30, 40, 255}, {30, 90, 220, 255}, {20, 150, 70, 255}, {160, 60, 190, 255}}
	frame := image.NewRGBA(image.Rect(0, 0, 600, 1200))
	draw.Draw(frame, frame.Rect, image.NewUniform(color.RGBA{245, 245, 240, 255}), image.Point{}, draw.Src)
	for row, text := range strings.Split(board, "\n") {
		for col, letter := range text {
			x, y := cardsLeft+col*cardPitch, cardsTop+row*cardPitch
			draw.Draw(frame, image.Rect(x, y, x+cardPitch, y+cardPitch).Inset(5), image.NewUniform(color.RGBA{205, 210, 220, 255}), image.Point{}, draw.Src)
			if letter == '.' {
				continue
			}
			square := letter >= 'a'
			c := colours[(letter|32)-'a']
			for v := range cardPitch {
				for u := range cardPitch {
					dx, dy := float64(u)+0.5-cardPitch/2, float64(v)+0.5-cardPitch/2
					if math.Hypot(dx, dy) <= 30 && !square || max(math.Abs(dx), math.Abs(dy)) <= 26 && square {
						frame.SetRGBA(x+u, y+v, c)
					}
				}
			}
		}
	}
	return frame
}

// TestAlike calibrates on a board on which two marks of different colours belong
// together, and reads the next level with what was kept of them.
func TestAlike(t *testing.T) {
	const size = 5
	picture := func(board string, alike ...[2]image.Point) Picture {
		return Picture{Name: "cards", Frame: cards(board), Rotation: -1, Rows: size, Cols: size, Alike: alike,
			Board: image.Rect(cardsLeft, cardsTop, cardsLeft+size*cardPitch, cardsTop+size*cardPitch), Levels: solvers.Levels{Several: true, Uncovered: true}}
	}
	const board = "A...B\n.....\nA.C..\nB...D\n....."
	if _, _, err := Profile(t.Context(), flow.Game{}, []Picture{picture(board)}); err == nil || !strings.Contains(err.Error(), "the marks at row 3 column 3, row 4 column 5 look like no other") {
		t.Errorf("without the pair: %v, expected the marks that have no mate", err)
	}
	profile, fitted, err := Profile(t.Context(), flow.Game{}, []Picture{picture(board, [2]image.Point{{2, 2}, {4, 3}})})
	if err != nil {
		t.Fatal(err)
	}
	if got := gametest.Relettered(fitted[0].Puzzle.String()); got != gametest.Relettered("A...B\n.....\nA.C..\nB...C\n.....") || len(profile.Alike) != 1 {
		t.Errorf("read as\n%s\nby the profile\n%s", got, profile.YAML())
	}
	next := picture("..D.A\nB....\n...C.\n.B...\n....A")
	seen, err := calibrated.By(profile).Observe(next.Frame, next.on(), flow.Game{}.Spec())
	if err != nil {
		t.Fatal(err)
	}
	puzzle, err := flow.Game{}.Read(seen)
	if err != nil || gametest.Relettered(puzzle.String()) != gametest.Relettered("..C.A\nB....\n...C.\n.B...\n....A") {
		t.Errorf("the next level: error %v, read as\n%v", err, puzzle)
	}
	// Marks that differ in shape only cannot be known again by their colours.
	const shapes = "A...B\n.....\nA.C..\nB...c\nC..c."
	if profile, _, err := Profile(t.Context(), flow.Game{}, []Picture{picture(shapes, [2]image.Point{{2, 2}, {4, 3}}, [2]image.Point{{0, 4}, {3, 4}})}); err == nil {
		t.Errorf("marks of one colour were kept:\n%s", profile.YAML())
	} else if !strings.Contains(err.Error(), "by the profile") {
		t.Errorf("%v, expected that the profile does not know the marks again", err)
	}
}
