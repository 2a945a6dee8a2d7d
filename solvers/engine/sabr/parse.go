package sabr

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The words that begin sections.
const (
	wordSym       = "Sym"
	wordBoard     = "Board"
	wordStart     = "Start"
	wordEnd       = "End"
	wordObj       = "Obj"
	wordDesObj    = "DesObj"
	wordReq       = "Req"
	wordOpt       = "Opt"
	wordAllDif    = "AllDif"
	wordTrans     = "Trans"
	wordTransSim  = "TransSim"
	wordTransLock = "TransLock"
)

// sectionWords are in the order in which sections may come.
const sectionWords = "Sym Board Start End Obj DesObj Req Opt AllDif Trans TransSim TransLock"

// MostText is the most bytes a program may have.
const MostText = 4 << 20

// Parse reads a program. The name stands in error messages; it may be empty. An
// error is an *Error.
func Parse(name, text string) (*Program, error) {
	if len(text) > MostText {
		return nil, &Error{File: name, Line: 1, Column: 1, Reason: fmt.Sprintf("the program has %d bytes, expected at most %d", len(text), MostText)}
	}
	words, err := scan(name, text)
	if err != nil {
		return nil, err
	}
	p := parser{
		words:   words,
		program: &Program{file: name, symbols: map[string]symbol{}},
		lists:   map[string]int{},
		cells:   map[string]int{},
		objects: map[string]int{},
	}
	if err := p.parse(); err != nil {
		return nil, err
	}
	return p.program, nil
}

// parser reads words from the front.
type parser struct {
	words   []word
	last    word // the one before the next
	program *Program
	lists   map[string]int // symbol lists by name
	cells   map[string]int
	objects map[string]int
	uses    []use
}

// use is a place that gives a number of cells or rules to an object.
type use struct {
	section string
	object  int
	name    word
	count   int
	what    string // "cells" or "rules"
}

func (p *parser) fail(w word, format string, a ...any) error {
	return &Error{p.program.file, w.line, w.column, w.text, fmt.Sprintf(format, a...)}
}

func (p *parser) peek() word { return p.words[0] }

// next returns the first word and moves past it, except for the empty one at the end
// of the program.
func (p *parser) next() word {
	w := p.words[0]
	if w.text != "" {
		p.words = p.words[1:]
		p.last = w
	}
	return w
}

// accept moves past the word if it is next.
func (p *parser) accept(text string) bool {
	if p.peek().text != text {
		return false
	}
	p.next()
	return true
}

func (p *parser) unexpected(expected string) error {
	return p.fail(p.peek(), "unexpected %s, expected %s", p.peek().quoted(), expected)
}

func (p *parser) expect(text string) error {
	if !p.accept(text) {
		return p.unexpected(fmt.Sprintf("%q", text))
	}
	return nil
}

func (p *parser) name(what string) (word, error) {
	if !p.peek().isName() {
		return word{}, p.unexpected(what)
	}
	return p.next(), nil
}

func (p *parser) parse() error {
	if p.peek().text != wordSym {
		return p.unexpected("Sym: a program begins with its symbols")
	}
	for p.accept(wordSym) {
		if err := p.symbolList(); err != nil {
			return err
		}
	}
	if !p.accept(wordBoard) {
		return p.unexpected("Sym or Board")
	}
	if err := p.boardCells(); err != nil {
		return err
	}
	for p.peek().text == wordStart || p.peek().text == wordEnd {
		section := p.next()
		target := &p.program.start
		if section.text == wordEnd {
			target = &p.program.end
		}
		if *target != nil {
			return p.fail(section, "a second %s, expected at most one", section.text)
		}
		list, err := p.rules(section.text, section, theBoard, "{", "}")
		if err != nil {
			return err
		}
		*target = list
	}
	for p.peek().text != "" {
		if err := p.section(); err != nil {
			return err
		}
	}
	if err := p.checkUses(); err != nil {
		return err
	}
	p.program.findOccurrences()
	p.warnUnmade()
	return p.program.checkNames()
}

func (p *parser) section() error {
	section := p.next()
	switch section.text {
	case wordObj:
		return p.object()
	case wordDesObj:
		return p.instance()
	case wordReq, wordOpt:
		return p.require(section)
	case wordAllDif:
		return p.allDifferent()
	case wordTrans, wordTransSim, wordTransLock:
		return p.transition(section)
	case wordSym, wordBoard, wordStart, wordEnd:
		return p.fail(section, "%s comes too late: first Sym, then Board, then Start and End, then the rest", section.text)
	}
	return p.fail(section, "unexpected %s, expected a section: one of %s", section.quoted(), sectionWords)
}

