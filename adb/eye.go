package adb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"tapwise/adb/internal/fault"
)

// Stream is the way to look by frames that the phone pushes, by screenrecord
// --output-format=frames: one whenever the screen changes, scaled down, and none while it
// stands still. It is no Method of Capture, which still takes the frames that are read.
const Stream = "stream"

// Captures lists what Config.Capture may be.
func Captures() []string {
	ways := []string{Stream}
	for _, m := range Methods() {
		ways = append(ways, string(m))
	}
	return ways
}

// ErrNoStream: the phone pushes no frames, or they are not used; the text says why.
var ErrNoStream = errors.New("no stream of frames")

const (
	// eyeWidth is the least pixels of a frame's shorter side. A frame of 360 by 800 is 0.9 MB,
	// which USB 2 carries in some 25 ms.
	eyeWidth = 360
	// eyeFirst is how long the first frame may take.
	eyeFirst = 4 * time.Second
	// eyeEnds is how long a recorder may take to end, and eyeEndsPause is between two looks
	// whether it has.
	eyeEnds      = 3 * time.Second
	eyeEndsPause = 50 * time.Millisecond
	// eyeTrial is how long it may take to find out whether frames are to be used; eyeRestless
	// of it until what does not move of a screen has to do.
	eyeTrial    = 8 * time.Second
	eyeRestless = 2 * time.Second
	// eyeGap is the most from one frame to the next while the screen changes. What is known
	// of it moves by a part of the way to one that took longer, by another to one that came
	// sooner: the screen may have waited.
	eyeGap    = 250 * time.Millisecond
	eyeLonger = 16
	eyeSooner = 2
	// eyeLate is how long a frame may be on its way that shows what a still one shows.
	eyeLate = 500 * time.Millisecond
	// eyePatience is the most that Watch leaves a frame unread: a stream that nobody reads for
	// long was seen to hold up the phone's other connections.
	eyePatience = 250 * time.Millisecond
)

// A Glimpse is the newest frame of a stream.
type Glimpse struct {
	Image  *image.RGBA // nil when it is not newer than the one that was asked after
	Number int         // counts the frames of a Device
	// Began is when the frame began to arrive. The screen was as it shows shortly before.
	Began time.Time
	// Took is how long a frame is on its way: from its first byte to its last or, if that is
	// more, since the one before where they come one after the other. Many connections hand
	// a frame over in one piece.
	Took time.Duration
	// Quiet: none came for as long as was asked, so that the screen stands still.
	Quiet bool
	// Full and Rotation are the screen that the frames are of, scaled.
	Full     image.Point
	Rotation int
}

// eyes is how a device looks by frames that the phone pushes; guarded by Device.mu.
type eyes struct {
	open    *eye
	use     streamUse
	why     string // why there is none, or none any more; empty: it may be opened
	opening chan struct{}
	number  int   // of the last frame of the eyes before
	left    []int // process ids of recorders that may still run
	deaths  int   // how often a stream ended by itself
}

// streamUse says what is known of a phone's frames where the configuration chooses no way to
// look.
type streamUse int8

const (
	streamUnknown streamUse = iota
	streamOnTrial
	streamGood // they show what a still frame shows, and sooner
)

// eye is one running recorder.
type eye struct {
	line   *conn
	cancel context.CancelFunc
	pid    int
	screen Screen

	mu      sync.Mutex
	changed chan struct{} // closed when the fields below change
	header  eyeHeader
	pixels  []byte // of the newest frame; nil while it is decoded elsewhere
	picture *image.RGBA
	fault   error // of the newest frame: it is black
	number  int
	began   time.Time
	ended   time.Time     // of the newest frame
	every   time.Duration // from one frame to the next while the screen changes; 0: not known
	under   bool          // a frame is arriving
	err     error         // why no more come; nil while they may
	lazy    bool          // the next frame is read once the newest was taken
	taken   chan struct{} // holds one element once it was
}

