package vision

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// Mark is something to draw over a picture: at one point a label or, without one, a
// ring; through several points a line, with the label at the first.
type Mark struct {
	Points []image.Point // in pixels of the picture
	Label  string
	Colour color.RGBA
	// Width of the line, in pixels, or of a disc in place of the ring; 0 is thin.
	// A wide line has the head of an arrow before its last point.
	Width float64
	// Radius of the ring, in pixels; 0 is half the height of a label.
	Radius float64
	// Fault makes it a warning: a ring of that width and a cross at each point.
	Fault bool
}

// overlayLook is how the overlay is drawn: unlike limits, it decides nothing.
var overlayLook = struct {
	unitPart, capital                 int
	letter, letterUnits, leastLetter  float64
	thin, thick, label, labelRim      int
	faultRim, fault                   int
	faultArm                          float64
	head, headTip, headBack, headSide float64
}{
	unitPart:    400,  // 1/n of the shorter side: the unit of lines' widths, at least a pixel
	letter:      0.3,  // pitches: the height of a label,
	leastLetter: 10,   // pixels: at least this
	letterUnits: 20,   // units: its height where there is no board
	capital:     22,   // pixels: the height of the font's capitals at scale 1
	thin:        2,    // units: a line
	thick:       4,    // units: the rim around it
	label:       2,    // units: a label's strokes
	labelRim:    5,    // units: the rim around them
	fault:       4,    // units: a warning's ring and cross, and the least radius of the ring
	faultRim:    7,    // units: the rim around them
	faultArm:    0.6,  // radii: an arm of the cross
	head:        1.15, // widths of its line: the size of an arrow's head
	headTip:     0.6,  // sizes: the tip is this far from its middle,
	headBack:    0.4,  // sizes: the back is this far behind it,
	headSide:    0.5,  // sizes: and reaches this far to either side
}

var (
	latticeColour = color.RGBA{0, 255, 0, 255}
	missingColour = color.RGBA{255, 0, 0, 255}
	boxColour     = color.RGBA{255, 255, 0, 255}
)

// Overlay draws what was seen over a copy of the frame: the board, green where its lines were
// seen and red where they were not, the boxes, and the marks. The frame is the one that was
// observed; the copy of a reduced frame has the original size.
func Overlay(frame image.Image, seen *screen.Observation, marks []Mark) (*image.RGBA, error) {
	if frame == nil || seen == nil {
		return nil, fmt.Errorf("vision: overlay without a frame or an observation")
	}
	out, err := enlarged(frame, seen.On)
	if err != nil {
		return nil, err
	}
	size := out.Rect.Max
	canvas, err := gocv.NewMatFromBytes(size.Y, size.X, gocv.MatTypeCV8UC4, out.Pix)
	if err != nil {
		return nil, fmt.Errorf("vision: %w", err)
	}
	defer canvas.Close()

	unit := max(1, min(size.X, size.Y)/overlayLook.unitPart)
	drawLattice(&canvas, seen, unit)
	for _, b := range seen.Boxes {
		gocv.Rectangle(&canvas, b.Bounds, bgr(boxColour), unit)
		if !b.Title.Empty() {
			gocv.Rectangle(&canvas, b.Title, bgr(boxColour), unit)
		}
	}
	letter := overlayLook.letterUnits * float64(unit)
	if seen.Layout.Rows > 0 {
		letter = max(overlayLook.leastLetter, overlayLook.letter*seen.Layout.Pitch)
	}
	for _, mark := range marks {
		drawMark(&canvas, mark, letter, unit)
	}
	for i := 3; i < len(out.Pix); i += 4 {
		out.Pix[i] = 255
	}
	return out, nil
}

