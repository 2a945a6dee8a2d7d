package sabr

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomProgram makes a small program that keeps to the grammar; two lists of
// symbols may still meet in a variable.
func randomProgram(r *rand.Rand) string {
	var out strings.Builder
	cells := []string{"a", "b", "c"}[:1+r.IntN(3)]
	symbols := []string{"0", "1", "2"}[:1+r.IntN(3)]
	fmt.Fprintf(&out, "Sym { %s } Sym L { x y }\nBoard {", strings.Join(symbols, " "))
	lists := map[string]string{}
	for _, c := range cells {
		if r.IntN(8) == 0 {
			lists[c] = "L"
			c += ":L"
		}
		out.WriteString(" " + c)
	}
	out.WriteString(" }\n")
	names := slices.Concat([]string{"0", "1", "2", "v", "w", "u"}, []string{"x"}[:r.IntN(2)])
	atom := func() string { return []string{"", "!"}[r.IntN(2)] + names[r.IntN(len(names))] }
	alternatives := func() string {
		list := []string{atom()}
		for r.IntN(2) == 0 {
			list = append(list, atom())
		}
		return "(" + strings.Join(list, ",") + ")"
	}
	rules := func(n int) string {
		var list []string
		for range n {
			switch r.IntN(6) {
			case 0:
				list = append(list, "?")
			case 1:
				list = append(list, alternatives())
			case 2:
				list = append(list, []string{"v", "w", "q"}[r.IntN(3)]+":"+alternatives())
			default:
				list = append(list, atom())
			}
		}
		return strings.Join(list, " ")
	}
	sizes := map[string]int{"Board": len(cells), "O": 1 + r.IntN(3), "P": 1 + r.IntN(2)}
	// Half of the programs are plans: from one board to another.
	plan := r.IntN(2) == 0
	board := func() string {
		if !plan {
			return rules(len(cells))
		}
		var list []string
		for _, c := range cells {
			if lists[c] == "L" {
				list = append(list, []string{"x", "y"}[r.IntN(2)])
			} else {
				list = append(list, symbols[r.IntN(len(symbols))])
			}
		}
		return strings.Join(list, " ")
	}
	if plan || r.IntN(2) == 0 {
		fmt.Fprintf(&out, "Start { %s }\n", board())
	}
	if plan || r.IntN(2) == 0 {
		fmt.Fprintf(&out, "End { %s }\n", board())
	}
	for _, o := range []string{"O", "P"} {
		for i := range 1 + r.IntN(3) {
			var list []string
			for range sizes[o] {
				list = append(list, cells[r.IntN(len(cells))])
			}
			label := []string{"", "A:", "B:"}[(i+r.IntN(2))%3]
			fmt.Fprintf(&out, "DesObj %s%s { %s }\n", label, o, strings.Join(list, " "))
		}
	}
	object := func() string { return []string{"Board", "O", "P"}[r.IntN(3)] }
	span := func() string {
		switch r.IntN(6) {
		case 0:
			return fmt.Sprintf("(%d)", r.IntN(3))
		case 1:
			return fmt.Sprintf("(%d:%d)", r.IntN(2), 1+r.IntN(2))
		}
		return ""
	}
	for range r.IntN(3) {
		if plan && r.IntN(4) > 0 {
			break
		}
		o := object()
		fmt.Fprintf(&out, "Req %s %s { %s }\n", span(), o, rules(sizes[o]))
	}
	for range r.IntN(5) {
		if plan && r.IntN(2) > 0 {
			break
		}
		o := object()
		fmt.Fprintf(&out, "Opt %s %s%s { %s }\n", span(), []string{"", "X:"}[r.IntN(2)], o, rules(sizes[o]))
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(&out, "AllDif %s { %s }\n", span(), strings.Join(cells[:1+r.IntN(len(cells))], " "))
	}
	if plan || r.IntN(3) == 0 {
		for range 1 + r.IntN(4) {
			o := object()
			section := []string{"Trans", "TransSim", "TransLock"}[r.IntN(3)]
			fmt.Fprintf(&out, "%s %s %s%s { %s => %s }\n", section, span(), []string{"", "T:", "S:"}[r.IntN(3)], o, rules(sizes[o]), rules(sizes[o]))
		}
	}
	return out.String()
}