// Glimpse waits until the phone has pushed a frame after the one of that number, or none has
// arrived for quiet, and returns the newest; a quiet of 0 waits for a frame only. The stream
// is opened where it is not. It is an ErrNoStream where frames are not to be had: then
// Capture is the way to look.
func (d *Device) Glimpse(ctx context.Context, after int, quiet time.Duration) (Glimpse, error) {
	e, err := d.eye(ctx)
	if err != nil {
		return Glimpse{}, err
	}
	for {
		g, wait, changed, err := e.newest(after, quiet)
		switch {
		case err != nil && ctx.Err() == nil && !blackFrame(err):
			d.shut(ctx, e, err, false)
			return Glimpse{}, fmt.Errorf("%w: %w", ErrNoStream, err)
		case err != nil:
			return Glimpse{}, err
		case wait == 0:
			return g, nil
		}
		if err := until(ctx, changed, wait); err != nil {
			return Glimpse{}, err
		}
	}
}

// Watch reports the frames of one stream to each, and once, with no image, whenever none has
// arrived for quiet, until the stream ends or the context. While each runs, no more than one
// frame is read, so that the phone pushes no more frames than somebody looks at. Watch does not
// open another stream, and leaves none behind. As the frames are only looked at, it does not
// matter what is known of them, unless the configuration chooses another way.
func (d *Device) Watch(ctx context.Context, quiet time.Duration, each func(Glimpse)) error {
	d.mu.Lock()
	if known := d.eyes.use; known == streamUnknown && d.client.config.Capture == "" {
		d.eyes.use = streamOnTrial
		defer func() {
			d.mu.Lock()
			d.eyes.use = known
			d.mu.Unlock()
		}()
	}
	d.mu.Unlock()
	e, err := d.eye(ctx)
	if err != nil {
		return err
	}
	e.mu.Lock()
	e.lazy = true
	e.mu.Unlock()
	after, ask := 0, quiet
	for {
		g, wait, changed, err := e.newest(after, ask)
		switch {
		case err != nil && ctx.Err() == nil && !blackFrame(err):
			d.shut(ctx, e, err, false)
			return fmt.Errorf("%w: %w", ErrNoStream, err)
		case err == nil && wait == 0:
			if after, ask = g.Number, quiet; g.Quiet {
				ask = 0 // it is known
			}
			each(g)
		case err == nil:
			err = until(ctx, changed, wait)
		}
		if ctx.Err() != nil {
			err = contextError(ctx)
		}
		if err != nil {
			return errors.Join(err, d.CloseEye(context.WithoutCancel(ctx)))
		}
	}
}

// until waits for a channel's end, for at most a time where that is over 0.
func until(ctx context.Context, changed <-chan struct{}, wait time.Duration) error {
	var over <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-changed:
	case <-over:
	case <-ctx.Done():
		return contextError(ctx)
	}
	return nil
}

// newest is the newest frame, or how long to wait for it: below 0 until something changes.
func (e *eye) newest(after int, quiet time.Duration) (g Glimpse, wait time.Duration, changed <-chan struct{}, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err != nil {
		return g, 0, nil, e.err
	}
	g = Glimpse{Number: e.number, Began: e.began, Took: max(e.ended.Sub(e.began), e.every), Full: e.screen.Current, Rotation: e.screen.Rotation}
	left := time.Until(e.ended.Add(quiet + g.Took))
	g.Quiet = quiet > 0 && !e.under && left <= 0
	switch {
	case e.number > after:
		if e.picture == nil {
			e.picture, e.fault = notBlack(e.header.decode(e.pixels))
			select {
			case e.taken <- struct{}{}:
			default:
			}
		}
		g.Image = e.picture
		return g, 0, nil, e.fault
	case g.Quiet:
		return g, 0, nil, nil
	case quiet > 0 && !e.under:
		return g, left, e.changed, nil
	}
	return g, -1, e.changed, nil
}

// change lets those know who wait. The caller holds mu.
func (e *eye) change() {
	close(e.changed)
	e.changed = make(chan struct{})
}

