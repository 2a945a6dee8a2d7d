package app

import (
	"fmt"
	"image"
	"math"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/algemy"
	"tapwise/solvers/screen"
)

// app is the app of the simulated phone. Its home page is the start page.
type app struct {
	simapp.App
	levels []*algemy.Puzzle
	night  bool // the dark look

	board   *level     // nil when there are no levels
	wheel   board.Cell // around which the wheel of colours is open, or board.None
	solved  bool
	slipped bool // the finger is too far from where it came down for a tap

	layout *layout // nil when it is to be laid out anew
}

// The buttons that other apps do not have.
const (
	homeButton   = simapp.OwnButton + iota
	toggleButton // between day and night
	playButton   // the start page's
)

// New makes an app that offers the levels in order; without levels it shows the
// start page. The options' Style is one of
//
//	day    white, with thin black lines, as the real game is drawn (or empty)
//	night  dark, with thick light lines and crystals of other proportions
//
// It fails with puzzles of another game and with another style.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	if o.Style != "" && o.Style != "day" && o.Style != "night" {
		return nil, fmt.Errorf("algemy: style %q, expected day or night", o.Style)
	}
	puzzles, err := simapp.Puzzles[*algemy.Puzzle](algemy.Game{}, levels)
	if err != nil {
		return nil, err
	}
	a := &app{levels: puzzles, night: o.Style == "night", wheel: board.None}
	a.App = simapp.App{Stage: stage{a}, Levels: len(levels), Title: o.Pack, Celebration: simapp.Celebration, Bare: o.Bare, Eager: true, Home: true, Start: playButton}
	a.Show(1)
	return a, nil
}

// Package is the app's name on the phone.
func (a *app) Package() string { return "com.example.algemy" }

// Won reports whether the level on the screen is solved.
func (a *app) Won() bool { return a.solved }

// Moves is the number of light sources put down or taken away on the level.
func (a *app) Moves() int {
	if a.board == nil {
		return 0
	}
	return a.board.moves
}

// Board is the light sources on the level, in the notation of solutions.
func (a *app) Board() string {
	if a.board == nil {
		return ""
	}
	return a.board.solution().String()
}

// Screen names what is shown: home, level, wheel, solved, or pack complete (the
// message after the last level).
func (a *app) Screen() string {
	switch {
	case a.Home || a.Panel.Kind != simapp.NoPanel:
		return a.App.Screen()
	case a.wheel != board.None:
		return "wheel"
	case a.announced():
		return "solved"
	}
	return "level"
}

// announced reports whether the app says that the level is solved.
func (a *app) announced() bool { return a.solved && !a.Winning }

// lay lays the screen out when its size or the level has changed.
func (a *app) lay() *layout {
	if a.layout == nil || a.layout.Size != a.Size {
		var p *algemy.Puzzle
		if a.board != nil {
			p = a.board.puzzle
		}
		a.layout = newLayout(a.Size, p)
	}
	return a.layout
}

// Touch is one finger. Only taps do something, on buttons too.
func (a *app) Touch(action int, x, y float64, now time.Duration) {
	a.slipped = math.Hypot(x-a.Finger[0], y-a.Finger[1]) > 0.04*a.lay().Unit
	if action == screen.TouchUp && a.slipped {
		a.Release()
	}
	a.App.Touch(action, x, y, now)
}

// Sheet is the board as it stands, with the wheel where it is open.
func (a *app) Sheet(size image.Point) simapp.Sheet {
	a.Size = size
	l, p := a.lay(), a.board.puzzle
	first := p.Spot(0)
	s := simapp.Sheet{Picture: a.board.solution().Picture(0, p.Cells()), X: l.centres[0][0] - first[0]*l.Pitch, Y: l.centres[0][1] - first[1]*l.Pitch, Pitch: l.Pitch}
	if a.wheel == board.None {
		s.Places = simapp.CellPlaces(p.Name, l.centres, nil)
		return s
	}
	at, on := l.centres[a.wheel], p.Spot(a.wheel)
	var over solvers.Picture
	over.Disc(on, wheelOuter, solvers.Ink)
	over.Disc(on, wheelOuter-0.03, solvers.Paper)
	over.End(on, "–", solvers.Paper)
	s.Places = []simapp.Place{{Name: "no light source", At: at}}
	for colour := range algemy.Colour(6) {
		if !p.Colours().Has(colour) {
			continue
		}
		sin, cos := math.Sincos(float64(colour) * math.Pi / 3)
		const far = 0.7 // pitches from the middle
		over.End([2]float64{on[0] + far*sin, on[1] - far*cos}, colour.String(), algemy.DayPalette().Light[colour])
		s.Places = append(s.Places, simapp.Place{Name: colour.String(), At: [2]float64{at[0] + far*sin*l.Pitch, at[1] - far*cos*l.Pitch}})
	}
	s.Over = over.Shapes
	return s
}

// stage is the board as [simapp.App] wants it.
type stage struct{ *app }

func (s stage) Open(int) {
	s.layout = nil
	s.Restart()
}

func (s stage) Restart() {
	s.board = newLevel(s.levels[s.Shown])
	s.solved = false
	s.wheel = board.None
}

// Leave closes the wheel first.
func (s stage) Leave() bool {
	if s.wheel != board.None {
		s.wheel = board.None
	} else {
		s.GoHome()
	}
	return true
}

func (s stage) Frame() simapp.Frame { return s.lay() }

func (s stage) Begin(_, _ float64) bool { return true }

func (s stage) Drag(_, _ float64) bool { return false }

func (s stage) Lift() bool {
	if s.slipped {
		return false
	}
	x, y := s.Finger[0], s.Finger[1]
	if s.wheel != board.None && s.lay().onWheel(s.wheel, x, y) {
		s.choose(s.lay().colourAt(s.wheel, x, y))
		return s.solved
	}
	open := s.wheel
	s.wheel = board.None
	if c := s.lay().cellAt(x, y); open == board.None && c != board.None && !s.solved && s.board.puzzle.Crystal(c) == algemy.Empty {
		s.wheel = c
	}
	return false
}

// choose is a tap on a colour of the wheel, or on its middle.
func (a *app) choose(colour algemy.Colour) {
	if colour != noSource && !a.board.puzzle.Colours().Has(colour) {
		return
	}
	a.board.put(a.wheel, colour)
	a.wheel = board.None
	a.solved = a.board.solution().Check() == nil
}

func (s stage) Complete() bool { return s.solved }

// Completed is no panel: a solved level says so itself.
func (s stage) Completed() simapp.Panel { return simapp.Panel{} }

func (s stage) Ended() simapp.Panel { return simapp.Ended("This was the last level.") }

// Enabled reports whether a button is there and does something.
func (a *app) Enabled(b simapp.Button) bool {
	return a.App.Enabled(b) || !a.Home && b == simapp.NextButton && a.announced()
}

// Push does what a button is for. The bar's buttons close the wheel.
func (a *app) Push(b simapp.Button) {
	if b != simapp.BackKey {
		a.wheel = board.None
	}
	switch b {
	case homeButton:
		a.GoHome()
	case toggleButton:
		a.night = !a.night
	case simapp.NextButton:
		a.Follow()
	default:
		a.App.Push(b)
	}
}
