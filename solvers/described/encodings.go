package described

import (
	"fmt"
	"strconv"
	"strings"

	"tapwise/solvers/board"
)

// The encodings of puzz.link addresses, as pzpr documents them by its program. Cells come row
// by row; a letter stands for some cells without a clue.

// wayCodes are pzpr's numbers of the ways 0 (none), up, down, left, right.
var wayCodes = []int{-1, 0, 2, 3, 1}

func wayCode(way int) int {
	for code, w := range wayCodes {
		if w == way {
			return code
		}
	}
	return 0
}

// digits reads n digits of a base.
func digits(text string, n, base int) (int, string, error) {
	if len(text) < n {
		return 0, "", fmt.Errorf("the address ends within a number")
	}
	v, err := strconv.ParseUint(text[:n], base, 31)
	if err != nil {
		return 0, "", fmt.Errorf("%q, expected a number", board.Clip(text[:n]))
	}
	return int(v), text[n:], nil
}

// item reads one clue, and tells how many cells without one follow; ok is false where no clue
// begins.
type item func(text string) (c clue, gap int, rest string, ok bool, err error)

// run makes an encoding of clues, between which letters from one on stand for 1 cell and more.
func run(name string, first byte, read item, write func(c clue) string, clues []clue) *encoding {
	e := &encoding{name: name, clues: clues}
	e.decode = func(g *givens, text string) (string, error) {
		return decodeRun(g.clue, text, first, read)
	}
	e.encode = func(g *givens) string { return encodeRun(g.clue, first, write) }
	return e
}

func decodeRun(to []clue, text string, first byte, read item) (string, error) {
	at := 0
	for text != "" && at < len(to) {
		c, gap, rest, ok, err := read(text)
		switch {
		case err != nil:
			return "", err
		case ok:
			to[at] = c
			at += 1 + gap
			text = rest
		case text[0] >= first && text[0] <= 'z':
			n, _ := strconv.ParseUint(text[:1], 36, 8)
			least, _ := strconv.ParseUint(string(first), 36, 8)
			at += int(n-least) + 1
			text = text[1:]
		default:
			return "", fmt.Errorf("%q at cell %d, expected a clue or a letter from %c on", text[0], at+1, first)
		}
	}
	return text, nil
}

func encodeRun(clues []clue, first byte, write func(c clue) string) string {
	text, gap := "", 0
	least, _ := strconv.ParseUint(string(first), 36, 8)
	most := int(36 - least)
	for i := 0; i <= len(clues); i++ {
		word := ""
		if i < len(clues) {
			if word = write(clues[i]); word == "" {
				gap++
			}
		}
		if gap > 0 && (word != "" || gap == most || i == len(clues)) {
			text += strconv.FormatUint(least+uint64(gap)-1, 36)
			gap = 0
		}
		text += word
	}
	return text
}

// numberItem reads hexadecimal numbers: a digit, or more after a sign.
func numberItem(text string) (clue, int, string, bool, error) {
	n, base, skip, plus := 1, 16, 0, 0
	switch text[0] {
	case '.':
		return unknown, 0, text[1:], true, nil
	case '-':
		n, skip = 2, 1
	case '+':
		n, skip = 3, 1
	case '=':
		n, skip, plus = 3, 1, 4096
	case '%':
		n, skip, plus = 3, 1, 8192
	default:
		if !strings.ContainsRune("0123456789abcdef", rune(text[0])) {
			return clue{}, 0, text, false, nil
		}
	}
	v, rest, err := digits(text[skip:], n, base)
	return numbered(v + plus), 0, rest, true, err
}

func writeNumber(c clue) string {
	switch {
	case c == unknown:
		return "."
	case c.kind != numberClue:
		return ""
	case c.number < 16:
		return strconv.FormatInt(int64(c.number), 16)
	case c.number < 256:
		return fmt.Sprintf("-%02x", c.number)
	case c.number < 4096:
		return fmt.Sprintf("+%03x", c.number)
	case c.number < 8192:
		return fmt.Sprintf("=%03x", c.number-4096)
	}
	return fmt.Sprintf("%%%03x", c.number-8192)
}

func numberClues(from, to int) (clues []clue) {
	for n := from; n <= to; n++ {
		clues = append(clues, numbered(n))
	}
	return clues
}

// fourItem reads a number to 4 and the cells without a clue after it, of which there may be
// up to two.
func fourItem(text string) (clue, int, string, bool, error) {
	r := text[0]
	if r == '.' {
		return unknown, 0, text[1:], true, nil
	}
	n := strings.IndexByte("0123456789abcde", r)
	if n < 0 {
		return clue{}, 0, text, false, nil
	}
	return numbered(n % 5), n / 5, text[1:], true, nil
}

