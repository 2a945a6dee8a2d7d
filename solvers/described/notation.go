package described

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"tapwise/solvers/board"
)

// maxCells bounds the boards of descriptions.
const maxCells = 2500

// anyNumber is a clue whose number is not told.
const anyNumber = "?"

// clueKind is what a clue tells.
type clueKind uint8

const (
	noClue     clueKind = iota
	numberClue          // a number
	namedClue           // a name: "?" for a number that is not told
	arrowClue           // a number, or -1, and a way, or -1
	listClue            // several numbers, 0 for one that is not told
	labelClue           // a name, and a number or -1
)

// clue is what is given in a cell or of a room.
type clue struct {
	kind   clueKind
	number int
	name   string
	way    int
	list   string // the numbers' digits
}

// starlark is the clue as a description sees it.
func (c clue) starlark() starlark.Value {
	switch c.kind {
	case numberClue:
		return starlark.MakeInt(c.number)
	case namedClue:
		return starlark.String(c.name)
	case arrowClue, labelClue:
		return &arrow{number: c.number, way: c.way, name: c.name}
	case listClue:
		var list []starlark.Value
		for _, r := range c.list {
			if r == '0' {
				list = append(list, starlark.String(anyNumber))
			} else {
				list = append(list, starlark.MakeInt(int(r-'0')))
			}
		}
		return starlark.Tuple(list)
	}
	return starlark.None
}

// arrow is a clue with a number and a way, or a name.
type arrow struct {
	value
	number, way int
	name        string
}

func (*arrow) String() string { return "<arrow>" }

// Type is "arrow".
func (*arrow) Type() string { return "arrow" }

// AttrNames are what it tells.
func (*arrow) AttrNames() []string { return []string{"name", "number", "way"} }

// Attr is one of them, None where it is not told.
func (a *arrow) Attr(name string) (starlark.Value, error) {
	switch {
	case name == "number" && a.number >= 0:
		return starlark.MakeInt(a.number), nil
	case name == "way" && a.way >= 0:
		return starlark.String(ways[a.way]), nil
	case name == "name" && a.name != "":
		return starlark.String(a.name), nil
	case name == "way" || name == "number" || name == "name":
		return starlark.None, nil
	}
	return nil, nil
}

func numbered(n int) clue { return clue{kind: numberClue, number: n} }

var unknown = clue{kind: namedClue, name: anyNumber}

// givens are what a puzzle gives.
type givens struct {
	size     board.Size
	clue     []clue
	room     []int               // by cell; nil without rooms
	border   map[board.Edge]bool // those drawn, if they do not follow from rooms
	roomClue []clue
	colour   []int // by cell; nil without
	sign     map[string][]board.Edge
	layout   *layout
}

// parted reports whether a border is between two cells.
func (g *givens) parted(a, b board.Cell) bool {
	if g.border != nil {
		return g.border[board.EdgeOf(a, b)]
	}
	return g.room != nil && g.room[a] != g.room[b]
}

func (g *givens) rooms() int {
	if g.room == nil {
		return 0
	}
	return slices.Max(g.room) + 1
}

// notation is a way to write puzzles.
type notation struct {
	value
	name  string // of an address's kind; empty for rows of text
	also  []string
	parts []*encoding
	rooms bool
	names map[rune]string // of characters in rows
	// numbered: a number may follow a named character.
	numbered bool
	signs    []string // of signs between cells
}

func (n *notation) String() string { return "<notation>" }

// Type is "notation".
func (*notation) Type() string { return "notation" }

// encoding is a part of a puzz.link address.
type encoding struct {
	value
	name   string
	decode func(g *givens, text string) (rest string, err error)
	encode func(g *givens) string
	// For new puzzles: the clues that a cell may have, or a room, and those that exactly
	// one cell has; whether each cell has one; and whether this tells rooms or colours.
	clues, once                    []clue
	ofRooms, full, rooms, coloured bool
}

