package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/cmd/internal/solving"
)

// fakeTerminal shows what a terminal would after all that was printed to it.
type fakeTerminal struct {
	mu      sync.Mutex
	printed string
	seen    func(line string) // told of the last line whenever it changes; may be nil
}

func (f *fakeTerminal) Write(text []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.printed += string(text)
	if f.seen != nil {
		f.seen(lastLine(f.shown()))
	}
	return len(text), nil
}

func (f *fakeTerminal) screen() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.shown()
}

// shown does what the terminal does with a line that is erased.
func (f *fakeTerminal) shown() string {
	parts := strings.Split(f.printed, eraseLine)
	for i, part := range parts[:len(parts)-1] {
		parts[i] = part[:strings.LastIndexByte(part, '\n')+1]
	}
	return strings.Join(parts, "")
}

func lastLine(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }

// TestStatusLine has a search of twelve seconds by a fake clock.
func TestStatusLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		terminal := &fakeTerminal{}
		line := newStatusLine(terminal, terminal)
		expect := func(want string) {
			t.Helper()
			synctest.Wait()
			if got := terminal.screen(); got != want {
				t.Errorf("the terminal shows %q, expected %q", got, want)
			}
		}
		end := line.during(func(spent time.Duration) string { return "after " + spent.String() })
		time.Sleep(patience - time.Millisecond)
		expect("")
		time.Sleep(time.Millisecond)
		expect("after 2s")
		time.Sleep(redraw)
		expect("after 2.5s")
		if _, err := io.WriteString(line, "a log\n"); err != nil {
			t.Error(err)
		}
		expect("a log\n")
		time.Sleep(redraw)
		expect("a log\nafter 3s")
		_ = line.without(func() error { _, err := io.WriteString(terminal, "a result\n"); return err })
		expect("a log\na result\n")
		line.mu.Lock()
		line.columns = func() int { return 6 }
		line.mu.Unlock()
		time.Sleep(redraw)
		expect("a log\na result\nafte…")
		end()
		end()
		expect("a log\na result\n")
		time.Sleep(10 * time.Second)
		expect("a log\na result\n")
		// A short one is never heard of.
		end = line.during(func(time.Duration) string { return "too early" })
		time.Sleep(patience - time.Millisecond)
		end()
		if strings.Contains(terminal.printed, "early") {
			t.Errorf("%q was printed", terminal.printed)
		}
	})
	// Nothing of the kind where there is no terminal.
	synctest.Test(t, func(t *testing.T) {
		file := &fakeTerminal{}
		line := newStatusLine(file, nil)
		end := line.during(func(time.Duration) string { return "to a file" })
		time.Sleep(time.Minute)
		end()
		if file.printed != "" {
			t.Errorf("%q was printed to a file", file.printed)
		}
	})
}

// TestLongSearches solves what takes forever until the terminal tells of it, and
// wants the line gone again in the end.
func TestLongSearches(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	side := "A" + strings.Repeat(".", 11)
	endless := write("endless.txt", side+strings.Repeat("\n"+strings.Repeat(".", 12), 10)+"\n"+side+"\n")
	short := write("short.txt", "AA\n")
	program, err := os.ReadFile("../../solvers/sabr/testdata/eight-puzzle.tb")
	if err != nil {
		t.Fatal(err)
	}
	const solved = "7 8 -"
	if !strings.Contains(string(program), solved) {
		t.Fatalf("the 8-puzzle does not end with %q", solved)
	}
	// With two tiles swapped it has no solution, however many stages are tried.
	walk := write("walk.tb", strings.Replace(string(program), solved, "8 7 -", 1))
	for _, test := range []struct {
		name string
		run  func(*app, context.Context) error
		want []string
	}{
		{"count", func(a *app, ctx context.Context) error {
			return a.solve(ctx, []string{short, endless}, solveOptions{Listing: solving.Listing{Count: true, Limit: 1 << 30}, jobs: 1})
		}, []string{"s (--timeout 30s would bound it): 1 of 2 puzzles done, ", " solutions so far, ", " nodes, ", " conflicts"}},
		{"quiet JSON", func(a *app, ctx context.Context) error {
			a.json = true
			return a.solve(ctx, []string{endless}, solveOptions{Listing: solving.Listing{All: true}, quiet: true, jobs: 1, timeout: time.Hour})
		}, []string{"s (--timeout 1h0m0s): ", " solutions so far, ", " nodes, "}},
		{"sabr", func(a *app, ctx context.Context) error {
			return a.sabr(ctx, walk, sabrOptions{stages: 1 << 20})
		}, []string{"s (--timeout 30s would bound it): trying ", " stages, ", " nodes, "}},
		{"a program among puzzles", func(a *app, ctx context.Context) error {
			return a.solve(ctx, []string{walk}, solveOptions{jobs: 1})
		}, []string{"s (--timeout 30s would bound it): trying ", " stages, "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var told string
			terminal := &fakeTerminal{}
			terminal.seen = func(line string) {
				for _, part := range test.want {
					if !strings.Contains(line, part) {
						return
					}
				}
				told = line
				cancel()
			}
			var out strings.Builder
			a := &app{printer: printer{streams: streams{out: &out, err: terminal}}, log: slog.New(slog.DiscardHandler)}
			a.line = newStatusLine(terminal, terminal)
			a.line.columns = func() int { return 200 }
			if err := test.run(a, ctx); ctx.Err() == nil {
				t.Fatalf("it ended by itself: %v; the terminal shows %q", err, terminal.screen())
			}
			t.Logf("%q", told)
			if last := lastLine(terminal.screen()); last != "" {
				t.Errorf("%q is left on the terminal", last)
			}
		})
	}
}
