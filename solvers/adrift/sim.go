package adrift

import (
	"image"
	"image/color"
	"math"
	"strconv"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
)

// simApp is the app of the simulated phone. Until it has been drawn once it
// does not know its screen's size and ignores touches.
type simApp struct {
	levels []*Puzzle
	title  string // the pack's name
	seed   uint64
	look   simLook

	level   int // the one on the screen, from 0
	board   *simBoard
	colours []color.NRGBA // of the board's chains
	panel   simPanel      // what covers the level
	winning bool          // the level is complete and its panel is about to come
	won     time.Duration // when the level was completed

	size   image.Point  // of the screen as it was last drawn
	layout *simLayout   // nil when it is to be laid out anew
	cube   *image.NRGBA // the empty cube as the layout has it; nil when it is to be painted anew

	pressed  simButton // under the finger since it came down
	finger   [2]float64
	touching bool // the finger draws
}

// celebration is how long a completed level shows before its panel comes.
const celebration = 400 * time.Millisecond

// newApp is an app that offers the levels, at least one, in order. The options'
// style has been checked; a word of it that is not known changes nothing.
func newApp(levels []*Puzzle, o solvers.SimulateOptions) *simApp {
	look, _ := parseSimStyle(o.Style)
	a := &simApp{levels: levels, title: o.Pack, seed: o.Seed, look: look}
	if a.title == "" {
		a.title = "Adrift"
	}
	a.open(0)
	return a
}

// Package is the app's name on the phone.
func (a *simApp) Package() string { return "com.example.adrift" }

// Level is the number of the level on the screen, from 1.
func (a *simApp) Level() int { return a.level + 1 }

// Won reports whether the level on the screen is complete.
func (a *simApp) Won() bool { return !a.touching && a.board.complete() }

// Moves is the number of moves made on the level: strokes, of which those that
// go on with the same chain count once.
func (a *simApp) Moves() int { return a.board.moves }

// Board is the chains as they are drawn so far, in the notation of solutions.
func (a *simApp) Board() string { return a.board.String() }

// Screen names what is shown: level, complete (the panel of a completed
// level), pack complete or notice.
func (a *simApp) Screen() string { return a.panel.kind.String() }

// open shows a level, with nothing drawn.
func (a *simApp) open(level int) {
	a.level = level
	a.panel = simPanel{}
	a.layout = nil
	a.colours = a.look.coloursOf(a.levels[level])
	a.restart()
}

// restart takes all chains off the board.
func (a *simApp) restart() {
	a.board = newSimBoard(a.levels[a.level])
	a.winning, a.touching = false, false
}

// lay lays the screen out when its size or contents have changed.
func (a *simApp) lay() *simLayout {
	if a.layout == nil || a.layout.size != a.size {
		a.layout, a.cube = newSimLayout(a.size, a.levels[a.level]), nil
	}
	return a.layout
}

// advance does what is due by a time: the panel of a completed level comes.
func (a *simApp) advance(now time.Duration) {
	if !a.winning || now < a.won+celebration {
		return
	}
	a.winning = false
	a.panel = simPanel{
		kind:    completePanel,
		title:   "Level complete!",
		lines:   []string{"You joined all chains", "in " + count(a.board.moves, "move") + "."},
		buttons: []string{"next level", "play again"},
	}
}

// Touch is one finger.
func (a *simApp) Touch(action int, x, y float64, now time.Duration) {
	if a.size.X <= 0 || a.size.Y <= 0 || math.IsNaN(x+y) || math.IsInf(x+y, 0) {
		return
	}
	a.advance(now)
	switch action {
	case screen.TouchDown:
		a.down(x, y)
	case screen.TouchMove:
		a.drag(x, y)
	case screen.TouchUp:
		a.drag(x, y)
		a.up(x, y, now)
	}
}

// down takes hold of a chain or presses a button.
func (a *simApp) down(x, y float64) {
	if a.winning || a.touching {
		return
	}
	a.finger = [2]float64{x, y}
	a.pressed = a.buttonAt(x, y)
	if a.pressed == noButton && a.panel.kind == noPanel {
		c := a.lay().cellAt(x, y)
		a.touching = c != board.None && a.board.begin(c)
	}
}

// drag moves the finger. However far it went, it came through every cell on
// its line.
func (a *simApp) drag(x, y float64) {
	if !a.touching {
		return
	}
	from := a.finger
	l := a.lay()
	x, y = min(max(x, 0), float64(a.size.X)), min(max(y, 0), float64(a.size.Y))
	steps := math.Ceil(math.Hypot(x-from[0], y-from[1]) / l.pitch * 16)
	for i := 1.0; i <= steps; i++ {
		part := i / steps
		if c := l.cellAt(from[0]+part*(x-from[0]), from[1]+part*(y-from[1])); c != board.None {
			a.board.enter(c)
		}
	}
	a.finger = [2]float64{x, y}
}

// up ends a stroke or pushes the button that was pressed.
func (a *simApp) up(x, y float64, now time.Duration) {
	if a.touching {
		a.touching = false
		a.board.lift()
		if a.board.complete() {
			a.winning, a.won = true, now
		}
	}
	pressed := a.pressed
	a.pressed = noButton
	if pressed != noButton && pressed == a.buttonAt(x, y) {
		a.push(pressed)
	}
}

// buttonAt is the button at a place that a tap would push now.
func (a *simApp) buttonAt(x, y float64) simButton {
	l := a.lay()
	if a.panel.kind != noPanel {
		place := l.panel(a.panel)
		if place.close.contains(x, y) {
			return closeButton
		}
		for i, b := range place.buttons {
			if b.contains(x, y) {
				return panelButton + simButton(i)
			}
		}
		return noButton
	}
	for b := previousButton; b <= hintButton; b++ {
		if l.buttons[b].contains(x, y) && a.enabled(b) {
			return b
		}
	}
	return noButton
}

// enabled reports whether a button below the board does something.
func (a *simApp) enabled(b simButton) bool {
	switch b {
	case previousButton:
		return a.level > 0
	case nextButton:
		return a.level < len(a.levels)-1
	}
	return true
}

// push does what a button is for.
func (a *simApp) push(b simButton) {
	switch b {
	case previousButton:
		a.open(a.level - 1)
	case nextButton:
		a.open(a.level + 1)
	case restartButton:
		a.restart()
	case hintButton:
		a.panel = simPanel{kind: noticePanel, title: "Hints", lines: []string{"You have no hints left."}, buttons: []string{"ok"}}
	default:
		a.choose(b)
	}
}

// choose pushes a button of the panel.
func (a *simApp) choose(b simButton) {
	complete := a.panel.kind == completePanel
	a.panel = simPanel{}
	switch {
	case !complete || b == closeButton:
	case b != panelButton:
		a.restart()
	case a.level < len(a.levels)-1:
		a.open(a.level + 1)
	default:
		// One button, so that it cannot be taken for a completed level.
		a.panel = simPanel{kind: packPanel, title: "The end", lines: []string{"You joined all chains of", a.title + "."}, buttons: []string{"ok"}}
	}
}

// Back is the BACK key: it closes a panel. On a level it asks whether to go
// on, as leaving is the phone's business.
func (a *simApp) Back(now time.Duration) {
	a.advance(now)
	switch {
	case a.panel.kind != noPanel:
		a.panel = simPanel{}
	case !a.winning && !a.touching:
		a.panel = simPanel{kind: noticePanel, title: "Pause", lines: []string{"Level " + strconv.Itoa(a.Level()) + " is waiting."}, buttons: []string{"go on"}}
	}
}

// count is a number of things in words.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
