package main

import (
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb"
	"tapwise/adb/adbtest"
	"tapwise/adb/hand"
	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/overlay"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/run"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/games/flow"
	flowapp "tapwise/solvers/games/flow/app"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

var (
	measureHands = flag.Bool("hands", false, "measure every way to touch on phones that cost what phones cost")
	handsSDK     = flag.String("hands-sdk", "21,23,26,28,29,30,31,34,35", "the API levels to measure on")
	handsFile    = flag.String("write-hands", "", "keep the tables in a file, between the marks that are there")
	handsRung    = flag.String("hands-rung", "", "the ways to touch to measure, all of them when empty")
)

// handsModel is the phone of a version of Android: the kind that is nearest to it.
func handsModel(t testing.TB, sdk int) simulation.Model {
	name := "new"
	switch {
	case sdk < 24:
		name = "old"
	case sdk < 31:
		name = "mid"
	}
	m, err := simulation.ModelOf(name)
	if err != nil {
		t.Fatal(err)
	}
	m.SDK = sdk
	if sdk == 23 { // Android 6 is the first with slots and 64 bits on most phones
		m.Hands.CatBits, m.Hands.Panel.ProtocolA = 64, false
	}
	return m
}

// handsTimeout is how long a phone may take to answer.
const handsTimeout = 30 * time.Second

// handsPhone is a phone with Flow levels, touched and looked at in the ways of a configuration. The
// app may follow the finger only from cell to neighbouring cell. It is
// made in a bubble of package synctest: the time that passes is what the phone takes and
// what is waited for, whatever else the computer does.
func handsPhone(t testing.TB, m simulation.Model, way adb.Config, neighbours bool, levels ...solvers.Puzzle) (*simphone.Phone, *adb.Device) {
	app, err := flowapp.New(levels, simapp.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if neighbours {
		app.(interface{ WantNeighbours() }).WantNeighbours()
	}
	var config simphone.Config
	m.Configure(&config)
	config.Apps, config.Foreground = []simphone.Installed{simphone.Instance(app)}, app.Package()
	return handsPhoneOf(t, config, way)
}

// handsPhoneOf is handsPhone of any kind, with any app.
func handsPhoneOf(t testing.TB, config simphone.Config, way adb.Config) (*simphone.Phone, *adb.Device) {
	phone, err := simphone.New(config)
	if err != nil {
		t.Fatal(err)
	}
	way.Dial, way.Timeout = adbtest.NewLink(t, phone).Dial, handsTimeout
	client, err := adb.New(way)
	if err != nil {
		t.Fatal(err)
	}
	device, err := client.Open(t.Context(), adbtest.LinkSerial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = device.CloseEye(context.Background())
		_ = device.Hand().Close(context.Background())
	})
	return phone, device
}

// handsTasks are the touches to measure, on a screen at least 720 pixels wide.
func handsTasks(size image.Point) []struct {
	name    string
	strokes []hand.Stroke
} {
	pitch := size.X / 10
	at := func(column, row int) image.Point { return image.Pt(pitch/2+column*pitch, pitch*2+row*pitch) }
	stroke := func(points ...image.Point) hand.Stroke { return hand.Stroke{Points: points, Size: size} }
	var flows, taps, slides []hand.Stroke
	for row := range 9 {
		var points []image.Point
		for column := range 9 {
			// Two rows that turn in their middle, as pipes do.
			points = append(points, at(min(column, 4)+max(column-5, 0), row+column/5))
		}
		flows = append(flows, stroke(points...))
	}
	var snake []image.Point
	for i := range 64 {
		column := i % 8
		if i/8%2 == 1 {
			column = 7 - column
		}
		snake = append(snake, at(column, i/8))
	}
	for i := range 12 {
		taps = append(taps, stroke(at(i%4*2, i/4*2)))
	}
	for i := range 40 {
		slides = append(slides, stroke(at(i%5, i/5), at(i%5+3, i/5)))
	}
	return []struct {
		name    string
		strokes []hand.Stroke
	}{{"flow 9x9", flows}, {"alcazar 64", []hand.Stroke{stroke(snake...)}}, {"12 taps", taps}, {"40 slides", slides}}
}

// seen is the share of the strokes' points that the app saw the finger at, in order.
func seen(phone *simphone.Phone, strokes []hand.Stroke, near float64) float64 {
	events := phone.Events()
	points, found := 0, 0
	for _, s := range strokes {
		for _, p := range s.Points {
			points++
			i := slices.IndexFunc(events, func(e simphone.Event) bool {
				dx, dy := e.X-float64(p.X), e.Y-float64(p.Y)
				return e.Kind != simphone.EventKey && dx*dx+dy*dy <= near*near
			})
			if i >= 0 {
				found++
				events = events[i:]
			}
		}
	}
	return float64(found) / float64(points)
}

// handsLevels are so many 9x9 levels of Flow.
func handsLevels(t *testing.T, n int) []solvers.Puzzle {
	levels := make([]solvers.Puzzle, n)
	for i := range levels {
		var err error
		levels[i], err = (flow.Game{}).Generate(t.Context(), solvers.GenerateOptions{Rows: 9, Cols: 9, Unique: true}, rand.New(rand.NewPCG(9, uint64(i))))
		if err != nil {
			t.Fatal(err)
		}
	}
	return levels
}

// TestHandsTable prints how long every way to touch takes on phones of every version
// of Android, which it is to take as long as on real ones. make bench-hands runs it.
func TestHandsTable(t *testing.T) {
	if !*measureHands {
		t.Skip("it takes minutes: run it with -hands")
	}
	levels := handsLevels(t, handsStreamed)
	var mu sync.Mutex
	lines := make(map[int]string)
	t.Run("phones", func(t *testing.T) {
		for _, text := range strings.Split(*handsSDK, ",") {
			sdk, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			for i, rung := range hand.Ways() {
				if *handsRung != "" && !strings.Contains(*handsRung, rung) {
					continue
				}
				t.Run(text+" "+rung, func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						line := handsLine(t, sdk, rung, levels)
						mu.Lock()
						defer mu.Unlock()
						lines[sdk*100+i] = line
					})
				})
			}
		}
	})
	table := handsHeads
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		table += lines[key]
	}
	fmt.Print(table)
	writeHands(t, "table", table)
}

