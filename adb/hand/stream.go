package hand

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"tapwise/adb/hand/pointer"
	"tapwise/adb/internal/fault"
)

const (
	// listedWithin is how long a touchscreen may take from the start of its command
	// until Android reads it: a Java process starts in up to 1.5 s.
	listedWithin = 6 * time.Second
	// listedPause is between two looks whether it is listed.
	listedPause = 50 * time.Millisecond
	// streamIdle is how long a stream stays open without a touch.
	streamIdle = time.Minute
	// maxStreamOutput is the number of bytes kept of what a stream's command prints.
	maxStreamOutput = 16 << 10
)

// stream is one open connection through which the finger moves.
type stream struct {
	way     string
	encoder pointer.Encoder
	size    image.Point // physical pixels of the screen that it was opened for
	line    net.Conn    // takes the events
	command net.Conn    // runs the command; the same as line except for monkey
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

// untilEnd waits until the command has ended, which is when it has said everything, or for so
// long at most.
func (o *streamOutput) untilEnd(most time.Duration) {
	select {
	case <-o.ended:
	case <-time.After(most):
	}
}

func (o *streamOutput) over() bool {
	select {
	case <-o.ended:
		return true
	default:
		return false
	}
}

// A lasting connection is closed with the context in which it was opened.
type lasting struct {
	net.Conn
	cancel context.CancelFunc
}

func (l lasting) Close() error {
	defer l.cancel()
	return l.Conn.Close()
}

// connect connects to a service of the phone until the connection is closed.
func (h *Hand) connect(ctx context.Context, service string) (net.Conn, error) {
	limited, done := fault.Limit(ctx, h.config.Timeout)
	defer done()
	life, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(limited, cancel)
	line, err := h.phone.Open(life, service)
	if !stop() && err == nil { // it is opened, and its context is over
		line.Close()
		err = fault.Context(limited)
	}
	if err != nil {
		cancel()
		if limited.Err() != nil {
			err = fault.Context(limited)
		}
		return nil, err
	}
	return lasting{line, cancel}, nil
}

// open runs a command on the phone whose input stays open.
func (h *Hand) open(ctx context.Context, way, command string) (*stream, error) {
	line, err := h.connect(ctx, "exec:"+command)
	if err != nil {
		name, _, _ := strings.Cut(command, " ")
		return nil, h.phone.Fail(ctx, name, err)
	}
	return &stream{way: way, line: line, command: line, out: watch(line), timeout: h.config.Timeout}, nil
}

// close ends the connection; the end of its input lifts the finger of a touchscreen
// that lives with it.
func (s *stream) close() {
	_ = s.line.Close() // there is nothing left to be said through it
	_ = s.command.Close()
}

// lost returns why nothing can be sent any more; nil while something can.
func (s *stream) lost() error {
	over := s.out.over() // first: what was said until then is all
	said := s.out.said()
	if err := fault.Refusal(said); err != nil {
		return err
	}
	switch {
	case over && said == "":
		return fmt.Errorf("%w: %s ended", fault.ErrClosed, s.way)
	case over:
		return fmt.Errorf("%w: %s ended: %q", fault.ErrClosed, s.way, fault.Shorten(said))
	case s.torn:
		return fmt.Errorf("%w: what was written last did not go through", fault.ErrClosed)
	}
	return nil // whatever else it says: whether touches land is seen
}

// openWay opens a way that streams, for the screen as it is now.
func (h *Hand) openWay(ctx context.Context, way string) (s *stream, err error) {
	_, space, err := h.phone.Fit(ctx, nil, "")
	if err != nil {
		return nil, err
	}
	switch way {
	case Evdev:
		s, err = h.openEvdev(ctx, space.Physical)
	case Monkey:
		s, err = h.openMonkey(ctx)
	default:
		s, err = h.openVirtual(ctx, way, space.Physical)
	}
	if err != nil {
		return nil, err
	}
	s.size = space.Physical
	return s, nil
}

// openVirtual opens a touchscreen that uinput or hid makes, and waits until Android
// reads it.
func (h *Hand) openVirtual(ctx context.Context, way string, size image.Point) (*stream, error) {
	device := "/dev/uinput"
	if way == HID {
		device = "/dev/uhid"
	}
	if err := h.writable(ctx, device); err != nil {
		return nil, err
	}
	s, err := h.open(ctx, way, way+" -")
	if err != nil {
		return nil, err
	}
	// A name of its own, since one that is about to go may still be listed.
	name := fmt.Sprintf("tapwise-%08x", rand.Uint32())
	s.encoder = pointer.NewUinput(name, size)
	if way == HID {
		s.encoder = pointer.NewHID(name, size)
	}
	if err := s.write(s.encoder.Start()); err == nil {
		if err = h.awaitListed(ctx, s, name, device); err != nil {
			s.close()
		}
		return s, err
	}
	// What the command says may come after the write that failed.
	s.out.untilEnd(h.config.Slow(listedWithin))
	defer s.close()
	if err := s.lost(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%w: %s takes no input", fault.ErrRefused, way)
}

// poll tries something until it is done or fails, again and again for some time.
func (h *Hand) poll(ctx context.Context, within, every time.Duration, try func() (done bool, err error)) (done bool, err error) {
	for deadline := h.config.Now().Add(within); ; {
		done, err := try()
		if done || err != nil || h.config.Now().After(deadline) {
			return done, err
		}
		if err := fault.Sleep(ctx, every); err != nil {
			return false, err
		}
	}
}

// awaitListed waits until Android reads the touchscreen of that name.
func (h *Hand) awaitListed(ctx context.Context, s *stream, name, device string) error {
	within := h.config.Slow(listedWithin)
	listed, err := h.poll(ctx, within, listedPause, func() (bool, error) {
		if err := s.lost(); err != nil {
			return false, err
		}
		text, _, err := h.phone.Shell(ctx, dumpInput)
		return err == nil && pointer.Listed(text, name), err
	})
	if listed || err != nil {
		return err
	}
	node, _, err := h.phone.Shell(ctx, "ls -l "+device+" 2>&1")
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: Android lists no new touchscreen within %v; %s", fault.ErrRefused, within, fault.Shorten(strings.TrimSpace(node)))
}

// openEvdev opens the node of the phone's own touchscreen, and lifts a finger there.
func (h *Hand) openEvdev(ctx context.Context, size image.Point) (*stream, error) {
	list, _, err := h.phone.Shell(ctx, "getevent -pl 2>&1")
	if err != nil {
		return nil, err
	}
	touchscreen, found := pointer.ChooseTouchscreen(pointer.ParseGetevent(list))
	if !found {
		return nil, fmt.Errorf("%w: getevent lists no touchscreen but %q", fault.ErrRefused, fault.Shorten(strings.TrimSpace(list)))
	}
	wide, err := h.wideEvents(ctx)
	if err != nil {
		return nil, err
	}
	encoder, err := pointer.NewEvdev(touchscreen, size, wide)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", fault.ErrRefused, err)
	}
	if err := h.writable(ctx, touchscreen.Node); err != nil {
		return nil, err
	}
	// What waits on the way is cut into pieces of 4,096 bytes or of any other length. dd
	// puts events together again; cat would write a part of one, which ends it.
	s, err := h.open(ctx, Evdev, fmt.Sprintf("dd obs=%d >%s", encoder.EventBytes(), touchscreen.Node))
	if err != nil {
		return nil, err
	}
	s.encoder = encoder
	if err := s.write(encoder.Release()); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// writable opens a device to write to it, and closes it. What the phone says of one
// that it may not open comes at once so, and not when a stream to it has ended.
func (h *Hand) writable(ctx context.Context, device string) error {
	said, status, err := h.phone.Shell(ctx, ": >"+device+" 2>&1")
	if err != nil {
		return err
	}
	if said = strings.TrimSpace(said); status != 0 {
		return fmt.Errorf("%w: %s may not be written to (status %d): %s", fault.ErrRefused, device, status, fault.Shorten(said))
	}
	fault.Hear(h.config.Log, "opening "+device, said)
	return nil
}

// wideEvents reports whether the program that writes events is a 64-bit one: the
// fifth byte of its file tells. Where that cannot be read, the phone's properties do.
func (h *Hand) wideEvents(ctx context.Context) (bool, error) {
	const (
		magic = "\x7fELF"
		head  = 1 << 12 // a shell may say something first
	)
	limited, done := fault.Limit(ctx, h.config.Timeout)
	defer done()
	line, err := h.phone.Open(limited, "exec:cat /system/bin/dd")
	if err != nil {
		return false, h.phone.Fail(ctx, "exec cat", err)
	}
	defer line.Close()
	text, _ := io.ReadAll(io.LimitReader(line, head))
	if limited.Err() != nil {
		return false, fault.Context(limited)
	}
	if _, file, found := bytes.Cut(text, []byte(magic)); found && len(file) > 0 && (file[0] == 1 || file[0] == 2) {
		return file[0] == 2, nil
	}
	return h.config.Wide, nil
}

// write sends whole events, lines or objects.
func (s *stream) write(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if err := s.line.SetWriteDeadline(time.Now().Add(s.timeout)); err != nil {
		return fmt.Errorf("%w: %w", fault.ErrClosed, err)
	}
	if _, err := s.line.Write(data); err != nil {
		s.torn = true
		return fmt.Errorf("%w: %w", fault.ErrClosed, err)
	}
	return s.answer()
}

// saysWhy is how long a command that has closed its port may take to say why.
const saysWhy = time.Second

// answer reads the line that answers an event, where there is one.
func (s *stream) answer() error {
	if s.answers == nil {
		return nil
	}
	if err := s.line.SetReadDeadline(time.Now().Add(s.timeout)); err != nil {
		return fmt.Errorf("%w: %w", fault.ErrClosed, err)
	}
	said, err := s.answers.ReadString('\n')
	said = strings.TrimSpace(said)
	switch {
	case err != nil:
		if errors.Is(err, io.EOF) { // why it ends comes by another connection
			s.out.untilEnd(saysWhy)
		}
		if lost := s.lost(); lost != nil {
			return lost
		}
		return fmt.Errorf("%w: %s does not answer: %w", fault.ErrClosed, s.way, err)
	case said != "OK" && !strings.HasPrefix(said, "OK:"):
		return fmt.Errorf("%w: %s answers %q", fault.ErrRefused, s.way, fault.Shorten(said))
	}
	return nil
}

// send makes one event.
func (s *stream) send(e pointer.Event) error {
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

// fits turns strokes on the screen as apps see it into the stream's own pixels, or
// says why they cannot be.
func (s *stream) fits(strokes []Stroke, space pointer.Space) ([]Stroke, error) {
	if !s.encoder.Natural() {
		return strokes, nil
	}
	if err := space.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", fault.ErrRefused, err)
	}
	if was, now := s.size, space.Physical; was != now {
		return nil, fmt.Errorf("%w: it was opened for a screen of %dx%d, the phone now has %dx%d", fault.ErrClosed, was.X, was.Y, now.X, now.Y)
	}
	turned := make([]Stroke, len(strokes))
	for i, stroke := range strokes {
		points := make([]image.Point, len(stroke.Points))
		for k, p := range stroke.Points {
			points[k] = space.Natural(p)
		}
		turned[i] = Stroke{Points: points, Size: space.Physical}
	}
	return turned, nil
}

// playStream plays strokes in the stream's own pixels, one point after the other at
// the app's pace. When ctx is cancelled, it ends the stroke under way. After a
// failure the stream is closed and the finger is up or, where it could not be
// lifted, known to be down.
func (h *Hand) playStream(ctx context.Context, s *stream, strokes []Stroke, options Options) error {
	bounded, done := h.finish(ctx)
	defer done()
	h.mu.Lock()
	pace := h.pace(options.App)
	h.mu.Unlock()
	step := stepOf(strokes, s.size)
	moves := 0
	for n, stroke := range strokes {
		if ctx.Err() != nil {
			return h.phone.Fail(ctx, "touch by "+s.way, fault.Context(ctx))
		}
		if options.Stop != nil && options.Stop(n) {
			break
		}
		points := inSteps(stroke.Points, step)
		moves += len(points) - 1
		if options.Began != nil {
			options.Began(n)
		}
		err := h.moveThrough(bounded, s, points, pace)
		if err == nil && options.Missed != nil && len(stroke.Points) > 1 && h.findsPace(options.App, pace) {
			if from := options.Missed(n); from > 0 && from < len(stroke.Points) {
				slower := h.lostPoints(options.App, moves)
				err = h.drawAgain(bounded, s, stroke.Points[from-1:], step, 2*pace)
				pace, moves = slower, 0
			}
		}
		if err == nil {
			err = h.event(bounded, s, pointer.Event{Kind: pointer.Up, At: points[len(points)-1]}, pace)
		}
		if err != nil {
			return h.broken(ctx, s, err)
		}
	}
	h.mu.Lock()
	h.touches(options.App)
	h.moves += moves
	h.mu.Unlock()
	if err := s.lost(); err != nil {
		return h.broken(ctx, s, err)
	}
	return nil
}

// drawAgain moves the finger, which is on the last of the points, back to the first and through
// them again.
func (h *Hand) drawAgain(ctx context.Context, s *stream, points []image.Point, step float64, pace time.Duration) error {
	way := slices.Clone(points)
	slices.Reverse(way)
	for _, p := range inSteps(append(way, points[1:]...), step)[1:] {
		if err := h.event(ctx, s, pointer.Event{Kind: pointer.Move, At: p}, pace); err != nil {
			return err
		}
	}
	return nil
}

// moveThrough puts the finger on the first point and moves it through the others.
func (h *Hand) moveThrough(ctx context.Context, s *stream, points []image.Point, pace time.Duration) error {
	hold := pace
	if len(points) == 1 {
		hold = tapPaces * pace
	}
	if err := h.event(ctx, s, pointer.Event{Kind: pointer.Down, At: points[0]}, hold); err != nil {
		return err
	}
	for _, p := range points[1:] {
		if err := h.event(ctx, s, pointer.Event{Kind: pointer.Move, At: p}, pace); err != nil {
			return err
		}
	}
	return nil
}

// event makes one event when it is due; the next one is due so long after it. One
// that was late is no reason to hurry the next.
func (h *Hand) event(ctx context.Context, s *stream, e pointer.Event, after time.Duration) error {
	if err := fault.Sleep(ctx, s.due.Sub(h.config.Now())); err != nil {
		return err
	}
	if err := s.send(e); err != nil {
		return err
	}
	s.due = h.config.Now().Add(after)
	return nil
}

// broken ends a stream after a failure, lifts the finger, and says what happened. A
// way that the phone refuses is left for the next one.
func (h *Hand) broken(ctx context.Context, s *stream, err error) error {
	if s.down && s.lost() == nil && s.send(pointer.Event{Kind: pointer.Up, At: s.last}) == nil {
		// It is up; what was wrong was the time.
		return h.phone.Fail(ctx, "touch by "+s.way, err)
	}
	down, way := s.down, s.way
	h.closeStream()
	if errors.Is(err, fault.ErrRefused) && h.config.Way == "" {
		h.refuse(way, err)
		err = fmt.Errorf("%w: %v", fault.ErrClosed, err) // another way is taken the next time
	}
	err = h.phone.Fail(ctx, "touch by "+way, err)
	if !down || way == Uinput || way == HID {
		return err
	}
	lift, cancel := fault.Limit(context.WithoutCancel(ctx), h.config.Slow(liftWithin))
	defer cancel()
	if liftErr := h.liftBy(lift, way, corner); liftErr != nil {
		h.leave(way, corner)
		err = fmt.Errorf("%w (and lifting the finger failed: %v)", err, liftErr)
	}
	return err
}

// closeStream ends the stream that is open, if one is. The caller holds the finger.
func (h *Hand) closeStream() {
	s := h.stream
	if s == nil {
		return
	}
	h.stream = nil
	fault.Hear(h.config.Log, s.way, s.out.said())
	if s.way == Monkey && !s.torn {
		s.quit(h.config.Slow(monkeyEnds))
	}
	s.close()
}

// watchIdle closes the stream when it has not been used for a while. The caller
// holds the mutex.
func (h *Hand) watchIdle() {
	if h.stream == nil {
		return
	}
	if h.idle != nil {
		h.idle.Stop()
	}
	h.idle = time.AfterFunc(streamIdle, func() {
		select {
		case h.finger <- struct{}{}:
			h.closeStream()
			<-h.finger
		default: // it is in use, and is watched again afterwards
		}
	})
}

// holdSettles is how long the phone gets to see the finger where it is held.
const holdSettles = 50 * time.Millisecond

// holdByStream is Hold through a stream.
func (h *Hand) holdByStream(ctx context.Context, s *stream, stroke Stroke, while func() error) error {
	bounded, cancel := fault.Limit(ctx, h.config.Timeout)
	defer cancel()
	points := inSteps(stroke.Points, stepOf([]Stroke{stroke}, s.size))
	if err := h.moveThrough(bounded, s, points, firstPace); err != nil {
		return h.broken(bounded, s, err)
	}
	// The phone has the finger there a moment after it was sent.
	if err := fault.Sleep(bounded, holdSettles); err != nil {
		return h.broken(bounded, s, err)
	}
	err := while()
	// Whatever happened, the finger does not stay.
	if liftErr := s.send(pointer.Event{Kind: pointer.Up, At: s.last}); liftErr != nil {
		err = errors.Join(err, h.broken(ctx, s, liftErr))
	}
	return err
}
