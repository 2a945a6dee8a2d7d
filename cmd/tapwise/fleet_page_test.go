package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/fleet/worker"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/attempt"
	"tapwise/cmd/internal/page/web"
)

// testHub is a hub and a worker within the process, with phones that are told what to do
// by their serials: good-1 and good-2 win, bad-1 fails before each level.
type testHub struct {
	*testing.T
	hub    *hub.Hub
	folder string
	looks  atomic.Int64 // at phones
}

// Picture is a board in colours; nobody sees that of bad-1.
func (h *testHub) Picture(_ context.Context, serial string, most int) ([]byte, error) {
	h.looks.Add(1)
	if serial == "bad-1" {
		return nil, errors.New("the screen is off")
	}
	screen := image.NewRGBA(image.Rect(0, 0, 180, 400))
	for y := range 400 {
		for x := range 180 {
			screen.SetRGBA(x, y, color.RGBA{uint8(80 * (x / 60)), uint8(60 * (y / 100)), 120, 255})
		}
	}
	var packed bytes.Buffer
	err := jpeg.Encode(&packed, screen, nil)
	if err == nil && packed.Len() > most {
		err = fmt.Errorf("%d bytes", packed.Len())
	}
	return packed.Bytes(), err
}

func newTestHub(t *testing.T) *testHub {
	t.Helper()
	h := &testHub{T: t, folder: t.TempDir()}
	h.start("127.0.0.1:0")
	t.Cleanup(func() { h.hub.Close() })
	h.work(h.hub.URL())
	return h
}

// work starts the worker shelf-1 of the hub at an address, until the test ends.
func (h *testHub) work(url string) {
	t := h.T
	t.Helper()
	agent, err := fleet.Join(t.Context(), fleet.Config{URL: url, Name: "shelf-1"}, true)
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	outbox, err := j.Outbox(t.Context(), "shelf-1")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	t.Cleanup(func() {
		cancel()
		<-ended
		agent.Close()
		_ = j.Close()
	})
	go func() {
		defer close(ended)
		w := worker.Worker{Name: "shelf-1", Agent: agent, Shelf: testShelf{}, Eyes: h, Outbox: outbox, Code: exitCode, Log: testApp(t).log}
		_ = w.Run(ctx)
	}()
}

// start starts the hub, again from its folder.
func (h *testHub) start(listen string) {
	h.Helper()
	started, err := hub.Start(h.Context(), hub.Config{Listen: listen, Folder: h.folder, Lease: hub.UsualLease, Log: testApp(h.T).log})
	if err != nil {
		h.Fatal(err)
	}
	h.hub = started
	go func() { _ = started.Run(h.Context()) }()
}

// withFleet has the page show the fleet of a hub.
func withFleet(t *testing.T, h *testHub) func(*app, *web.Config) {
	return func(a *app, config *web.Config) {
		var err error
		if config.Fleet, err = a.fleet().Page(t.Context(), h.hub.URL()); err != nil {
			t.Fatal(err)
		}
	}
}

type testShelf struct{}

func (testShelf) Phones(context.Context) ([]fleet.Phone, error) {
	return []fleet.Phone{{Serial: "bad-1", Model: "Pixel 3a"}, {Serial: "good-1", Model: "Pixel 9 Pro"}, {Serial: "good-2", Model: "Galaxy S23"}}, nil
}

func (testShelf) Play(ctx context.Context, serial string, task worker.Task) error {
	if serial == "bad-1" {
		return errors.New("the phone has gone to sleep; wake it, and unlock it")
	}
	for _, l := range task.Left {
		if err := task.Begin(l.Number); errors.Is(err, worker.ErrBooked) {
			continue
		} else if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(20 * time.Millisecond):
		}
		if err := task.Done(fleet.Event{Level: l.Number, Verdict: fleet.Won, Started: time.Now(), Ended: time.Now(), Record: attempt.Record{Board: l.Board}}, ""); err != nil {
			return err
		}
	}
	return nil
}

