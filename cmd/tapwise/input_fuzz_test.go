package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/viper"

	"tapwise/calibration"
	"tapwise/configs"
)

// FuzzSplit splits any file into puzzles: nothing is lost but blank lines,
// comments and byte order marks, and each part knows its place in the file.
func FuzzSplit(f *testing.F) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			f.Fatal(err)
		}
		_, files, _ := strings.Cut(string(text), "\n-- ")
		for _, file := range strings.Split(files, "\n-- ") {
			if _, body, found := strings.Cut(file, "--\n"); found {
				f.Add(body)
			}
		}
	}
	f.Add("\ufeffA.A\n\n\ufeff# remark\n\ufeffAA\n")
	f.Add("A.A\r\n\r\n# remark\r\nxxxxx\r\nx0 0 \r\n")
	f.Fuzz(func(t *testing.T, text string) {
		if isPicture([]byte(text)) {
			return
		}
		lines := strings.Split(textOf([]byte(text)), "\n")
		kept := map[string]int{} // lines, without the blanks around them
		for _, line := range lines {
			if !isComment(line) && strings.TrimSpace(line) != "" {
				kept[strings.TrimSpace(line)]++
			}
		}
		inputs := split("fuzz", []byte(text), nil)
		for i, in := range inputs {
			if in.index != i || in.of != len(inputs) || in.line < 1 || in.line > len(lines) {
				t.Errorf("part %d of %d says it is %d of %d, at line %d of %d:\n%q", i, len(inputs), in.index, in.of, in.line, len(lines), in.text)
			}
			for line := range strings.Lines(in.text) {
				if line = strings.TrimSpace(line); line != "" {
					kept[line]--
				}
			}
			if game, puzzle, err := parse(in.text, nil); err == nil {
				if again, err := game.Parse(puzzle.String()); err != nil || again.String() != puzzle.String() {
					t.Errorf("%s: %q was read as\n%s\nwhich is read as %v, %v", game.Name(), in.text, puzzle, again, err)
				}
			}
		}
		for line, n := range kept {
			if n != 0 {
				t.Errorf("%q stands %d times more in the file than in its parts", line, n)
			}
		}
	})
}

// FuzzArguments reads any text as the arguments that have a notation of their
// own: what is accepted makes sense, and a refusal repeats it.
func FuzzArguments(f *testing.F) {
	for _, text := range []string{"", "5", "5x7", "12h", "2026-11-20 07:30", "2026-11-20T07:30:05+01:00", "40,-35", "40,-35,1.01,0.99,0.5", "nan,inf",
		"9223372036854775807,0,-9223372036854775789,20"} {
		f.Add(text)
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		cols, rows, err := parseSize(text)
		if text != "" && err == nil && (cols < 1 || rows < 1) {
			t.Errorf("size %q: %dx%d", text, cols, rows)
		}
		if off, err := parseTouchError(text); err == nil && strings.Count(text, ",") == 1 && (off.ScaleX != 0 || off.Turn != 0) {
			t.Errorf("touch error %q: %+v", text, off)
		}
		if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
			if since, err := parseSince(text, now); err != nil || !since.Equal(now.Add(-ago)) {
				t.Errorf("since %q: %v, %v, expected %v ago", text, since, err, ago)
			}
		} else if since, err := parseSince(text, now); err == nil && text != "" && since.IsZero() && !strings.HasPrefix(text, "0001-01-01") {
			t.Errorf("since %q: %v", text, since)
		}
	})
}

// FuzzConfigLines reads any text as a configuration file: a mistake is told with
// the file, and what is accepted has lines, which viper can read as well.
func FuzzConfigLines(f *testing.F) {
	f.Add(string(configs.Default))
	for _, text := range []string{"", "adb:\n  port: 4\n", "\ufeffGame: flow\nplay:\nadb.port: 17\n", "game: &a flow\njournal: *a\n", "adb: &a {adb: *a}", "game: [", "- a",
		"game: flow\ngame: flow\n", "adb: 5\n", "a\n---\nb\n", "? [a]\n: b\n", "<<: {game: flow}\n", "\tgame: flow\n"} {
		f.Add(text)
	}
	known := []string{"adb.host", "adb.port", "game", "journal", "play.evidence"}
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := configLines("some.yaml", []byte(text), known)
		if err != nil {
			var wrong *calibration.FileError
			if !errors.As(err, &wrong) || wrong.Line < 0 || wrong.Line > strings.Count(text, "\n")+2+strings.Count(text, "\r") || !strings.HasPrefix(err.Error(), "some.yaml:") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		v := viper.New()
		v.SetConfigType("yaml")
		if err := v.ReadConfig(strings.NewReader(text)); err != nil {
			t.Errorf("%q was accepted: %v", text, err)
		}
		for key := range lines {
			if !slices.Contains(known, key) && key != "adb" && key != "play" {
				t.Errorf("%q: key %q was accepted", text, key)
			}
		}
	})
}
