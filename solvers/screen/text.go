package screen

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"strconv"
	"strings"
)

// String is the observation as text, which ParseObservation reads back. So an
// observation can be kept, looked at and read again by a game without the picture.
// Each line has one thing, in this order:
//
//	frame 1080x2340 rotation 0
//	board square rows 2 cols 3 bounds 4,470,1076,1185 pitch 357.3
//	confidence 0.98
//	translated                            only when it was
//	cell 183,648 ff0000/0.4 000000/3      for each cell: its centre, and colour/spread of each measure
//	above 1/3/3f6d3f 1/3/3f6d3f 0/0/000000  a row of lines: support/width/colour; Rows+1 times, on a cube Rows+3
//	left 1/3/3f6d3f …                      likewise the lines left and right; Rows times
//	                                       (a fourth number is how much the line's ends stand out)
//	sides 1/3/3f6d3f …                     on hex, the six lines around a cell; Rows*Cols times
//	signs 1/-/3f6d3f 0/ew/3f6d3f 0/-/none  a row of signs: group/links/colour; none or Rows times
//	numbers - 7/0.99 ?/0.4                 a row of numbers: value/confidence; ? is unclear; none or Rows times
//	box 100,900,980,1500 title 100,800,980,890 bar 003800 line ffffff fill 000000
//	doubt "in words"
//
// Lines of a board are there only where there is a board.
func (o *Observation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "frame %dx%d rotation %d\n", o.On.Size.X, o.On.Size.Y, o.On.Rotation)
	if l := o.Layout; l.Rows > 0 {
		fmt.Fprintf(&b, "board %s rows %d cols %d bounds %s pitch %s\n", l.Topology, l.Rows, l.Cols, rectangle(l.Board), number(l.Pitch))
		fmt.Fprintf(&b, "confidence %s\n", number(o.Confidence))
		if o.Translated {
			b.WriteString("translated\n")
		}
		for i, readings := range o.Readings {
			fmt.Fprintf(&b, "cell %d,%d", l.Centres[i].X, l.Centres[i].Y)
			for _, r := range readings {
				fmt.Fprintf(&b, " %s/%s", hex(r.Colour), number(r.Spread))
			}
			b.WriteByte('\n')
		}
		writeLines(&b, "above", o.Horizontal, l.Cols)
		writeLines(&b, "left", o.Vertical, l.Cols+1)
		writeLines(&b, "sides", o.Sides, hexSides)
		writeSigns(&b, o.Signs, l.Cols)
		writeNumbers(&b, o.Numbers, l.Cols)
	}
	for _, box := range o.Boxes {
		fmt.Fprintf(&b, "box %s title %s bar %s line %s fill %s\n", rectangle(box.Bounds), rectangle(box.Title), bar(box.Bar), hex(box.Line), hex(box.Fill))
	}
	for _, doubt := range o.Doubts {
		fmt.Fprintf(&b, "doubt %q\n", doubt)
	}
	return b.String()
}

func writeLines(b *strings.Builder, name string, lines []Line, perRow int) {
	for i, line := range lines {
		if i%perRow == 0 {
			b.WriteString(name)
		}
		fmt.Fprintf(b, " %s/%s/%s", number(line.Support), number(line.Width), hex(line.Colour))
		if line.Ends != 0 {
			fmt.Fprintf(b, "/%s", number(line.Ends))
		}
		if i%perRow == perRow-1 {
			b.WriteByte('\n')
		}
	}
}

// linkNames are the letters of a sign's links.
const linkNames = "nesw"

func writeSigns(b *strings.Builder, signs []Sign, perRow int) {
	for i, m := range signs {
		if i%perRow == 0 {
			b.WriteString("signs")
		}
		links := ""
		for d, linked := range m.Links {
			if linked {
				links += linkNames[d : d+1]
			}
		}
		if links == "" {
			links = "-"
		}
		fmt.Fprintf(b, " %d/%s/%s", m.Group, links, bar(m.Colour))
		if i%perRow == perRow-1 {
			b.WriteByte('\n')
		}
	}
}

