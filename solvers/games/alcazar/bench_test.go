package alcazar

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
)

// generated are boards with one solution each.
func generated(b *testing.B, side, boards int) []*Puzzle {
	b.Helper()
	var set []*Puzzle
	for seed := range uint64(boards) {
		p, err := Game{}.Generate(context.Background(), solvers.GenerateOptions{Rows: side, Cols: side, Unique: true},
			rand.New(rand.NewPCG(seed, uint64(side))))
		if err != nil {
			b.Fatal(err)
		}
		set = append(set, p.(*Puzzle))
	}
	return set
}

// BenchmarkSolve solves generated boards of a size.
func BenchmarkSolve(b *testing.B) {
	for _, set := range []struct{ side, boards int }{{8, 15}, {10, 15}, {15, 15}, {20, 15}, {30, 7}, {40, 7}} {
		boards := generated(b, set.side, set.boards)
		for _, unique := range []bool{false, true} {
			name := fmt.Sprintf("%dx%d", set.side, set.side)
			if unique {
				name += "-unique"
			}
			b.Run(name, func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					for _, p := range boards {
						began := time.Now()
						if unique {
							n := 0
							if _, err := p.Enumerate(context.Background(), solvers.EnumerateOptions{}, func(solvers.Solution) bool { n++; return n < 2 }); err != nil || n != 1 {
								b.Fatalf("%d solutions, %v, expected 1\n%s", n, err, p)
							}
						} else if _, err := p.Solve(context.Background()); err != nil {
							b.Fatalf("%v\n%s", err, p)
						}
						took = append(took, time.Since(began))
					}
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
				b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms-worst")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkGenerate makes boards with one solution.
func BenchmarkGenerate(b *testing.B) {
	for _, side := range []int{8, 10, 15, 20, 30, 40} {
		b.Run(fmt.Sprintf("%dx%d", side, side), func(b *testing.B) {
			for b.Loop() {
				generated(b, side, 3)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(3*b.N), "ms-board")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkAgainstMinisat solves the same boards in the way that AlcaSAT does:
// clauses for two sides of each room and two openings, solved by minisat as a
// process of its own; the loops found are forbidden, and so on.
func BenchmarkAgainstMinisat(b *testing.B) {
	minisat, err := exec.LookPath("minisat")
	if err != nil {
		b.Skip("minisat is not installed: apt-get install minisat")
	}
	var set []*Puzzle
	for _, side := range []int{10, 12, 14, 16, 18, 20} {
		set = append(set, generated(b, side, 5)...)
	}
	b.Run("10x10-20x20", func(b *testing.B) {
		var ours, theirs time.Duration
		runs := 0
		for b.Loop() {
			for _, p := range set {
				began := time.Now()
				s, err := p.Solve(context.Background())
				if err != nil {
					b.Fatalf("%v\n%s", err, p)
				}
				ours += time.Since(began)
				began = time.Now()
				other, n, err := solveWithMinisat(minisat, b.TempDir(), p)
				if err != nil {
					b.Fatalf("minisat: %v\n%s", err, p)
				}
				theirs += time.Since(began)
				runs += n
				if other.String() != s.String() {
					b.Fatalf("minisat found\n%s\nexpected\n%s", other, s)
				}
			}
		}
		n := float64(b.N * len(set))
		b.ReportMetric(ours.Seconds()*1000/n, "ms-ours")
		b.ReportMetric(theirs.Seconds()*1000/n, "ms-minisat")
		b.ReportMetric(float64(runs)/n, "minisat-runs")
		b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times-faster")
		b.ReportMetric(0, "ns/op")
	})
}

// solveWithMinisat returns the solution and the number of runs of minisat.
func solveWithMinisat(minisat, dir string, p *Puzzle) (*Solution, int, error) {
	variable := make([]int, len(p.open)) // of each border, from 1; 0 for a wall
	variables := 0
	for i, open := range p.open {
		if open {
			variables++
			variable[i] = variables
		}
	}
	var clauses [][]int
	for c := range board.Cell(p.size.Cells()) {
		var doors []int
		for d := range board.Dir(4) {
			if v := variable[border(p.size, c, d)]; v > 0 {
				doors = append(doors, v)
			}
		}
		for i := range doors {
			// All but one of the doors: one of them is used.
			clauses = append(clauses, slices.Concat(doors[:i], doors[i+1:]))
			for k := range doors[:i] {
				for l := range doors[:k] {
					clauses = append(clauses, []int{-doors[i], -doors[k], -doors[l]})
				}
			}
		}
	}
	// Two openings: counted from the first to the last, up to three.
	var count [3]int // variables: so many openings or more, 0 at the beginning
	for _, o := range p.Openings() {
		x := variable[border(p.size, o.Room, o.Side)]
		next := [3]int{variables + 1, variables + 2, variables + 3}
		variables += 3
		for k := range next {
			// More than before, only if the opening is used and k were reached.
			if count[k] == 0 {
				clauses = append(clauses, []int{-next[k], x})
			} else {
				clauses = append(clauses, []int{-next[k], count[k], x}, []int{-count[k], next[k]})
			}
			switch {
			case k == 0:
				clauses = append(clauses, []int{-x, next[0]})
			case count[k-1] == 0:
				clauses = append(clauses, []int{-next[k]})
			case count[k] == 0:
				clauses = append(clauses, []int{-next[k], count[k-1]}, []int{-x, -count[k-1], next[k]})
			default:
				clauses = append(clauses, []int{-next[k], count[k], count[k-1]}, []int{-x, -count[k-1], next[k]})
			}
		}
		count = next
	}
	clauses = append(clauses, []int{count[1]}, []int{-count[2]})
	problem, answer := filepath.Join(dir, "problem.cnf"), filepath.Join(dir, "answer.txt")
	for runs := 1; ; runs++ {
		var text bytes.Buffer
		fmt.Fprintf(&text, "p cnf %d %d\n", variables, len(clauses))
		for _, clause := range clauses {
			for _, v := range clause {
				text.WriteString(strconv.Itoa(v))
				text.WriteByte(' ')
			}
			text.WriteString("0\n")
		}
		if err := os.WriteFile(problem, text.Bytes(), 0o600); err != nil {
			return nil, runs, err
		}
		// Its exit status says whether there is a solution; the file does too.
		_ = exec.Command(minisat, "-verb=0", problem, answer).Run()
		data, err := os.ReadFile(answer)
		if err != nil {
			return nil, runs, err
		}
		words := bufio.NewScanner(bytes.NewReader(data))
		words.Buffer(nil, 1<<20)
		words.Split(bufio.ScanWords)
		if !words.Scan() || words.Text() != "SAT" {
			return nil, runs, fmt.Errorf("answer %.20q", strings.TrimSpace(string(data)))
		}
		s := &Solution{puzzle: p, used: make([]bool, len(p.open))}
		positive := make([]bool, variables+1)
		for words.Scan() {
			if v, err := strconv.Atoi(words.Text()); err == nil && v > 0 {
				positive[v] = true
			}
		}
		for i, v := range variable {
			s.used[i] = v > 0 && positive[v]
		}
		loops := loopsOf(s)
		if len(loops) == 0 {
			return s, runs, s.Check()
		}
		for _, loop := range loops {
			var clause []int
			for _, i := range loop {
				clause = append(clause, -variable[i])
			}
			clauses = append(clauses, clause)
		}
	}
}

// loopsOf are the borders of each loop of a solution that keeps the other
// rules.
func loopsOf(s *Solution) [][]int {
	var loops [][]int
	size := s.puzzle.size
	seen := make([]bool, size.Cells())
	for c := range board.Cell(size.Cells()) {
		// Around, or both ways to the openings.
		var loop []int
		closed := true
		stack := []board.Cell{c}
		for len(stack) > 0 {
			r := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[r] {
				continue
			}
			seen[r] = true
			for d := range board.Dir(4) {
				if !s.Used(r, d) {
					continue
				}
				n := size.Beside(r, d)
				if n == board.None {
					closed = false
					continue
				}
				stack = append(stack, n)
				if d == board.East || d == board.South {
					loop = append(loop, border(size, r, d))
				}
			}
		}
		if closed && len(loop) > 0 {
			loops = append(loops, loop)
		}
	}
	return loops
}
