package serve

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"sync"
	"time"

	"tapwise/adb"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/pause"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/page/web"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/run"
	"tapwise/cmd/internal/play/trouble"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// eyes look by the profile that fits, if there is one.
type eyes struct{ opener run.Opener }

// Look looks at a frame of a phone of that model for what a game asks.
func (e eyes) Look(frame *image.RGBA, on screen.Frame, game solvers.Game, model string) (recognise.Sight, error) {
	known, err := e.opener.Profiles.For(game.Name())
	if err != nil {
		return recognise.Sight{}, err
	}
	known.Model = model
	return recognise.See(known.Eyes(), frame, on, game)
}

// Tell asks every game.
func (e eyes) Tell(ctx context.Context, frame *image.RGBA, on screen.Frame, model string) (recognise.Sight, bool) {
	sight, err := e.opener.Reader().Frame(ctx, frame, on, nil, model)
	return sight, err == nil || sight.Place.Kind == screen.Won
}

// phones joins the page to the phones of the adb server.
type phones struct {
	Settings

	mu     sync.Mutex
	client *adb.Client          // which knows the phones that were there; nil before List
	open   map[string]run.Phone // that were probed, by serial
	// played are those that a run was made on, which know how they are touched.
	played map[string]run.Phone
}

// List asks the adb server for its phones, each of which is listed once.
func (p *phones) List(ctx context.Context) ([]web.Phone, error) {
	client, err := p.server()
	if err != nil {
		return nil, err
	}
	found, err := client.Phones(ctx)
	if err != nil {
		return nil, err
	}
	var phones []web.Phone
	for _, d := range found {
		name := d.Names[0]
		if p.Serial != "" {
			name = d.Called(p.Serial)
		}
		if name != "" {
			phone := web.Phone{Serial: name, State: string(d.State), Model: d.Model, Ready: d.Err() == nil}
			phone.Touch, phone.Refused = p.touch(name)
			phones = append(phones, phone)
		}
	}
	return phones, nil
}

// server returns the client by which phones are listed.
func (p *phones) server() (*adb.Client, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.client != nil {
		return p.client, nil
	}
	var err error
	p.client, err = p.Opener.Client()
	return p.client, err
}

// touch tells how the last run on a phone touched it, and why in no better way, a line
// each; nothing before a way was chosen.
func (p *phones) touch(serial string) (way, refused string) {
	p.mu.Lock()
	phone, ok := p.played[serial]
	p.mu.Unlock()
	if !ok {
		return "", ""
	}
	choice := phone.Hand().Choice()
	if choice.Rung == "" {
		return "", ""
	}
	way = choice.Rung
	switch {
	case !choice.Streams():
	case choice.Seen:
		way += fmt.Sprintf(", %d ms from point to point, seen to land", choice.Pace.Milliseconds())
	default:
		way += ", not yet seen to land"
	}
	lines := make([]string, len(choice.Refused))
	for i, refusal := range choice.Refused {
		lines[i] = "not " + refusal.String()
	}
	return way, strings.Join(lines, "\n")
}

// phone opens a phone, or returns the one that is open.
func (p *phones) phone(ctx context.Context, serial string) (run.Phone, error) {
	p.mu.Lock()
	device, ok := p.open[serial]
	p.mu.Unlock()
	if ok {
		return device, nil
	}
	device, err := p.Opener.Phone(ctx, serial, run.AsItIs)
	if err == nil {
		p.mu.Lock()
		p.open[serial] = device
		p.mu.Unlock()
	}
	return device, err
}

// forget drops a phone that failed: it may be another one when it comes back.
func (p *phones) forget(serial string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, serial)
}

// Capture takes a frame.
func (p *phones) Capture(ctx context.Context, serial string) (*image.RGBA, screen.Frame, time.Duration, error) {
	device, err := p.phone(ctx, serial)
	if err != nil {
		return nil, screen.Frame{}, 0, err
	}
	began := time.Now()
	frame, on, err := device.Picture(ctx)
	if err != nil && ctx.Err() == nil {
		p.forget(serial)
	}
	return frame, on, time.Since(began), err
}

const (
	// restsAfter is how long no frame has come from a phone whose screen stands still.
	restsAfter = 100 * time.Millisecond
	// heldEvery is the time from one look whether somebody plays on a followed phone to the next.
	heldEvery = time.Second
)

// errPlayedOn says that a phone's screen is somebody else's to look at.
var errPlayedOn = errors.New("the phone is being played on")

// Follow reports the frames that a phone pushes, as long as nobody plays on it: whoever begins
// to ends what an earlier run left, and that is taken for such.
func (p *phones) Follow(ctx context.Context, serial string, each func(web.Pushed)) error {
	device, err := p.phone(ctx, serial)
	if err != nil {
		return err
	}
	held, err := p.Opener.Held(ctx, device.Device)
	switch {
	case err != nil:
		return err
	case held():
		return errPlayedOn
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var asking sync.WaitGroup
	defer asking.Wait()
	defer cancel(nil)
	asking.Go(func() {
		for pause.For(ctx, heldEvery) == nil {
			if held() {
				cancel(errPlayedOn)
			}
		}
	})
	began := false
	err = device.Watch(ctx, restsAfter, func(g player.Glimpse) {
		began = true
		each(web.Pushed{Frame: g.Frame, Full: g.Full.Size, At: g.Began, Rests: g.Quiet})
	})
	if began && ctx.Err() == nil {
		p.forget(serial) // what ended this stream need not end the next
	}
	return err
}

// timedPhone remembers how long the last frame took. One goroutine uses it.
type timedPhone struct {
	run.Phone
	took time.Duration
}

func (t *timedPhone) Capture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	began := time.Now()
	frame, on, err := t.Phone.Capture(ctx)
	t.took = time.Since(began)
	return frame, on, err
}

