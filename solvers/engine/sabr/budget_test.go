package sabr

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
)

// numbered are n names that begin alike.
func numbered(prefix string, n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "%s%d ", prefix, i)
	}
	return out.String()
}

// large are programs in which a loop of the compiler multiplies, by what it
// does; each takes two numbers.
var large = map[string]func(a, b int) string{
	"symbols on cells": func(a, b int) string {
		return fmt.Sprintf("Sym { %s} Board { %s}", numbered("s", a), numbered("c", b))
	},
	"AllDif": func(a, b int) string {
		cells := numbered("c", b)
		return fmt.Sprintf("Sym { %s} Board { %s} AllDif { %s}", numbered("s", a), cells, cells)
	},
	"Start that excludes a symbol": func(a, b int) string {
		return fmt.Sprintf("Sym { %s} Board { %s} Start { %s}", numbered("s", a), numbered("c", b), strings.Repeat("!s0 ", b))
	},
	"rules with many alternatives": func(a, b int) string {
		return fmt.Sprintf("Sym { 0 %s} Board { c d } Req Board { (%s0) v }", numbered("s", a), strings.ReplaceAll(numbered("!v", b), " ", ","))
	},
	"a Req on many places": func(a, b int) string {
		return "Sym { 0 1 2 } Board { c d } " + strings.Repeat("Req O { v !v }\n", a) + strings.Repeat("DesObj O { c d }\n", b)
	},
	"Opts on many places": func(a, b int) string {
		return "Sym { 0 1 2 } Board { c d } " + strings.Repeat("Opt O { v !v }\n", a) + strings.Repeat("DesObj O { c d }\n", b)
	},
	"Opts with variables": func(a, b int) string {
		return fmt.Sprintf("Sym { %s} Board { %s} Opt Board { v !v %s}", numbered("s", a), numbered("c", b), strings.Repeat("? ", b-2))
	},
	"steps on many places": func(a, b int) string {
		return "Sym { 0 1 2 } Board { c d } Start { 0 0 } End { 1 1 } " + strings.Repeat("Trans O { v w => w v }\n", a) + strings.Repeat("DesObj O { c d }\n", b)
	},
	"counts of symbols in steps": func(a, b int) string {
		return fmt.Sprintf("Sym { %s} Board { c } Start { ? } End { s1 } ", numbered("s", a)) + strings.Repeat("Trans Board { v => !v }\n", b)
	},
}

// TestMemory compares what programs are reckoned to take with what the engine
// allocates for them.
func TestMemory(t *testing.T) {
	for name, size := range map[string][2]int{
		"symbols on cells":             {300, 300},
		"AllDif":                       {300, 300},
		"Start that excludes a symbol": {300, 300},
		"rules with many alternatives": {300, 300},
		"a Req on many places":         {300, 300},
		"Opts on many places":          {30, 300},
		"Opts with variables":          {200, 200},
		"steps on many places":         {30, 300},
		"counts of symbols in steps":   {300, 100},
	} {
		p := parseText(t, large[name](size[0], size[1]))
		heap := func() int {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return int(m.HeapAlloc)
		}
		before := heap()
		u := newUnrolling(context.Background(), p, mostMemory)
		for range 2 {
			if u.addStage(); !p.HasSteps() {
				break
			}
		}
		if u.err != nil {
			t.Fatal(u.err)
		}
		done, cancel := context.WithCancel(context.Background())
		cancel()
		u.model.Solve(done) // files what was added
		took := heap() - before
		if t.Logf("%s: %d KiB, reckoned %d", name, took>>10, u.spent>>10); took > u.spent || u.spent > 12*took {
			t.Errorf("%s: takes %d KiB, reckoned %d", name, took>>10, u.spent>>10)
		}
		runtime.KeepAlive(u)
	}
}

