package alcazar

import (
	"image"
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
	look   simLook

	level   int // the one on the screen, from 0
	board   *simBoard
	panel   simPanel      // what covers the level
	winning bool          // the level is complete and its panel is about to come
	won     time.Duration // when the level was completed

	size   image.Point // of the screen as it was last drawn
	layout *simLayout  // nil when it is to be laid out anew

	pressed  simButton // under the finger since it came down
	finger   [2]float64
	touching bool // the finger draws
}

// celebration is how long a completed level shows before its panel comes.
const celebration = 400 * time.Millisecond

// newApp is an app that offers the levels, at least one, in order. The options'
// style has been checked; a word of it that is not known changes nothing.
func newApp(levels []*Puzzle, o solvers.SimulateOptions) *simApp {
	look, _ := parseSimStyle(o.Style, o.Seed)
	a := &simApp{levels: levels, title: o.Pack, look: look}
	if a.title == "" {
		a.title = "Alcazar"
	}
	a.open(0)
	return a
}

// Package is the app's name on the phone.
func (a *simApp) Package() string { return "com.example.alcazar" }

// Level is the number of the level on the screen, from 1.
func (a *simApp) Level() int { return a.level + 1 }

// Won reports whether the level on the screen is complete.
func (a *simApp) Won() bool { return !a.touching && a.board.complete() }

// Moves is the number of strokes that changed the path.
func (a *simApp) Moves() int { return a.board.moves }

// Board is the path as it is drawn so far, in the notation of solutions.
func (a *simApp) Board() string { return a.board.String() }

// Screen names what is shown: level, complete (the panel of a completed
// level), pack complete or notice.
func (a *simApp) Screen() string { return a.panel.kind.String() }

// open shows a level, with nothing drawn.
func (a *simApp) open(level int) {
	a.level = level
	a.panel = simPanel{}
	a.layout = nil
	a.restart()
}

// restart takes the path off the board.
func (a *simApp) restart() {
	a.board = newSimBoard(a.levels[a.level])
	a.winning, a.touching = false, false
}

// lay lays the screen out when its size or contents have changed.
func (a *simApp) lay() *simLayout {
	if a.layout == nil || a.layout.size != a.size {
		a.layout = newSimLayout(a.size, a.levels[a.level])
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
		lines:   []string{"You crossed the palace", "in " + count(a.board.moves, "stroke") + "."},
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

// down takes hold of the path or presses a button.
func (a *simApp) down(x, y float64) {
	if a.winning || a.touching {
		return
	}
	a.finger = [2]float64{x, y}
	a.pressed = a.buttonAt(x, y)
	if a.pressed == noButton && a.panel.kind == noPanel {
		a.touching = a.board.begin(a.lay().placeAt(x, y))
	}
}

// drag moves the finger. However far it went, it came through every room on
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
		a.board.enter(l.placeAt(from[0]+part*(x-from[0]), from[1]+part*(y-from[1])))
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
		a.panel = simPanel{kind: packPanel, title: "The end", lines: []string{"You crossed every palace of", a.title + "."}, buttons: []string{"ok"}}
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

// simPlace is where a finger is.
type simPlace struct {
	room    board.Cell // board.None when it is in no room
	door    int        // in a room, the nearest of its openings; -1 when it has none
	outside int        // the opening that the finger is just outside of; -1 when it is not
}
