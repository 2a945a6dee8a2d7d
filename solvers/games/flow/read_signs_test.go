package flow

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// signed is an observation of a board told by its cells, a letter for each group of marks
// that look alike, on a frame of 1080x2400 pixels.
func signed(rows []string, pitch, confidence float64) *screen.Observation {
	on := screen.Frame{Size: image.Pt(1080, 2400)}
	cols := len(rows[0])
	l := screen.Layout{On: on, Topology: screen.Square, Rows: len(rows), Cols: cols, Pitch: pitch,
		Board: image.Rect(100, 500, 100+int(pitch)*cols, 500+int(pitch)*len(rows))}
	seen := &screen.Observation{On: on, Confidence: confidence}
	for row, text := range rows {
		for col, letter := range text {
			l.Centres = append(l.Centres, image.Pt(100+int((float64(col)+0.5)*pitch), 500+int((float64(row)+0.5)*pitch)))
			seen.Readings = append(seen.Readings, make([]screen.Reading, measures))
			sign := screen.Sign{}
			if letter != '.' {
				sign.Group = int(letter-'A') + 1
			}
			seen.Signs = append(seen.Signs, sign)
		}
	}
	seen.Layout = l
	seen.Horizontal = make([]screen.Line, len(rows)*cols+cols)
	seen.Vertical = make([]screen.Line, len(rows)*cols+len(rows))
	return seen
}

// TestReadSigns reads boards of other looks, and refuses those that are too small, are
// not in pairs, or were not seen clearly. Only those seen beyond doubt are vouched for.
func TestReadSigns(t *testing.T) {
	board := []string{"A..B", "....", "A..B", "...."}
	for _, test := range []struct {
		name              string
		rows              []string
		pitch, confidence float64
		want              string // a part of the error; empty: none
	}{
		{"clear", board, 100, 0.95, ""},
		{"less clear", board, 100, 0.94, ""},
		{"unclear", board, 100, 0.4, "not clear"},
		{"small", board, 60, 0.95, ""},
		{"too small for a finger", board, 40, 0.95, "too small for a finger"},
		{"too small to be an app's", []string{"A.B", "...", "A.B"}, 60, 0.95, "too small to be played on"},
		{"three alike", []string{"A..B", "..A.", "A..B", "...."}, 100, 0.95, "a third end"},
		{"one alone", []string{"A..B", "....", "A...", "...."}, 100, 0.95, "no other that looks alike"},
	} {
		seen := signed(test.rows, test.pitch, test.confidence)
		p, err := Game{}.Read(seen)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, expected %q", test.name, err, test.want)
		}
		if err == nil && strings.ReplaceAll(strings.TrimSpace(p.String()), "\n", "/") != strings.Join(test.rows, "/") {
			t.Errorf("%s: read as\n%s", test.name, p)
		}
		if sure := test.confidence >= 0.95; (Game{}.Vouch(seen) == nil) != (sure && !strings.Contains(test.want, "too small")) {
			t.Errorf("%s: vouched for: %v, with a confidence of %v", test.name, (Game{}).Vouch(seen), test.confidence)
		}
	}
}

// TestSignsRim takes rims of cells on a board of another look for no box that covers it, and
// a box over some of its cells for one.
func TestSignsRim(t *testing.T) {
	for name, test := range map[string]struct {
		box  image.Rectangle
		want screen.PlaceKind
	}{
		"the rim":                       {image.Rect(103, 503, 497, 897), screen.Level},
		"a small box":                   {image.Rect(180, 580, 420, 820), screen.Popup},
		"the rims of four cells":        {image.Rect(203, 597, 402, 800), screen.Level},
		"three rims of cells, not four": {image.Rect(203, 597, 402, 840), screen.Popup},
	} {
		seen := signed([]string{"A..B", "....", "A..B", "...."}, 100, 0.95)
		seen.Boxes = []screen.Box{{Bounds: test.box}}
		if got := (Game{}).Locate(seen); got.Kind != test.want {
			t.Errorf("%s: %v, expected %v", name, got, test.want)
		}
	}
}

// TestPanelBeside takes controls below a board for no panel that covers it.
func TestPanelBeside(t *testing.T) {
	white := color.RGBA{R: 255, G: 255, B: 255, A: 255}
	for name, test := range map[string]struct {
		panel, button image.Rectangle // in a frame of 600 by 1000; the board is at 100,500 to 500,900
		look          screen.PanelLook
		want          screen.PlaceKind
	}{
		"a row of controls below":               {image.Rect(80, 910, 520, 990), image.Rect(100, 930, 350, 970), screen.PanelLook{Fill: white}, screen.Level},
		"the app's window":                      {image.Rect(5, 5, 595, 995), image.Rect(100, 920, 500, 980), screen.PanelLook{Fill: white}, screen.Level},
		"a button over the board, in a window":  {image.Rect(5, 5, 595, 995), image.Rect(100, 820, 500, 880), screen.PanelLook{Fill: white}, screen.Popup},
		"a panel over a part of the board":      {image.Rect(80, 800, 520, 990), image.Rect(100, 920, 350, 970), screen.PanelLook{Fill: white}, screen.Popup},
		"a panel with a board on it":            {image.Rect(80, 300, 520, 990), image.Rect(100, 920, 500, 970), screen.PanelLook{Fill: white}, screen.Popup},
		"the game's own panel, below the board": {image.Rect(80, 910, 520, 990), image.Rect(100, 930, 350, 970), panelLook(), screen.Popup},
	} {
		seen := signed([]string{"A..B", "....", "A..B", "...."}, 100, 0.95)
		seen.On.Size = image.Pt(600, 1000)
		seen.Boxes = []screen.Box{{Bounds: test.panel, Line: white, Fill: test.look.Fill, Bar: test.look.Bar}, {Bounds: test.button, Line: white, Fill: test.look.Button}}
		if got := (Game{}).Locate(seen); got.Kind != test.want {
			t.Errorf("%s: %v (%s), expected %v", name, got.Kind, got.Reason, test.want)
		}
	}
}

// TestSignsLastStep misses a pipe that lacks a step, wherever that is.
func TestSignsLastStep(t *testing.T) {
	p, err := Parse("A..A\nB..B\nC..C")
	if err != nil {
		t.Fatal(err)
	}
	solution, err := p.ParseSolution("AAAA\nBBBB\nCCCC")
	if err != nil {
		t.Fatal(err)
	}
	for lacking := range 4 { // the last one lacks none
		seen := signed([]string{"A..A", "B..B", "C..C"}, 200, 0.95)
		for c := range 11 {
			if c == lacking || c%4 == 3 {
				continue
			}
			seen.Signs[c].Links[board.East], seen.Signs[c+1].Links[board.West] = true, true
		}
		for c := range seen.Signs {
			seen.Signs[c].Colour = color.RGBA{R: uint8(100 * (c / 4)), A: 255}
		}
		rest, err := solution.Remaining(seen)
		if err != nil || (len(rest) == 0) != (lacking == 3) {
			t.Errorf("without step %d: %d strokes, %v", lacking, len(rest), err)
		}
	}
}
