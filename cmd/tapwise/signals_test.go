package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/page/web"
	"tapwise/cmd/internal/play/phonelock"
	"tapwise/cmd/internal/play/player"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
)

// TestInterruptedRun ends a run from outside while it plays, in every way that
// is not kill -9: exit code 130, the finger is up, the phone's setting is given
// back, the journal says how it ended, and the run can be resumed.
func TestInterruptedRun(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(child *exec.Cmd, output *bufio.Reader, pipe *os.File) error{
		"Ctrl-C": func(child *exec.Cmd, _ *bufio.Reader, _ *os.File) error { return child.Process.Signal(os.Interrupt) },
		"a closed terminal": func(child *exec.Cmd, _ *bufio.Reader, _ *os.File) error {
			// The shell says so and the system once more.
			return errors.Join(child.Process.Signal(syscall.SIGHUP), child.Process.Signal(syscall.SIGHUP))
		},
		"head -1": func(_ *exec.Cmd, output *bufio.Reader, pipe *os.File) error {
			_, err := output.ReadString('\n')
			return errors.Join(err, pipe.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "a closed terminal" && signal.Ignored(syscall.SIGHUP) {
				t.Skip("the tests run under nohup, which a run obeys")
			}
			r := newLab(t, 4, rand.New(rand.NewPCG(8, 8)))
			child := r.command("clear", "--serial", r.phone.Addr(), "--game", "flow", "--levels", "4")
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer read.Close()
			var errs bytes.Buffer
			child.Stdout, child.Stderr = write, &errs
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			write.Close()
			r.waitForAttempt()
			if err := end(child, bufio.NewReader(read), read); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := child.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitInterrupt {
				t.Fatalf("ended with %v, expected exit code %d:\n%s", err, exitInterrupt, &errs)
			}
			told := 1
			if name == "head -1" {
				told = 0 // who closes a pipe knows
			}
			if n := strings.Count(errs.String(), "tapwise: "); n != told || strings.Contains(errs.String(), "broken pipe") {
				t.Errorf("stderr tells %d times that it was interrupted, expected %d and nothing of the pipe:\n%s", n, told, &errs)
			}
			r.wantClosed()
			if awake := r.server.Run("-s", r.phone.Addr(), "shell", "settings get global stay_on_while_plugged_in"); strings.TrimSpace(string(awake.Stdout)) != "0" {
				t.Errorf("the phone's stay_on_while_plugged_in is %q afterwards, expected 0", awake.Stdout)
			}
			touches := slices.DeleteFunc(r.phone.Events(), func(e simphone.Event) bool { return e.Kind == simphone.EventKey })
			if last := len(touches) - 1; last >= 0 && touches[last].Kind != simphone.EventUp {
				t.Errorf("the last of %d touches is %q, expected the finger to go up", len(touches), touches[last].Kind)
			}
			again, output := r.start("--resume")
			if err := again.Wait(); err != nil {
				t.Fatalf("%v:\n%s", err, output)
			}
			if r.look() != "won" {
				t.Error(story(r.attempts()))
			}
		})
	}
}

// waitForAttempt waits until the journal has an attempt.
func (r *lab) waitForAttempt() {
	r.t.Helper()
	await.Until(r.t, "a level is begun", func() bool { return len(r.attempts()) > 0 })
}

// wantClosed wants a journal with one run, which was interrupted, and no
// attempt left open.
func (r *lab) wantClosed() {
	r.t.Helper()
	attempts := r.attempts()
	for i, a := range attempts {
		// The interrupt may come between two levels.
		if a.Verdict != journal.Won && (a.Verdict != journal.Interrupted || i < len(attempts)-1) || a.Ended.IsZero() {
			r.t.Errorf("attempt %d: %s, ended %v:\n%s", i+1, a.Verdict, a.Ended, story(attempts))
		}
	}
	if runs := r.runs(); len(runs) != 1 || runs[0].Outcome != journal.RunInterrupted || runs[0].Ended.IsZero() {
		r.t.Errorf("runs %+v, expected one that was interrupted", runs)
	}
}