// drawLattice draws the lines of a board, in the way of its topology.
func drawLattice(canvas *gocv.Mat, seen *screen.Observation, unit int) {
	l := seen.Layout
	switch l.Topology {
	case screen.HexRows:
		drawHexagons(canvas, l, unit)
		return
	case screen.Cube:
		drawCube(canvas, seen, unit)
		return
	case screen.Hex:
		drawHexColumns(canvas, seen, unit)
		return
	}
	if l.Rows <= 0 || l.Cols <= 0 || len(seen.Horizontal) != (l.Rows+1)*l.Cols || len(seen.Vertical) != l.Rows*(l.Cols+1) {
		return
	}
	x := func(c int) int { return l.Board.Min.X + c*(l.Board.Dx()-1)/l.Cols }
	y := func(r int) int { return l.Board.Min.Y + r*(l.Board.Dy()-1)/l.Rows }
	line := func(seen screen.Line, a, b image.Point) {
		c := latticeColour
		if seen.Support < latticeLimits.lineSeen {
			c = missingColour
		}
		gocv.Line(canvas, a, b, bgr(c), unit)
	}
	for r := range l.Rows + 1 {
		for c := range l.Cols {
			line(seen.Horizontal[r*l.Cols+c], image.Pt(x(c), y(r)), image.Pt(x(c+1), y(r)))
		}
	}
	for r := range l.Rows {
		for c := range l.Cols + 1 {
			line(seen.Vertical[r*(l.Cols+1)+c], image.Pt(x(c), y(r)), image.Pt(x(c), y(r+1)))
		}
	}
}

// drawHexagons draws the outlines of hexagons that stand on a corner.
func drawHexagons(canvas *gocv.Mat, l screen.Layout, unit int) {
	radius := l.Pitch / root3
	corner := func(centre image.Point, i int) image.Point {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		return centre.Add(image.Pt(round(radius*sin), round(-radius*cos)))
	}
	for _, centre := range l.Centres {
		for i := range len(hexSides) {
			gocv.Line(canvas, corner(centre, i), corner(centre, i+1), bgr(latticeColour), unit)
		}
	}
}

// drawHexColumns draws the sides of hexagons that stand on a side; places of the
// lattice without a hexagon are left out.
func drawHexColumns(canvas *gocv.Mat, seen *screen.Observation, unit int) {
	l := seen.Layout
	if len(seen.Sides) != len(hexSides)*len(l.Centres) {
		return
	}
	for i, centre := range l.Centres {
		lines := seen.Sides[len(hexSides)*i : len(hexSides)*(i+1)]
		support := 0.0
		for _, line := range lines {
			support += line.Support
		}
		if support < hexColumnLimits.support {
			continue
		}
		for d, side := range hexSides {
			corner := func(along float64) image.Point {
				return centre.Add(image.Pt(round((0.5*side.x-along*side.y)*l.Pitch), round((0.5*side.y+along*side.x)*l.Pitch)))
			}
			c := latticeColour
			if lines[d].Support < hexColumnLimits.lineSeen {
				c = missingColour
			}
			half := 0.5 / root3
			gocv.Line(canvas, corner(-half), corner(half), bgr(c), unit)
		}
	}
}

// drawCube draws the sides of a cube's cells.
func drawCube(canvas *gocv.Mat, seen *screen.Observation, unit int) {
	l := seen.Layout
	b := cubeBoard{pitch: l.Pitch, side: l.Cols, x: float64(l.Board.Min.X+l.Board.Max.X-1) / 2, y: float64(l.Board.Min.Y+l.Board.Max.Y-1) / 2}
	horizontal, vertical := b.edges()
	if len(horizontal) != len(seen.Horizontal) || len(vertical) != len(seen.Vertical) {
		return
	}
	lines := slices.Concat(seen.Horizontal, seen.Vertical)
	for i, e := range slices.Concat(horizontal, vertical) {
		c := latticeColour
		if lines[i].Support < cubeLimits.lineSeen {
			c = missingColour
		}
		gocv.Line(canvas, image.Pt(round(e.x), round(e.y)), image.Pt(round(e.x+e.alongX), round(e.y+e.alongY)), bgr(c), unit)
	}
}

// drawMark draws a mark whose label is letter pixels high.
func drawMark(canvas *gocv.Mat, mark Mark, letter float64, unit int) {
	switch {
	case len(mark.Points) == 0:
		return
	case mark.Fault:
		drawFault(canvas, mark, unit)
		return
	case mark.Width > 0:
		drawWide(canvas, mark, unit)
		return
	}
	thin, thick := overlayLook.thin*unit, overlayLook.thick*unit
	if len(mark.Points) == 1 && mark.Label == "" {
		radius := round(cmp.Or(mark.Radius, 0.5*letter))
		gocv.Circle(canvas, mark.Points[0], radius, rimColour, thick)
		gocv.Circle(canvas, mark.Points[0], radius, bgr(mark.Colour), thin)
	}
	for i, to := range mark.Points[1:] {
		gocv.Line(canvas, mark.Points[i], to, rimColour, thick)
	}
	for i, to := range mark.Points[1:] {
		from := mark.Points[i]
		if i == len(mark.Points)-2 {
			gocv.ArrowedLine(canvas, from, to, bgr(mark.Colour), thin)
		} else {
			gocv.Line(canvas, from, to, bgr(mark.Colour), thin)
		}
	}
	if mark.Label == "" {
		return
	}
	const font = gocv.FontHersheySimplex
	scale := letter / float64(overlayLook.capital)
	size := gocv.GetTextSize(mark.Label, font, scale, unit)
	at := mark.Points[0].Add(image.Pt(-size.X/2, size.Y/2))
	gocv.PutText(canvas, mark.Label, at, font, scale, rimColour, overlayLook.labelRim*unit)
	gocv.PutText(canvas, mark.Label, at, font, scale, bgr(mark.Colour), overlayLook.label*unit)
}

