package webphone

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"tapwise/adb/simphone"
)

// Package is the name of the page's app on the phone.
const Package = "org.chromium.page"

// Config says which page is shown, and how. Only the URL has no default.
type Config struct {
	URL     string        // http, https or file
	Size    image.Point   // of the screen in its current orientation, in pixels; default 1080 x 2340
	Density int           // of the screen, in dots per inch; default 440. 160 gives one pixel for each CSS pixel
	Wait    time.Duration // the longest that the page may take to load, to show a frame, to take a touch; default 20 s
	Browser string        // the program; default: the Chromium found on the PATH
	Log     *slog.Logger  // nil logs nothing
}

// ErrNoBrowser is the error when Chromium is not installed.
var ErrNoBrowser = errors.New("chromium is not installed")

// Page is a web page as an app of the simulated phone. Its methods may be
// called from any goroutine.
type Page struct {
	config Config
	tab    context.Context // of the browser's tab
	end    func()          // ends the browser and waits for it
	home   *url.URL

	failed  chan struct{} // closed by fail
	failure sync.Once
	err     error // set before failed is closed

	mu      sync.Mutex  // lets one call at a time use the browser
	size    image.Point // of the viewport in the browser, in pixels
	scale   float64     // pixels per CSS pixel
	touched bool        // a finger is down in the page
}

var _ simphone.App = (*Page)(nil)

// Browser finds Chromium on the PATH, or returns ErrNoBrowser.
func Browser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}

