package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
	"tapwise/calibration"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/attempt"
	"tapwise/cmd/internal/page/web"
	"tapwise/cmd/internal/sim/looks"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/gametest"
)

// picturesFolder names the folder in which the tests keep pictures of the page,
// to be looked at; without it they are thrown away.
const picturesFolder = "TAPWISE_PAGE_PICTURES"

// pageTest is the page with simulated phones behind a private adb server, and
// a browser.
type pageTest struct {
	*testing.T
	app     *app
	page    *web.Server
	server  *httptest.Server
	phones  []*simphone.Phone
	browser context.Context
}

var onlyGame = flag.String("page-game", "", "the only game of TestPageSolve and TestPageGames")

// pageGames are the games that the page is tested with.
func pageGames(t *testing.T) []solvers.Game {
	t.Helper()
	if *onlyGame == "" {
		return all.Games()
	}
	game, err := all.ByName(*onlyGame)
	if err != nil {
		t.Fatal(err)
	}
	return []solvers.Game{game}
}

// newPageTest starts the page with simulated phones, each with its options.
// It skips the test where adb or Chromium is missing.
func newPageTest(t *testing.T, phones ...testPhone) *pageTest {
	t.Helper()
	return newPageTestWith(t, nil, phones...)
}

// newPageTestWith is newPageTest with flags of the browser's.
func newPageTestWith(t *testing.T, flags map[string]any, phones ...testPhone) *pageTest {
	t.Helper()
	return newPageTestOf(t, flags, func(*app, *web.Config) {}, phones...)
}

// newPageTestOf is newPageTestWith of a page that is configured otherwise.
func newPageTestOf(t *testing.T, flags map[string]any, configure func(*app, *web.Config), phones ...testPhone) *pageTest {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed (Debian package chromium)")
	}
	p := &pageTest{T: t}
	p.app = testApp(t)
	adb := adbtest.Start(t)
	p.app.settings.ADB.Port = adb.Port
	for _, o := range phones {
		p.app.settings.Game = o.game
		p.phones = append(p.phones, connectedPhone(t, p.app, adb, o.simOptions))
	}
	p.app.settings.Game = "flow"
	config := p.app.pageConfig()
	if len(phones) == 0 {
		config.Phones = nil
	}
	configure(p.app, &config)
	if p.page, err = web.New(config); err != nil {
		t.Fatal(err)
	}
	p.server = httptest.NewServer(p.page)
	t.Cleanup(func() {
		p.page.Close()
		p.server.Close()
	})
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(await.Hang))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	for name, value := range flags {
		options = append(options, chromedp.Flag(name, value))
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	browser, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	browser, cancel = context.WithTimeout(browser, await.Hang)
	t.Cleanup(cancel)
	// Asked to end, it has written what it writes before its folder goes.
	t.Cleanup(func() { _ = chromedp.Cancel(browser) })
	p.browser = browser
	return p
}

// connectedPhone is a simulated phone that is connected to an adb server.
func connectedPhone(t *testing.T, a *app, server *adbtest.Server, o simOptions) *simphone.Phone {
	t.Helper()
	phone, err := a.simulatedPhone(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := phone.Listen(t.Context(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { phone.Close() })
	if said := string(server.Run("connect", phone.Addr()).Stdout); !strings.HasPrefix(said, "connected to") {
		t.Fatalf("adb connect %s: %s", phone.Addr(), said)
	}
	return phone
}

// testApp is the program with the built-in configuration, and a journal and
// evidence of the test's own.
func testApp(t *testing.T) *app {
	t.Helper()
	a := &app{printer: printer{streams: streams{strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)}}}
	root := a.rootCommand()
	if err := root.ParseFlags(nil); err != nil {
		t.Fatal(err)
	}
	if err := a.configure(root); err != nil {
		t.Fatal(err)
	}
	a.log = slog.New(slog.DiscardHandler)
	a.settings.Journal, a.settings.Play.Evidence = filepath.Join(t.TempDir(), "journal.db"), t.TempDir()
	return a
}

// run runs actions in the browser.
func (p *pageTest) run(actions ...chromedp.Action) {
	p.Helper()
	if err := chromedp.Run(p.browser, actions...); err != nil {
		var said string
		_ = chromedp.Run(p.browser, chromedp.Evaluate(`document.body.innerText`, &said))
		p.Fatalf("%v; the page says:\n%s", err, said)
	}
}

// open shows a view in a window of a size.
func (p *pageTest) open(view string, width, height int64) {
	p.Helper()
	p.run(chromedp.EmulateViewport(width, height), chromedp.Navigate("about:blank"), chromedp.Navigate(p.server.URL+"/#"+view),
		chromedp.WaitVisible("main h1"))
}

// keep keeps a picture of the whole page.
func (p *pageTest) keep(name string) {
	p.Helper()
	folder := os.Getenv(picturesFolder)
	if folder == "" {
		return
	}
	var png []byte
	p.run(chromedp.FullScreenshot(&png, 100))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644); err != nil {
		p.Fatal(err)
	}
}

