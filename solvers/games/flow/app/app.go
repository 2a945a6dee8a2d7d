package app

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/screen"
)

// app is the app of the simulated phone. Its home page is the list of levels.
type app struct {
	*simapp.BoardApp[board.Cell, *level, *layout]
	levels []*flow.Puzzle
	seed   uint64
	look   look

	colours []color.NRGBA // the pipes'
	best    []int         // by level: the fewest moves it was completed in, 0 before
	wins    []int         // by level: how often it was completed
	page    int           // the page of the list, from 0

	backdrop *image.NRGBA
	painted  backdrop // what the backdrop shows

	finished []bool        // by pipe, as the last stroke left it
	pulsing  []bool        // the pipes that this stroke finished
	pulsed   time.Duration // when it finished them
}

// Celebration is how long a completed level shows before its panel comes.
const Celebration = 350 * time.Millisecond

// levelsAPage and levelsARow shape the list of levels.
const (
	levelsAPage = 30
	levelsARow  = 5
)

// The buttons that other apps do not have.
const (
	leaveButton = simapp.OwnButton + iota // leads to the list
	filmButton
	gearButton
	undoButton
	levelButton // the first level of a page of the list; more follow
)

// New makes an app that offers the levels in order; without levels it shows an
// empty list. The options' Style is words, separated by blanks, in any order:
//
//	green, red, orange, yellow, blue, cyan, purple  the pack's colour; the Seed chooses one when none is named
//	adfree                                          a screen without the banner
//	checks                                          check marks on the ends of finished pipes
//	letters                                         the letters that colour-blind players see on the ends
//
// New fails with puzzles of another game, with a style of other words and with a
// theme whose values make no sense.
func New(levels []solvers.Puzzle, o simapp.Options) (screen.App, error) {
	look, err := parseStyle(o.Style, o.Seed)
	if err != nil {
		return nil, err
	}
	if look.theme = o.Theme; look.theme != nil {
		if err := look.theme.Validate(); err != nil {
			return nil, err
		}
	}
	made, err := simapp.BoardGame[*flow.Puzzle, board.Cell, *level, *layout]{
		Game: flow.Game{}, Title: "Flow", Celebration: Celebration, Home: true, New: newLevel,
		Layout: func(size image.Point, p *flow.Puzzle) *layout { return newLayout(size, p, look.adFree) },
	}.Make(levels, o)
	if err != nil {
		return nil, err
	}
	a := &app{BoardApp: made, seed: o.Seed, look: look, best: make([]int, len(levels)), wins: make([]int, len(levels))}
	if a.levels, err = simapp.Puzzles[*flow.Puzzle](flow.Game{}, levels); err != nil {
		return nil, err
	}
	a.Stage = a
	a.Show(1)
	return a, nil
}

// Screen names what is shown: levels, level, complete (the panel of a completed
// level), pack complete or notice.
func (a *app) Screen() string {
	if a.Home && a.Panel.Kind == simapp.NoPanel {
		return "levels"
	}
	return a.App.Screen()
}

// Relaunch shows what the app shows when it is opened: the list of levels, on the page where it
// was left. Completed levels stay complete.
func (a *app) Relaunch() { a.list() }

// Wins is how often each level was completed.
func (a *app) Wins() []int { return slices.Clone(a.wins) }

// list shows the page of the list that has the level just left.
func (a *app) list() {
	a.page = a.Shown / levelsAPage
	a.Winning = false
	a.GoHome()
}

// pages is the number of pages of the list of levels.
func (a *app) pages() int { return (len(a.levels) + levelsAPage - 1) / levelsAPage }

// onPage is the number of levels on the list's page.
func (a *app) onPage() int { return min(levelsAPage, len(a.levels)-a.page*levelsAPage) }

// Touch is one finger. The pages of the list follow one that swipes.
func (a *app) Touch(action int, x, y float64, now time.Duration) {
	across := x - a.Finger[0]
	if action != screen.TouchUp || !a.Home || !(math.Abs(across) > 0.25*float64(a.Size.X)) || math.IsInf(x+y, 0) || a.Size.X <= 0 {
		a.App.Touch(action, x, y, now)
		return
	}
	a.Release()
	step := 1
	if across > 0 {
		step = -1
	}
	a.page = max(min(a.page+step, a.pages()-1), 0)
}