// read takes frames until the stream ends. It waits for whoever wants them for a moment at
// most, and only if the eye is lazy, so that the phone's other connections are not held up.
func (e *eye) read(r *bufio.Reader, maxPixels int) {
	var spare []byte
	first := true
	for {
		_, err := r.Peek(1)
		e.mu.Lock()
		e.under = true
		began := time.Now()
		e.mu.Unlock()
		var h eyeHeader
		if err == nil {
			h, err = readEyeHeader(r, first, maxPixels)
		} else {
			err = fmt.Errorf("%w: the stream ended: %w", ErrClosed, err)
		}
		first = false
		if err == nil {
			spare, err = readEyePixels(r, h, spare)
		}
		e.mu.Lock()
		if err != nil {
			e.err = err
			e.change()
			e.mu.Unlock()
			return
		}
		e.pixels, spare = spare, e.pixels
		e.header, e.picture, e.fault = h, nil, nil
		e.number++
		now := time.Now()
		if gap := now.Sub(e.ended); gap < eyeGap {
			if e.every == 0 {
				e.every = gap
			}
			part := time.Duration(eyeLonger)
			if gap < e.every {
				part = eyeSooner
			}
			e.every += (gap - e.every) / part
		}
		e.began, e.ended, e.under = began, now, false
		lazy := e.lazy
		e.change()
		e.mu.Unlock()
		if lazy {
			select {
			case <-e.taken:
			case <-time.After(eyePatience):
			}
		}
	}
}

// StreamRefused says why the phone's frames are not used; empty where they are, or where
// that was not tried.
func (d *Device) StreamRefused() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.eyes.why
}

// LookChoice says how the screen is looked at, and why no frames are pushed where that was
// tried.
func (d *Device) LookChoice() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	text := string(d.method)
	switch e := d.eyes.open; {
	case e != nil:
		text = fmt.Sprintf("%s of %s, one frame a change, with stills by %s", Stream, sizeText(eyeSize(e.screen.Current)), text)
	case d.eyes.why != "":
		text += "; not " + Stream + ": " + d.eyes.why
	case d.wantsStream():
		text = Stream + ", with stills by " + text
	}
	return text
}

// wantsStream reports whether frames that are pushed are to be used at all. The caller holds
// Device.mu.
func (d *Device) wantsStream() bool {
	way := d.client.config.Capture
	return way == Stream || way == "" && d.eyes.use != streamUnknown
}

// ChooseStream ends the recorders that an earlier run has left on the phone, which the caller
// holds. Where the configuration chooses no way to look, it also finds out whether frames that
// the phone pushes are to be used: a stream is opened, and used if it shows what a still frame
// shows and tells sooner that the screen stands still. That is remembered with the method of
// Capture, which was chosen before, and tried again where that is measured anew.
func (d *Device) ChooseStream(ctx context.Context) error {
	if err := d.endLeftRecorders(ctx); err != nil {
		return err
	}
	d.mu.Lock()
	d.load()
	note := d.note.Captures[d.captureKey()]
	known := d.client.config.Capture == "" && d.chosen == captureRemembered && (note.Stream || note.NoStream != "")
	if known {
		d.eyes.why = note.NoStream
		if note.Stream {
			d.eyes.use = streamGood
		}
	}
	skip := known || d.client.config.Capture != "" || d.eyes.open != nil || d.still == 0
	if !skip {
		d.eyes.use, d.eyes.why = streamOnTrial, ""
	}
	d.mu.Unlock()
	if skip {
		return nil
	}
	within, done := limit(ctx, d.client.slow(eyeTrial))
	good := d.tryStream(within)
	done()
	err := d.CloseEye(ctx)
	d.mu.Lock()
	if d.eyes.use = streamUnknown; good && err == nil {
		d.eyes.use = streamGood
	}
	d.mu.Unlock()
	if err == nil && ctx.Err() == nil {
		d.keepStream()
	}
	return err
}

