package flow

import (
	"slices"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/grid"
	"tapwise/solvers/screen"
)

// The look of a board that is believed although it has several solutions: a board
// of which a wall, an end or a column was missed has several, too. Each bound lies
// between the boards that were read right and those that were read wrongly among
// the real screens and the simulated ones, disturbed in twenty ways:
// docs/several.md has the numbers.
const (
	sureConfidence = 0.95 // in the lattice; a board of bridges taken for a warp had 0.89
	sureBrightest  = 140  // of 255, of the brightest end: on a dimmed screen dark ends look empty
	sureEnd        = 60   // of 255: the least contrast of an end or a pipe with its cell
	sureEmpty      = 28   // of 255: the most contrast of the middle of an empty cell
	sureSpread     = 14   // of 255: the most spread of an empty cell
	sureNoise      = 6    // of 255: the most spread of the ground, the median of the empty cells
	surePairing    = 24   // of 255, on a screen whose brightest end has 255: how much further than four times its mate every other end is in colour
	sureSupport    = 0.9  // the share of a line's length that is seen
	sureReach      = 0.9  // how far a warp's lines reach over its rim; those of other boards reach at most 3·(1-sureReach)
	sureWall       = 2    // the least width and brightness of a wall, in those of a thin line
	sureThin       = 1.4  // the most brightness of a thin line, in that of the others,
	sureWide       = 1.15 // and the same for one that is wider than the others by more than
	sureWidth      = 1.5  // this number of pixels
	sureHigh       = 0.42 // the middle of a whole board lies between these shares of an upright frame's height;
	sureLow        = 0.53 // it moves when some rows are hidden or cut off
)

// Vouch refuses a board that was not seen clearly enough to be believed when it
// has several solutions.
func (Game) Vouch(seen *screen.Observation) error {
	if err := checkObservation(seen); err != nil {
		return err
	}
	if seen.Translated {
		return solvers.Refuse("the app does not look as the game's own does")
	}
	if len(seen.Signs) > 0 {
		// The eyes are that confident only where no wall, row or end can have been missed.
		if seen.Confidence < sureConfidence {
			return solvers.Refuse("the cells, told by which look alike, and what lies between and around them are not clear enough (confidence %.2f, expected %.2f)", seen.Confidence, sureConfidence)
		}
		return nil
	}
	v, err := newPicture(seen)
	if err != nil {
		return err
	}
	if seen.Confidence < sureConfidence {
		return solvers.Refuse("the board's lines are not clear enough (confidence %.2f, expected %.2f)", seen.Confidence, sureConfidence)
	}
	if len(seen.Doubts) > 0 {
		return solvers.Refuse("%s", seen.Doubts[0])
	}
	at := float64(seen.Layout.Board.Min.Y+seen.Layout.Board.Max.Y) / 2 / float64(seen.On.Size.Y)
	if seen.On.Size.Y > seen.On.Size.X && (at < sureHigh || at > sureLow) {
		return solvers.Refuse("the board's middle lies at %.2f of the screen's height, expected %.2f to %.2f: rows may be hidden or cut off", at, sureHigh, sureLow)
	}
	for _, sure := range []func() error{v.sureCells, v.sureGround, v.surePairs, v.sureSides} {
		if err := sure(); err != nil {
			return err
		}
	}
	return nil
}

// sureCells refuses cells whose content is not clear.
func (v *picture) sureCells() error {
	for c, r := range v.seen.Readings {
		name := v.size.Name(board.Cell(c))
		onRing := screen.Contrast(r[ring].Colour, r[rim].Colour)
		onCentre := screen.Contrast(r[centre].Colour, r[rim].Colour)
		switch {
		case v.outside[c]:
		case v.look[c] == end && onRing < sureEnd:
			return solvers.Refuse("%s: the end stands out by %d of 255 only, expected %d", name, onRing, sureEnd)
		case v.look[c] == pipe && onCentre < sureEnd:
			return solvers.Refuse("%s: the pipe stands out by %d of 255 only, expected %d", name, onCentre, sureEnd)
		case v.look[c] == empty && (max(onRing, onCentre) > sureEmpty || r[inside].Spread > sureSpread || linedCorners(r) > 0):
			return solvers.Refuse("%s: not clear that it is empty", name)
		}
	}
	return nil
}

