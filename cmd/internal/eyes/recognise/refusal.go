package recognise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
)

// Refusal is the error for a frame or a text that no game could read. It is one line long, in
// the words of the likeliest game, since the mistake is there.
type Refusal struct {
	Reasons []Reason // one for each game, the likeliest first
	screen  bool     // a frame was refused, not a text
}

// Reason is why one game could not read a frame or a text.
type Reason struct {
	Game string
	Err  error
	// Likeness says how much of it looks like this game's: 0 nothing, 1 or more all.
	Likeness float64
}

// refuse makes a refusal of at least one reason.
func refuse(reasons []Reason, screen bool) *Refusal {
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(b.Likeness, a.Likeness) })
	return &Refusal{reasons, screen}
}

func (r *Refusal) Error() string {
	likeliest := r.Reasons[0]
	if r.screen && likeliest.Likeness == 0 {
		return likeliest.Err.Error() // no game is likelier than another
	}
	return r.line(likeliest)
}

// Unwrap returns the likeliest game's error.
func (r *Refusal) Unwrap() error { return r.Reasons[0].Err }

// Others returns the reasons of the other games, one line each.
func (r *Refusal) Others() []string {
	var lines []string
	for _, reason := range r.Reasons[1:] {
		lines = append(lines, r.line(reason))
	}
	return lines
}

func (r *Refusal) line(reason Reason) string {
	if r.screen {
		return fmt.Sprintf("no board of %s: %v", reason.Game, reason.Err)
	}
	return reason.Err.Error() // a notation's errors begin with the game's name
}

// likenessBytes is the length of the part of a text compared with the notations.
const likenessBytes = 64 << 10

// AmbiguousError is the error for a text that is a puzzle of several games.
type AmbiguousError struct {
	Games []string
}

func (e *AmbiguousError) Error() string {
	return "reads as a board of " + strings.Join(e.Games, " and as one of ") + ": expected --game to tell which"
}

// Text reads a text as a puzzle of the game whose notation it is in. If it is in no game's
// notation, Text fails with a *Refusal; if in that of several games, with an *AmbiguousError. A
// board that breaks a game's usual form is read if no game is likelier.
func Text(text string, games []solvers.Game) (solvers.Game, solvers.Puzzle, error) {
	var reasons []Reason
	var found []solvers.Game
	puzzles := map[string]solvers.Puzzle{}
	for _, game := range games {
		puzzle, err := game.Parse(text)
		if err == nil {
			puzzles[game.Name()] = puzzle
			irregularity := solvers.Irregularity(puzzle)
			if irregularity == "" {
				found = append(found, game)
			}
			err = fmt.Errorf("%s: %s", game.Name(), irregularity)
		}
		reasons = append(reasons, Reason{Game: game.Name(), Err: err})
	}
	switch {
	case len(found) == 1:
		return found[0], puzzles[found[0].Name()], nil
	case len(found) > 1:
		return nil, nil, &AmbiguousError{[]string{found[0].Name(), found[1].Name()}}
	}
	sample := outdented(text[:min(len(text), likenessBytes)])
	for i, game := range games {
		reasons[i].Likeness = game.Likeness(sample)
	}
	refusal := refuse(reasons, false)
	if likeliest := refusal.Reasons[0].Game; puzzles[likeliest] != nil {
		i := slices.IndexFunc(games, func(g solvers.Game) bool { return g.Name() == likeliest })
		return games[i], puzzles[likeliest], nil
	}
	return nil, nil, refusal
}

// outdented returns a text without the blanks that all of its lines begin with.
func outdented(text string) string {
	lines := strings.Split(text, "\n")
	indent := len(text)
	for _, line := range lines {
		indent = min(indent, len(line)-len(strings.TrimLeft(line, " ")))
	}
	for i := range lines {
		lines[i] = lines[i][indent:]
	}
	return strings.Join(lines, "\n")
}

// likeness is a measure of how far the game got with a frame: the share of cells
// that look like the game's, weighted by the confidence in the lattice, plus 1 if
// the cells made a puzzle.
func (s *Sight) likeness() float64 {
	if s.Seen == nil || s.Seen.Layout.Rows == 0 {
		return 0
	}
	likeness := s.Game.Familiarity(s.Seen) * (1 + s.Seen.Confidence) / 2
	if s.whole() {
		likeness++
	}
	return likeness
}
