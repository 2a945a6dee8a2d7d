package looks_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/sim/looks"
	"tapwise/cmd/internal/sim/webphone"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

var (
	drawnLooks  = flag.Int("drawn-looks", 8, "how many looks TestDrawn draws on")
	drawnFirst  = flag.Uint64("drawn-seed", 0, "the first look's seed")
	drawnFolder = flag.String("drawn-folder", "", "keep the frames that TestDrawn does not see rightly in this `folder`")
)

// states are what a page is asked to show: no more than the first so many pipes of the
// solution, the last of them cut to so many cells, and with it other things over the board.
var states = []struct {
	name  string
	pipes float64 // share of the solution's pipes
	cut   bool    // the last pipe drawn is half drawn
	over  string  // script: what lies over it
	moved bool    // the board has moved up
	// covered: the board is not to be seen. A look that says otherwise is wrong.
	covered bool
	// least is the share of looks on which the board has to be seen. Ends that are letters
	// alone change when a pipe comes or goes, and do not tell where a board has moved.
	least float64
}{
	{name: "full", pipes: 1, least: 0.85},
	{name: "one lost", pipes: 0.99, least: 0.85},
	{name: "half a pipe lost", pipes: 1, cut: true, least: 0.7},
	{name: "half", pipes: 0.5, least: 0.7},
	{name: "full, moved", pipes: 1, moved: true, least: 0.5},
	{name: "one lost, moved", pipes: 0.99, moved: true, least: 0.5},
	{name: "panel", pipes: 1, covered: true,
		over: `panel.querySelector("h1").textContent = "Well done!"; panel.querySelector("button").textContent = "Next level"; panel.style.display = "block"`},
	{name: "next level", covered: true, over: `begin(1)`},
	{name: "shaded", pipes: 1, covered: true,
		over: `document.body.insertAdjacentHTML("beforeend", '<div id="shade" style="position:fixed;inset:0;background:#000a"></div>')`},
}

// geometry is where a page has its cells, in CSS pixels, and what is drawn there.
type geometry struct {
	Rows, Cols int
	Pitch      float64
	Centres    [][2]float64
	Ends       map[int]int
	Trails     map[int][]int
}

const geometryScript = `(() => {
  const box = document.getElementById("board").getBoundingClientRect();
  return JSON.stringify({rows, cols, pitch, centres: [...Array(rows * cols).keys()].map(c => centre(c)).map(([x, y]) => [x + box.left, y + box.top]),
    ends: Object.fromEntries(ends), trails: Object.fromEntries(trails)});
})()`

// TestDrawn has pages of random looks show boards on which more or less is drawn, and
// compares what is seen with what the page itself says. Nothing may be seen that is not
// there: a pipe, or a board under a panel.
func TestDrawn(t *testing.T) {
	gametest.Long(t)
	await.Turn(t)
	name, err := webphone.Browser()
	if err != nil {
		t.Skip("chromium is not installed (Debian package chromium)")
	}
	server := httptest.NewServer(looks.Handler())
	defer server.Close()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(name), chromedp.NoSandbox, chromedp.WSURLReadTimeout(await.Hang))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, stop = chromedp.NewContext(ctx)
	defer stop()
	table := map[string]*drawnTally{}
	for seed := *drawnFirst; seed < *drawnFirst+uint64(*drawnLooks); seed++ {
		l, err := looks.New(t.Context(), seed, 3)
		if err != nil {
			t.Fatal(err)
		}
		css := func(pixels int) int64 { return int64(math.Ceil(float64(pixels) / l.Density)) }
		show := func(script string) (*image.RGBA, geometry) {
			var data []byte
			var text string
			err := chromedp.Run(ctx, chromedp.Evaluate(script+";0", nil), chromedp.Evaluate(geometryScript, &text), chromedp.CaptureScreenshot(&data))
			if err != nil {
				t.Fatalf("look %d: %s: %v", seed, script, err)
			}
			var g geometry
			if err := json.Unmarshal([]byte(text), &g); err != nil {
				t.Fatal(err)
			}
			frame, err := vision.Decode(t.Context(), data)
			if err != nil {
				t.Fatal(err)
			}
			return frame, g
		}
		err = chromedp.Run(ctx, emulation.SetDeviceMetricsOverride(css(l.Screen.X), css(l.Screen.Y), l.Density, true),
			chromedp.Navigate(fmt.Sprintf("%s/%d", server.URL, seed)), chromedp.WaitReady("#board"))
		if err != nil {
			t.Fatal(err)
		}
		before, g := show("")
		seen := g.observation(l.Density, before.Rect.Size())
		paths := solutionOf(t, l.Levels[0])
		random := rand.New(rand.NewPCG(seed, 1))
		for _, s := range states {
			random.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
			now, shows := show("begin(0); for (const c of trails.keys()) trails.set(c, []);" + trailsScript(paths, s.pipes, s.cut) +
				fmt.Sprintf("main.style.paddingBottom = %q; paint();", map[bool]string{true: "40px", false: ""}[s.moved]) + s.over)
			want := shows.observation(l.Density, now.Rect.Size())
			got, err := vision.Drawn(before, seen, now)
			add := drawnTally{}
			switch {
			case err != nil:
				add.refused++
				if !s.covered {
					t.Logf("look %d, %s: refused: %v", seed, s.name, err)
				}
			case s.covered || !sameLinks(got, want) || away(got.Layout.Centres[0].Y-want.Layout.Centres[0].Y) > 3:
				add.wrong++
				t.Errorf("look %d, %s: seen\n%s\nexpected\n%s\nat %v, expected %v", seed, s.name, links(got), links(want), got.Layout.Centres[0], want.Layout.Centres[0])
			default:
				add.right++
			}
			if add.right == 0 && *drawnFolder != "" && !(s.covered && err != nil) {
				name := filepath.Join(*drawnFolder, fmt.Sprintf("%06d-%s", seed, strings.ReplaceAll(s.name, " ", "-")))
				keep(t, name+"-before.png", before)
				keep(t, name+".png", now)
			}
			if table[s.name] == nil {
				table[s.name] = &drawnTally{}
			}
			table[s.name].right += add.right
			table[s.name].refused += add.refused
			table[s.name].wrong += add.wrong
		}
	}
	for _, s := range states {
		n := table[s.name]
		t.Logf("%-20s %4d right, %4d refused, %d wrong", s.name, n.right, n.refused, n.wrong)
		if all := n.right + n.refused; !s.covered && float64(n.right) < s.least*float64(all) {
			t.Errorf("%s: %d of %d seen, expected at least %.0f %%", s.name, n.right, all, 100*s.least)
		}
	}
}

