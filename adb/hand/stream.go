package adb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"tapwise/adb/pointer"
)

const (
	// listedWithin is how long a touchscreen may take from the start of its command
	// until Android reads it: a Java process starts in up to 1.5 s.
	listedWithin = 6 * time.Second
	// listedPause is between two looks whether it is listed.
	listedPause = 50 * time.Millisecond
	// streamIdle is how long a stream stays open without a touch.
	streamIdle = time.Minute
	// liftWithin bounds lifting the finger after a failure.
	liftWithin = 3 * time.Second
	// maxStreamOutput is the number of bytes kept of what a stream's command prints.
	maxStreamOutput = 16 << 10
)

// touchStream is one open connection through which the finger moves.
type touchStream struct {
	rung    string
	encoder pointer.Encoder
	size    image.Point // physical pixels of the screen that it was opened for
	line    *conn       // takes the events
	command *conn       // runs the command; the same as line but for monkey
	cancel  context.CancelFunc
	out     *streamOutput
	answers *bufio.Reader // of line, where each event is answered; nil where none is
	timeout time.Duration // for one write or one answer
	due     time.Time     // before which the next event must not be sent
	down    bool
	torn    bool        // a write failed, perhaps in the middle: what followed would be read as its rest
	last    image.Point // where the finger is or was, in the encoder's pixels
}

// streamOutput collects what a stream's command prints, until it ends.
type streamOutput struct {
	mu    sync.Mutex
	text  []byte
	ended chan struct{}
}

