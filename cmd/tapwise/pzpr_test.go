package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers"
	"tapwise/solvers/described"
	"tapwise/solvers/engine/csp"
	"tapwise/solvers/screen"
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
	levels := published(t, 14) // which a phone shows large enough
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
			place := pzprPage(t, folder, map[bool]string{true: "&dark"}[len(game)%2 == 0], pack)
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

// TestPzprReads reads boards that pzpr draws, on screens of several sizes, light and dark: none may
// be read as another one. Those that are too small for their numbers are refused.
func TestPzprReads(t *testing.T) {
	folder := os.Getenv("PZPR")
	if folder == "" {
		t.Skip("without PZPR, the folder of pzpr from npm: make pzpr")
	}
	await.Turn(t)
	const (
		boards     = 13         // of each kind
		turns      = 8          // pzpr turns and mirrors each, and says its address then
		everywhere = 10 * turns // of these boards as they are, each is on all screens, and the others on one
	)
	levels := published(t, 64)
	options := append(chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(chromedp.DefaultExecAllocatorOptions)], chromedp.Flag("hide-scrollbars", true), chromedp.NoSandbox)
	allocator, end := chromedp.NewExecAllocator(t.Context(), options...)
	defer end()
	tab, end := chromedp.NewContext(allocator)
	defer end()
	all := tallyOfReads{}
	for _, kind := range slices.Sorted(maps.Keys(pzprKinds)) {
		game, err := described.OpenShipped(pzprKinds[kind])
		if err != nil {
			t.Fatal(err)
		}
		pack := levels[kind]
		for seed := uint64(1); len(pack) < boards && seed < 100; seed++ {
			bounded, release := csp.WithBudget(t.Context(), 20_000) // conflicts
			p, err := game.Generate(bounded, solvers.GenerateOptions{Unique: true}, rand.New(rand.NewPCG(seed, 7)))
			if release(); err == nil {
				_, address, _ := strings.Cut(p.String(), "?")
				pack = append(pack, strings.TrimSpace(address))
			}
		}
		var n tallyOfReads
		for s, size := range []image.Point{{360, 780}, {540, 1170}, {720, 1560}, {1080, 2340}, {1440, 3120}} {
			for d, dark := range []string{"", "&dark"} {
				err := chromedp.Run(tab, emulation.SetDeviceMetricsOverride(360, 780, float64(size.X)/360, true),
					chromedp.Navigate(pzprPage(t, folder, dark, pack)), chromedp.Poll("puzzle && puzzle.ready", nil))
				if err != nil {
					t.Fatal(err)
				}
				for i := range len(pack) * turns {
					if (i >= everywhere || i%turns > 0) && i%10 != 2*s+d {
						continue
					}
					var png []byte
					var address string
					if err := chromedp.Run(tab, chromedp.Evaluate(fmt.Sprintf("puzzle.ready = false; show(%d)", i/turns), nil), chromedp.Poll("puzzle.ready", nil),
						chromedp.Evaluate(fmt.Sprintf("turned(%d)", i%turns), &address), chromedp.CaptureScreenshot(&png)); err != nil {
						t.Fatal(err)
					}
					_, address, _ = strings.Cut(address, "?")
					n.read(t, game, "https://puzz.link/p?"+address, fmt.Sprint(size, dark), png)
				}
			}
		}
		t.Logf("%s: %d boards, %d pictures: %d read right, %d refused, %d wrong", game.Name(), len(pack)*turns, n.right+n.refused+n.wrong, n.right, n.refused, n.wrong)
		all.right, all.refused, all.wrong = all.right+n.right, all.refused+n.refused, all.wrong+n.wrong
	}
	t.Logf("all: %d pictures: %d read right, %d refused, %d wrong", all.right+all.refused+all.wrong, all.right, all.refused, all.wrong)
}

// tallyOfReads counts how pictures of boards were read.
type tallyOfReads struct{ right, refused, wrong int }

func (n *tallyOfReads) read(t *testing.T, game solvers.Game, address, where string, png []byte) {
	picture, _, err := image.Decode(bytes.NewReader(png))
	if err != nil {
		t.Fatal(err)
	}
	frame := image.NewRGBA(picture.Bounds())
	draw.Draw(frame, frame.Rect, picture, image.Point{}, draw.Src)
	var read solvers.Puzzle
	seen, err := recognise.See(calibrated.Eyes{}, frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, game)
	if err == nil {
		read, err = seen.Read()
	}
	want, wrong := game.Parse(address)
	if wrong != nil {
		t.Fatalf("%s: %v", address, wrong)
	}
	switch {
	case err != nil:
		n.refused++
		t.Logf("%s %s: %v", where, address, err)
	case read.String() != want.String():
		n.wrong++
		t.Errorf("%s: read\n%s\nexpected\n%s", where, read, want)
	default:
		n.right++
	}
	if folder := os.Getenv("PZPR_PICTURES"); folder != "" && (err != nil || read.String() != want.String()) {
		name := fmt.Sprintf("%s-%d.png", game.Name(), n.right+n.refused+n.wrong)
		if err := os.WriteFile(filepath.Join(folder, name), png, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// pzprPage is the address of the page that shows a pack.
func pzprPage(t *testing.T, folder, options string, pack []string) string {
	page, err := filepath.Abs("../internal/sim/webphone/testdata/pzpr.html")
	if err != nil {
		t.Fatal(err)
	}
	return "file://" + page + "?pzpr=" + url.QueryEscape(folder) + options + "#" + url.PathEscape(strings.Join(pack, ","))
}

// published are the levels of ppbench by kind of at most so many rows and columns, as puzz.link
// writes them after the question mark.
func published(t *testing.T, widest int) map[string][]string {
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
