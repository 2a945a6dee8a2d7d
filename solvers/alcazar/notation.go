package alcazar

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tapwise/solvers/board"
)

// Form is one of the ways to write a board.
type Form int

// The forms, as the package comment describes them.
const (
	Grid  Form = iota // AlcaSAT's grid of characters
	Box               // box-drawing characters
	Plain             // plain drawing, rooms four characters apart
)

func (f Form) String() string { return [...]string{"grid", "box", "plain"}[f] }

// pitch is the number of characters from one room to the next in a line.
func (f Form) pitch() int {
	if f == Plain {
		return 4
	}
	return 2
}

const (
	maxLines = 2*MaxSide + 1
	maxWidth = 4*MaxSide + 1
)

// Parse reads a puzzle in any of the three forms.
func Parse(text string) (*Puzzle, error) {
	lines, err := splitLines(text)
	if err != nil {
		return nil, err
	}
	form, err := formOf(lines)
	if err != nil {
		return nil, err
	}
	height, width, pitch := len(lines), len(lines[0]), form.pitch()
	if height < 3 || height%2 == 0 || width <= pitch || width%pitch != 1 {
		return nil, fmt.Errorf("alcazar: the board has %s of %s, expected 2·rows+1 and %d·columns+1",
			board.Count(height, "line"), board.Count(width, "character"), pitch)
	}
	for i, line := range lines {
		if len(line) != width {
			return nil, fmt.Errorf("alcazar: line %d has %s, expected %d as in the first (blanks at its end count)",
				i+1, board.Count(len(line), "character"), width)
		}
	}
	size := board.Size{Rows: height / 2, Cols: width / pitch}
	if size.Rows > MaxSide || size.Cols > MaxSide {
		return nil, fmt.Errorf("alcazar: board is %d wide and %d high, expected 1 to %d", size.Cols, size.Rows, MaxSide)
	}
	p := &Puzzle{size: size, form: form, open: make([]bool, borders(size))}
	if err := p.readPosts(lines); err != nil {
		return nil, err
	}
	if err := p.readBorders(lines); err != nil {
		return nil, err
	}
	// What is left are the rooms.
	if err := sameText(lines, p.draw(p.marks, true), ""); err != nil {
		return nil, err
	}
	return p, nil
}

// splitLines takes a text apart into lines of characters.
func splitLines(text string) ([][]rune, error) {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil, fmt.Errorf("alcazar: empty text, expected a board")
	}
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("alcazar: the board is not UTF-8 text")
	}
	parts := strings.Split(text, "\n")
	if len(parts) > maxLines {
		return nil, fmt.Errorf("alcazar: %d lines, expected at most %d", len(parts), maxLines)
	}
	lines := make([][]rune, len(parts))
	for i, part := range parts {
		lines[i] = []rune(part)
		if len(lines[i]) > maxWidth {
			return nil, fmt.Errorf("alcazar: line %d has %d characters, expected at most %d", i+1, len(lines[i]), maxWidth)
		}
	}
	return lines, nil
}

// formOf tells the form by the first room, which is the same on every board.
func formOf(lines [][]rune) (Form, error) {
	if len(lines) > 1 && len(lines[1]) > 1 {
		switch lines[1][1] {
		case '0':
			return Grid, nil
		case '▒':
			return Box, nil
		}
	}
	if strings.HasPrefix(string(lines[0]), "+") {
		return Plain, nil
	}
	return Grid, fmt.Errorf("alcazar: line 2 column 2: expected a room, '0' or '▒', or '+' at the beginning of a plain drawing")
}

// posts between rooms carry no rule and are drawn in more than one way, so
// they are kept as they are.
const (
	gridPosts = "x "
	boxPosts  = " ═║╔╗╚╝╠╣╦╩╬"
)

func (p *Puzzle) readPosts(lines [][]rune) error {
	if p.form == Plain {
		return nil
	}
	allowed := gridPosts
	if p.form == Box {
		allowed = boxPosts
	}
	for y := 0; y < len(lines); y += 2 {
		for x := 0; x < len(lines[y]); x += 2 {
			r := lines[y][x]
			if !strings.ContainsRune(allowed, r) {
				return fmt.Errorf("alcazar: line %d column %d: %q, expected one of %q between rooms", y+1, x+1, r, allowed)
			}
			p.posts = append(p.posts, r)
		}
	}
	return nil
}