func arrowItem(text string) (clue, int, string, bool, error) {
	r := text[0]
	if (r < '0' || r > '9') && r != '-' {
		return clue{}, 0, text, false, nil
	}
	n := 1
	if r == '-' {
		n, text = 3, text[1:]
	} else if r >= '5' {
		n = 2
	}
	code, rest, err := digits(text, 1, 10)
	if err != nil {
		return clue{}, 0, "", false, err
	}
	if n == 2 {
		code -= 5
	}
	if code > 4 {
		return clue{}, 0, "", false, fmt.Errorf("%d for a way, expected 0 to 4", code)
	}
	c := clue{kind: arrowClue, way: wayCodes[code], number: -1}
	if strings.HasPrefix(rest, ".") {
		return c, 0, rest[1:], true, nil
	}
	c.number, rest, err = digits(rest, n, 16)
	return c, 0, rest, true, err
}

func writeArrow(c clue) string {
	code := wayCode(c.way)
	switch {
	case c.kind != arrowClue:
		return ""
	case c.number < 0:
		return fmt.Sprintf("%d.", code)
	case c.number < 16:
		return fmt.Sprintf("%d%x", code, c.number)
	case c.number < 256:
		return fmt.Sprintf("%d%02x", code+5, c.number)
	}
	return fmt.Sprintf("-%d%03x", code, c.number)
}

// tapaItem reads up to four numbers.
func tapaItem(text string) (clue, int, string, bool, error) {
	r := text[0]
	list := func(n ...int) clue {
		c := clue{kind: listClue}
		for _, k := range n {
			c.list += strconv.Itoa(k)
		}
		return c
	}
	switch {
	case r >= '0' && r <= '8':
		if r == '0' {
			return clue{kind: listClue}, 0, text[1:], true, nil
		}
		return list(int(r - '0')), 0, text[1:], true, nil
	case r == '9':
		return list(1, 1, 1, 1), 0, text[1:], true, nil
	case r == '.':
		return list(0), 0, text[1:], true, nil
	case r < 'a' || r > 'f':
		return clue{}, 0, text, false, nil
	}
	v, rest, err := digits(text, 2, 36)
	switch {
	case err != nil:
		return clue{}, 0, "", false, err
	case v < 396:
		v -= 360
		return list(v/6, v%6), 0, rest, true, nil
	case v < 460:
		v -= 396
		return list(v/16, v/4%4, v%4), 0, rest, true, nil
	case v < 476:
		v -= 460
		return list(v/8, v/4%2, v/2%2, v%2), 0, rest, true, nil
	}
	return clue{}, 0, "", false, fmt.Errorf("%q, expected up to four numbers", text[:2])
}

func writeTapa(c clue) string {
	if c.kind != listClue {
		return ""
	}
	base := []int{0, 0, 6, 4, 2}[len(c.list)]
	v := []int{0, 0, 360, 396, 460}[len(c.list)]
	switch c.list {
	case "":
		return "0"
	case "0":
		return "."
	case "1111":
		return "9"
	}
	if len(c.list) == 1 {
		return c.list
	}
	n := 0
	for _, r := range c.list {
		n = n*base + int(r-'0')
	}
	return strconv.FormatInt(int64(v+n), 36)
}

// cornerItem reads arrows, and circles with or without a number.
func cornerItem(text string) (clue, int, string, bool, error) {
	circle := clue{kind: arrowClue, way: -1, number: -1}
	var err error
	r := text[0]
	rest := text[1:]
	switch {
	case r == '.':
	case r == '-':
		circle.number, rest, err = digits(rest, 2, 16)
	case r >= '0' && r <= '9' || r >= 'a' && r <= 'f':
		circle.number, _, err = digits(text, 1, 16)
	case r >= 'g' && r <= 'j':
		circle.way = wayCodes[r-'g'+1]
	default:
		return clue{}, 0, text, false, nil
	}
	return circle, 0, rest, true, err
}

func writeCorner(c clue) string {
	switch {
	case c.kind != arrowClue:
		return ""
	case c.way >= 0:
		return string(rune('g' + wayCode(c.way) - 1))
	case c.number < 0:
		return "."
	case c.number < 16:
		return strconv.FormatInt(int64(c.number), 16)
	}
	return fmt.Sprintf("-%02x", c.number)
}