// wait waits until a JavaScript expression is true. What it speaks of need not
// be there yet.
func (p *pageTest) wait(expression string) {
	p.Helper()
	tried := fmt.Sprintf("(() => { try { return %s } catch { return false } })()", expression)
	if err := chromedp.Run(p.browser, chromedp.Poll(tried, nil, chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(await.Hang))); err != nil {
		var said string
		_ = chromedp.Run(p.browser, chromedp.Evaluate(`document.body.innerText`, &said))
		p.Fatalf("waiting for %s: %v; the page says:\n%s", expression, err, said)
	}
}

// click clicks on what a selector names once it can be and lies still: pictures
// above it that arrive late push it down.
func click(selector string) chromedp.Action {
	still := fmt.Sprintf(`(e => {
		if (!e || e.disabled) return false;
		const now = JSON.stringify(e.getBoundingClientRect()), before = e.dataset.before;
		e.dataset.before = now;
		return now === before;
	})(document.querySelector(%q))`, selector)
	return chromedp.Tasks{
		chromedp.ScrollIntoView(selector, chromedp.ByQuery),
		chromedp.Poll(still, nil, chromedp.WithPollingInterval(100*time.Millisecond)),
		chromedp.Click(selector, chromedp.ByQuery),
	}
}

// wide is a window of a computer, narrow one of a phone.
var widths = []struct {
	name  string
	width int64
}{{"1280", 1280}, {"390", 390}}

// fits fails when the page is wider than its window, or something on it has no
// name.
func (p *pageTest) fits(name string) {
	p.Helper()
	var over string
	p.run(chromedp.Evaluate(`(() => { const w = document.documentElement.clientWidth;
		return document.documentElement.scrollWidth <= w ? '' : 'wider than ' + w + ': ' + [...document.querySelectorAll('main *')]
			.filter(e => e.getBoundingClientRect().right > w + 1).slice(0, 5).map(e => e.outerHTML.slice(0, 80)).join(' | ') })()`, &over))
	if over != "" {
		p.Errorf("%s: the page is %s", name, over)
	}
	var nameless string
	p.run(chromedp.Evaluate(`[...document.querySelectorAll('input, select, textarea, button, [tabindex="0"], [role=img], img, [role=button]')]
		.filter(e => !(e.labels?.length || e.getAttribute('aria-label') || e.alt || e.tagName === 'BUTTON' && e.textContent.trim()))
		.map(e => e.outerHTML.slice(0, 100)).join(' | ')`, &nameless))
	if nameless != "" {
		p.Errorf("%s: without a name for who cannot see: %s", name, nameless)
	}
}

func TestPageSolve(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t)
	for i, size := range widths {
		// The solution comes about step by step; once is enough to see that.
		if i > 0 {
			p.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}))
		}
		for _, g := range pageGames(t) {
			game := g.Name()
			p.open("solve", size.width, 900)
			p.wait(`document.querySelector('#board svg') && document.querySelector('select[name=game]').value !== ''`)
			p.run(chromedp.Evaluate(fmt.Sprintf(`(() => { const g = document.querySelector('select[name=game]'); g.value = %q; g.onchange(); })()`, game), nil), choose("select[name=example]", "0"))
			p.wait(`document.querySelector('#board svg') && document.querySelector('#problem').textContent === '' && document.querySelector('textarea').value !== ''`)
			p.run(click(`button[name=solve]`))
			p.wait(`document.querySelector('#outcome').textContent.startsWith('Solved')`)
			p.wait(`(s => +s.value === +s.max && +s.max > 0)(document.querySelector('#steps input'))`)
			p.fits("solve " + game + " " + size.name)
			p.keep("solve-" + game + "-" + size.name)
			if g.About().Grid != nil && i > 0 {
				p.gridEdited(g)
			}
		}
	}
}

// gridEdited clicks on an empty board of squares: a second click on a wall or a number
// takes it back, and a region goes on with the next click.
func (p *pageTest) gridEdited(g solvers.Game) {
	p.Helper()
	about := g.About().Grid
	click := func(spot string) (text string) {
		p.run(chromedp.Evaluate(fmt.Sprintf(`(document.querySelector('#board .spot[aria-label^="%s"]').dispatchEvent(new MouseEvent('click')), document.querySelector('textarea').value)`, spot), &text))
		return text
	}
	p.run(chromedp.SetValue("#blank input[name=rows]", "5"), chromedp.SetValue("#blank input[name=cols]", "5"), chromedp.Click("#blank button"))
	var blank string
	p.run(chromedp.Evaluate(`document.querySelector('textarea').value`, &blank))
	if about.Walls {
		p.run(chromedp.Click(`#tools [aria-label="Wall"]`))
		if text := click("between 2,1 and 2,2"); text != blank+"\nwalls 2,1|2,2" {
			p.Errorf("%s: a wall put: %q", g.Name(), text)
		}
		if text := click("between 1,2 and 2,2"); text != blank+"\nwalls 1,2|2,2 2,1|2,2" {
			p.Errorf("%s: another wall put: %q", g.Name(), text)
		}
		click("between 1,2 and 2,2")
		if text := click("between 2,1 and 2,2"); text != blank {
			p.Errorf("%s: walls taken away: %q, expected %q", g.Name(), text, blank)
		}
		p.run(chromedp.Click("#tools button"))
	}
	text := click("row 2 column 2")
	switch {
	case about.Numbers:
		if got := strings.Fields(click("row 3 column 1")); got[6] != "1" || got[10] != "2" {
			p.Errorf("%s: two numbers put: %v", g.Name(), got)
		}
		if got := strings.Fields(click("row 2 column 2")); got[6] != about.Entries[0] || got[10] != "2" {
			p.Errorf("%s: a number taken away: %v", g.Name(), got)
		}
	case about.Regions:
		if text != "AAAAA\nBABBB\nCCCCC\nDDDDD\nEEEEE" {
			p.Errorf("%s: a cell put into the first region:\n%s", g.Name(), text)
		}
		p.run(chromedp.Evaluate(`document.querySelector('#tools button:nth-child(2)').click()`, nil))
		if text := click("row 1 column 1"); text != "ABBBB\nABAAA\nCCCCC\nDDDDD\nEEEEE" {
			p.Errorf("%s: the first cell put into the second region, which is the first then:\n%s", g.Name(), text)
		}
	case text == blank:
		p.Errorf("%s: a click put nothing:\n%s", g.Name(), text)
	}
}