// watch reads r to its end.
func watch(r io.Reader) *streamOutput {
	o := &streamOutput{ended: make(chan struct{})}
	go func() {
		defer close(o.ended)
		buffer := make([]byte, 1024)
		for {
			n, err := r.Read(buffer)
			o.mu.Lock()
			o.text = append(o.text, buffer[:min(n, maxStreamOutput-len(o.text))]...)
			o.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return o
}

// said is what was printed that matters: not the linker's warnings of Android 4.4
// and 5, which every Java command prints.
func (o *streamOutput) said() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var lines []string
	for line := range strings.Lines(string(o.text)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "WARNING: linker:") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func (o *streamOutput) over() bool {
	select {
	case <-o.ended:
		return true
	default:
		return false
	}
}

// openStream runs a command on the phone whose input stays open.
func (d *Device) openStream(ctx context.Context, rung, command string) (*touchStream, error) {
	limited, done := d.client.limit(ctx)
	defer done()
	life, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(limited, cancel)
	k, err := d.client.open(life, d.Serial, "exec:"+command)
	if !stop() && err == nil { // it is opened, and its context is over
		k.Close()
		err = contextError(limited)
	}
	if err != nil {
		cancel()
		if limited.Err() != nil {
			err = contextError(limited)
		}
		return nil, d.fail(ctx, commandName(command), err)
	}
	return &touchStream{
		rung: rung, line: k, command: k, cancel: cancel, out: watch(k), timeout: d.client.config.Timeout,
	}, nil
}

// close ends the connection; the end of its input lifts the finger of a touchscreen
// that lives with it.
func (s *touchStream) close() {
	if s.line != s.command {
		_ = s.line.Close() // there is nothing left to be said through it
	}
	_ = s.command.Close()
	s.cancel()
}

// lost returns why nothing can be sent any more; nil while something can.
func (s *touchStream) lost() error {
	over := s.out.over() // first: what was said until then is all
	said := s.out.said()
	if err := refusal(said); err != nil {
		return err
	}
	switch {
	case over && said == "":
		return fmt.Errorf("%w: %s ended", ErrClosed, s.rung)
	case over:
		return fmt.Errorf("%w: %s ended: %q", ErrClosed, s.rung, shorten(said))
	case s.torn:
		return fmt.Errorf("%w: what was written last did not go through", ErrClosed)
	}
	return nil // whatever else it says: whether touches land is seen
}

// openVirtual opens a touchscreen that uinput or hid makes, and waits until Android
// reads it.
func (d *Device) openVirtual(ctx context.Context, rung string) (*touchStream, error) {
	screen, err := d.Screen(ctx)
	if err != nil {
		return nil, err
	}
	device := "/dev/uinput"
	if rung == TouchHID {
		device = "/dev/uhid"
	}
	if err := d.writable(ctx, device); err != nil {
		return nil, err
	}
	s, err := d.openStream(ctx, rung, rung+" -")
	if err != nil {
		return nil, err
	}
	// A name of its own, since one that is about to go may still be listed.
	name := fmt.Sprintf("tapwise-%08x", rand.Uint32())
	s.size = screen.Physical
	s.encoder = pointer.NewUinput(name, s.size)
	if rung == TouchHID {
		s.encoder = pointer.NewHID(name, s.size)
	}
	if err := s.write(s.encoder.Start()); err == nil {
		err = d.awaitListed(ctx, s, name, device)
		if err == nil {
			return s, nil
		}
		s.close()
		return nil, err
	}
	// What the command says may come after the write that failed.
	s.await(d.client.slow(listedWithin))
	defer s.close()
	if err := s.lost(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%w: %s takes no input", ErrInputRefused, rung)
}

// await waits for the end of the stream's command.
func (s *touchStream) await(atMost time.Duration) {
	select {
	case <-s.out.ended:
	case <-time.After(atMost):
	}
}

// awaitListed waits until Android reads the touchscreen of that name.
func (d *Device) awaitListed(ctx context.Context, s *touchStream, name, device string) error {
	within := d.client.slow(listedWithin)
	for deadline := d.client.config.Now().Add(within); ; {
		if err := s.lost(); err != nil {
			return err
		}
		text, _, err := d.Shell(ctx, dumpInput)
		if err != nil {
			return err
		}
		if pointer.Listed(text, name) {
			return nil
		}
		if d.client.config.Now().After(deadline) {
			break
		}
		if err := d.pause(ctx, listedPause); err != nil {
			return err
		}
	}
	node, _, err := d.Shell(ctx, "ls -l "+device+" 2>&1")
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: Android lists no new touchscreen within %v; %s", ErrInputRefused, within, shorten(strings.TrimSpace(node)))
}

// openEvdev opens the node of the phone's own touchscreen, and lifts a finger there.
func (d *Device) openEvdev(ctx context.Context) (*touchStream, error) {
	screen, err := d.Screen(ctx)
	if err != nil {
		return nil, err
	}
	list, _, err := d.Shell(ctx, "getevent -pl 2>&1")
	if err != nil {
		return nil, err
	}
	touchscreen, found := pointer.ChooseTouchscreen(pointer.ParseGetevent(list))
	if !found {
		return nil, fmt.Errorf("%w: getevent lists no touchscreen but %q", ErrInputRefused, shorten(strings.TrimSpace(list)))
	}
	wide, err := d.wideEvents(ctx)
	if err != nil {
		return nil, err
	}
	encoder, err := pointer.NewEvdev(touchscreen, screen.Physical, wide)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInputRefused, err)
	}
	node := Quote(touchscreen.Node)
	if err := d.writable(ctx, touchscreen.Node); err != nil {
		return nil, err
	}
	// What waits on the way is cut into pieces of 4,096 bytes or of any other length. dd
	// puts events together again; cat would write a part of one, which ends it.
	s, err := d.openStream(ctx, TouchEvdev, fmt.Sprintf("dd obs=%d >%s", encoder.EventBytes(), node))
	if err != nil {
		return nil, err
	}
	s.encoder, s.size = encoder, screen.Physical
	if err := s.write(encoder.Release()); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// writable opens a device to write to it, and closes it. What the phone says of one
// that it may not open comes at once so, and not when a stream to it has ended.
func (d *Device) writable(ctx context.Context, device string) error {
	said, status, err := d.Shell(ctx, ": >"+Quote(device)+" 2>&1")
	if err != nil {
		return err
	}
	if said = strings.TrimSpace(said); status != 0 {
		return fmt.Errorf("%w: %s may not be written to (status %d): %s", ErrInputRefused, device, status, shorten(said))
	}
	d.hear("opening "+device, said)
	return nil
}

// wideEvents reports whether the program that writes events is a 64-bit one: the
// fifth byte of its file tells. Where that cannot be read, the phone's list of
// instruction sets does.
func (d *Device) wideEvents(ctx context.Context) (bool, error) {
	const magic = "\x7fELF"
	limited, done := d.client.limit(ctx)
	defer done()
	k, err := d.exec(limited, "cat /system/bin/dd")
	if err != nil {
		return false, d.fail(ctx, "exec cat", err)
	}
	defer k.Close()
	head, _ := readUpTo(k, maxHeaderText) // a shell may say something first
	if limited.Err() != nil {
		return false, contextError(limited)
	}
	if _, at, found := cutText(head, magic); found && at+len(magic) < len(head) {
		switch head[at+len(magic)] {
		case 2:
			return true, nil
		case 1:
			return false, nil
		}
	}
	return strings.Contains(d.Properties["ro.product.cpu.abi"], "64") || d.Properties["ro.product.cpu.abilist64"] != "", nil
}

// write sends whole events, lines or objects.
func (s *touchStream) write(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if err := s.line.SetWriteDeadline(time.Now().Add(s.timeout)); err != nil {
		return fmt.Errorf("%w: %w", ErrClosed, err)
	}
	if _, err := s.line.Write(data); err != nil {
		s.torn = true
		return fmt.Errorf("%w: %w", ErrClosed, err)
	}
	return s.answer()
}

// answer reads the line that answers an event, where there is one.
func (s *touchStream) answer() error {
	if s.answers == nil {
		return nil
	}
	if err := s.line.SetReadDeadline(time.Now().Add(s.timeout)); err != nil {
		return fmt.Errorf("%w: %w", ErrClosed, err)
	}
	said, err := s.answers.ReadString('\n')
	said = strings.TrimSpace(said)
	switch {
	case err != nil:
		if lost := s.lost(); lost != nil {
			return lost
		}
		return fmt.Errorf("%w: %s does not answer: %w", ErrClosed, s.rung, err)
	case said != "OK" && !strings.HasPrefix(said, "OK:"):
		return fmt.Errorf("%w: %s answers %q", ErrInputRefused, s.rung, shorten(said))
	}
	return nil
}

// send makes one event.
func (s *touchStream) send(e pointer.Event) error {
	if err := s.lost(); err != nil {
		return err
	}
	if e.Kind == pointer.Down {
		s.down = true // from here on it may be
	}
	s.last = e.At
	if err := s.write(s.encoder.Encode(e)); err != nil {
		return err
	}
	s.down = e.Kind != pointer.Up
	return nil
}

// pause is a sleep that a context ends.
func (d *Device) pause(ctx context.Context, time time.Duration) error {
	if d.hands.sleep != nil {
		return d.hands.sleep(ctx, time)
	}
	return sleep(ctx, time)
}

func sleep(ctx context.Context, length time.Duration) error {
	if length <= 0 {
		return nil
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return contextError(ctx)
	}
}

// fits turns strokes on the screen as apps see it into the stream's own pixels, or
// says why they cannot be.
func (s *touchStream) fits(strokes []Stroke, screen Screen) ([]Stroke, error) {
	if !s.encoder.Natural() {
		return strokes, nil
	}
	space := pointer.Space{Physical: screen.Physical, Current: screen.Current, Rotation: screen.Rotation}
	if err := space.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInputRefused, err)
	}
	if s.size != screen.Physical {
		return nil, fmt.Errorf("%w: it was opened for a screen of %s, the phone now has %s", ErrClosed, sizeText(s.size), sizeText(screen.Physical))
	}
	turned := make([]Stroke, len(strokes))
	for i, stroke := range strokes {
		points := make([]image.Point, len(stroke.Points))
		for k, p := range stroke.Points {
			points[k] = space.Natural(p)
		}
		turned[i] = Stroke{Points: points, Size: screen.Physical}
	}
	return turned, nil
}

