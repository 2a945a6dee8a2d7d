package cells

import (
	"image"
	"image/color"
	"slices"
	"testing"
)

// TestAlike reads boards on which two marks belong together though they do not look
// alike, by their cells and, on another level, by their colours.
func TestAlike(t *testing.T) {
	base := drawings()[0]
	room := func(d drawing) image.Rectangle { return image.Rect(37, 53, 37+5*d.pitch, 53+5*d.pitch) }
	const first, second = 2*5 + 2, 3*5 + 4 // of the marks C and D
	known := Known{Room: room(base), Rows: 5, Cols: 5}
	base.board = "A...B\n.....\nA.C..\nB...D\n....."
	frame := base.paint()
	if found := Boards(frame, known); len(found) > 0 {
		t.Fatalf("two marks without mates were read as\n%s", found[0])
	}
	if got := Unpaired(frame, known); !slices.Equal(got, []int{first, second}) {
		t.Errorf("marks without mates at %v, expected %d and %d", got, first, second)
	}
	known.Alike = [][2]int{{first, second}}
	found := Boards(frame, known)
	if len(found) != 1 || found[0].Cells[first].Mark != found[0].Cells[second].Mark {
		t.Fatalf("%d boards found, expected one with a pair", len(found))
	}
	colours := [2]color.RGBA{found[0].Cells[first].Colour, found[0].Cells[second].Colour}

	// The next level, where the same marks lie elsewhere; the board's size is not known.
	next := base
	next.board = "..D.A\nB....\n...C.\n.B...\n....A"
	for name, known := range map[string]Known{
		"no more known": {Colours: [][2]color.RGBA{colours}},
		"all known":     {Colours: [][2]color.RGBA{colours}, Room: room(next), Rows: 5, Cols: 5},
	} {
		found = Boards(next.paint(), known)
		if len(found) != 1 || renamed(found[0].String()) != "..A.B\nC....\n...A.\n.C...\n....B" {
			t.Errorf("%s: the next level was read as %v", name, found)
		}
	}
	// Marks that have mates keep them.
	third := base
	third.board = "A.BAB\nC....\n..D..\n....D\n....C"
	if found = Boards(third.paint(), Known{Colours: [][2]color.RGBA{colours}}); len(found) != 1 {
		t.Errorf("%d boards found where all have mates, expected one", len(found))
	}
	// A person's word counts more than what looks alike.
	known.Alike = [][2]int{{0, 4}, {10, 15}, {first, second}}
	found = Boards(frame, known)
	if len(found) != 1 || renamed(found[0].String()) != "A...A\n.....\nB.C..\nB...C\n....." {
		t.Errorf("with A1=E1, A3=A4, C3=E4 read as %v", found)
	}
}
