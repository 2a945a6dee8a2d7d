package app

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/flow"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
)

// app is the app of the simulated phone: it looks and behaves as the real
// game does. Until it has been drawn once it does not know its screen's size
// and ignores touches.
type app struct {
	levels []*flow.Puzzle
	title  string // the pack's name
	seed   uint64
	look   look

	level   int // the one on the screen, from 0
	board   *level
	colours []color.NRGBA // of the board's pipes
	best    []int         // of each level: the fewest moves it was completed in, 0 before
	wins    []int         // of each level: how often it was completed
	listed  bool          // the list of levels is on the screen
	page    int           // of the list
	panel   simapp.Panel  // what covers the level
	winning bool          // the level is complete and its panel is about to come
	won     time.Duration // when the level was completed

	size     image.Point // of the screen as it was last drawn
	layout   *layout     // nil when it is to be laid out anew
	backdrop *image.NRGBA
	painted  backdrop // what backdrop shows

	pressed  button // under the finger since it came down
	finger   [2]float64
	touching bool // the finger draws

	finished []bool        // of each pipe, as the last stroke left it
	pulsing  []bool        // what that stroke finished
	pulsed   time.Duration // when it did
}

// backdrop says for what a backdrop was painted.
type backdrop struct {
	size   image.Point
	unit   float64
	stream int
}

// celebration is how long a completed level shows before its panel comes.
const celebration = 350 * time.Millisecond

// levelsAPage and levelsARow shape the list of levels.
const (
	levelsAPage = 30
	levelsARow  = 5
)

// newApp is an app that offers the levels in order. The options' style has
// been checked; a word of it that is not known changes nothing.
func newApp(levels []*flow.Puzzle, o simapp.Options) screen.App {
	look, _ := parseStyle(o.Style, o.Seed)
	look.theme = o.Theme
	title := o.Pack
	if title == "" {
		title = "Flow"
	}
	a := &app{levels: levels, title: title, seed: o.Seed, look: look, best: make([]int, len(levels)), wins: make([]int, len(levels))}
	if len(levels) == 0 {
		a.listed = true
	} else {
		a.open(0)
	}
	return a
}

// Package is the app's name on the phone.
func (a *app) Package() string { return "com.example.flow" }

// Level is the number of the level on the screen, from 1; 0 when the list of
// levels is shown.
func (a *app) Level() int {
	if a.listed {
		return 0
	}
	return a.level + 1
}

// Won reports whether the level on the screen is complete.
func (a *app) Won() bool { return a.board != nil && a.board.stroke < 0 && a.board.complete() }

// Moves is the number of moves made on the level.
func (a *app) Moves() int {
	if a.board == nil {
		return 0
	}
	return a.board.moves
}

// Board is the level as it is drawn so far, in the notation of solutions.
func (a *app) Board() string {
	if a.board == nil {
		return ""
	}
	return a.board.String()
}

// Screen names what is shown: levels, level, complete (the panel of a
// completed level), pack complete or notice.
func (a *app) Screen() string {
	if a.listed && a.panel.Kind == simapp.NoPanel {
		return "levels"
	}
	return a.panel.Kind.String()
}

// open shows a level, with nothing drawn.
func (a *app) open(level int) {
	a.level = level
	a.listed = false
	a.panel = simapp.Panel{}
	a.layout = nil
	a.restart()
	a.colours = a.look.colours(a.levels[level])
}

// Show goes to a level, from 1, as if the app did so by itself. There is
// nothing beyond the last.
func (a *app) Show(level int) {
	if level >= 1 && level <= len(a.levels) {
		a.open(level - 1)
	}
}

// Relaunch shows what the app shows when it is opened: the list of levels, on
// the page where it was left. What is complete is kept.
func (a *app) Relaunch() { a.list() }

// Wins is how often each level was completed.
func (a *app) Wins() []int { return slices.Clone(a.wins) }

// restart takes everything off the board.
func (a *app) restart() {
	a.board = newLevel(a.levels[a.level])
	a.finished, a.pulsing = nil, nil
	a.winning, a.touching = false, false
}

