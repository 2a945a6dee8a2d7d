package webphone

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"

	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
)

// serve serves HTML pages by their paths on the loopback interface.
func serve(t *testing.T, pages map[string]string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := pages[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
		case text == "slow":
			<-r.Context().Done()
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, text)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// opened returns a page that loads, on a screen of 400 x 700 pixels with two pixels
// for each CSS pixel. It skips the test where there is no Chromium.
func opened(t *testing.T, config Config) *Page {
	t.Helper()
	needBrowser(t)
	config.Size, config.Density, config.Wait = image.Pt(400, 700), 320, await.Hang
	page, err := Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { page.Close() })
	return page
}

func needBrowser(t *testing.T) {
	t.Helper()
	if _, err := Browser(); err != nil {
		t.Skip("chromium is not installed (Debian package chromium)")
	}
	await.Turn(t)
}

const drawn = `<meta name="viewport" content="width=device-width"><body style="margin:0;background:#00f"><div style="position:absolute;left:50px;top:100px;width:10px;height:20px;background:#f00"></div>
<script>
var log = [innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints, 'ontouchstart' in window];
for (const kind of ['touchstart', 'touchmove', 'touchend', 'click'])
  document.addEventListener(kind, e => { const t = e.changedTouches ? e.changedTouches[0] : e; log.push(kind, t.clientX, t.clientY) });
</script>`

// TestScreen shows a page pixel by pixel, upright and turned, and expects touches
// to arrive where they belong.
func TestScreen(t *testing.T) {
	page := opened(t, Config{URL: serve(t, map[string]string{"/": drawn})})
	red, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}
	for _, size := range []image.Point{{400, 700}, {700, 400}, {400, 700}, {401, 703}} {
		frame := simphone.Render(page, size, 0)
		if err := page.Err(); err != nil {
			t.Fatal(err)
		}
		if frame.Rect.Size() != size {
			t.Errorf("a frame of %v, expected %v", frame.Rect.Size(), size)
		}
		for at, want := range map[image.Point]color.RGBA{{103, 205}: red, {117, 235}: red, {95, 205}: blue, {125, 205}: blue, {103, 195}: blue, {103, 245}: blue} {
			if got := frame.RGBAAt(at.X, at.Y); got != want {
				t.Errorf("%v: pixel %v is %v, expected %v", size, at, got, want)
			}
		}
	}
	simphone.Render(page, image.Pt(400, 700), 0)
	page.Touch(simphone.TouchMove, 10, 10, 0) // no finger is down: nothing happens
	page.Touch(simphone.TouchDown, 100, 200, 0)
	page.Touch(simphone.TouchMove, 102, 300, 0)
	page.Touch(simphone.TouchMove, 240, 300, 0)
	page.Touch(simphone.TouchUp, 240, 300, 0)
	page.Touch(simphone.TouchDown, 60, 80, 0)
	page.Touch(simphone.TouchUp, 60, 80, 0)
	var got string
	if err := page.run(chromedp.Evaluate("log.join(' ')", &got), chromedp.Poll("log.includes('click')", nil), chromedp.Evaluate("log.join(' ')", &got)); err != nil {
		t.Fatal(err)
	}
	want := "200 350 2 1 true touchstart 50 100 touchmove 51 150 touchmove 120 150 touchend 120 150 touchstart 30 40 touchend 30 40 click 30 40"
	if got != want {
		t.Errorf("the page saw\n%s\nexpected\n%s", got, want)
	}
}

