package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tapwise/cmd/internal/journal"
	"tapwise/solvers/gametest"
)

// libraryWords are words by which libraries name their own things, and which tell a user
// nothing.
var libraryWords = regexp.MustCompile(`strconv|parsing "|statat|openat|mkdirat|unlinkat|(?:^|[:;] )(?:l?stat|open|read|mkdir|exec|fork/exec|listen|dial|lookup) \S+: |SQLITE|` +
	`arg\(s\)|shorthand|invalid argument|flag needs|bad flag|dial tcp|tcp \S+->|context (?:deadline|canceled)|\bEOF\b|unmarshal|JSON input|invalid character|` +
	`(?:^|[:;] )(?:yaml|json|nats|nkeys|tls|x509|http|url|png|gif|jpeg|[gz]z?ip|exec|base64|encoding/hex): |goroutine|panic|%!|<nil>|&\{|map\[|mapstructure|viper|cobra|pflag|i/o timeout|no such host|\$PATH`)

// mostSaid is the length, in characters, of the longest message: one that lists every fault
// or every key that there is.
const mostSaid = 2500

// refused runs a command line that has to be refused, and wants one short message without
// the words of libraries.
func refused(t *testing.T, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	code := execute(t.Context(), args, streams{strings.NewReader(""), &out, &errs})
	said := out.String() + errs.String()
	name := strings.Join(args, " ")
	if len(name) > 200 {
		name = name[:200] + "…"
	}
	if code == exitDone || code == exitInternal || code == exitInterrupt {
		t.Errorf("tapwise %s: exit code %d: %s", name, code, said)
	}
	if found := libraryWords.FindString(said); found != "" {
		t.Errorf("tapwise %s says %q: %s", name, found, said)
	}
	if n := utf8.RuneCountInString(said); n > mostSaid {
		t.Errorf("tapwise %s says %d characters, expected at most %d: %s…", name, n, mostSaid, said[:1000])
	}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "{") && !json.Valid([]byte(line)) {
			t.Errorf("tapwise %s prints %s, expected JSON", name, line)
		}
	}
}

