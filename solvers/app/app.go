package app

import (
	"image"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"tapwise/solvers/screen"
)

// Celebration is how long a completed level usually shows before its panel comes.
const Celebration = 400 * time.Millisecond

// Stage is the part of an app that knows the game. An app that embeds [App] has
// Enabled and Push from it, and may replace them.
type Stage interface {
	Open(level int) // shows a level, from 0, as it begins
	Restart()       // takes off the board what was played
	Leave() bool    // leads from a level to the app's home page; false when it has none
	Frame() Frame   // where buttons and panels lie on a screen of the app's size

	// Begin is a finger that comes down beside all buttons; false when it takes
	// hold of nothing. Drag moves a finger that has hold of something, Lift ends
	// that; both report whether they have just completed the level.
	Begin(x, y float64) bool
	Drag(x, y float64) bool
	Lift() bool

	Complete() bool
	Completed() Panel // what comes over a completed level
	Ended() Panel     // what comes after the last level

	Enabled(b Button) bool // whether a button is there and does something
	Push(b Button)         // does what a button is for
}

// Frame is where buttons and panels lie.
type Frame interface {
	Boxes() map[Button]Box // the buttons on the screen
	Panel(p Panel) PanelPlace
}

// App is an app of levels. Until it has been drawn once it does not know its
// screen's size and ignores touches.
type App struct {
	Stage       Stage
	Levels      int           // how many there are
	Title       string        // the pack's name
	Celebration time.Duration // how long a completed level shows before its panel comes
	Eager       bool          // buttons work during the celebration
	Bare        bool          // no panel comes after it, and buttons work again
	Start       Button        // the home page's only one, which leads to the level; NoButton: it has others

	Shown    int           // the level on the screen, from 0
	Home     bool          // the home page is on the screen instead
	Panel    Panel         // what covers it
	Winning  bool          // the level is complete and its panel is about to come
	WonAt    time.Duration // when the level was completed
	Now      time.Duration // the time of the last touch or drawing
	Size     image.Point   // the screen's, as it was last drawn
	Finger   [2]float64    // where it came down, or has come to by Pass
	Touching bool          // the finger has hold of something

	pressed    Button // under the finger since it came down
	neighbours bool   // see WantNeighbours
}

// Level is the number of the level on the screen, from 1; 0 on the home page.
func (a *App) Level() int {
	if a.Home {
		return 0
	}
	return a.Shown + 1
}

// Won reports whether the level on the screen is complete.
func (a *App) Won() bool { return !a.Touching && a.Stage.Complete() }

// Screen names what is shown: home, level, complete (the panel of a completed
// level), pack complete or notice.
func (a *App) Screen() string {
	if a.Home && a.Panel.Kind == NoPanel {
		return "home"
	}
	return a.Panel.Kind.String()
}

// Show goes to a level, from 1, as if the app did so by itself. There is nothing
// beyond the last.
func (a *App) Show(level int) {
	if level < 1 || level > a.Levels {
		return
	}
	a.Shown = level - 1
	a.Home, a.Panel = false, Panel{}
	a.Stage.Open(a.Shown)
	a.Winning, a.Touching = false, false
}

// GoHome shows the home page.
func (a *App) GoHome() {
	a.Home, a.Panel, a.Touching = true, Panel{}, false
}

func (a *App) restart() {
	a.Stage.Restart()
	a.Winning, a.Touching = false, false
}

// Prepare has the app know the canvas and the time, and does what is due by then.
// It reports whether there is anything to draw on.
func (a *App) Prepare(c screen.Canvas, now time.Duration) bool {
	a.Size = c.Size()
	if a.Size.X <= 0 || a.Size.Y <= 0 {
		return false
	}
	a.advance(now)
	return true
}

// advance does what is due by a time: the panel of a completed level comes.
func (a *App) advance(now time.Duration) {
	a.Now = now
	if !a.Winning || a.Home || now < a.WonAt+a.Celebration {
		return
	}
	a.Winning = false
	if panel := a.Stage.Completed(); !a.Bare {
		a.Panel = panel
	}
}

// Touch is one finger.
func (a *App) Touch(action int, x, y float64, now time.Duration) {
	if a.Size.X <= 0 || a.Size.Y <= 0 || math.IsNaN(x+y) || math.IsInf(x+y, 0) {
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
		a.up(x, y)
	}
}