// everything is all that a program with few cells can print with this many
// stages, as found by trying what the checker says to every text.
func everything(p *Program, stages int) []string {
	boards := []string{""}
	for i, c := range p.board {
		var longer []string
		for _, b := range boards {
			for _, s := range p.lists[c.list].symbols {
				longer = append(longer, b+s.text+" ")
			}
		}
		boards = longer
		if i == len(p.board)-1 {
			for k := range boards {
				boards[k] += "\n\n"
			}
		}
	}
	// The texts of steps: one line, or any number of TransSim in order.
	var lines, together []string
	for _, s := range p.steps {
		if s.object == theBoard {
			lines = append(lines, s.name)
			if s.simultaneous {
				together = append(together, s.name)
			}
			continue
		}
		for _, in := range p.instances {
			if in.object == s.object {
				lines = append(lines, strings.TrimSpace(s.name+" "+in.label))
				if s.simultaneous {
					together = append(together, lines[len(lines)-1])
				}
			}
		}
	}
	texts := map[string]bool{}
	for _, l := range lines {
		texts[l+"\n\n"] = true
	}
	for set := 1; set < 1<<len(together); set++ {
		text := ""
		for i, l := range together {
			if set>>i&1 != 0 {
				text += l + "\n"
			}
		}
		texts[text+"\n"] = true
	}
	// One with fewer stages than needed need not be right by itself: End is
	// only asked of the last, so prefixes are checked without it.
	prefix := *p
	prefix.end = nil
	found := []string{}
	for _, b := range boards {
		if prefix.Check(b) == nil {
			found = append(found, b)
		}
	}
	for range stages - 1 {
		var longer []string
		for _, start := range found {
			for text := range texts {
				for _, b := range boards {
					if next := start + text + b; prefix.Check(next) == nil {
						longer = append(longer, next)
					}
				}
			}
		}
		found = longer
	}
	found = slices.DeleteFunc(found, func(text string) bool { return p.Check(text) != nil })
	slices.Sort(found)
	return found
}

// alikes merges results that differ only in the order of the lines between two
// boards or in how often one stands there: Enumerate gives those once.
func alikes(results []string) []string {
	var list []string
	for _, r := range results {
		var lines, steps []string
		for _, line := range strings.SplitAfter(r, "\n") {
			if !strings.HasSuffix(line, " \n") {
				steps = append(steps, line)
				continue
			}
			slices.Sort(steps)
			lines = append(append(lines, slices.Compact(steps)...), line)
			steps = nil
		}
		list = append(list, strings.Join(lines, ""))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestRandom compares what is found for random programs with what the checker
// says of every possible result.
func TestRandom(t *testing.T) {
	programs, satisfiable, planned, several := 0, 0, 0, 0
	for seed := uint64(0); programs < 1500; seed++ {
		text := randomProgram(rand.New(rand.NewPCG(seed, 9)))
		p, err := Parse("", text)
		if err != nil {
			if !strings.Contains(err.Error(), "two lists of symbols meet") && !strings.Contains(err.Error(), "out of order") {
				t.Fatalf("%v\n%s", err, text)
			}
			continue
		}
		programs++
		const most = 3
		var expected []string
		stages := 1
		for ; stages == 1 || stages <= most && p.HasSteps(); stages++ {
			if expected = everything(p, stages); len(expected) > 0 {
				break
			}
		}
		if len(expected) > 0 {
			satisfiable++
			if stages > 1 {
				planned++
			}
		}
		if len(expected) > 1 {
			several++
		}
		got := alikes(printed(t, p, Options{Stages: most}, 0))
		if want := alikes(expected); !slices.Equal(got, want) {
			t.Fatalf("seed %d:\n%s\nprints %d results:\n%s\nexpected %d:\n%s", seed, text,
				len(got), strings.Join(got, "----\n"), len(want), strings.Join(want, "----\n"))
		}
		if p.HasSteps() && programs%2 == 0 {
			got := alikes(printed(t, p, Options{Stages: 2, Exactly: true}, 0))
			if want := alikes(everything(p, 2)); !slices.Equal(got, want) {
				t.Fatalf("seed %d:\n%s\nprints %d results of two stages:\n%s\nexpected %d:\n%s", seed, text,
					len(got), strings.Join(got, "----\n"), len(want), strings.Join(want, "----\n"))
			}
		}
	}
	t.Logf("%d programs, %d satisfiable, %d with steps, %d with several results", programs, satisfiable, planned, several)
	if planned < programs/50 || several < programs/5 {
		t.Error("too few programs put the search to the test")
	}
}