// writeHands keeps a table in the file of -write-hands, between its two marks.
func writeHands(t *testing.T, name, table string) {
	if *handsFile == "" {
		return
	}
	page, err := os.ReadFile(*handsFile)
	if err != nil {
		t.Fatal(err)
	}
	begins, ends := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, found := strings.Cut(string(page), begins)
	_, after, closed := strings.Cut(rest, ends)
	if !found || !closed {
		t.Fatalf("%s has no %q and %q", *handsFile, begins, ends)
	}
	if err := os.WriteFile(*handsFile, []byte(before+begins+table+ends+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// handsPlayer is a player of Flow that waits long for slow phones.
func handsPlayer(t *testing.T, device player.Device) *player.Player {
	return &player.Player{
		Device: device, Eyes: calibrated.Eyes{}, Game: flow.Game{}, Evidence: t.TempDir(), Picture: overlay.Draw,
		Timing: calibration.Timing{SettleInterval: 25 * time.Millisecond, SettleDeadline: 20 * time.Second, SolveDeadline: 20 * time.Second,
			WinDeadline: 20 * time.Second, NextDeadline: 20 * time.Second, RecoverWait: 150 * time.Millisecond},
	}
}

// handsHeads are the heads of the table.
const handsHeads = "| Android (API level) | way | ready | Flow at 17 ms | 64 cells | 12 taps | 40 slides | Flow at 8 ms | first level | again | a level | touch | pace | frames | kB | beside |\n" +
	"|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"

// The numbers of levels that are played: by a stream as many as it takes to come to
// the fastest pace, and some that the pace is kept for; by input, which has no pace, two.
const (
	handsStreamed = 8
	handsInput    = 2
	handsProved   = 12 // after which the pace is proved by frames that are pushed, too
)

// handsLine measures one way to touch on one phone.
func handsLine(t *testing.T, sdk int, rung string, levels []solvers.Puzzle) string {
	m := handsModel(t, sdk)
	phone, device := handsPhone(t, m, adb.Config{Touch: rung}, false, levels...)
	began := time.Now()
	choice, err := device.Hand().Choose(t.Context())
	line := fmt.Sprintf("| %d | %s ", sdk, rung)
	if err != nil || choice.Rung != rung {
		return line + "| – " + strings.Repeat("| ", strings.Count(handsHeads[:strings.Index(handsHeads, "\n")], "|")-4) + "|\n"
	}
	line += fmt.Sprintf("| %d ", time.Since(began).Milliseconds())
	tasks := handsTasks(m.Size)
	play := func(strokes []hand.Stroke) string {
		phone.ClearEvents()
		began := time.Now()
		if err := device.Hand().Play(t.Context(), strokes, hand.Options{}); err != nil {
			t.Fatal(err)
		}
		took := time.Since(began).Milliseconds()
		time.Sleep(time.Second) // for the last moves, which come with a frame
		share := seen(phone, strokes, float64(m.Size.X)/30)
		if share == 1 {
			return fmt.Sprintf("| %d ", took)
		}
		return fmt.Sprintf("| %d, %.0f %% seen ", took, 100*share)
	}
	for _, task := range tasks {
		line += play(task.strokes)
	}
	if rung == hand.Motion || rung == hand.Swipes {
		return line + "| – " + handsClear(t, m, rung, levels[:handsInput])
	}
	device.Hand().Seen(1, 1) // the way works
	// As long as the board is said to show every cell, the finger becomes faster.
	for last := time.Duration(0); device.Hand().Choice().Pace != last; {
		last = device.Hand().Choice().Pace
		play(tasks[0].strokes)
		device.Hand().Seen(1, 1)
	}
	return line + play(tasks[0].strokes) + handsClear(t, m, rung, levels)
}

// busyPhone notes when the phone was looked at or touched.
type busyPhone struct {
	run.Phone
	spans [][2]time.Time
	up    time.Time // when the finger last went up
}

func (b *busyPhone) note(began time.Time) { b.spans = append(b.spans, [2]time.Time{began, time.Now()}) }

func (b *busyPhone) Capture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	defer b.note(time.Now())
	return b.Phone.Capture(ctx)
}

func (b *busyPhone) PlayOn(ctx context.Context, app string, gestures []screen.Gesture, began func(int)) error {
	defer func(began time.Time) { b.note(began); b.up = time.Now() }(time.Now())
	return b.Phone.PlayOn(ctx, app, gestures, began)
}

// idle is how long since a moment the phone was neither looked at nor touched, nor
// showed that a level is complete.
func (b *busyPhone) idle(since time.Time) (idle time.Duration) {
	spans := append(slices.Clone(b.spans), [2]time.Time{b.up, b.up.Add(flowapp.Celebration)})
	slices.SortFunc(spans, func(x, y [2]time.Time) int { return x[0].Compare(y[0]) })
	for _, span := range spans {
		if span[1].Before(since) {
			continue
		}
		idle += max(0, span[0].Sub(since))
		since = span[1]
	}
	return idle + time.Since(since)
}

// handsClear plays levels on a phone anew, and once more in a run after that.
func handsClear(t *testing.T, m simulation.Model, rung string, levels []solvers.Puzzle) string {
	store := new(handsNotes)
	var first, again, each, beside time.Duration
	var last player.Report
	pace := "–"
	for _, whole := range []*time.Duration{&first, &again} {
		_, device := handsPhone(t, m, adb.Config{Touch: rung, TouchStore: store}, false, levels...)
		if _, err := device.Probe(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := device.Hand().Choose(t.Context()); err != nil {
			t.Fatal(err)
		}
		busy := &busyPhone{Phone: run.Phone{Device: device}}
		began := time.Now()
		if _, err := handsPlayer(t, busy).Clear(t.Context(), len(levels), func(r player.Report, _ error) {
			if *whole == 0 {
				*whole = time.Since(began)
			}
			each, beside, last = time.Since(began), busy.idle(began), r
			began = time.Now()
		}); err != nil {
			return fmt.Sprintf("| %v |\n", err)
		}
		if choice := device.Hand().Choice(); choice.Streams() {
			pace = fmt.Sprint(choice.Pace.Milliseconds())
		}
		if err := device.Hand().Close(t.Context()); err != nil {
			t.Error(err)
		}
		// A way that was forced is not kept as the best one; here it is, for what comes again.
		store.note.Rung, store.note.Seen = rung, true
	}
	return fmt.Sprintf("| %d | %d | %d | %d | %s | %d | %d | %d |\n", first.Milliseconds(), again.Milliseconds(), each.Milliseconds(), last.Play.Milliseconds(),
		pace, last.Captures, last.Received/1000, beside.Milliseconds())
}

// handsNotes remembers one phone.
type handsNotes struct {
	note  adb.TouchNote
	found bool
}

func (n *handsNotes) Load(string) (adb.TouchNote, bool, error) { return n.note, n.found, nil }

func (n *handsNotes) Save(_ string, note adb.TouchNote) error {
	note.Paces = maps.Clone(note.Paces)
	n.note, n.found = note, true
	return nil
}

// TestHandsTableOfCaptures prints what looking at the screen costs for a level once the
// finger has come to its pace: with whole raw frames, with the method that was the fastest at
// connect, with frames that are pushed, and as is chosen.
func TestHandsTableOfCaptures(t *testing.T) {
	if !*measureHands {
		t.Skip("it takes minutes: run it with -hands")
	}
	levels := handsLevels(t, handsProved)
	table := "| phone | looks | method | settled by | a level | of it touch | the rest beside the app's 350 ms | frames | pushed | own | kB received | kB sent |\n" +
		"|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
	for _, name := range []string{"new", "wifi", "mid", "old", "slow"} {
		m, err := simulation.ModelOf(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, looks := range []string{"raw", "fastest", adb.Stream, "chosen"} {
			synctest.Test(t, func(t *testing.T) { table += captureLine(t, m, looks, levels) })
		}
	}
	fmt.Print(table)
	writeCaptures(t, "captures", table)
}

// writeCaptures is writeHands to the page about looking.
func writeCaptures(t *testing.T, name, table string) {
	if *handsFile != "" {
		*handsFile = filepath.Join(filepath.Dir(*handsFile), "capture.md")
	}
	writeHands(t, name, table)
}

// capturedLevels is how many levels are measured, the last ones.
const capturedLevels = 3

// captureLine measures the last levels on one phone.
func captureLine(t *testing.T, m simulation.Model, looks string, levels []solvers.Puzzle) string {
	c := captureLevels(t, m, looks, levels)
	by := "frames"
	if c.sum.Pushed > 0 {
		by = "silence"
	}
	each := func(n int) float64 { return float64(n) / capturedLevels }
	touch := c.sum.Play.Duration / capturedLevels
	return fmt.Sprintf("| %s | %s | %s | %s | %d | %d | %d | %.1f | %.1f | %d | %.0f | %.1f |\n", m.Name, looks, c.method, by,
		c.took.Milliseconds(), touch.Milliseconds(), (c.took - touch - flowapp.Celebration).Milliseconds(), each(c.sum.Captures), each(c.sum.Pushed),
		(c.sum.Own / capturedLevels).Milliseconds(), each(int(c.received))/1000, each(int(c.sent))/1000)
}

// captured is what the last levels of a run took.
type captured struct {
	method         adb.Method
	took           time.Duration // each of them
	sum            player.Report // of what is counted
	received, sent int64
}

// captureLevels plays levels on one phone, and measures the last ones.
func captureLevels(t *testing.T, m simulation.Model, looks string, levels []solvers.Puzzle) (c captured) {
	way := adb.Config{}
	if looks == adb.Stream {
		way.Capture = adb.Stream
	}
	_, device := handsPhone(t, m, way, false, levels...)
	if looks != "raw" {
		if _, err := device.Probe(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if looks == "chosen" {
		if err := device.ChooseStream(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	p := handsPlayer(t, run.Phone{Device: device})
	var began time.Time
	before, sent, played := int64(0), int64(0), 0
	if _, err := p.Clear(t.Context(), len(levels), func(r player.Report, _ error) {
		if played++; played == len(levels)-capturedLevels {
			began = time.Now()
			before, sent = device.Traffic()
		}
		if played > len(levels)-capturedLevels {
			c.sum.Captures, c.sum.Pushed = c.sum.Captures+r.Captures, c.sum.Pushed+r.Pushed
			c.sum.Own += r.Own
			c.sum.Play.Duration += r.Play.Duration
		}
	}); err != nil {
		t.Fatal(err)
	}
	c.method, c.took = device.Method(), time.Since(began)/capturedLevels
	c.received, c.sent = device.Traffic()
	c.received, c.sent = c.received-before, c.sent-sent
	return c
}

// lamp is an app whose screen is of another colour after each tap.
type lamp struct {
	simphone.App
	on atomic.Bool
}

func (l *lamp) Draw(c screen.Canvas, _ time.Duration) {
	of := color.NRGBA{40, 40, 40, 255}
	if l.on.Load() {
		of = color.NRGBA{240, 240, 240, 255}
	}
	c.Rect(0, 0, float64(c.Size().X), float64(c.Size().Y), of)
}

func (l *lamp) Touch(action int, _, _ float64, _ time.Duration) {
	if action == 0 {
		l.on.Store(!l.on.Load())
	}
}

// TestHandsTableOfSeen prints how long it takes from the call that makes a tap until a frame that shows
// its effect is there, with frames that are pushed and with stills one after the other.
func TestHandsTableOfSeen(t *testing.T) {
	if !*measureHands {
		t.Skip("it takes minutes: run it with -hands")
	}
	table := "| phone | by pushed frames: median | longest | by stills: median | longest |\n|---|---|---|---|---|\n"
	for _, name := range []string{"new", "wifi", "mid", "old", "slow"} {
		m, err := simulation.ModelOf(name)
		if err != nil {
			t.Fatal(err)
		}
		table += "| " + name + ", its display at 60 Hz |"
		m.Hands.Frame = time.Second / 60
		for _, capture := range []string{adb.Stream, ""} {
			synctest.Test(t, func(t *testing.T) {
				took := tapsToSeen(t, m, capture)
				table += fmt.Sprintf(" %d ms | %d ms |", took[len(took)/2].Milliseconds(), took[len(took)-1].Milliseconds())
			})
		}
		table += "\n"
	}
	fmt.Print(table)
	writeCaptures(t, "seen", table)
}

// tapsToSeen is what taps took until they were seen, the shortest first.
func tapsToSeen(t *testing.T, m simulation.Model, capture string) []time.Duration {
	const taps = 40
	var config simphone.Config
	m.Configure(&config)
	app, err := flowapp.New(handsLevels(t, 1), simapp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lit := &lamp{App: app}
	config.Apps, config.Foreground = []simphone.Installed{simphone.Instance(lit)}, app.Package()
	_, device := handsPhoneOf(t, config, adb.Config{Capture: capture})
	if _, err := device.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := device.Hand().Choose(t.Context()); err != nil {
		t.Fatal(err)
	}
	at := hand.Stroke{Points: []image.Point{config.Size.Div(2)}, Size: config.Size}
	shows := func(frame *image.RGBA) bool { return (frame.Pix[0] > 128) == lit.on.Load() }
	var took []time.Duration
	random := rand.New(rand.NewPCG(1, 1))
	number := 0
	for i := range taps {
		if capture == adb.Stream {
			g, err := device.Glimpse(t.Context(), 0, 100*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			number = g.Number
		}
		time.Sleep(time.Second + time.Duration(random.IntN(100))*time.Millisecond)
		began, before := time.Now(), lit.on.Load()
		made := make(chan error, 1)
		go func() { made <- device.Hand().Play(t.Context(), []hand.Stroke{at}, hand.Options{}) }()
		for seen := false; !seen; {
			var frame *image.RGBA
			if capture == adb.Stream {
				g, err := device.Glimpse(t.Context(), number, 0)
				if err != nil {
					t.Fatal(err)
				}
				frame, number = g.Image, g.Number
			} else {
				f, err := device.Capture(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				frame = f.Image
			}
			seen = lit.on.Load() != before && shows(frame)
		}
		if i > 0 { // the first opens the connection
			took = append(took, time.Since(began))
		}
		if err := <-made; err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(took)
	return took
}

// TestStreamOnASlowLink plays levels over a busy Wi-Fi, while the pace of the finger is found:
// frames that are pushed cost little more than stills alone, though each is on its way for long.
func TestStreamOnASlowLink(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	m, err := simulation.ModelOf("wifi")
	if err != nil {
		t.Fatal(err)
	}
	levels := handsLevels(t, capturedLevels+1)
	var took [2]time.Duration
	for i, looks := range []string{"fastest", adb.Stream} {
		synctest.Test(t, func(t *testing.T) { took[i] = captureLevels(t, m, looks, levels).took })
	}
	if t.Logf("a level by stills %v, by pushed frames %v", took[0], took[1]); took[1] > took[0]*5/4 {
		t.Errorf("a level takes %v by frames that are pushed, %v by stills: expected at most a quarter more", took[1], took[0])
	}
}
