// Package csp solves constraint satisfaction problems: say what the unknowns
// are and what must hold between them, and it finds values, lists all of them,
// or proves that there are none. It is made for puzzles.
//
//	m := csp.NewModel(csp.Config{})
//	a, b, c := m.NewBoolVar(), m.NewBoolVar(), m.NewBoolVar()
//	m.AddExactlyOne(a, b, c)
//	m.AddImplication(a, b)
//	x := m.NewIntVar(1, 9)
//	m.AddLinearConstraint(csp.NewLinearExpr().AddTerm(x, 2).AddTerm(c, 3), 7, 7)
//	if m.Solve(ctx) == csp.Feasible {
//		fmt.Println(m.Value(a), m.IntValue(x))
//	}
//
// # Variables
//
// A BoolVar is a Boolean variable or, after Not, its negation; both may stand
// wherever a literal is asked for. An IntVar has finitely many values. Equal,
// AtLeast and AtMost give the literal that is true when an IntVar has, or is
// bounded by, a value, so that every constraint on literals serves integers too.
//
// # Constraints
//
//   - logic: AddClause (AddBoolOr), AddBoolAnd, AddBoolXor, AddImplication, AddEquivalence
//   - counting: AddExactlyOne, AddAtMostOne, AddAtMostK, AddAtLeastK, AddExactlyK
//   - integers: AddLinearConstraint, AddEquality, AddLessOrEqual, …, AddNotEqual,
//     AddAllDifferent, AddAllowedAssignments and AddForbiddenAssignments (tables)
//   - graphs: AddCircuit (one directed circuit), AddPaths (undirected paths
//     between given ends, that do not meet), AddConnected (nodes in one piece)
//   - anything else: AddPropagator, with an algorithm of the caller's own
//
// # Searching
//
// Solve looks for one solution, on request under assumptions: literals that hold
// for this call only. If they rule out every solution, Core names those to
// blame. Enumerate lists the solutions that differ in chosen
// literals, each once; with EnumerateAdding clauses may be added meanwhile. Constraints
// and variables may be added between calls; what was learned stays. Fixed, Propagate and
// Probe find what is certain without a search. AddHint, AddPriority and Defer guide the
// search. SolveTogether searches several models of one problem at the same time, which
// share what they learn.
//
// Everything stops soon after its context is done, with the Status Unknown.
// The search is deterministic: the same calls with the same Config.Seed give
// the same answers by the same steps. Stats counts the steps; with WithEffort
// they can be followed while a search runs.
//
// # How it works
//
// The search is conflict-driven clause learning. Integers are sets of literals
// [x >= v]. A constraint with an algorithm of its own is a Propagator: it is
// notified of assignments, implies others, and explains an implication only when a
// conflict requires it; the explanations take part in learning like
// clauses. Clauses live in one array and are watched by two of their literals;
// once the arrays have grown the inner loop allocates nothing.
package csp