// list shows the page of the list that has the level just left.
func (a *app) list() {
	a.listed = true
	a.page = a.level / levelsAPage
	a.panel = simapp.Panel{}
	a.layout = nil
	a.winning, a.touching = false, false
}

// lay lays the screen out when its size or contents have changed.
func (a *app) lay() *layout {
	if a.layout == nil || a.layout.size != a.size {
		var p *flow.Puzzle
		if !a.listed {
			p = a.levels[a.level]
		}
		a.layout = newLayout(a.size, p, a.look.adFree)
	}
	return a.layout
}

// advance does what is due by a time: the panel of a completed level comes.
func (a *app) advance(now time.Duration) {
	if !a.winning || now < a.won+celebration {
		return
	}
	a.winning = false
	a.panel = simapp.Panel{
		Kind:  simapp.CompletePanel,
		Title: "Level complete!",
		Lines: []string{"You completed the level in", board.Count(a.board.moves, "move") + "."},
	}
	a.panel.Buttons = slices.Insert([]string{"remove ads", "share"}, a.leadsOn(), "next level")
	if a.board.moves == len(a.board.pipes) {
		a.panel.Title = "Perfect!"
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
		a.down(x, y)
	case screen.TouchMove:
		a.drag(x, y)
	case screen.TouchUp:
		a.drag(x, y)
		a.up(x, y, now)
	}
}

// down takes hold of a pipe or presses a button.
func (a *app) down(x, y float64) {
	if a.winning || a.touching {
		return
	}
	a.finger = [2]float64{x, y}
	a.pressed = a.buttonAt(x, y)
	if a.pressed == noButton && !a.listed && a.panel.Kind == simapp.NoPanel {
		c := a.lay().cellAt(x, y)
		a.touching = c != board.None && a.board.begin(c)
	}
}

// drag moves the finger. However far it went, it came through every cell on
// its line.
func (a *app) drag(x, y float64) {
	if !a.touching {
		return
	}
	l := a.lay()
	x, y = min(max(x, 0), float64(a.size.X)), min(max(y, 0), float64(a.size.Y))
	simapp.Pass(a.finger, [2]float64{x, y}, l.pitch, func(x, y float64) {
		if c := l.cellAt(x, y); c != board.None {
			a.board.enter(c)
		}
	})
	a.finger = [2]float64{x, y}
}

// up ends a stroke or pushes the button that was pressed.
func (a *app) up(x, y float64, now time.Duration) {
	if a.touching {
		a.touching = false
		a.board.lift()
		a.pulse(now)
		if a.board.complete() {
			a.winning, a.won = true, now
			a.wins[a.level]++
			if best := a.best[a.level]; best == 0 || a.board.moves < best {
				a.best[a.level] = a.board.moves
			}
		}
	}
	pressed := a.pressed
	a.pressed = noButton
	if a.listed && math.Abs(x-a.finger[0]) > 0.25*float64(a.size.X) { // swiped: the pages follow the finger
		step := 1
		if x > a.finger[0] {
			step = -1
		}
		a.page = min(max(a.page+step, 0), a.pages()-1)
		return
	}
	if pressed != noButton && pressed == a.buttonAt(x, y) {
		a.push(pressed, now)
	}
}

// pulse lets the ends of the pipes swell that a stroke has finished.
func (a *app) pulse(now time.Duration) {
	n := len(a.board.pipes)
	before := a.finished
	a.finished, a.pulsing, a.pulsed = make([]bool, n), make([]bool, n), now
	for pipe := range n {
		a.finished[pipe] = a.board.finished(pipe)
		a.pulsing[pipe] = a.finished[pipe] && !(len(before) == n && before[pipe])
	}
}

// buttonAt is the button at a place that a tap would push now.
func (a *app) buttonAt(x, y float64) button {
	l := a.lay()
	if l.buttons[androidBackButton].Contains(x, y) {
		return androidBackButton
	}
	if a.panel.Kind != simapp.NoPanel {
		place := l.panel(a.panel)
		if place.Close.Contains(x, y) {
			return closeButton
		}
		for i, b := range place.Buttons {
			if b.Contains(x, y) {
				return panelButton + button(i)
			}
		}
		return noButton
	}
	for b := backButton; b <= hintButton; b++ {
		if l.buttons[b].Contains(x, y) && a.enabled(b) {
			return b
		}
	}
	if a.listed {
		for i := range a.onPage() {
			if l.square(i).Contains(x, y) {
				return levelButton + button(i)
			}
		}
	}
	return noButton
}