func named(names ...string) (clues []clue) {
	for _, n := range names {
		clues = append(clues, clue{kind: namedClue, name: n})
	}
	return clues
}

// mazeNames are the marks of a maze by their digits, from 1.
var mazeNames = []string{"start", "goal", "circle", "triangle"}

func mazeItem(text string) (clue, int, string, bool, error) {
	if text[0] < '1' || text[0] > '4' {
		return clue{}, 0, text, false, nil
	}
	return named(mazeNames[text[0]-'1'])[0], 0, text[1:], true, nil
}

func writeMaze(c clue) string {
	for i, n := range mazeNames {
		if c.kind == namedClue && c.name == n {
			return strconv.Itoa(i + 1)
		}
	}
	return ""
}

// packed makes an encoding of digits that each hold some numbers for cells, the first of
// which counts the most.
func packed(name string, perDigit, values int, get func(g *givens, c int) int, set func(g *givens, c, v int), clues []clue) *encoding {
	base := 1
	for range perDigit {
		base *= values
	}
	e := &encoding{name: name, clues: clues}
	e.decode = func(g *givens, text string) (string, error) {
		n := g.size.Cells()
		for i := 0; i < n && text != ""; i += perDigit {
			v, rest, err := digits(text, 1, base)
			if err != nil {
				return "", err
			}
			text = rest
			for k := perDigit - 1; k >= 0; k-- {
				if i+k < n {
					set(g, i+k, v%values)
				}
				v /= values
			}
		}
		return text, nil
	}
	e.encode = func(g *givens) string {
		text := ""
		for i := 0; i < g.size.Cells(); i += perDigit {
			v := 0
			for k := range perDigit {
				v *= values
				if i+k < g.size.Cells() {
					v += get(g, i+k)
				}
			}
			text += strconv.FormatInt(int64(v), base)
		}
		return text
	}
	return e
}

var circleNames = []string{"", "white", "black"}

func circles() *encoding {
	return packed("circles", 3, 3, func(g *givens, c int) int {
		for v, n := range circleNames {
			if n == g.clue[c].name {
				return v
			}
		}
		return 0
	}, func(g *givens, c, v int) {
		if v > 0 {
			g.clue[c] = clue{kind: namedClue, name: circleNames[v]}
		}
	}, named("white", "black"))
}

func colours() *encoding {
	e := packed("colours", 5, 2, func(g *givens, c int) int { return g.colour[c] }, func(g *givens, c, v int) { g.colour[c] = v }, nil)
	decode := e.decode
	e.coloured = true
	e.decode = func(g *givens, text string) (string, error) {
		g.colour = make([]int, g.size.Cells())
		return decode(g, text)
	}
	return e
}

// bordersOf are the pairs of cells that a border may part, in their order: beside each
// other, then above each other.
func bordersOf(s board.Size) (beside, above []board.Edge) {
	for c := range board.Cell(s.Cells()) {
		if e := s.Beside(c, board.East); e >= 0 {
			beside = append(beside, board.EdgeOf(c, e))
		}
		if b := s.Beside(c, board.South); b >= 0 {
			above = append(above, board.EdgeOf(c, b))
		}
	}
	return beside, above
}

func borders() *encoding {
	e := &encoding{name: "borders", rooms: true}
	e.decode = func(g *givens, text string) (string, error) {
		beside, above := bordersOf(g.size)
		joined := board.NewSets(g.size.Cells())
		g.border = map[board.Edge]bool{}
		for _, edges := range [][]board.Edge{beside, above} {
			for i := 0; i < len(edges); i += 5 {
				v, rest, err := digits(text, 1, 32)
				if err != nil {
					return "", err
				}
				text = rest
				for k := range 5 {
					if i+k >= len(edges) {
						break
					}
					if v>>(4-k)&1 == 1 {
						g.border[edges[i+k]] = true
					} else {
						joined.Join(int(edges[i+k].A), int(edges[i+k].B))
					}
				}
			}
		}
		g.numberRooms(joined)
		return text, nil
	}
	e.encode = func(g *givens) string {
		text := ""
		beside, above := bordersOf(g.size)
		for _, edges := range [][]board.Edge{beside, above} {
			for i := 0; i < len(edges); i += 5 {
				v := 0
				for k := range 5 {
					v *= 2
					if i+k < len(edges) && g.parted(edges[i+k].A, edges[i+k].B) {
						v++
					}
				}
				text += strconv.FormatInt(int64(v), 32)
			}
		}
		return text
	}
	return e
}