// strangeFiles makes a folder of files that nothing can read, and works in it.
func strangeFiles(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("ANDROID_ADB_SERVER_PORT", "1")
	for _, variable := range []string{"TAPWISE_TOUCH", "TAPWISE_ADB_TIMEOUT", "TAPWISE_PLAY_WIN_DEADLINE"} {
		t.Setenv(variable, "") // which would stand over a file
	}
	t.Setenv("PATH", t.TempDir()) // no adb that could be started
	long := strings.Repeat("x", 100_000)
	for name, text := range map[string]string{
		"junk.txt": "hello\n", "empty": "", "random": "\x00\xff\xfe\x01\x80", "junk.zip": "PK\x03\x04", "board.txt": "ab\n..\nab\n", "evidence/evidence.json": `{"frames":[`, "board.png": "\x89PNG\r\n\x1a\n\x00",
		"cut.png": "\x89PNG\r\n\x1a\n", "cut.jpg": "\xff\xd8\xff", "cut.gif": "GIF89a", "long.txt": long + "\n" + long + "\n", "long-cells.txt": "a" + long + "\n",
		"bad.yaml": "x: [", "keys.yaml": long + ": 1\ngames: flow\n", "values.yaml": "adb:\n  port: x\n  timeout: 3\nserial: [a]\nplay:\n  solve-deadline: 1\n", "long.yaml": "adb:\n  port: " + long + "\ntouch: " + long + "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestRefused runs the command lines of testdata/refused.txt, as text and with --json.
func TestRefused(t *testing.T) {
	table, err := os.ReadFile("testdata/refused.txt")
	if err != nil {
		t.Fatal(err)
	}
	strangeFiles(t)
	long := strings.Repeat("x", 100_000)
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		args := strings.Fields(strings.ReplaceAll(line, "LONG", long))
		refused(t, args...)
		refused(t, append([]string{"--json"}, args...)...)
	}
	for _, key := range []string{"TAPWISE_ADB_PORT", "TAPWISE_ADB_TIMEOUT", "TAPWISE_TOUCH", "TAPWISE_GAME", "TAPWISE_JOURNAL", "TAPWISE_PLAY_SOLVE_DEADLINE", "TAPWISE_ADB_HOST"} {
		t.Run(key, func(t *testing.T) {
			t.Setenv(key, long)
			for _, command := range []string{"config check", "history", "devices"} {
				if (key == "TAPWISE_JOURNAL" || key == "TAPWISE_GAME") && command == "devices" || key == "TAPWISE_JOURNAL" && command == "config check" || key == "TAPWISE_ADB_HOST" && command != "devices" {
					continue // which does not ask for it
				}
				refused(t, strings.Fields(command)...)
			}
		})
	}
}

// TestRefusedFlags gives each command a flag that it does not have, and its own flags
// without a value or with one that is none of their kind.
func TestRefusedFlags(t *testing.T) {
	gametest.Long(t)
	strangeFiles(t)
	long := strings.Repeat("ö", 50_000)
	var walk func(command *cobra.Command)
	walk = func(command *cobra.Command) {
		path := strings.Fields(command.CommandPath())[1:]
		with := func(args ...string) { refused(t, append(path[:len(path):len(path)], args...)...) }
		with("--none")
		with("--" + long)
		with("-Y")
		command.Flags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal == "" {
				with("--" + f.Name)
			}
			if kind := f.Value.Type(); kind != "string" && kind != "stringArray" && kind != "stringSlice" {
				for _, value := range []string{"x", "", "1x", "99999999999999999999999", long} {
					if kind != "float64" || value[:min(1, len(value))] != "9" { // which is a number
						with("--" + f.Name + "=" + value)
					}
				}
			}
		})
		for _, c := range command.Commands() {
			walk(c)
		}
	}
	root := (&app{printer: printer{streams: streams{strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}}}}).rootCommand()
	walk(root)
}

// TestNobodyReads has commands print to a pipe that nobody reads: they end, and say nothing.
func TestNobodyReads(t *testing.T) {
	strangeFiles(t)
	j, err := journal.Open(t.Context(), "journal.db")
	if err != nil {
		t.Fatal(err)
	}
	r := journal.Run{Started: time.Now(), Serial: "phone", Game: "flow"}
	err = j.SaveRun(t.Context(), &r)
	for i := range 3 {
		a := journal.Attempt{Run: r.ID, Level: i + 1, Started: r.Started, Ended: time.Now(), Verdict: journal.Won}
		err = errors.Join(err, j.SaveAttempt(t.Context(), &a))
	}
	if err := errors.Join(err, j.Close()); err != nil {
		t.Fatal(err)
	}
	boards := strings.Repeat("ab\n..\nab\n\n", 20)
	for _, line := range []string{"games", "games -v --json", "version", "--version", "help", "solve --help", "config show", "config path", "config check", "completion bash", "completion fish",
		"history --journal journal.db", "history --journal journal.db --json", "history --journal journal.db --csv", "report --journal journal.db -o -",
		"solve -", "solve -q -", "solve --json -", "solve --count -", "solve --jobs 3 -", "generate --game flow --count 3", "doctor", "read --observation cut.png --json"} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		reader.Close()
		var errs bytes.Buffer
		code := execute(t.Context(), strings.Fields(line), streams{strings.NewReader(boards), writer, &errs})
		writer.Close()
		if code != exitInterrupt || errs.Len() > 0 {
			t.Errorf("tapwise %s: exit code %d, expected %d and silence: %s", line, code, exitInterrupt, &errs)
		}
	}
}

