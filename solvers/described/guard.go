package described

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// The bounds of a description: what it may hold, and the steps of its evaluation, each of
// which makes a few values at most.
const (
	maxSource = 1 << 16
	maxSteps  = 20_000_000
)

var errSteps = fmt.Errorf("this takes more than %d steps, expected a description that ends sooner", maxSteps)

// spend counts steps for what a word does or makes.
func spend(thread *starlark.Thread, steps int) error {
	thread.Steps += uint64(steps)
	if thread.Steps > maxSteps {
		return errSteps
	}
	return nil
}

// charge spends steps for what a value takes, each part of which is as much memory as a few
// steps make.
func charge(thread *starlark.Thread, v starlark.Value) error {
	switch v := v.(type) {
	case *term:
		return spend(thread, 20+4*len(v.args))
	case *field:
		return spend(thread, 20*len(v.at))
	}
	return spend(thread, 4*max(starlark.Len(v), 0)+1)
}

func boundedThread() *starlark.Thread {
	thread := &starlark.Thread{Name: "description", Print: func(*starlark.Thread, string) {}}
	thread.SetMaxExecutionSteps(maxSteps)
	thread.OnMaxSteps = func(t *starlark.Thread) { t.Cancel(errSteps.Error()) }
	return thread
}

// The names of the guard's own functions in a file: no name of the file's can be one.
const (
	operandName = "operand of "
	plainName   = "truth of"
	chargeName  = "parts of"
	copyName    = "copy of"
	keyName     = "key of"
)

// uncounted are methods whose cost is not counted.
const uncounted = " join replace format extend update insert index remove rindex union "

// guard changes a file so that comparisons may be made of terms, no term is taken for a
// truth that is known, and everything that makes something counts it. It refuses what is not
// needed and cannot be counted.
func guard(file *syntax.File) error {
	var g guarding
	syntax.Walk(file, func(n syntax.Node) bool {
		g.truth(n)
		g.cost(n)
		return true
	})
	return g.err
}

// guarding is a file that is changed, and the first that was refused in it.
type guarding struct{ err error }

func (g *guarding) refuse(at syntax.Position, format string, a ...any) {
	if g.err == nil {
		g.err = syntax.Error{Pos: at, Msg: fmt.Sprintf(format, a...)}
	}
}

func guarded(name string, at syntax.Position, x syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Rparen: at, Args: []syntax.Expr{x}}
}

// truth has operators made of terms, and refuses terms where a known truth is wanted.
func (g *guarding) truth(n syntax.Node) {
	plain := func(x *syntax.Expr) {
		at, _ := (*x).Span()
		*x = guarded(plainName, at, *x)
	}
	switch n := n.(type) {
	case *syntax.BinaryExpr:
		switch n.Op {
		case syntax.AND, syntax.OR:
			plain(&n.X)
			plain(&n.Y)
		case syntax.LTLT, syntax.GTGT, syntax.CIRCUMFLEX:
			g.refuse(n.OpPos, "the operator %s is not there, expected & or | of conditions, or + - * // of numbers", n.Op)
		case syntax.EQ: // name = value, among the arguments of a call
		default:
			n.X = guarded(operandName+n.Op.String(), n.OpPos, n.X)
			n.Op = syntax.LTLT
		}
	case *syntax.UnaryExpr:
		if n.Op == syntax.NOT {
			plain(&n.X)
		}
	case *syntax.AssignStmt:
		if n.Op != syntax.EQ {
			n.RHS = guarded(operandName+"=", n.OpPos, n.RHS)
		}
	case *syntax.IfStmt:
		plain(&n.Cond)
	case *syntax.CondExpr:
		plain(&n.Cond)
	case *syntax.IfClause:
		plain(&n.Cond)
	}
}