func (e *encoding) String() string { return "<" + e.name + ">" }

// Type is "encoding".
func (*encoding) Type() string { return "encoding" }

// notationWords are the words of notations.
func notationWords() starlark.StringDict {
	d := starlark.StringDict{"url": word("url", urlWord), "grid": word("grid", gridWord), "example": word("example", exampleWord)}
	for _, e := range encodings() {
		d[e.name] = e
	}
	return d
}

func urlWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	n := &notation{}
	var err error
	if n.name, err = a.text("kind", ""); err != nil {
		return nil, err
	}
	if v := a.keyword("also"); v != nil {
		if err := each(v, func(v starlark.Value) error {
			s, ok := starlark.AsString(v)
			n.also = append(n.also, s)
			if !ok {
				return fmt.Errorf("got %s, expected other names of the kind, as strings", kindOf(v))
			}
			return nil
		}); err != nil {
			return nil, fmt.Errorf("also: %w", err)
		}
	}
	for v := a.optional("encoding"); v != nil; v = a.optional("encoding") {
		e, ok := v.(*encoding)
		if !ok {
			var names []string
			for _, e := range encodings() {
				names = append(names, e.name)
			}
			return nil, fmt.Errorf("got %s, expected an encoding: %s", kindOf(v), strings.Join(names, ", "))
		}
		n.parts = append(n.parts, e)
	}
	if n.name == "" || len(n.parts) == 0 {
		return nil, fmt.Errorf("expected the kind's name on puzz.link and its encodings, as in url(\"nurikabe\", number16)")
	}
	return n, nil
}

func gridWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	n := &notation{names: map[rune]string{}}
	if v := a.optional("names"); v != nil {
		names, ok := v.(*starlark.Dict)
		if text, is := starlark.AsString(v); is { // of characters that stand for themselves
			ok, names = true, starlark.NewDict(len(text))
			for _, r := range text {
				if err := names.SetKey(starlark.String(string(r)), starlark.String(string(r))); err != nil {
					return nil, err
				}
			}
		}
		if !ok {
			return nil, fmt.Errorf("names: got %s, expected a dict of characters and what they stand for", kindOf(v))
		}
		for _, item := range names.Items() {
			k, _ := starlark.AsString(item[0])
			s, ok := starlark.AsString(item[1])
			if r := []rune(k); len(r) == 1 && ok && !strings.ContainsRune(" .?\n:0123456789", r[0]) && !slices.ContainsFunc(keysOf(n.names), func(o rune) bool { return n.names[o] == s }) {
				n.names[r[0]] = s
				continue
			}
			return nil, fmt.Errorf("names: got %s and %s, expected one character, but no digit, and a name of its own", kindOf(item[0]), kindOf(item[1]))
		}
	}
	if v := a.optional("numbered"); v != nil {
		n.numbered = bool(v.Truth())
	}
	if v := a.optional("signs"); v != nil {
		if err := each(v, func(v starlark.Value) error {
			name, _ := starlark.AsString(v)
			if name == "" || strings.ContainsAny(name, " :\n") || slices.Contains(n.signs, name) {
				return fmt.Errorf("got %s, expected a word of its own", kindOf(v))
			}
			n.signs = append(n.signs, name)
			return nil
		}); err != nil {
			return nil, fmt.Errorf("signs: %w", err)
		}
	}
	if v := a.optional("rooms"); v != nil {
		n.rooms = bool(v.Truth())
	}
	return n, nil
}

func keysOf(m map[rune]string) (keys []rune) {
	for r := range m {
		keys = append(keys, r)
	}
	slices.Sort(keys)
	return keys
}

// parse reads a puzzle.
func (n *notation) parse(text string) (*givens, error) {
	if n.name == "" {
		return n.parseRows(text)
	}
	return n.parseURL(text)
}

