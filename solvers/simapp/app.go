package simapp

import (
	"image"
	"math"
	"strconv"
	"time"

	"tapwise/solvers/screen"
)

// Celebration is how long a completed level shows before its panel comes.
const Celebration = 400 * time.Millisecond

// Stage is the part of an app that knows the board.
type Stage interface {
	Open(level int) // shows a level, from 0, with nothing drawn
	Restart()       // takes off the board what is drawn
	Frame() *Layout // where everything lies on a screen of the app's size
	Pitch() float64 // the distance of neighbouring cells

	Begin(x, y float64) bool // a finger comes down on the board; false when it takes hold of nothing
	Enter(x, y float64)      // it is at a place on its way
	Lift()
	Complete() bool
	Words() Words
}

// Words are what an app says on its panels.
type Words struct {
	Complete []string // when the level is complete
	Pack     []string // when it was the last
}

// App is an app of levels on whose boards a finger draws. Until it has been
// drawn once it does not know its screen's size and ignores touches.
type App struct {
	Stage  Stage
	Levels int    // how many there are, at least one
	Title  string // the pack's name

	Shown    int           // the level on the screen, from 0
	Panel    Panel         // what covers it
	Winning  bool          // the level is complete and its panel is about to come
	WonAt    time.Duration // when the level was completed
	Size     image.Point   // of the screen as it was last drawn
	Finger   [2]float64
	Touching bool // the finger draws

	pressed Button // under the finger since it came down
}

// Level is the number of the level on the screen, from 1.
func (a *App) Level() int { return a.Shown + 1 }

// Won reports whether the level on the screen is complete.
func (a *App) Won() bool { return !a.Touching && a.Stage.Complete() }

// Screen names what is shown: level, complete (the panel of a completed
// level), pack complete or notice.
func (a *App) Screen() string { return a.Panel.Kind.String() }

// Show shows a level, from 0, with nothing drawn.
func (a *App) Show(level int) {
	a.Shown = level
	a.Panel = Panel{}
	a.Stage.Open(level)
	a.Winning, a.Touching = false, false
}

func (a *App) restart() {
	a.Stage.Restart()
	a.Winning, a.Touching = false, false
}

// Advance does what is due by a time: the panel of a completed level comes.
func (a *App) Advance(now time.Duration) {
	if !a.Winning || now < a.WonAt+Celebration {
		return
	}
	a.Winning = false
	a.Panel = Panel{
		Kind:    CompletePanel,
		Title:   "Level complete!",
		Lines:   a.Stage.Words().Complete,
		Buttons: []string{"next level", "play again"},
	}
}

// Touch is one finger.
func (a *App) Touch(action int, x, y float64, now time.Duration) {
	if a.Size.X <= 0 || a.Size.Y <= 0 || math.IsNaN(x+y) || math.IsInf(x+y, 0) {
		return
	}
	a.Advance(now)
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

// down takes hold of what is drawn or presses a button.
func (a *App) down(x, y float64) {
	if a.Winning || a.Touching {
		return
	}
	a.Finger = [2]float64{x, y}
	a.pressed = a.buttonAt(x, y)
	if a.pressed == NoButton && a.Panel.Kind == NoPanel {
		a.Touching = a.Stage.Begin(x, y)
	}
}

// drag moves the finger. However far it went, it came through every cell on
// its line.
func (a *App) drag(x, y float64) {
	if !a.Touching {
		return
	}
	x, y = min(max(x, 0), float64(a.Size.X)), min(max(y, 0), float64(a.Size.Y))
	Pass(a.Finger, [2]float64{x, y}, a.Stage.Pitch(), a.Stage.Enter)
	a.Finger = [2]float64{x, y}
}

// Pass calls enter at the places that a finger comes through on its way, sixteen
// a pitch.
func Pass(from, to [2]float64, pitch float64, enter func(x, y float64)) {
	dx, dy := to[0]-from[0], to[1]-from[1]
	steps := math.Ceil(math.Hypot(dx, dy) / pitch * 16)
	for i := 1.0; i <= steps; i++ {
		part := i / steps
		enter(from[0]+part*dx, from[1]+part*dy)
	}
}

// up ends a stroke or pushes the button that was pressed.
func (a *App) up(x, y float64, now time.Duration) {
	if a.Touching {
		a.Touching = false
		a.Stage.Lift()
		if a.Stage.Complete() {
			a.Winning, a.WonAt = true, now
		}
	}
	pressed := a.pressed
	a.pressed = NoButton
	if pressed != NoButton && pressed == a.buttonAt(x, y) {
		a.Push(pressed)
	}
}

// buttonAt is the button at a place that a tap would push now.
func (a *App) buttonAt(x, y float64) Button {
	l := a.Stage.Frame()
	if a.Panel.Kind != NoPanel {
		place := l.Panel(a.Panel)
		if place.Close.Contains(x, y) {
			return CloseButton
		}
		for i, b := range place.Buttons {
			if b.Contains(x, y) {
				return PanelButton + Button(i)
			}
		}
		return NoButton
	}
	for b := PreviousButton; b <= HintButton; b++ {
		if l.Buttons[b].Contains(x, y) && a.Enabled(b) {
			return b
		}
	}
	return NoButton
}

// Enabled reports whether a button below the board does something.
func (a *App) Enabled(b Button) bool {
	switch b {
	case PreviousButton:
		return a.Shown > 0
	case NextButton:
		return a.Shown < a.Levels-1
	}
	return true
}

// Push does what a button is for.
func (a *App) Push(b Button) {
	switch b {
	case PreviousButton:
		a.Show(a.Shown - 1)
	case NextButton:
		a.Show(a.Shown + 1)
	case RestartButton:
		a.restart()
	case HintButton:
		a.Panel = Panel{Kind: NoticePanel, Title: "Hints", Lines: []string{"You have no hints left."}, Buttons: []string{"ok"}}
	default:
		a.choose(b)
	}
}

// choose pushes a button of the panel.
func (a *App) choose(b Button) {
	complete := a.Panel.Kind == CompletePanel
	a.Panel = Panel{}
	switch {
	case !complete || b == CloseButton:
	case b != PanelButton:
		a.restart()
	case a.Shown < a.Levels-1:
		a.Show(a.Shown + 1)
	default:
		// One button, so that it cannot be taken for a completed level.
		a.Panel = Panel{Kind: PackPanel, Title: "The end", Lines: a.Stage.Words().Pack, Buttons: []string{"ok"}}
	}
}

// Back is the BACK key: it closes a panel. On a level it asks whether to go
// on, as leaving is the phone's business.
func (a *App) Back(now time.Duration) {
	a.Advance(now)
	switch {
	case a.Panel.Kind != NoPanel:
		a.Panel = Panel{}
	case !a.Winning && !a.Touching:
		a.Panel = Panel{Kind: NoticePanel, Title: "Pause", Lines: []string{"Level " + strconv.Itoa(a.Level()) + " is waiting."}, Buttons: []string{"go on"}}
	}
}
