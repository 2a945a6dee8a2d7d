package app

import (
	"fmt"
	"image"
	"math"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/asteroid"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
)

// app is the app of the simulated phone. Until it has been drawn once it
// does not know its screen's size and ignores touches.
type app struct {
	levels []*asteroid.Puzzle
	title  string // the pack's name
	seed   uint64
	look   *look

	level   int // the one on the screen, from 0
	tiles   asteroid.Tiles
	moves   int
	motion  motion
	escaped bool
	home    bool // the start page is on the screen
	panel   panel

	size   image.Point // of the screen as it was last drawn
	layout *layout     // nil when it is to be laid out anew

	pressed button // under the finger since it came down
	held    board.Cell
	finger  [2]float64 // where it came down
}

// panel is a box over the level.
type panel int

const (
	noPanel      panel = iota
	escapedPanel       // with the buttons next level and again
	endPanel           // after the last level, with the button ok
)

// How long motions take, and when the panel of a won level comes.
const (
	slideTime   = 200 * time.Millisecond
	bumpTime    = 240 * time.Millisecond
	escapeTime  = 600 * time.Millisecond
	celebration = 700 * time.Millisecond
)

// motion is how a tile moved last. The board is already as it is
// afterwards: a motion only shows.
type motion struct {
	kind  motionKind
	cell  board.Cell // where the tile is now
	dir   board.Dir
	reach float64 // of a bump, in pitches
	start time.Duration
}

type motionKind int

const (
	noMotion motionKind = iota
	slide
	bump
	escape
)

// newApp is an app that offers the levels in order.
func newApp(levels []solvers.Puzzle, o simapp.Options) (*app, error) {
	a := &app{title: o.Pack, seed: o.Seed, home: true, held: board.None}
	switch o.Style {
	case "", "space":
		a.look = &spaceLook
	case "flat":
		a.look = &flatLook
	default:
		return nil, fmt.Errorf("asteroid: style %q, expected space or flat", o.Style)
	}
	var err error
	if a.levels, err = simapp.Puzzles[*asteroid.Puzzle](asteroid.Game{}, levels); err != nil {
		return nil, err
	}
	if len(a.levels) > 0 {
		a.open(0)
	}
	return a, nil
}

// Package is the app's name on the phone.
func (a *app) Package() string { return "com.example.asteroid" }

// Level is the number of the level on the screen, from 1; 0 on the start page.
func (a *app) Level() int {
	if a.home {
		return 0
	}
	return a.level + 1
}

// Won reports whether the spacecraft has left the board.
func (a *app) Won() bool { return a.escaped }

// Moves is the number of slides made on the level, the exit counted.
func (a *app) Moves() int { return a.moves }

// Board is where the tiles are, in the notation of puzzles; when the
// spacecraft has left, its place is blank.
func (a *app) Board() string {
	if len(a.levels) == 0 {
		return ""
	}
	return a.tiles.String()
}

// Screen names what is shown: home, level, escaped (the panel of a won level)
// or end (the message after the last one).
func (a *app) Screen() string {
	switch {
	case a.home:
		return "home"
	case a.panel == escapedPanel:
		return "escaped"
	case a.panel == endPanel:
		return "end"
	}
	return "level"
}

// open shows a level from its start.
func (a *app) open(level int) {
	a.level = level
	a.tiles = a.levels[level].Tiles()
	a.moves = 0
	a.motion = motion{}
	a.escaped, a.home = false, false
	a.panel = noPanel
	a.held = board.None
}

// lay lays the screen out when its size has changed.
func (a *app) lay() *layout {
	if a.layout == nil || a.layout.size != a.size {
		a.layout = newLayout(a.size)
	}
	return a.layout
}

// advance does what is due by a time: the panel of a won level comes.
func (a *app) advance(now time.Duration) {
	if a.motion.kind == escape && now >= a.motion.start+celebration {
		a.motion = motion{}
		a.panel = escapedPanel
	}
}

// Touch is one finger.
func (a *app) Touch(action int, x, y float64, now time.Duration) {
	if a.size.X <= 0 || a.size.Y <= 0 || math.IsNaN(x+y) || math.IsInf(x+y, 0) {
		return
	}
	a.advance(now)
	switch action {
	case screen.TouchDown:
		a.finger = [2]float64{x, y}
		a.pressed = a.buttonAt(x, y)
		a.held = board.None
		if a.pressed == noButton && !a.home && a.panel == noPanel && !a.escaped {
			a.held = a.lay().cellAt(x, y)
		}
	case screen.TouchMove:
		a.drag(x, y, now)
	case screen.TouchUp:
		a.drag(x, y, now)
		if a.held != board.None {
			a.tap(a.held, now)
		}
		a.held = board.None
		pressed := a.pressed
		a.pressed = noButton
		if pressed != noButton && pressed == a.buttonAt(x, y) {
			a.push(pressed, now)
		}
	}
}

