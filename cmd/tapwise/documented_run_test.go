package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/solvers/gametest"
)

// notRun are documented lines that no test runs, and why.
var notRun = []struct{ begins, why string }{
	{"tapwise pair ", "a phone would have to be at that address"},
	{"tapwise connect ", "a phone would have to be at that address"},
	{"tapwise fleet", "fleet.txtar runs a hub, and these on it"},
	{"tapwise hub add", "fleet-keys.txtar runs it, beside a hub with keys"},
	{"tapwise hub --demo &", "the line without & is run"},
	{"tapwise hub --listen 0.0.0.0", "tests do not listen to other machines"},
}

// endless matches lines that end when they are interrupted, here when they have said something.
var endless = regexp.MustCompile(`^tapwise (serve.*|demo.*|sim|sim --game flow|hub --(demo|on-end.*)|clear --(until|for|all-devices|on-end|resume).*)$`)

// TestDocumentedLines runs each command line that the documents have as a block, in a folder with
// the files that it names, with a phone.
func TestDocumentedLines(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	await.Turn(t)
	a, server := testApp(t), adbtest.Start(t)
	a.settings.Game = "flow"
	options := simOptions{Options: simulation.Usual()}
	app, err := simulation.GameApp{Rounds: 50}.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	options.app = app
	connectedPhone(t, a, server, options)
	folder := t.TempDir()
	env := append(os.Environ(), fmt.Sprintf("ANDROID_ADB_SERVER_PORT=%d", server.Port), "HOME="+folder, "BROWSER=true")
	for _, name := range []string{"CONFIG", "CACHE", "STATE"} {
		env = append(env, "XDG_"+name+"_HOME="+filepath.Join(folder, name))
	}
	for name, value := range patient() {
		env = append(env, name+"="+value)
	}
	run := func(line string) (string, int) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c := exec.CommandContext(ctx, "sh", "-c", "exec "+line)
		c.Dir, c.Env = folder, env
		c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
		c.WaitDelay = await.Hang
		out := &said{}
		if endless.MatchString(line) {
			out.line = cancel
		}
		c.Stdout, c.Stderr = out, out
		err := c.Run()
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit):
			if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
				return string(out.text), 130
			}
			return string(out.text), exit.ExitCode()
		case err != nil && !errors.Is(err, context.Canceled):
			t.Fatal(err)
		}
		return string(out.text), 0
	}
	games, err := filepath.Abs("../../solvers")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"cp " + games + "/described/games/kurodoko.star kurodoko.star", "cp kurodoko.star mine.star", "cp " + games + "/engine/sabr/testdata/eight-puzzle.tb puzzle.tb",
		"sh -c 'tapwise generate --game flow --size 5 --seed 1 >level.txt'", "cp level.txt board.txt", "sh -c 'tapwise solve level.txt >solution.txt'",
		"sh -c 'tapwise generate --game ./kurodoko.star --size 5 --seed 1 >FILE'", "cp FILE PUZZLE", "sh -c 'tapwise solve --game ./kurodoko.star FILE >SOLUTION'",
		"tapwise sim --game ./kurodoko.star -- tapwise screenshot -o SCREENSHOT",
		"tapwise screenshot -o screen.png", "cp screen.png screenshot.png", "cp screen.png a.png", "cp screen.png b.png", "mkdir docs",
		// A level that went wrong is in the journal of simulated phones.
		"sh -c 'tapwise sim --size 480x800 --fault changed-level -- tapwise play || cp STATE/tapwise/simulated/journal.db STATE/tapwise/journal.db'",
		"tapwise bundle -o failed.zip", "sh -c 'cp -r CACHE/tapwise/evidence/* FOLDER'",
	} {
		if out, code := run(line); code != 0 {
			t.Fatalf("%s: exit code %d\n%s", line, code, out)
		}
	}
	for _, line := range typedLines(t) {
		if n := slices.IndexFunc(notRun, func(n struct{ begins, why string }) bool { return strings.HasPrefix(line, n.begins) }); n >= 0 {
			t.Logf("%s: not run: %s", line, notRun[n].why)
			continue
		}
		t.Run(strings.TrimPrefix(line, "tapwise "), func(t *testing.T) {
			if out, code := run(line); code != 0 && (code != 130 || !endless.MatchString(line)) {
				t.Errorf("exit code %d\n%s", code, out)
			}
		})
	}
}

// said is what a command says, which is told of its first line.
type said struct {
	text []byte
	line func()
}

func (s *said) Write(p []byte) (int, error) {
	if s.text = append(s.text, p...); s.line != nil && bytes.ContainsRune(p, '\n') {
		s.line()
	}
	return len(p), nil
}

// typedLines are the command lines that the documents have as blocks, without their comments.
func typedLines(t *testing.T) (lines []string) {
	for _, text := range documents(t) {
		for _, line := range blocks(text) {
			if isTyped(line) {
				line, _, _ = strings.Cut(strings.TrimPrefix(line, "$ "), " #")
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
