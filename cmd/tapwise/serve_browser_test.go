package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tapwise/adb/adbtest"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/web"
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

// newPageTest starts the page with simulated phones, each with its options.
// It skips the test where adb or Chromium is missing.
func newPageTest(t *testing.T, phones ...simOptions) *pageTest {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed (Debian package chromium)")
	}
	p := &pageTest{T: t}
	p.app = testApp(t)
	p.app.settings.Game = "flow"
	adb := adbtest.Start(t)
	p.app.settings.ADB.Port = adb.Port
	for _, o := range phones {
		phone, err := p.app.simulatedPhone(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := phone.Listen(t.Context(), "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { phone.Close() })
		if said := string(adb.Run("connect", phone.Addr()).Stdout); !strings.HasPrefix(said, "connected to") {
			t.Fatalf("adb connect %s: %s", phone.Addr(), said)
		}
		p.phones = append(p.phones, phone)
	}
	config := p.app.pageConfig()
	if len(phones) == 0 {
		config.Phones = nil
	}
	if p.page, err = web.New(config); err != nil {
		t.Fatal(err)
	}
	p.server = httptest.NewServer(p.page)
	t.Cleanup(func() {
		p.page.Close()
		p.server.Close()
	})
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.UserDataDir(t.TempDir()))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	browser, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	browser, cancel = context.WithTimeout(browser, 3*time.Minute)
	t.Cleanup(cancel)
	p.browser = browser
	return p
}

// testApp is the program with the built-in configuration and folders of the
// test's own.
func testApp(t *testing.T) *app {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	a := &app{streams: streams{strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)}}
	root := a.rootCommand()
	if err := root.ParseFlags(nil); err != nil {
		t.Fatal(err)
	}
	if err := a.configure(root); err != nil {
		t.Fatal(err)
	}
	a.log = slog.New(slog.DiscardHandler)
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

// wait waits until a JavaScript expression is true.
func (p *pageTest) wait(expression string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.browser, 60*time.Second)
	defer cancel()
	if err := chromedp.Run(ctx, chromedp.Poll(expression, nil, chromedp.WithPollingInterval(50*time.Millisecond))); err != nil {
		var said string
		_ = chromedp.Run(p.browser, chromedp.Evaluate(`document.body.innerText`, &said))
		p.Fatalf("waiting for %s: %v; the page says:\n%s", expression, err, said)
	}
}

// wide is a window of a computer, narrow one of a phone.
var widths = []struct {
	name  string
	width int64
}{{"1280", 1280}, {"390", 390}}

// fits fails when the page is wider than its window.
func (p *pageTest) fits(name string) {
	p.Helper()
	var over string
	p.run(chromedp.Evaluate(`(() => { const w = document.documentElement.clientWidth;
		return document.documentElement.scrollWidth <= w ? '' : 'wider than ' + w + ': ' + [...document.querySelectorAll('main *')]
			.filter(e => e.getBoundingClientRect().right > w + 1).slice(0, 5).map(e => e.outerHTML.slice(0, 80)).join(' | ') })()`, &over))
	if over != "" {
		p.Errorf("%s: the page is %s", name, over)
	}
}

func TestPageSolve(t *testing.T) {
	p := newPageTest(t)
	for _, size := range widths {
		for _, game := range []string{"flow", "algemy", "alcazar", "adrift", "asteroid"} {
			p.open("solve", size.width, 900)
			p.wait(`document.querySelector('#editor svg') && document.querySelector('select[name=game]').value === 'flow'`)
			p.run(chromedp.Evaluate(fmt.Sprintf(`(() => { const g = document.querySelector('select[name=game]'); g.value = %q; g.onchange(); })()`, game), nil))
			p.wait(`document.querySelector('#editor svg') && document.querySelector('#problem').textContent === '' && document.querySelector('textarea').value !== ''`)
			p.run(chromedp.Click(`button[name=solve]`))
			p.wait(`document.querySelector('#outcome').textContent.startsWith('Solved')`)
			p.wait(`(s => +s.value === +s.max && +s.max > 0)(document.querySelector('#steps input'))`)
			p.fits("solve " + game + " " + size.name)
			p.keep("solve-" + game + "-" + size.name)
		}
	}
}

// phoneOf is the selector of a phone's card.
func (p *pageTest) phoneOf(i int) string { return fmt.Sprintf("[data-serial=%q]", p.phones[i].Addr()) }

