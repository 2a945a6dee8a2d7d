package csp_test

import (
	"context"
	"fmt"
	"strings"

	"tapwise/solvers/engine/csp"
)

// Eight queens on a chess board, none attacking another: one in each row, in
// different columns and on different diagonals.
func Example_queens() {
	const n = 8
	m := csp.NewModel(csp.Config{})
	column := make([]csp.IntVar, n)
	for row := range column {
		column[row] = m.NewIntVar(0, n-1)
	}
	m.AddAllDifferent(column...)
	for diagonal := -n + 1; diagonal < 2*n; diagonal++ {
		var falling, rising []csp.BoolVar
		for row := range n {
			falling = append(falling, m.Equal(column[row], row+diagonal))
			rising = append(rising, m.Equal(column[row], diagonal-row))
		}
		m.AddAtMostOne(falling...)
		m.AddAtMostOne(rising...)
	}
	var unknowns []csp.BoolVar
	for _, x := range column {
		unknowns = append(unknowns, m.Literals(x)...)
	}
	solutions := 0
	status := m.Enumerate(context.Background(), unknowns, func() bool {
		solutions++
		return true
	})
	fmt.Println(solutions, "solutions, then", status)
	// Output: 92 solutions, then infeasible
}

// A Sudoku.
func Example_sudoku() {
	clues := strings.Fields(`
		53..7.... 6..195... .98....6.
		8...6...3 4..8.3..1 7...2...6
		.6....28. ...419..5 ....8..79`)
	m := csp.NewModel(csp.Config{})
	var cells [9][9]csp.IntVar
	var groups [27][]csp.IntVar
	for r, line := range clues {
		for c, clue := range line {
			x := m.NewIntVar(1, 9)
			cells[r][c] = x
			if clue != '.' {
				m.AddEquality(x, csp.NewConstant(int(clue-'0')))
			}
			for _, g := range []int{r, 9 + c, 18 + r/3*3 + c/3} {
				groups[g] = append(groups[g], x)
			}
		}
	}
	for _, g := range groups {
		m.AddAllDifferent(g...)
	}
	fmt.Println(m.Solve(context.Background()))
	for r := range cells {
		for c := range cells[r] {
			fmt.Print(m.IntValue(cells[r][c]))
		}
		fmt.Println()
	}
	// Output:
	// feasible
	// 534678912
	// 672195348
	// 198342567
	// 859761423
	// 426853791
	// 713924856
	// 961537284
	// 287419635
	// 345286179
}

// The states of Australia in three colours, neighbours in different ones; and
// a proof that two colours are not enough.
func Example_mapColouring() {
	states := []string{"WA", "NT", "SA", "Q", "NSW", "V", "T"}
	borders := [][2]int{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {2, 4}, {2, 5}, {3, 4}, {4, 5}}
	m := csp.NewModel(csp.Config{})
	colour := make([]csp.IntVar, len(states))
	for i := range colour {
		colour[i] = m.NewIntVar(1, 3)
	}
	for _, b := range borders {
		m.AddNotEqual(colour[b[0]], colour[b[1]])
	}
	var unknowns, two []csp.BoolVar
	for _, x := range colour {
		unknowns = append(unknowns, m.Literals(x)...)
		two = append(two, m.AtMost(x, 2))
	}
	fmt.Println("two colours:", m.Solve(context.Background(), two...))
	n := 0
	m.Enumerate(context.Background(), unknowns, func() bool { n++; return true })
	fmt.Println("three colours:", n, "ways")
	// Output:
	// two colours: infeasible
	// three colours: 18 ways
}

// A knight visits every square of a 5×5 board once, from one corner to the
// opposite one: a Hamiltonian path.
func Example_hamiltonianPath() {
	const n = 5
	m := csp.NewModel(csp.Config{})
	paths := csp.Paths{Nodes: n * n, Pairs: [][2]int{{0, n*n - 1}}}
	for from := range n * n {
		for to := range from {
			dr, dc := from/n-to/n, from%n-to%n
			if dr*dr+dc*dc == 5 {
				paths.Edges = append(paths.Edges, csp.PathEdge{A: from, B: to, Literal: m.NewBoolVar()})
			}
		}
	}
	if _, err := m.AddPaths(paths); err != nil {
		fmt.Println(err)
		return
	}
	var unknowns []csp.BoolVar
	for _, e := range paths.Edges {
		unknowns = append(unknowns, e.Literal)
	}
	tours := 0
	status := m.Enumerate(context.Background(), unknowns, func() bool {
		tours++
		return true
	})
	fmt.Println(tours, "tours, then", status)
	// Output: 56 tours, then infeasible
}
