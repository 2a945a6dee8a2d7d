package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tapwise/cmd/internal/console/terminal"
	"tapwise/cmd/internal/console/terminal/terminaltest"
	"tapwise/cmd/internal/puzzles/solving"
)

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
	side := "A" + strings.Repeat(".", 19)
	endless := write("endless.txt", side+strings.Repeat("\n"+strings.Repeat(".", 20), 18)+"\n"+side+"\n")
	short := write("short.txt", "AA\n")
	program, err := os.ReadFile("../../solvers/engine/sabr/testdata/cube.tb")
	if err != nil {
		t.Fatal(err)
	}
	solved := string(program)
	// With two of its colours swapped the cube cannot be solved, and has more boards
	// than can be looked at.
	for old, swapped := range map[string]string{"End {\nwhite white": "End {\nyellow white", "yellow yellow\n}": "yellow white\n}"} {
		if strings.Count(solved, old) != 1 {
			t.Fatalf("the cube does not have %q once", old)
		}
		solved = strings.Replace(solved, old, swapped, 1)
	}
	walk := write("walk.tb", solved)
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
			screen := &terminaltest.Screen{}
			screen.Seen = func(line string) {
				for _, part := range test.want {
					if !strings.Contains(line, part) {
						return
					}
				}
				told = line
				cancel()
			}
			var out strings.Builder
			a := &app{printer: printer{streams: streams{out: &out, err: screen}}, log: slog.New(slog.DiscardHandler)}
			a.line = terminal.NewStatusLine(screen, screen)
			a.line.Width = func() int { return 200 }
			if err := test.run(a, ctx); ctx.Err() == nil {
				t.Fatalf("it ended by itself: %v; the terminal shows %q", err, screen.Text())
			}
			t.Logf("%q", told)
			if last := terminaltest.LastLine(screen.Text()); last != "" {
				t.Errorf("%q is left on the terminal", last)
			}
		})
	}
}
