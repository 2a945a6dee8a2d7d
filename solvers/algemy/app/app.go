package app

import (
	"fmt"
	"image"
	"math"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/algemy"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
)

// app is the app of the simulated phone: it looks and behaves as the real
// game does. Until it has been drawn once it does not know its screen's size
// and ignores touches.
type app struct {
	levels []*algemy.Puzzle
	title  string // the pack's name
	night  bool   // the dark look

	level  int // the one on the screen, from 0
	board  *level
	home   bool       // the start page is on the screen
	wheel  board.Cell // around which the wheel of colours is open, or board.None
	solved bool
	won    time.Duration // when the level was solved
	ended  bool          // the message after the last level is on the screen

	size   image.Point // of the screen as it was last drawn
	layout *layout     // nil when it is to be laid out anew

	down    bool // the finger came down on the screen
	pressed [2]float64
}

// announcement is how long a solved level shows before the app says so.
const announcement = 400 * time.Millisecond

// newApp is an app that offers the levels in order.
func newApp(levels []solvers.Puzzle, o simapp.Options) (*app, error) {
	if o.Style != "" && o.Style != "day" && o.Style != "night" {
		return nil, fmt.Errorf("algemy: style %q, expected day or night", o.Style)
	}
	a := &app{title: o.Pack, night: o.Style == "night", home: true, wheel: board.None}
	var err error
	if a.levels, err = simapp.Puzzles[*algemy.Puzzle](algemy.Game{}, levels); err != nil {
		return nil, err
	}
	if len(a.levels) > 0 {
		a.open(0)
	}
	return a, nil
}

// Package is the app's name on the phone.
func (a *app) Package() string { return "com.example.algemy" }

// Level is the number of the level on the screen, from 1; 0 on the start page.
func (a *app) Level() int {
	if a.home {
		return 0
	}
	return a.level + 1
}

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

// Screen names what is shown: home, level, wheel, solved, or end (the message
// after the last level).
func (a *app) Screen(now time.Duration) string {
	switch {
	case a.home:
		return "home"
	case a.ended:
		return "end"
	case a.wheel != board.None:
		return "wheel"
	case a.announced(now):
		return "solved"
	}
	return "level"
}

// announced reports whether the app says that the level is solved.
func (a *app) announced(now time.Duration) bool { return a.solved && now >= a.won+announcement }

// open shows a level, with nothing on it.
func (a *app) open(level int) {
	a.level = level
	a.board = newLevel(a.levels[level])
	a.home, a.solved, a.ended = false, false, false
	a.wheel = board.None
	a.layout = nil
}

// lay lays the screen out when its size or the level has changed.
func (a *app) lay() *layout {
	if a.layout == nil || a.layout.size != a.size {
		var p *algemy.Puzzle
		if a.board != nil {
			p = a.board.puzzle
		}
		a.layout = newLayout(a.size, p)
	}
	return a.layout
}

// Touch is one finger. Only taps do something.
func (a *app) Touch(action int, x, y float64, now time.Duration) {
	if a.size.X <= 0 || a.size.Y <= 0 || math.IsNaN(x+y) || math.IsInf(x+y, 0) {
		return
	}
	switch action {
	case screen.TouchDown:
		a.down, a.pressed = true, [2]float64{x, y}
	case screen.TouchUp:
		slip := math.Hypot(x-a.pressed[0], y-a.pressed[1])
		if a.down && slip <= 0.04*a.lay().unit {
			a.tap(a.pressed[0], a.pressed[1], now)
		}
		a.down = false
	}
}

// tap does what a tap at a place does. What lies on top gets it: the wheel
// reaches over the board's rim.
func (a *app) tap(x, y float64, now time.Duration) {
	l := a.lay()
	if l.buttons[androidBackButton].Contains(x, y) {
		a.Back(now)
		return
	}
	switch {
	case a.home:
		if l.play.Contains(x, y) && a.board != nil {
			a.home = false
		}
	case a.ended:
		if l.panel.close.Contains(x, y) || l.panel.button.Contains(x, y) {
			a.ended = false
		}
	case a.wheel != board.None && l.onWheel(a.wheel, x, y):
		a.choose(x, y, now)
	default:
		open := a.wheel
		a.wheel = board.None
		if b := a.buttonAt(x, y); b != noButton {
			a.push(b, now)
		} else if c := l.cellAt(x, y); open == board.None && c != board.None && !a.solved && a.board.puzzle.Crystal(c) == algemy.Empty {
			a.wheel = c
		}
	}
}

// choose is a tap on the wheel.
func (a *app) choose(x, y float64, now time.Duration) {
	colour := a.lay().colourAt(a.wheel, x, y)
	if colour != noSource && !a.board.puzzle.Colours().Has(colour) {
		return
	}
	a.board.put(a.wheel, colour)
	a.wheel = board.None
	if a.board.solution().Check() == nil {
		a.solved, a.won = true, now
	}
}

// buttonAt is the button of the bar at a place that a tap would push now.
func (a *app) buttonAt(x, y float64) button {
	l := a.lay()
	for b := homeButton; b <= toggleButton; b++ {
		if l.buttons[b].Contains(x, y) {
			return b
		}
	}
	return noButton
}

// enabled reports whether a button of the bar does something.
func (a *app) enabled(b button, now time.Duration) bool {
	switch b {
	case previousButton:
		return a.level > 0
	case nextButton:
		return a.level < len(a.levels)-1 || a.announced(now)
	}
	return true
}

// push does what a button of the bar is for.
func (a *app) push(b button, now time.Duration) {
	switch {
	case !a.enabled(b, now):
	case b == homeButton:
		a.home = true
	case b == previousButton:
		a.open(a.level - 1)
	case b == nextButton && a.level < len(a.levels)-1:
		a.open(a.level + 1)
	case b == nextButton:
		a.ended = true
	case b == toggleButton:
		a.night = !a.night
	}
}

// Back is the BACK key: it closes the wheel or the message, then leads to the
// start page.
func (a *app) Back(time.Duration) {
	switch {
	case a.ended:
		a.ended = false
	case a.wheel != board.None:
		a.wheel = board.None
	default:
		a.home = true
	}
}

// New makes an app that offers the levels in order. The options' Style is one of
//
//	day    white, with thin black lines, as the real game is drawn (or empty)
//	night  dark, with thick light lines and crystals of other proportions
//
// It fails with puzzles of another game and with another style.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	a, err := newApp(levels, o)
	if err != nil {
		return nil, err
	}
	return a, nil
}
