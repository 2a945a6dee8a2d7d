package recognise_test

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
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

// dataFolder has pictures that are not the project's.
const dataFolder = "../../../../../shared/data"

// TestGivenScreens reads the pictures of data/queens-zip.csv as the game that they show,
// with their levels' one solution as the proof, and compares board, walls and marks with
// the truth beside each.
func TestGivenScreens(t *testing.T) {
	folder := dataFolder
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
			seen, err := recognise.See(calibrated.Eyes{}, frame, screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}, game)
			if err != nil {
				t.Fatal(err)
			}
			s, err := recognise.Seen(t.Context(), seen.Seen, game, solvers.Levels{Several: name == severalSolutions}, await.Hang)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := s.Puzzle.String(), truth(t, path); got != want {
				t.Errorf("read\n%s\nexpected\n%s", got, want)
			}
			fill, err := s.Puzzle.(solvers.Filler).Fill(seen.Seen)
			if marks, missing := os.ReadFile(strings.TrimSuffix(path, filepath.Ext(path)) + ".marks.txt"); err != nil || missing != nil && fill != "" || fill != strings.TrimSpace(string(marks)) {
				t.Errorf("filled %q, %v, expected %q", fill, err, marks)
			}
		})
	}
}

// leastRight is how many pictures of data/cases are read right at least, by game.
var leastRight = map[string]int{"queens": 29, "zip": 4, "flow": 1}

// TestCases reads the pictures of data/cases, which other people's programs have with them and
// which look otherwise than the games: none is read wrong.
func TestCases(t *testing.T) {
	folder := filepath.Join(dataFolder, "cases")
	file, err := os.Open(filepath.Join(folder, "INDEX.csv"))
	if err != nil {
		t.Skipf("no pictures here: %v", err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	right := map[string]int{}
	for _, row := range rows[1:] {
		path := filepath.Join(folder, row[0])
		game, err := all.ByName(row[1])
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		frame, err := vision.Decode(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		seen, err := recognise.See(calibrated.Eyes{}, frame, screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}, game)
		if err != nil {
			t.Errorf("%s: %v", row[0], err)
			continue
		}
		s, err := recognise.Seen(t.Context(), seen.Seen, game, solvers.Levels{}, await.Hang)
		if err != nil {
			t.Logf("%s: refused: %v", row[0], err)
			continue
		}
		board, walls, _ := strings.Cut(s.Puzzle.String(), "\nwalls ")
		wantBoard, wantWalls, _ := strings.Cut(truth(t, path), "\nwalls ")
		if renamed(board) != renamed(wantBoard) || !slices.Equal(sorted(walls), sorted(wantWalls)) {
			t.Errorf("%s: read\n%s\nexpected\n%s", row[0], s.Puzzle, truth(t, path))
			continue
		}
		right[game.Name()]++
	}
	for game, least := range leastRight {
		if right[game] < least {
			t.Errorf("%d pictures of %s are read right, expected at least %d", right[game], game, least)
		}
	}
}

// renamed is a board with its pairs or regions named in the order in which they come: their names
// say nothing, and not everybody names them so.
func renamed(board string) string {
	names := map[rune]rune{}
	return strings.Map(func(letter rune) rune {
		if letter < 'A' || letter > 'Z' {
			return letter
		}
		if names[letter] == 0 {
			names[letter] = 'A' + rune(len(names))
		}
		return names[letter]
	}, board)
}

// sorted are the words of a text, of walls in any order.
func sorted(text string) []string { return slices.Sorted(slices.Values(strings.Fields(text))) }

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
