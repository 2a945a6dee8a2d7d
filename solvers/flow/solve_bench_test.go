package flow

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"
)

// dataFolder is the folder of shared test data, or skips the test.
func dataFolder(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for d := dir; d != filepath.Dir(d); d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			folder := filepath.Join(d, "..", "shared", "data", filepath.FromSlash(name))
			if _, err := os.Stat(folder); err == nil {
				return folder
			}
			t.Skipf("%s does not exist", folder)
		}
	}
	t.Skip("no go.mod above the package")
	return ""
}

// cpuTime is the processor time used so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

type namedPuzzle struct {
	name string
	*Puzzle
}

// readSet reads all puzzles of a folder of level packs or of one board a file.
func readSet(t testing.TB, name string) []namedPuzzle {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dataFolder(t, name), "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(files)
	var set []namedPuzzle
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		pieces := []string{string(text)}
		if strings.Contains(string(text), ";") {
			pieces = strings.Split(strings.TrimSpace(string(text)), "\n")
		}
		if strings.HasPrefix(string(text), "#") {
			pieces = nil
			for _, block := range strings.Split(string(text), "\n\n") {
				var lines []string
				for _, l := range strings.Split(strings.TrimSpace(block), "\n") {
					if !strings.HasPrefix(l, "# ") {
						lines = append(lines, l)
					}
				}
				if len(lines) > 1 {
					pieces = append(pieces, split(strings.Join(lines, "\n"))...)
				}
			}
		}
		if strings.Contains(f, "solutions") {
			continue
		}
		for i, piece := range pieces {
			p, err := Parse(piece)
			if err != nil {
				t.Logf("%s %d: %v", f, i+1, err)
				continue
			}
			set = append(set, namedPuzzle{fmt.Sprintf("%s#%d", filepath.Base(f), i), p})
		}
	}
	return set
}

func TestSets(t *testing.T) {
	limit, seconds := 1, 1
	if os.Getenv("COUNT") != "" {
		limit = 2
	}
	o := SearchOptions{Strict: os.Getenv("STRICT") != ""}
	set := readSet(t, os.Getenv("SET"))
	if os.Getenv("NOCOVER") != "" {
		for i := range set {
			set[i].Puzzle = set[i].WithoutCover().(*Puzzle)
		}
	}
	solved, unsolvable, timeouts, many := 0, 0, 0, 0
	var total time.Duration
	type slow struct {
		d    time.Duration
		text string
	}
	var all []slow
	conf := int64(0)
	for i, p := range set {
		if os.Getenv("EVERY") != "" && i%60 != 7 {
			continue
		}
		if n := os.Getenv("NAMES"); n != "" && !strings.Contains(" "+n+" ", " "+strings.TrimPrefix(strings.Replace(p.name, ".txt", "", 1), "levelpack_")+" ") {
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		limitCPU := cpuTime() + time.Duration(seconds)*time.Second
		go func() {
			for ctx.Err() == nil {
				if cpuTime() > limitCPU {
					cancel()
				}
				time.Sleep(20 * time.Millisecond)
			}
		}()
		n := 0
		began := cpuTime()
		st, err := p.Search(ctx, o, func(s *Solution) bool {
			if err := s.Check(); err != nil {
				t.Errorf("%s: %v\n%s", p.name, err, s)
			}
			n++
			return n < limit
		})
		d := cpuTime() - began
		cancel()
		total += d
		conf += st.Conflicts
		switch {
		case err != nil:
			timeouts++
		case n == 0:
			unsolvable++
			t.Logf("%s unsolvable", p.name)
		case n == 2:
			many++
		default:
			solved++
		}
		all = append(all, slow{d, fmt.Sprintf("%s %v nodes %d conflicts %d n %d %v", p.name, p.size, st.Nodes, st.Conflicts, n, err)})
	}
	sort.Slice(all, func(i, k int) bool { return all[i].d > all[k].d })
	for _, s := range all[:min(15, len(all))] {
		t.Log(s.d, s.text)
	}
	t.Logf("%d puzzles, %d solved, %d many, %d unsolvable, %d timeouts, total %v, conflicts %d", len(all), solved, many, unsolvable, timeouts, total, conf)
}
