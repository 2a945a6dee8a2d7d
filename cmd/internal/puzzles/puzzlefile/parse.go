package puzzlefile

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

// Parse reads a puzzle's text in the notation of a game, or as other people's programs write
// boards, if only one puzzle can be meant. With a nil game it is the first game that can read
// it; if none can, the error is a [recognise.Refusal].
func Parse(text string, game solvers.Game) (solvers.Game, solvers.Puzzle, error) {
	games := all.Games()
	if game != nil {
		games = []solvers.Game{game}
	}
	g, p, err := recognise.Text(text, games)
	if err == nil && solvers.Irregularity(p) == "" && (len(games) == 1 || !strings.Contains(text, "0")) {
		return g, p, nil
	}
	spellings, foreign := respell(text)
	for _, s := range spellings {
		other, q, otherErr := recognise.Text(s.text, games)
		switch {
		case otherErr != nil && foreign && (err != nil && likeness(otherErr) > likeness(err)):
			err = relined(otherErr, s.lines)
		case otherErr != nil:
		case p == nil, solvers.Irregularity(p) != "" && solvers.Irregularity(q) == "":
			g, p, err = other, q, nil
		case solvers.Irregularity(q) == "" && other.Name() != g.Name():
			return nil, nil, &recognise.AmbiguousError{Games: []string{g.Name(), other.Name()}}
		}
	}
	if refusal := (*recognise.Refusal)(nil); game != nil && errors.As(err, &refusal) {
		err = refusal.Unwrap()
	}
	return g, p, err
}

// likeness is how much a refused text looks like the likeliest game's notation.
func likeness(err error) float64 {
	var refusal *recognise.Refusal
	if errors.As(err, &refusal) {
		return refusal.Reasons[0].Likeness
	}
	return 0
}

var lineNumber = regexp.MustCompile(`\bline \d+`)

// relined is the refusal of a spelling, with the lines of the text that it was made of.
func relined(err error, lines []int) error {
	var refusal *recognise.Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	told := *refusal
	told.Reasons = slices.Clone(told.Reasons)
	for i, reason := range told.Reasons {
		told.Reasons[i].Err = errors.New(lineNumber.ReplaceAllStringFunc(reason.Err.Error(), func(found string) string {
			if n, _ := strconv.Atoi(strings.TrimPrefix(found, "line ")); n >= 1 && n <= len(lines) {
				return "line " + strconv.Itoa(lines[n-1])
			}
			return found
		}))
	}
	return &told
}

// ParseSolution reads a solution's text, with or without the blanks at the ends
// of its lines, or as other people's programs write boards.
func ParseSolution(puzzle solvers.Puzzle, text string) (solvers.Solution, error) {
	solution, err := puzzle.ParseSolution(text)
	if err == nil {
		return solution, nil
	}
	spellings, _ := respell(text)
	for _, other := range append([]spelling{{text: trimRight(text)}}, spellings...) {
		if trimmed, err := puzzle.ParseSolution(other.text); err == nil {
			return trimmed, nil
		}
	}
	return nil, err
}
