package all

import (
	"strings"

	"tapwise/solvers"
)

// Ability is something that only some games can do, or that holds for only some
// of them.
type Ability struct {
	Name    string   // of the interface in package solvers or of the field of screen.Spec, or simulated app
	Meaning string   // a few words that say what a game with the ability does
	Games   []string // the names of the games that have it, in the order of Games
}

// Abilities lists the abilities beyond what every game has. The package comment
// of solvers shows them as a table.
func Abilities() []Ability {
	var abilities []Ability
	for _, row := range []struct {
		name, meaning string
		holds         func(listed) bool
	}{
		{"OneSolution", "its levels have exactly one solution", func(l listed) bool { return l.game.About().OneSolution }},
		{"Splitter", "its notation may hold several puzzles in a block of lines", game[solvers.Splitter]},
		{"Voucher", "tells when a board with several solutions was seen clearly enough", game[solvers.Voucher]},
		{"Distinguisher", "tells its boards from another game's that look alike", puzzle[solvers.Distinguisher]},
		{"Filler", "tells how far a level is played", puzzle[solvers.Filler]},
		{"Grader", "makes puzzles by grades of difficulty of its own", game[solvers.Grader]},
		{"simulated app", "brings an app for the simulated phone", func(l listed) bool { return l.app != nil }},
		{"Explainer", "gives a reason for no solution without a search", puzzle[solvers.Explainer]},
		{"Irregular", "solves boards that break the usual form but no rule", puzzle[solvers.Irregular]},
		{"Adviser", "tells a step that must be made, and why", puzzle[solvers.Adviser]},
		{"Coverer", "can leave out the rule that every cell is covered", puzzle[solvers.Coverer]},
		{"Tidier", "can leave out solutions with paths that can be shortened", puzzle[solvers.Tidier]},
		{"Editable", "has several notations, one of which the page edits", puzzle[solvers.Editable]},
		{"Counter", "counts solutions without listing them", puzzle[solvers.Counter]},
		{"Annotator", "names what is in each cell", puzzle[solvers.Annotator]},
		{"Pather", "its solutions consist of paths", solution[solvers.Pather]},
		{"Mover", "its solutions are lists of moves", solution[solvers.Mover]},
		{"Retractor", "can take back what a gesture drew", solution[solvers.Retractor]},
	} {
		a := Ability{Name: row.name, Meaning: row.meaning}
		for _, l := range list() {
			if row.holds(l) {
				a.Games = append(a.Games, l.game.Name())
			}
		}
		abilities = append(abilities, a)
	}
	return abilities
}

// game reports whether a game has ability A.
func game[A any](l listed) bool { _, ok := l.game.(A); return ok }

// puzzle reports whether a game's puzzles have ability A.
func puzzle[A any](l listed) bool { _, ok := l.puzzle.(A); return ok }

// solution reports whether a game's solutions have ability A.
func solution[A any](l listed) bool { _, ok := l.solution.(A); return ok }

// With are the names of the games that have an ability, joined by commas, for texts of
// help.
func With(ability string) string {
	for _, a := range Abilities() {
		if a.Name == ability {
			return strings.Join(a.Games, ", ")
		}
	}
	return ""
}