// killRenderers ends the processes that draw pages. Page.crash would have them end
// themselves, which the browser notices after seconds, and at times after minutes.
func killRenderers(t *testing.T, p *Page) {
	browser := cdp.WithExecutor(p.tab, chromedp.FromContext(p.tab).Browser)
	processes, err := systeminfo.GetProcessInfo().Do(browser)
	if err != nil {
		t.Error(err)
	}
	for _, process := range processes {
		if process.Type == "renderer" {
			if err := syscall.Kill(int(process.ID), syscall.SIGKILL); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestFailures opens pages that fail, at once or later: each ends in its error and
// in a screen that shows it, and none hangs.
func TestFailures(t *testing.T) {
	const short = 3 * time.Second
	needBrowser(t)
	elsewhere := serve(t, map[string]string{"/": "elsewhere"})
	site := serve(t, map[string]string{
		"/slow":  "slow",
		"/still": "<body>still",
		"/away":  "<script>setTimeout(() => location = '" + elsewhere + "', 300)</script>",
		"/busy":  "<body><script>addEventListener('touchstart', () => { for (;;); })</script>",
		"/hang":  "<body><script>setTimeout(() => { for (;;); }, 300)</script>",
	})
	gone := httptest.NewServer(nil)
	gone.Close()
	for _, test := range []struct {
		url  string
		late bool // the page stops answering, which is noticed by its time
		do   func(*Page)
		want string
	}{
		{url: gone.URL, want: "it does not load: page load error net::ERR_CONNECTION_REFUSED"},
		{url: site + "/nothing", want: "it does not load: 404 Not Found"},
		{url: site + "/slow", want: "it did not load within"},
		{url: "about:blank", want: "expected the address of a web page"},
		{url: "file:///nowhere.html", want: "net::ERR_FILE_NOT_FOUND"},
		{url: site + "/away", want: "it went away to " + elsewhere},
		{url: site + "/hang", late: true, want: "it showed no frame within"},
		{url: site + "/busy", late: true, do: func(p *Page) { p.Touch(simphone.TouchDown, 50, 50, 0) }, want: "within 3s"},
		{url: site + "/still", do: func(p *Page) { killRenderers(t, p) }, want: "the page crashed"},
		{url: site + "/still", do: func(p *Page) { _ = chromedp.FromContext(p.tab).Browser.Process().Kill() }, want: "the browser ended"},
	} {
		t.Run(test.want, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), await.Hang)
			defer cancel()
			config := Config{URL: test.url, Size: image.Pt(400, 700), Density: 320, Wait: await.Hang}
			if strings.HasSuffix(test.url, "/slow") {
				config.Wait = short
			}
			page, err := Open(ctx, config)
			if err == nil {
				defer page.Close()
				if test.late {
					page.config.Wait = short
				}
				if test.do != nil {
					test.do(page)
				}
				for page.Err() == nil && ctx.Err() == nil {
					simphone.Render(page, image.Pt(400, 700), 0)
				}
				err = page.Err()
				select {
				case <-page.Failed():
				default:
					t.Error("Failed is not closed")
				}
				frame := simphone.Render(page, image.Pt(400, 700), 0)
				if got := frame.RGBAAt(0, 0); got != (color.RGBA{60, 0, 0, 255}) {
					t.Errorf("the screen's first pixel is %v, expected the one of a failure", got)
				}
				page.Touch(simphone.TouchDown, 1, 1, 0) // nothing happens
				page.Back(0)
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.url) {
				t.Errorf("got %v, expected %s and %q", err, test.url, test.want)
			}
		})
	}
}

// TestDialog opens a page that stops at a dialog: it is closed.
func TestDialog(t *testing.T) {
	page := opened(t, Config{URL: serve(t, map[string]string{
		"/": "<body style='background:#f00'><script>onload = () => setTimeout(() => { alert('hello'); document.body.style.background = '#0f0' }, 100)</script>",
	})})
	await.Until(t, "the page goes on", func() bool {
		frame := simphone.Render(page, image.Pt(400, 700), 0)
		if err := page.Err(); err != nil {
			t.Fatalf("the page did not go on: %v", err)
		}
		return frame.RGBAAt(200, 300) == color.RGBA{0, 255, 0, 255}
	})
}

// TestBack goes back in the page, and stays where there is nothing before it.
func TestBack(t *testing.T) {
	site := serve(t, map[string]string{
		"/":       "<body style='background:#f00'><script>document.addEventListener('click', () => location = '/second')</script>",
		"/second": "<body style='background:#0f0'>",
	})
	page := opened(t, Config{URL: site + "/"})
	shows := func(want color.RGBA) {
		t.Helper()
		await.Until(t, fmt.Sprintf("the page shows %v", want), func() bool {
			got := simphone.Render(page, image.Pt(400, 700), 0).RGBAAt(200, 300)
			if err := page.Err(); err != nil {
				t.Fatalf("the page shows %v, expected %v; %v", got, want, err)
			}
			return got == want
		})
	}
	red, green := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 255, 0, 255}
	page.Back(0)
	shows(red)
	page.Touch(simphone.TouchDown, 100, 100, 0)
	page.Touch(simphone.TouchUp, 100, 100, 0)
	shows(green)
	page.Back(0)
	shows(red)
	page.Back(0)
	shows(red)
}

