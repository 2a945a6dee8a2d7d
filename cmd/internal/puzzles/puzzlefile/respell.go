package puzzlefile

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A spelling is a board as some notation has it, made of a text as other people's programs
// write it: with commas, bars or tabs between cells, in brackets as in JSON, below a line
// that tells its size, with a 0 or another character for empty cells.
type spelling struct {
	text  string
	lines []int // by line of text: the line on which it stood, from 1
}

// mostRespelled is the most bytes of a text that is spelled otherwise: far more than any
// board has.
const mostRespelled = 1 << 20

// table is the cells of a board, as they were found in a text.
type table struct {
	rows         [][]string
	at           []int    // by row: its line, from 1
	head, tail   []string // lines that notations have before and after the cells
	headAt, last []int    // their lines
}

var (
	keptLine  = regexp.MustCompile(`^(hex|warp|easy|hard|walls .*)$`)
	remark    = regexp.MustCompile(`^(//.*|.*:)$`)
	ruledLine = regexp.MustCompile(`^[-+|=:\s\x{2500}-\x{257f}]*$`)
	sizeLine  = regexp.MustCompile(`^(?:\pL+\s*[:=]?\s*)?(\d{1,3})(?:\s*[xX\x{d7}*:,;\s]\s*(\d{1,3}))?$`)
	group     = regexp.MustCompile(`[\[({]([^\[\](){}]*)[\])}]`)
	outside   = regexp.MustCompile(`^\s*\{?(?:[^\[\](){}]*[:=])?[\s\[\](){},;]*$`)
)

// plain is a text without what cannot be seen in it, and with one kind of bar.
func plain(text string) string {
	return strings.NewReplacer("\ufe0e", "", "\ufe0f", "", "\u200b", "", "\u00a0", " ", "│", "|", "┃", "|", "║", "|").Replace(text)
}

// respell returns the spellings of a text, none where no cells can be told apart in it.
// Foreign says that the cells stand in the text as in nobody's notation.
func respell(text string) (spellings []spelling, foreign bool) {
	if len(text) > mostRespelled {
		return nil, false
	}
	t, ok := bracketed(plain(text))
	if !ok {
		t = lined(plain(text))
	}
	if len(t.rows) == 0 {
		return nil, false
	}
	foreign = true
	for _, rows := range variants(t.rows) {
		for _, gap := range []string{"", " "} {
			s, ok := t.spell(rows, gap)
			foreign = foreign && s.text != strings.TrimRight(text, "\n")
			if ok && len(s.lines) > 0 && s.text != text { // a text of blanks has no other spelling
				spellings = append(spellings, s)
			}
		}
	}
	return spellings, foreign
}

// spell writes rows with a gap between cells. Without one, all have to be single characters.
func (t table) spell(rows [][]string, gap string) (spelling, bool) {
	lines := slices.Clone(t.head)
	for _, row := range rows {
		if gap == "" && slices.ContainsFunc(row, func(cell string) bool { return utf8.RuneCountInString(cell) != 1 }) {
			return spelling{}, false
		}
		lines = append(lines, strings.Join(row, gap))
	}
	return spelling{strings.Join(append(lines, t.tail...), "\n"), slices.Concat(t.headAt, t.at, t.last)}, true
}

// variants are the rows as they are, with the notations' characters for empty cells, and with
// capital letters.
func variants(rows [][]string) [][][]string {
	found := [][][]string{rows}
	change := func(to func(cell string) string) {
		changed := make([][]string, len(rows))
		for i, row := range rows {
			for _, cell := range row {
				changed[i] = append(changed[i], to(cell))
			}
		}
		if !slices.EqualFunc(rows, changed, slices.Equal[[]string]) {
			found = append(found, changed)
		}
	}
	if empty := emptyIn(rows); empty != "" {
		for _, written := range []string{".", "-"} {
			change(func(cell string) string {
				if cell == empty {
					return written
				}
				return cell
			})
		}
	}
	change(strings.ToUpper)
	return found
}

// emptyIn is what empty cells are written as; empty where that is not clear. A 0 is, unless
// another character is that, or it stands on two cells as the ends of a pair do.
func emptyIn(rows [][]string) string {
	count := map[string]int{}
	for _, row := range rows {
		for _, cell := range row {
			count[cell]++
		}
	}
	present := slices.DeleteFunc([]string{".", "-", " ", "_", "*", "·", "•", "null", "None"}, func(c string) bool { return count[c] == 0 })
	zeros := count["0"]
	delete(count, "0")
	pairs := slices.Contains(slices.Collect(maps.Values(count)), 2)
	switch {
	case len(present) == 1:
		return present[0]
	case len(present) == 0 && zeros > 0 && (zeros != 2 || !pairs):
		return "0"
	}
	return ""
}

