package recognise_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// TestGivenScreens reads the pictures of data/queens-zip.csv as the game that they show,
// with their levels' one solution as the proof, and compares board, walls and marks with
// the truth beside each.
func TestGivenScreens(t *testing.T) {
	folder := "../../../../../shared/data"
	file, err := os.Open(filepath.Join(folder, "queens-zip.csv"))
	if err != nil {
		t.Skipf("no pictures here: %v", err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		name, gameName := row[0], row[1]
		game, err := all.ByName(gameName)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(folder, gameName, name)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			frame, err := vision.Decode(context.Background(), data)
			if err != nil {
				t.Fatal(err)
			}
			seen, err := recognise.Observe(calibrated.Eyes{}, frame, screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}, game)
			if err != nil {
				t.Fatal(err)
			}
			s, err := recognise.Seen(t.Context(), seen, game, solvers.Levels{Several: name == severalSolutions}, await.Hang)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := s.Puzzle.String(), truth(t, path); got != want {
				t.Errorf("read\n%s\nexpected\n%s", got, want)
			}
			fill, err := s.Puzzle.(solvers.Filler).Fill(seen)
			if marks, missing := os.ReadFile(strings.TrimSuffix(path, filepath.Ext(path)) + ".marks.txt"); err != nil || missing != nil && fill != "" || fill != strings.TrimSpace(string(marks)) {
				t.Errorf("filled %q, %v, expected %q", fill, err, marks)
			}
		})
	}
}

// severalSolutions is the one picture whose board has several: its site does not promise one.
const severalSolutions = "CWSwastik__zip-solver__grid.png"

// truth is a picture's board in its game's notation.
func truth(t *testing.T, path string) string {
	t.Helper()
	base := strings.TrimSuffix(path, filepath.Ext(path))
	board, err := os.ReadFile(base + ".board.txt")
	if err != nil {
		t.Fatal(err)
	}
	walls, _ := os.ReadFile(base + ".walls.txt") // Queens has none
	text := strings.TrimSpace(string(board))
	if len(walls) > 0 {
		text += "\nwalls " + strings.Join(strings.Fields(string(walls)), " ")
	}
	return text
}
