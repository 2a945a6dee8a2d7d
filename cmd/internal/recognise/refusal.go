package recognise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tapwise/solvers"
)

// Refusal says why no game could read something: in the words of the game that
// it probably is one of, for that is where the mistake is. It is an error of one
// line.
type Refusal struct {
	Reasons []Reason // of each game, the likeliest first
	screen  bool     // it was no text
}

// Reason is why one game could not read something.
type Reason struct {
	Game string
	Err  error
	// Likeness is how much it is like what the game reads: 0 is not at all, 1 and
	// more is all over.
	Likeness float64
}

// refuse puts the reasons in order.
func refuse(reasons []Reason, screen bool) *Refusal {
	slices.SortStableFunc(reasons, func(a, b Reason) int { return cmp.Compare(b.Likeness, a.Likeness) })
	return &Refusal{reasons, screen}
}

func (r *Refusal) Error() string {
	likeliest := r.Reasons[0]
	if r.screen && likeliest.Likeness == 0 {
		return likeliest.Err.Error() // it is no more that game's than any other's
	}
	return r.line(likeliest)
}

// Unwrap is the reason of the likeliest game.
func (r *Refusal) Unwrap() error { return r.Reasons[0].Err }

// Others are the reasons of the other games, a line each.
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

// likenessBytes is how much of a text is compared with the notations.
const likenessBytes = 64 << 10

// Text reads a puzzle's text as that of the first game whose notation it is. It
// fails with a *Refusal.
func Text(text string, games []solvers.Game) (solvers.Game, solvers.Puzzle, error) {
	var reasons []Reason
	for _, game := range games {
		puzzle, err := game.Parse(text)
		if err == nil {
			return game, puzzle, nil
		}
		reasons = append(reasons, Reason{Game: game.Name(), Err: err})
	}
	sample := outdented(text[:min(len(text), likenessBytes)])
	for i, game := range games {
		reasons[i].Likeness = game.Likeness(sample)
	}
	return nil, nil, refuse(reasons, false)
}

// outdented is a text without the blanks that all of its lines begin with.
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

// likeness is how far reading a board came: how many of its cells are like ones
// of the game, as sure as its lattice is, and whether they made a puzzle.
func (s *Sight) likeness() float64 {
	if s.Seen == nil || s.Seen.Layout.Rows == 0 {
		return 0
	}
	likeness := s.Game.Familiarity(s.Seen) * (1 + s.Seen.Confidence) / 2
	if s.whole {
		likeness++
	}
	return likeness
}