// playStream plays strokes in the stream's own pixels, one point after the other at
// the app's pace. When ctx is cancelled, it ends the stroke under way. After a
// failure the stream is closed and the finger is up or, where it could not be
// lifted, known to be down.
func (d *Device) playStream(ctx context.Context, s *touchStream, strokes []Stroke, options PlayOptions) error {
	bounded, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	stop := context.AfterFunc(ctx, func() {
		if !errors.Is(ctx.Err(), context.Canceled) {
			cancel(contextError(ctx))
			return
		}
		time.AfterFunc(d.client.slow(strokeGrace), func() { cancel(contextError(ctx)) })
	})
	defer stop()
	pace := d.Pace(options.App)
	step := stepOf(strokes, s.size)
	moves := 0
	for n, stroke := range strokes {
		if ctx.Err() != nil {
			return d.fail(ctx, "touch by "+s.rung, contextError(ctx))
		}
		points := inSteps(stroke.Points, step)
		moves += len(points) - 1
		if options.Began != nil {
			options.Began(n)
		}
		if err := d.strokeThrough(bounded, s, points, pace); err != nil {
			return d.broken(ctx, s, err)
		}
	}
	d.mu.Lock()
	if d.hands.app != options.App {
		d.hands.moves = 0
	}
	d.hands.app, d.hands.moves = options.App, d.hands.moves+moves
	d.mu.Unlock()
	if err := s.lost(); err != nil {
		return d.broken(ctx, s, err)
	}
	return nil
}

