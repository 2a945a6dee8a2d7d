package sabr

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"tapwise/solvers"
)

const twoBits = `Sym { 0 1 } Board { a b } Start { 0 0 } End { 1 1 }
Trans Up:Bit { 0 => 1 } DesObj A:Bit { a } DesObj B:Bit { b }`

func TestUnsatisfiable(t *testing.T) {
	for _, test := range []struct {
		text     string
		stages   int
		expected string
	}{
		{twoBits, 2, "unsatisfiable with at most 2 stages"},
		{twoBits, 1, "unsatisfiable with one stage"},
		{strings.ReplaceAll(twoBits, "Start { 0 0 }", "Start { v !v }"), 1, "unsatisfiable with one stage"},
		{strings.ReplaceAll(twoBits, " DesObj B:Bit { b }", ""), 0, "unsatisfiable, with any number of stages"},
		{"Sym { 0 1 } Board { a } Req Board { 0 } Req Board { 1 }", 7, "unsatisfiable, with any number of stages"},
		{"Sym { 0 1 } Board { a } Start { 0 } End { 1 }", 7, "unsatisfiable, with any number of stages"},
		{"Sym { 0 1 } Board { a } Start { 0 } End { 1 } Trans Up:Bit { 0 => 1 } Obj Bit { p }", 7, "unsatisfiable, with any number of stages"},
	} {
		_, err := parseText(t, test.text).Solve(context.Background(), Options{Stages: test.stages})
		if err == nil || err.Error() != test.expected {
			t.Errorf("%v, expected %s, for\n%s", err, test.expected, test.text)
		}
		exactly := strings.Replace(test.expected, "at most", "exactly", 1)
		_, err = parseText(t, test.text).Solve(context.Background(), Options{Stages: max(test.stages, 1), Exactly: true})
		if test.stages > 0 && test.stages < 7 && (err == nil || err.Error() != exactly) {
			t.Errorf("%v, expected %s, for\n%s", err, exactly, test.text)
		}
		if !errors.Is(err, ErrUnsatisfiable) || !errors.Is(err, solvers.ErrNoSolution) || errors.Is(err, context.Canceled) {
			t.Errorf("%#v is not ErrUnsatisfiable and solvers.ErrNoSolution", err)
		}
	}
}

func TestOptions(t *testing.T) {
	p := parseText(t, twoBits)
	if _, err := p.Solve(context.Background(), Options{Stages: -1}); err == nil || err.Error() != "sabr: -1 stages, expected at least 1" {
		t.Errorf("%v for -1 stages", err)
	}
	if _, err := p.Solve(context.Background(), Options{Exactly: true}); err == nil || err.Error() != "sabr: 0 stages, expected at least 1" {
		t.Errorf("%v for exactly 0 stages", err)
	}
	var seen []int
	r, err := p.Solve(context.Background(), Options{Progress: func(stages int) { seen = append(seen, stages) }})
	if err != nil || r.Stages() != 3 || !slices.Equal(seen, []int{1, 2, 3}) {
		t.Errorf("%d stages (%v), progress %v, expected 3 stages and [1 2 3]", r.Stages(), err, seen)
	}
	// The default is enough for 19 steps and no more.
	for zeros, enough := range map[int]bool{19: true, 20: false} {
		text := "Sym { 0 1 } Board { " + names(zeros) + "} Start { " + strings.Repeat("0 ", zeros) + "} End { " + strings.Repeat("1 ", zeros) + "} Trans Bit { 0 => 1 }"
		for _, name := range strings.Fields(names(zeros)) {
			text += " DesObj Bit { " + name + " }"
		}
		if _, err := parseText(t, text).Solve(context.Background(), Options{}); (err == nil) != enough {
			t.Errorf("%d steps: %v", zeros, err)
		}
	}
}

func names(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString("c" + strings.Repeat("x", i) + " ")
	}
	return out.String()
}

func TestContext(t *testing.T) {
	p := parseFile(t, "testdata/eight-puzzle.tb")
	ctx, cancel := context.WithCancel(context.Background())
	_, err := p.Solve(ctx, Options{Progress: func(stages int) {
		if stages == 10 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, expected the error of the context", err)
	}
	// Between two results.
	ctx, cancel = context.WithCancel(context.Background())
	queens := parseFile(t, "testdata/queens.tb")
	n := 0
	_, err = queens.Enumerate(ctx, Options{}, func(*Result) bool {
		if n++; n == 3 {
			cancel()
		}
		return true
	})
	if !errors.Is(err, context.Canceled) || n < 3 || n == 92 {
		t.Errorf("%v after %d results, expected the error of the context soon after 3", err, n)
	}
}

func TestJSON(t *testing.T) {
	r, err := parseText(t, strings.ReplaceAll(twoBits, "End { 1 1 }", "End { 1 0 }")).Solve(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Stats.Stats = solvers.Stats{}
	got, err := json.Marshal(r)
	expected := `{"cells":["a","b"],"boards":[["0","0"],["1","0"]],"steps":[[{"trans":"Up","instance":"A"}]],` +
		`"stats":{"seconds":0,"nodes":0,"conflicts":0,"stages":2,"variables":`
	if err != nil || !strings.HasPrefix(string(got), expected) {
		t.Errorf("%s (%v), expected %s…", got, err, expected)
	}
}

func TestConcurrently(t *testing.T) {
	p := parseFile(t, "testdata/einstein.tb")
	expected, err := p.Solve(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			r, err := p.Solve(context.Background(), Options{})
			if err != nil || r.String() != expected.String() || p.Check(r.String()) != nil {
				t.Errorf("%v\n%v", err, r)
			}
		}()
	}
	group.Wait()
}

// A board with very many steps: a switch for each of its lights.
func TestManySteps(t *testing.T) {
	const n = 460
	var cells, steps strings.Builder
	for i := range n {
		fmt.Fprintf(&cells, "c%d ", i)
		fmt.Fprintf(&steps, "DesObj s%d:Light { c%d }\n", i, i)
	}
	lights := func(on ...int) string {
		symbols := strings.Fields(strings.Repeat("0 ", n))
		for _, i := range on {
			symbols[i] = "1"
		}
		return strings.Join(symbols, " ")
	}
	p := parseText(t, "Sym { 0 1 } Board { "+cells.String()+"} Start { "+lights(7)+" } End { "+lights(3, 459)+" } Trans Switch:Light { v => !v }\n"+steps.String())
	list := printed(t, p, Options{}, 0)
	if len(list) != 6 || !strings.Contains(list[0], "Switch s7\n") || strings.Count(list[0], "Switch") != 3 {
		t.Errorf("%d plans, expected the 6 orders of 3 switches", len(list))
	}
}