type drawnTally struct{ right, refused, wrong int }

// keep writes a frame to a file.
func keep(t *testing.T, name string, frame *image.RGBA) {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(file, frame), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// observation is what eyes that make no mistake see on the page.
func (g geometry) observation(density float64, size image.Point) *screen.Observation {
	l := screen.Layout{On: screen.Frame{Size: size, Rotation: -1}, Rows: g.Rows, Cols: g.Cols, Pitch: g.Pitch * density}
	for _, at := range g.Centres {
		l.Centres = append(l.Centres, image.Pt(int(math.Round(at[0]*density)), int(math.Round(at[1]*density))))
	}
	half := int(l.Pitch / 2)
	l.Board = image.Rectangle{Min: l.Centres[0].Sub(image.Pt(half, half)), Max: l.Centres[len(l.Centres)-1].Add(image.Pt(half, half))}
	seen := &screen.Observation{On: l.On, Layout: l, Confidence: 1, Signs: make([]screen.Sign, len(l.Centres))}
	for cell, colour := range g.Ends {
		seen.Signs[cell].Group = colour + 1
	}
	for _, trail := range g.Trails {
		for i := 1; i < len(trail); i++ {
			a, b := trail[i-1], trail[i]
			d := map[int]int{-g.Cols: 0, 1: 1, g.Cols: 2, -1: 3}[b-a]
			seen.Signs[a].Links[d], seen.Signs[b].Links[(d+2)%4] = true, true
		}
	}
	return seen
}

// solutionOf is the cells of each pipe of a level's solution.
func solutionOf(t *testing.T, level string) [][]int {
	t.Helper()
	p, err := flow.Parse(strings.ReplaceAll(level, "/", "\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Solve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var paths [][]int
	for _, path := range s.(*flow.Solution).Paths() {
		var cells []int
		for _, c := range path {
			cells = append(cells, int(c))
		}
		paths = append(paths, cells)
	}
	return paths
}

// trailsScript draws a share of the pipes; with cut the last of them only in half.
func trailsScript(paths [][]int, part float64, cut bool) string {
	var script strings.Builder
	n := int(part * float64(len(paths)))
	for i, path := range paths[:n] {
		if cut && i == n-1 {
			path = path[:(len(path)+1)/2]
		}
		cells, _ := json.Marshal(path)
		fmt.Fprintf(&script, "trails.set(ends.get(%d), %s);", path[0], cells)
	}
	return script.String()
}

func sameLinks(a, b *screen.Observation) bool {
	return slices.EqualFunc(a.Signs, b.Signs, func(x, y screen.Sign) bool { return x.Links == y.Links })
}

// links is an observation's pipes as text: in each cell its directions.
func links(seen *screen.Observation) string {
	var text strings.Builder
	for i, s := range seen.Signs {
		if i > 0 && i%seen.Layout.Cols == 0 {
			text.WriteByte('\n')
		}
		cell := ""
		for d, is := range s.Links {
			if is {
				cell += "NESW"[d : d+1]
			}
		}
		fmt.Fprintf(&text, "%-3s", cell)
	}
	return text.String()
}

func away(x int) int { return max(x, -x) }
