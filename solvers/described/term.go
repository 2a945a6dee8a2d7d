package described

import (
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// op is what a term does with its arguments.
type op uint8

const (
	opConst  op = iota // the number k; 1 is true
	opVar              // the variable k of the board
	opNot              // of conditions
	opAnd              // …
	opOr               // …
	opSame             // two conditions are both true or both false
	opSum              // k and the arguments times their factors
	opEqual            // two numbers
	opAtMost           // the first number is not above the second
	opRuns             // see runs
	opForms            // see forms
	opWay              // the cell k is on a way, see wayBetween
	opBeam             // the number of turns of a beam, see beams
	opGlobal           // a rule about many cells, with code of its own
)

// term is a condition (true is 1) or a number that depends on what the board's variables
// are. It knows its least and greatest value. How it is told to the engine stands in
// post.go, how it is found out on a full board in check.go.
type term struct {
	op      op
	boolean bool
	k       int
	lo, hi  int
	args    []*term
	factors []int  // of opSum, by argument
	names   []rune // of a variable that is one of some symbols
	detail  any    // of the operations with code of their own
	from    *cell  // from which the cells of an opAnd are seen, nil for others; for hints
}

func constant(k int) *term { return &term{op: opConst, k: k, lo: k, hi: k} }

func truth(b bool) *term {
	t := &term{op: opConst, boolean: true}
	if b {
		t.k, t.lo, t.hi = 1, 1, 1
	}
	return t
}

func condition(op op, args ...*term) *term {
	return &term{op: op, boolean: true, hi: 1, args: args}
}

func (t *term) isConst(k int) bool { return t.op == opConst && t.k == k }

func not(t *term) *term {
	switch t.op {
	case opConst:
		return truth(t.k == 0)
	case opNot:
		return t.args[0]
	}
	return condition(opNot, t)
}

// join is "and" (neutral 1) or "or" (neutral 0).
func join(op op, neutral int, args []*term) *term {
	var kept []*term
	for _, a := range args {
		switch {
		case a.isConst(neutral):
		case a.op == opConst:
			return truth(a.k == 1)
		default:
			kept = append(kept, a)
		}
	}
	switch len(kept) {
	case 0:
		return truth(neutral == 1)
	case 1:
		return kept[0]
	}
	return condition(op, kept...)
}

func and(args ...*term) *term { return join(opAnd, 1, args) }
func or(args ...*term) *term  { return join(opOr, 0, args) }

// sum adds terms, each times its factor.
func sum(k int, args []*term, factors []int) *term {
	t := &term{op: opSum, k: k, lo: k, hi: k}
	for i, a := range args {
		f := factors[i]
		if a.op == opConst {
			t.k, t.lo, t.hi = t.k+f*a.k, t.lo+f*a.k, t.hi+f*a.k
			continue
		}
		t.args, t.factors = append(t.args, a), append(t.factors, f)
		t.lo += min(f*a.lo, f*a.hi)
		t.hi += max(f*a.lo, f*a.hi)
	}
	if len(t.args) == 0 {
		return constant(t.k)
	}
	return t
}

func total(args []*term) *term { return sum(0, args, slices.Repeat([]int{1}, len(args))) }

func equal(a, b *term) *term {
	switch {
	case a.boolean && b.boolean && a.op == opConst:
		return equalTruth(b, a.k == 1)
	case a.boolean && b.boolean && b.op == opConst:
		return equalTruth(a, b.k == 1)
	case a.boolean && b.boolean:
		return condition(opSame, a, b)
	case a.op == opConst && b.op == opConst:
		return truth(a.k == b.k)
	case a.lo > b.hi || b.lo > a.hi:
		return truth(false)
	}
	return condition(opEqual, a, b)
}

func equalTruth(t *term, is bool) *term {
	if is {
		return t
	}
	return not(t)
}

func atMost(a, b *term) *term {
	switch {
	case a.hi <= b.lo:
		return truth(true)
	case a.lo > b.hi:
		return truth(false)
	}
	return condition(opAtMost, a, b)
}

// compare makes the term of a comparison in the file.
func compare(op syntax.Token, a, b *term) (*term, error) {
	if (op != syntax.EQL && op != syntax.NEQ) && (a.boolean || b.boolean) {
		return nil, fmt.Errorf("%s of conditions, expected numbers: a condition is true or false", op)
	}
	switch op {
	case syntax.EQL:
		return equal(a, b), nil
	case syntax.NEQ:
		return not(equal(a, b)), nil
	case syntax.LE:
		return atMost(a, b), nil
	case syntax.GE:
		return atMost(b, a), nil
	case syntax.LT:
		return not(atMost(b, a)), nil
	default:
		return not(atMost(a, b)), nil
	}
}

// maxNumber bounds the numbers of a description, so that no sum overflows.
const maxNumber = 1 << 20

// asTerm makes a term of a value of the file. Symbols tells the names of the variable that
// it is compared with.
func asTerm(v starlark.Value, symbols []rune) (*term, error) {
	switch v := v.(type) {
	case *term:
		return v, nil
	case starlark.Bool:
		return truth(bool(v)), nil
	case starlark.Int:
		n, ok := v.Int64()
		if !ok || n > maxNumber || n < -maxNumber {
			return nil, fmt.Errorf("the number %v is too large", v)
		}
		return constant(int(n)), nil
	case starlark.String:
		if i := slices.Index(symbols, []rune(string(v) + " ")[0]); i >= 0 && len([]rune(string(v))) == 1 {
			return constant(i), nil
		}
		if symbols != nil {
			return nil, fmt.Errorf("%v is no symbol of the cells, expected one of %q", v, string(symbols))
		}
	}
	return nil, fmt.Errorf("got %s, expected a condition or a number%s", kindOf(v), likelyField(v))
}

// likelyField says what somebody who used a field or board as a condition forgot.
func likelyField(v starlark.Value) string {
	switch v.(type) {
	case *field, *lines:
		return ": say of which cell, as in black[c]"
	case *starlark.List:
		return ": every(…), some(…), none(…) or count(…) make one of a list"
	case starlark.NoneType:
		return ": ask for `c.clue != None` first (of a room, `r.clue`), or go through b.clues"
	}
	return ""
}

// kindOf names a value in words that the reader of a description knows.
func kindOf(v starlark.Value) string {
	switch v := v.(type) {
	case starlark.NoneType:
		return "None"
	case *starlark.Function, *starlark.Builtin:
		return "the function " + v.(starlark.Callable).Name()
	case starlark.String, starlark.Int:
		return v.Type() + " " + clip(v.String())
	}
	return "a " + v.Type()
}

func clip(text string) string {
	if len(text) > 60 {
		return text[:60] + "…"
	}
	return text
}

// What a term is to a description.
func (t *term) String() string { return "<" + t.Type() + ">" }

// Type tells conditions from numbers.
func (t *term) Type() string {
	if t.boolean {
		return "condition"
	}
	return "number"
}

// Freeze does nothing: terms do not change.
func (t *term) Freeze() {}

// Truth is not asked for: the file's guard refuses a term where a truth is needed.
func (t *term) Truth() starlark.Bool { return true }

// Hash fails: terms are no keys.
func (t *term) Hash() (uint32, error) {
	return 0, fmt.Errorf("a %s cannot be a key of a dict: what it is depends on the solution", t.Type())
}

// Unary is ~ for conditions and - for numbers.
func (t *term) Unary(op syntax.Token) (starlark.Value, error) {
	switch {
	case op == syntax.TILDE && t.boolean:
		return not(t), nil
	case op == syntax.MINUS && !t.boolean:
		return sum(0, []*term{t}, []int{-1}), nil
	}
	return nil, fmt.Errorf("%s of a %s, expected ~ of a condition or - of a number", op, t.Type())
}

// Binary is & and | for conditions, + - * for numbers.
func (t *term) Binary(op syntax.Token, other starlark.Value, side starlark.Side) (starlark.Value, error) {
	if _, ok := other.(*field); ok {
		return nil, fmt.Errorf("%s of a %s and a field, expected two of a kind: say of which cell, as in black[c]", op, t.Type())
	}
	o, err := asTerm(other, nil)
	if err != nil {
		return nil, err
	}
	a, b := t, o
	if side == starlark.Right {
		a, b = o, t
	}
	switch op {
	case syntax.AMP, syntax.PIPE:
		if !a.boolean || !b.boolean {
			return nil, fmt.Errorf("%s of a %s and a %s, expected two conditions: perhaps brackets are missing, as in a %s (b == c)", op, a.Type(), b.Type(), op)
		}
		if op == syntax.AMP {
			return and(a, b), nil
		}
		return or(a, b), nil
	case syntax.PLUS:
		return bounded(sum(0, []*term{a, b}, []int{1, 1}))
	case syntax.MINUS:
		return bounded(sum(0, []*term{a, b}, []int{1, -1}))
	case syntax.STAR:
		if a.op == opConst {
			a, b = b, a
		}
		if b.op != opConst {
			return nil, fmt.Errorf("a product of two numbers that depend on the solution, expected a number that is known")
		}
		return bounded(sum(0, []*term{a}, []int{b.k}))
	}
	return nil, nil
}

func bounded(t *term) (starlark.Value, error) {
	if t.lo < -maxNumber*64 || t.hi > maxNumber*64 || t.lo < math.MinInt32 {
		return nil, fmt.Errorf("numbers up to %d, expected smaller ones", t.hi)
	}
	return t, nil
}
