package all_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers/all"
)

// module is the path of this module.
var module = strings.TrimSuffix(reflect.TypeFor[listed]().PkgPath(), "/solvers/all_test")

// listed is what `go list` tells of a package.
type listed struct {
	ImportPath   string
	Standard     bool
	CgoFiles     []string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// packages lists the module's packages.
//
// These tests stand here, not in the packages they guard, because this package
// is linked with every game: `go test` forgets its cached result when any of
// them changes. To notice the rest, they are run with -count=1 by `make test`.
func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Standard,CgoFiles,Imports,TestImports,XTestImports", module+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var found []listed
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		found = append(found, p)
	}
	if len(found) < 8 {
		t.Fatalf("go list found %d packages only", len(found))
	}
	return found
}

// below reports whether a package is the named one of this module or below it.
func below(path, name string) bool {
	name = module + "/" + name
	return path == name || strings.HasPrefix(path, name+"/")
}

func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return first != module && !strings.Contains(first, ".") && path != "C"
}

// TestSolversArePure is rule 1: solvers import the standard library and
// themselves, tests too, so that they build without cgo on any system. Descriptions are
// written in Starlark, whose interpreter is Go throughout.
func TestSolversArePure(t *testing.T) {
	for _, p := range packages(t) {
		if !below(p.ImportPath, "solvers") {
			continue
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if starlark := strings.HasPrefix(path, "go.starlark.net/"); starlark && below(p.ImportPath, "solvers/described") {
				continue
			}
			if !standard(path) && !below(path, "solvers") {
				t.Errorf("%s imports %s: solvers may import the standard library and solvers only", p.ImportPath, path)
			}
		}
	}
}

// TestOnlyVisionUsesCgo is rule 2, first half: building any other part needs
// no C compiler and no OpenCV.
func TestOnlyVisionUsesCgo(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath == module+"/vision" {
			continue
		}
		if len(p.CgoFiles) > 0 {
			t.Errorf("%s has cgo files %v: vision is the only package with cgo", p.ImportPath, p.CgoFiles)
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if strings.HasPrefix(path, "gocv.io/") {
				t.Errorf("%s imports %s: only vision may", p.ImportPath, path)
			}
		}
	}
}

// TestVisionExportsNoGocv is rule 2, second half: who uses vision must not be
// bound to OpenCV.
func TestVisionExportsNoGocv(t *testing.T) {
	out, err := exec.Command("go", "doc", "-all", module+"/vision").Output()
	if err != nil {
		t.Fatalf("go doc: %v", err)
	}
	for _, line := range strings.Split(string(out), "\n") {
		if code := strings.HasPrefix(line, "func ") || strings.HasPrefix(line, "type ") || strings.HasPrefix(line, "\t"); code && strings.Contains(line, "gocv.") {
			t.Errorf("vision exports %q: no type of gocv may appear in it", line)
		}
	}
}

// TestAdbAndVisionAreApart is rule 3: adb knows nothing of the project, vision
// knows no game, and only cmd sees both.
func TestAdbAndVisionAreApart(t *testing.T) {
	for _, p := range packages(t) {
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if standard(path) || !strings.HasPrefix(path, module) {
				continue
			}
			switch {
			case below(p.ImportPath, "adb") && !below(path, "adb"):
				t.Errorf("%s imports %s: adb may import adb only", p.ImportPath, path)
			case below(p.ImportPath, "vision") && path != module+"/solvers/screen" && !below(path, "vision"):
				t.Errorf("%s imports %s: of the project vision may import solvers/screen only, it knows no game", p.ImportPath, path)
			}
		}
		if !below(p.ImportPath, "cmd") {
			seesADB := slices.ContainsFunc(p.Imports, func(path string) bool { return below(path, "adb") }) && !below(p.ImportPath, "adb")
			seesVision := slices.ContainsFunc(p.Imports, func(path string) bool { return below(path, "vision") }) && !below(p.ImportPath, "vision")
			if seesADB || seesVision {
				t.Errorf("%s imports adb or vision: only cmd may", p.ImportPath)
			}
		}
	}
}