// numberRooms numbers rooms by their first cells.
func (g *givens) numberRooms(joined board.Sets) {
	number := map[int]int{}
	g.room = make([]int, g.size.Cells())
	for c := range g.room {
		root := joined.Find(c)
		if _, ok := number[root]; !ok {
			number[root] = len(number)
		}
		g.room[c] = number[root]
	}
	g.roomClue = make([]clue, len(number))
}

// connectedRooms are the sets of cells that are connected within equal numbers.
func connectedRooms(size board.Size, of []int) board.Sets {
	joined := board.NewSets(size.Cells())
	for _, e := range size.Edges() {
		if of[e.A] == of[e.B] {
			joined.Join(int(e.A), int(e.B))
		}
	}
	return joined
}

// roomNumbers are those of rooms, which come in the order of their first cells.
func roomNumbers() *encoding {
	e := &encoding{name: "room_numbers", clues: numberClues(0, 6), ofRooms: true}
	e.decode = func(g *givens, text string) (string, error) {
		return decodeRun(g.roomClue, text, 'g', numberItem)
	}
	e.encode = func(g *givens) string { return encodeRun(g.roomClue, 'g', writeNumber) }
	return e
}

// base36Item reads a number for a cell, or a dot for none.
func base36Item(text string) (clue, int, string, bool, error) {
	switch text[0] {
	case '.':
		return clue{}, 0, text[1:], true, nil
	case '%':
		return unknown, 0, text[1:], true, nil
	case '-':
		n, rest, err := digits(text[1:], 2, 36)
		return numbered(n), 0, rest, true, err
	}
	n, rest, err := digits(text, 1, 36)
	return numbered(n), 0, rest, true, err
}

func base36() *encoding {
	e := &encoding{name: "number36", clues: numberClues(1, 9), full: true}
	e.decode = func(g *givens, text string) (string, error) { return decodeRun(g.clue, text, '~', base36Item) }
	e.encode = func(g *givens) string {
		text := ""
		for _, c := range g.clue {
			switch {
			case c == unknown:
				text += "%"
			case c.kind != numberClue:
				text += "."
			case c.number < 36:
				text += strconv.FormatInt(int64(c.number), 36)
			default:
				text += fmt.Sprintf("-%2s", strconv.FormatInt(int64(c.number), 36))
			}
		}
		return text
	}
	return e
}

// encodings are all of them, with the names that descriptions use.
func encodings() []*encoding {
	var arrows, tapa, corners []clue
	for way := range 4 {
		for n := range 4 {
			arrows = append(arrows, clue{kind: arrowClue, number: n, way: way})
		}
		corners = append(corners, clue{kind: arrowClue, number: -1, way: way})
	}
	for _, list := range []string{"1", "2", "3", "4", "5", "6", "11", "12", "13", "22", "23", "111", "112"} {
		tapa = append(tapa, clue{kind: listClue, list: list})
	}
	for n := 3; n < 9; n++ {
		corners = append(corners, clue{kind: arrowClue, number: n, way: -1})
	}
	four := run("four_cell", 'g', fourItem, nil, numberClues(0, 4))
	four.encode = encodeFour
	maze := run("maze_marks", '5', mazeItem, writeMaze, named("circle", "triangle"))
	maze.once = named("start", "goal")
	return []*encoding{
		run("number16", 'g', numberItem, writeNumber, numberClues(1, 9)), four,
		run("arrows", 'a', arrowItem, writeArrow, arrows), run("tapa_numbers", 'g', tapaItem, writeTapa, tapa),
		run("corners", 'k', cornerItem, writeCorner, corners), maze,
		circles(), colours(), borders(), roomNumbers(), base36(),
	}
}

// encodeFour joins up to two cells without a clue to the number before.
func encodeFour(g *givens) string {
	text := ""
	for i := 0; i < len(g.clue); {
		c := g.clue[i]
		gap := 0
		for k := i + 1; k < len(g.clue) && g.clue[k].kind == noClue && gap < 20; k++ {
			gap++
		}
		switch {
		case c == unknown:
			text += "."
			i++
		case c.kind == numberClue:
			gap = min(gap, 2)
			if i+gap == len(g.clue)-1 {
				gap = 0 // what is left at the end is a letter
			}
			text += strconv.FormatInt(int64(c.number+5*gap), 16)
			i += 1 + gap
		default:
			gap = min(gap, 19)
			text += strconv.FormatInt(int64(16+gap), 36)
			i += 1 + gap
		}
	}
	return text
}
