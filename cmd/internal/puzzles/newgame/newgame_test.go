package newgame

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers/gametest"
)

// root is the module's folder, seen from this package's.
const root = "../../../.."

// copied is a copy of the module, less what no build needs.
func copied(t *testing.T) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		switch {
		case entry.IsDir() && slices.Contains([]string{".git", "bin", "out"}, relative):
			return filepath.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, relative), 0o755)
		case !entry.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, relative), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// run runs a command line in a folder, and returns what it prints.
func run(t *testing.T, folder, line string) (output string, ok bool) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "sh", "-c", line)
	command.Dir = folder
	home := filepath.Join(folder, "out")
	command.Env = append(os.Environ(), "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "XDG_STATE_HOME="+home, "GOCACHE="+goEnv(t, "GOCACHE"))
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	return out.String(), err == nil
}

// goEnv is a setting of the go command.
func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestHome gives the module another path, as when it gets a home: every package is found
// under it, its files are formatted, and new-game takes it for tapwise's source.
func TestHome(t *testing.T) {
	gametest.Long(t)
	module := copied(t)
	if out, ok := run(t, module, "sh cmd/home.sh example.org/some/tapwise && gofmt -l . && go list -deps ./... | grep -i '^tapwise'"); ok || out != "" {
		t.Fatalf("expected no file badly formatted and no package of the old path:\n%s", out)
	}
	if out, ok := run(t, module, "go list -deps -test ./... >packages.txt && go test -count=1 -run TestRefused ./cmd/internal/puzzles/newgame"); !ok {
		t.Fatal(out)
	}
}

// TestSkeleton writes a skeleton: it builds, is formatted, and its tests say what is to
// be written.
func TestSkeleton(t *testing.T) {
	gametest.Long(t)
	module := copied(t)
	files, err := Write(module, "sample", "A Sample")
	if err != nil {
		t.Fatal(err)
	}
	if out, ok := run(t, module, "gofmt -l solvers/games/sample solvers/all && go vet ./solvers/games/sample/... ./solvers/all"); !ok || out != "" {
		t.Errorf("gofmt and go vet: %s", out)
	}
	out, ok := run(t, module, "go test ./solvers/games/sample")
	for _, want := range []string{"search in solve.go", "check in check.go", "generate in solve.go", "no levels of sample: About().Pack has none", "tapwise read --keep"} {
		if ok || !strings.Contains(out, want) {
			t.Errorf("go test says %s\nexpected it to fail with %q", out, want)
		}
	}
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(module, file))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "NAME") || strings.Contains(string(data), "TITLE") || strings.Contains(string(data), "MODULE") {
			t.Errorf("%s has the skeleton's own names:\n%s", file, data)
		}
	}
	if _, err := Write(module, "sample", "A Sample"); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("written over: %v", err)
	}
}

