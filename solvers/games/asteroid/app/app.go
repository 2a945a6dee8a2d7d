package app

import (
	"fmt"
	"image"
	"math"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/asteroid"
	"tapwise/solvers/screen"
)

// app is the app of the simulated phone. Its home page is the start page.
type app struct {
	simapp.App
	levels []*asteroid.Puzzle
	seed   uint64
	look   *look

	tiles   asteroid.Tiles
	moves   int
	motion  motion
	escaped bool
	held    board.Cell // the tile under the finger, board.None when it has moved

	layout *layout // nil when it is to be laid out anew
}

// celebration is how long a won level shows before its panel comes.
const celebration = 700 * time.Millisecond

// playButton is the start page's.
const playButton = simapp.OwnButton

// New makes an app that offers the levels in order; without levels it shows the
// start page. The options' Style is one of
//
//	space  dark: stars, rough rocks, a blue spacecraft (or empty)
//	flat   light: plain round shapes, a red spacecraft
//
// and the Seed places the stars. It fails with puzzles of another game and with
// another style.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	a := &app{seed: o.Seed, held: board.None}
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
	a.App = simapp.App{Stage: stage{a}, Levels: len(levels), Title: o.Pack, Celebration: celebration, Bare: o.Bare, Eager: true, Home: true, Start: playButton}
	a.Show(1)
	return a, nil
}

// Package is the app's name on the phone.
func (a *app) Package() string { return "com.example.asteroid" }

// Won reports whether the spacecraft has left the board.
func (a *app) Won() bool { return a.escaped }

// Moves is the number of slides made on the level, the exit counted.
func (a *app) Moves() int { return a.moves }

// Board is where the tiles are, in the notation of puzzles; when the spacecraft
// has left, its place is blank.
func (a *app) Board() string {
	if len(a.levels) == 0 {
		return ""
	}
	return a.tiles.String()
}

// lay lays the screen out when its size has changed.
func (a *app) lay() *layout {
	if a.layout == nil || a.layout.Size != a.Size {
		a.layout = newLayout(a.Size)
	}
	return a.layout
}

// Sheet is the board as it stands.
func (a *app) Sheet(size image.Point) simapp.Sheet {
	a.Size = size
	l := a.lay()
	return simapp.Sheet{Picture: a.tiles.Picture(), X: l.board.X0 - asteroid.Margin*l.Pitch, Y: l.board.Y0 - asteroid.Margin*l.Pitch, Pitch: l.Pitch,
		Places: simapp.CellPlaces(asteroid.Size().Name, l.centres, nil)}
}

// stage is the board as [simapp.App] wants it.
type stage struct{ *app }

func (s stage) Open(int) { s.Restart() }

func (s stage) Restart() {
	s.tiles = s.levels[s.Shown].Tiles()
	s.moves, s.motion, s.escaped = 0, motion{}, false
	s.held = board.None
}

func (s stage) Leave() bool {
	s.GoHome()
	return true
}

func (s stage) Frame() simapp.Frame { return s.lay() }

func (s stage) Begin(x, y float64) bool {
	if s.escaped {
		return false
	}
	s.held = s.lay().cellAt(x, y)
	return s.held != board.None
}

// Drag swipes once the finger has gone a fifth of a tile.
func (s stage) Drag(x, y float64) bool {
	dx, dy := x-s.Finger[0], y-s.Finger[1]
	if s.held == board.None || max(math.Abs(dx), math.Abs(dy)) < 0.2*s.lay().Pitch {
		return false
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
	s.move(s.held, dir)
	s.held = board.None
	return s.escaped
}

// Lift is a tap on a tile that has not been swiped.
func (s stage) Lift() bool {
	if s.held == board.None {
		return false
	}
	s.tap(s.held)
	s.held = board.None
	return s.escaped
}

func (s stage) Complete() bool { return s.escaped }

func (s stage) Completed() simapp.Panel {
	s.motion = motion{} // the spacecraft is gone
	panel := simapp.Completed("Escaped in " + board.Count(s.moves, "move") + ".")
	panel.Buttons[1] = "again"
	return panel
}

func (s stage) Ended() simapp.Panel { return simapp.Ended("This was the last level.") }

// tap slides a tile towards the hole beside it, or the spacecraft out.
func (a *app) tap(c board.Cell) {
	if a.tiles.CanLeave(c) && a.tiles.Clear(c, board.South) == 3 {
		a.move(c, board.South)
		return
	}
	for dir := board.North; dir <= board.West; dir++ {
		if to := beside(c, dir); to != board.None && a.tiles.Hole(to) {
			a.move(c, dir)
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
func (a *app) move(c board.Cell, dir board.Dir) {
	if a.tiles.Hole(c) {
		return
	}
	to := beside(c, dir)
	out := a.tiles.CanLeave(c) && dir == board.South
	if !out && (to == board.None || !a.tiles.Hole(to)) {
		a.motion = motion{kind: bump, cell: c, dir: dir, reach: 0.04, start: a.Now}
		return
	}
	switch clear := a.tiles.Clear(c, dir); {
	case clear < 3:
		a.motion = motion{kind: bump, cell: c, dir: dir, reach: (float64(clear) + 0.2) / 3, start: a.Now}
		return
	case out:
		a.motion = motion{kind: escape, cell: c, dir: dir, start: a.Now}
		a.escaped = true
		to = board.None
	default:
		a.motion = motion{kind: slide, cell: to, dir: dir, start: a.Now}
	}
	a.tiles = a.tiles.Slid(c, to)
	a.moves++
}