// list reads a list in braces up to the word that closes it. item reads one
// item; lineBreak is told of a ';' after it.
func (p *parser) list(what, closing string, item func() error, lineBreak func()) error {
	for count := 0; !p.accept(closing); count++ {
		if w := p.peek().text; w == "" || w == "{" || w == "}" || w == "=>" || w == ";" {
			expected := fmt.Sprintf("%s or %q", what, closing)
			if count == 0 && w == ";" {
				expected = what
			}
			if w == "{" && slices.Contains(strings.Fields(sectionWords), p.last.text) {
				expected += " before " + p.last.text
			}
			return p.unexpected(expected)
		}
		if err := item(); err != nil {
			return err
		}
		if p.accept(";") && lineBreak != nil {
			lineBreak()
		}
	}
	return nil
}

func (p *parser) symbolList() error {
	list := symbolList{name: word{line: p.peek().line, column: p.peek().column}}
	if p.peek().isName() {
		list.name = p.next()
	}
	if before, ok := p.lists[list.name.text]; ok {
		if list.name.text == "" {
			return p.fail(p.peek(), "a second list of symbols without a name, expected a name before %s", p.peek().quoted())
		}
		return p.fail(list.name, "a second list of symbols %s, the first is on line %d", list.name.quoted(), p.program.lists[before].name.line)
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	id := len(p.program.lists)
	p.lists[list.name.text] = id
	end := p.peek()
	err := p.list("a symbol", "}", func() error {
		w, err := p.name("a symbol")
		if err != nil {
			return err
		}
		if other, ok := p.program.symbols[w.text]; ok {
			if other.list == id {
				return p.fail(w, "the symbol %s stands twice in this list", w.quoted())
			}
			return p.fail(w, "the symbol %s stands in two lists of symbols", w.quoted())
		}
		p.program.symbols[w.text] = symbol{id, len(list.symbols)}
		list.symbols = append(list.symbols, w)
		end = p.peek()
		return nil
	}, nil)
	if err != nil {
		return err
	}
	if len(list.symbols) == 0 {
		return p.fail(end, "a list of symbols is empty, expected a symbol")
	}
	p.program.lists = append(p.program.lists, list)
	return nil
}

func (p *parser) boardCells() error {
	if err := p.expect("{"); err != nil {
		return err
	}
	program := p.program
	program.layout = [][]layoutItem{nil}
	put := func(item layoutItem) {
		last := len(program.layout) - 1
		program.layout[last] = append(program.layout[last], item)
	}
	end := p.peek()
	err := p.list(`a cell, "."`, "}", func() error {
		if p.peek().isDots() {
			put(layoutItem{dots: p.next().text})
			end = p.peek()
			return nil
		}
		w, err := p.name(`a cell, "."`)
		if err != nil {
			return err
		}
		if before, ok := p.cells[w.text]; ok {
			return p.fail(w, "the cell %s stands twice on the Board, first on line %d", w.quoted(), program.board[before].name.line)
		}
		list, listName := 0, w
		if p.accept(":") {
			if listName, err = p.name("the name of a list of symbols"); err != nil {
				return err
			}
			known := false
			if list, known = p.lists[listName.text]; !known {
				return p.fail(listName, "there is no list of symbols %s", listName.quoted())
			}
		} else {
			known := false
			if list, known = p.lists[""]; !known {
				return p.fail(w, "the cell %s needs the name of a list of symbols, as in %s:%s: every list has a name",
					w.quoted(), w.text, program.lists[0].name.text)
			}
		}
		p.cells[w.text] = len(program.board)
		put(layoutItem{cell: len(program.board)})
		program.board = append(program.board, cell{w, list})
		end = p.peek()
		return nil
	}, func() { program.layout = append(program.layout, nil) })
	if err != nil {
		return err
	}
	if len(program.board) == 0 {
		return p.fail(end, "the Board has no cells, expected at least one")
	}
	if last := len(program.layout) - 1; len(program.layout[last]) == 0 {
		program.layout = program.layout[:last]
	}
	return nil
}

// findObject returns an object type, making it if the name is new.
func (p *parser) findObject(w word) int {
	id, ok := p.objects[w.text]
	if !ok {
		id = len(p.program.objects)
		p.objects[w.text] = id
		p.program.objects = append(p.program.objects, object{name: w})
	}
	return id
}

// noBoard refuses Board as the name of an object type.
func (p *parser) noBoard(w word) error {
	if w.text == wordBoard {
		return p.fail(w, `"Board" is the board itself, expected the name of another object`)
	}
	return nil
}

func (p *parser) object() error {
	w, err := p.name("the name of an object")
	if err != nil {
		return err
	}
	if err := p.noBoard(w); err != nil {
		return err
	}
	id := p.findObject(w)
	if p.program.objects[id].declared {
		return p.fail(w, "a second Obj %s, expected at most one", w.text)
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	// The names are for people only: one that stands twice is two cells.
	size := 0
	err = p.list("a cell", "}", func() error {
		size++
		_, err := p.name("a cell")
		return err
	}, nil)
	if err != nil {
		return err
	}
	if size == 0 {
		return p.fail(w, "Obj %s has no cells, expected at least one", w.text)
	}
	p.program.objects[id].declared = true
	p.program.objects[id].size = size
	return nil
}

// label reads "N:O" or "O" and returns the words; without N its text is empty.
func (p *parser) label() (label string, object word, err error) {
	if object, err = p.name("the name of an object"); err != nil {
		return "", word{}, err
	}
	if p.accept(":") {
		label = object.text
		object, err = p.name("the name of an object")
	}
	return label, object, err
}

// boardList reads cells of the Board in braces.
func (p *parser) boardList(seen func(word) error) ([]int, error) {
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	var cells []int
	err := p.list("a cell", "}", func() error {
		w, err := p.name("a cell")
		if err != nil {
			return err
		}
		c, ok := p.cells[w.text]
		if !ok {
			return p.fail(w, "there is no cell %s on the Board", w.quoted())
		}
		cells = append(cells, c)
		return seen(w)
	}, nil)
	return cells, err
}

func (p *parser) instance() error {
	label, name, err := p.label()
	if err != nil {
		return err
	}
	if err := p.noBoard(name); err != nil {
		return err
	}
	object := p.findObject(name)
	// A cell may play two parts in an object.
	cells, err := p.boardList(func(word) error { return nil })
	if err != nil {
		return err
	}
	if len(cells) == 0 {
		return p.fail(name, "DesObj %s has no cells, expected at least one", name.text)
	}
	p.program.instances = append(p.program.instances, instance{label, object, cells})
	p.uses = append(p.uses, use{wordDesObj, object, name, len(cells), "cells"})
	return nil
}

// span reads "(i:j)" or "(i)", if there is one.
func (p *parser) span() (span, error) {
	s := span{0, math.MaxInt}
	if !p.accept("(") {
		return s, nil
	}
	from := p.peek()
	var err error
	if s.first, err = p.stage(); err != nil {
		return s, err
	}
	s.last = s.first
	if p.accept(":") {
		if s.last, err = p.stage(); err != nil {
			return s, err
		}
	}
	if s.last < s.first {
		return s, p.fail(from, "the stages (%d:%d) are out of order, expected the smaller number first", s.first, s.last)
	}
	if !p.accept(")") {
		if s.last != s.first {
			return s, p.unexpected(`")"`)
		}
		return s, p.unexpected(`":" or ")"`)
	}
	return s, nil
}

func (p *parser) stage() (int, error) {
	w := p.peek()
	if strings.Trim(w.text, "0123456789") != "" || w.text == "" {
		return 0, p.unexpected("the number of a stage")
	}
	n, err := strconv.ParseInt(w.text, 10, 32)
	if err != nil {
		return 0, p.fail(w, "the stage %s is too large, expected at most %d", w.text, math.MaxInt32)
	}
	p.next()
	return int(n), nil
}

// on reads "[(i:j)] [N:]O", where O may be Board.
func (p *parser) on() (s span, label string, object int, name word, err error) {
	if s, err = p.span(); err != nil {
		return
	}
	if label, name, err = p.label(); err != nil {
		return
	}
	object = theBoard
	if name.text != wordBoard {
		object = p.findObject(name)
	}
	return
}

// rules reads the rules for an object from the opening to the closing word.
func (p *parser) rules(section string, name word, object int, opening, closing string) ([]rule, error) {
	if opening != "" {
		if err := p.expect(opening); err != nil {
			return nil, err
		}
	}
	list := []rule{}
	err := p.list("a rule", closing, func() error {
		r, err := p.rule()
		list = append(list, r)
		return err
	}, nil)
	if err == nil {
		p.uses = append(p.uses, use{section, object, name, len(list), "rules"})
	}
	return list, err
}

func (p *parser) rule() (r rule, err error) {
	r.at = p.peek()
	switch {
	case p.accept("?"):
		r.anything = true
		return r, nil
	case r.at.text == "(":
		r.atoms, err = p.alternatives()
		return r, err
	}
	a, err := p.atom("a rule")
	if err != nil {
		return r, err
	}
	if p.peek().text == ":" {
		if a.negated {
			return r, p.fail(p.peek(), `unexpected ":" after !%s, expected a rule`, a.name.text)
		}
		if _, ok := p.program.symbols[a.name.text]; ok {
			return r, p.fail(a.name, "%s is a symbol, expected a variable before \":\"", a.name.quoted())
		}
		p.next()
		r.variable = a.name
		if p.peek().text != "(" {
			return r, p.unexpected(`"(" and the symbols for ` + a.name.text)
		}
		r.atoms, err = p.alternatives()
		return r, err
	}
	r.atoms = []atom{a}
	return r, nil
}

func (p *parser) atom(what string) (atom, error) {
	if p.accept("!") {
		w, err := p.name(`a name after "!"`)
		return atom{true, w}, err
	}
	w, err := p.name(what)
	return atom{false, w}, err
}

// alternatives reads "(a,b,!c)".
func (p *parser) alternatives() ([]atom, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	var atoms []atom
	for {
		a, err := p.atom("a name or \"!\"")
		if err != nil {
			return nil, err
		}
		atoms = append(atoms, a)
		if p.accept(")") {
			return atoms, nil
		}
		if !p.accept(",") {
			return nil, p.unexpected(`"," or ")"`)
		}
	}
}

func (p *parser) require(section word) error {
	s, label, object, name, err := p.on()
	if err != nil {
		return err
	}
	rules, err := p.rules(section.text, name, object, "{", "}")
	if err != nil {
		return err
	}
	r := require{s, label, object, rules}
	if section.text == wordReq {
		p.program.requires = append(p.program.requires, r)
	} else {
		p.program.options = append(p.program.options, r)
	}
	return nil
}

func (p *parser) allDifferent() error {
	s, err := p.span()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	cells, err := p.boardList(func(w word) error {
		if seen[w.text] {
			return p.fail(w, "the cell %s stands twice in AllDif, and cannot differ from itself", w.quoted())
		}
		seen[w.text] = true
		return nil
	})
	p.program.differs = append(p.program.differs, allDifferent{s, cells})
	return err
}

func (p *parser) transition(section word) error {
	s, label, object, name, err := p.on()
	if err != nil {
		return err
	}
	before, err := p.rules(section.text, name, object, "{", "=>")
	if err != nil {
		return err
	}
	after, err := p.rules(section.text, name, object, "", "}")
	if err != nil {
		return err
	}
	p.program.steps = append(p.program.steps, transition{s, label, object, section.text == wordTransSim, before, after})
	return nil
}

// checkUses wants objects to have the right number of cells and rules everywhere,
// in the order of the text. An Obj section says how many are right,
// or else the first DesObj section, or else the first section with rules.
func (p *parser) checkUses() error {
	for _, u := range p.uses {
		if u.section == wordDesObj && p.program.objects[u.object].size == 0 {
			p.program.objects[u.object].size = u.count
		}
	}
	for _, u := range p.uses {
		if u.object != theBoard && p.program.objects[u.object].size == 0 {
			p.program.objects[u.object].size = u.count
		}
	}
	for _, u := range p.uses {
		size, what := len(p.program.board), "the Board"
		if u.object != theBoard {
			size, what = p.program.objects[u.object].size, "the object"
		}
		if size != u.count {
			section := u.section
			if u.name.text != section {
				section += " " + u.name.text
			}
			return p.fail(u.name, "%s has %s, expected %d, one for each cell of %s", section, counted(u.count, u.what), size, what)
		}
	}
	return nil
}

// warnUnmade warns of rules for objects that lie nowhere. They say nothing: the
// name may be misspelt.
func (p *parser) warnUnmade() {
	warned := map[int]bool{}
	for _, u := range p.uses {
		if u.object == theBoard || len(p.program.places[u.object]) > 0 || warned[u.object] {
			continue
		}
		warned[u.object] = true
		p.program.warnings = append(p.program.warnings, p.program.fault(u.name, "no DesObj makes the object %s: its rules say nothing", u.name.quoted()))
	}
}

func counted(n int, what string) string {
	if n == 1 {
		what = strings.TrimSuffix(what, "s")
	}
	return fmt.Sprintf("%d %s", n, what)
}
