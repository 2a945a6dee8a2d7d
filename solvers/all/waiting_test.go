package all_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mayWatchTheClock are the tests and their helpers that may wait for a time, or look at how
// much passed, each with the reason why none of them can fail on a slow machine.
var mayWatchTheClock = []struct{ path, reason string }{
	{"adb/adbtest/await/", "the one place that bounds waiting, by far more than anything takes"},
	{"adb/simphone/daemon/", "nothing may come in a moment"},
	{"adb/simphone/shell/", "a sleep has to last, and commands without end are ended"},
	{"adb/simphone/shell_test.go", "commands without end are ended"},
	{"calibration/crash_test.go", "a process is killed at any moment"},
	{"cmd/internal/fleet/hub/cut_test.go", "what fails while servers are away is tried again after a while, without end"},
	{"cmd/internal/fleet/hub/disk_test.go", "a sync takes a while"},
	{"cmd/internal/fleet/hub/scale_test.go", "measures, when asked to"},
	{"cmd/internal/fleet/lease_test.go", "clocks that are wrong by an hour"},
	{"cmd/internal/fleet/wiretest/", "messages are held up for a while"},
	{"cmd/internal/fleet/worker/", "levels take a while, what is cut stays so for a while, and nothing may happen in a moment"},
	{"cmd/internal/play/phonelock/lock_test.go", "a process stays until it is killed"},
	{"cmd/internal/play/player/margins_test.go", "prints what it took"},
	{"cmd/internal/play/player/screens_test.go", "prints what it took"},
	{"cmd/internal/page/web/", "calls that last a moment, a context that has to end, and nothing may happen in a moment"},
	{"cmd/tapwise/crash_test.go", "a process is killed at any moment"},
	{"cmd/tapwise/fleet_page_test.go", "levels take a while"},
	{"cmd/tapwise/page_figures_test.go", "measures, when asked to"},
	{"cmd/tapwise/script_test.go", "looks again after a while"},
	{"cmd/tapwise/soak_test.go", "prints what it took"},
	{"solvers/games/alcazar/bench_test.go", "measures"},
	{"solvers/games/asteroid/hardest_test.go", "prints what it took"},
	{"solvers/games/flow/solve_bench_test.go", "measures"},
	{"solvers/games/flow/solve_test.go", "a context that may end"},
	{"solvers/engine/sabr/fuzz_test.go", "searches without end are ended"},
	{"vision/hostile_test.go", "decoding that is ended at any moment"},
}

// clocks are the calls by which a test waits for a time, or finds out how much passed.
var clocks = []string{
	"time.After", "time.AfterFunc", "time.NewTimer", "time.NewTicker", "time.Tick", "time.Sleep", "time.Since", "context.WithTimeout", "context.WithDeadline",
	"context.WithTimeoutCause", "context.WithDeadlineCause", "chromedp.WithPollingTimeout", "SetDeadline", "SetReadDeadline", "SetWriteDeadline",
}

// TestTestsWaitForEvents wants no test to depend on how fast the machine is: what it waits
// for is an event (package adb/adbtest/await), and a time of the program's passes on the
// clock of testing/synctest. Bounds of at least await.Hang only end what hangs.
func TestTestsWaitForEvents(t *testing.T) {
	used := make([]bool, len(mayWatchTheClock))
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains([]string{".git", "out", "bin", "testdata"}, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		path, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		folder := filepath.Base(filepath.Dir(file))
		if filepath.Ext(path) != ".go" || !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(folder, "test") && folder != "await" {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, call := range clockCalls(t, path, text) {
			allowed := slices.IndexFunc(mayWatchTheClock, func(may struct{ path, reason string }) bool { return strings.HasPrefix(path, may.path) })
			if allowed < 0 {
				t.Errorf("%s: a test waits for events (await.Until, await.From), and tests times with testing/synctest", call)
				continue
			}
			used[allowed] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, may := range mayWatchTheClock {
		if !used[i] {
			t.Errorf("%s need not be excepted any more", may.path)
		}
	}
}

// clockCalls lists the calls in a test's file that are bound to the machine's clock. Files
// with tests in bubbles of synctest have their time from there.
func clockCalls(t *testing.T, path string, text []byte) (calls []string) {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(parsed.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing/synctest"` }) {
		return nil
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		name := selector.Sel.Name
		if of, ok := selector.X.(*ast.Ident); ok && slices.Contains([]string{"time", "context", "chromedp"}, of.Name) {
			name = of.Name + "." + name
		}
		source := string(text[files.Position(call.Pos()).Offset:files.Position(call.End()).Offset])
		if slices.Contains(clocks, name) && !strings.Contains(source, "await.Hang") && !strings.Contains(source, "20 * time.Minute") && !strings.Contains(source, "20*time.Minute") {
			calls = append(calls, files.Position(call.Pos()).String()+": "+source)
		}
		return true
	})
	return calls
}
