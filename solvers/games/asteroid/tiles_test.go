package asteroid

import (
	"math/rand/v2"
	"testing"

	"tapwise/solvers/board"
)

// TestTiles makes random slides of tiles that are clear, and expects each to be
// one that the solver knows, and the solver to know no other.
func TestTiles(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	left := 0
	for range 50 {
		r, at := randomPuzzle(random).rules()
		for range 40 {
			tiles := r.puzzle(at).Tiles()
			if leaves := tiles.CanLeave(door) && tiles.Clear(door, board.South) == 3; leaves != r.leaves(at) {
				t.Fatalf("the spacecraft leaves: %v, the solver says %v\n%s", leaves, r.leaves(at), tiles)
			} else if leaves {
				left++
			}
			next := at
			for d := range board.Dir(4) {
				from := at.mover(d)
				if from == board.None {
					continue
				}
				slides := tiles.Clear(from, d) == 3
				if slides != r.slides(at, from, d) {
					t.Fatalf("%s slides in direction %d: %v, the solver says %v\n%s", size.Name(from), d, slides, !slides, tiles)
				}
				if !slides {
					continue
				}
				slid := at.slid(from)
				if got, want := tiles.Slid(from, at.hole), r.puzzle(slid).Tiles(); got != want {
					t.Fatalf("the slide of %s leads to\n%s\nexpected\n%s", size.Name(from), got, want)
				}
				if next == at || random.IntN(2) == 0 {
					next = slid
				}
			}
			at = next
		}
	}
	if left == 0 {
		t.Error("the spacecraft never left")
	}
}
