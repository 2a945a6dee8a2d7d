package looks

import (
	"context"
	"flag"
	"fmt"
	"image"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tapwise/adb/adbtest/await"
	"tapwise/calibration"
	"tapwise/cmd/internal/calibrate/fit"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

var (
	calibrations = flag.Int("looks-calibrated", 2, "how many looks TestCalibrate calibrates on")
	misledEvery  = flag.Uint64("looks-misled", 1, "of how many looks TestCalibrate reads one by wrong profiles, too")
)

// byProfile reads a frame by the file of a profile, as `tapwise read --profile` does.
func byProfile(ctx context.Context, folder string, profile *calibration.Profile, frame *image.RGBA) (solvers.Puzzle, error) {
	file := filepath.Join(folder, "profile.yaml")
	if err := calibration.Write(file, profile.YAML()); err != nil {
		return nil, err
	}
	reader := profiles.Reader{Store: profiles.Store{Asked: file}, Deadline: await.Hang, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	sight, err := reader.Frame(ctx, frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, nil, "")
	return sight.Puzzle, err
}

// dragged is a rectangle as a person drags it: each side is off by up to a tenth of a
// pitch.
func dragged(random *rand.Rand, room image.Rectangle, rows, cols int) image.Rectangle {
	const most = 0.1
	pitch := float64(room.Dx()/cols+room.Dy()/rows) / 2
	off := func() int { return int(most * pitch * (2*random.Float64() - 1)) }
	return image.Rect(room.Min.X+off(), room.Min.Y+off(), room.Max.X+off(), room.Max.Y+off())
}

// TestCalibrate calibrates on random looks, of which only the board's place, as a person
// drags it, and its size are said. Every picture must be read right by its profile.
func TestCalibrate(t *testing.T) {
	gametest.Long(t)
	p := &painter{t: t}
	folder := t.TempDir()
	// Of the first, a theme sees all discs but two, which are nearly as dark as the cells; on
	// the second, the labels of a pipe's ends have the ground's colour and hide its middle; the
	// third has words one cell above its board, which a theme takes for a row; the cards of the
	// fourth look like a panel.
	seeds := []uint64{20072, 30396, 41005, 50404}
	for i := range uint64(*calibrations) {
		seeds = append(seeds, *first+i)
	}
	read := 0
	for _, seed := range seeds {
		l, err := New(t.Context(), seed, 3)
		if err != nil {
			t.Fatal(err)
		}
		data, room := p.frame(l)
		frame, err := vision.Decode(t.Context(), data)
		if err != nil {
			t.Fatalf("look %d: %v", seed, err)
		}
		board := strings.ReplaceAll(l.Levels[0], "/", "\n")
		random := rand.New(rand.NewPCG(seed, 1))
		picture := fit.Picture{Name: "look", Frame: frame, Rotation: -1, Rows: l.Board.Rows, Cols: l.Board.Cols,
			Board: dragged(random, room, l.Board.Rows, l.Board.Cols).Intersect(frame.Rect)}
		profile, _, err := fit.Profile(t.Context(), flow.Game{}, []fit.Picture{picture})
		if err != nil {
			t.Errorf("look %d, %s: %v", seed, strings.Join(l.kinds(), ", "), err)
			continue
		}
		got, err := byProfile(t.Context(), folder, profile, frame)
		switch {
		case err != nil:
			t.Errorf("look %d: by its profile: %v", seed, err)
		case gametest.Relettered(got.String()) != gametest.Relettered(board):
			t.Errorf("look %d read wrongly as\n%v\nexpected\n%s", seed, got, board)
		default:
			read++
		}
		if seed%*misledEvery == 0 {
			misled(t, seed, profile, frame, board)
		}
	}
	t.Logf("%d of %d read after calibration with rectangle and size", read, len(seeds))
}

// misled reads a frame by profiles whose boards have a row or a column too few or too
// many, of an app whose levels may have several solutions, so that nothing proves what is
// read: it must be refused or right.
func misled(t *testing.T, seed uint64, profile *calibration.Profile, frame *image.RGBA, board string) {
	t.Helper()
	if !profile.Reading.Signs {
		return
	}
	on := screen.Frame{Size: frame.Rect.Size(), Rotation: -1}
	for _, more := range [][2]int{{-1, 0}, {0, -1}, {1, 1}, {-1, -1}} {
		wrong := *profile
		wrong.Board.Rows += more[0]
		wrong.Board.Cols += more[1]
		sight, err := recognise.Look(t.Context(), calibrated.By(&wrong), frame, on, flow.Game{}, solvers.Levels{Several: true, Uncovered: true}, await.Hang)
		if err == nil && gametest.Relettered(sight.Puzzle.String()) != gametest.Relettered(board) {
			t.Errorf("look %d, by a profile of %d columns and %d rows, read wrongly as\n%s\nexpected\n%s", seed, wrong.Board.Cols, wrong.Board.Rows, sight.Puzzle, board)
		}
	}
}

// levelsOf are the levels that the frames of other people's programs show, where they
// differ from Flow's: several solutions, or not to be filled.
var levelsOf = map[string]solvers.Levels{
	"glow-4x4-a": {Uncovered: true}, "glow-4x4-b": {Uncovered: true}, "glow-4x4-c": {Uncovered: true},
	"small-5x5-a": {Several: true}, "small-5x5-c": {Several: true},
}

// statedOf are the frames of which the board's place and size have to be said.
var statedOf = map[string]fit.Picture{
	// Its level has no solution: only a person knows that it was read right.
	"digits-6x6": {Board: image.Rect(107, 303, 975, 1170), Rows: 6, Cols: 6},
}

// TestOthersCalibrated calibrates on other people's looks. All must be read right by
// their profiles.
func TestOthersCalibrated(t *testing.T) {
	for name, board := range others(t) {
		frame := decoded(t, name)
		base := strings.TrimSuffix(filepath.Base(name), ".png")
		picture := statedOf[base]
		picture.Name, picture.Frame, picture.Rotation, picture.Levels = base, frame, -1, levelsOf[base]
		profile, fitted, err := fit.Profile(t.Context(), flow.Game{}, []fit.Picture{picture})
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if got := fitted[0].Puzzle.String(); gametest.Relettered(got) != gametest.Relettered(board) || !profile.Reading.Signs {
			t.Errorf("%s read wrongly as\n%s\nexpected\n%s\nwith signs, by the profile\n%s", base, got, board, profile.YAML())
		}
		got, err := byProfile(t.Context(), t.TempDir(), profile, frame)
		if fitted[0].Unsolvable {
			if err == nil {
				t.Errorf("%s: the level has no solution and is read as\n%s", base, got)
			}
			continue
		}
		if err != nil || gametest.Relettered(got.String()) != gametest.Relettered(board) {
			t.Errorf("%s by its profile: error %v, read as\n%v\nexpected\n%s", base, err, got, board)
		}
	}
}

// others returns the frames of other people's programs with their boards.
func others(t *testing.T) map[string]string {
	t.Helper()
	const folder = "../../../../../shared/data/looks"
	names, err := filepath.Glob(folder + "/*.png")
	if err != nil || len(names) == 0 {
		t.Skipf("the folder %s with other programs' boards is missing", folder)
	}
	boards := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(strings.TrimSuffix(name, "png") + "board.txt")
		if err != nil {
			t.Fatal(err)
		}
		boards[name] = strings.TrimSpace(string(text))
		if filepath.Base(name) == "glow-4x4-c.png" {
			boards[name] = strings.Replace(boards[name], "B..D", "B.D.", 1) // as the picture shows it
		}
	}
	return boards
}

func decoded(t *testing.T, name string) *image.RGBA {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	frame, err := vision.Decode(t.Context(), data)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", name, err))
	}
	return frame
}