// watched opens a run on a phone that tells the page what it does.
func (p *phones) watched(ctx context.Context, o web.Order, watch func(web.Moment)) (*run.Run, error) {
	opener := p.Opener
	if o.Game != nil {
		opener.Profiles.Game = o.Game.Name() // as if it had been asked for by a flag
	}
	r, err := opener.Open(ctx, run.Target{Serial: o.Serial, Game: o.Game, Wake: run.MustBeAwake})
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.played[o.Serial] = r.Phone
	p.mu.Unlock()
	timed := &timedPhone{Phone: r.Phone}
	r.Player.Device = timed
	r.Player.Watch = func(e player.Event) { watch(web.Moment{Event: e, Game: r.Player.Game, Took: timed.took}) }
	return r, nil
}

// Clear plays levels as `tapwise clear` does.
func (p *phones) Clear(ctx context.Context, o web.Order, hold func(context.Context) error, watch func(web.Moment), done func(player.Report, error)) (err error) {
	j, err := p.openJournal(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	told := p.Tell.Begin(ctx, p.Opener.Log, o.Serial)
	defer func() { trouble.Tell(told, err) }()
	r, err := p.watched(ctx, o, watch)
	meant := journal.Run{Serial: o.Serial, Levels: o.Levels()}
	if o.Game != nil {
		meant.Game = o.Game.Name()
	}
	if err == nil {
		meant.Model, meant.Game = r.Phone.Model, r.Player.Game.Name()
		err = r.Hold(ctx, true)
	}
	if err != nil {
		return errors.Join(err, run.NoteFailure(ctx, j, meant, false, err))
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	defer follow(ctx, r.Phone, watch)()
	frames := newLevelFrames(r.Player.Evidence)
	defer frames.close()
	told.Playing(r.Phone.Model, r.Player.Game.Name())
	shown := r.Player.Watch
	r.Player.Hold = func(ctx context.Context) error {
		defer told.Pause()()
		return hold(ctx)
	}
	r.Player.Watch = func(e player.Event) {
		frames.watch(e)
		shown(e)
	}
	keep := func(game string) string { return frames.keep(time.Now(), game) }
	return r.Clear(ctx, j, run.Order{Levels: o.Levels(), Keep: keep}, run.Told(levelsOnly(done), told))
}

// follow tells of the frames that a phone pushes, where it does, until end is called.
func follow(ctx context.Context, phone player.Watcher, watch func(web.Moment)) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var following sync.WaitGroup
	following.Go(func() {
		for number := 0; ; {
			g, err := phone.Glimpse(ctx, number, 0)
			wait := web.PushedEvery
			switch {
			case err != nil: // there is none yet, or none any more
				wait *= 4
			case g.Frame != nil:
				number = g.Number
				watch(web.Moment{Event: player.Event{At: g.Began, Frame: g.Frame}, Pushed: g.Full.Size})
			}
			if pause.For(ctx, wait) != nil {
				return
			}
		}
	})
	return func() {
		cancel()
		following.Wait()
	}
}

// openJournal opens the journal, and makes it when there is none.
func (p *phones) openJournal(ctx context.Context) (*journal.Journal, error) {
	file, err := p.Journal()
	if err != nil {
		return nil, err
	}
	j, err := journal.Opener{Log: p.Opener.Log}.Open(ctx, file)
	return j, cause.Input(err)
}

// levelsOnly tells of each level and of nothing else.
type levelsOnly func(player.Report, error)

func (levelsOnly) Begin(int, int) {}

func (done levelsOnly) Level(_ int, report player.Report, failure error) error {
	done(report, failure)
	return nil
}

func (levelsOnly) Complete(int64) {}

func (levelsOnly) NoMore() {}

// Preview tells how the level on the screen would be played.
func (p *phones) Preview(ctx context.Context, o web.Order, watch func(web.Moment)) ([]string, error) {
	r, err := p.watched(ctx, o, watch)
	if err != nil {
		return nil, err
	}
	_, lines, err := r.Preview(ctx)
	return lines, err
}

// Wake switches a phone's screen on.
func (p *phones) Wake(ctx context.Context, serial string) error {
	device, err := p.Opener.Phone(ctx, serial, run.WakeIt)
	if err == nil {
		p.mu.Lock()
		p.open[serial] = device
		p.mu.Unlock()
	}
	return err
}

// StartServer starts the adb server where none answers.
func (p *phones) StartServer(ctx context.Context) error {
	client, err := p.server()
	if err == nil {
		_, err = client.StartServer(ctx)
	}
	return err
}

var (
	_ web.Phones    = (*phones)(nil)
	_ player.Device = (*timedPhone)(nil)
)
