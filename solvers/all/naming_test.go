package all_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers/all"
)

// platform are the folders that know no game by name, as rule 5 has it.
var platform = []string{"adb", "cmd", "configs", "vision"}

// mayName are the files of the platform, by the beginnings of their paths, that may name
// games, each with the reason.
var mayName = []struct{ path, reason string }{
	{"cmd/tapwise/testdata/", "scripts play given games, as a user does"},
	{"cmd/internal/puzzles/puzzlefile/testdata/", "boards as other people's programs write them, each with the game that is to be found out"},
	{"cmd/internal/sim/webphone/testdata/", "pages written by others, which tell where their levels are from"},
	{"cmd/internal/journal/testdata/", "a journal that an earlier version wrote"},
	{"adb/testdata/", "what real phones printed"},
	{"configs/profiles/", "a profile is of one game's app; it is found by what it says, not by its name"},
	{"cmd/bench.sh", "the watched benchmarks are those of the hardest real levels"},
	{"cmd/internal/sim/looks/", "invents apps of one kind of puzzle, for tests"},
	{"cmd/internal/eyes/recognise/given_test.go", "its pictures are listed in a file that is called after two games"},
	{"cmd/tapwise/page_user_test.go", "it is about phones that show games which were not asked for"},
	{"cmd/tapwise/hands_bench_test.go", "its table is of touches, called after the games whose strokes they are"},
}

// archives matches where zip is a kind of archive and not a game.
var archives = regexp.MustCompile(`archive/zip|\.zip\b|zip\.[A-Z]\w*|zip archive`)

// TestPlatformNamesNoGame wants no file of the platform to name a game: what it needs to
// know of one, the game tells (solvers.About, optional interfaces). A test may play one
// game as its example; a test that names two has a table of games, which a new game would
// have to be written into.
func TestPlatformNamesNoGame(t *testing.T) {
	var names []string
	for _, g := range all.Games() {
		names = append(names, g.Name())
	}
	word := regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(` + strings.Join(names, "|") + `)(?:app)?(?:[^a-z0-9]|$)`)
	used := make([]bool, len(mayName))
	examples := 0
	for _, folder := range platform {
		err := filepath.WalkDir(filepath.Join(root, folder), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || slices.Contains([]string{".png", ".jpg", ".gz"}, filepath.Ext(file)) {
				return err
			}
			path, err := filepath.Rel(root, file)
			if err != nil {
				return err
			}
			path = filepath.ToSlash(path)
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			found := map[string]int{}
			for _, m := range word.FindAllStringSubmatch(archives.ReplaceAllString(path+"\n"+string(data), ""), -1) {
				found[strings.ToLower(m[1])]++
			}
			test := strings.HasSuffix(path, "_test.go")
			switch exempt := slices.IndexFunc(mayName, func(e struct{ path, reason string }) bool { return strings.HasPrefix(path, e.path) }); {
			case len(found) == 0:
			case exempt >= 0:
				used[exempt] = true
			case test && len(found) == 1:
				examples++
			case test:
				t.Errorf("%s names %v: a test that names several games has to be changed for a new one", path, found)
			default:
				t.Errorf("%s names %v, expected the platform to know no game", path, found)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, e := range mayName {
		if !used[i] {
			t.Errorf("%s may name games, since it %s, but names none", e.path, e.reason)
		}
	}
	t.Logf("%d tests play one game as their example", examples)
}