// TestNoHome has no folder of the user's: commands that need one say once what to set, and
// the others work.
func TestNoHome(t *testing.T) {
	strangeFiles(t)
	for _, variable := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		t.Setenv(variable, "")
	}
	for line, code := range map[string]int{
		"games": exitDone, "version": exitDone, "solve board.txt": exitDone, "config show": exitDone, "config check": exitDone, "generate --game flow": exitDone,
		"check board.txt none": exitUsage, "devices": exitPhone, "screenshot": exitPhone, "play": exitUsage,
		"history --journal none": exitUsage, "fleet phones --hub nats://127.0.0.1:1": exitUsage,
		"history": exitUsage, "report": exitUsage, "bundle": exitUsage, "clear": exitUsage, "worker": exitUsage, "hub": exitUsage, "hub add host": exitUsage, "config path": exitUsage,
	} {
		var out, errs bytes.Buffer
		got := execute(t.Context(), strings.Fields(line), streams{strings.NewReader(""), &out, &errs})
		times := 0
		if code == exitUsage && !strings.Contains(line, "none") && !strings.HasPrefix(line, "fleet") {
			times = 1
		}
		if got != code || strings.Count(errs.String(), "set HOME") != times || strings.Contains(errs.String(), "$HOME") {
			t.Errorf("tapwise %s: exit code %d, expected %d and %d times what to set: %s", line, got, code, times, &errs)
		}
	}
	t.Setenv("XDG_STATE_HOME", "state")
	var errs bytes.Buffer
	if got := execute(t.Context(), []string{"history"}, streams{strings.NewReader(""), io.Discard, &errs}); got != exitUsage || !strings.Contains(errs.String(), `XDG_STATE_HOME is "state"`) {
		t.Errorf("exit code %d, expected %d and the variable: %s", got, exitUsage, &errs)
	}
}

// TestConfigCheckAll wants all mistakes of a configuration and of profiles told, each in a
// line with its place.
func TestConfigCheckAll(t *testing.T) {
	strangeFiles(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	profiles := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "tapwise", "profiles")
	if err := os.MkdirAll(profiles, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"all.yaml":                        "adb:\n  port: x\n  timeout: 3\nserial: [a]\ncolour: red\ngame: chess\nprofile: none\nplay:\n  settle-interval: 1h\n  win-deadline: 100h\ntouch: nose\ngame: flow\njournal: j.db\n",
		filepath.Join(profiles, "a.yaml"): "version: 9\ncolour: red\n", filepath.Join(profiles, "b.yaml"): "x: 1\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TAPWISE_PLAY_SOLVE_DEADLINE", "soon")
	t.Setenv("ANDROID_ADB_SERVER_PORT", "")
	var out, errs bytes.Buffer
	if got := execute(t.Context(), []string{"config", "check", "--config", "all.yaml"}, streams{strings.NewReader(""), &out, &errs}); got != exitUsage {
		t.Errorf("exit code %d, expected %d", got, exitUsage)
	}
	for _, want := range []string{"all.yaml:2: adb.port", "all.yaml:3: adb.timeout", "all.yaml:4: serial is a list", `all.yaml:5: unknown key "colour"`, "all.yaml:12: game is given twice",
		"all.yaml:9: play.settle-interval", "all.yaml:10: play.win-deadline", "all.yaml:11: touch", `all.yaml:6: game "chess"`, "environment TAPWISE_PLAY_SOLVE_DEADLINE",
		"a.yaml:1: version", `a.yaml:2: unknown key "colour"`, `b.yaml:1: unknown key "x"`} {
		n := 0
		for line := range strings.Lines(errs.String()) {
			if strings.Contains(line, want) && strings.HasPrefix(line, "tapwise: ") {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d lines have %q, expected one:\n%s", n, want, &errs)
		}
	}
	if out.String() != "wrong  all.yaml\n" {
		t.Errorf("prints %q", &out)
	}
	errs.Reset()
	if got := execute(t.Context(), []string{"games", "--config", "all.yaml"}, streams{strings.NewReader(""), io.Discard, &errs}); got != exitUsage || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "and 8 more mistakes: tapwise config check tells them") {
		t.Errorf("exit code %d, expected %d and one line: %s", got, exitUsage, &errs)
	}
}
