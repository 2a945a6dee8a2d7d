package alcazar

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/gametest"
)

// TestGenerate wants boards with exactly one solution, the same ones again for
// the same source of randomness.
func TestGenerate(t *testing.T) {
	for _, o := range []solvers.GenerateOptions{
		{},
		{Unique: true},
		{Rows: 1, Unique: true},
		{Rows: 1, Cols: 6, Unique: true},
		{Rows: 5, Unique: true, Variant: "box"},
		{Cols: 7, Unique: true, Variant: "plain"},
		{Rows: 8, Cols: 8, Unique: true, Variant: "grid"},
		{Rows: 9, Cols: 13},
		{Rows: 13, Cols: 6, Unique: true},
		{Rows: 7, Unique: true, Variant: "holes"},
		{Rows: 6, Cols: 9, Unique: true, Variant: "box holes"},
		{Rows: 1, Cols: 2, Unique: true, Variant: "plain holes"},
		{Rows: 10, Cols: 8, Variant: "holes grid"},
	} {
		made := map[string]bool{}
		for seed := range uint64(3) {
			make := func() solvers.Puzzle {
				p, err := Game{}.Generate(context.Background(), o, rand.New(rand.NewPCG(seed, 0)))
				if err != nil {
					t.Fatalf("%+v: %v", o, err)
				}
				return p
			}
			p := make()
			made[p.String()] = true
			if again := make(); again.String() != p.String() {
				t.Errorf("%+v: made\n%s\nthen\n%s", o, p, again)
			}
			read, err := Parse(p.String())
			if err != nil || read.String() != p.String() {
				t.Fatalf("%+v: %v\n%s\nread again\n%v", o, err, p, read)
			}
			if size := read.Size(); o.Rows > 0 && size.Rows != o.Rows || o.Cols > 0 && size.Cols != o.Cols {
				t.Errorf("%+v: made %v\n%s", o, size, p)
			}
			form, holes, _ := strings.Cut(o.Variant, " ")
			if form == "holes" {
				form, holes = holes, form
			}
			if form != "" && form != holes && read.Form().String() != form {
				t.Errorf("%+v: written as %v\n%s", o, read.Form(), p)
			}
			if rooms := len(read.Rooms()); (rooms < read.Size().Cells()) != (holes != "") {
				t.Errorf("%+v: %d rooms\n%s", o, rooms, p)
			}
			if o.Unique {
				if got := len(gametest.Solutions(t, read)); got != 1 {
					t.Errorf("%+v: %d solutions, expected 1\n%s", o, got, p)
				}
			} else if _, err := p.Solve(context.Background()); err != nil {
				t.Errorf("%+v: %v\n%s", o, err, p)
			}
		}
		if len(made) < 2 && o.Rows != 1 {
			t.Errorf("%+v: the same board for different seeds", o)
		}
	}
}

// TestGenerateRim wants a rim that is mostly closed, with openings whose number and
// colours do not tell which of them the path uses.
func TestGenerateRim(t *testing.T) {
	for _, o := range []solvers.GenerateOptions{
		{Rows: 4, Cols: 4, Unique: true},
		{Rows: 4, Cols: 3, Unique: true},
		{Rows: 5, Cols: 5, Unique: true},
		{Rows: 7, Cols: 5, Unique: true},
		{Rows: 8, Cols: 8, Unique: true},
		{Rows: 12, Cols: 12, Unique: true},
		{Rows: 9, Cols: 9},
	} {
		rim := 2 * (o.Rows + o.Cols)
		numbers := map[int]bool{}
		for seed := range uint64(10) {
			made, err := Game{}.Generate(context.Background(), o, rand.New(rand.NewPCG(seed, 1)))
			if err != nil {
				t.Fatalf("%+v: %v", o, err)
			}
			p := made.(*Puzzle)
			openings := p.Openings()
			numbers[len(openings)] = true
			if n := len(openings); n < max(4, rim/8) || n > max(4, rim/3) {
				t.Errorf("%+v, seed %d: %d openings of %d in the rim, expected %d to %d\n%s", o, seed, n, rim, max(4, rim/8), max(4, rim/3), p)
			}
			solved, err := p.Solve(context.Background())
			if err != nil {
				t.Fatalf("%+v, seed %d: %v\n%s", o, seed, err, p)
			}
			for _, end := range openings {
				if !solved.(*Solution).Used(end.Room, end.Side) {
					continue
				}
				alike := 0
				for _, other := range openings {
					if other.Room != end.Room && p.light(other.Room) == p.light(end.Room) {
						alike++
					}
				}
				if odd := p.Size().Cells() % 2; alike < 1+2*odd {
					t.Errorf("%+v, seed %d: %d more openings of the colour of %s, expected %d or more\n%s", o, seed, alike, p.name(end), 1+2*odd, solved)
				}
			}
		}
		if rim > 16 && len(numbers) < 2 {
			t.Errorf("%+v: always the same number of openings: %v", o, numbers)
		}
	}
}

// TestGenerateRefuses tries options that make no sense.
func TestGenerateRefuses(t *testing.T) {
	gametest.GenerateRefuses(t, Game{}, map[string]solvers.GenerateOptions{
		"board of -1 rows":                           {Rows: -1},
		"129 columns, expected 1 to 128":             {Cols: MaxSide + 1},
		"-3 columns":                                 {Rows: 3, Cols: -3},
		"2 colours, expected none":                   {Colours: 2},
		`variant "hex", expected grid, box or plain`: {Variant: "hex"},
	})
}
