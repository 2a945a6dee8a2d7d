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

// Parse reads a puzzle in any of the three forms. The error names the line and what
// was expected there.
func Parse(text string) (*Puzzle, error) {
	lines, err := splitLines(text)
	if err != nil {
		return nil, err
	}
	form, err := formOf(lines)
	if err != nil {
		return nil, err
	}
	height, width, pitch := len(lines), 0, form.pitch()
	for _, line := range lines {
		width = max(width, len(line))
	}
	pad(lines, width)
	if height < 3 || height%2 == 0 || width <= pitch || width%pitch != 1 {
		return nil, fmt.Errorf("alcazar: the board has %s of %s, expected 2·rows+1 and %d·columns+1",
			board.Count(height, "line"), board.Count(width, "character"), pitch)
	}
	size := board.Size{Rows: height / 2, Cols: width / pitch}
	if size.Rows > MaxSide || size.Cols > MaxSide {
		return nil, fmt.Errorf("alcazar: board is %d wide and %d high, expected 1 to %d", size.Cols, size.Rows, MaxSide)
	}
	p := &Puzzle{size: size, form: form, open: make([]bool, borders(size))}
	p.readRooms(lines)
	if err := p.settle(); err != nil {
		return nil, err
	}
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

// splitLines splits a text into lines of characters.
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

// pad fills in the blanks that are missing at the end of lines.
func pad(lines [][]rune, width int) {
	for i, line := range lines {
		lines[i] = append(line, slices.Repeat([]rune{' '}, max(width-len(line), 0))...)
	}
}

// formOf recognises the form by the first room, a plain drawing by the post where
// it begins.
func formOf(lines [][]rune) (Form, error) {
	if strings.HasPrefix(string(lines[0]), "+") {
		return Plain, nil
	}
	for y := 1; y < len(lines); y += 2 {
		for x := 1; x < len(lines[y]); x += 2 {
			switch lines[y][x] {
			case '0':
				return Grid, nil
			case '▒':
				return Box, nil
			}
		}
	}
	return Grid, fmt.Errorf("alcazar: line 2 column 2: expected a room, '0' or '▒', or '+' at the beginning of a plain drawing")
}

// The posts between rooms have no meaning and are drawn in more than one way, so
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

// missing are the characters for a place without a room. Besides the one of the
// notation they are those that others leave there: a block of walls in AlcaSAT's
// grid, nothing in a drawing with box characters.
func (f Form) missing() []rune {
	return [...][]rune{Grid: {noRoom, 'x'}, Box: {noRoom, ' '}, Plain: {noRoom}}[f]
}

// readRooms finds the places without a room.
func (p *Puzzle) readRooms(lines [][]rune) {
	for c := range board.Cell(p.size.Cells()) {
		y, x := p.middle(c)
		if !slices.Contains(p.form.missing(), lines[y][x]) {
			continue // a room, or an error that Parse finds
		}
		if p.none == nil {
			p.none = make([]rune, p.size.Cells())
		}
		p.none[c] = lines[y][x]
	}
}

// middle is the line and the column of a room's middle.
func (p *Puzzle) middle(c board.Cell) (y, x int) {
	pitch := p.form.pitch()
	return 2*p.size.Row(c) + 1, pitch*p.size.Col(c) + pitch/2
}

// readBorders reads which borders are open and which are marked. Text that no border
// can have is an error here, or a difference from the drawn board, which Parse finds.
func (p *Puzzle) readBorders(lines [][]rune) error {
	for i := range p.open {
		pl := p.place(i)
		r := lines[pl.y][pl.x]
		switch {
		case pl.void:
			if p.drawn == nil {
				p.drawn = make([]bool, len(p.open))
			}
			p.drawn[i] = r == pl.wall(p.form)
			if r != ' ' && !p.drawn[i] {
				return fmt.Errorf("alcazar: line %d column %d: %q, expected %q or ' ' where there is no room on either side",
					pl.y+1, pl.x+1, r, pl.wall(p.form))
			}
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

// place is the place of a border in the text: that of its only or middle character.
type place struct {
	x, y int
	side board.Dir // on the rim: the room's side; else North above a room, West left of it
	rim  bool      // there is a room on one side only
	void bool      // there is a room on neither side
}

func (p *Puzzle) place(border int) place {
	s, pitch := p.size, p.form.pitch()
	if above := (s.Rows + 1) * s.Cols; border >= above {
		row, col := (border-above)/(s.Cols+1), (border-above)%(s.Cols+1)
		pl := place{x: pitch * col, y: 2*row + 1, side: board.West}
		return pl.between(p.isRoom(s.At(row, col-1)), p.isRoom(s.At(row, col)), board.East)
	}
	row, col := border/s.Cols, border%s.Cols
	pl := place{x: pitch*col + pitch/2, y: 2 * row, side: board.North}
	return pl.between(p.isRoom(s.At(row-1, col)), p.isRoom(s.At(row, col)), board.South)
}

// between notes whether there are rooms before and behind the border. side is the
// side of the room before it.
func (pl place) between(before, behind bool, side board.Dir) place {
	pl.rim, pl.void = before != behind, !before && !behind
	if pl.rim && before {
		pl.side = side
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

// mark is the path through a passage or an opening. A box drawing leaves openings as
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

// strokes are the path in a room of a box drawing, by the sum of the sides that it
// leads to: 1 north, 2 east, 4 south, 8 west.
var strokes = []rune("▒╵╶└╷│┌├╴┘─┴┐┤┬┼")

// corners are the posts of a box drawing, by the same sum of the sides with walls.
var corners = []rune(" ║═╚║║╔╠═╝═╩╗╣╦╬")

// usualPosts are the posts of a board that was not read from text.
func (p *Puzzle) usualPosts() []rune {
	if p.form == Plain {
		return nil
	}
	s := p.size
	posts := make([]rune, 0, (s.Rows+1)*(s.Cols+1))
	// The rim is a line even where there is an opening.
	line := func(border int) bool {
		pl := p.place(border)
		return pl.rim || !pl.void && !p.open[border]
	}
	for row := range s.Rows + 1 {
		for col := range s.Cols + 1 {
			if p.form == Grid {
				posts = append(posts, 'x')
				continue
			}
			mask := 0
			if row > 0 && line(leftBorder(s, row-1, col)) {
				mask |= 1 << board.North
			}
			if col < s.Cols && line(aboveBorder(s, row, col)) {
				mask |= 1 << board.East
			}
			if row < s.Rows && line(leftBorder(s, row, col)) {
				mask |= 1 << board.South
			}
			if col > 0 && line(aboveBorder(s, row, col-1)) {
				mask |= 1 << board.West
			}
			posts = append(posts, corners[mask])
		}
	}
	return posts
}

// draw is the board with the path through the used borders; used may be nil.
// joined says whether a box drawing shows the path between the rooms, too.
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
	for i := range p.open {
		p.drawBorder(lines, i, used != nil && used[i], joined || p.form != Box)
	}
	p.drawRooms(lines, used)
	return lines
}

// drawBorder draws what is between two rooms or in the rim. path is whether the
// path goes through, shown whether that is drawn in the middle of the border.
func (p *Puzzle) drawBorder(lines [][]rune, border int, path, shown bool) {
	pl, open := p.place(border), p.open[border]
	line := lines[pl.y]
	if pl.void {
		// Where there is no room, all is wall in a grid, nothing in a drawing.
		if open = p.form != Grid; p.drawn != nil {
			open = !p.drawn[border]
		}
	}
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
	case path && shown && open:
		line[pl.x] = pl.mark(p.form)
	case path && shown:
		line[pl.x] = pl.throughWall(p.form)
	case open:
		line[pl.x] = pl.opening(p.form) // a blank where there is no room
	default:
		line[pl.x] = pl.wall(p.form)
	}
}

// drawRooms draws the rooms with the path through the used borders.
func (p *Puzzle) drawRooms(lines [][]rune, used []bool) {
	for c := range board.Cell(p.size.Cells()) {
		sides := 0
		for d := range board.Dir(4) {
			if used != nil && used[border(p.size, c, d)] {
				sides |= 1 << d
			}
		}
		y, x := p.middle(c)
		room := &lines[y][x]
		switch {
		case !p.isRoom(c):
			*room = p.none[c]
		case p.form == Grid:
			*room = '0'
		case p.form == Box:
			*room = strokes[sides]
		case sides != 0:
			*room = '*'
		}
	}
}

// sameText returns an error that names the first difference of two texts with as
// many lines of as many characters. what stands before the line.
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

// As is the same puzzle in a form. A change of form forgets how posts and places
// without a room were drawn, and which passages were given as used.
func (p *Puzzle) As(f Form) *Puzzle {
	if f == p.form {
		return p
	}
	q := &Puzzle{size: p.size, rooms: p.rooms, open: p.open, form: f}
	if p.none != nil {
		q.none = make([]rune, len(p.none))
		for c, r := range p.none {
			if r != 0 {
				q.none[c] = noRoom
			}
		}
	}
	q.posts = q.usualPosts()
	return q
}
