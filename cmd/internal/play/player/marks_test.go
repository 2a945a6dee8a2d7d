package player

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"testing"

	"tapwise/adb/simphone"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// markingGlass is a glass that marks rows, as changed by a function.
type markingGlass struct {
	*glass
	change func(mark string, n int) (string, error)
	marks  int
	at     []int // the number of frames before each mark
}

func (g *markingGlass) RowsMark(_ context.Context, on screen.Frame, from, to int) (string, error) {
	g.marks++
	g.at = append(g.at, g.frames)
	frame := simphone.Render(g.app, on.Size, g.now)
	mark := fmt.Sprintf("%x", md5.Sum(frame.Pix[from*frame.Stride:to*frame.Stride]))
	return g.change(mark, g.marks)
}

// cleared clears both levels and returns the device and what was reported.
func cleared(t *testing.T, change func(string, int) (string, error)) (*markingGlass, []Report) {
	t.Helper()
	g, p := newGlass(t)
	m := &markingGlass{glass: g, change: change}
	if change != nil {
		p.Device = m
	}
	var reports []Report
	won, err := p.Clear(t.Context(), 2, func(r Report, _ error) { reports = append(reports, r) })
	if won != 2 || err != nil || len(reports) != 2 {
		t.Fatalf("won %d of 2 with marks, %v", won, err)
	}
	return m, reports
}

// Marks save frames once the place of the board is known, and what they cannot decide
// is decided by frames.
func TestMarks(t *testing.T) {
	plain, want := cleared(t, nil)
	honest := func(mark string, _ int) (string, error) { return mark, nil }
	g, got := cleared(t, honest)
	if got[0].Marks != 0 || got[1].Marks < 3 || got[1].Marks != g.marks {
		t.Errorf("%d and %d marks, expected none where no board was seen before, and then 3 or more", got[0].Marks, got[1].Marks)
	}
	if g.frames >= plain.frames {
		t.Errorf("%d frames with marks, %d without, expected fewer", g.frames, plain.frames)
	}
	// The frame that was read lies between two marks.
	if first, last := g.at[0], g.at[len(g.at)-1]; first != last-1 {
		t.Errorf("the marks came after %v frames, expected the last one after one more frame", g.at)
	}
	for i := range want {
		if got[i].Board != want[i].Board {
			t.Errorf("read\n%s\nwith marks, expected\n%s", got[i].Board, want[i].Board)
		}
	}
	gametest.Long(t)
	for name, change := range map[string]func(string, int) (string, error){
		"fail":           func(string, int) (string, error) { return "", errors.New("no md5sum") },
		"never agree":    func(_ string, n int) (string, error) { return fmt.Sprint(n), nil },
		"change at last": func(mark string, n int) (string, error) { return fmt.Sprint(mark, n > 2), nil },
		"fail in the midst": func(mark string, n int) (string, error) {
			if n > 2 {
				return "", errors.New("gone")
			}
			return mark, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			// The frames that disagreeing marks leave out of account come on top.
			g, got := cleared(t, change)
			if got[1].Board != want[1].Board || g.frames < plain.frames {
				t.Errorf("%d frames and the board\n%s\nexpected %d or more, as without marks, and\n%s", g.frames, got[1].Board, plain.frames, want[1].Board)
			}
			if g.marks > maxMarks {
				t.Errorf("%d marks were tried, at most %d", g.marks, maxMarks)
			}
		})
	}
}
