package looks

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"maps"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"tapwise/cmd/internal/calibrated"
	"tapwise/cmd/internal/recognise"
	"tapwise/cmd/internal/webphone"
	"tapwise/solvers"
	"tapwise/solvers/flow"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

var (
	count  = flag.Int("looks", 24, "how many looks TestRead reads")
	first  = flag.Uint64("looks-seed", 0, "the first look's seed")
	folder = flag.String("looks-folder", "", "keep the looks' pictures in this `folder`, and take from it those that are there")
)

// browser is a Chromium that ends with the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	name, err := webphone.Browser()
	if err != nil {
		t.Skip("chromium is not installed (Debian package chromium)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(name), chromedp.NoSandbox)
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
}

// frame is what a look's page shows at first, as a PNG, and where its board's cells
// lie, in pixels.
func (p *painter) frame(l Look) ([]byte, image.Rectangle) {
	p.t.Helper()
	name := filepath.Join(*folder, fmt.Sprintf("%06d", l.Seed))
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
		server := httptest.NewServer(Handler())
		p.t.Cleanup(server.Close)
		p.browser, p.address = browser(p.t), server.URL
	}
	css := func(pixels int) int64 { return int64(math.Ceil(float64(pixels) / l.Density)) }
	var data []byte
	var corners [4]float64
	err := chromedp.Run(p.browser,
		emulation.SetDeviceMetricsOverride(css(l.Screen.X), css(l.Screen.Y), l.Density, true),
		chromedp.Navigate(fmt.Sprintf("%s/%d", p.address, l.Seed)),
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

// renamed gives a board's colours new names in the order they come.
func renamed(board string) string {
	names := map[rune]rune{}
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '\n' {
			return r
		}
		if _, ok := names[r]; !ok {
			names[r] = rune('A' + len(names))
		}
		return names[r]
	}, strings.TrimSpace(board))
}

// tally counts what became of looks.
type tally struct{ right, refused, wrong int }

func (t tally) all() int { return t.right + t.refused + t.wrong }

// TestRead reads random looks and prints a table of what was read, by what the
// looks have. No board may be read wrongly.
func TestRead(t *testing.T) {
	gametest.Long(t)
	p := &painter{t: t}
	table := map[string]*tally{}
	for seed := *first; seed < *first+uint64(*count); seed++ {
		l, err := New(t.Context(), seed, 3)
		if err != nil {
			t.Fatal(err)
		}
		picture, _ := p.frame(l)
		frame, err := vision.Decode(t.Context(), picture)
		if err != nil {
			t.Fatalf("look %d: %v", seed, err)
		}
		board := strings.ReplaceAll(l.Levels[0], "/", "\n")
		on := screen.Frame{Size: frame.Rect.Size(), Rotation: -1}
		sight, err := recognise.Look(t.Context(), calibrated.Eyes{}, frame, on, flow.Game{}, solvers.Levels{}, time.Minute)
		var now tally
		switch {
		case err != nil:
			now.refused++
			t.Logf("look %d, %s: refused: %v", seed, strings.Join(l.kinds(), ", "), err)
		case renamed(sight.Puzzle.String()) != renamed(board):
			now.wrong++
			text, _ := json.Marshal(l)
			t.Errorf("look %d read wrongly as\n%s\nexpected\n%s\n%s", seed, sight.Puzzle, board, text)
		default:
			now.right++
		}
		for _, kind := range append(l.kinds(), "all") {
			if table[kind] == nil {
				table[kind] = &tally{}
			}
			table[kind].right += now.right
			table[kind].refused += now.refused
			table[kind].wrong += now.wrong
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

// TestOthersLooks reads the boards that other people's programs drew. At least 12 of
// 14 must be read, none wrongly.
func TestOthersLooks(t *testing.T) {
	const folder = "../../../../shared/data/looks"
	names, err := filepath.Glob(folder + "/*.png")
	if err != nil || len(names) == 0 {
		t.Skipf("the folder %s with other programs' boards is missing", folder)
	}
	read := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		frame, err := vision.Decode(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(strings.TrimSuffix(name, "png") + "board.txt")
		if err != nil {
			t.Fatal(err)
		}
		board := strings.TrimSpace(string(text))
		if filepath.Base(name) == "glow-4x4-c.png" {
			board = strings.Replace(board, "B..D", "B.D.", 1) // as the picture shows it
		}
		on := screen.Frame{Size: frame.Rect.Size(), Rotation: -1}
		sight, err := recognise.Look(t.Context(), calibrated.Eyes{}, frame, on, flow.Game{}, solvers.Levels{Several: true, Uncovered: true}, time.Minute)
		switch {
		case err != nil && sight.Puzzle == nil:
			t.Logf("%s refused: %v", filepath.Base(name), err)
		case renamed(sight.Puzzle.String()) != renamed(board):
			t.Errorf("%s read wrongly as\n%s\nexpected\n%s", filepath.Base(name), sight.Puzzle, board)
		default:
			read++
		}
	}
	t.Logf("%d of %d read", read, len(names))
	if read < 12 {
		t.Errorf("%d of %d read, expected at least 12", read, len(names))
	}
}
