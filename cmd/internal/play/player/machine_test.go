package player

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tapwise/calibration"
)

var updatePage = flag.Bool("update", false, "write the diagram and the table of docs/loop.md anew")

// TestLoopPage compares the diagram and the table of docs/loop.md with the
// tables that the loop runs by.
func TestLoopPage(t *testing.T) {
	const file = "../../../../docs/loop.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, part := range []struct{ begin, end, want string }{
		{"```mermaid\n", "```\n", diagram()},
		{"<!-- ladder -->\n", "<!-- end -->\n", ladders()},
	} {
		before, rest, ok := strings.Cut(page, part.begin)
		got, after, closed := strings.Cut(rest, part.end)
		if !ok || !closed {
			t.Fatalf("%s has no part from %q to %q", file, part.begin, part.end)
		}
		if got != part.want && !*updatePage {
			t.Errorf("%s says\n%s\nthe loop is\n%s", file, got, part.want)
		}
		page = before + part.begin + part.want + part.end + after
	}
	if *updatePage {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// Every state that does something has its line and its deadline.
	for _, s := range states() {
		if s != StateDone && s != StateStop && !strings.Contains(page, "\n| "+string(s)+" | ") {
			t.Errorf("%s says nothing of state %s", file, s)
		}
	}
}

func states() []State {
	var all []State
	for _, t := range transitions() {
		for _, s := range []State{t.from, t.to} {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// TestTransitions checks what must hold of the table: one way for an outcome,
// every state reached and left, trouble always leading to recovery, and an end.
func TestTransitions(t *testing.T) {
	seen := map[[2]string]bool{}
	leads := map[State][]State{}
	for _, arrow := range transitions() {
		key := [2]string{string(arrow.from), string(arrow.on)}
		if seen[key] {
			t.Errorf("%s has two ways for %q", arrow.from, arrow.on)
		}
		seen[key] = true
		leads[arrow.from] = append(leads[arrow.from], arrow.to)
		if arrow.on == outcomeTrouble && arrow.to != StateRecover {
			t.Errorf("trouble in %s leads to %s", arrow.from, arrow.to)
		}
	}
	reached := map[State]bool{}
	var visit func(State)
	visit = func(s State) {
		if !reached[s] {
			reached[s] = true
			for _, to := range leads[s] {
				visit(to)
			}
		}
	}
	visit(StateConnect)
	p := &Player{Timing: calibration.Timing{SettleDeadline: 1, SolveDeadline: 1, WinDeadline: 1, NextDeadline: 1}}
	for _, s := range states() {
		final := s == StateDone || s == StateStop
		if !reached[s] {
			t.Errorf("%s is never reached", s)
		}
		if final != (len(leads[s]) == 0) {
			t.Errorf("%s leads to %v", s, leads[s])
		}
		if !final && s != StateHold && !seen[[2]string{string(s), string(outcomeTrouble)}] {
			t.Errorf("trouble in %s leads nowhere", s)
		}
		if !final && p.deadline(s) <= 0 {
			t.Errorf("%s has no deadline", s)
		}
	}
	if _, err := follow(StateRead, outcomeWon); err == nil {
		t.Error("an outcome that is not in the table leads somewhere")
	}
	for _, kind := range troubles() {
		if n := len(ladder(kind)); n > maxRungs {
			t.Errorf("the ladder of %s has %d rungs, the cap is %d", kind, n, maxRungs)
		}
	}
}

// troubles lists the kinds, for the documentation.
func troubles() []trouble {
	return []trouble{troubleLost, troubleHung, troubleBadFrame, troubleBlackFrame, troubleBehind, troubleTurned, troubleMismatch, troubleUnknown, troubleDialog, troubleStrange, troubleList, troubleRestless, troubleMisread, troubleSenseless, troubleWonBefore, troubleOther}
}

// diagram is the loop as Mermaid text, for docs/loop.md.
func diagram() string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	b.WriteString("    [*] --> connect\n")
	for _, t := range transitions() {
		fmt.Fprintf(&b, "    %s --> %s: %s\n", t.from, t.to, t.on)
	}
	b.WriteString("    done --> [*]\n    stop --> [*]\n")
	return b.String()
}

// ladders is the table of what is tried against what, for docs/loop.md.
func ladders() string {
	var b strings.Builder
	b.WriteString("| trouble | tried, one after the other |\n|---|---|\n")
	for _, t := range troubles() {
		var steps []string
		for _, r := range ladder(t) {
			steps = append(steps, string(r))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", t, strings.Join(append(steps, "stop"), " → "))
	}
	return b.String()
}