// TestPageFleet gives the phones of a fleet work from the page, pauses them, cancels a
// run, and loses the hub.
func TestPageFleet(t *testing.T) {
	t.Parallel()
	h := newTestHub(t)
	p := newPageTestOf(t, nil, withFleet(t, h))
	tile := func(serial string) string { return fmt.Sprintf(`.tile[data-serial=%s]`, serial) }
	state := func(serial, state string) string {
		return fmt.Sprintf(`document.querySelector('%s').dataset.state === '%s'`, tile(serial), state)
	}
	set := func(name, value string) chromedp.Action {
		return chromedp.SetValue("#order [name="+name+"]", value, chromedp.ByQuery)
	}
	p.open("fleet", 1280, 900)
	p.wait(`document.querySelectorAll('.tile').length === 3 && document.querySelector('#hub').textContent.includes('3 phones')`)

	// A run is ordered, and played by those phones that fit.
	p.run(set("levels", "2-5"), set("phones", "serial=good*"), click("#order button"))
	p.wait(`document.querySelector('#runs li .soft').textContent === '4 of 4 levels won · complete'`)
	p.wait(`[...document.querySelectorAll('.tile dd:first-of-type')].length > 0 && document.querySelector('#hub').textContent.includes('an hour')`)

	// A phone is paused, and resumed; so is a worker.
	p.run(click(tile("good-1") + " button"))
	p.wait(state("good-1", "drained") + ` && ` + state("good-2", "idle") + fmt.Sprintf(` && document.querySelector('%s .does').textContent.includes('it was paused')`, tile("good-1")))
	p.run(click(tile("good-1") + " button"))
	p.wait(state("good-1", "idle"))
	p.run(click(".worker .row button"))
	p.wait(state("good-1", "drained") + ` && ` + state("good-2", "drained") + ` && ` + state("bad-1", "drained") + ` && document.querySelector('.worker .row button').textContent === 'Resume shelf-1'`)
	p.run(click(".worker .row button"))
	p.wait(state("good-1", "idle") + ` && ` + state("bad-1", "idle"))

	// Nobody has looked, so there was no picture; who looks sees one after another until he
	// turns away.
	if n := h.looks.Load(); n != 0 {
		t.Errorf("%d pictures were made that nobody asked for", n)
	}
	eyes := func(serial string) string { return tile(serial) + " .acts button:last-child" }
	p.run(click(eyes("good-1")))
	p.wait(fmt.Sprintf(`document.querySelector('%s img')?.naturalWidth === 180`, tile("good-1")))
	p.run(click(eyes("bad-1")))
	p.wait(fmt.Sprintf(`document.querySelector('%s .look p')?.textContent.includes('the screen is off')`, tile("bad-1")))
	before := h.looks.Load()
	await.Until(t, "pictures follow the first", func() bool { return h.looks.Load() >= before+3 })
	p.keep("fleet-look")
	p.run(click(eyes("good-1")), click(eyes("bad-1")))
	p.wait(`!document.querySelector('.look')`)

	// A phone that stands still says why; the run that it is to play is cancelled.
	p.run(set("levels", "1-3"), set("phones", "serial=bad*"), click("#order button"))
	p.wait(fmt.Sprintf(`/^Stands still.*gone to sleep/.test(document.querySelector('%s .does').textContent)`, tile("bad-1")))
	for _, size := range widths {
		p.run(chromedp.EmulateViewport(size.width, 900))
		p.fits("fleet " + size.name)
		p.keep("fleet-" + size.name)
	}
	p.run(click("#runs li:first-child button"))
	p.wait(`document.querySelector('#runs li:first-child .soft').textContent === '0 of 3 levels won · cancelled' && document.querySelector('#runs li:first-child button').hidden`)

	// What cannot be ordered is told in words.
	p.run(set("levels", "5-3"), click("#order button"))
	p.wait(`document.querySelector('#said').textContent.includes('levels "5-3", expected FIRST-LAST')`)

	// The hub goes away and comes back.
	listen := h.hub.URL()[len("nats://"):]
	h.hub.Close()
	p.wait(`document.querySelector('#hub').textContent.includes('cannot be reached') && document.querySelector('#order button').disabled && document.querySelector('.tile button').disabled`)
	p.fits("fleet without its hub")
	h.start(listen)
	p.wait(`document.querySelector('#hub').textContent.includes('3 phones') && !document.querySelector('.tile button').disabled`)
	p.wait(`document.querySelector('#runs li:last-child .soft').textContent === '4 of 4 levels won · complete'`)
	p.run(set("levels", "2"), set("phones", " "), click("#order button"))
	p.wait(`document.querySelector('#runs li:first-child .soft').textContent === '2 of 2 levels won · complete'`)
}