// readBorders reads what is open and what is marked. Text that no border can
// have is an error here or a difference to what is drawn, which Parse finds.
func (p *Puzzle) readBorders(lines [][]rune) error {
	for i := range p.open {
		pl := p.place(i)
		r := lines[pl.y][pl.x]
		switch {
		case p.form == Grid && r == pl.mark(Grid):
			if p.marks == nil {
				p.marks = make([]bool, len(p.open))
			}
			p.marks[i] = true
			p.open[i] = true
		case r == pl.opening(p.form):
			p.open[i] = true
		case r != pl.wall(p.form):
			return fmt.Errorf("alcazar: line %d column %d: %q, expected %q for a wall or %q for %s",
				pl.y+1, pl.x+1, r, pl.wall(p.form), pl.opening(p.form), pl.what())
		}
	}
	return nil
}

// place is where in the text a border stands: its only or middle character.
type place struct {
	x, y int
	side board.Dir // on the rim: the board's side; else North above a room, West left of it
	rim  bool
}

func (p *Puzzle) place(border int) place {
	s, pitch := p.size, p.form.pitch()
	if above := (s.Rows + 1) * s.Cols; border >= above {
		row, col := (border-above)/(s.Cols+1), (border-above)%(s.Cols+1)
		pl := place{x: pitch * col, y: 2*row + 1, side: board.West, rim: col == 0}
		if col == s.Cols {
			pl.side, pl.rim = board.East, true
		}
		return pl
	}
	row, col := border/s.Cols, border%s.Cols
	pl := place{x: pitch*col + pitch/2, y: 2 * row, side: board.North, rim: row == 0}
	if row == s.Rows {
		pl.side, pl.rim = board.South, true
	}
	return pl
}

// upright reports whether the border is a line from north to south.
func (pl place) upright() bool { return pl.side == board.East || pl.side == board.West }

func (pl place) what() string {
	if pl.rim {
		return "an opening"
	}
	return "a passage"
}

func (pl place) wall(f Form) rune {
	switch {
	case f == Grid:
		return 'x'
	case pl.upright():
		return [...]rune{Box: '║', Plain: '|'}[f]
	default:
		return [...]rune{Box: '═', Plain: '-'}[f]
	}
}

func (pl place) opening(f Form) rune {
	if f == Box && pl.rim {
		return [...]rune{board.North: '╩', board.East: '╠', board.South: '╦', board.West: '╣'}[pl.side]
	}
	return ' '
}

// mark is the path through a passage; in a box drawing it leaves openings as
// they are.
func (pl place) mark(f Form) rune {
	switch {
	case f == Plain:
		return '*'
	case f == Box && pl.rim:
		return pl.opening(Box)
	case pl.upright():
		return [...]rune{Grid: '-', Box: '─'}[f]
	default:
		return [...]rune{Grid: '|', Box: '│'}[f]
	}
}

// throughWall is the path through a wall.
func (pl place) throughWall(f Form) rune {
	switch {
	case f == Grid:
		return pl.mark(f)
	case f == Box && pl.rim || f == Plain && pl.upright():
		return pl.wall(f)
	case f == Plain:
		return '*'
	case pl.upright():
		return '╫'
	default:
		return '╪'
	}
}

// strokes are the path in a room of a box drawing, by the sides that it goes
// to: 1 for north, 2 east, 4 south, 8 west.
var strokes = []rune("▒╵╶└╷│┌├╴┘─┴┐┤┬┼")

// corners are the walls that meet at a post of a box drawing, likewise.
var corners = []rune(" ║═╚║║╔╠═╝═╩╗╣╦╬")