// Open shows a level as it begins.
func (a *app) Open(level int) {
	a.BoardApp.Open(level)
	a.colours = a.look.colours(a.levels[level])
}

// Restart begins the level anew.
func (a *app) Restart() {
	a.BoardApp.Restart()
	a.finished, a.pulsing = nil, nil
}

// Leave leads to the list.
func (a *app) Leave() bool {
	if !a.Home {
		a.list()
	}
	return true
}

// Lift takes the finger off, and keeps how the level was completed.
func (a *app) Lift() bool {
	complete := a.BoardApp.Lift()
	a.pulse()
	if complete {
		a.wins[a.Shown]++
		if best := a.best[a.Shown]; best == 0 || a.Moves() < best {
			a.best[a.Shown] = a.Moves()
		}
	}
	return complete
}

// pulse lets the ends of the pipes swell that the last stroke finished.
func (a *app) pulse() {
	n := len(a.Play.Lines)
	before := a.finished
	a.finished, a.pulsing, a.pulsed = make([]bool, n), make([]bool, n), a.Now
	for pipe := range n {
		a.finished[pipe] = a.Play.Finished(pipe)
		a.pulsing[pipe] = a.finished[pipe] && !(len(before) == n && before[pipe])
	}
}

// Completed counts the moves. Its buttons but one would lead out of the game.
func (a *app) Completed() simapp.Panel {
	panel := simapp.Completed("You completed the level in", board.Count(a.Moves(), "move")+".")
	if a.Moves() == len(a.Play.Lines) {
		panel.Title = "Perfect!"
	}
	panel.Buttons = slices.Insert([]string{"remove ads", "share"}, a.leadsOn(panel), "next level")
	return panel
}

// Ended leads to the list.
func (a *app) Ended() simapp.Panel {
	panel := simapp.Ended("You reached the end of", a.Title+".")
	panel.Title, panel.Buttons = "Pack complete!", []string{"choose level"}
	return panel
}

// leadsOn is which of a panel's buttons leads on.
func (a *app) leadsOn(p simapp.Panel) int {
	if t := a.look.theme; t != nil && p.Kind == simapp.CompletePanel {
		return t.NextButton
	}
	return 0
}

// Enabled reports whether a button is there and does something. The list has
// arrows and levels only.
func (a *app) Enabled(b simapp.Button) bool {
	switch {
	case b == simapp.PreviousButton && a.Home:
		return a.page > 0
	case b == simapp.NextButton && a.Home:
		return a.page < a.pages()-1
	case b >= levelButton:
		return a.Home && int(b-levelButton) < a.onPage()
	case b == undoButton:
		return !a.Home && a.Play.CanUndo()
	}
	return !a.Home && a.App.Enabled(b)
}

// Push does what a button is for. Those that would lead out of the game, such as
// the panel's share, do nothing.
func (a *app) Push(b simapp.Button) {
	switch {
	case b == leaveButton:
		a.Back(a.Now)
	case b == filmButton:
		a.Notice("Free hint", "There is no video to watch", "at the moment.")
	case b == gearButton:
		a.Notice("Settings", "There is nothing to set.")
	case b == undoButton:
		a.Play.Undo()
	case a.Home && b == simapp.PreviousButton:
		a.page--
	case a.Home && b == simapp.NextButton:
		a.page++
	case b >= levelButton:
		a.Show(a.page*levelsAPage + int(b-levelButton) + 1)
	case a.Panel.Kind != simapp.NoPanel && b >= simapp.PanelButton:
		a.follow(int(b - simapp.PanelButton))
	default:
		a.App.Push(b)
	}
}

// follow pushes a button of a panel, from 0.
func (a *app) follow(button int) {
	if button != a.leadsOn(a.Panel) {
		return
	}
	kind := a.Panel.Kind
	a.Panel = simapp.Panel{}
	switch kind {
	case simapp.PackPanel:
		a.list()
	case simapp.CompletePanel:
		a.Follow()
	}
}

// subtitle is the board's size as the header shows it.
func (a *app) subtitle() string {
	return fmt.Sprintf("%dx%d", a.Play.puzzle.Size().Cols, a.Play.puzzle.Size().Rows)
}
