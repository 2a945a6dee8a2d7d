package app

import (
	"image"
	"math"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/flow"
)

// rimReach is how far the lines of a warp board reach over its rim, in pitches;
// margin is the width left free beyond them, in units, for a finger that draws a
// pipe over the rim.
const (
	rimReach = 0.12
	margin   = 0.02
)

// layout is where everything lies on a screen of one size with one level.
type layout struct {
	simapp.Layout
	banner   simapp.Box
	board    simapp.Box // the lattice, without what reaches over its rim
	counters float64    // the counters' baseline

	puzzle  *flow.Puzzle // nil on the list of levels
	centres [][2]float64
}

// newLayout lays out a screen; p is nil on the list of levels. The proportions were
// measured on screenshots of the game.
func newLayout(size image.Point, p *flow.Puzzle, adFree bool) *layout {
	w, h := float64(size.X), float64(size.Y)
	l := &layout{Layout: simapp.NewLayout(size), puzzle: p}
	var room simapp.Box // what the board may fill
	if l.Landscape {
		l.Navigation = simapp.NewBox(w-0.117*l.Unit, 0, w, h)
		l.banner = simapp.BoxAround(w/2, h-0.05*l.Unit, 0.32*l.Unit, 0.05*l.Unit)
		l.Content = simapp.NewBox(0, l.Status.Y1, l.Navigation.X0, l.banner.Y0)
		side := 0.3 * l.Unit
		room = simapp.NewBox(side, l.Content.Y0+0.085*l.Unit, l.Content.X1-side, l.Content.Y1-0.015*l.Unit)
	} else {
		l.Navigation = simapp.NewBox(0, h-0.117*l.Unit, w, h)
		half := 0.5 * 50.0 / 320 * 0.78 * l.Unit
		l.banner = simapp.BoxAround(w/2, l.Navigation.Y0-half, 0.39*l.Unit, half)
		l.Content = simapp.NewBox(0, l.Status.Y1, w, l.banner.Y0)
	}
	if adFree {
		l.Content.Y1 = l.banner.Y1
		l.banner = simapp.Box{}
		room.Y1 = l.Content.Y1 - 0.015*l.Unit
	}
	if !l.Landscape {
		margin := 0.2165 * l.Unit // header and counters above, footer below
		room = simapp.NewBox(0.005*w, l.Content.Y0+margin, 0.995*w, l.Content.Y1-margin)
	}
	l.placeButtons()
	if p != nil {
		l.placeBoard(room)
		return l
	}
	for i := range levelsAPage {
		l.Buttons[levelButton+simapp.Button(i)] = l.square(i)
	}
	return l
}

// placeButtons lays out header, footer and the navigation bar's back key.
func (l *layout) placeButtons() {
	c := l.Content
	r := 0.045 * l.Unit
	at := func(b simapp.Button, x, y float64) { l.Buttons[b] = simapp.BoxAround(x, y, r, r) }
	l.PlaceBackKey(r)
	near := 0.061 * l.Unit // a round button's centre from the content's rim
	top, bottom := c.Y0+near, c.Y1-0.066*l.Unit
	if l.Landscape {
		at(leaveButton, c.X0+near, top)
		at(filmButton, c.X0+0.075*l.Unit, bottom)
		at(gearButton, c.X0+0.211*l.Unit, bottom)
		step := (bottom - top) / 4
		for i, b := range []simapp.Button{undoButton, simapp.PreviousButton, simapp.RestartButton, simapp.NextButton, simapp.HintButton} {
			at(b, c.X1-near, top+float64(i)*step)
		}
		return
	}
	at(leaveButton, near, top)
	at(filmButton, c.X1-0.197*l.Unit, top)
	at(gearButton, c.X1-near, top)
	middle, _ := c.Centre()
	at(undoButton, near, bottom)
	at(simapp.PreviousButton, middle-0.159*l.Unit, bottom)
	at(simapp.RestartButton, middle, bottom)
	at(simapp.NextButton, middle+0.159*l.Unit, bottom)
	at(simapp.HintButton, c.X1-near, bottom)
}