// TestCommandLibrariesStayInCmd is rule 4: libraries take structs, they do not
// know where their settings came from.
func TestCommandLibrariesStayInCmd(t *testing.T) {
	for _, p := range packages(t) {
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			cobra, viper := strings.HasPrefix(path, "github.com/spf13/cobra"), strings.HasPrefix(path, "github.com/spf13/viper")
			if (cobra || viper) && !below(p.ImportPath, "cmd") && !(viper && below(p.ImportPath, "configs")) {
				t.Errorf("%s imports %s: cobra and viper belong to cmd", p.ImportPath, path)
			}
		}
	}
}

// TestPrometheusInOnePlace: all figures are listed in one package, which alone knows how they
// are shown; their sources tell plain numbers.
func TestPrometheusInOnePlace(t *testing.T) {
	place := module + "/cmd/internal/console/metrics"
	for _, p := range packages(t) {
		for _, path := range p.Imports {
			if strings.HasPrefix(path, "github.com/prometheus/") && p.ImportPath != place {
				t.Errorf("%s imports %s: only %s may", p.ImportPath, path, place)
			}
		}
	}
}

// rooms are the rooms of cmd/internal, each a verb of the product, with the rooms that it may
// import besides itself. None imports a room that imports it.
var rooms = map[string][]string{
	"console":   {},
	"eyes":      {"console"},
	"puzzles":   {"console", "eyes"},
	"journal":   {"console", "puzzles"},
	"play":      {"console", "eyes", "journal"},
	"calibrate": {"console", "eyes", "play"},
	"sim":       {"console", "puzzles"},
	"show":      {"console", "eyes", "puzzles", "journal", "play"},
	"page":      {"console", "eyes", "journal", "play", "calibrate"},
	"fleet":     {"console", "eyes", "puzzles", "journal", "play", "show", "sim", "page"},
}

// TestRooms: what the program does is in rooms, and each says on which others it rests, so
// that a change to one can be judged by reading those above it.
func TestRooms(t *testing.T) {
	const inside = "/cmd/internal/"
	room := func(path string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(path, module+inside), "/")
		return name
	}
	for _, p := range packages(t) {
		if !strings.HasPrefix(p.ImportPath, module+inside) {
			continue
		}
		from := room(p.ImportPath)
		may, known := rooms[from]
		if !known {
			t.Errorf("%s is in no room: expected one of those in rooms, with what it may import", p.ImportPath)
		}
		for _, path := range p.Imports {
			if to := room(path); strings.HasPrefix(path, module+inside) && to != from && !slices.Contains(may, to) {
				t.Errorf("%s imports %s: room %s may import %v", p.ImportPath, path, from, may)
			}
		}
	}
}

// TestEveryGameIsListed is rule 5: a new game is its folder and its line in
// this package, and nobody can forget the line.
func TestEveryGameIsListed(t *testing.T) {
	var names []string
	for _, g := range all.Games() {
		names = append(names, g.Name())
	}
	entries, err := os.ReadDir(filepath.Join("..", "games"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(names, e.Name()) {
			t.Errorf("solvers/games/%s is not listed in solvers/all", e.Name())
		}
	}
	for _, name := range names {
		if _, err := os.Stat(filepath.Join("..", "games", name, "doc.go")); err != nil {
			t.Errorf("game %s: %v: its name must be its folder's, and doc.go must state its rules", name, err)
		}
	}
	for _, g := range all.Games() {
		_, err := os.Stat(filepath.Join("..", "games", g.Name(), "app"))
		if listed := all.App(g) != nil; listed != (err == nil) {
			t.Errorf("game %s: its app is listed: %v, and its folder app: %v", g.Name(), listed, err)
		}
	}
}

// TestCheckersShareNothing guards the checkers: they must not lean on the
// engine that they check.
func TestCheckersShareNothing(t *testing.T) {
	for _, g := range all.Games() {
		file := filepath.Join("..", "games", g.Name(), "check.go")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v: every game has its checker there", err)
			continue
		}
		if strings.Contains(string(text), "solvers/engine") {
			t.Errorf("%s imports the engine: a checker shares no code with the solver", file)
		}
	}
}