// TestBetweenDocuments captures a page that goes from one document to the next all
// the time.
func TestBetweenDocuments(t *testing.T) {
	page := opened(t, Config{URL: serve(t, map[string]string{
		"/":       "<body style='background:#f00'><script>setTimeout(() => location.replace('/second'), 300)</script>",
		"/second": "<body style='background:#0f0'><script>setTimeout(() => location.replace('/'), 300)</script>",
	}) + "/"})
	for range 10 {
		simphone.Render(page, image.Pt(400, 700), 0)
		if err := page.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCloseLeavesNothing expects the browser to have ended and its profile to be
// gone.
func TestCloseLeavesNothing(t *testing.T) {
	needBrowser(t)
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	page, err := Open(t.Context(), Config{URL: serve(t, map[string]string{"/": "hello"}), Wait: await.Hang})
	if err != nil {
		t.Fatal(err)
	}
	profiles := func() []string {
		found, err := filepath.Glob(filepath.Join(temporary, "tapwise-chromium-*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if n := len(profiles()); n != 1 {
		t.Errorf("%d profiles while it runs, expected 1", n)
	}
	process := chromedp.FromContext(page.tab).Browser.Process()
	if err := page.Close(); err != nil {
		t.Fatal(err)
	}
	if left := profiles(); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
	if err := process.Signal(os.Interrupt); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("the browser's process: %v, expected it done", err)
	}
	if err := page.Err(); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("after Close: %v", err)
	}
}

func TestNoBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Open(t.Context(), Config{URL: "http://127.0.0.1:1/"}); !errors.Is(err, ErrNoBrowser) {
		t.Errorf("got %v, expected ErrNoBrowser", err)
	}
}

// TestOnBlack lays shots of other sizes than the screen's, opaque or not, on a screen.
func TestOnBlack(t *testing.T) {
	size := image.Pt(7, 5)
	painted := func(m interface {
		image.Image
		Set(x, y int, c color.Color)
	}, alpha uint8) image.Image {
		for y := range 9 {
			for x := range 9 {
				m.Set(x, y, color.NRGBA{uint8(20 * x), uint8(20 * y), 9, alpha})
			}
		}
		return m
	}
	for name, shot := range map[string]image.Image{
		"larger":             painted(image.NewRGBA(image.Rect(0, 0, 9, 9)), 255),
		"part of a larger":   painted(image.NewRGBA(image.Rect(0, 0, 9, 9)), 255).(*image.RGBA).SubImage(image.Rect(1, 2, 9, 9)),
		"smaller":            painted(image.NewRGBA(image.Rect(0, 0, 6, 4)), 255),
		"transparent":        painted(image.NewRGBA(image.Rect(0, 0, 9, 9)), 0),
		"of another kind":    painted(image.NewNRGBA(image.Rect(0, 0, 9, 9)), 255),
		"transparent, other": painted(image.NewNRGBA(image.Rect(0, 0, 9, 9)), 0),
	} {
		got := onBlack(shot, size)
		if got.Rect != (image.Rectangle{Max: size}) {
			t.Errorf("%s: %v, expected %v", name, got.Rect, size)
		}
		for y := range size.Y {
			for x := range size.X {
				at := shot.Bounds().Min.Add(image.Pt(x, y))
				want := color.NRGBA{A: 255}
				if c, ok := color.NRGBAModel.Convert(shot.At(at.X, at.Y)).(color.NRGBA); ok && c.A == 255 {
					want = c
				}
				if c := got.NRGBAAt(x, y); c != want {
					t.Fatalf("%s: %v at %d,%d, expected %v", name, c, x, y, want)
				}
			}
		}
	}
}
