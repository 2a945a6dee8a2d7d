package looks

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/cmd/internal/sim/webphone"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

var (
	count   = flag.Int("looks", 16, "how many looks TestRead reads")
	first   = flag.Uint64("looks-seed", 0, "the first look's seed")
	byKnown = flag.Bool("looks-known", true, "let TestRead read each look with its rectangle and size known, too")
	folder  = flag.String("looks-folder", "", "keep the looks' pictures in this `folder`, and take from it those that are there")
)

// browser is a Chromium that ends with the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	await.Turn(t)
	name, err := webphone.Browser()
	if err != nil {
		t.Skip("chromium is not installed (Debian package chromium)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(name), chromedp.NoSandbox, chromedp.WSURLReadTimeout(await.Hang))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Error(err)
		}
		stop()
	})
	return ctx
}

// painter gives the looks' first frames.
type painter struct {
	t       *testing.T
	browser context.Context // nil until it is needed
	address string
	page    []byte // what the address shows
}

// frame is what a look's page shows at first, as a PNG, and where its board's cells
// lie, in pixels.
func (p *painter) frame(l Look) ([]byte, image.Rectangle) {
	p.t.Helper()
	return p.frameNamed(l, fmt.Sprintf("%06d", l.Seed))
}

// frameNamed is frame for a look that is kept under a name.
func (p *painter) frameNamed(l Look, name string) ([]byte, image.Rectangle) {
	p.t.Helper()
	name = filepath.Join(*folder, name)
	var room image.Rectangle
	if *folder != "" {
		data, err := os.ReadFile(name + ".png")
		text, roomErr := os.ReadFile(name + ".room.txt")
		if err == nil && roomErr == nil {
			if _, err := fmt.Sscan(string(text), &room.Min.X, &room.Min.Y, &room.Max.X, &room.Max.Y); err != nil {
				p.t.Fatalf("%s.room.txt: %v", name, err)
			}
			return data, room
		}
	}
	if p.browser == nil {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write(p.page) // a browser that has gone is no failure
		}))
		p.t.Cleanup(server.Close)
		p.browser, p.address = browser(p.t), server.URL
	}
	var err error
	if p.page, err = l.HTML(); err != nil {
		p.t.Fatal(err)
	}
	css := func(pixels int) int64 { return int64(math.Ceil(float64(pixels) / l.Density)) }
	var data []byte
	var corners [4]float64
	err = chromedp.Run(p.browser,
		emulation.SetDeviceMetricsOverride(css(l.Screen.X), css(l.Screen.Y), l.Density, true),
		chromedp.Navigate(p.address),
		chromedp.WaitReady("#board"),
		chromedp.Evaluate(`(box => [box.left + origin, box.top + origin, box.left + origin + cols * pitch, box.top + origin + rows * pitch])(
			document.getElementById("board").getBoundingClientRect())`, &corners),
		chromedp.CaptureScreenshot(&data))
	if err != nil {
		p.t.Fatalf("look %d: %v", l.Seed, err)
	}
	pixel := func(i int) int { return int(math.Round(corners[i] * l.Density)) }
	room = image.Rect(pixel(0), pixel(1), pixel(2), pixel(3))
	if *folder != "" {
		for ending, text := range map[string]string{
			".png":       string(data),
			".board.txt": strings.ReplaceAll(l.Levels[0], "/", "\n") + "\n",
			".room.txt":  fmt.Sprintln(room.Min.X, room.Min.Y, room.Max.X, room.Max.Y),
		} {
			if err := os.WriteFile(name+ending, []byte(text), 0o644); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	return data, room
}

// The least shares of looks that have to be read, as they are and with the board's
// rectangle and size known. The shares of 500 looks are a few percent higher; 24 looks
// may be unlucky.
const (
	leastRead  = 0.9
	leastKnown = 0.95
)

// tally counts what became of looks.
type tally struct{ right, refused, wrong int }

func (t tally) all() int { return t.right + t.refused + t.wrong }

// TestRead reads random looks and prints a table of what was read, by what the
// looks have, and with the board's rectangle and size known. No board may be read wrongly.
func TestRead(t *testing.T) {
	gametest.Long(t)
	p := &painter{t: t}
	table := map[string]*tally{}
	for seed := *first; seed < *first+uint64(*count); seed++ {
		l, err := New(t.Context(), seed, 3)
		if err != nil {
			t.Fatal(err)
		}
		picture, room := p.frame(l)
		frame, err := vision.Decode(t.Context(), picture)
		if err != nil {
			t.Fatalf("look %d: %v", seed, err)
		}
		board := strings.ReplaceAll(l.Levels[0], "/", "\n")
		on := screen.Frame{Size: frame.Rect.Size(), Rotation: -1}
		sight, err := recognise.Look(t.Context(), calibrated.Eyes{}, frame, on, flow.Game{}, solvers.Levels{}, await.Hang)
		var now tally
		switch {
		case err != nil:
			now.refused++
			t.Logf("look %d, %s: refused: %v", seed, strings.Join(l.kinds(), ", "), err)
		case gametest.Relettered(sight.Puzzle.String()) != gametest.Relettered(board):
			now.wrong++
			text, _ := json.Marshal(l)
			t.Errorf("look %d read wrongly as\n%s\nexpected\n%s\n%s", seed, sight.Puzzle, board, text)
		default:
			now.right++
		}
		add := func(kind string, more tally) {
			if table[kind] == nil {
				table[kind] = &tally{}
			}
			table[kind].add(more)
		}
		for _, kind := range append(l.kinds(), "all") {
			add(kind, now)
		}
		if !*byKnown {
			continue
		}
		add("known: exact", readKnown(t, l, frame, room, board))
		add("known: drawn by hand", readKnown(t, l, frame, byHand(l, room), board))
	}
	for kind, least := range map[string]float64{"all": leastRead, "known: exact": leastKnown, "known: drawn by hand": leastKnown} {
		if n := table[kind]; n != nil && float64(n.right) < least*float64(n.all()) {
			t.Errorf("%s: %d of %d looks read, expected %.0f %% at least", kind, n.right, n.all(), 100*least)
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%-24s %5s %5s %7s %5s\n", "looks with", "all", "right", "refused", "wrong")
	for _, kind := range slices.Sorted(maps.Keys(table)) {
		n := table[kind]
		fmt.Fprintf(&text, "%-24s %5d %4.0f%% %7d %5d\n", kind, n.all(), 100*float64(n.right)/float64(n.all()), n.refused, n.wrong)
	}
	t.Logf("\n%s", text.String())
}

// handOff is how far each side of a rectangle drawn by hand is off, in pitches, at most.
const handOff = 0.15

// byHand is a board's rectangle as a person draws it.
func byHand(l Look, room image.Rectangle) image.Rectangle {
	random := rand.New(rand.NewPCG(l.Seed, 0x4a4d))
	pitch := float64(room.Dx()) / float64(l.Board.Cols)
	off := func() int { return int(math.Round(handOff * pitch * (2*random.Float64() - 1))) }
	return image.Rect(room.Min.X+off(), room.Min.Y+off(), room.Max.X+off(), room.Max.Y+off())
}

// readKnown reads a look of which the board's rectangle and size are known.
func readKnown(t *testing.T, l Look, frame *image.RGBA, room image.Rectangle, board string) (n tally) {
	t.Helper()
	spec := flow.Game{}.Spec()
	spec.Signs, spec.Hint = true, &screen.Hint{Room: room, Rows: l.Board.Rows, Cols: l.Board.Cols}
	seen, err := vision.Observe(frame, screen.Frame{Size: frame.Rect.Size(), Rotation: -1}, spec)
	if err != nil {
		t.Fatal(err)
	}
	switch puzzle, err := (flow.Game{}).Read(seen); {
	case err != nil:
		n.refused++
		t.Logf("look %d in %v: refused: %v", l.Seed, room, err)
	case gametest.Relettered(puzzle.String()) != gametest.Relettered(board):
		n.wrong++
		t.Errorf("look %d in %v read wrongly as\n%s\nexpected\n%s", l.Seed, room, puzzle, board)
	default:
		n.right++
	}
	return n
}

// kinds are the names of what a look has, for the table.
func (l Look) kinds() []string {
	kinds := []string{"ends: " + l.Ends.Shape, "ends: style " + l.Ends.Style, "win: " + l.Win}
	for _, k := range []struct {
		name string
		has  bool
	}{
		{"ends: with labels", l.Ends.Label != ""},
		{"ends: radius < 0.25", l.Ends.Radius < 0.25},
		{"ends: radius > 0.4", l.Ends.Radius > 0.4},
		{"cells: cards", l.Cells.Gap > 0},
		{"cells: in turn", l.Cells.Other != l.Cells.Fill},
		{"cells: gradient", l.Cells.Lit != ""},
		{"cells: border", l.Cells.Border > 0},
		{"lines: none", l.Lines.Width == 0},
		{"lines: > 0.03", l.Lines.Width > 0.03},
		{"frame: none", l.Frame.Width == 0},
		{"frame: > 0.06", l.Frame.Width > 0.06},
		{"page: picture", l.Page.Picture},
		{"page: gradient", strings.HasPrefix(l.Page.Background, "linear")},
		{"page: left", l.Board.Align == "left"},
		{"pipes: drawn", l.Pipes.Drawn > 0},
		{"board: not square", l.Board.Rows != l.Board.Cols},
	} {
		if k.has {
			kinds = append(kinds, k.name)
		}
	}
	return kinds
}

// TestContrast holds looks to what their documentation promises: colours that a
// person tells apart.
func TestContrast(t *testing.T) {
	for seed := range uint64(200) {
		l, err := New(t.Context(), seed, 1)
		if err != nil {
			t.Fatal(err)
		}
		var colours []rgb
		for _, text := range l.Ends.Colours {
			colours = append(colours, parse(t, text))
		}
		ground := parse(t, l.Cells.Fill)
		for i, a := range colours {
			if d := a.distance(ground); d < leastContrast {
				t.Errorf("look %d: %v on %v, distance %.1f, expected at least %d", seed, a, ground, d, leastContrast)
			}
			for _, b := range colours[:i] {
				if d := a.distance(b); d < leastContrast && l.Ends.Label == "" {
					t.Errorf("look %d: %v and %v, distance %.1f, expected at least %d", seed, a, b, d, leastContrast)
				}
			}
		}
	}
}

func parse(t *testing.T, text string) rgb {
	t.Helper()
	var c rgb
	if _, err := fmt.Sscanf(text, "#%02x%02x%02x", &c[0], &c[1], &c[2]); err != nil {
		t.Fatalf("colour %q: %v", text, err)
	}
	return c
}

// TestSame makes a look twice.
func TestSame(t *testing.T) {
	for seed := range uint64(5) {
		var texts [2]string
		for i := range texts {
			l, err := New(t.Context(), seed, 2)
			if err != nil {
				t.Fatal(err)
			}
			text, err := l.HTML()
			if err != nil {
				t.Fatal(err)
			}
			texts[i] = string(text)
		}
		if texts[0] != texts[1] {
			t.Errorf("seed %d gives two pages", seed)
		}
	}
}

// TestOthersLooks reads the boards that other people's programs drew, as `tapwise read`
// does, which knows nothing of them. At least 12 of 14 must be read, none wrongly:
// some of them have several solutions, some none that covers every cell, and one has none
// at all by Flow's rules, which nobody can tell from one that was misread.
func TestOthersLooks(t *testing.T) {
	const least = 12
	boards := others(t)
	read := 0
	for _, name := range slices.Sorted(maps.Keys(boards)) {
		frame := decoded(t, name)
		on := screen.Frame{Size: frame.Rect.Size(), Rotation: -1}
		sight, err := recognise.Game(t.Context(), calibrated.Eyes{}, frame, on, all.Games(), await.Hang)
		var levels string
		if levels = "one solution"; sight.Uncovered {
			levels = "no solution that covers every cell"
		} else if sight.Several {
			levels = "several solutions"
		}
		switch {
		case err != nil:
			t.Logf("%s refused: %v", filepath.Base(name), err)
		case sight.Game.Name() != flow.Game{}.Name() || gametest.Relettered(sight.Puzzle.String()) != gametest.Relettered(boards[name]):
			t.Errorf("%s read wrongly as\n%s\nexpected\n%s", filepath.Base(name), sight.Puzzle, boards[name])
		default:
			t.Logf("%s: %s", filepath.Base(name), levels)
			read++
		}
	}
	t.Logf("%d of %d read", read, len(boards))
	if read < least {
		t.Errorf("%d of %d read, expected at least %d", read, len(boards), least)
	}
}