// TryLooks finds out how the phone is looked at, as ChooseStream does, and says it. The stream
// is closed again.
func (d *Device) TryLooks(ctx context.Context) (choice string, err error) {
	if err := d.ChooseStream(ctx); err != nil {
		return d.LookChoice(), err
	}
	_, _ = d.Glimpse(ctx, 0, time.Second) // the choice says why there is no stream
	choice = d.LookChoice()
	return choice, d.CloseEye(ctx)
}

// tryStream reports whether frames that are pushed are better than still ones alone. Where
// they are not, eyes.why says so; it is empty where that is not known.
func (d *Device) tryStream(ctx context.Context) bool {
	var shown Glimpse
	restless := time.Now().Add(eyeRestless)
	for {
		g, err := d.Glimpse(ctx, shown.Number, eyeQuiet)
		if err != nil {
			return false
		}
		if g.Image != nil {
			shown = g
		}
		moves := !g.Quiet
		if moves && time.Now().Before(restless) {
			continue
		}
		d.mu.Lock()
		still := d.still
		// It stands still a frame's way and a silence after the last frame began; a second
		// still frame says so, too.
		pays := still >= eyeQuiet+2*shown.Took
		if !pays {
			d.eyes.why = fmt.Sprintf("a still frame takes %v, one that is pushed %v and a silence of %v",
				still.Round(time.Millisecond), shown.Took.Round(time.Millisecond), eyeQuiet)
		}
		d.mu.Unlock()
		if !pays {
			return false
		}
		frame, err := d.Capture(ctx) // which compares them on a screen that stands still
		if err != nil {
			return false
		}
		if moves {
			after, err := d.Glimpse(ctx, shown.Number, 0)
			if err != nil {
				return false
			}
			if alike(frame.Image, shown.Image, after.Image) {
				return true
			}
			shown = after
			continue
		}
		if e, now := d.shownBefore(); e != nil && now.Number == shown.Number {
			return true
		}
	}
}

// keepStream remembers whether frames that are pushed are used.
func (d *Device) keepStream() {
	d.mu.Lock()
	d.load()
	note, found := d.note.Captures[d.captureKey()]
	if found {
		note.Stream, note.NoStream = d.eyes.use == streamGood && d.eyes.why == "", d.eyes.why
		d.note.Captures = d.withCapture(d.note.Captures, note)
	}
	d.mu.Unlock()
	if found {
		d.keepCapture()
	}
}

// eye is the open stream, opened where it may be.
func (d *Device) eye(ctx context.Context) (*eye, error) {
	for {
		d.mu.Lock()
		open, why, opening, wanted := d.eyes.open, d.eyes.why, d.eyes.opening, d.wantsStream()
		if open == nil && why == "" && opening == nil && wanted {
			d.eyes.opening = make(chan struct{})
		}
		d.mu.Unlock()
		switch {
		case !wanted && why != "":
			return nil, fmt.Errorf("%w: %s", ErrNoStream, why)
		case !wanted:
			return nil, ErrNoStream
		case open != nil:
			return open, nil
		case why != "":
			return nil, fmt.Errorf("%w: %s", ErrNoStream, why)
		case opening == nil:
			return d.openEye(ctx)
		}
		if err := until(ctx, opening, -1); err != nil {
			return nil, err
		}
	}
}

// openEye starts a recorder and waits for its first frame. Others wait until it has.
func (d *Device) openEye(ctx context.Context) (*eye, error) {
	e, err := d.startEye(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		d.eyes.open = e
	} else if ctx.Err() == nil && !phoneIsGone(err) {
		d.eyes.why = err.Error()
		d.client.config.Log.Warn("the phone pushes no frames", "phone", d.Serial, "reason", d.eyes.why)
	}
	close(d.eyes.opening)
	d.eyes.opening = nil
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", ErrNoStream, err)
	}
	return e, err
}

