package player_test

import (
	"context"
	"fmt"
	"image"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	scale "golang.org/x/image/draw"

	"tapwise/adb/adbtest/await"
	"tapwise/solvers"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// shared is where the real screens are, seen from this folder.
const shared = "../../../../../shared/data/screens"

// tally is a line of the table.
type tally struct {
	right, refused, wrong int
	unique                int // boards read that have exactly one solution, as players of the real game may expect
}

func (a *tally) add(b tally) {
	a.right += b.right
	a.refused += b.refused
	a.wrong += b.wrong
	a.unique += b.unique
}

// unique reports whether a puzzle has exactly one solution.
func unique(p solvers.Puzzle) bool {
	ctx, cancel := context.WithTimeout(context.Background(), await.Hang)
	defer cancel()
	n := 0
	_, err := p.Enumerate(ctx, solvers.EnumerateOptions{}, func(solvers.Solution) bool {
		n++
		return n < 2
	})
	return err == nil && n == 1
}

// readScreenPushed reads a real screen from a frame as a phone pushes it.
func readScreenPushed(t *testing.T, p gametest.RealScreen, frame *image.RGBA) (one tally) {
	size := frame.Rect.Size()
	part := min(size.X, size.Y) / leastPushed
	if part < 2 || size.X%part > 0 || size.Y%part > 0 {
		return one
	}
	small := image.NewRGBA(image.Rectangle{Max: size.Div(part)})
	scale.ApproxBiLinear.Scale(small, small.Rect, frame, frame.Rect, scale.Src, nil)
	puzzle, err := readReduced(small, size, flow.Game{})
	switch {
	case err != nil:
		t.Logf("pushed     %s, scaled down by %d: refused: %v", p.Name, part, err)
		one.refused++
	case gametest.Relettered(puzzle.String()) != gametest.Relettered(p.Truth):
		t.Errorf("%s, scaled down by %d: read wrongly as\n%s\nexpected\n%s", p.Name, part, puzzle, p.Truth)
		one.wrong++
	default:
		one.right++
	}
	return one
}

// TestFlowScreens reads every real screen there is and prints the table by kind,
// source and size. No wrong board may be accepted, and none on a popup or on a
// picture of something else. 99 of 100 full screens and their crops with a board
// must be read, and half of the photographs. Where the drawn pipes are known,
// they must be read, too, and on popups the button that leads on. With -short it
// reads one picture in eight.
func TestFlowScreens(t *testing.T) {
	all := gametest.RealScreens(t, shared)
	game := flow.Game{}
	spec := game.Spec()
	table := map[string]*tally{}
	var clean, photos, pushed tally
	var durations []time.Duration
	for i, p := range all {
		if testing.Short() && i%8 > 0 {
			continue
		}
		frame, err := decodeFile(t, p.File)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		start := time.Now()
		seen, err := vision.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, spec)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		puzzle, err := game.Read(seen)
		took := time.Since(start)
		if p.Kind == "fullscreen" {
			durations = append(durations, took)
		}
		var now tally
		switch {
		case err != nil:
			now.refused++
			t.Logf("%-10s %s: %s, expected %dx%d: refused: %v", p.Kind, p.Name, seen.Layout.Board, p.Cols, p.Rows, err)
		case p.Truth == "" || gametest.Relettered(puzzle.String()) != gametest.Relettered(p.Truth):
			now.wrong++
			t.Errorf("%s %s: read wrongly as\n%s\nexpected\n%s", p.Kind, p.Name, puzzle, p.Truth)
		default:
			now.right++
			if p.Fill != "" {
				if fill, err := puzzle.(solvers.Filler).Fill(seen); err != nil || gametest.Relettered(fill) != gametest.Relettered(p.Fill) {
					t.Errorf("%s %s: filled as\n%s\nerror %v, expected\n%s", p.Kind, p.Name, fill, err, p.Fill)
				}
			}
			if p.Kind == "popup" || p.Kind == "other" {
				t.Errorf("%s %s: read, expected a refusal", p.Kind, p.Name)
			}
		}
		if place := game.Locate(seen); p.Kind == "popup" {
			if _, ok := place.Button("next"); place.Kind != screen.Won || !ok {
				t.Errorf("%s %s: %s (%s) with buttons %v, expected a won level and the next one's", p.Kind, p.Name, place.Kind, place.Reason, place.Buttons)
			}
		} else if place.Kind == screen.Won {
			t.Errorf("%s %s: a won level (%s), expected none", p.Kind, p.Name, place.Reason)
		}
		if err == nil && unique(puzzle) {
			now.unique++
		}
		group := p.Kind
		if p.Truth == "" {
			group += " without a board"
		}
		switch {
		case p.Truth == "":
		case p.Kind == "photo":
			photos.add(now)
		case p.Kind == "fullscreen" || p.Kind == "crop":
			clean.add(now)
		}
		if p.Kind == "fullscreen" && p.Truth != "" {
			pushed.add(readScreenPushed(t, p, frame))
		}
		source, _, _ := strings.Cut(path.Base(path.Dir(p.Name)), "__")
		for _, key := range []string{
			fmt.Sprintf("%-26s %s", group, "all"),
			fmt.Sprintf("%-26s %-20s %4dx%-4d", group, source, p.Width, p.Height),
		} {
			if table[key] == nil {
				table[key] = &tally{}
			}
			table[key].add(now)
		}
	}
	var keys []string
	for key := range table {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	var text strings.Builder
	fmt.Fprintf(&text, "%-60s %5s %7s %5s %6s\n", "kind, source, size", "right", "refused", "wrong", "unique")
	for _, key := range keys {
		fmt.Fprintf(&text, "%-60s %5d %7d %5d %6d\n", key, table[key].right, table[key].refused, table[key].wrong, table[key].unique)
	}
	if len(durations) > 0 {
		slices.Sort(durations)
		fmt.Fprintf(&text, "full screens, from decoded pixels to board: median %v, worst %v\n", durations[len(durations)/2], durations[len(durations)-1])
	}
	fmt.Fprintf(&text, "full screens with a board on frames as phones push them: %d right, %d refused, %d wrong\n", pushed.right, pushed.refused, pushed.wrong)
	t.Logf("\n%s", text.String())
	for _, share := range []struct {
		name  string
		of    tally
		least int
	}{{"full screens and crops", clean, 99}, {"photographs", photos, 50}} {
		if n := share.of.right + share.of.refused + share.of.wrong; share.of.right*100 < share.least*n {
			t.Errorf("%d of %d %s with a board read, expected at least %d of 100", share.of.right, n, share.name, share.least)
		}
	}
}

// decodeFile reads a picture.
func decodeFile(t testing.TB, name string) (*image.RGBA, error) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return vision.Decode(t.Context(), data)
}