// strokeThrough moves the finger through the points and lifts it.
func (d *Device) strokeThrough(ctx context.Context, s *touchStream, points []image.Point, pace time.Duration) error {
	if err := d.moveThrough(ctx, s, points, pace); err != nil {
		return err
	}
	return d.event(ctx, s, pointer.Event{Kind: pointer.Up, At: points[len(points)-1]}, pace)
}

// moveThrough puts the finger on the first point and moves it through the others.
func (d *Device) moveThrough(ctx context.Context, s *touchStream, points []image.Point, pace time.Duration) error {
	hold := pace
	if len(points) == 1 {
		hold = tapPaces * pace
	}
	if err := d.event(ctx, s, pointer.Event{Kind: pointer.Down, At: points[0]}, hold); err != nil {
		return err
	}
	for _, p := range points[1:] {
		if err := d.event(ctx, s, pointer.Event{Kind: pointer.Move, At: p}, pace); err != nil {
			return err
		}
	}
	return nil
}

// event makes one event when it is due; the next one is due so long after it. One
// that was late is no reason to hurry the next.
func (d *Device) event(ctx context.Context, s *touchStream, e pointer.Event, after time.Duration) error {
	if err := d.pause(ctx, s.due.Sub(d.client.config.Now())); err != nil {
		return err
	}
	if err := s.send(e); err != nil {
		return err
	}
	s.due = d.client.config.Now().Add(after)
	return nil
}

// broken ends a stream after a failure, lifts the finger, and says what happened. A
// way that the phone refuses is left for the next one.
func (d *Device) broken(ctx context.Context, s *touchStream, err error) error {
	if s.down && s.lost() == nil && s.send(pointer.Event{Kind: pointer.Up, At: s.last}) == nil {
		// It is up; what was wrong was the time.
		return d.fail(ctx, "touch by "+s.rung, err)
	}
	down, rung := s.down, s.rung
	d.closeStream()
	if errors.Is(err, ErrInputRefused) && d.client.config.Touch == "" {
		d.mu.Lock()
		d.refuse(rung, refusalText(err))
		d.mu.Unlock()
		err = fmt.Errorf("%w: %v", ErrClosed, err) // another way is taken the next time
	}
	err = d.fail(ctx, "touch by "+rung, err)
	if !down || rung == TouchUinput || rung == TouchHID {
		return err
	}
	lift, cancel := limit(context.WithoutCancel(ctx), d.client.slow(liftWithin))
	defer cancel()
	if liftErr := d.liftBy(lift, rung); liftErr != nil {
		d.mu.Lock()
		d.leftBy = rung
		d.mu.Unlock()
		err = fmt.Errorf("%w (and lifting the finger failed: %v)", err, liftErr)
	}
	return err
}

// closeStream ends the stream that is open, if one is. The caller holds the finger.
func (d *Device) closeStream() {
	s := d.hands.stream
	if s == nil {
		return
	}
	d.hands.stream = nil
	d.hear(s.rung, s.out.said())
	if s.rung == TouchMonkey && !s.torn {
		s.quit(d.client.slow(monkeyEnds))
	}
	s.close()
}

// CloseTouch ends the connection through which the phone is touched, and restores what touching
// changed on the phone. The phone can be touched again afterwards.
func (d *Device) CloseTouch(ctx context.Context) error {
	select {
	case d.finger <- struct{}{}:
	case <-ctx.Done():
		return d.fail(ctx, "touch", contextError(ctx))
	}
	defer func() { <-d.finger }()
	d.mu.Lock()
	if d.hands.idle != nil {
		d.hands.idle.Stop()
	}
	d.mu.Unlock()
	d.closeStream()
	err := d.restoreRotation(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.hands.note.Using != "" {
		d.hands.note.Using = ""
		d.remember()
	}
	return errors.Join(err, d.hands.saved)
}

// watchIdle closes the stream when it has not been used for a while. The caller
// holds the mutex.
func (d *Device) watchIdle() {
	if d.hands.stream == nil {
		return
	}
	if d.hands.idle != nil {
		d.hands.idle.Stop()
	}
	d.hands.idle = time.AfterFunc(streamIdle, func() {
		select {
		case d.finger <- struct{}{}:
			d.closeStream()
			<-d.finger
		default: // it is in use, and is watched again afterwards
		}
	})
}