// sureGround refuses a board that is dimmed or noisy.
func (v *picture) sureGround() error {
	if _, brightest := grid.ColoursOf(v.ends(), v.colour); brightest < sureBrightest {
		return solvers.Refuse("the brightest end has %d of 255, expected %d: dark ones may look empty", brightest, sureBrightest)
	}
	var noise []float64
	for c, r := range v.seen.Readings {
		if v.look[c] == empty && !v.outside[c] {
			noise = append(noise, r[rim].Spread)
		}
	}
	slices.Sort(noise)
	if n := len(noise); n > 0 && noise[n/2] > sureNoise {
		return solvers.Refuse("noise of %.0f of 255 on the ground, expected at most %d", noise[n/2], sureNoise)
	}
	return nil
}

// surePairs refuses ends that could form pairs with others than their mates.
func (v *picture) surePairs() error {
	ends := v.ends()
	colours, brightest := grid.ColoursOf(ends, v.colour)
	for i, c := range ends {
		_, nearest, next := screen.NearestColour(colours, i)
		if margin := (next - 4*nearest) * 255 / float64(brightest); margin < surePairing {
			return solvers.Refuse("the end at %s has two others of nearly its colour, off by %.0f and %.0f", v.size.Name(c), nearest, next)
		}
	}
	return nil
}

// sureSides refuses a board with a side that may be a wall or not, and one that
// may go on beyond its rim.
func (v *picture) sureSides() error {
	thin, err := v.thinLine()
	if err != nil {
		return err
	}
	for c := range board.Cell(v.size.Cells()) {
		if v.outside[c] {
			continue
		}
		for d := range board.Dir(v.grid.Dirs()) {
			if reason := v.doubtful(c, d, thin); reason != "" {
				return solvers.Refuse("%s: %s", v.size.Name(c), reason)
			}
		}
	}
	return nil
}

// doubtful says why it is not clear what a side of a cell is. It is empty for a
// side that is clear.
func (v *picture) doubtful(c board.Cell, d board.Dir, thin thinLine) string {
	if v.grid.topology != Hex && v.size.Beside(c, d) == board.None {
		if reason := v.doubtfulRim(c, d); reason != "" {
			return reason
		}
	}
	n, line := v.grid.beside(c, d), v.side(c, d)
	hex, bright := v.grid.topology == Hex, brightness(line)
	switch {
	case n == board.None: // an outline, or else the board would have been refused
	case v.walls[board.EdgeOf(c, n)] || v.outside[n]:
		if line.Width < sureWall*thin.width || bright < sureWall*thin.bright && !hex {
			return "a side that may be a wall or not"
		}
	case v.look[c] != empty || v.look[n] != empty: // a pipe may lie over it
	case line.Support < sureSupport:
		return "no clear line at one of its sides"
	case bright > sureThin*thin.bright, line.Width > thin.width+sureWidth && (bright > sureWide*thin.bright || hex):
		return "a side that may be a wall or not"
	}
	return ""
}

// doubtfulRim is doubtful for a side in the rim of a board of squares.
func (v *picture) doubtfulRim(c board.Cell, d board.Dir) string {
	n, line := v.grid.beside(c, d), v.side(c, d)
	wall := n != board.None && v.walls[board.EdgeOf(c, n)]
	switch warp := v.grid.topology == Warp; {
	case line.Support < sureSupport:
		return "no clear line at the board's rim, which may be cut off"
	case warp && !wall && line.Ends < sureReach, !warp && line.Ends > 3*(1-sureReach):
		return "not clear whether the board goes on beyond its rim"
	}
	return ""
}