// placeBoard makes the board as large as the room allows, in its middle.
func (l *layout) placeBoard(room simapp.Box) {
	size := l.puzzle.Size()
	l.centres = make([][2]float64, size.Cells())
	// First in pitches, from any origin; the extent is that of the cells, without holes.
	extent := simapp.NewBox(math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1))
	halfWidth := 0.5
	if l.puzzle.Topology() == flow.Hex {
		halfWidth = 1 / math.Sqrt(3)
	}
	for c := range board.Cell(size.Cells()) {
		x, y := float64(size.Col(c)), float64(size.Row(c))
		if l.puzzle.Topology() == flow.Hex {
			y += 0.5 * float64(1-size.Col(c)%2)
			x *= math.Sqrt(3) / 2
		}
		l.centres[c] = [2]float64{x, y}
		if !l.puzzle.Hole(c) {
			extent.X0, extent.X1 = min(extent.X0, x-halfWidth), max(extent.X1, x+halfWidth)
			extent.Y0, extent.Y1 = min(extent.Y0, y-0.5), max(extent.Y1, y+0.5)
		}
	}
	reach := 0.0
	if l.puzzle.Topology() == flow.Warp {
		reach = rimReach
		margin := margin * l.Unit
		room = simapp.NewBox(room.X0+margin, room.Y0+margin, room.X1-margin, room.Y1-margin)
	}
	l.Pitch = min(room.Width()/(extent.Width()+2*reach), room.Height()/(extent.Height()+2*reach))
	l.Pitch = max(l.Pitch, 1)
	cx, cy := room.Centre()
	ex, ey := extent.Centre()
	for i, at := range l.centres {
		l.centres[i] = [2]float64{cx + (at[0]-ex)*l.Pitch, cy + (at[1]-ey)*l.Pitch}
	}
	l.board = simapp.BoxAround(cx, cy, extent.Width()/2*l.Pitch, extent.Height()/2*l.Pitch)
	l.counters = l.board.Y0 - reach*l.Pitch - 0.0245*l.Unit
}

// Panel lays out a panel over the middle of the board, or of the screen where
// it would not fit there.
func (l *layout) Panel(p simapp.Panel) simapp.PanelPlace {
	// In parts of the unit, from the top of the panel.
	const title, line, button, gap = 0.111, 0.06, 0.133, 0.0342
	height := title + 0.09 + line*float64(len(p.Lines)) + (button+gap)*float64(len(p.Buttons)) + 0.049
	u := min(l.Unit, l.Content.Height()/(height+0.02))
	cx, cy := l.Content.Centre()
	if l.puzzle != nil {
		_, cy = l.board.Centre()
	}
	half := height / 2 * u
	cy = max(min(cy, l.Content.Y1-half), l.Content.Y0+half)
	place := simapp.PanelPlace{Unit: u, Box: simapp.BoxAround(cx, cy, 0.394*u, half)}
	b := place.Box
	place.Title = simapp.NewBox(b.X0, b.Y0, b.X1, b.Y0+title*u)
	place.Close = simapp.NewBox(b.X1-0.107*u, b.Y0, b.X1, b.Y0+0.102*u)
	y := b.Y0 + (title+0.045)*u
	for range p.Lines {
		y += line * u
		place.Text = append(place.Text, y)
	}
	y += 0.045*u + gap*u
	for range p.Buttons {
		place.Buttons = append(place.Buttons, simapp.NewBox(cx-0.3375*u, y, cx+0.3375*u, y+button*u))
		y += (button + gap) * u
	}
	return place
}

// square is the place of a level on a page of the list, from 0.
func (l *layout) square(i int) simapp.Box {
	c := l.Content
	room := simapp.NewBox(0, c.Y0+0.15*l.Unit, c.X1, c.Y1-0.13*l.Unit)
	perRow := levelsARow
	if l.Landscape {
		perRow = 2 * levelsARow
		room = simapp.NewBox(0.26*l.Unit, c.Y0+0.03*l.Unit, c.X1-0.15*l.Unit, c.Y1-0.03*l.Unit)
	}
	rows := levelsAPage / perRow
	step := min(room.Width()/float64(perRow), room.Height()/float64(rows))
	x, y := room.Centre()
	x += (float64(i%perRow) - float64(perRow-1)/2) * step
	y += (float64(i/perRow) - float64(rows-1)/2) * step
	return simapp.BoxAround(x, y, 0.43*step, 0.43*step)
}

