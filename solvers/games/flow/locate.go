package flow

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"tapwise/solvers/screen"
)

// Locate tells where in the app the phone is: at a panel, in a level, or at the list of
// levels.
func (Game) Locate(seen *screen.Observation) screen.Place {
	if panel, ok := seen.PanelOf(isButton); ok && !isBeside(panel, seen) {
		return placeOf(panel)
	}
	if place, ok := overBoard(seen); ok {
		return place
	}
	if seen.Layout.Rows == 0 {
		if list, ok := locateList(seen); ok {
			return list
		}
		return screen.Place{Kind: screen.Elsewhere, Reason: "no board and no panel"}
	}
	if box, ok := coveringBox(seen); ok {
		return screen.Place{Kind: screen.Popup, Reason: fmt.Sprintf("a box at %v covers the board", box)}
	}
	return screen.Place{Kind: screen.Level, Reason: fmt.Sprintf("a board of %d columns and %d rows", seen.Layout.Cols, seen.Layout.Rows)}
}

// isBeside reports whether a panel that is not the game's leaves the whole board free: it, or
// its buttons on the window that fills the frame, are controls below or above the board.
func isBeside(p screen.Panel, seen *screen.Observation) bool {
	const window = 0.95 // of the frame's width and height
	l, size := seen.Layout, seen.On.Size
	free := func(r image.Rectangle) bool { return !r.Overlaps(l.Board.Inset(int(l.Pitch / 8))) }
	isWindow := float64(p.Bounds.Dx()) >= window*float64(size.X) && float64(p.Bounds.Dy()) >= window*float64(size.Y)
	return l.Rows > 0 && !p.Look.Like(panelLook()) &&
		(free(p.Bounds) || isWindow && !slices.ContainsFunc(p.Buttons, func(b image.Rectangle) bool { return !free(b) }))
}

// placeOf is the place where a panel shows. A message is closed by the cross in
// its title: its only button may be one of several, the others not seen.
func placeOf(panel screen.Panel) screen.Place {
	place := panel.Place(panelLook())
	if place.Kind == screen.Popup && len(place.Buttons) > 0 {
		place.Buttons = nil
		if cross, ok := panel.Cross(); ok {
			place.Buttons = []screen.Button{cross}
		}
	}
	return place
}

// overBoard recognises the panel of the old app. It is half transparent, so that
// its outline may not be seen: two or more buttons with a light outline over the
// middle of a board that is full.
func overBoard(seen *screen.Observation) (screen.Place, bool) {
	for _, column := range seen.Columns(isButton) {
		n := len(column.Buttons)
		around := column.Bounds.Inset(-column.Bounds.Dx() / 4)
		if n < 2 || !column.Bounds.In(seen.Layout.Board) || !middle(seen.Layout.Board).In(around) || !isFull(seen, around) {
			continue
		}
		return screen.Place{
			Kind:    screen.Won,
			Buttons: []screen.Button{{Name: "next", At: middle(column.Buttons[0].Bounds)}},
			Reason:  fmt.Sprintf("%d buttons over the board, as when a level is complete", n),
		}, true
	}
	return screen.Place{}, false
}

// isButton reports whether a box may be a button: its outline is white, on a
// screen that may be dimmed.
func isButton(b screen.Box) bool { return min(b.Line.R, b.Line.G, b.Line.B) >= 140 }

// panelLook is the look of the app's panels: black, with a dark green title.
func panelLook() screen.PanelLook {
	black := color.RGBA{A: 255}
	return screen.PanelLook{Bar: color.RGBA{G: 56, A: 255}, Fill: black, Button: black}
}

// coveringBox finds a box that covers the middle of the board.
func coveringBox(seen *screen.Observation) (image.Rectangle, bool) {
	lattice := seen.Layout.Board
	for _, b := range seen.Boxes {
		if b.Bounds.Dx() > lattice.Dx()/3 && middle(lattice).In(b.Bounds) && b.Bounds.In(lattice) && covers(seen, b.Bounds) {
			return b.Bounds, true
		}
	}
	return image.Rectangle{}, false
}

// covers reports whether a box hides the board under it. The sides of hexagons
// form rectangles too: a box through which all their sides are seen is one. So do the
// rims of cells on a board of another look, all of whose cells were told.
func covers(seen *screen.Observation, box image.Rectangle) bool {
	l := seen.Layout
	if len(seen.Signs) > 0 && surroundsCells(l, box) {
		return false
	}
	if l.Topology != screen.Hex || len(seen.Sides) != 6*len(l.Centres) {
		return true
	}
	// The outline of a blurred board is one, too. Places in its corners have no cell.
	if l.Board.In(box.Inset(-int(l.Pitch / 3))) {
		return false
	}
	for c, at := range l.Centres {
		if at.In(box) && slices.ContainsFunc(seen.Sides[6*c:6*c+6], func(line screen.Line) bool { return line.Support < leastLine }) {
			return true
		}
	}
	return false
}

// surroundsCells reports whether the sides of a box lie along the rims of cells, as those
// around all of the board do, or around several cells with borders of their own.
func surroundsCells(l screen.Layout, box image.Rectangle) bool {
	const off = 0.12 // pitches: most that a side lies off the middle between two cells; gaps may be as wide twice
	onRim := func(at, from int) bool {
		rims := float64(at-from) / l.Pitch
		return math.Abs(rims-math.Round(rims)) <= off
	}
	return !slices.ContainsFunc(l.Centres, func(at image.Point) bool { return !at.In(box) }) ||
		onRim(box.Min.X, l.Board.Min.X) && onRim(box.Max.X, l.Board.Min.X) && onRim(box.Min.Y, l.Board.Min.Y) && onRim(box.Max.Y, l.Board.Min.Y)
}

// isFull reports whether there is something on nearly all of the board's cells
// outside a covered area, as when the level is complete.
func isFull(seen *screen.Observation, covered image.Rectangle) bool {
	l := seen.Layout
	if len(seen.Readings) != len(l.Centres) {
		return false
	}
	shown, bare := 0, 0
	for c, readings := range seen.Readings {
		if l.Centres[c].In(covered) || len(readings) != measures {
			continue
		}
		shown++
		if lookOf(readings) == empty {
			bare++
		}
	}
	return shown > 0 && 10*bare <= shown
}

func near(a, b, slack int) bool { return a-b <= slack && b-a <= slack }

func middle(r image.Rectangle) image.Point { return r.Min.Add(r.Max).Div(2) }