// TestRefused refuses names that are no packages, titles that would break a text, and
// folders that are not the program's source.
func TestRefused(t *testing.T) {
	module := t.TempDir()
	for _, c := range []struct{ name, title, want string }{
		{"Sample", "A", "lower case"}, {"go", "A", "lower case"}, {"../x", "A", "lower case"}, {"", "A", "lower case"},
		{"sample", `A"B`, "without quotes"}, {"sample", " ", "without quotes"}, {"sample", "A", "all.go"},
	} {
		if files, err := Write(module, c.name, c.title); err == nil || !strings.Contains(err.Error(), c.want) || len(files) > 0 {
			t.Errorf("%q %q: %v, %v, expected an error with %q", c.name, c.title, files, err, c.want)
		}
	}
	if _, err := Module(module); err == nil || !strings.Contains(err.Error(), "expected the source of tapwise") {
		t.Errorf("a folder in no module: %v", err)
	}
	if err := os.WriteFile(filepath.Join(module, "go.mod"), []byte("module other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Module(module); err == nil || !strings.Contains(err.Error(), "another module") {
		t.Errorf("another module: %v", err)
	}
	if at, err := Module("."); err != nil || filepath.Base(filepath.Join(at, "go.mod")) != "go.mod" {
		t.Errorf("this module: %s, %v", at, err)
	}
}

// block is a fenced block of the tutorial.
type block struct {
	kind, file string // the words after the fence
	text       string
	line       int
}

// blocks are those of a page.
func blocks(t *testing.T, page string) []block {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var found []block
	var open *block
	for i, line := range strings.Split(string(data), "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &block{line: i + 1}
			open.kind, open.file, _ = strings.Cut(info, " ")
		case fence:
			found = append(found, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return found
}

// TestTutorial does what docs/new-game.md says, and then everything else that a program
// does with a game.
func TestTutorial(t *testing.T) {
	gametest.Long(t)
	if _, err := exec.LookPath("adb"); err != nil {
		t.Skip("no adb here: the tutorial plays on the simulated phone")
	}
	module := copied(t)
	for _, b := range blocks(t, filepath.Join(root, "docs/new-game.md")) {
		if b.kind != "console" {
			if err := write(filepath.Join(module, b.file), []byte(b.text)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		for _, step := range strings.Split("\n"+b.text, "\n$ ")[1:] {
			line, want, _ := strings.Cut(step, "\n")
			got, _ := run(t, module, line)
			if !printed(got, strings.TrimSuffix(want, "\n")) {
				t.Fatalf("docs/new-game.md:%d: %s\nprints\n%s\nexpected\n%s", b.line, line, got, want)
			}
		}
	}
	if out, ok := run(t, module, "gofmt -l solvers && go vet ./solvers/games/lights/... && ! grep -rn unwritten solvers/games/lights"); !ok || out != "" {
		t.Errorf("the finished game: %s", out)
	}
	t.Run("commands", func(t *testing.T) { everyCommand(t, module) })
	t.Run("program", func(t *testing.T) { programTests(t, module) })
}

// printed reports whether an output is as wanted, where … stands for anything.
func printed(got, want string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", `(?s:.*)`)
	return regexp.MustCompile(`^` + pattern + `\s*$`).MatchString(got)
}

// everyCommand runs each command of the program on a game that only its folder and its
// line tell of.
func everyCommand(t *testing.T, module string) {
	for _, c := range []struct{ line, want string }{
		{"games", "lights …solve, check, read, play, generate, simulate"},
		{"games -v", "ability …lights"},
		{"solve puzzle.txt", "x..\n...\n..."},
		{"solve --count puzzle.txt", "…1 solution"},
		{"solve --json puzzle.txt", `…"game":"lights"…`},
		{"solve --hint puzzle.txt", "…touch at row 1 column 1"},
		{"solve --picture out/solved.svg puzzle.txt", "x..…"},
		{"solve --picture out/solved.gif puzzle.txt", "x..…"},
		{"solve --animate puzzle.txt", "x..\n...\n..."},
		{"check puzzle.txt solved.txt", "…right"},
		{"generate --game lights --size 3 --difficulty hard", "# difficulty …"},
		{"read level.png", "…"},
		{"read --json --overlay out/seen.png level.png", `…"game":"lights"…"status":"read"…`},
		{"read --explain level.png", "…"},
		{"read --observation --game lights level.png", "frame …"},
		{"calibrate --game lights level.png -o out/lights.yaml", "…out/lights.yaml"},
		{"read --profile out/lights.yaml level.png", "…#…"},
		{"sim --game lights -- bin/tapwise play", "…won…"},
		{"sim --game lights --pack unsolvable.txt -- bin/tapwise play --game lights || test $? = 4", "…no solution exists…is kept in …evidence…"},
		{"replay out/tapwise/evidence/*", "…frame-1.png: level …#...\n....\n....\n....\n…no solution exists"},
		{"sim --game lights -- bin/tapwise play --dry-run", "…"},
		{"sim --game lights -- bin/tapwise clear --levels 3 --film out/film", "…3 won…"},
		{"history --journal out/tapwise/simulated/journal.db", "…lights…won…"},
		{"report --journal out/tapwise/simulated/journal.db -o out/report.html", "…"},
	} {
		for name, text := range map[string]string{"puzzle.txt": "##.\n#..\n...\n", "solved.txt": "x..\n...\n...\n", "unsolvable.txt": "#...\n....\n....\n....\n"} {
			if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if out, ok := run(t, module, "bin/tapwise "+c.line); !ok || !printed(out, "…"+c.want+"…") {
			t.Errorf("tapwise %s: succeeded: %v\n%s\nexpected\n%s", c.line, ok, out, c.want)
		}
	}
	report, err := os.ReadFile(filepath.Join(module, "out/report.html"))
	if err != nil || !bytes.Contains(report, []byte("lights")) {
		t.Errorf("a report of %d bytes without the game, %v", len(report), err)
	}
}

// programTests runs tests of the program that go through all games: telling their screens
// apart, playing their levels in all looks, and the page with its animations.
func programTests(t *testing.T, module string) {
	for _, c := range []struct{ folder, tests, flags string }{
		{"eyes/recognise", "TestSimulatedScreens", ""},
		{"play/player", "TestClear.*/.*lights", ""},
		{"page/web", "TestSolve", ""},
		{"puzzles/drawing", "TestSVG|TestGIF", ""},
		{"../tapwise", "TestPageSolve|TestPageGames", "-page-game lights"},
	} {
		t.Run(c.tests, func(t *testing.T) {
			if out, ok := run(t, module, fmt.Sprintf("go test -timeout 3h ./cmd/internal/%s -run '%s' %s", c.folder, c.tests, c.flags)); !ok {
				t.Errorf("%s", out)
			}
		})
	}
}
