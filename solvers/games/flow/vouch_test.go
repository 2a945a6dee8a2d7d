package flow

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// TestVouchKept vouches for the kept observations of undisturbed screens, among them
// warps, hexagons, walls and drawn pipes.
func TestVouchKept(t *testing.T) {
	files, err := filepath.Glob("testdata/read/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no observations: %v", err)
	}
	for _, file := range files {
		if strings.Contains(file, "won") || strings.Contains(file, "finger") {
			continue // a panel or a finger lies over the board
		}
		err := Game{}.Vouch(gametest.Observation(t, file))
		// The lines that are missing in holes cost confidence.
		if unclear := strings.Contains(file, "holes"); (err != nil) != unclear {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestVouchMisread vouches for no kept observation of a disturbed screen that was
// read wrongly. Three of the six boards read have several solutions.
func TestVouchMisread(t *testing.T) {
	files, err := filepath.Glob("testdata/misread/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no observations: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		seen, err := screen.ParseObservation(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if _, err := (Game{}).Read(seen); err != nil {
			t.Errorf("%s: %v; expected a wrong board to be read", file, err)
		}
		if (Game{}).Vouch(seen) == nil {
			t.Errorf("%s: clear, expected a doubt", file)
		}
	}
}

// TestVouchRefuses changes one thing on a clear board so that it is still read,
// but could be another one.
func TestVouchRefuses(t *testing.T) {
	all := func(o *screen.Observation, do func(line *screen.Line)) {
		for _, lines := range [][]screen.Line{o.Horizontal, o.Vertical, o.Sides} {
			for i := range lines {
				do(&lines[i])
			}
		}
	}
	const inner = 6 + 2 // a side within the board, among the vertical ones
	for _, test := range []struct {
		file   string
		change func(*screen.Observation)
		want   string
	}{
		{"fresh", func(*screen.Observation) {}, ""},
		{"fresh", func(o *screen.Observation) { o.Confidence = 0.94 }, "confidence 0.94, expected 0.95"},
		{"fresh", func(o *screen.Observation) { o.Doubts = []string{"two boards"} }, "two boards"},
		{"fresh", func(o *screen.Observation) { o.Translated = true }, "does not look as the game's own"},
		// Ends and empty cells.
		{"fresh", func(o *screen.Observation) { paint(o, 6, color.RGBA{30, 30, 30, 255}, ring) }, "row 2 column 2: not clear that it is empty"},
		{"fresh", func(o *screen.Observation) { o.Readings[6][inside].Spread = 20 }, "row 2 column 2: not clear that it is empty"},
		{"fresh", func(o *screen.Observation) { o.Readings[6][corner].Spread = 20 }, "row 2 column 2: not clear that it is empty"},
		{"fresh", func(o *screen.Observation) { dimmed(o, 0.45) }, "only, expected 60"},
		{"fresh", func(o *screen.Observation) { dimmed(o, 0.5) }, "dark ones may look empty"},
		{"fresh", func(o *screen.Observation) {
			for _, r := range o.Readings {
				r[rim].Spread = 9
			}
		}, "noise of 9"},
		// Walls.
		{"fresh", func(o *screen.Observation) { o.Vertical[inner].Width += 2 }, ""}, // a wall is brighter
		{"fresh", func(o *screen.Observation) {
			line := &o.Vertical[inner]
			line.Width += 2
			line.Colour.R, line.Colour.G, line.Colour.B = line.Colour.R/4*5, line.Colour.G/4*5, line.Colour.B/4*5
		}, "may be a wall or not"},
		{"fresh", func(o *screen.Observation) { o.Vertical[inner].Colour = color.RGBA{255, 255, 255, 255} }, "may be a wall or not"},
		{"fresh", func(o *screen.Observation) { o.Vertical[inner].Support = 0.7 }, "no clear line at one of its sides"},
		{"walls", func(o *screen.Observation) {
			thin, err := thinLineOf(append(o.Horizontal, o.Vertical...))
			if err != nil {
				t.Fatal(err)
			}
			all(o, func(line *screen.Line) {
				if bright := uint8(1.7 * thin.bright); screen.Value(line.Colour) > bright {
					line.Colour = color.RGBA{bright, bright, bright, 255}
				}
			})
		}, "may be a wall or not"},
		// The rim.
		{"fresh", func(o *screen.Observation) { o.Vertical[5].Support = 0.7 }, "the board's rim, which may be cut off"},
		{"fresh", func(o *screen.Observation) { o.Horizontal[1].Ends = 0.5 }, "goes on beyond its rim"},
		{"fresh", func(o *screen.Observation) { o.On.Size.Y = 1000 }, "rows may be hidden or cut off"},
		{"warp", func(o *screen.Observation) { all(o, func(line *screen.Line) { line.Ends = min(line.Ends, 0.8) }) }, "goes on beyond its rim"},
	} {
		seen := gametest.Observation(t, "testdata/read/"+test.file+".txt")
		test.change(seen)
		if _, err := (Game{}).Read(seen); err != nil {
			t.Errorf("%s: not even read (%v), expected %q of what vouches", test.file, err, test.want)
		}
		switch err := (Game{}).Vouch(seen); {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.file, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, expected %q", test.file, err, test.want)
		}
	}
}

// dimmed scales the colours of an observation.
func dimmed(o *screen.Observation, by float64) {
	scale := func(c *color.RGBA) {
		c.R, c.G, c.B = uint8(by*float64(c.R)), uint8(by*float64(c.G)), uint8(by*float64(c.B))
	}
	for _, readings := range o.Readings {
		for i := range readings {
			scale(&readings[i].Colour)
		}
	}
	for _, lines := range [][]screen.Line{o.Horizontal, o.Vertical, o.Sides} {
		for i := range lines {
			scale(&lines[i].Colour)
		}
	}
}
