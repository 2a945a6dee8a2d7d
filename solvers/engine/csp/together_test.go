package csp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// TestTogether wants the solutions that brute force finds from models that tell each other
// everything that they learn. Where there are twins, every second time one is searched, some of them
// after a conflict or two.
func TestTogether(t *testing.T) {
	n := uint64(2000)
	if testing.Short() {
		n = 500
	}
	twins := uint64(0)
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 2))
		s := newSample(r)
		models := make([]*Model, 2+r.IntN(2))
		var b, literals []BoolVar
		var x []IntVar
		for i := range models {
			if i > 0 && seed%2 == 0 {
				var err error
				if models[i], err = models[0].Twin(seed + uint64(i)); err == nil {
					s.verify(models[i])
					twins++
					continue
				}
			}
			models[i] = NewModel(Config{Seed: seed + uint64(i), MaxConflicts: 1 + int64(seed%3)})
			b, x, literals = s.build(models[i])
			for _, ru := range s.rules {
				ru.add(models[i], b, x)
			}
			if seed%4 == 0 {
				models[i].Solve(context.Background())
			}
		}
		var got []string
		for {
			status, by := solveTogether(context.Background(), 1, models)
			if status != Feasible {
				break
			}
			found := models[by]
			got = append(got, read(found, b, x))
			var other []BoolVar
			for _, p := range literals {
				if found.Value(p) {
					p = p.Not()
				}
				other = append(other, p)
			}
			for _, m := range models {
				m.AddClause(other...)
			}
		}
		slices.Sort(got)
		compare(t, s, fmt.Sprint("seed ", seed, " together"), got, s.bruteForce())
	}
	if twins < n/4 {
		t.Errorf("%d twins of %d models: too few to tell anything", twins, n)
	}
}

// TestTwin wants a twin to take the steps of a model that is built as the first was, and
// no twin of a model with constraints that keep more than a count.
func TestTwin(t *testing.T) {
	build := func(seed uint64) *Model {
		m := NewModel(Config{Seed: seed})
		queens(m, 6)
		random3(m, 150, 4)
		return m
	}
	first, other := build(0), build(7)
	twin, err := first.Twin(7)
	if err != nil {
		t.Fatal(err)
	}
	if first.Solve(t.Context()) != other.Solve(t.Context()) || twin.Solve(t.Context()) != other.Solve(t.Context()) {
		t.Errorf("the first model has the status %v, its twin %v", first.Solve(t.Context()), twin.Solve(t.Context()))
	}
	got, want := twin.Stats(), other.Stats()
	got.Seconds, want.Seconds = 0, 0
	if got != want || got == first.Stats() {
		t.Errorf("%+v, expected %+v", got, want)
	}
	m := NewModel(Config{})
	x := m.NewBoolVars(2)
	if err := m.AddConnected(x, [][2]int{{0, 1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Twin(1); err == nil {
		t.Error("no error for a model with connected nodes")
	}
}

// TestRedraw wants another order of decisions, the deferred variables still last.
func TestRedraw(t *testing.T) {
	m := NewModel(Config{Seed: 3})
	x := m.NewBoolVars(60)
	const deferred = 20
	m.Defer(x[:deferred]...)
	order := func() (vars []int32) {
		for len(m.s.heap) > 0 {
			vars = append(vars, m.s.heapPop())
		}
		for _, v := range vars {
			m.s.heapInsert(v)
		}
		return vars
	}
	before := order()
	m.s.redraw()
	after := order()
	if slices.Equal(before, after) {
		t.Errorf("the same order as before: %v", after)
	}
	last := func(vars []int32) []int32 { return vars[len(vars)-deferred:] }
	if !slices.Equal(last(before), last(after)) || !slices.IsSortedFunc(after, func(a, b int32) int { return cmp.Compare(m.s.activity[b], m.s.activity[a]) }) {
		t.Errorf("decided in the order %v, expected the most active first and %v last", after, last(before))
	}
}

// team is models of one random 3-SAT problem.
func team(n int, problem uint64) (models []*Model, x []BoolVar) {
	for i := range n {
		m := NewModel(Config{Seed: uint64(i)})
		x = random3(m, 170, problem)
		models = append(models, m)
	}
	return models, x
}

// TestTogetherLong wants the answer of one search from several that reduce and move their clauses
// on the way, and fewer conflicts of each than of one by itself.
func TestTogetherLong(t *testing.T) {
	var alone, together int64
	answers := map[Status]int{}
	for problem := range uint64(8) {
		models, x := team(3, problem)
		status, by := SolveTogether(context.Background(), models...)
		single, _ := team(1, problem)
		if want := single[0].Solve(context.Background()); status != want {
			t.Fatalf("problem %d: %v together, alone %v", problem, status, want)
		}
		answers[status]++
		if status == Feasible {
			var found []BoolVar
			for _, p := range x {
				if !models[by].Value(p) {
					p = p.Not()
				}
				found = append(found, p)
			}
			if single[0].Solve(context.Background(), found...) != Feasible {
				t.Errorf("problem %d: the solution of search %d is none", problem, by)
			}
			continue
		}
		alone += single[0].Stats().Conflicts
		for _, m := range models {
			together += m.Stats().Conflicts
		}
	}
	if answers[Feasible] == 0 || answers[Infeasible] == 0 {
		t.Errorf("answers %v, expected problems of both kinds", answers)
	}
	if together/3 >= alone*3/4 {
		t.Errorf("each of three searches takes %d conflicts to prove what one takes %d for, expected at most three quarters", together/3, alone)
	}
}

// TestTogetherInSteps wants the same steps on one processor and on several, also where the search is
// ended by budgets in between.
func TestTogetherInSteps(t *testing.T) {
	const few = 1000
	run := func(processors int) (stats []Stats, calls int) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		models, _ := team(2, 3)
		for status := Unknown; status == Unknown; calls++ {
			ctx, release := WithBudget(t.Context(), few)
			before := conflictsOf(models)
			status, _ = SolveTogether(ctx, models...)
			if used := conflictsOf(models) - before; status == Unknown && (used < few || used >= few+2*exchangeInterval || !errors.Is(context.Cause(ctx), ErrBudget)) {
				t.Fatalf("ended after %d conflicts by %v, expected %d and %v", used, context.Cause(ctx), few, ErrBudget)
			}
			release()
		}
		for _, m := range models {
			s := m.Stats()
			s.Seconds = 0
			stats = append(stats, s)
		}
		return stats, calls
	}
	one, calls := run(1)
	if calls < 2 {
		t.Fatalf("solved within the first budget, expected a harder problem: %+v", one)
	}
	if several, _ := run(4); !slices.Equal(one, several) {
		t.Errorf("on one processor %+v\non several %+v", one, several)
	}
}

func TestTogetherStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	models, _ := team(2, 3)
	if status, _ := SolveTogether(ctx, models...); status != Unknown {
		t.Errorf("%v with a context that is done, expected %v", status, Unknown)
	}
}