// eyeCommand tells its process id, and becomes a recorder of frames of that size.
func (d *Device) eyeCommand(size image.Point) string {
	display := ""
	if id := d.client.config.CaptureDisplay; id != "" {
		display = " --display-id " + id
	}
	return fmt.Sprintf("echo %s$$; exec screenrecord --output-format=frames --size %dx%d%s -", eyeMark, size.X, size.Y, display)
}

// eyeSize is the size of a screen's frames: the screen's own, or a whole part of it.
func eyeSize(screen image.Point) image.Point {
	part := max(1, min(screen.X, screen.Y)/eyeWidth)
	return image.Pt((screen.X+part-1)/part, (screen.Y+part-1)/part)
}

// startEye runs a recorder, notes its process id, and waits for its first frame.
func (d *Device) startEye(ctx context.Context) (*eye, error) {
	if err := d.endLeftRecorders(ctx); err != nil {
		return nil, err
	}
	screen, err := d.Screen(ctx)
	if err != nil {
		return nil, err
	}
	first, done := limit(ctx, min(d.client.config.Timeout, d.client.slow(eyeFirst)))
	defer done()
	life, cancel := context.WithCancel(context.Background())
	// Until it has its first frame, the stream ends with whoever waits for that.
	stop := context.AfterFunc(first, cancel)
	e := &eye{cancel: cancel, screen: screen, number: d.eyeNumber(), changed: make(chan struct{}), taken: make(chan struct{}, 1)}
	e.line, err = d.client.open(life, d.Serial, "exec:"+d.eyeCommand(eyeSize(screen.Current)))
	if err == nil {
		r := bufio.NewReaderSize(e.line, 64<<10)
		if e.pid, err = readEyePID(r); err == nil {
			d.noteRecorders(func(left []int) []int { return append(left, e.pid) })
			go e.read(r, d.client.config.MaxPixels)
			err = e.begun(first)
		}
	}
	if !stop() && err == nil {
		err = contextError(first)
	}
	if err != nil {
		if first.Err() != nil {
			err = contextError(first)
		}
		if e.line != nil {
			e.close()
		} else {
			cancel()
		}
		err = d.fail(ctx, "screenrecord", err)
		if e.pid != 0 {
			_ = d.endRecorder(context.WithoutCancel(ctx), e.pid) // one that is left is ended at the next start
		}
		return nil, err
	}
	return e, nil
}

func (d *Device) eyeNumber() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.eyes.number
}

// begun waits for the first frame.
func (e *eye) begun(ctx context.Context) error {
	for {
		e.mu.Lock()
		err, there, changed := e.err, !e.ended.IsZero(), e.changed
		e.mu.Unlock()
		if err != nil || there {
			return err
		}
		if err := until(ctx, changed, -1); err != nil {
			return err
		}
	}
}

func (e *eye) close() {
	_ = e.line.Close() // nothing was to be said through it
	e.cancel()
}

// eyeDeaths is how often a stream may end by itself, as with its connection, until it is
// opened no more.
const eyeDeaths = 2

// shut ends a stream that failed or, for good, one that is not to be believed.
func (d *Device) shut(ctx context.Context, e *eye, reason error, lied bool) {
	d.mu.Lock()
	mine := d.eyes.open == e
	if mine {
		d.eyes.take()
	}
	d.mu.Unlock()
	if !mine { // another call has seen to it
		return
	}
	e.close()
	if err := d.endRecorder(context.WithoutCancel(ctx), e.pid); Reconnectable(err) || phoneIsGone(err) {
		return // it went with the phone, and is ended when that is back
	}
	d.mu.Lock()
	d.eyes.deaths++
	over := lied || d.eyes.deaths >= eyeDeaths
	if over {
		d.eyes.why = reason.Error()
		d.client.config.Log.Warn("frames are not pushed any more; the screen is captured instead", "phone", d.Serial, "reason", reason)
	}
	d.mu.Unlock()
	if lied && d.client.config.Capture == "" { // nor in the next run
		d.keepStream()
	}
}

