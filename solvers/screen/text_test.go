package screen

import (
	"image"
	"image/color"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func sample() *Observation {
	on := Frame{Size: image.Pt(300, 400), Rotation: -1}
	line := Line{Support: 0.875, Width: 3, Colour: color.RGBA{63, 109, 63, 255}}
	none := Line{Colour: color.RGBA{A: 255}}
	return &Observation{
		On: on,
		Layout: Layout{On: on, Rows: 1, Cols: 2, Board: image.Rect(10, 20, 110, 70), Pitch: 50.25,
			Centres: []image.Point{{35, 45}, {85, 45}}},
		Confidence: 0.97,
		Readings: [][]Reading{
			{{Colour: color.RGBA{255, 0, 0, 255}, Spread: 0.4}, {Colour: color.RGBA{0, 0, 10, 255}}},
			{{Colour: color.RGBA{0, 141, 0, 255}, Spread: 12}, {Colour: color.RGBA{0, 0, 10, 255}}},
		},
		Horizontal: []Line{line, line, line, none},
		Vertical:   []Line{line, none, line},
		Boxes: []Box{{Bounds: image.Rect(1, 2, 30, 40), Title: image.Rect(1, 0, 30, 2), Bar: color.RGBA{0, 56, 0, 255},
			Line: color.RGBA{255, 255, 255, 255}, Fill: color.RGBA{0, 0, 0, 255}}},
		Doubts: []string{"a \"quoted\"\ndoubt"},
	}
}

// hexagon is a board of two cells a side.
func hexagon() *Observation {
	o := sample()
	o.Layout.Topology, o.Layout.Rows, o.Layout.Cols = HexRows, 3, 3
	o.Horizontal, o.Vertical = nil, nil
	o.Layout.Centres = []image.Point{{35, 45}, {85, 45}, {10, 88}, {60, 88}, {110, 88}, {35, 131}, {85, 131}}
	o.Readings = slices.Repeat(o.Readings[:1], 7)
	return o
}

// numbered is a hexagon whose cells were asked for numbers.
func numbered() *Observation {
	o := hexagon()
	o.Numbers = []Number{{}, {Seen: UnclearNumber}, {Seen: UnclearNumber, Confidence: 0.4}, {Seen: ReadNumber, Confidence: 1},
		{Seen: ReadNumber, Value: 99, Confidence: 0.985}, {}, {}}
	return o
}

func TestObservationText(t *testing.T) {
	for name, o := range map[string]*Observation{
		"board":   sample(),
		"hexagon": hexagon(),
		"numbers": numbered(),
		"nothing": {On: Frame{Size: image.Pt(16, 16), Rotation: 2}, Doubts: []string{"nothing there"}},
	} {
		text := o.String()
		again, err := ParseObservation(text)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		if !reflect.DeepEqual(again, o) {
			t.Errorf("%s: read back as\n%+v\nexpected\n%+v\nfrom\n%s", name, again, o, text)
		}
	}
}

func TestObservationTextRefused(t *testing.T) {
	good := sample().String()
	for _, test := range []struct{ name, old, new, want string }{
		{"empty", good, "", "line 1"},
		{"junk", good, "\x00\xff", "line 1"},
		{"unknown line", "doubt", "joy", "line 10"},
		{"ragged lines", "above 0.875/3/3f6d3f 0.875", "above 0.875", "lines above"},
		{"a cell too many", "cell 35,45", "cell 35,45 ff0000/1\ncell 35,45", "3 cells"},
		{"colour", "ff0000", "ff00zz", "six hexadecimal"},
		{"short colour", "ff0000", "ff000", "six hexadecimal"},
		{"spread", "/0.4", "/x", "COLOUR/SPREAD"},
		{"trailing digits", "/0.4", "/0.40", "line 4: expected"},
		{"topology", "square", "round", "square, hex, hexrows or cube"},
		{"rows", "rows 1", "rows 1000000", "1 to 256"},
		{"no rows", "rows 1", "rows 0", "1 to 256"},
		{"rectangle", "10,20,110,70", "10,20,110", "X0,Y0,X1,Y1"},
		{"quotes", `"a \"quoted\"\ndoubt"`, "a doubt", "quoted"},
		{"hexagon's rows", "rows 3 cols 3", "rows 4 cols 4", "odd number"},
		{"hexagon's columns", "rows 3 cols 3", "rows 3 cols 5", "odd number"},
		{"a hexagon's cell too many", "cell 110,88", "cell 35,45\ncell 110,88", "8 cells"},
		{"a hexagon with lines", "cell 110,88", "above 1/3/3f6d3f\ncell 110,88", "1 lines above"},
		{"a number too many", "numbers -", "numbers - -", "8 numbers"},
		{"a large number", "99/0.985", "100/0.985", "at most 99"},
		{"a number's confidence", "99/0.985", "99", "VALUE/CONFIDENCE"},
		{"no pixels", "frame 300x400", "frame 0x400", "1 to"},
		{"too many pixels", "frame 300x400", "frame 300x9999999", "1 to"},
		{"rotation", "rotation -1", "rotation 4", "-1 to 3"},
		{"rotation below", "rotation -1", "rotation -2", "-1 to 3"},
		{"much confidence", "confidence 0.97", "confidence 5", "from 0 to 1"},
		{"negative confidence", "confidence 0.97", "confidence -0.5", "from 0 to 1"},
		{"no confidence", "confidence 0.97", "confidence NaN", "from 0 to 1"},
		{"endless confidence", "confidence 0.97", "confidence +Inf", "from 0 to 1"},
		{"pitch", "pitch 50.25", "pitch -1", "more than 0"},
		{"no pitch", "pitch 50.25", "pitch 0", "more than 0"},
		{"endless pitch", "pitch 50.25", "pitch Inf", "more than 0"},
		{"no board", "10,20,110,70", "10,20,10,70", "not empty"},
		{"a board turned round", "10,20,110,70", "110,20,10,70", "in order"},
		{"a board far away", "10,20,110,70", "10,20,99999999,70", "in order"},
		{"a cell far away", "cell 35,45", "cell -99999999,45", "at most"},
		{"much spread", "ff0000/0.4", "ff0000/256", "from 0 to 255"},
		{"negative spread", "ff0000/0.4", "ff0000/-1", "from 0 to 255"},
		{"much support", "above 0.875/", "above 1.5/", "0 to 1"},
		{"negative width", "above 0.875/3/", "above 0.875/-3/", "0 to"},
		{"ends", "left 0.875/3/3f6d3f", "left 0.875/3/3f6d3f/2", "0 to 1"},
		{"a box turned round", "box 1,2,30,40", "box 30,2,1,40", "in order"},
		{"more groups than cells", "box 1,2,30,40", "signs 1/-/none 3/-/none\nbox 1,2,30,40", "GROUP"},
		{"much confidence in a number", "99/0.985", "99/1.5", "0 to 1"},
		{"blanks", "confidence 0.97", "confidence  0.97", "confidence"},
	} {
		text := strings.Replace(good, test.old, test.new, 1)
		if text == good {
			text = strings.Replace(numbered().String(), test.old, test.new, 1)
		}
		_, err := ParseObservation(text)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, expected one with %q\n%s", test.name, err, test.want, text)
		}
	}
}