// TestNohup wants a run that nohup started to go on when the terminal is closed.
func TestNohup(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	r := newLab(t, 2, rand.New(rand.NewPCG(9, 9)))
	command := r.command("clear", "--serial", r.phone.Addr(), "--game", "flow", "--levels", "2")
	child := exec.Command("sh", append([]string{"-c", `trap "" HUP; exec "$@"`, "sh"}, command.Args...)...)
	var output bytes.Buffer
	child.Env, child.Stdout, child.Stderr = command.Env, &output, &output
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	r.waitForAttempt()
	if err := child.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err != nil {
		t.Errorf("%v:\n%s", err, &output)
	}
	if r.look() != "won" {
		t.Error(story(r.attempts()))
	}
}

// TestOnePlayer starts commands that touch a phone on which a run plays, with
// journals of their own and with its journal: each is refused with exit code 5,
// says who plays, and changes nothing; when it is killed the phone is free, and
// the run can be resumed.
func TestOnePlayer(t *testing.T) {
	t.Parallel()
	r := newLab(t, 3, rand.New(rand.NewPCG(10, 10)))
	first, firstOutput := r.start()
	r.waitForAttempt()
	if err := first.Process.Signal(syscall.SIGSTOP); err != nil { // so that it does not end meanwhile
		t.Fatal(err)
	}
	serial, other := r.phone.Addr(), filepath.Join(r.folder, "other.db")
	for _, args := range [][]string{
		{"clear", "--serial", serial, "--game", "flow", "--resume"},
		{"clear", "--serial", serial, "--journal", other},
		{"play", "--serial", serial, "--journal", other},
		{"calibrate", "--serial", serial, "--game", "flow", "--touch", "--dry-run"},
	} {
		second := r.command(args...)
		output, err := second.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitPhone {
			t.Errorf("%q beside a run ended with %v, expected exit code %d:\n%s", args, err, exitPhone, output)
		}
		for _, part := range []string{"phone " + serial, "`tapwise clear --journal", "process " + strconv.Itoa(first.Process.Pid), "since 2", "hint: "} {
			if !strings.Contains(string(output), part) {
				t.Errorf("%q beside a run does not say %q:\n%s", args, part, output)
			}
		}
	}
	a := testApp(t)
	a.settings.ADB.Port = r.server.Port
	var held *phonelock.HeldError
	if err := a.pageConfig().Phones.Clear(t.Context(), web.Order{Serial: serial, Game: flow.Game{}, First: 1}, nil, func(web.Moment) {}, func(player.Report, error) {}); !errors.As(err, &held) {
		t.Errorf("the page beside a run: %v, expected that the phone is held", err)
	}
	if runs := r.runs(); len(runs) != 1 || runs[0].Outcome != journal.Running {
		t.Errorf("runs %+v, expected the one that plays", runs)
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); !strings.Contains(err.Error(), "killed") {
		t.Fatalf("the first run ended with %v before it was killed:\n%s", err, firstOutput)
	}
	again, output := r.start("--resume")
	if err := again.Wait(); err != nil {
		t.Fatalf("after the first run was killed: %v:\n%s", err, output)
	}
	if r.look() != "won" {
		t.Error(story(r.attempts()))
	}
}

// TestSimulatorKilled kills a simulated phone with -9: the command that it runs
// dies with it, and so does what the command started.
func TestSimulatorKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a process with its parent")
	}
	adbtest.Start(t) // or it is skipped
	const script = `sleep 600 & echo $$ $!; wait`
	sim := exec.Command("tapwise", "sim", "--size", "480x800", "--", "sh", "-c", script)
	output, err := sim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := sim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Wait() }) // it was killed
	var command, started int
	_, err = fmt.Fscan(output, &command, &started)
	if killErr := sim.Process.Kill(); err != nil || killErr != nil {
		t.Fatal(err, killErr)
	}
	await.Until(t, "what the killed phone ran ends with it", func() bool { return !alive(command) && !alive(started) })
}

// alive reports whether a process is there that is no zombie.
func alive(process int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	return err == nil && !bytes.Contains(status, []byte(") Z "))
}
