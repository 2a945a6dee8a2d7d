package main

import (
	"strings"
	"testing"
	"time"

	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/cmd/internal/show/reading"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

// TestRefusals wants one line of a refusal wherever one is told, and with -v
// those of the other games.
func TestRefusals(t *testing.T) {
	const wrong = "- R -\n- Q -\n- - -\n"
	const want = `algemy: line 2: cell 2 is "Q"`
	_, _, err := recognise.Text(strings.TrimSpace(wrong), all.Games())
	if err == nil {
		t.Fatal("it was read")
	}
	for _, verbose := range []bool{false, true} {
		var told strings.Builder
		a := &app{printer: printer{streams: streams{out: &strings.Builder{}, err: &told}, verbose: verbose}}
		if err := a.printReading("picture.png", reading.Reading{}, nil, err, time.Second, false); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(told.String(), "\n"), "\n")
		if !strings.HasPrefix(lines[0], "tapwise: picture.png: refused: "+want) {
			t.Errorf("%q, expected %s", lines[0], want)
		}
		if others := len(all.Games()) - 1; verbose && len(lines) != 1+others || !verbose && len(lines) != 1 {
			t.Errorf("%d lines, verbose is %v:\n%s", len(lines), verbose, told.String())
		}
	}
	// The page is told the same.
	a := &app{}
	_, _, err = a.pageConfig().Parse("\ufeff"+wrong, nil)
	if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), all.Games()[0].Name()) {
		t.Errorf("the page is told %v, expected %s", err, want)
	}
}

// TestUnreadableScreen exits with the code of a screen that could not be read,
// whichever game's reason is told.
func TestUnreadableScreen(t *testing.T) {
	for _, err := range []error{
		&recognise.Refusal{Reasons: []recognise.Reason{{Game: all.Games()[0].Name(), Err: solvers.Refuse("no lattice")}}},
		badInputf("a puzzle: %w", solvers.Refuse("no lattice")),
	} {
		if got := exitCode(err); got != exitUnreadable {
			t.Errorf("%v: exit code %d, expected %d", err, got, exitUnreadable)
		}
	}
}