// drag moves the finger. It swipes once it has gone a fifth of a tile.
func (a *app) drag(x, y float64, now time.Duration) {
	dx, dy := x-a.finger[0], y-a.finger[1]
	if a.held == board.None || max(math.Abs(dx), math.Abs(dy)) < 0.2*a.lay().pitch {
		return
	}
	dir := board.South
	switch {
	case math.Abs(dx) > math.Abs(dy) && dx > 0:
		dir = board.East
	case math.Abs(dx) > math.Abs(dy):
		dir = board.West
	case dy < 0:
		dir = board.North
	}
	a.move(a.held, dir, now)
	a.held = board.None
}

// tap slides a tile towards the hole beside it, or the spacecraft out.
func (a *app) tap(c board.Cell, now time.Duration) {
	if a.tiles.CanLeave(c) && a.tiles.Clear(c, board.South) == 3 {
		a.move(c, board.South, now)
		return
	}
	for dir := board.North; dir <= board.West; dir++ {
		if to := beside(c, dir); to != board.None && a.tiles.Hole(to) {
			a.move(c, dir, now)
			return
		}
	}
}

// beside is the place beside another, or board.None.
func beside(c board.Cell, dir board.Dir) board.Cell {
	row, col := dir.Step()
	size := asteroid.Size()
	return size.At(size.Row(c)+row, size.Col(c)+col)
}

// move moves a tile in a direction, if it may, or bumps it.
func (a *app) move(c board.Cell, dir board.Dir, now time.Duration) {
	if a.tiles.Hole(c) {
		return
	}
	out := a.tiles.CanLeave(c) && dir == board.South
	to := beside(c, dir)
	if out {
		to = board.None
	}
	if !out && (to == board.None || !a.tiles.Hole(to)) {
		a.motion = motion{kind: bump, cell: c, dir: dir, reach: 0.04, start: now}
		return
	}
	switch clear := a.tiles.Clear(c, dir); {
	case clear < 3:
		a.motion = motion{kind: bump, cell: c, dir: dir, reach: (float64(clear) + 0.2) / 3, start: now}
		return
	case out:
		a.motion = motion{kind: escape, cell: c, dir: dir, start: now}
		a.escaped = true
	default:
		a.motion = motion{kind: slide, cell: to, dir: dir, start: now}
	}
	a.tiles = a.tiles.Slid(c, to)
	a.moves++
}

// buttonAt is the button at a place that a tap would push now.
func (a *app) buttonAt(x, y float64) button {
	l := a.lay()
	if l.buttons[androidBackButton].Contains(x, y) {
		return androidBackButton
	}
	first, last := previousButton, nextButton
	switch {
	case a.home:
		first, last = playButton, playButton
	case a.panel == escapedPanel:
		first, last = closeButton, againButton
	case a.panel == endPanel:
		first, last = closeButton, okButton
	}
	for b := first; b <= last; b++ {
		if l.buttons[b].Contains(x, y) && a.enabled(b) {
			return b
		}
	}
	return noButton
}

// enabled reports whether a button does something.
func (a *app) enabled(b button) bool {
	switch b {
	case previousButton:
		return a.level > 0
	case nextButton:
		return a.level < len(a.levels)-1
	case playButton:
		return len(a.levels) > 0
	}
	return true
}

// push does what a button is for.
func (a *app) push(b button, now time.Duration) {
	switch b {
	case androidBackButton:
		a.Back(now)
	case previousButton:
		a.open(a.level - 1)
	case restartButton, againButton:
		a.open(a.level)
	case nextButton:
		a.open(a.level + 1)
	case playButton:
		a.home = false
	case closeButton:
		a.panel = noPanel
	case nextLevelButton: // and okButton, which is at the same place
		switch {
		case a.panel == endPanel:
			a.panel = noPanel
		case a.level == len(a.levels)-1:
			a.panel = endPanel
		default:
			a.open(a.level + 1)
		}
	}
}

// Back is the BACK key: it closes a panel, then leads to the start page.
func (a *app) Back(now time.Duration) {
	a.advance(now)
	if a.panel != noPanel {
		a.panel = noPanel
	} else {
		a.home = true
	}
}

// offset is how far a tile is from its place at a time, in pitches.
func (a *app) offset(c board.Cell, now time.Duration) (x, y float64) {
	m := a.motion
	if m.kind == noMotion || m.cell != c {
		return 0, 0
	}
	part := func(whole time.Duration) float64 { return min(max(float64(now-m.start)/float64(whole), 0), 1) }
	distance := 0.0
	switch m.kind {
	case slide:
		t := part(slideTime)
		distance = t*t*(3-2*t) - 1
	case bump:
		distance = m.reach * math.Sin(math.Pi*part(bumpTime))
	case escape:
		t := part(escapeTime)
		distance = 8 * t * t // off any screen
	}
	row, col := m.dir.Step()
	return distance * float64(col), distance * float64(row)
}

// New makes an app that offers the levels in order. The options' Style is one of
//
//	space  dark: stars, rough rocks, a blue spacecraft (or empty)
//	flat   light: plain round shapes, a red spacecraft
//
// and the Seed places the stars. It fails with puzzles of another game and with
// another style.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	a, err := newApp(levels, o)
	if err != nil {
		return nil, err
	}
	return a, nil
}
