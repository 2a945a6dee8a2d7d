package main

import (
	"errors"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/journal"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/gametest"
)

// levelsEach is how many levels are played on each of several phones.
const levelsEach = 2

// fourPhones is a lab with four phones, each with a game and a pack of its own.
func fourPhones(t *testing.T) (r *lab, phones []*simphone.Phone, games []solvers.Game) {
	r = &lab{t: t, server: adbtest.Start(t), folder: t.TempDir()}
	r.file = filepath.Join(r.folder, "journal.db")
	for _, game := range all.Games()[:4] {
		pack := gametest.Levels(t, game)[:levelsEach]
		phone, _ := r.addPhone(game, pack, "")
		phones = append(phones, phone)
		games = append(games, game)
	}
	return r, phones, games
}

// TestFourPhones plays on four phones at once; without --game each game is
// found out from its screen.
func TestFourPhones(t *testing.T) {
	t.Parallel()
	r, phones, games := fourPhones(t)
	child, output := r.clear("--all-devices", "--levels", strconv.Itoa(levelsEach))
	if err := child.Wait(); err != nil {
		t.Fatalf("%v:\n%s", err, output)
	}
	won := map[string]int{}
	for _, a := range r.attempts() {
		if a.Verdict == journal.Won {
			won[a.Serial+" "+a.Game]++
		}
	}
	for i, phone := range phones {
		if key := phone.Addr() + " " + games[i].Name(); won[key] != levelsEach {
			t.Errorf("%s won %d levels, expected %d", key, won[key], levelsEach)
		}
		if n := strings.Count(output.String(), phone.Addr()+"    "); n != levelsEach {
			t.Errorf("%d lines begin with %s, expected %d", n, phone.Addr(), levelsEach)
		}
	}
	if t.Failed() {
		t.Log(output)
	}
}

// TestPhoneDies lets one of four phones die in the middle of a level: the
// others win, and the exit code and the summary tell of the dead one.
func TestPhoneDies(t *testing.T) {
	t.Parallel()
	r, phones, games := fourPhones(t)
	dead := rand.New(rand.NewPCG(9, 9)).IntN(len(phones))
	address := phones[dead].Addr()
	args := []string{"--levels", strconv.Itoa(levelsEach)}
	for i, phone := range phones {
		args = append(args, "--serial", phone.Addr()+"="+games[i].Name())
	}
	child, output := r.clear(args...)
	begun := func() bool {
		for _, a := range r.attempts() {
			if a.Serial == address {
				return true
			}
		}
		return false
	}
	await.Until(t, "the phone that is to die is played on", begun)
	phones[dead].Close()
	var exit *exec.ExitError
	if err := child.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitPhone {
		t.Fatalf("ended with %v, expected exit code %d:\n%s", err, exitPhone, output)
	}
	won := map[string]int{}
	for _, a := range r.attempts() {
		if a.Verdict == journal.Won {
			won[a.Serial]++
		}
	}
	for i, phone := range phones {
		if i != dead && won[phone.Addr()] != levelsEach {
			t.Errorf("%s won %d levels, expected %d", phone.Addr(), won[phone.Addr()], levelsEach)
		}
	}
	for _, run := range r.runs() {
		want := journal.Done
		if run.Serial == address {
			want = journal.RunFailed
		}
		if run.Outcome != want {
			t.Errorf("the run on %s is %q, expected %q", run.Serial, run.Outcome, want)
		}
	}
	if !strings.Contains(output.String(), "1 of 4 phones failed") || !strings.Contains(output.String(), "\n"+address+": ") {
		t.Error("the summary does not tell of the dead phone")
	}
	if t.Failed() {
		t.Log(output)
	}
}