// phoneOf is the selector of a phone's card.
func (p *pageTest) phoneOf(i int) string { return fmt.Sprintf("[data-serial=%q]", p.phones[i].Addr()) }

// testPhone is a simulated phone with a game on it.
type testPhone struct {
	simOptions
	game string
}

// simulated are the options of a simulated phone with a pack of levels.
func simulated(t *testing.T, size string, levels ...string) testPhone {
	t.Helper()
	point, err := parsePoint(size)
	if err != nil {
		t.Fatal(err)
	}
	o := simOptions{Options: simulation.Options{Size: point, SDK: 34, Density: 320, Seed: 2}}
	if len(levels) > 0 {
		o.pack = filepath.Join(t.TempDir(), "pack.txt")
		if err := os.WriteFile(o.pack, []byte(strings.Join(levels, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return testPhone{o, "flow"}
}

// boards are levels for the tests, with one solution each.
var boards = []string{
	"EA..A\n....C\nDB.CB\n...E.\nD....",
	"B..AD\n.AC..\n....E\n.CB..\n...DE",
	"....C\n...AD\n..D..\n....A\n.CB.B",
}

func TestPageWatch(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	slow := simulated(t, "720x1480", boards...)
	slow.InputDelay = 100 * time.Millisecond // so that there is something to see
	slow.SDK = 28                            // which refuses the better way of input
	p := newPageTest(t, slow, simulated(t, "720x1280"))
	p.open("watch", 1280, 900)
	first, second := p.phoneOf(0), p.phoneOf(1)
	for _, card := range []string{first, second} {
		p.wait(fmt.Sprintf(`document.querySelector('%s .stage svg .grid') && document.querySelector('%s img').naturalWidth === 720`, card, card))
	}
	p.keep("watch-idle-1280")
	p.fits("watch 1280")
	p.run(chromedp.SetValue(first+" input[name=last]", "2"), click(first+" button[name=start]"))
	p.wait(fmt.Sprintf(`!document.querySelector('%s button[name=pause]').disabled`, first))
	p.run(click(first + " button[name=pause]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s .doing').textContent.endsWith('paused')`, first))
	p.run(click(first + " button[name=pause]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s').dataset.stage === 'play' && document.querySelector('%s .stroke')`, first, first))
	p.keep("watch-play-1280")
	p.wait(fmt.Sprintf(`document.querySelector('%s').dataset.won === '2' && document.querySelector('%s').dataset.stage === 'done'`, first, first))
	touch := first + " .touch"
	p.wait(fmt.Sprintf(`document.querySelector('%s summary').textContent === 'touched by swipes'`, touch))
	if why := p.text(touch + " pre"); !strings.Contains(why, "not motion: its input has no motionevent") {
		t.Errorf("the page says %q of better ways", why)
	}
	p.keep("watch-won-1280")
	p.open("watch", 390, 844)
	p.wait(fmt.Sprintf(`document.querySelector('%s img').naturalWidth === 720`, second))
	p.run(click(second+" .more summary"), click(second+" button[name=dry]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s .commands pre').textContent.includes('input')`, second))
	p.fits("watch 390")
	p.keep("watch-390")
}

// TestPageLookBack plays a level that is won and one on a phone that takes no
// touch, and looks at both.
func TestPageLookBack(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	deaf := simulated(t, "720x1480", boards...)
	deaf.Faults = []string{"refused-touch"}
	p := newPageTest(t, simulated(t, "720x1280", boards...), deaf)
	p.open("watch", 1280, 900)
	for i, stage := range []string{"done", "failed"} {
		card := p.phoneOf(i)
		p.wait(fmt.Sprintf(`document.querySelector('%s img')?.naturalWidth === 720`, card))
		p.run(chromedp.SetValue(card+" input[name=last]", "2"), click(card+" button[name=start]"))
		p.wait(fmt.Sprintf(`document.querySelector('%s').dataset.stage === %q`, card, stage))
	}
	p.keep("watch-failed-1280")
	for _, size := range widths {
		p.open("history", size.width, 900)
		p.wait(`document.querySelectorAll('#rows tr').length === 3`)
		var first, summary string
		p.run(chromedp.Text("#rows tr:first-child td:nth-child(4)", &first), chromedp.Text("#summary", &summary))
		if first != "failed" || summary != "3 attempts, 2 won, 1 not" {
			t.Errorf("%s: the first row is %q under %q, expected the failure under 3 attempts, 2 won, 1 not", size.name, first, summary)
		}
		p.pointAtDot(size.name)
		p.run(click("#rows tr:first-child button"))
		p.wait(`document.querySelector('#attempt .stage img')?.naturalWidth === 720`)
		p.fits("history " + size.name)
		p.keep("history-failed-" + size.name)
		p.run(click("#rows tr:last-child button"))
		p.wait(`document.querySelector('#attempt h2').textContent.includes('won') && document.querySelector('#attempt .board polyline[stroke-width^="0.333"]')`)
		p.wait(`document.querySelector('#attempt .stage img')?.naturalWidth === 720`)
		var before, after string
		p.run(chromedp.Text("#attempt output", &before, chromedp.ByQuery), chromedp.Click(`//section[@id="attempt"]//button[text()="Next"]`))
		p.wait(`(i => i.complete && i.naturalWidth > 0)(document.querySelector('#attempt .stage img'))`) // a frame that was pushed may be smaller
		p.run(chromedp.Text("#attempt output", &after, chromedp.ByQuery))
		if before == after {
			t.Errorf("%s: stepping shows %q again", size.name, before)
		}
		p.wait(`(s => +s.value === +s.max && +s.max > 0)(document.querySelector('#attempt input[type=range]'))`)
		p.keep("history-won-" + size.name)
		p.run(chromedp.SetValue("#filters select[name=verdict]", "won"), chromedp.Evaluate(`document.querySelector('#filters select[name=verdict]').onchange()`, nil))
		p.wait(`document.querySelectorAll('#rows tr').length === 2`)
	}
	// A report has the same plots, without a server.
	file := filepath.Join(t.TempDir(), "report.html")
	if err := p.app.report(t.Context(), historyOptions{}, file); err != nil {
		t.Fatal(err)
	}
	p.run(chromedp.EmulateViewport(1280, 900), chromedp.Navigate("file://"+file))
	p.pointAtDot("report")
	p.keep("report-1280")
}

// pointAtDot wants three plots of times, and points at the first dot of the first, which says
// what it is.
func (p *pageTest) pointAtDot(where string) {
	p.Helper()
	p.wait(`document.querySelectorAll('.plots canvas').length === 3`)
	const caption = ".plots figcaption"
	if words := p.text(caption); !regexp.MustCompile(`(?i)^read.*: median [\d.]+ m?s, 95 % within [\d.]+ m?s$`).MatchString(words) {
		p.Errorf("%s: the first plot says %q", where, words)
	}
	p.run(chromedp.ScrollIntoView(".plots .u-over", chromedp.ByQuery))
	label := regexp.MustCompile(`^flow,? .*level 1.*: [\d.]+ m?s$`)
	dx := 5.0
	await.Until(p.T, where+": a dot says what it is", func() bool {
		var at struct{ X, Y float64 }
		p.run(chromedp.Evaluate(`(r => ({ X: r.x + r.width / 10, Y: r.y + r.height / 2 }))(document.querySelector('.plots .u-over').getBoundingClientRect())`, &at))
		dx = -dx
		p.run(chromedp.MouseEvent("mouseMoved", at.X+dx, at.Y))
		return label.MatchString(p.text(caption))
	})
	// There are as many colours as dots of different kinds, besides those of lines and names.
	var drawn int
	p.run(chromedp.Evaluate(`(c => new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size)(document.querySelector('.plots canvas'))`, &drawn))
	if drawn < 4 {
		p.Errorf("%s: the first plot has %d colours, expected more than of an empty one", where, drawn)
	}
}

// TestPageUnconfirmed looks back at a win that the app did not show, and at one that it
// did.
func TestPageUnconfirmed(t *testing.T) {
	t.Parallel()
	const why = "the board was left for a screen that is not known"
	p := newPageTest(t)
	record, err := journal.Open(t.Context(), p.app.settings.Journal)
	if err != nil {
		t.Fatal(err)
	}
	defer record.Close()
	run := journal.Run{Started: time.Now(), Serial: "R58M", Game: "flow"}
	if err := record.SaveRun(t.Context(), &run); err != nil {
		t.Fatal(err)
	}
	for i, unconfirmed := range []string{"", why} {
		at := run.Started.Add(time.Duration(i) * time.Second)
		if err := record.SaveAttempt(t.Context(), &journal.Attempt{Run: run.ID, Serial: run.Serial, Game: run.Game, Level: i + 1, Started: at, Ended: at.Add(time.Second), Verdict: journal.Won, Record: attempt.Record{Unconfirmed: unconfirmed}}); err != nil {
			t.Fatal(err)
		}
	}
	p.open("history", 1280, 900)
	p.wait(`document.querySelectorAll('#rows tr').length === 2`)
	for selector, want := range map[string]string{
		"#rows tr:first-child td:nth-child(4)": "won, unconfirmed", // the newest is the first
		"#rows tr:last-child td:nth-child(4)":  "won",
		"#summary":                             "2 attempts, 2 won (1 unconfirmed), 0 not",
	} {
		if got := p.text(selector); got != want {
			t.Errorf("%s is %q, expected %q", selector, got, want)
		}
	}
	p.run(click("#rows tr:first-child button"))
	p.wait(`document.querySelector('#attempt h2')?.textContent === 'flow level 2: won, unconfirmed'`)
	if panel := p.text("#attempt"); !strings.Contains(panel, why) {
		t.Errorf("the attempt's panel is %q, expected the reason %q", panel, why)
	}
	p.fits("history of an unconfirmed win")
}

// drag moves a handle of the layout by so many pixels of the picture.
func (p *pageTest) drag(handle string, dx, dy float64) {
	p.Helper()
	var at struct{ X, Y, Scale float64 }
	p.run(chromedp.ScrollIntoView(fmt.Sprintf(`[data-handle=%q]`, handle), chromedp.ByQuery),
		chromedp.Evaluate(fmt.Sprintf(`(() => { const r = document.querySelector('[data-handle=%q]').getBoundingClientRect(), s = document.querySelector('.drop svg').getBoundingClientRect(),
			v = document.querySelector('.drop svg').viewBox.baseVal;
			return { X: r.x + r.width / 2, Y: r.y + r.height / 2, Scale: s.width / v.width } })()`, handle), &at))
	p.run(chromedp.MouseEvent("mousePressed", at.X, at.Y, chromedp.ButtonLeft),
		chromedp.MouseEvent("mouseMoved", at.X+dx*at.Scale/2, at.Y+dy*at.Scale/2, chromedp.ButtonLeft),
		chromedp.MouseEvent("mouseMoved", at.X+dx*at.Scale, at.Y+dy*at.Scale, chromedp.ButtonLeft),
		chromedp.MouseEvent("mouseReleased", at.X+dx*at.Scale, at.Y+dy*at.Scale, chromedp.ButtonLeft))
}

// text is the text of an element.
func (p *pageTest) text(selector string) string {
	p.Helper()
	var text string
	p.run(chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).textContent`, selector), &text))
	return text
}

// TestPageCalibrate takes a screenshot of the phone, drags a corner away and
// sees the board change, undoes it, and saves the profile.
func TestPageCalibrate(t *testing.T) {
	gametest.Long(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // no other test sees the profile
	p := newPageTest(t, simulated(t, "720x1480", boards...))
	for _, size := range widths {
		p.open("calibrate", size.width, 900)
		p.wait(`document.querySelector('select[name=phone]').value !== ''`)
		p.run(click("button[name=take]"))
		p.wait(`document.querySelector('#verdict')?.textContent === '5×5 board read' && document.querySelector('#boardpicture svg')`)
		right := p.text("#boardtext")
		p.keep("calibrate-" + size.name)
		p.fits("calibrate " + size.name)
		picture := p.text("#boardpicture")
		p.drag("bottom right corner", -280, -280)
		p.wait(fmt.Sprintf(`document.querySelector('#boardtext').textContent !== %q && document.querySelectorAll('#boardpicture .gem').length === 25`, right))
		p.keep("calibrate-dragged-" + size.name)
		p.run(click("button[name=undo]"))
		p.wait(fmt.Sprintf(`document.querySelector('#boardtext').textContent === %q`, right))
		// A column and a row less are another board.
		p.drag("top left corner", 143, 143)
		p.wait(fmt.Sprintf(`document.querySelector('#boardpicture').textContent !== %q`, picture))
		for _, side := range []string{"rows", "cols"} {
			p.run(chromedp.Evaluate(fmt.Sprintf(`(e => { e.value = '4'; e.dispatchEvent(new Event('change')); })(document.querySelector('#layout input[name=%s]'))`, side), nil))
		}
		p.wait(`document.querySelectorAll('#boardpicture .cell').length === 16`)
		p.keep("calibrate-less-" + size.name)
		for range 3 {
			p.wait(`!document.querySelector('button[name=undo]').disabled`)
			p.run(click("button[name=undo]"))
		}
		p.wait(fmt.Sprintf(`document.querySelector('#boardtext').textContent === %q && document.querySelector('button[name=undo]').disabled`, right))
		// A mark whose colour is the ground's is none; undone, it is one again.
		p.run(chromedp.Evaluate(`(e => { e.value = document.querySelector('#swatches input[data-name="mark 1"]').value; e.dispatchEvent(new Event('change')); })(document.querySelector('#swatches input[data-name="ground 1"]'))`, nil))
		p.wait(fmt.Sprintf(`document.querySelector('#boardtext').textContent !== %q`, right))
		p.run(click("button[name=undo]"))
		p.wait(fmt.Sprintf(`document.querySelector('#boardtext').textContent === %q`, right))
		p.run(chromedp.SendKeys(`[data-handle="top left corner"]`, kb.ArrowRight))
		p.wait(`!document.querySelector('button[name=undo]').disabled`)
		p.run(click("button[name=undo]"))
		p.run(chromedp.SetValue("#newbutton select", "next"), click("#newbutton button"))
		p.wait(`document.querySelector('[data-handle="button next"]')`)
		p.run(click("button[name=save]"))
		p.wait(`document.querySelector('#saved').textContent.startsWith('Saved as ')`)
		p.keep("calibrate-saved-" + size.name)
		file := strings.TrimPrefix(p.text("#saved"), "Saved as ")
		profile, err := calibration.LoadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := profile.Buttons["next"]; !ok || profile.Game != "flow" || profile.Phone.Frame != image.Pt(720, 1480) {
			t.Errorf("%s: %+v", file, profile)
		}
		// The same picture, dropped and pasted.
		for _, how := range []string{
			`document.querySelector('#drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))`,
			`document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))`,
		} {
			p.run(chromedp.Evaluate(`(async () => { const blob = await (await fetch('/api/pictures/' + performance.getEntriesByType('resource').map(e => e.name.match(/pictures\/([A-Z0-9]+)$/)?.[1]).filter(Boolean).at(-1))).blob();
				const data = new DataTransfer(); data.items.add(new File([blob], 'screen.jpg', { type: 'image/jpeg' }));
				document.querySelector('#verdict').textContent = ''; `+how+` })()`, nil))
			p.wait(fmt.Sprintf(`document.querySelector('#verdict').textContent === '5×5 board read' && document.querySelector('#boardtext').textContent === %q`, right))
		}
	}
}

// TestPageCalibrateLook calibrates on an app of another look: the board's rectangle is
// dragged, what would be read shows meanwhile, two marks are said to belong together, and
// the profile is kept.
func TestPageCalibrateLook(t *testing.T) {
	gametest.Long(t)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // no other test sees the profile
	p := newPageTest(t)
	const seed = 1
	picture := p.lookPicture(seed)
	number := func(name string) (n float64) {
		p.run(chromedp.Evaluate(fmt.Sprintf(`+document.querySelector('#layout input[name=%s]').value`, name), &n))
		return n
	}
	for _, size := range widths {
		p.open("calibrate", size.width, 900)
		p.wait(`document.querySelector('select[name=game]').options.length > 0`) // from then on it takes files
		p.run(chromedp.SetUploadFiles("input[name=file]", []string{picture}, chromedp.ByQuery))
		p.wait(`document.querySelector('#verdict').className === 'good'`)
		p.run(chromedp.Evaluate(`(e => { if (!e.checked) e.click(); })(document.querySelector('input[name=signs]'))`, nil))
		p.wait(`document.querySelector('#verdict').className === 'good' && document.querySelector('input[name=signs]').checked && document.querySelectorAll('#swatches label').length === 0`)
		right, board := p.text("#boardtext"), [4]float64{number("left"), number("top"), number("right"), number("bottom")}
		rows, cols := number("rows"), number("cols")
		pitch := (board[2] - board[0]) / cols

		// A part of the board is none.
		p.rectangle(board[0]+1.3*pitch, board[1]+1.3*pitch, board[2]-0.6*pitch, board[3]-0.6*pitch, true)
		p.wait(`document.querySelector('#verdict').className === 'bad'`)
		p.keep("calibrate-look-part-" + size.name)
		// The board shows before the finger leaves, and stays.
		p.rectangle(board[0]+0.03*pitch, board[1]-0.04*pitch, board[2]+0.03*pitch, board[3]+0.02*pitch, false)
		p.wait(fmt.Sprintf(`document.querySelector('#boardtext').textContent === %q && document.querySelector('.stage .grid')`, right))
		p.keep("calibrate-look-dragging-" + size.name)
		p.run(chromedp.MouseEvent("mouseReleased", 1, 1, chromedp.ButtonLeft))
		p.wait(fmt.Sprintf(`document.querySelector('#verdict').className === 'good' && document.querySelector('#boardtext').textContent === %q`, right))
		if got := number("rows"); got != rows {
			t.Errorf("%v rows found in the rectangle, expected %v", got, rows)
		}
		p.fits("calibrate look " + size.name)

		// Two marks are tapped; so they are one colour's, and their mates have none.
		first := strings.IndexFunc(strings.ReplaceAll(right, "\n", ""), func(r rune) bool { return r >= 'A' && r <= 'Z' })
		line := strings.ReplaceAll(right, "\n", "")
		second := strings.IndexFunc(line, func(r rune) bool { return r >= 'A' && r <= 'Z' && byte(r) != line[first] })
		for _, cell := range []int{first, second} {
			p.tap(board[0]+(float64(cell%int(cols))+0.5)*pitch, board[1]+(float64(cell/int(cols))+0.5)*pitch)
		}
		p.wait(`document.querySelector('#alike').textContent.includes(' = ') && document.querySelector('#verdict').className === 'bad'`)
		p.keep("calibrate-look-alike-" + size.name)
		p.run(click("button[name=undo]"))
		p.wait(fmt.Sprintf(`document.querySelector('#verdict').className === 'good' && document.querySelector('#boardtext').textContent === %q && document.querySelector('#alike').textContent === ''`, right))

		p.run(click("button[name=save]"))
		p.wait(`document.querySelector('#saved').textContent.startsWith('Saved as ')`)
		p.keep("calibrate-look-saved-" + size.name)
		profile, err := calibration.LoadFile(strings.TrimPrefix(p.text("#saved"), "Saved as "))
		if err != nil {
			t.Fatal(err)
		}
		if !profile.Reading.Signs || profile.Board.Rows != int(rows) || profile.Board.Cols != int(cols) {
			t.Errorf("%+v, expected one of signs with %v rows and %v columns", profile, rows, cols)
		}
	}
}

// lookPicture is a file with the first frame of an app of a random look, as the test's
// browser draws it.
func (p *pageTest) lookPicture(seed uint64) string {
	p.Helper()
	l, err := looks.New(p.Context(), seed, 1)
	if err != nil {
		p.Fatal(err)
	}
	text, err := l.HTML()
	if err != nil {
		p.Fatal(err)
	}
	folder := p.TempDir()
	page, name := filepath.Join(folder, "look.html"), filepath.Join(folder, "look.png")
	if err := os.WriteFile(page, text, 0o644); err != nil {
		p.Fatal(err)
	}
	var data []byte
	css := func(pixels int) int64 { return int64(float64(pixels) / l.Density) }
	p.run(emulation.SetDeviceMetricsOverride(css(l.Screen.X), css(l.Screen.Y), l.Density, true),
		chromedp.Navigate("file://"+page), chromedp.WaitReady("#board"), chromedp.CaptureScreenshot(&data))
	if err := os.WriteFile(name, data, 0o644); err != nil {
		p.Fatal(err)
	}
	return name
}

// place is where a pixel of the picture to calibrate on lies in the window.
func (p *pageTest) place(x, y float64) (u, v float64) {
	p.Helper()
	var at [2]float64
	p.run(chromedp.ScrollIntoView(".drop svg", chromedp.ByQuery),
		chromedp.Evaluate(fmt.Sprintf(`(() => { const e = document.querySelector('.drop svg'), at = new DOMPoint(%f, %f).matrixTransform(e.getScreenCTM()); return [at.x, at.y] })()`, x, y), &at))
	return at[0], at[1]
}

// rectangle drags a rectangle over the picture, in its pixels.
func (p *pageTest) rectangle(x0, y0, x1, y1 float64, released bool) {
	p.Helper()
	u0, v0 := p.place(x0, y0)
	u1, v1 := p.place(x1, y1)
	p.run(chromedp.MouseEvent("mousePressed", u0, v0, chromedp.ButtonLeft),
		chromedp.MouseEvent("mouseMoved", (u0+u1)/2, (v0+v1)/2, chromedp.ButtonLeft),
		chromedp.MouseEvent("mouseMoved", u1, v1, chromedp.ButtonLeft))
	if released {
		p.run(chromedp.MouseEvent("mouseReleased", u1, v1, chromedp.ButtonLeft))
	}
}

// tap taps on the picture, at one of its pixels.
func (p *pageTest) tap(x, y float64) {
	p.Helper()
	u, v := p.place(x, y)
	p.run(chromedp.MouseEvent("mousePressed", u, v, chromedp.ButtonLeft), chromedp.MouseEvent("mouseReleased", u, v, chromedp.ButtonLeft))
}

// TestPageTwice plays while two pages are open, one of which is loaded anew in
// mid-run, and ends the server while both are.
func TestPageTwice(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	slow := simulated(t, "720x1480", boards...)
	slow.TimeScale = 2
	p := newPageTest(t, slow)
	// A page listens only while it can be seen; these two can be, each in its window.
	p.run(emulation.SetFocusEmulationEnabled(true))
	p.open("watch", 1280, 900)
	card := p.phoneOf(0)
	p.wait(fmt.Sprintf(`document.querySelector('%s img')?.naturalWidth === 720`, card))
	first := p.browser
	second, cancel := chromedp.NewContext(first)
	defer cancel()
	p.browser = second
	p.run(emulation.SetFocusEmulationEnabled(true))
	p.open("watch", 390, 844)
	p.wait(fmt.Sprintf(`document.querySelector('%s img')?.naturalWidth === 720`, card))
	p.browser = first
	p.run(chromedp.SetValue(card+" input[name=last]", "3"), click(card+" button[name=start]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s')?.dataset.won === '1'`, card))
	p.run(chromedp.Reload())
	p.wait(fmt.Sprintf(`document.querySelector('%s')?.dataset.won >= '1'`, card))
	for _, page := range []context.Context{second, first} {
		p.browser = page
		p.wait(fmt.Sprintf(`document.querySelector('%s')?.dataset.won === '3' && document.querySelector('%s').dataset.stage === 'done'`, card, card))
	}
	p.page.Close()
	p.server.CloseClientConnections()
	p.server.Listener.Close()
	for _, page := range []context.Context{second, first} {
		p.browser = page
		p.wait(`document.querySelector('#link').textContent === 'not connected'`)
	}
}

// TestPageDarkAndCalm shows the views to who likes it dark and without motion.
func TestPageDarkAndCalm(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTestWith(t, map[string]any{"force-prefers-reduced-motion": true, "blink-settings": "preferredColorScheme=0"}, simulated(t, "720x1280", boards...))
	for _, size := range widths {
		p.open("solve", size.width, 900)
		p.wait(`document.querySelector('#board svg')`)
		var dark, calm bool
		p.run(chromedp.Evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`, &dark), chromedp.Evaluate(`matchMedia('(prefers-reduced-motion: reduce)').matches`, &calm))
		if !dark || !calm {
			t.Skipf("this browser cannot be told: dark %v, calm %v", dark, calm)
		}
		p.run(click("button[name=solve]"))
		p.wait(`document.querySelector('#outcome').textContent.startsWith('Solved')`)
		// All of it is there at once.
		var step, steps string
		p.run(chromedp.Value("#steps input", &step), chromedp.Evaluate(`document.querySelector('#steps input').max`, &steps))
		if step != steps || step == "0" {
			t.Errorf("step %s of %s is shown, expected the last at once", step, steps)
		}
		p.keep("dark-solve-" + size.name)
		p.open("watch", size.width, 900)
		p.wait(fmt.Sprintf(`document.querySelector('%s img')?.naturalWidth === 720`, p.phoneOf(0)))
		p.keep("dark-watch-" + size.name)
		p.open("calibrate", size.width, 900)
		p.wait(`document.querySelector('select[name=phone]').value !== ''`)
		p.run(click("button[name=take]"))
		p.wait(`document.querySelector('#boardpicture svg')`)
		p.keep("dark-calibrate-" + size.name)
		p.open("history", size.width, 900)
		p.wait(`document.querySelector('#summary').textContent !== ''`)
		p.keep("dark-history-" + size.name)
	}
}

// TestPageKeys draws a puzzle with the keyboard alone and solves it.
func TestPageKeys(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t)
	p.open("solve", 1280, 900)
	p.wait(`document.querySelector('#board svg')`)
	p.run(chromedp.SetValue("#blank input[name=rows]", "2"), chromedp.SetValue("#blank input[name=cols]", "3"), click("#blank button"))
	p.wait(`document.querySelector('textarea').value === '...\n...'`)
	p.run(chromedp.Focus("#board .spot"), chromedp.KeyEvent("A"), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent("A"), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight),
		chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowRight))
	p.wait(`document.querySelector('textarea').value === 'A..\nA.B'`)
	p.run(chromedp.KeyEvent(kb.Enter))
	p.wait(`document.querySelector('textarea').value === 'AB.\nA.B' && document.querySelector('#problem').textContent === ''`)
	p.run(click("button[name=count]"))
	p.wait(`document.querySelector('#outcome').textContent.length > 10`)
	if got := p.text("#outcome"); !strings.HasPrefix(got, "2 solutions") && !strings.HasPrefix(got, "Exactly one solution") && !strings.HasPrefix(got, "no solution") {
		t.Errorf("counted: %q", got)
	}
	// What is pasted may be of any game.
	other := all.Games()[1]
	p.run(chromedp.Evaluate(fmt.Sprintf(`(t => { t.value = %q; t.oninput(); })(document.querySelector('textarea'))`, gametest.Levels(t, other)[0]), nil))
	p.wait(fmt.Sprintf(`document.querySelector('select[name=game]').value === %q`, other.Name()))
	// The sides asked for before are too short for it, which is said.
	p.run(click("button[name=generate], #generate button"))
	p.wait(`document.querySelector('#outcome').className === 'bad' && document.querySelector('#outcome').textContent.includes('expected')`)
	p.run(chromedp.SetValue("#blank input[name=rows]", "4"), click("button[name=generate], #generate button"))
	p.wait(`document.querySelector('#outcome').textContent === 'A new puzzle.'`)
}

// TestPageGames plays a level of each of the other games that can be played,
// each on its phone, side by side.
func TestPageGames(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	var phones []testPhone
	for _, g := range pageGames(t) {
		if g != all.Games()[0] {
			phone := simulated(t, "720x1480")
			phone.game = g.Name()
			phones = append(phones, phone)
		}
	}
	p := newPageTest(t, phones...)
	p.open("watch", 1280, 900)
	for i, phone := range phones {
		card := p.phoneOf(i)
		p.wait(fmt.Sprintf(`document.querySelector('%s img')?.naturalWidth === 720`, card))
		p.run(chromedp.Evaluate(fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('change')); })(document.querySelector('%s select[name=game]'))`, phone.game, card), nil))
	}
	for i := range phones {
		card := p.phoneOf(i)
		p.wait(fmt.Sprintf(`document.querySelector('%s .stage .grid')`, card))
	}
	p.keep("games-seen-1280")
	for i := range phones {
		card := p.phoneOf(i)
		p.run(chromedp.SetValue(card+" input[name=last]", "1"), click(card+" button[name=start]"))
	}
	for i := range phones {
		card := p.phoneOf(i)
		p.wait(fmt.Sprintf(`document.querySelector('%s').dataset.won === '1' && document.querySelector('%s').dataset.stage === 'done'`, card, card))
	}
	p.keep("games-won-1280")
}
