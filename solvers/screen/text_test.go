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
		if math.IsNaN(o.Confidence) || math.IsNaN(o.Layout.Pitch) {
			t.Fatalf("not a number accepted in\n%s", text)
		}
		if got := o.String(); got != strings.TrimSuffix(text, "\n")+"\n" {
			t.Fatalf("printed back\n%s\nexpected\n%s", got, text)
		}
	})
}