// The text of cells without a number and of those that are unclear.
const (
	noNumber      = "-"
	unclearNumber = "?"
)

func writeNumbers(b *strings.Builder, numbers []Number, perRow int) {
	for i, n := range numbers {
		if i%perRow == 0 {
			b.WriteString("numbers")
		}
		switch n.Seen {
		case NoNumber:
			b.WriteString(" " + noNumber)
		case UnclearNumber:
			likely := ""
			if n.Value > 0 {
				likely = strconv.Itoa(n.Value)
			}
			fmt.Fprintf(b, " %s%s/%s", unclearNumber, likely, number(n.Confidence))
		case ReadNumber:
			fmt.Fprintf(b, " %d/%s", n.Value, number(n.Confidence))
		}
		if i%perRow == perRow-1 || i == len(numbers)-1 {
			b.WriteByte('\n')
		}
	}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func hex(c color.RGBA) string { return fmt.Sprintf("%02x%02x%02x", c.R, c.G, c.B) }

// noBar stands for the colour of a bar, or of a sign, that is not there.
const noBar = "none"

func bar(c color.RGBA) string {
	if c.A == 0 {
		return noBar
	}
	return hex(c)
}

func rectangle(r image.Rectangle) string {
	return fmt.Sprintf("%d,%d,%d,%d", r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
}

// The most that ParseObservation accepts, beside the ranges that Observation tells.
const (
	maxTextSide = 256     // rows or columns
	maxPlace    = 1 << 20 // pixels, to either side of the frame's corner
	maxSpread   = 255     // of a reading
	quarters    = 4       // of a turn
)

// ParseObservation reads exactly the text that String writes, of an observation whose
// numbers are all within their ranges. Colours are opaque. The error names the line and
// what was expected there.
func ParseObservation(text string) (*Observation, error) {
	p := &textParser{o: &Observation{}}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("observation: line %d: %w", i+1, err)
		}
	}
	o := p.o
	if err := o.Complete(); err != nil {
		return nil, fmt.Errorf("observation: %w", err)
	}
	// All else that has to be as printed: order, blanks, digits.
	if printed := o.String(); printed != strings.TrimSuffix(text, "\n")+"\n" {
		for i, line := range strings.Split(printed, "\n") {
			if i >= len(lines) || lines[i] != line {
				return nil, fmt.Errorf("observation: line %d: expected %.80q", i+1, line)
			}
		}
		return nil, fmt.Errorf("observation: not as it is printed")
	}
	return o, nil
}

// textParser reads an observation line by line.
type textParser struct{ o *Observation }

// line reads a line: its first word says what the rest is.
func (p *textParser) line(line string) error {
	key, rest, _ := strings.Cut(line, " ")
	switch o := p.o; key {
	case "frame":
		_, err := fmt.Sscanf(rest, "%dx%d rotation %d", &o.On.Size.X, &o.On.Size.Y, &o.On.Rotation)
		if size := o.On.Size; min(size.X, size.Y) < 1 || max(size.X, size.Y) > maxPlace || o.On.Rotation < -1 || o.On.Rotation >= quarters {
			err = errRange
		}
		return expected(err, "frame WIDTHxHEIGHT rotation N, with 1 to %d pixels and -1 to %d", maxPlace, quarters-1)
	case "board":
		return p.board(rest)
	case "confidence":
		var err error
		o.Confidence, err = parseNumber(rest, 1)
		return expected(err, "confidence P, from 0 to 1")
	case "translated":
		o.Translated = true
		return nil
	case "cell":
		return p.cell(strings.Fields(rest))
	case "above":
		return appendLines(&o.Horizontal, rest)
	case "left":
		return appendLines(&o.Vertical, rest)
	case "sides":
		return appendLines(&o.Sides, rest)
	case "signs":
		return p.signs(strings.Fields(rest))
	case "numbers":
		return p.numbers(strings.Fields(rest))
	case "box":
		return p.box(rest)
	case "doubt":
		doubt, err := strconv.Unquote(rest)
		o.Doubts = append(o.Doubts, doubt)
		return expected(err, "doubt and a quoted text")
	}
	return fmt.Errorf("%.40q, expected frame, board, confidence, cell, above, left, sides, signs, numbers, box or doubt", line)
}

