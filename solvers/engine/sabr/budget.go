package sabr

import (
	"context"
	"fmt"
)

// mostMemory is the most bytes that the constraints of a program may take, as
// budget estimates them: a hundred times what large puzzles need, and so little
// that it is spent within a second or two.
const mostMemory = 512 << 20

// The approximate number of bytes that the engine needs, lists that grow included.
// TestMemory compares the estimate with what is allocated.
const (
	variableBytes = 400
	clauseBytes   = 64 // of three literals
	literalBytes  = 8  // for each further one
	binaryBytes   = 32 // a clause of two literals
	holderBytes   = 48 // a literal that is counted
	moveBytes     = 160
)

// choiceBytes is the size of a choice and of a clause about all of it.
func choiceBytes(n int) int {
	return clauseBytes + n*(variableBytes+holderBytes+literalBytes)
}

// boardBytes is the size of the cells of a stage.
func (p *Program) boardBytes() int {
	total := 0
	for _, c := range p.board {
		total += choiceBytes(len(p.lists[c.list].symbols))
	}
	return total
}

// clauseBytes is the size of the clauses for the rule at place i of a pattern.
func (r *placeRule) clauseBytes(t *pattern, i int) int {
	bytes := 0
	if r.equal >= 0 && t.variables[r.equal].place != i {
		bytes += 2 * r.symbols * clauseBytes
	}
	return bytes + (r.symbols-r.choices)*(clauseBytes+literalBytes*(len(r.same)+len(r.other)))
}

// budget is the time and the memory there is for compiling a program. Once one
// of them is spent err says so, and pay and work return false.
type budget struct {
	ctx   context.Context
	file  string
	stage int // the stage being added, from 0
	most  int // bytes
	spent int // bytes
	steps int // since the context was last checked
	err   error
}

// stepsBetween is the number of steps between two checks of the context: they take
// a few milliseconds at most.
const stepsBetween = 1 << 13

// pay spends memory, before it is allocated.
func (b *budget) pay(bytes int) bool {
	if b.spent += bytes; b.err == nil && b.spent > b.most {
		b.err = &TooLargeError{File: b.file, Stages: b.stage + 1, Most: b.most}
	}
	return b.work(1 + bytes/variableBytes)
}

// work spends time, before that number of steps is taken.
func (b *budget) work(steps int) bool {
	if b.steps += steps; b.err == nil && b.steps >= stepsBetween {
		b.steps = 0
		b.err = b.ctx.Err()
	}
	return b.err == nil
}

// TooLargeError means that a program cannot be solved because it would take too
// much memory as constraints.
type TooLargeError struct {
	File   string // the name given to Parse; may be empty
	Stages int    // with how many stages
	Most   int    // the most bytes that are allowed
}

// Error names the bound.
func (e *TooLargeError) Error() string {
	name := "the program"
	if e.File != "" {
		name = e.File + ": " + name
	}
	return fmt.Sprintf("%s needs more than %d MiB of memory for the constraints of %s, expected at most that: it has too many symbols, cells or rules",
		name, e.Most>>20, counted(e.Stages, "stages"))
}