func FuzzParseObservation(f *testing.F) {
	f.Add(sample().String())
	f.Add(hexagon().String())
	f.Add(numbered().String())
	f.Add("frame 16x16 rotation 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ParseObservation(text)
		if err != nil {
			return
		}
		if wrong := outOfRange(o); wrong != "" {
			t.Fatalf("%s accepted in\n%s", wrong, text)
		}
		if got := o.String(); got != strings.TrimSuffix(text, "\n")+"\n" {
			t.Fatalf("printed back\n%s\nexpected\n%s", got, text)
		}
	})
}

// outOfRange names a number of an observation that no eyes can have seen.
func outOfRange(o *Observation) string {
	share := func(x float64) bool { return x >= 0 && x <= 1 }
	switch l := o.Layout; {
	case o.On.Size.X < 1 || o.On.Size.Y < 1 || o.On.Rotation < -1 || o.On.Rotation > 3:
		return "a frame"
	case !share(o.Confidence):
		return "a confidence"
	case l.Rows > 0 && !(l.Pitch > 0 && l.Pitch < math.MaxInt32 && !l.Board.Empty()):
		return "a board"
	}
	for _, line := range slices.Concat(o.Horizontal, o.Vertical, o.Sides) {
		if !share(line.Support) || !share(line.Ends) || !(line.Width >= 0 && line.Width < math.MaxInt32) {
			return "a line"
		}
	}
	for _, readings := range o.Readings {
		for _, r := range readings {
			if !(r.Spread >= 0 && r.Spread <= 255) {
				return "a spread"
			}
		}
	}
	for _, s := range o.Signs {
		if s.Group < 0 || s.Group > len(o.Signs) {
			return "a group"
		}
	}
	for _, n := range o.Numbers {
		if !share(n.Confidence) || n.Value < 0 || n.Value > 99 {
			return "a number"
		}
	}
	for _, at := range o.Layout.Centres {
		if max(at.X, -at.X, at.Y, -at.Y) > math.MaxInt32 {
			return "a cell"
		}
	}
	return ""
}

// TestEnlarge tells what was seen in pixels of a frame three times as large: twice the same
// slices, as candidates share them, are enlarged once.
func TestEnlarge(t *testing.T) {
	o := sample()
	o.Sides = slices.Clone(o.Horizontal)
	other := *o
	o.Candidates = []Candidate{{Seen: &other, Figures: []Figure{{"line", []image.Point{{1, 2}}}}}}
	on := Frame{Size: image.Pt(901, 1202), Rotation: 1}
	o.Enlarge(on, 3)
	for name, seen := range map[string]*Observation{"seen": o, "a candidate": o.Candidates[0].Seen} {
		l := seen.Layout
		if seen.On != on || l.On != on || l.Pitch != 150.75 || l.Board != image.Rect(30, 60, 330, 210) || !slices.Equal(l.Centres, []image.Point{{106, 136}, {256, 136}}) {
			t.Errorf("%s: %+v on %v", name, l, seen.On)
		}
		if b := seen.Boxes[0]; b.Bounds != image.Rect(3, 6, 90, 120) || b.Title != image.Rect(3, 0, 90, 6) {
			t.Errorf("%s: a box %v titled %v", name, b.Bounds, b.Title)
		}
		for _, line := range []Line{seen.Horizontal[0], seen.Vertical[2], seen.Sides[1]} {
			if line.Width != 9 || line.Support != 0.875 {
				t.Errorf("%s: a line %+v, expected a width of 9", name, line)
			}
		}
	}
	if at := o.Candidates[0].Figures[0].Points[0]; at != image.Pt(4, 7) {
		t.Errorf("a figure at %v, expected 4,7", at)
	}
}