// board reads the layout, except for the centres of the cells.
func (p *textParser) board(rest string) error {
	l := &p.o.Layout
	var topology, bounds, pitch string
	_, err := fmt.Sscanf(rest, "%s rows %d cols %d bounds %s pitch %s", &topology, &l.Rows, &l.Cols, &bounds, &pitch)
	if err != nil || l.Rows < 1 || l.Cols < 1 || l.Rows > maxTextSide || l.Cols > maxTextSide {
		l.Rows, l.Cols = 0, 0
		return fmt.Errorf("expected board TOPOLOGY rows N cols N bounds X0,Y0,X1,Y1 pitch P with 1 to %d rows and columns", maxTextSide)
	}
	if l.Topology, err = parseTopology(topology, l.Rows, l.Cols); err != nil {
		return err
	}
	l.On = p.o.On
	if l.Board, err = parseRectangle(bounds); err != nil {
		return err
	}
	if l.Pitch, err = parseNumber(pitch, maxPlace); l.Pitch == 0 || l.Board.Empty() {
		err = errRange
	}
	return expected(err, "a board that is not empty, and a pitch of more than 0 to %d", maxPlace)
}

// parseTopology reads the name of a topology, of a board that may have it.
func parseTopology(name string, rows, cols int) (Topology, error) {
	t := Square
	for t <= Cube && t.String() != name {
		t++
	}
	if t > Cube {
		return 0, fmt.Errorf("topology %q, expected square, hex, hexrows or cube", name)
	}
	return t, Layout{Topology: t, Rows: rows, Cols: cols}.checkShape()
}

// appendLines reads lines between cells, separated by blanks.
func appendLines(lines *[]Line, rest string) error {
	for _, field := range strings.Fields(rest) {
		line, ok := parseLine(strings.Split(field, "/"))
		if !ok {
			return fmt.Errorf("%q, expected SUPPORT/WIDTH/COLOUR, with 0 to 1 and 0 to %d", field, maxPlace)
		}
		*lines = append(*lines, line)
	}
	return nil
}

// parseLine reads the parts of a line between cells: support, width, colour and,
// where it is not 0, how much its ends stand out.
func parseLine(parts []string) (line Line, ok bool) {
	var errs [4]error
	switch len(parts) {
	case 4:
		line.Ends, errs[3] = parseNumber(parts[3], 1)
		fallthrough
	case 3:
		line.Support, errs[0] = parseNumber(parts[0], 1)
		line.Width, errs[1] = parseNumber(parts[1], maxPlace)
		line.Colour, errs[2] = parseHex(parts[2])
		return line, errs == [4]error{}
	}
	return line, false
}

// signs reads a row of signs.
func (p *textParser) signs(fields []string) error {
	for _, field := range fields {
		wrong := fmt.Errorf("%q, expected GROUP/LINKS/COLOUR", field)
		parts := strings.Split(field, "/")
		if len(parts) != 3 {
			return wrong
		}
		group, err := strconv.Atoi(parts[0])
		if cells := p.o.Layout.Cells(); err != nil || group < 0 || group > cells {
			return wrong
		}
		m := Sign{Group: group}
		for d, name := range linkNames {
			m.Links[d] = strings.ContainsRune(parts[1], name)
		}
		if parts[2] != noBar {
			if m.Colour, err = parseHex(parts[2]); err != nil {
				return wrong
			}
		}
		p.o.Signs = append(p.o.Signs, m)
	}
	return nil
}

// maxNumber is the greatest number that is read in a cell.
const maxNumber = 99