// take takes the stream away, if there is one; the next one goes on counting after its
// frames. The caller holds Device.mu.
func (s *eyes) take() *eye {
	e := s.open
	if e != nil {
		e.mu.Lock()
		s.open, s.number = nil, e.number
		e.mu.Unlock()
	}
	return e
}

// CloseEye ends the stream of frames, if there is one, and sees that nothing of it is left
// on the phone.
func (d *Device) CloseEye(ctx context.Context) error {
	d.mu.Lock()
	e := d.eyes.take()
	d.mu.Unlock()
	if e == nil {
		return nil
	}
	defer e.close() // after its end, so that it is read for as long as it lives
	return d.endRecorder(ctx, e.pid)
}

// restartEye ends a stream that is of another screen than the one there is now, to be
// opened for that.
func (d *Device) restartEye(ctx context.Context, screen Screen) {
	d.mu.Lock()
	e := d.eyes.open
	d.mu.Unlock()
	if e == nil || screen == (Screen{}) || screen == e.screen {
		return
	}
	d.client.config.Log.Debug("the screen has changed; frames are pushed anew", "phone", d.Serial)
	_ = d.CloseEye(ctx) // one that is left is ended at the next start
}

// dropEye lets go of a stream whose connection is lost. Its recorder is ended when the phone
// is back.
func (d *Device) dropEye() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e := d.eyes.take(); e != nil {
		e.close()
	}
}

// shownBefore is the frame that was pushed last, where the screen stands still by it.
func (d *Device) shownBefore() (e *eye, shown Glimpse) {
	d.mu.Lock()
	e = d.eyes.open
	d.mu.Unlock()
	if e == nil {
		return nil, shown
	}
	shown, _, _, err := e.newest(-1, eyeQuiet)
	if err != nil || !shown.Quiet {
		return nil, shown
	}
	return e, shown
}

// eyeQuiet is how long after the last frame the screen is taken to stand still.
const eyeQuiet = 60 * time.Millisecond

// checkEye compares a still frame with the one that was pushed before, when none came
// meanwhile. A stream that shows something else and stays silent is not believed, unless what
// the still frame shows was there for a moment only: then it becomes a newer one.
func (d *Device) checkEye(ctx context.Context, e *eye, before Glimpse, frame *Frame) {
	if e == nil || alike(frame.Image, before.Image, before.Image) {
		return
	}
	late := time.Now().Add(d.client.slow(eyeLate))
	for time.Now().Before(late) && ctx.Err() == nil {
		now, _, changed, err := e.newest(before.Number, 0)
		if now.Number != before.Number || err != nil { // the screen has moved
			return
		}
		if until(ctx, changed, eyeLate/4) != nil {
			return
		}
		start := d.client.config.Now()
		image, warning, err := d.grab(ctx, frame.Method)
		if err != nil {
			return
		}
		if alike(image, before.Image, before.Image) {
			frame.Image, frame.Warning, frame.Time, frame.Duration = image, warning, start, d.client.config.Now().Sub(start)
			return
		}
	}
	if ctx.Err() == nil {
		d.shut(ctx, e, fmt.Errorf("the frame that was pushed last is not what a still one of %s shows", sizeText(frame.Size)), true)
	}
}

// The limits of alike.
const (
	alikeStep   = 4  // pixels of the scaled frame between two places that are compared
	alikeColour = 48 // the most that a channel may be out of what is there, 0 to 255
	alikeOneIn  = 25 // of the places, one may differ
	alikeStill  = 2  // one in so many must not have changed meanwhile
)

