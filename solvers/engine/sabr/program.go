package sabr

// Program is a program that keeps to the grammar. It does not change, and may
// be used by several goroutines at once.
type Program struct {
	file      string
	lists     []symbolList
	symbols   map[string]symbol
	board     []cell
	layout    [][]layoutItem // by printed line
	start     []rule         // nil: anything
	end       []rule         // nil: anything
	objects   []object
	instances []instance
	places    [][]occurrence // by object, those of its instances
	whole     []occurrence   // the one of the Board
	requires  []require
	options   []require
	differs   []allDifferent
	steps     []transition
	warnings  []*Error
}

// symbolList is a Sym section.
type symbolList struct {
	name    word // empty text: the default list
	symbols []word
}

// symbol is a place in a list of symbols.
type symbol struct {
	list, index int
}

// cell is a cell of the Board.
type cell struct {
	name word
	list int
}

// layoutItem is what is printed in one place: dots, or a cell's symbol.
type layoutItem struct {
	dots string
	cell int // when dots is empty
}

// theBoard stands for the Board in the place of an object.
const theBoard = -1

// object is an object type.
type object struct {
	name     word
	size     int  // its number of cells
	declared bool // by an Obj section
}

// instance is a DesObj section.
type instance struct {
	label  string
	object int
	cells  []int // of the Board
}

// span is the stages for which a section holds, both included.
type span struct {
	first, last int
}

func (s span) holds(stage int) bool { return s.first <= stage && stage <= s.last }

// rule is one rule as it is written. Whether a name is a symbol or a variable
// depends on the Sym sections.
type rule struct {
	anything bool   // "?"
	variable word   // in "v:(…)" the v; otherwise empty
	atoms    []atom // alternatives; exactly one when written without parentheses
	at       word   // its first word
}

// atom is a name, or a name after "!".
type atom struct {
	negated bool
	name    word
}

// require is a Req or an Opt section.
type require struct {
	span   span
	name   string
	object int
	rules  []rule
}

// allDifferent is an AllDif section.
type allDifferent struct {
	span  span
	cells []int
}

// transition is a Trans, TransSim or TransLock section.
type transition struct {
	span         span
	name         string
	object       int
	simultaneous bool
	before       []rule
	after        []rule
}

// File is the name that was given to Parse.
func (p *Program) File() string { return p.file }

// HasSteps reports whether the program has a section Trans, TransSim or
// TransLock; without one it has a single stage.
func (p *Program) HasSteps() bool { return len(p.steps) > 0 }

// Cells are the names of the board's cells, in order.
func (p *Program) Cells() []string {
	names := make([]string, len(p.board))
	for i, c := range p.board {
		names[i] = c.name.text
	}
	return names
}

// Warnings are places that follow the grammar but are hardly intended: a variable that stands
// in one place only (a misspelt symbol?), a symbol that a cell can never hold, rules for an
// object that no DesObj makes. They do not change what the program means.
func (p *Program) Warnings() []*Error { return p.warnings }

// occurrence is where an object lies on the board.
type occurrence struct {
	label string
	cells []int
}

// occurrences are the instances of an object, in the order of the text.
func (p *Program) occurrences(object int) []occurrence {
	if object == theBoard {
		return p.whole
	}
	return p.places[object]
}

// findOccurrences fills in what occurrences returns.
func (p *Program) findOccurrences() {
	cells := make([]int, len(p.board))
	for i := range cells {
		cells[i] = i
	}
	p.whole = []occurrence{{cells: cells}}
	p.places = make([][]occurrence, len(p.objects))
	for _, in := range p.instances {
		p.places[in.object] = append(p.places[in.object], occurrence{in.label, in.cells})
	}
}

// listsOf are the lists of symbols that cells hold.
func (p *Program) listsOf(cells []int) []int {
	lists := make([]int, len(cells))
	for i, c := range cells {
		lists[i] = p.board[c].list
	}
	return lists
}