// cost has parts, keys and copies counted, and refuses what cannot be.
func (g *guarding) cost(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.SliceExpr:
		n.X = guarded(copyName, n.Lbrack, n.X)
	case *syntax.IndexExpr:
		n.Y = guarded(keyName, n.Lbrack, n.Y)
	case *syntax.DictEntry:
		n.Key = guarded(keyName, n.Colon, n.Key)
	case *syntax.DotExpr:
		if strings.Contains(uncounted, " "+n.Name.Name+" ") {
			g.refuse(n.Name.NamePos, "the method %s is not there: a description needs lists, dicts and comprehensions only", n.Name.Name)
		}
		n.X = guarded(chargeName, n.Dot, n.X)
	case *syntax.CallExpr:
		_, method := n.Fn.(*syntax.DotExpr)
		for i, arg := range n.Args {
			if u, ok := arg.(*syntax.UnaryExpr); ok && (u.Op == syntax.STAR || u.Op == syntax.STARSTAR) {
				g.refuse(u.OpPos, "%s in a call is not there, expected each argument by itself", u.Op)
			}
			if b, ok := arg.(*syntax.BinaryExpr); method && !(ok && b.Op == syntax.EQ) {
				n.Args[i] = guarded(keyName, n.Lparen, arg)
			}
		}
	case *syntax.LoadStmt:
		g.refuse(n.Load, "load is not there: a description is one file")
	}
}

// guards are the functions that guard puts in.
func guards() starlark.StringDict {
	one := func(name string, f func(thread *starlark.Thread, v starlark.Value) (starlark.Value, error)) *starlark.Builtin {
		return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return f(thread, args[0])
		})
	}
	d := starlark.StringDict{
		plainName: one("condition", func(_ *starlark.Thread, v starlark.Value) (starlark.Value, error) {
			if t, ok := v.(*term); ok {
				return nil, fmt.Errorf("this %s depends on the solution, expected something that is given: for rules write & | ~ and implies instead of and, or, not and if", t.Type())
			}
			return v, nil
		}),
		chargeName: one("part", func(thread *starlark.Thread, v starlark.Value) (starlark.Value, error) {
			return v, spend(thread, max(starlark.Len(v), 0)/64)
		}),
		copyName: one("part", func(thread *starlark.Thread, v starlark.Value) (starlark.Value, error) {
			return v, charge(thread, v)
		}),
		keyName: one("key", func(thread *starlark.Thread, v starlark.Value) (starlark.Value, error) {
			return v, chargeDeep(thread, v)
		}),
	}
	for op := syntax.PLUS; op <= syntax.NOT_IN; op++ {
		d[operandName+op.String()] = one("operator", func(thread *starlark.Thread, v starlark.Value) (starlark.Value, error) {
			return &operand{op: op, x: v, thread: thread}, nil
		})
	}
	return d
}

// chargeDeep spends a step for every part of a value that is a tuple.
func chargeDeep(thread *starlark.Thread, v starlark.Value) error {
	t, ok := v.(starlark.Tuple)
	if !ok {
		return nil
	}
	for _, x := range t {
		if err := chargeDeep(thread, x); err != nil {
			return err
		}
	}
	return spend(thread, len(t))
}

// operand is one side of an operator whose other side is to come.
type operand struct {
	value
	op     syntax.Token
	x      starlark.Value
	thread *starlark.Thread
}

func (o *operand) String() string { return o.x.String() }

// Type is that of what it holds.
func (o *operand) Type() string { return o.x.Type() }

// Binary is the operation: of the operand and y, or, for x += y, of x and the operand.
func (o *operand) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	x := o.x
	if side == starlark.Right {
		x, y = y, x
	} else {
		op = o.op
	}
	switch op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.GT, syntax.LE, syntax.GE:
		return o.compare(op, x, y)
	case syntax.IN, syntax.NOT_IN:
		return o.in(op, x, y)
	case syntax.PERCENT:
		if _, ok := x.(starlark.Int); !ok {
			return nil, fmt.Errorf("%% of %s, expected numbers", kindOf(x))
		}
	case syntax.STAR:
		n, m := starlark.Len(x), starlark.Len(y)
		if i, ok := y.(starlark.Int); ok && n >= 0 {
			m, _ = smallInt(i)
		}
		if i, ok := x.(starlark.Int); ok && m >= 0 {
			n, _ = smallInt(i)
		}
		if n > 0 && m > 0 && (n > maxSteps/m || spend(o.thread, n*m) != nil) {
			return nil, errSteps
		}
	}
	if err := errors.Join(charge(o.thread, x), charge(o.thread, y)); err != nil {
		return nil, errSteps
	}
	v, err := starlark.Binary(op, x, y)
	if i, ok := v.(starlark.Int); ok {
		if _, small := smallInt(i); !small {
			return nil, fmt.Errorf("the number is larger than %d", maxNumber)
		}
	}
	return v, err
}