// simulated are the options of a simulated phone with a pack of levels.
func simulated(t *testing.T, size string, levels ...string) simOptions {
	t.Helper()
	o := simOptions{size: size, sdk: 34, density: 320, seed: 2}
	if len(levels) > 0 {
		o.pack = filepath.Join(t.TempDir(), "pack.txt")
		if err := os.WriteFile(o.pack, []byte(strings.Join(levels, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// boards are levels for the tests, with one solution each.
var boards = []string{
	"EA..A\n....C\nDB.CB\n...E.\nD....",
	"B..AD\n.AC..\n....E\n.CB..\n...DE",
	"....C\n...AD\n..D..\n....A\n.CB.B",
}

func TestPageWatch(t *testing.T) {
	slow := simulated(t, "720x1480", boards...)
	slow.delay.TimeScale = 2 // so that there is something to see
	p := newPageTest(t, slow, simulated(t, "720x1280"))
	p.open("watch", 1280, 900)
	first, second := p.phoneOf(0), p.phoneOf(1)
	for _, card := range []string{first, second} {
		p.wait(fmt.Sprintf(`document.querySelector('%s .stage svg .grid') && document.querySelector('%s img').naturalWidth === 720`, card, card))
	}
	p.keep("watch-idle-1280")
	p.fits("watch 1280")
	p.run(chromedp.SetValue(first+" input[name=last]", "2"), chromedp.Click(first+" button[name=start]"))
	p.wait(fmt.Sprintf(`!document.querySelector('%s button[name=pause]').disabled`, first))
	p.run(chromedp.Click(first + " button[name=pause]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s .doing').textContent.endsWith('paused') && document.querySelector('%s .stroke')`, first, first))
	p.run(chromedp.Click(first + " button[name=pause]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s').dataset.stage === 'play' && document.querySelector('%s .stroke')`, first, first))
	p.keep("watch-play-1280")
	p.wait(fmt.Sprintf(`document.querySelector('%s').dataset.won === '2' && document.querySelector('%s').dataset.stage === 'done'`, first, first))
	p.keep("watch-won-1280")
	p.open("watch", 390, 844)
	p.wait(fmt.Sprintf(`document.querySelector('%s img').naturalWidth === 720`, second))
	p.run(chromedp.Click(second + " button[name=dry]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s .commands pre').textContent.includes('input')`, second))
	p.fits("watch 390")
	p.keep("watch-390")
}

// TestPageLookBack plays a level that is won and one on a phone that takes no
// touch, and looks at both.
func TestPageLookBack(t *testing.T) {
	deaf := simulated(t, "720x1480", boards...)
	deaf.faults = []string{"refused-touch"}
	p := newPageTest(t, simulated(t, "720x1280", boards...), deaf)
	p.open("watch", 1280, 900)
	for i, stage := range []string{"done", "failed"} {
		card := p.phoneOf(i)
		p.wait(fmt.Sprintf(`document.querySelector('%s img')?.naturalWidth === 720`, card))
		p.run(chromedp.SetValue(card+" input[name=last]", "2"), chromedp.Click(card+" button[name=start]"))
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
		p.run(chromedp.Click("#rows tr:first-child button"))
		p.wait(`document.querySelector('#attempt .stage img')?.naturalWidth === 720`)
		var before, after string
		p.run(chromedp.Text("#attempt output", &before), chromedp.Click(`//section[@id="attempt"]//button[text()="Next"]`))
		p.wait(`document.querySelector('#attempt .stage img')?.naturalWidth === 720`)
		p.run(chromedp.Text("#attempt output", &after))
		if before == after {
			t.Errorf("%s: stepping shows %q again", size.name, before)
		}
		p.fits("history " + size.name)
		p.keep("history-failed-" + size.name)
		p.run(chromedp.Click("#rows tr:last-child button"))
		p.wait(`document.querySelector('#attempt h2').textContent.includes('won') && document.querySelector('#attempt .pipe')`)
		p.wait(`(s => +s.value === +s.max && +s.max > 0)(document.querySelector('#attempt input[type=range]'))`)
		p.keep("history-won-" + size.name)
		p.run(chromedp.SetValue("#filters select[name=verdict]", "won"), chromedp.Evaluate(`document.querySelector('#filters select[name=verdict]').onchange()`, nil))
		p.wait(`document.querySelectorAll('#rows tr').length === 2`)
	}
}