// enabled reports whether a button of the header or footer is there and does
// something.
func (a *app) enabled(b button) bool {
	switch b {
	case previousButton:
		return a.listed && a.page > 0 || !a.listed && a.level > 0
	case nextButton:
		return a.listed && a.page < a.pages()-1 || !a.listed && a.level < len(a.levels)-1
	case undoButton:
		return !a.listed && len(a.board.history) > 0
	}
	return !a.listed // the list has arrows only
}

// push does what a button is for. Those that would lead out of the game, such
// as the panel's share, do nothing.
func (a *app) push(b button, now time.Duration) {
	switch b {
	case backButton, androidBackButton:
		a.Back(now)
	case filmButton:
		a.notice("Free hint", "There is no video to watch", "at the moment.")
	case gearButton:
		a.notice("Settings", "There is nothing to set.")
	case hintButton:
		a.notice("Hints", "You have no hints left.")
	case undoButton:
		a.board.undo()
	case restartButton:
		a.restart()
	case previousButton, nextButton:
		step := 1
		if b == previousButton {
			step = -1
		}
		if a.listed {
			a.page += step
		} else {
			a.open(a.level + step)
		}
	case closeButton:
		a.panel = simapp.Panel{}
	case panelButton + button(a.leadsOn()):
		a.follow()
	default:
		if b >= levelButton {
			a.open(a.page*levelsAPage + int(b-levelButton))
		}
	}
}

// leadsOn is which of a panel's buttons leads on.
func (a *app) leadsOn() int {
	if t := a.look.theme; t != nil && a.panel.Kind == simapp.CompletePanel {
		return t.NextButton
	}
	return 0
}

// follow pushes the button of a panel that leads on.
func (a *app) follow() {
	switch {
	case a.panel.Kind == simapp.PackPanel:
		a.list()
	case a.panel.Kind == simapp.CompletePanel && a.level < len(a.levels)-1:
		a.open(a.level + 1)
	case a.panel.Kind == simapp.CompletePanel:
		a.panel = simapp.Panel{
			Kind:    simapp.PackPanel,
			Title:   "Pack complete!",
			Lines:   []string{"You reached the end of", a.title + "."},
			Buttons: []string{"choose level"}, // one, so that it cannot be taken for a completed level
		}
	default:
		a.panel = simapp.Panel{}
	}
}

// notice opens a small panel.
func (a *app) notice(title string, lines ...string) {
	a.panel = simapp.Panel{Kind: simapp.NoticePanel, Title: title, Lines: lines, Buttons: []string{"ok"}}
}

// Back is the BACK key: it closes a panel, then leads to the list of levels.
func (a *app) Back(now time.Duration) {
	a.advance(now)
	switch {
	case a.panel.Kind != simapp.NoPanel:
		a.panel = simapp.Panel{}
	case !a.listed:
		a.list()
	}
}

// pages is the number of pages of the list of levels.
func (a *app) pages() int { return (len(a.levels) + levelsAPage - 1) / levelsAPage }

// onPage is the number of levels on the list's page.
func (a *app) onPage() int { return min(levelsAPage, len(a.levels)-a.page*levelsAPage) }

// subtitle is the board's size as the header shows it.
func (a *app) subtitle() string {
	return fmt.Sprintf("%dx%d", a.board.puzzle.Size().Cols, a.board.puzzle.Size().Rows)
}

// New makes an app that offers the levels in order. The options' Style is words,
// see [parseStyle]. It fails with puzzles of another game, with a style of other
// words and with a theme whose values make no sense.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	if _, err := parseStyle(o.Style, o.Seed); err != nil {
		return nil, err
	}
	if o.Theme != nil {
		if err := o.Theme.Validate(); err != nil {
			return nil, err
		}
	}
	puzzles, err := simapp.Puzzles[*flow.Puzzle](flow.Game{}, levels)
	if err != nil {
		return nil, err
	}
	return newApp(puzzles, o), nil
}
