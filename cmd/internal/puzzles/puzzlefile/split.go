package puzzlefile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tapwise/cmd/internal/console/cause"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/vision"
)

// Puzzle is one puzzle of a file in text form, or a whole file that is a picture
// or a SABR program.
type Puzzle struct {
	File    string
	Index   int    // among the file's puzzles, from 0
	Of      int    // the number of puzzles in the file
	Line    int    // the file's line on which it begins, from 1
	Text    string // empty for a picture
	Image   []byte // the picture's file; nil for text
	Program bool   // Text is a SABR program
}

// Name is the file's name, followed by #INDEX when the file holds several puzzles.
func (p Puzzle) Name() string {
	if p.Of > 1 {
		return fmt.Sprintf("%s#%d", p.File, p.Index)
	}
	return p.File
}

// Pack takes the levels apart that come along with a game.
func Pack(game solvers.Game) []Puzzle {
	return Split("the levels of "+game.Name(), []byte(game.About().Pack), game)
}

// Boards returns the levels of a pack of a game as text: of a file, or of the built-in pack if
// that is empty. A picture is refused.
func (r Reader) Boards(ctx context.Context, file string, game solvers.Game) ([]string, error) {
	levels := Pack(game)
	if file != "" {
		var err error
		if levels, err = r.Puzzles(ctx, []string{file}, game); err != nil {
			return nil, err
		}
	}
	if len(levels) == 0 {
		return nil, cause.Inputf("%s brings no levels, expected a file of some", game.Name())
	}
	boards := make([]string, len(levels))
	for i, level := range levels {
		if level.Image != nil || level.Program {
			return nil, cause.Inputf("%s: a picture or a program, expected a pack of levels", level.File)
		}
		_, puzzle, err := Parse(level.Text, game)
		if err != nil {
			return nil, cause.Inputf("%s: puzzle at line %d: %w", level.File, level.Line, err)
		}
		boards[i] = puzzle.String()
	}
	return boards, nil
}

// Split takes the puzzles of a file apart: blocks of lines between empty lines,
// without comments. The game says whether a block holds several puzzles; with
// nil every game is asked. A picture is one Puzzle.
func Split(file string, data []byte, game solvers.Game) []Puzzle {
	if vision.IsPicture(data) {
		return []Puzzle{{File: file, Of: 1, Line: 1, Image: data}}
	}
	var puzzles []Puzzle
	var block []string
	first := 0
	flush := func() {
		if len(block) == 0 {
			return
		}
		line := first
		for _, part := range splitBlock(strings.Join(block, "\n"), game) {
			puzzles = append(puzzles, Puzzle{File: file, Line: line, Text: part})
			line += strings.Count(part, "\n") + 1
		}
		block = nil
	}
	for i, line := range strings.Split(Text(data), "\n") {
		switch {
		case isComment(line):
			continue
		case line == "":
			flush()
			continue
		}
		if len(block) == 0 {
			first = i + 1
		}
		block = append(block, line)
	}
	flush()
	for i := range puzzles {
		puzzles[i].Index, puzzles[i].Of = i, len(puzzles)
	}
	return puzzles
}

func isComment(line string) bool { return line == "#" || strings.HasPrefix(line, "# ") }

// splitBlock asks the games whether a block holds several puzzles. A line that
// holds only blanks is part of a puzzle or separates two.
func splitBlock(block string, game solvers.Game) []string {
	if trimmed := trimRight(block); trimmed != block {
		if _, _, err := Parse(block, game); err == nil {
			return []string{block}
		}
		var parts []string
		for _, part := range strings.Split(trimmed, "\n\n") {
			if part = strings.Trim(part, "\n"); part != "" {
				parts = append(parts, splitBlock(part, game)...)
			}
		}
		return parts
	}
	games := all.Games()
	if game != nil {
		games = []solvers.Game{game}
	}
	for _, g := range games {
		if s, ok := g.(solvers.Splitter); ok {
			if parts := s.Split(block); len(parts) > 1 {
				return parts
			}
		}
	}
	return []string{block}
}

// Text is the text of a file or of a stream. It has no byte order marks, of
// which joined files hold one at the beginning of each part, and its lines end
// in a line feed.
func Text(data []byte) string {
	const byteOrderMark = "\ufeff"
	return strings.ReplaceAll(strings.ReplaceAll(string(data), byteOrderMark, ""), "\r\n", "\n")
}

// WithoutComments is the text of a file without comments and without the empty
// lines at its beginning and end.
func WithoutComments(data []byte) string {
	lines := strings.Split(Text(data), "\n")
	return strings.Trim(strings.Join(slices.DeleteFunc(lines, isComment), "\n"), "\n")
}

// trimRight removes the blanks at the ends of a text's lines. They mean something
// in some notations and are an accident in others.
func trimRight(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Join(lines, "\n")
}