// rimColour surrounds what is drawn over a picture, so that it shows on any ground.
var rimColour = color.RGBA{0, 0, 0, 255}

// drawFault draws a ring and a cross at each of the points.
func drawFault(canvas *gocv.Mat, mark Mark, unit int) {
	radius := max(overlayLook.fault*unit, round(mark.Width/2))
	arm := round(overlayLook.faultArm * float64(radius))
	white := color.RGBA{255, 255, 255, 255}
	for _, at := range mark.Points {
		for _, pen := range []struct {
			colour color.RGBA
			wide   int
		}{{white, overlayLook.faultRim * unit}, {mark.Colour, overlayLook.fault * unit}} {
			gocv.Circle(canvas, at, radius, bgr(pen.colour), pen.wide)
			gocv.Line(canvas, at.Add(image.Pt(-arm, -arm)), at.Add(image.Pt(arm, arm)), bgr(pen.colour), pen.wide)
			gocv.Line(canvas, at.Add(image.Pt(-arm, arm)), at.Add(image.Pt(arm, -arm)), bgr(pen.colour), pen.wide)
		}
	}
}

// drawWide draws a disc, or a line with a rim and the head of an arrow.
func drawWide(canvas *gocv.Mat, mark Mark, unit int) {
	width := max(1, round(mark.Width))
	if len(mark.Points) == 1 {
		gocv.Circle(canvas, mark.Points[0], width/2+unit, bgr(rimColour), -1)
		gocv.Circle(canvas, mark.Points[0], width/2, bgr(mark.Colour), -1)
		return
	}
	for _, pen := range []struct {
		colour color.RGBA
		wide   int
	}{{rimColour, width + 2*unit}, {mark.Colour, width}} {
		for i, to := range mark.Points[1:] {
			gocv.Line(canvas, mark.Points[i], to, bgr(pen.colour), pen.wide)
		}
	}
	drawHead(canvas, mark, unit)
}

// drawHead draws the head of an arrow in the middle of a wide line's last part, clear
// of what the line leads to. It is white, since the line may have the colour of its
// surroundings.
func drawHead(canvas *gocv.Mat, mark Mark, unit int) {
	n := len(mark.Points)
	from, to := mark.Points[n-2], mark.Points[n-1]
	x, y := float64(to.X-from.X), float64(to.Y-from.Y)
	length := math.Hypot(x, y)
	if length == 0 {
		return
	}
	x, y = x/length, y/length
	middle := [2]float64{float64(from.X+to.X) / 2, float64(from.Y+to.Y) / 2}
	head := func(size float64) []image.Point {
		at := func(along, aside float64) image.Point {
			return image.Pt(round(middle[0]+size*(along*x-aside*y)), round(middle[1]+size*(along*y+aside*x)))
		}
		return []image.Point{at(overlayLook.headTip, 0), at(-overlayLook.headBack, overlayLook.headSide), at(-overlayLook.headBack, -overlayLook.headSide)}
	}
	fill := func(points []image.Point, c color.RGBA) {
		corners := gocv.NewPointsVectorFromPoints([][]image.Point{points})
		defer corners.Close()
		gocv.FillPoly(canvas, corners, bgr(c))
	}
	size := overlayLook.head * mark.Width
	fill(head(size+4*float64(unit)), rimColour)
	fill(head(size), color.RGBA{255, 255, 255, 255})
}

// bgr swaps red and blue: gocv draws on pictures as OpenCV reads them, with blue
// first, and frames have red first.
func bgr(c color.RGBA) color.RGBA { return color.RGBA{c.B, c.G, c.R, c.A} }
