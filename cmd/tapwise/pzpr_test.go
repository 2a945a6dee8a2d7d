package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tapwise/adb/adbtest/await"
)

// pzprKinds are the described games that pzpr draws, by its names of them; games of sides that
// are dashed are among them.
var pzprKinds = map[string]string{"nurikabe": "nurikabe", "norinori": "norinori", "lits": "lits", "heyawake": "heyawake", "hitori": "hitori", "mashu": "masyu",
	"shikaku": "shikaku", "lightup": "lightup", "kurodoko": "kurodoko", "country": "country", "sudoku": "sudoku"}

// TestPzpr wins published levels on pzpr's own boards in Chromium, whose checker alone says that
// a level is complete; levels for which there are too few published ones are made.
func TestPzpr(t *testing.T) {
	folder := os.Getenv("PZPR")
	if folder == "" {
		t.Skip("without PZPR, the folder of pzpr from npm: make pzpr")
	}
	page, err := filepath.Abs("../internal/sim/webphone/testdata/pzpr.html")
	if err != nil {
		t.Fatal(err)
	}
	levels := published(t)
	for kind, game := range pzprKinds {
		t.Run(game, func(t *testing.T) {
			await.Turn(t)
			const most = 10
			pack := levels[kind]
			pack = pack[:min(len(pack), most)]
			for seed := 1; len(pack) < most && seed < 100; seed++ {
				made, err := exec.CommandContext(t.Context(), "tapwise", "generate", "--game", game, "--seed", fmt.Sprint(seed)).Output()
				if _, made, ok := strings.Cut(string(made), "?"); err == nil && ok && !strings.Contains(made, ".") { // a number that is not told is not read
					pack = append(pack, strings.TrimSpace(made))
				}
			}
			place := "file://" + page + "?pzpr=" + url.QueryEscape(folder) + map[bool]string{true: "&dark"}[len(game)%2 == 0] + "#" + url.PathEscape(strings.Join(pack, ","))
			ctx, cancel := context.WithTimeout(t.Context(), await.Hang)
			defer cancel()
			command := exec.CommandContext(ctx, "tapwise", "sim", "--page", place, "--", "tapwise", "clear", "--game", game, "--levels", fmt.Sprint(len(pack)))
			var out bytes.Buffer
			command.Stdout, command.Stderr = &out, &out
			home := t.TempDir()
			command.Env = append(os.Environ(), "ANDROID_ADB_SERVER_PORT=1", "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "XDG_STATE_HOME="+home)
			if err := command.Run(); err != nil || strings.Count(out.String(), " won\n") <= len(pack) {
				t.Errorf("%v, expected %d levels won:\n%s", err, len(pack), &out)
			}
		})
	}
}

// published are the levels of ppbench by kind that a phone shows large enough, as puzz.link
// writes them after the question mark.
func published(t *testing.T) map[string][]string {
	const widest = 14
	file, err := os.Open("../../../shared/data/ppbench/golden.jsonl")
	if err != nil {
		t.Skipf("without published levels: %v", err)
	}
	defer file.Close()
	levels := map[string][]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var l struct {
			Kind string `json:"pid"`
			URL  string `json:"puzzlink_url"`
			W    int    `json:"width"`
			H    int    `json:"height"`
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		_, puzzle, _ := strings.Cut(l.URL, "?")
		puzzle, _, _ = strings.Cut(puzzle, "&")
		if max(l.W, l.H) <= widest && (l.Kind == "lightup" || l.Kind == "kurodoko" || l.Kind == "sudoku" || l.Kind == "mashu" || !strings.Contains(puzzle, ".")) {
			levels[l.Kind] = append(levels[l.Kind], puzzle)
		}
	}
	return levels
}
