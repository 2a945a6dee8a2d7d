package flow

import (
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// The limits of what the sides of cells are. Supports are shares of a side,
// widths are multiples of a thin line's width, brightnesses of its brightness.
const (
	leastLine = 0.6 // support: there is a line

	// A wall, or the outline of an irregular board.
	leastWallWidth  = 1.6
	leastWallPixels = 2   // pixels wider than a thin line
	leastWallBright = 1.5 // on squares
	leastWallStep   = 20  // levels brighter than the cells beside it, on squares
	// On small screens the outline of hexagons is wider by one pixel, and brighter.
	leastNarrowBright = 1.6
	leastTwoTone      = 2.5 // brightness of the brightest sides of hexagons, where it tells outlines from thin lines
	leastBrightShare  = 0.6 // of that brightness: an outline or a wall then
	leastDimShare     = 0.4 // of that brightness: a wide line may be one
	brightestPart     = 25  // 1/n of the sides are at least as bright; more are outlines on any board
	leastOutlineShare = 0.7 // brightness of a wall between hexagons, of the outline's

	mostGap = 0.3 // support: there is no line on the side of a place without a cell

	// The rim of a warp board.
	leastReach = 0.75 // share of the way that lines reach over the rim
	leastRoom  = 0.35 // pitches from the board to the frame's rim, where the lines can be seen to end
	mostCutOff = 0.1  // pitches from the board to the frame's rim, where the board's outer lines may be cut off

	// A hexagon with a cell in it.
	leastHexSide    = 0.5  // support of a side
	leastHexSides   = 5    // of the six
	leastHexSupport = 4.75 // of the six together: words beside the board may look like pieces of sides
)

// thinLine is the look of the lines between cells.
type thinLine struct {
	width  float64 // in pixels
	bright float64 // 0 to 255
}

// thinLine measures the lines between cells. Most lines of any board are thin,
// so that one a quarter of the way up from the thinnest is.
func (v *picture) thinLine() (thinLine, error) {
	lines := v.seen.Sides
	if v.grid.topology != Hex {
		lines = slices.Concat(v.seen.Horizontal, v.seen.Vertical)
	}
	return thinLineOf(lines)
}

func thinLineOf(lines []screen.Line) (thinLine, error) {
	var widths, brights []float64
	for _, line := range lines {
		if line.Support >= leastLine {
			widths = append(widths, line.Width)
			brights = append(brights, brightness(line))
		}
	}
	if len(widths) == 0 {
		return thinLine{}, solvers.Refuse("no lines between the cells")
	}
	slices.Sort(widths)
	slices.Sort(brights)
	return thinLine{width: widths[len(widths)/4], bright: brights[len(brights)/4]}, nil
}

// brightest is the brightness of the brightest of lines, 0 to 255, without a few that may
// be something else.
func brightest(lines []screen.Line) float64 {
	var brights []float64
	for _, line := range lines {
		if line.Support >= leastLine {
			brights = append(brights, brightness(line))
		}
	}
	if len(brights) == 0 {
		return 0
	}
	slices.Sort(brights)
	return brights[len(brights)-1-len(brights)/brightestPart]
}

func brightness(line screen.Line) float64 { return float64(screen.Value(line.Colour)) }

// isWide reports whether a line is as wide as a wall.
func (t thinLine) isWide(line screen.Line) bool {
	return line.Support >= leastLine && t.hasWidth(line)
}

// hasWidth reports whether what was seen of a line is as wide as a wall.
func (t thinLine) hasWidth(line screen.Line) bool {
	return line.Width >= leastWallWidth*t.width && line.Width >= t.width+leastWallPixels
}