// down takes hold of something on the board or presses a button.
func (a *App) down(x, y float64) {
	if a.Winning && !a.Eager || a.Touching {
		return
	}
	a.Finger = [2]float64{x, y}
	a.pressed = a.buttonAt(x, y)
	if a.pressed == NoButton && !a.Home && a.Panel.Kind == NoPanel {
		a.Touching = a.Stage.Begin(x, y)
	}
}

// drag moves the finger.
func (a *App) drag(x, y float64) {
	if a.Touching && a.Stage.Drag(x, y) {
		a.win()
	}
}

// win begins the celebration of a completed level.
func (a *App) win() { a.Winning, a.WonAt = true, a.Now }

// WantNeighbours makes the app look only at where the finger is, as apps do that ask
// once a frame: a cell that it does not stop on is left out.
func (a *App) WantNeighbours() { a.neighbours = true }

// Pass moves the finger to a place, or to the nearest on the screen. However far
// it goes, it comes through every cell on its line: enter is called at sixteen
// places a pitch.
func (a *App) Pass(x, y, pitch float64, enter func(x, y float64)) {
	x, y = min(max(x, 0), float64(a.Size.X)), min(max(y, 0), float64(a.Size.Y))
	if a.neighbours {
		a.Finger = [2]float64{x, y}
		enter(x, y)
		return
	}
	dx, dy := x-a.Finger[0], y-a.Finger[1]
	steps := math.Ceil(math.Hypot(dx, dy) / pitch * 16)
	for i := 1.0; i <= steps; i++ {
		part := i / steps
		enter(a.Finger[0]+part*dx, a.Finger[1]+part*dy)
	}
	a.Finger = [2]float64{x, y}
}

// up lets go, or pushes the button that was pressed.
func (a *App) up(x, y float64) {
	if a.Touching {
		a.Touching = false
		if a.Stage.Lift() {
			a.win()
		}
	}
	pressed := a.pressed
	a.Release()
	if pressed != NoButton && pressed == a.buttonAt(x, y) {
		a.Stage.Push(pressed)
	}
}

// Release forgets the button under the finger.
func (a *App) Release() { a.pressed = NoButton }

// buttonAt is the button at a place that a tap would push now. While a panel
// covers the level there are only its buttons and Android's BACK key.
func (a *App) buttonAt(x, y float64) Button {
	frame := a.Stage.Frame()
	boxes := frame.Boxes()
	if boxes[BackKey].Contains(x, y) {
		return BackKey
	}
	if a.Panel.Kind != NoPanel {
		place := frame.Panel(a.Panel)
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
	for _, b := range slices.Sorted(maps.Keys(boxes)) {
		if boxes[b].Contains(x, y) && a.Stage.Enabled(b) {
			return b
		}
	}
	return NoButton
}

// Enabled reports whether a button is there and does something.
func (a *App) Enabled(b Button) bool {
	if a.Start != NoButton && (a.Home || b == a.Start) {
		return a.Home && b == a.Start && a.Levels > 0
	}
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
	case BackKey:
		a.Back(a.Now)
	case a.Start:
		a.Home = false
	case PreviousButton:
		a.Show(a.Level() - 1)
	case NextButton:
		a.Show(a.Level() + 1)
	case RestartButton:
		a.restart()
	case HintButton:
		a.Notice("Hints", "You have no hints left.")
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
	case b == PanelButton:
		a.Follow()
	default:
		a.restart()
	}
}

// Follow goes from a completed level to the next, or says that it was the last.
func (a *App) Follow() {
	if a.Shown < a.Levels-1 {
		a.Show(a.Level() + 1)
	} else {
		a.Panel = a.Stage.Ended()
	}
}

// Notice opens a small panel.
func (a *App) Notice(title string, lines ...string) {
	a.Panel = Panel{Kind: NoticePanel, Title: title, Lines: lines, Buttons: []string{"ok"}}
}

// Back is the BACK key: it closes a panel, or leads to the home page. An app
// without one asks on a level whether to go on, as leaving is the phone's
// business.
func (a *App) Back(now time.Duration) {
	a.advance(now)
	switch {
	case a.Panel.Kind != NoPanel:
		a.Panel = Panel{}
	case a.Stage.Leave():
	case !a.Winning && !a.Touching:
		a.Panel = Panel{Kind: NoticePanel, Title: "Pause", Lines: []string{"Level " + strconv.Itoa(a.Level()) + " is waiting."}, Buttons: []string{"go on"}}
	}
}