// bracketed finds rows in brackets: [["A","B"],["A","B"]], or ["AB","AB"].
func bracketed(text string) (t table, ok bool) {
	groups := group.FindAllStringSubmatchIndex(text, -1)
	if groups == nil || !outside.MatchString(group.ReplaceAllString(text, "")) {
		return t, false
	}
	line, counted := 1, 0
	lineAt := func(at int) int { // of places in order
		line += strings.Count(text[counted:max(at, counted)], "\n")
		counted = max(at, counted)
		return line
	}
	for _, at := range groups {
		inner := text[at[2]:at[3]]
		t.rows = append(t.rows, rowsOf([]string{strings.TrimSpace(strings.ReplaceAll(inner, "\n", " "))})...)
		t.at = append(t.at, lineAt(at[2]))
	}
	if len(groups) > 1 {
		return t, true
	}
	words, place := t.rows[0], groups[0][2] // one list, of rows
	line, counted = 1, 0
	t.rows, t.at = nil, nil
	for _, word := range words {
		place += max(strings.Index(text[place:], word), 0)
		t.rows, t.at = append(t.rows, strings.Split(word, "")), append(t.at, lineAt(place))
	}
	return t, true
}

// lined finds rows in lines, below one that tells their size, or without it.
func lined(text string) table {
	var t table
	var lines []string
	for i, line := range strings.Split(text, "\n") {
		line = strings.Trim(line, " \r")
		switch {
		case strings.TrimSpace(line) == "", remark.MatchString(line):
		case strings.Contains(text, "|") && strings.ContainsAny(line, "-─━═") && ruledLine.MatchString(line):
		case keptLine.MatchString(line) && len(lines) == 0:
			t.head, t.headAt = append(t.head, line), append(t.headAt, i+1)
		case keptLine.MatchString(line):
			t.tail, t.last = append(t.tail, line), append(t.last, i+1)
		default:
			lines, t.at = append(lines, line), append(t.at, i+1)
		}
	}
	if len(lines) == 1 {
		lines = inOneLine(lines[0])
		t.at = slices.Repeat(t.at, len(lines))
	}
	if len(lines) > 1 && sizeLine.MatchString(lines[0]) {
		m := sizeLine.FindStringSubmatch(lines[0])
		below := rowsOf(lines[1:])
		rows, cols := strconv.Itoa(len(below)), strconv.Itoa(len(below[0]))
		if m[1] == rows && (m[2] == cols || m[2] == "") || m[1] == cols && m[2] == rows {
			t.rows, t.at = below, t.at[1:]
			return t
		}
		if m[2] != "" && !isRow(lines[0], lines[1:]) {
			return table{} // the size of another board: there is no saying which line is wrong
		}
	}
	t.rows = rowsOf(lines)
	return t
}

// isRow reports whether a line that may tell a size can be the first row of a board instead:
// the rows below have as many cells, with the same separator, and numbers among them.
func isRow(line string, below []string) bool {
	separator := separatorOf(append(below[:len(below):len(below)], line))
	cells := len(cellsOf(line, separator))
	wide := func(row string) bool { return len(cellsOf(row, separator)) != cells }
	spaced := separator == "" && strings.ContainsAny(line, " \t")
	return !spaced && !slices.ContainsFunc(below, wide) && strings.ContainsAny(strings.Join(below, ""), "0123456789")
}

// inOneLine are the rows of a square board that stands in one line, such as AB/AB.
func inOneLine(line string) []string {
	for _, separator := range []string{"/", ";", "|", ",", " "} {
		rows := strings.Split(strings.Trim(line, separator+" "), separator)
		if len(rows) > 1 && !slices.ContainsFunc(rows, func(row string) bool { return utf8.RuneCountInString(row) != len(rows) }) {
			return rows
		}
	}
	return []string{line}
}

// rowsOf are the cells of lines.
func rowsOf(lines []string) (rows [][]string) {
	separator := separatorOf(lines)
	ends := strings.Trim(separator, " \t") // of each line
	if slices.ContainsFunc(lines, func(line string) bool { return !strings.HasSuffix(line, ends) }) {
		ends = ""
	}
	for _, line := range lines {
		rows = append(rows, cellsOf(strings.TrimSuffix(line, ends), separator))
	}
	return rows
}

// separatorOf is what stands between the cells of all lines; empty where it is nothing.
func separatorOf(lines []string) string {
	for _, separator := range []string{",", ";", "|", "\t", " "} {
		if !slices.ContainsFunc(lines, func(line string) bool { return !strings.Contains(strings.TrimSpace(line), separator) }) {
			return separator
		}
	}
	return ""
}

// cellsOf are the cells of a row, without quotes. One with nothing between two separators
// is empty.
func cellsOf(line, separator string) []string {
	cells := strings.Split(line, separator)
	switch separator {
	case " ":
		cells = strings.Fields(line)
	case "|":
		cells = strings.Split(strings.Trim(line, "| "), "|")
	}
	for i, cell := range cells {
		switch cells[i] = strings.Trim(cell, " \t\r\n\"'`"); {
		case cells[i] != "":
		case separator == "" && cell != "":
			cells[i] = cell // a blank, which stands for an empty cell where nothing else does
		default:
			cells[i] = "."
		}
	}
	if len(cells) == 1 {
		return strings.Split(cells[0], "") // "AABB",
	}
	return cells
}