// parseURL reads an address. What stands before the first question mark does not matter.
func (n *notation) parseURL(text string) (*givens, error) {
	_, query, ok := strings.Cut(text, "?")
	if !ok || strings.ContainsAny(text, "\n ") {
		return nil, fmt.Errorf("expected a puzz.link address, as in https://puzz.link/p?%s/10/10/…", n.name)
	}
	query, _, _ = strings.Cut(query, "&") // what puzz.link adds of its own
	parts := strings.Split(strings.TrimRight(query, "/"), "/")
	if parts[0] != n.name && !slices.Contains(n.also, parts[0]) {
		return nil, fmt.Errorf("the address is of %q, expected %q", board.Clip(parts[0]), n.name)
	}
	if len(parts) > 2 && parts[1] != "" && strings.Trim(parts[1], "abcdefghijklmnopqrstuvwxyz") == "" {
		parts = slices.Delete(parts, 1, 2) // a way to show the board
	}
	if len(parts) < 3 || len(parts) > 4 {
		return nil, fmt.Errorf("%d parts between slashes, expected %s/COLUMNS/ROWS/BOARD", len(parts), n.name)
	}
	cols, err := strconv.Atoi(parts[1])
	rows, err2 := strconv.Atoi(parts[2])
	if err != nil || err2 != nil || cols < 1 || rows < 1 || cols > maxCells || rows > maxCells || cols*rows > maxCells {
		return nil, fmt.Errorf("%q columns and %q rows, expected numbers, and at most %d cells", board.Clip(parts[1]), board.Clip(parts[2]), maxCells)
	}
	g := &givens{size: board.Size{Rows: rows, Cols: cols}, clue: make([]clue, rows*cols)}
	body := ""
	if len(parts) == 4 {
		body = parts[3]
	}
	for _, e := range n.parts {
		if body, err = e.decode(g, body); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
	}
	if body != "" {
		return nil, fmt.Errorf("%q is left over, expected nothing after the last cell", board.Clip(body))
	}
	return g, nil
}

// format writes a puzzle.
func (n *notation) format(g *givens) string {
	if n.name == "" {
		return n.formatRows(g)
	}
	text := fmt.Sprintf("https://puzz.link/p?%s/%d/%d/", n.name, g.size.Cols, g.size.Rows)
	for _, e := range n.parts {
		text += e.encode(g)
	}
	return text
}

// parseRows reads rows of characters, or of words between blanks: '.' is a cell without a
// clue, '?' one whose number is not told; others are numbers or have names. Rooms follow
// as rows of letters.
func (n *notation) parseRows(text string) (*givens, error) {
	rows, told := strings.Split(text, "\n"), []string(nil)
	if i := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, ":") }); i >= 0 {
		rows, told = rows[:i], rows[i:]
	}
	height := len(rows)
	if n.rooms {
		if height%2 != 0 {
			return nil, fmt.Errorf("%d rows, expected rows of clues and then as many of rooms", height)
		}
		height /= 2
	}
	g := &givens{}
	for y, row := range rows[:height] {
		cells := cellsOfRow(row)
		if y == 0 {
			g.size = board.Size{Rows: height, Cols: len(cells)}
		}
		if len(cells) != g.size.Cols || len(cells) == 0 || height*len(cells) > maxCells {
			return nil, fmt.Errorf("row %d has %s, expected %d as the first, and at most %d in all", y+1, board.Count(len(cells), "cell"), g.size.Cols, maxCells)
		}
		for x, word := range cells {
			c, ok := n.clueOf(word)
			if !ok {
				return nil, fmt.Errorf("row %d column %d is %q, expected '.', '?', a number%s", y+1, x+1, board.Clip(word), n.expected())
			}
			g.clue = append(g.clue, c)
		}
	}
	if n.rooms {
		first := map[string]int{}
		for y, row := range rows[height:] {
			cells := cellsOfRow(row)
			if len(cells) != g.size.Cols {
				return nil, fmt.Errorf("row %d of the rooms has %s, expected %d", y+1, board.Count(len(cells), "cell"), g.size.Cols)
			}
			for _, word := range cells {
				if _, ok := first[word]; !ok {
					first[word] = len(first)
				}
				g.room = append(g.room, first[word])
			}
		}
	}
	if err := n.parseSigns(g, told); err != nil {
		return nil, err
	}
	return g, nil
}