// numbers reads a row of numbers.
func (p *textParser) numbers(fields []string) error {
	for _, field := range fields {
		n := Number{}
		if field != noNumber {
			wrong := fmt.Errorf("%q, expected -, ?/CONFIDENCE, ?VALUE/CONFIDENCE or VALUE/CONFIDENCE with a value of at most %d and 0 to 1", field, maxNumber)
			text, confidence, _ := strings.Cut(field, "/")
			n.Seen = ReadNumber
			least := 0
			if rest, unclear := strings.CutPrefix(text, unclearNumber); unclear {
				n.Seen, text, least = UnclearNumber, rest, 1
			}
			var err error
			if text != "" || n.Seen == ReadNumber {
				if n.Value, err = strconv.Atoi(text); err != nil || n.Value < least || n.Value > maxNumber {
					return wrong
				}
			}
			if n.Confidence, err = parseNumber(confidence, 1); err != nil {
				return wrong
			}
		}
		p.o.Numbers = append(p.o.Numbers, n)
	}
	return nil
}

// box reads an outlined box.
func (p *textParser) box(rest string) error {
	var bounds, title, above, line, fill string
	if _, err := fmt.Sscanf(rest, "%s title %s bar %s line %s fill %s", &bounds, &title, &above, &line, &fill); err != nil {
		return fmt.Errorf("expected box BOUNDS title BOUNDS bar COLOUR line COLOUR fill COLOUR")
	}
	var b Box
	var errs [5]error
	b.Bounds, errs[0] = parseRectangle(bounds)
	b.Title, errs[1] = parseRectangle(title)
	b.Line, errs[2] = parseHex(line)
	b.Fill, errs[3] = parseHex(fill)
	if above != noBar {
		b.Bar, errs[4] = parseHex(above)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	p.o.Boxes = append(p.o.Boxes, b)
	return nil
}

// cell reads the centre of a cell and the readings there.
func (p *textParser) cell(fields []string) error {
	var at image.Point
	if len(fields) == 0 {
		return fmt.Errorf("expected cell X,Y COLOUR/SPREAD …")
	}
	if _, err := fmt.Sscanf(fields[0], "%d,%d", &at.X, &at.Y); err != nil || !placed(at) {
		return fmt.Errorf("%q, expected X,Y of at most %d", fields[0], maxPlace)
	}
	readings := make([]Reading, 0, len(fields)-1)
	for _, field := range fields[1:] {
		text, spread, _ := strings.Cut(field, "/")
		colour, err := parseHex(text)
		if err != nil {
			return err
		}
		value, err := parseNumber(spread, maxSpread)
		if err != nil {
			return fmt.Errorf("%q, expected COLOUR/SPREAD, with a spread from 0 to %d", field, maxSpread)
		}
		readings = append(readings, Reading{Colour: colour, Spread: value})
	}
	p.o.Layout.Centres = append(p.o.Layout.Centres, at)
	p.o.Readings = append(p.o.Readings, readings)
	return nil
}

// errRange is the error of a number that is out of its range; its line says what was expected.
var errRange = errors.New("out of range")

func expected(err error, what string, values ...any) error {
	if err != nil {
		return fmt.Errorf("expected "+what, values...)
	}
	return nil
}

// parseNumber reads a number from 0 to most.
func parseNumber(text string, most float64) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= most) {
		return 0, errRange
	}
	return x, nil
}

// placed reports whether a point is on or not far from a frame.
func placed(p image.Point) bool {
	return max(p.X, -p.X) <= maxPlace && max(p.Y, -p.Y) <= maxPlace
}

func parseRectangle(text string) (image.Rectangle, error) {
	var r image.Rectangle
	if _, err := fmt.Sscanf(text, "%d,%d,%d,%d", &r.Min.X, &r.Min.Y, &r.Max.X, &r.Max.Y); err != nil || !placed(r.Min) || !placed(r.Max) || r.Dx() < 0 || r.Dy() < 0 {
		return r, fmt.Errorf("%q, expected X0,Y0,X1,Y1 in order, of at most %d", text, maxPlace)
	}
	return r, nil
}

func parseHex(text string) (color.RGBA, error) {
	value, err := strconv.ParseUint(text, 16, 24)
	if err != nil || len(text) != 6 {
		return color.RGBA{}, fmt.Errorf("%q, expected a colour as six hexadecimal digits", text)
	}
	return color.RGBA{uint8(value >> 16), uint8(value >> 8), uint8(value), 255}, nil
}