// corners are the corners of a cell in pixels: corner d and the one after it
// bound the side towards direction d.
func (l *layout) corners(c board.Cell) [][2]float64 {
	at, p := l.centres[c], l.Pitch
	offsets := [][2]float64{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}
	if l.puzzle.Topology() == flow.Hex {
		s := 1 / math.Sqrt(3)
		offsets = [][2]float64{{-s / 2, -0.5}, {s / 2, -0.5}, {s, 0}, {s / 2, 0.5}, {-s / 2, 0.5}, {-s, 0}}
	}
	corners := make([][2]float64, len(offsets))
	for i, o := range offsets {
		corners[i] = [2]float64{at[0] + o[0]*p, at[1] + o[1]*p}
	}
	return corners
}

// side is the side of a cell towards a direction.
func (l *layout) side(c board.Cell, d board.Dir) [][2]float64 {
	corners := l.corners(c)
	return [][2]float64{corners[d], corners[(int(d)+1)%len(corners)]}
}

// cellAt is the cell under the finger, or board.None. Between two cells, and
// where four of them meet, there is a little room that belongs to none. On a
// warp board the places just over the rim are the cells of the other side.
func (l *layout) cellAt(x, y float64) board.Cell {
	const margin = 0.04
	size := l.puzzle.Size()
	if l.puzzle.Topology() == flow.Hex {
		return l.hexAt(x, y, margin)
	}
	u, v := (x-l.centres[0][0])/l.Pitch, (y-l.centres[0][1])/l.Pitch
	col, row := math.Round(u), math.Round(v)
	if math.Abs(u-col) > 0.5-margin || math.Abs(v-row) > 0.5-margin {
		return board.None
	}
	r, c := int(row), int(col)
	if l.puzzle.Topology() == flow.Warp {
		if r >= -1 && r <= size.Rows && size.Rows > 2 {
			r = (r + size.Rows) % size.Rows
		}
		if c >= -1 && c <= size.Cols && size.Cols > 2 {
			c = (c + size.Cols) % size.Cols
		}
	}
	cell := size.At(r, c)
	if cell != board.None && l.puzzle.Hole(cell) {
		return board.None
	}
	return cell
}

// Under is cellAt for a [simapp.BoardLayout].
func (l *layout) Under(x, y float64) (board.Cell, bool) {
	c := l.cellAt(x, y)
	return c, c != board.None
}

// Corner is where the picture's would be.
func (l *layout) Corner() (x, y float64) {
	at := l.puzzle.Spot(0)
	return l.centres[0][0] - at[0]*l.Pitch, l.centres[0][1] - at[1]*l.Pitch
}

// Places are the cells.
func (l *layout) Places() []simapp.Place {
	return simapp.CellPlaces(l.puzzle.Size().Name, l.centres, l.puzzle.Hole)
}

// hexAt is cellAt on a hex board.
func (l *layout) hexAt(x, y, margin float64) board.Cell {
	nearest, distance := board.None, math.Inf(1)
	for c, at := range l.centres {
		if d := math.Hypot(x-at[0], y-at[1]); d < distance {
			nearest, distance = board.Cell(c), d
		}
	}
	if l.puzzle.Hole(nearest) {
		return board.None
	}
	dx, dy := (x-l.centres[nearest][0])/l.Pitch, (y-l.centres[nearest][1])/l.Pitch
	for _, axis := range [][2]float64{{0, 1}, {math.Sqrt(3) / 2, 0.5}, {math.Sqrt(3) / 2, -0.5}} {
		if math.Abs(dx*axis[0]+dy*axis[1]) > 0.5-margin {
			return board.None
		}
	}
	return nearest
}