// compare makes a truth of known values and a condition of others.
func (o *operand) compare(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if r, ok := x.(*runsOf); ok && op == syntax.EQL {
		return r.are(starlark.NewList([]starlark.Value{y}))
	}
	a, aTerm := x.(*term)
	b, bTerm := y.(*term)
	if aTerm || bTerm {
		var err error
		if !aTerm {
			a, err = asTerm(x, b.names)
		}
		if !bTerm {
			b, err = asTerm(y, a.names)
		}
		if err != nil {
			return nil, err
		}
		if a.boolean != b.boolean {
			return nil, fmt.Errorf("%s of a %s and a %s, expected two of a kind: perhaps brackets are missing, as in a & (b == c)", op, a.Type(), b.Type())
		}
		return compare(op, a, b)
	}
	switch op {
	case syntax.EQL, syntax.NEQ:
		same, err := o.same(x, y)
		return starlark.Bool(same == (op == syntax.EQL)), err
	}
	_, number := x.(starlark.Int)
	_, text := x.(starlark.String)
	if !number && !text || x.Type() != y.Type() {
		return nil, fmt.Errorf("%s of %s and %s, expected two numbers%s", op, kindOf(x), kindOf(y), likelyField(y))
	}
	is, err := starlark.Compare(op, x, y)
	return starlark.Bool(is), err
}

// same is equality, for which each part counts a step.
func (o *operand) same(x, y starlark.Value) (bool, error) {
	if err := spend(o.thread, 1); err != nil {
		return false, err
	}
	if _, ok := x.(*starlark.Dict); ok {
		return x == y, nil
	}
	a, list := x.(starlark.Indexable)
	b, other := y.(starlark.Indexable)
	if _, text := x.(starlark.String); list && other && !text && x.Type() == y.Type() {
		if a.Len() != b.Len() {
			return false, nil
		}
		for i := range a.Len() {
			if same, err := o.same(a.Index(i), b.Index(i)); !same || err != nil {
				return same, err
			}
		}
		return true, nil
	}
	return starlark.Equal(x, y)
}

// in looks a value up. Runs are in a list of lengths where they have one of them.
func (o *operand) in(op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	if r, ok := x.(*runsOf); ok && op == syntax.IN {
		return r.are(y)
	}
	if t, ok := x.(*term); ok {
		return o.oneOf(op, t, y)
	}
	switch list := y.(type) {
	case *starlark.List, starlark.Tuple, *room:
		found := false
		err := each(list, func(v starlark.Value) error {
			same, err := o.same(x, v)
			found = found || same
			return err
		})
		return starlark.Bool(found == (op == syntax.IN)), err
	}
	if err := errors.Join(chargeDeep(o.thread, x), charge(o.thread, y)); err != nil {
		return nil, errSteps
	}
	return starlark.Binary(op, x, y)
}

// oneOf is the condition that a number or symbol is one of some.
func (o *operand) oneOf(op syntax.Token, t *term, y starlark.Value) (starlark.Value, error) {
	var any []*term
	add := func(v starlark.Value) error {
		n, err := asTerm(v, t.names)
		if err == nil {
			any = append(any, equal(t, n))
		}
		return err
	}
	var err error
	if s, ok := y.(starlark.String); ok && t.names != nil {
		for _, r := range string(s) {
			err = errors.Join(err, add(starlark.String(string(r))))
		}
	} else {
		err = each(y, add)
	}
	if err != nil {
		return nil, err
	}
	if op == syntax.NOT_IN {
		return not(or(any...)), nil
	}
	return or(any...), nil
}
