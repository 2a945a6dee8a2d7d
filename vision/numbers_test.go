package vision

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tapwise/solvers/screen"
)

// zipFolder has real screens with numbers and their boards.
const zipFolder = "../../shared/data/zip"

// zipSpecs are the ways to ask for a board of known size: by its lines, light or dark,
// and by its cells.
func zipSpecs(side int) []screen.Spec {
	spec := screen.Spec{Topologies: []screen.Topology{screen.Square}, MinSide: side, MaxSide: side, Numbers: true}
	dark, signs := spec, spec
	dark.Dark = true
	signs.Signs = true
	return []screen.Spec{spec, dark, signs}
}

// numbersOf reads the numbers of a board file: 0 is a cell without one.
func numbersOf(t *testing.T, path string) (numbers []int, rows int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		rows++
		for _, field := range strings.Fields(line) {
			value := 0
			if field != "." {
				if value, err = strconv.Atoi(field); err != nil {
					t.Fatal(err)
				}
			}
			numbers = append(numbers, value)
		}
	}
	return numbers, rows
}

// zipBoards are where the boards are that are not found, from the middle of one outer line
// to that of the other: one has hardly any lines, one is cut at its frame.
var zipBoards = map[string]image.Rectangle{
	"CWSwastik__zip-solver__grid":  image.Rect(44, 33, 1046, 1035),
	"CWSwastik__zip-solver__grid3": image.Rect(8, 7, 515, 511),
}

// numbersIn reads the numbers of a board of so many rows and columns in a rectangle.
func numbersIn(picture *image.RGBA, board image.Rectangle, side int) *screen.Observation {
	spec := screen.Spec{Numbers: true}
	seen := &screen.Observation{Layout: screen.Layout{Rows: side, Cols: side, Pitch: float64(board.Dx()) / float64(side)}}
	for i := range side * side {
		at := image.Pt((2*(i%side)+1)*board.Dx()/(2*side), (2*(i/side)+1)*board.Dy()/(2*side))
		seen.Layout.Centres = append(seen.Layout.Centres, board.Min.Add(at))
	}
	v := &view{pixels: picture}
	v.readNumbers(spec, seen)
	return seen
}

func TestZipNumbers(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(zipFolder, "*.board.txt"))
	if len(files) == 0 {
		t.Skipf("no boards in %s", zipFolder)
	}
	right, refused, wrong, empty, emptyUnclear, boards := 0, 0, 0, 0, 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".board.txt")
		numbers, rows := numbersOf(t, file)
		data, err := os.ReadFile(strings.TrimSuffix(file, ".board.txt") + ".png")
		if err != nil {
			t.Fatal(err)
		}
		picture, err := Decode(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		var seen *screen.Observation
		for _, spec := range zipSpecs(rows) {
			seen, err = Observe(picture, screen.Frame{Size: picture.Bounds().Size()}, spec)
			if err != nil {
				t.Fatal(err)
			}
			if seen.Layout.Rows == rows && len(seen.Numbers) == len(numbers) {
				break
			}
		}
		if board, given := zipBoards[name]; given && len(seen.Numbers) != len(numbers) {
			seen = numbersIn(picture, board, rows)
		}
		if len(seen.Numbers) != len(numbers) {
			t.Logf("%s: no board found: %q", name, seen.Doubts)
			continue
		}
		boards++
		for i, value := range numbers {
			n := seen.Numbers[i]
			at := fmt.Sprintf("%s: cell %d,%d", name, i/rows, i%rows)
			switch {
			case value == 0 && n.Seen == screen.NoNumber:
				empty++
			case value == 0 && n.Seen == screen.UnclearNumber:
				emptyUnclear++
				t.Logf("%s is empty and unclear", at)
			case n.Seen != screen.ReadNumber:
				refused++
				t.Logf("%s: %d was not read: %v at %v pitch %v", at, value, n, seen.Layout.Centres[i], seen.Layout.Pitch)
			case n.Value == value:
				right++
			default:
				wrong++
				t.Errorf("%s: %d was read as %d, confidence %g", at, value, n.Value, n.Confidence)
			}
		}
	}
	t.Logf("%d boards of %d: %d numbers right, %d refused, %d wrong; %d empty cells empty, %d unclear", boards, len(files), right, refused, wrong, empty, emptyUnclear)
}

// TestNumbersAreAsked looks at a board with and without asking for numbers.
func TestNumbersAreAsked(t *testing.T) {
	s := board(image.Pt(480, 854), 5, 5)
	picture := s.draw()
	spec := testSpec
	if seen := observe(t, picture, spec); seen.Numbers != nil {
		t.Errorf("%d numbers, expected none asked for", len(seen.Numbers))
	}
	spec.Numbers = true
	seen := observe(t, picture, spec)
	if len(seen.Numbers) != len(seen.Layout.Centres) || len(seen.Numbers) == 0 {
		t.Fatalf("%d numbers of %d cells", len(seen.Numbers), len(seen.Layout.Centres))
	}
	for i, n := range seen.Numbers {
		if n.Seen == screen.ReadNumber {
			t.Errorf("cell %d: %d was read, expected no number", i, n.Value)
		}
	}
}