// Open starts the browser and loads the page. The browser ends with Close or when
// ctx does.
func Open(ctx context.Context, config Config) (*Page, error) {
	if config.Size == (image.Point{}) {
		config.Size = image.Pt(1080, 2340)
	}
	if config.Density == 0 {
		config.Density = 440
	}
	if config.Wait == 0 {
		config.Wait = 20 * time.Second
	}
	if config.Log == nil {
		config.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	home, err := url.Parse(config.URL)
	if err != nil || home.Scheme != "http" && home.Scheme != "https" && home.Scheme != "file" {
		return nil, fmt.Errorf("page %q: expected the address of a web page: http, https or file", config.URL)
	}
	if config.Browser == "" {
		if config.Browser, err = Browser(); err != nil {
			return nil, fmt.Errorf("page %s: %w", config.URL, err)
		}
	}
	p := &Page{config: config, home: home, failed: make(chan struct{})}
	if err := p.start(ctx); err != nil {
		return nil, fmt.Errorf("page %s: %w", config.URL, err)
	}
	if err := p.load(); err != nil {
		p.Close()
		return nil, fmt.Errorf("page %s: %w", config.URL, err)
	}
	return p, nil
}

// start starts the browser with an empty tab.
func (p *Page) start(ctx context.Context) error {
	profile, err := os.MkdirTemp("", "tapwise-chromium-")
	if err != nil {
		return err
	}
	// Moves of a finger that come while a frame is captured are divided by the emulated factor twice
	// unless it is the browser's own (seen with Chromium 156 on boards of pzpr).
	factor := strconv.FormatFloat(p.cssScale(p.config.Size), 'g', -1, 64)
	options := append(chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(chromedp.DefaultExecAllocatorOptions)],
		chromedp.ExecPath(p.config.Browser), chromedp.UserDataDir(profile), chromedp.WSURLReadTimeout(p.config.Wait),
		chromedp.Flag("remote-debugging-address", "127.0.0.1"),
		chromedp.Flag("force-device-scale-factor", factor),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("mute-audio", true), chromedp.Flag("disable-component-update", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium does not run as root with it
	}
	allocator, cancel := chromedp.NewExecAllocator(ctx, options...)
	tab, closeTab := chromedp.NewContext(allocator,
		chromedp.WithErrorf(func(format string, args ...any) {
			p.config.Log.Debug("chromium", "error", fmt.Sprintf(format, args...))
		}),
		chromedp.WithLogf(func(format string, args ...any) { p.config.Log.Debug("chromium", "said", fmt.Sprintf(format, args...)) }))
	p.tab = tab
	p.end = sync.OnceFunc(func() {
		closeTab()
		cancel()
		chromedp.FromContext(tab).Allocator.Wait()
		if err := remove(profile); err != nil {
			p.config.Log.Warn("the browser's profile is left behind", "error", err)
		}
	})
	// The browser lives as long as the context of its first call.
	if err := chromedp.Run(tab); err != nil {
		p.end()
		return fmt.Errorf("%s does not start: %w", p.config.Browser, err)
	}
	context.AfterFunc(tab, func() { p.fail(errors.New("the browser ended")) })
	chromedp.ListenTarget(tab, p.event)
	return nil
}

// remove removes a profile. The last of the browser's processes may still write
// into it for a moment after it ended.
func remove(profile string) error {
	err := os.RemoveAll(profile)
	for tries := 0; err != nil && tries < 20; tries++ {
		time.Sleep(100 * time.Millisecond)
		err = os.RemoveAll(profile)
	}
	return err
}

// event receives the browser's events in the tab. It must not block.
func (p *Page) event(e any) {
	switch e := e.(type) {
	case *inspector.EventTargetCrashed:
		p.fail(errors.New("the page crashed"))
	case *cdpage.EventFrameNavigated:
		if e.Frame.ParentID == "" && !p.athome(e.Frame.URL) {
			to := e.Frame.URL
			if e.Frame.UnreachableURL != "" {
				to = e.Frame.UnreachableURL // the browser shows a page of its own
			}
			p.fail(fmt.Errorf("it went away to %s", to))
		}
	case *cdpage.EventJavascriptDialogOpening:
		p.config.Log.Info("the page opened a dialog, which is closed", "message", e.Message)
		go func() {
			// A dialog that cannot be closed keeps frames from coming, which is
			// noticed.
			_ = p.run(cdpage.HandleJavaScriptDialog(false))
		}()
	}
}

// athome reports whether an address belongs to the page that was asked for: to its
// site, or for a file to its folder.
func (p *Page) athome(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	if u.Scheme == "about" {
		return true // the empty tab, before the page
	}
	if p.home.Scheme == "file" {
		return u.Scheme == "file" && filepath.Dir(u.Path) == filepath.Dir(p.home.Path)
	}
	return u.Scheme == p.home.Scheme && u.Host == p.home.Host
}

// run performs actions in the tab, within the time that the page is given.
func (p *Page) run(actions ...chromedp.Action) error { return p.runFor(p.config.Wait, actions...) }

func (p *Page) runFor(wait time.Duration, actions ...chromedp.Action) error {
	ctx, cancel := context.WithTimeout(p.tab, wait)
	defer cancel()
	go func() { // a call in a page that has failed is never answered
		select {
		case <-p.failed:
			cancel()
		case <-ctx.Done():
		}
	}()
	for {
		err := chromedp.Run(ctx, actions...)
		switch {
		case err == nil:
			return nil
		case p.tab.Err() != nil:
			return errors.New("the browser ended")
		case !strings.Contains(err.Error(), betweenDocuments):
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// betweenDocuments is the browser's answer while the page goes from one document to
// the next; the call has had no effect.
const betweenDocuments = "Not attached to an active page"

// load makes the tab behave as a phone's and loads the page.
func (p *Page) load() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	agent := "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36"
	err := p.run(emulation.SetTouchEmulationEnabled(true).WithMaxTouchPoints(1), emulation.SetUserAgentOverride(agent))
	if err == nil {
		err = p.resize(p.config.Size)
	}
	var response *network.Response
	if err == nil {
		ctx, cancel := context.WithTimeout(p.tab, p.config.Wait)
		defer cancel()
		response, err = chromedp.RunResponse(ctx, chromedp.Navigate(p.config.URL))
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("it did not load within %v", p.config.Wait)
	case err != nil:
		return fmt.Errorf("it does not load: %w", err)
	case response != nil && response.Status >= 400:
		return fmt.Errorf("it does not load: %d %s", response.Status, response.StatusText)
	}
	return p.Err()
}

// resize gives the page a viewport with the given number of pixels. CSS pixels are
// whole, so the density is met as closely as possible.
func (p *Page) resize(size image.Point) error {
	scale := p.cssScale(size)
	width := int(float64(size.X)/scale + 0.5)
	height := int(float64(size.Y)/scale + 0.999)
	orientation := &emulation.ScreenOrientation{Type: emulation.OrientationTypePortraitPrimary}
	if size.X > size.Y {
		orientation = &emulation.ScreenOrientation{Type: emulation.OrientationTypeLandscapePrimary, Angle: 90}
	}
	err := p.run(emulation.SetDeviceMetricsOverride(int64(width), int64(height), scale, true).WithScreenOrientation(orientation))
	if err != nil {
		return err
	}
	p.size, p.scale = size, scale
	return nil
}

// cssScale is the number of pixels in a CSS pixel on a screen of some size.
func (p *Page) cssScale(size image.Point) float64 {
	return float64(size.X) / float64(max(1, int(float64(size.X)*160/float64(p.config.Density)+0.5)))
}

// fail marks the page as failed.
func (p *Page) fail(err error) {
	p.failure.Do(func() {
		p.err = fmt.Errorf("page %s: %w", p.config.URL, err)
		close(p.failed)
	})
}

// Failed is closed when the page has failed.
func (p *Page) Failed() <-chan struct{} { return p.failed }

// Err is the reason why the page has failed, nil when it has not.
func (p *Page) Err() error {
	select {
	case <-p.failed:
		return p.err
	default:
		return nil
	}
}

// Close ends the browser and removes its profile.
func (p *Page) Close() error {
	p.fail(errors.New("closed"))
	p.end()
	return nil
}

// Package is the app's name on the phone.
func (p *Page) Package() string { return Package }

// Draw paints the page.
func (p *Page) Draw(c simphone.Canvas, _ time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	picture, err := p.frame(c.Size())
	if err != nil {
		p.fail(err)
	}
	if err := p.Err(); err != nil {
		drawFailure(c, err)
		return
	}
	c.Picture(0, 0, picture)
}

// forgotten is how long the first request for a frame may go unanswered.
const forgotten = 2 * time.Second

// frame captures the page, in the size of the screen.
func (p *Page) frame(size image.Point) (*image.NRGBA, error) {
	if err := p.Err(); err != nil {
		return nil, err
	}
	if size != p.size {
		if err := p.resize(size); err != nil {
			return nil, err
		}
	}
	var data []byte
	var err error
	// The browser forgets a request for a frame while the page goes from one document to the
	// next: then ask again, and wait longer, since it may only be slow.
	for wait, left := forgotten, p.config.Wait; left > 0; wait, left = 2*wait, left-wait {
		err = p.runFor(min(wait, left), chromedp.ActionFunc(func(ctx context.Context) (err error) {
			data, err = cdpage.CaptureScreenshot().WithFormat(cdpage.CaptureScreenshotFormatPng).WithOptimizeForSpeed(true).Do(ctx)
			return err
		}))
		if !errors.Is(err, context.DeadlineExceeded) {
			break
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("it showed no frame within %v", p.config.Wait)
	}
	if err != nil {
		return nil, err
	}
	shot, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("a frame that cannot be read: %w", err)
	}
	const slack = 4 // pixels by which whole CSS pixels may miss the screen's size
	if got := shot.Bounds().Size(); got.X < size.X-slack || got.X > size.X+slack || got.Y < size.Y-slack || got.Y > size.Y+slack {
		return nil, fmt.Errorf("a frame of %v pixels, expected %v", got, size)
	}
	return onBlack(shot, size), nil
}

// onBlack is a shot on a black screen of a size. An opaque shot is copied row by row,
// since pixel by pixel it took longer than all else that is done with a frame.
func onBlack(shot image.Image, size image.Point) *image.NRGBA {
	picture := image.NewNRGBA(image.Rectangle{Max: size})
	bounds := shot.Bounds()
	opaque, ok := shot.(*image.RGBA) // what a PNG without transparency becomes
	if !ok || !opaque.Opaque() || bounds.Dx() < size.X || bounds.Dy() < size.Y {
		draw.Draw(picture, picture.Rect, image.Black, image.Point{}, draw.Src)
		draw.Draw(picture, picture.Rect, shot, bounds.Min, draw.Over)
		return picture
	}
	for y := range size.Y {
		copy(picture.Pix[y*picture.Stride:][:4*size.X], opaque.Pix[opaque.PixOffset(bounds.Min.X, bounds.Min.Y+y):])
	}
	return picture
}

// drawFailure shows why the page is gone.
func drawFailure(c simphone.Canvas, err error) {
	size := c.Size()
	c.Fill(color.NRGBA{R: 60, A: 255})
	height := float64(size.X) / 30
	const most = 48 // characters in a line
	words, y := strings.Fields(err.Error()), height*4
	for line := ""; line != "" || len(words) > 0; line = "" {
		for len(words) > 0 && (line == "" || len(line)+len(words[0]) < most) {
			line = strings.TrimSpace(line + " " + words[0])
			words = words[1:]
		}
		c.Text(height, y, height, 0, line, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
		y += 1.5 * height
	}
}

// Touch sends the page a touch event.
func (p *Page) Touch(action int, x, y float64, _ time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Err() != nil {
		return
	}
	kind := input.TouchEnd
	var fingers []*input.TouchPoint
	if action != simphone.TouchUp {
		kind = input.TouchMove
		if action == simphone.TouchDown {
			kind = input.TouchStart
		}
		fingers = []*input.TouchPoint{{X: x / p.scale, Y: y / p.scale, RadiusX: 1, RadiusY: 1, Force: 1}}
	}
	if !p.touched && action != simphone.TouchDown {
		return // the browser refuses a finger that never came down
	}
	p.touched = action != simphone.TouchUp
	err := p.run(input.DispatchTouchEvent(kind, fingers))
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it did not take a touch within %v", p.config.Wait)
	}
	if err != nil {
		p.fail(err)
	}
}

// Back goes back in the page's history, unless that would leave the page.
func (p *Page) Back(time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Err() != nil {
		return
	}
	err := p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		at, entries, err := cdpage.GetNavigationHistory().Do(ctx)
		if err != nil || at < 1 || !p.athome(entries[at-1].URL) || strings.HasPrefix(entries[at-1].URL, "about:") {
			return err
		}
		return cdpage.NavigateToHistoryEntry(entries[at-1].ID).Do(ctx)
	}))
	if err != nil {
		p.fail(fmt.Errorf("BACK: %w", err))
	}
}