// usualPosts are the posts of a board that was not read from a text.
func (p *Puzzle) usualPosts() []rune {
	if p.form == Plain {
		return nil
	}
	s := p.size
	posts := make([]rune, 0, (s.Rows+1)*(s.Cols+1))
	for row := range s.Rows + 1 {
		for col := range s.Cols + 1 {
			if p.form == Grid {
				posts = append(posts, 'x')
				continue
			}
			// The rim is a line even where there is an opening.
			mask := 0
			if row > 0 && (col == 0 || col == s.Cols || !p.open[leftBorder(s, row-1, col)]) {
				mask |= 1 << board.North
			}
			if col < s.Cols && (row == 0 || row == s.Rows || !p.open[aboveBorder(s, row, col)]) {
				mask |= 1 << board.East
			}
			if row < s.Rows && (col == 0 || col == s.Cols || !p.open[leftBorder(s, row, col)]) {
				mask |= 1 << board.South
			}
			if col > 0 && (row == 0 || row == s.Rows || !p.open[aboveBorder(s, row, col-1)]) {
				mask |= 1 << board.West
			}
			posts = append(posts, corners[mask])
		}
	}
	return posts
}

// draw is the board with the path through the used borders; used may be nil.
// joined is whether a box drawing shows the path between the rooms too.
func (p *Puzzle) draw(used []bool, joined bool) [][]rune {
	s, pitch := p.size, p.form.pitch()
	lines := make([][]rune, 2*s.Rows+1)
	for y := range lines {
		lines[y] = slices.Repeat([]rune{' '}, pitch*s.Cols+1)
	}
	for row := range s.Rows + 1 {
		for col := range s.Cols + 1 {
			post := '+'
			if p.form != Plain {
				post = p.posts[row*(s.Cols+1)+col]
			}
			lines[2*row][pitch*col] = post
		}
	}
	for i, open := range p.open {
		pl := p.place(i)
		line := lines[pl.y]
		path := used != nil && used[i]
		if p.form == Plain && !pl.upright() && !open {
			line[pl.x-1], line[pl.x+1] = '-', '-'
		}
		if p.form == Plain && pl.upright() && path {
			for _, x := range []int{pl.x - 1, pl.x + 1} {
				if x >= 0 && x < len(line) {
					line[x] = '*'
				}
			}
		}
		switch {
		case path && (joined || p.form != Box) && open:
			line[pl.x] = pl.mark(p.form)
		case path && (joined || p.form != Box):
			line[pl.x] = pl.throughWall(p.form)
		case open:
			line[pl.x] = pl.opening(p.form)
		default:
			line[pl.x] = pl.wall(p.form)
		}
	}
	for c := range board.Cell(s.Cells()) {
		sides := 0
		for d := range board.Dir(4) {
			if used != nil && used[border(s, c, d)] {
				sides |= 1 << d
			}
		}
		room := &lines[2*s.Row(c)+1][pitch*s.Col(c)+pitch/2]
		switch {
		case p.form == Grid:
			*room = '0'
		case p.form == Box:
			*room = strokes[sides]
		case sides != 0:
			*room = '*'
		}
	}
	return lines
}

// sameText returns an error that names the first difference of a text to what
// is expected, which has as many lines of as many characters.
func sameText(lines, want [][]rune, what string) error {
	for y, line := range want {
		for x, r := range line {
			if lines[y][x] != r {
				return fmt.Errorf("alcazar: %sline %d column %d: %q, expected %q", what, y+1, x+1, lines[y][x], r)
			}
		}
	}
	return nil
}

// text joins lines.
func text(lines [][]rune) string {
	var s strings.Builder
	for y, line := range lines {
		if y > 0 {
			s.WriteByte('\n')
		}
		s.WriteString(string(line))
	}
	return s.String()
}

// String is the puzzle in the form it was read in.
func (p *Puzzle) String() string { return text(p.draw(p.marks, true)) }

// Form is the form that the puzzle and its solutions are written in.
func (p *Puzzle) Form() Form { return p.form }

// As is the same puzzle in a form. A change of form forgets how posts were
// drawn and which passages were given as used.
func (p *Puzzle) As(f Form) *Puzzle {
	if f == p.form {
		return p
	}
	q := &Puzzle{size: p.size, open: p.open, form: f}
	q.posts = q.usualPosts()
	return q
}