// alike reports whether a frame is a scaled picture of another. However it was scaled, a pixel
// lies between those of the place that it is a picture of, beside which thin lines may be. If the
// screen moved, it is compared where a scaled frame from before is like one from after.
func alike(full, scaled, after *image.RGBA) bool {
	a, b := full.Rect.Size(), scaled.Rect.Size()
	if !sameShape(a, b) || after.Rect != scaled.Rect {
		return false
	}
	all, places, other := 0, 0, 0
	for y := alikeStep / 2; y < b.Y; y += alikeStep {
		for x := alikeStep / 2; x < b.X; x += alikeStep {
			all++
			if now := after.PixOffset(x, y); !within(scaled, image.Rect(x, y, x+1, y+1), after.Pix[now:]) {
				continue
			}
			places++
			of := image.Rect(x*a.X/b.X-1, y*a.Y/b.Y-1, (x+1)*a.X/b.X+1, (y+1)*a.Y/b.Y+1).Intersect(full.Rect)
			if !within(full, of, scaled.Pix[scaled.PixOffset(x, y):]) {
				other++
			}
		}
	}
	return places > 0 && places*alikeStill >= all && other*alikeOneIn <= places
}

// within reports whether each channel of a pixel lies between those of a part of a frame.
func within(frame *image.RGBA, part image.Rectangle, pixel []uint8) bool {
	for channel := range 3 {
		least, most := uint8(255), uint8(0)
		for y := part.Min.Y; y < part.Max.Y; y++ {
			for x := part.Min.X; x < part.Max.X; x++ {
				value := frame.Pix[frame.PixOffset(x, y)+channel]
				least, most = min(least, value), max(most, value)
			}
		}
		if v := int(pixel[channel]); v < int(least)-alikeColour || v > int(most)+alikeColour {
			return false
		}
	}
	return true
}

// noteRecorders changes which recorders may still run, and keeps that at once: after a crash
// the next start ends them. What another process has kept of the phone meanwhile stays.
func (d *Device) noteRecorders(change func([]int) []int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.load()
	d.eyes.left = change(slices.Clone(d.eyes.left))
	d.keep(func(n *TouchNote) { n.Recorders = d.eyes.left })
}

// endLeftRecorders ends the recorders that this program, or one before it, has started and
// not seen to end: those of a run that was cut off.
func (d *Device) endLeftRecorders(ctx context.Context) error {
	d.mu.Lock()
	d.load()
	left := slices.Clone(d.eyes.left)
	if e := d.eyes.open; e != nil {
		left = slices.DeleteFunc(left, func(pid int) bool { return pid == e.pid })
	}
	d.mu.Unlock()
	for _, pid := range left {
		if err := d.endRecorder(ctx, pid); err != nil {
			return err
		}
	}
	return nil
}

// endRecorder ends the recorder of that process id, and waits until it has ended. A process
// of another name is left alone: ids are given anew.
func (d *Device) endRecorder(ctx context.Context, pid int) error {
	within, done := limit(ctx, d.client.slow(eyeEnds))
	defer done()
	for told := false; ; {
		// Android 5 has no pidof.
		list, _, err := d.Shell(within, "pidof screenrecord 2>/dev/null || ps")
		if err != nil {
			return err
		}
		if !slices.Contains(recorderPIDs(list), pid) {
			d.noteRecorders(func(left []int) []int { return slices.DeleteFunc(left, func(p int) bool { return p == pid }) })
			return nil
		}
		if !told {
			if _, _, err := d.Shell(within, "kill -INT "+strconv.Itoa(pid)); err != nil {
				return err
			}
			told = true
			continue // most have ended by then
		}
		if err := fault.Sleep(within, eyeEndsPause); err != nil {
			return fmt.Errorf("adb: screenrecord, process %d on %s, does not end: %w", pid, d.Serial, err)
		}
	}
}

// recorderPIDs are the process ids of recorders in what pidof or ps prints.
func recorderPIDs(list string) (pids []int) {
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		if len(words) > 2 && !allNumbers(words) { // of ps
			if words[len(words)-1] != "screenrecord" {
				continue
			}
			words = words[1:2]
		}
		for _, word := range words {
			if pid, err := strconv.Atoi(word); err == nil && pid > 0 {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

func allNumbers(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return strings.Trim(word, "0123456789") != "" })
}