// parseSigns reads lines such as "equal: 1,1|1,2 2,3|3,3", of rows and columns.
func (n *notation) parseSigns(g *givens, lines []string) error {
	g.sign = map[string][]board.Edge{}
	for _, line := range lines {
		name, pairs, _ := strings.Cut(line, ": ")
		if !slices.Contains(n.signs, name) {
			return fmt.Errorf("%q, expected signs as %q and pairs of neighbours", board.Clip(line), n.signs)
		}
		edges, err := g.size.ParseWalls("walls " + pairs)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		g.sign[name] = edges
	}
	return nil
}

func cellsOfRow(row string) []string {
	if strings.Contains(row, " ") {
		return strings.Fields(row)
	}
	var cells []string
	for _, r := range row {
		cells = append(cells, string(r))
	}
	return cells
}

func (n *notation) expected() string {
	text := ""
	for _, r := range keysOf(n.names) {
		text += fmt.Sprintf(" or %q", r)
	}
	return text
}

func (n *notation) clueOf(word string) (clue, bool) {
	switch word {
	case ".":
		return clue{}, true
	case anyNumber:
		return unknown, true
	}
	if r := []rune(word); len(r) == 1 && n.names[r[0]] != "" {
		if n.numbered {
			return clue{kind: labelClue, name: n.names[r[0]], number: -1, way: -1}, true
		}
		return clue{kind: namedClue, name: n.names[r[0]]}, true
	}
	if r, k := utf8.DecodeRuneInString(word); n.numbered && n.names[r] != "" {
		number, err := strconv.Atoi(word[k:])
		return clue{kind: labelClue, name: n.names[r], number: number, way: -1}, err == nil && number > 0 && number <= maxNumber
	}
	number, err := strconv.Atoi(word)
	return numbered(number), err == nil && number >= 0 && number <= maxNumber && strconv.Itoa(number) == word
}

func (n *notation) formatRows(g *givens) string {
	words := make([]string, len(g.clue))
	long := false
	for i, c := range g.clue {
		switch c.kind {
		case noClue:
			words[i] = "."
		case numberClue:
			words[i] = strconv.Itoa(c.number)
		default:
			words[i] = anyNumber
			for _, r := range keysOf(n.names) {
				if n.names[r] == c.name {
					words[i] = string(r)
				}
				if n.names[r] == c.name && c.kind == labelClue && c.number > 0 {
					words[i] += strconv.Itoa(c.number)
				}
			}
		}
		long = long || len([]rune(words[i])) > 1
	}
	gap := ""
	if long {
		gap = " "
	}
	var rows []string
	for y := range g.size.Rows {
		rows = append(rows, strings.Join(words[y*g.size.Cols:(y+1)*g.size.Cols], gap))
	}
	if g.room != nil {
		for y := range g.size.Rows {
			row := ""
			for _, r := range g.room[y*g.size.Cols : (y+1)*g.size.Cols] {
				row += string(roomLetter(r))
			}
			rows = append(rows, row)
		}
	}
	for _, name := range n.signs {
		if pairs := g.sign[name]; len(pairs) > 0 {
			rows = append(rows, name+strings.Replace(g.size.FormatWalls(pairs), "walls", ":", 1))
		}
	}
	return strings.Join(rows, "\n")
}

// roomLetter is a room in rows of text: A to Z, a to z, then any others.
func roomLetter(r int) rune {
	switch {
	case r < 26:
		return rune('A' + r)
	case r < 52:
		return rune('a' + r - 26)
	}
	return rune(0x4e00 + r - 52)
}