// TestTooLarge has programs refused that would need more memory than there may
// be, without taking it.
func TestTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large programs, compiled in one goroutine")
	}
	for _, test := range []struct {
		name  string
		sizes [2]int
		most  int
	}{
		{"symbols on cells", [2]int{20_000, 20_000}, mostMemory},
		{"AllDif", [2]int{3_000, 3_000}, mostMemory},
		{"Start that excludes a symbol", [2]int{20_000, 20_000}, mostMemory},
		{"rules with many alternatives", [2]int{30_000, 100_000}, mostMemory},
		{"Opts with variables", [2]int{3_000, 3_000}, mostMemory},
		{"a Req on many places", [2]int{20_000, 20_000}, 16 << 20},
		{"Opts on many places", [2]int{20_000, 20_000}, 16 << 20},
		{"steps on many places", [2]int{20_000, 20_000}, 16 << 20},
	} {
		p := parseText(t, large[test.name](test.sizes[0], test.sizes[1]))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		u := newUnrolling(context.Background(), p, test.most)
		if u.err == nil {
			u.addStage()
		}
		runtime.ReadMemStats(&after)
		var large *TooLargeError
		if !errors.As(u.err, &large) || !strings.Contains(u.err.Error(), fmt.Sprintf("more than %d MiB of memory", test.most>>20)) {
			t.Errorf("%s: %v, expected a TooLargeError", test.name, u.err)
		}
		// Lists that grow are allocated several times.
		if took := int(after.TotalAlloc - before.TotalAlloc); took > 4*test.most {
			t.Errorf("%s: %d MiB allocated, expected about %d", test.name, took>>20, test.most>>20)
		}
	}
	_, err := parseText(t, large["AllDif"](3_000, 3_000)).Solve(context.Background(), Options{})
	if want := "the program needs more than 512 MiB of memory for the constraints of 1 stage"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, expected %s…", err, want)
	}
	long := "Sym { 0 }" + strings.Repeat(" ", MostText)
	if _, err := Parse("x.tb", long); err == nil || err.Error() != fmt.Sprintf("x.tb:1:1: the program has %d bytes, expected at most %d", len(long), MostText) {
		t.Errorf("a program of %d bytes: %v", len(long), err)
	}
	kinds := "Sym A { 0 } Sym B { 1 } Board { a:A b:B } " + strings.Repeat("Req O { "+strings.Repeat("? ", 12)+"} ", 1000)
	for i := range 1 << 12 {
		kinds += "DesObj O { "
		for bit := range 12 {
			kinds += "ab"[i>>bit&1:][:1] + " "
		}
		kinds += "} "
	}
	if _, err := Parse("", kinds); err == nil || !strings.Contains(err.Error(), "more than 5000000 rules on cells") {
		t.Errorf("rules on many kinds of places: %v", err)
	}
}

// TestInterrupted cancels while programs are compiled that take long, and
// expects to be heard.
func TestInterrupted(t *testing.T) {
	for name, size := range map[string][2]int{
		"symbols on cells":             {500, 500},
		"AllDif":                       {500, 500},
		"Start that excludes a symbol": {500, 500},
		"rules with many alternatives": {500, 1_000},
		"a Req on many places":         {1_000, 1_000},
		"Opts on many places":          {100, 1_000},
		"Opts with variables":          {500, 500},
		"steps on many places":         {1_000, 1_000},
		"counts of symbols in steps":   {30_000, 30_000},
	} {
		p := parseText(t, large[name](size[0], size[1]))
		ctx := &countdown{Context: context.Background(), left: 3}
		_, err := p.Solve(ctx, Options{})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, expected the error of the context", name, err)
		}
	}
	// The checker, too.
	p := parseText(t, large["AllDif"](600, 600))
	symbols := numbered("s", 600) + "\n\n"
	if err := p.Check(symbols); err != nil {
		t.Fatal(err)
	}
	ctx := &countdown{Context: context.Background(), left: 3}
	if err := p.CheckContext(ctx, symbols); !errors.Is(err, context.Canceled) {
		t.Errorf("check: %v, expected the error of the context", err)
	}
}

// countdown is a context that is cancelled when it has been asked a few times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestLooks wants the context to be asked often: at each few megabytes of what is
// compiled, or each few thousand steps.
func TestLooks(t *testing.T) {
	if testing.Short() {
		t.Skip("large programs, compiled in one goroutine")
	}
	for name, size := range map[string][2]int{
		"symbols on cells":             {500, 500},
		"AllDif":                       {500, 500},
		"Opts with variables":          {500, 500},
		"counts of symbols in steps":   {1_000, 1_000},
		"rules with many alternatives": {500, 500},
		"a Req on many places":         {300, 300},
		"steps on many places":         {100, 300},
	} {
		p := parseText(t, large[name](size[0], size[1]))
		ctx := &countdown{Context: context.Background(), left: math.MaxInt}
		u := newUnrolling(ctx, p, mostMemory)
		u.addStage()
		if u.addStage(); u.err != nil {
			t.Fatal(u.err)
		}
		looks := math.MaxInt - ctx.left
		if each := u.spent / max(looks, 1); each > 8<<20 {
			t.Errorf("%s: %d looks at the context for %d MiB, one each %d KiB", name, looks, u.spent>>20, each>>10)
		}
	}
}
