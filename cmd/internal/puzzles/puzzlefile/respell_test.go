package puzzlefile

import (
	"errors"
	"os"
	"strings"
	"testing"

	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/gametest"
)

// TestRespelled reads boards as other people's programs write them. A file of cases has the
// text, in quotes as in Go, and the board that is read of it, or how it is refused.
func TestRespelled(t *testing.T) {
	for _, c := range gametest.Cases(t, "testdata/respelled.txt") {
		t.Run(c.Where, func(t *testing.T) {
			for _, text := range c.Parts[:max(1, len(c.Parts)-1)] {
				respelled(t, c.Kind, c.Want, text, c.Parts[len(c.Parts)-1])
			}
		})
	}
}

func respelled(t *testing.T, kind, want, text, board string) {
	t.Helper()
	var game solvers.Game
	if name, stated := strings.CutPrefix(kind, "stated-"); stated {
		var err error
		if game, err = all.ByName(name); err != nil {
			t.Fatal(err)
		}
		kind = name
	}
	parts := Split("test", []byte(text), game)
	if len(parts) != 1 {
		t.Fatalf("%q: %d puzzles, expected 1", text, len(parts))
	}
	read, puzzle, err := Parse(parts[0].Text, game)
	switch {
	case kind == "refused":
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, expected an error with %q", text, puzzle, err, want)
		}
	case err != nil || read.Name() != kind || puzzle.String() != board:
		t.Errorf("%q: read as %v, %v, expected a board of %s:\n%s", text, puzzle, err, kind, board)
	}
}

// TestAmbiguous names both games of a text that two can read.
func TestAmbiguous(t *testing.T) {
	var ambiguous *recognise.AmbiguousError
	if _, _, err := Parse("1 0 0 0\n0 2 0 0\n0 0 3 0\n0 0 0 0", nil); !errors.As(err, &ambiguous) || len(ambiguous.Games) != 2 {
		t.Errorf("%v, expected two games", err)
	}
}

// TestOwnNotations reads each level that comes along as it stands, and never otherwise.
func TestOwnNotations(t *testing.T) {
	for _, game := range all.Games() {
		for _, level := range Pack(game) {
			for _, stated := range []solvers.Game{nil, game} {
				if read, puzzle, err := Parse(level.Text, stated); err != nil || read.Name() != game.Name() || puzzle.String() != level.Text {
					t.Errorf("%s: %v, expected it as it stands:\n%s", level.Name(), err, level.Text)
				}
			}
		}
	}
}

// FuzzRespell reads any text: what is read of it is a puzzle in its game's notation.
func FuzzRespell(f *testing.F) {
	data, err := os.ReadFile("testdata/respelled.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, block := range strings.Split(string(data), "\n\n") {
		f.Add(block)
	}
	for _, c := range gametest.Cases(f, "testdata/respelled.txt") {
		for _, part := range c.Parts {
			f.Add(part)
		}
	}
	f.Add(" ")
	f.Fuzz(func(t *testing.T, text string) {
		spellings, _ := respell(text)
		for _, s := range spellings {
			if got := strings.Count(s.text, "\n") + 1; got != len(s.lines) {
				t.Fatalf("%q: %d lines, of which %d are known", s.text, got, len(s.lines))
			}
			for _, line := range s.lines {
				if line < 1 || line > strings.Count(text, "\n")+1 {
					t.Fatalf("%q: made of line %d", text, line)
				}
			}
		}
		for _, game := range append([]solvers.Game{nil}, all.Games()...) {
			read, puzzle, err := Parse(text, game)
			if (err == nil) != (puzzle != nil) {
				t.Fatalf("%q: %v, %v", text, puzzle, err)
			}
			if err != nil {
				continue
			}
			if again, err := read.Parse(puzzle.String()); err != nil || again.String() != puzzle.String() {
				t.Fatalf("%s: %q was read as\n%s\nwhich is read as %v, %v", read.Name(), text, puzzle, again, err)
			}
		}
	})
}
