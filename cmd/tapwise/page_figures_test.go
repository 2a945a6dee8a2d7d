package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/solvers/screen"
)

var measurePage = flag.Bool("page-figures", false, "measure how soon the page shows something, and what a live frame costs")

// moving is an app with something on its screen that always moves, as advertisements do.
type moving struct{ simphone.App }

func (m moving) Draw(c screen.Canvas, now time.Duration) {
	m.App.Draw(c, now)
	size := c.Size()
	x := float64(now.Milliseconds()%2000) / 2000 * float64(size.X-80)
	c.Rect(x, float64(size.Y-200), x+80, float64(size.Y-120), color.NRGBA{255, 0, 255, 255})
}

// movingPhones starts phones as good as new ones, whose screens move, and `tapwise serve` for
// them in a process of its own, whose id it returns.
func movingPhones(t *testing.T, n int) (p *pageTest, pid int) {
	phones := make([]testPhone, n)
	for i := range phones {
		app, err := simulation.GameApp{}.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		phones[i] = testPhone{simOptions{Options: simulation.Usual()}, "flow"}
		phones[i].app, phones[i].Model, phones[i].Given = moving{app}, "new", func(string) bool { return false }
	}
	p = newPageTest(t, phones...)
	serve := exec.CommandContext(t.Context(), "tapwise", "serve", "--listen", "127.0.0.1:0")
	serve.Env = append(os.Environ(), fmt.Sprintf("ANDROID_ADB_SERVER_PORT=%d", p.app.settings.ADB.Port), "TAPWISE_JOURNAL="+filepath.Join(t.TempDir(), "journal.db"))
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = serve.Process.Signal(os.Interrupt)
		_ = serve.Wait() // it was interrupted
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	p.server.URL = strings.TrimSuffix(strings.TrimSpace(address), "/")
	return p, serve.Process.Pid
}

// TestPageOfNinePhones measures how many frames of each of nine phones the page shows.
func TestPageOfNinePhones(t *testing.T) {
	if !*measurePage {
		t.Skip("-page-figures measures")
	}
	p, pid := movingPhones(t, 9)
	p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`window.shown = []; document.addEventListener('load', e => { if (e.target.nodeName === 'IMG') shown.push(e.target.alt || ''); }, true);`).Do(ctx)
		return err
	}))
	p.open("watch", 1280, 800)
	p.wait(`new Set(window.shown).size > 0`)
	p.run(chromedp.Sleep(20 * time.Second)) // each is tried and followed
	t.Log("nine phones, whose screens move, together: " + p.live(pid))
	var counts map[string]int
	p.run(chromedp.Evaluate(`shown.length = 0`, nil), chromedp.Sleep(10*time.Second),
		chromedp.Evaluate(`shown.reduce((all, name) => ({ ...all, [name]: (all[name] ?? 0) + 1 }), {})`, &counts))
	t.Logf("in 10 s, by phone: %v", counts)
}

// TestPageFigures measures the page that `tapwise serve` serves, in a process of its own:
// the first paint, the first frame of the phone, and how many frames show each second at
// what part of a core, on a phone whose screen moves and on one that is played on.
func TestPageFigures(t *testing.T) {
	if !*measurePage {
		t.Skip("-page-figures measures")
	}
	p, pid := movingPhones(t, 1)
	p.run(network.SetCacheDisabled(true), chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`window.shown = []; document.addEventListener('load', e => { if (e.target.nodeName === 'IMG') shown.push(performance.now()); }, true);`).Do(ctx)
		return err
	}))

	var paints, frames, empty []float64
	for range 7 {
		var paint float64
		p.run(chromedp.Navigate("about:blank"), chromedp.Navigate("data:text/html,<p>nothing</p>"), chromedp.WaitVisible("p"))
		p.wait(`performance.getEntriesByName('first-contentful-paint').length > 0`)
		p.run(chromedp.Evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`, &paint))
		empty = append(empty, paint)
	}
	slices.Sort(empty)
	for range 7 {
		p.open("watch", 1280, 800)
		p.wait(`window.shown.length > 0 && performance.getEntriesByName('first-contentful-paint').length > 0`)
		var paint, frame float64
		p.run(chromedp.Evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`, &paint), chromedp.Evaluate(`shown[0]`, &frame))
		paints, frames = append(paints, paint), append(frames, frame)
	}
	slices.Sort(paints)
	slices.Sort(frames)
	load, _ := os.ReadFile("/proc/loadavg") // on other systems it is not known
	t.Logf("load: %s", load)
	t.Logf("first paint: median %.0f ms, longest %.0f ms of %d", paints[len(paints)/2], paints[len(paints)-1], len(paints))
	t.Logf("first paint of a page with one word, in the same browser: median %.0f ms, longest %.0f ms", empty[len(empty)/2], empty[len(empty)-1])
	t.Logf("first frame of the phone: median %.0f ms, longest %.0f ms", frames[len(frames)/2], frames[len(frames)-1])

	p.run(chromedp.Sleep(5 * time.Second)) // the phone is tried and followed
	card := p.phoneOf(0)
	t.Log("nothing played, the screen moves: " + p.live(pid))
	p.run(click(card + " button[name=start]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s').dataset.stage !== 'idle'`, card))
	t.Log("levels are played, the play included: " + p.live(pid))
}

// live tells how many frames show each second, and what a process takes of a core.
func (p *pageTest) live(pid int) string {
	p.Helper()
	const during = 15 * time.Second
	var before, after int
	began, used := time.Now(), cpuTime(p.T, pid)
	p.run(chromedp.Evaluate(`shown.length`, &before), chromedp.Sleep(during), chromedp.Evaluate(`shown.length`, &after))
	took := time.Since(began)
	return fmt.Sprintf("%.1f frames a second at %.1f %% of a core", float64(after-before)/took.Seconds(), 100*(cpuTime(p.T, pid)-used).Seconds()/took.Seconds())
}

// cpuTime is the processor time that a process has taken.
func cpuTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	ticks := 0
	for _, field := range fields[11:13] { // utime and stime
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100
}
