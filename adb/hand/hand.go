package hand

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"tapwise/adb/hand/pointer"
	"tapwise/adb/internal/fault"
)

// A Phone is what a hand needs of a phone. Its errors are those of package adb.
type Phone interface {
	// Shell runs a command and returns what it printed and its exit status.
	Shell(ctx context.Context, command string) (output string, status int, err error)
	// Run is Shell for as long as ctx lasts, and its errors do not name the phone. Line is given
	// each line as it comes: what it takes is not in the output, and its error ends the command.
	Run(ctx context.Context, command string, line func(string) (taken bool, err error)) (output string, status int, err error)
	// Input runs a command of `input` and returns an error if it did not do what it was to do.
	Input(ctx context.Context, command string) error
	// Open connects to a service of the phone, "exec:COMMAND" or "tcp:PORT", until ctx ends.
	Open(ctx context.Context, service string) (net.Conn, error)
	// Fit looks at the screen and returns it. It refuses strokes that were planned on another one, or for another
	// app than the one in front unless app is empty, and turns them into pixels of the screen as
	// apps see it.
	Fit(ctx context.Context, strokes []Stroke, app string) ([]Stroke, pointer.Space, error)
	// Fail adds to an error the operation, the phone, and what became of the phone.
	Fail(ctx context.Context, operation string, err error) error
	// Rotation returns the settings of how the screen turns; PutRotation restores them.
	Rotation(ctx context.Context) ([]string, error)
	PutRotation(ctx context.Context, values []string) error
	// Note returns what is remembered of touching the phone, and why it could not be read or
	// kept last. Keep remembers it. Neither touches the phone.
	Note() (Note, error)
	Keep(note Note)
}

// Config says how a hand touches its phone. All fields but Way and Display are required.
type Config struct {
	Serial  string                            // by which errors name the phone
	SDK     int                               // 0 unknown
	Wide    bool                              // its programs have 64 bits, as far as its properties say
	Way     string                            // the only way that is used, one of Ways or Input; empty: the best
	Display string                            // for `input -d`; empty: the default one
	Room    int                               // bytes of the longest command that Run takes
	Timeout time.Duration                     // of one operation
	Slow    func(time.Duration) time.Duration // a shorter limit, as long as this phone and machine need
	Now     func() time.Time                  // the clock
	Log     *slog.Logger                      // is told what phones say that is no answer
}

// A Hand is the one finger on a phone. It is safe for concurrent use; one call touches at a
// time.
type Hand struct {
	phone  Phone
	config Config
	finger chan struct{} // full while a call touches the phone
	stream *stream       // nil when none is open; used by whoever holds the finger

	mu     sync.Mutex  // guards the fields below
	input  *Method     // as it was found out; nil before
	how    string      // how `input` sends strokes: Motion, Corners or Swipes; empty: the surest
	pinned bool        // only `input`, as UseInput asked for
	left   *leftFinger // what may have been left on the screen; nil for none

	way     string // the one chosen; empty before
	seen    bool
	refused []Refusal     // in this run, or as remembered
	found   string        // Choice.Left
	app     string        // in front when it was last touched
	proved  time.Duration // the pace at which the last plays in it lost nothing; 0: none yet
	proofs  int           // how many in a row
	rest    time.Duration // between two commands of `input` that move the finger; 0 until strokes are lost
	// lostInARow is how many plays in a row lost something.
	lostInARow int
	moves      int    // of the finger, since it was told last what was seen of them
	words      string // that `input` answered touches with, which say nothing of whether they land
	none       int    // plays in a row of which nothing was seen
	note       Note
	loaded     bool
	using      string // which way the run before was using when it was cut off, until that is seen to
	idle       *time.Timer
}

// A leftFinger is where a way to touch may have left a finger.
type leftFinger struct {
	way string
	at  image.Point
}

// New returns the hand for a phone. There must be no other one for it.
func New(phone Phone, config Config) *Hand {
	return &Hand{phone: phone, config: config, finger: make(chan struct{}, 1)}
}

// Options are the options of Play.
type Options struct {
	// App is the package that must be in front; empty for any. When another app, or a window
	// of the system, is in front, the error is an adb.ErrNotInFront and nothing is touched.
	App string
	// Began is called as each stroke begins, with its index, from the goroutine that called
	// Play.
	Began func(stroke int)
	// Stop is called, if it is set, before each stroke that is streamed. With true, Play ends, and
	// the strokes that are left are not made.
	Stop func(stroke int) bool
	// Missed is called, if it is set, before the finger of a stroke goes up that is streamed at
	// a pace which has not yet been seen to lose nothing. It returns the index of the first of
	// the stroke's points that is to be drawn again, 0 for none: the finger goes back along the
	// stroke, and more slowly on from there.
	Missed func(stroke int) int
}

// Play plays the strokes one after the other. It looks at the phone's screen before it sends
// anything: if that is not the screen the strokes were planned on, the error is an
// adb.ScreenChangedError. A known refusal by the phone is an adb.ErrInputRefused; other output
// goes to the log, and the screen has to show whether touches land (see Seen). When ctx is
// cancelled, the stroke under way is finished first, within a few seconds. After any failure on
// the way the finger is lifted before Play returns or, if the phone is gone, before it is
// touched again.
func (h *Hand) Play(ctx context.Context, strokes []Stroke, options Options) error {
	release, err := h.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	if len(strokes) == 0 {
		return nil
	}
	s, turned, err := h.streamFor(ctx, strokes, options.App)
	switch {
	case err != nil:
		return err
	case s != nil:
		return h.playStream(ctx, s, turned, options)
	}
	return h.playInput(ctx, strokes, options)
}

// ErrNoHold means that no way to touch the phone can hold a finger on the screen: before
// Android 10 input has no motionevent.
var ErrNoHold = errors.New("this phone's input cannot hold a finger on the screen (Android 10 and later can)")

// Hold puts a finger on the stroke's first pixel, moves it through the others to
// the last, calls while with the finger there, and lifts it.
func (h *Hand) Hold(ctx context.Context, stroke Stroke, while func() error) error {
	release, err := h.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	s, turned, err := h.streamFor(ctx, []Stroke{stroke}, "")
	switch {
	case err != nil:
		return err
	case s != nil:
		return h.holdByStream(ctx, s, turned[0], while)
	}
	return h.holdByInput(ctx, stroke, while)
}

// Lift lifts a finger that a program left on the screen when it died; if there is none, nothing
// happens. The finger comes up at a corner of the screen, so that it presses nothing. Phones
// without motion events keep no finger of `input` down; a finger that a stream left is lifted
// in the stream's own way.
func (h *Hand) Lift(ctx context.Context) error {
	release, err := h.take(ctx)
	if err != nil {
		return err
	}
	defer release()
	if using := h.recall(); streams(using) {
		return h.liftLeft(ctx, using)
	}
	h.leave(Motion, corner)
	return h.LetGo(ctx)
}

// LetGo lifts a finger that this hand may have left on the screen when the phone was lost in
// the middle of a stroke. Whatever touches does so first.
func (h *Hand) LetGo(ctx context.Context) error {
	h.mu.Lock()
	left := h.left
	h.mu.Unlock()
	if left == nil {
		return nil
	}
	if err := h.liftBy(ctx, left.way, left.at); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = nil
	return nil
}

// leave notes that a finger may be left on the screen.
func (h *Hand) leave(way string, at image.Point) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = &leftFinger{way, at}
}

// take waits until no other call touches the phone, so that the strokes of two
// calls do not mix, and lifts a finger that was left behind. The caller releases it.
func (h *Hand) take(ctx context.Context) (release func(), err error) {
	select {
	case h.finger <- struct{}{}:
	case <-ctx.Done():
		return nil, h.phone.Fail(ctx, "input", fault.Context(ctx))
	}
	limited, cancel := fault.Limit(ctx, h.config.Timeout)
	defer cancel()
	if err := h.LetGo(limited); err != nil {
		<-h.finger
		return nil, err
	}
	return func() { <-h.finger }, nil
}

// Choose finds the best way to touch that the phone accepts, without touching it, and
// keeps it ready. It first tries the way that worked last time, if the build is the same. Ways
// that cannot be used are in the choice's Refused.
func (h *Hand) Choose(ctx context.Context) (Choice, error) {
	release, err := h.take(ctx)
	if err != nil {
		return h.Choice(), err
	}
	defer release()
	_, err = h.ready(ctx)
	return h.Choice(), err
}

// Close ends the connection through which the phone is touched, and restores what touching
// changed on the phone. The phone can be touched again afterwards.
func (h *Hand) Close(ctx context.Context) error {
	select {
	case h.finger <- struct{}{}:
	case <-ctx.Done():
		return h.phone.Fail(ctx, "touch", fault.Context(ctx))
	}
	defer func() { <-h.finger }()
	h.mu.Lock()
	if h.idle != nil {
		h.idle.Stop()
	}
	h.mu.Unlock()
	h.closeStream()
	err := h.restoreRotation(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.loaded {
		return err
	}
	if h.note.Using != "" {
		h.note.Using = ""
		h.remember()
	}
	_, saved := h.phone.Note()
	return errors.Join(err, saved)
}

// ready returns the stream to touch through, opened where it is not, or nil where
// `input` is the way. The caller holds the finger.
func (h *Hand) ready(ctx context.Context) (*stream, error) {
	h.mu.Lock()
	pinned, chosen := h.pinned, h.way
	h.mu.Unlock()
	if s := h.stream; s != nil {
		if !pinned && chosen == s.way && s.lost() == nil {
			return s, nil
		}
		h.closeStream()
	}
	if pinned || chosen != "" && !streams(chosen) {
		return nil, nil
	}
	if using := h.recall(); using != "" {
		if err := h.liftLeft(ctx, using); err != nil {
			return nil, err
		}
	}
	h.mu.Lock()
	order := h.order()
	h.mu.Unlock()
	var refusals []error
	for _, way := range order {
		s, err := h.try(ctx, way)
		if err == nil {
			h.chose(way, s)
			return s, nil
		}
		if ctx.Err() != nil || fault.Gone(err) {
			return nil, err
		}
		refusals = append(refusals, err)
		h.refuse(way, err)
		if errors.Is(err, fault.ErrTimeout) {
			return nil, err // one deadline is enough; the next call goes on with the next way
		}
	}
	if forced := h.config.Way; forced != "" && len(refusals) > 0 {
		return nil, fmt.Errorf("adb: touch by %s on %s: %w", forced, h.config.Serial, refusals[len(refusals)-1])
	}
	text := fmt.Sprintf("adb: touch on %s: %v: no way to touch is left: %v", h.config.Serial, fault.ErrRefused, h.Choice().Refused)
	return nil, &noWayError{text, append(refusals, fault.ErrRefused)}
}

// noWayError says that every way to touch is refused, and is each of the refusals.
type noWayError struct {
	text     string
	refusals []error
}

func (e *noWayError) Error() string   { return e.text }
func (e *noWayError) Unwrap() []error { return e.refusals }

// try opens a way to touch. An error that is a refusal says why the phone does not take it.
func (h *Hand) try(ctx context.Context, way string) (*stream, error) {
	if display := h.config.Display; display != "" && display != "0" && streams(way) {
		return nil, fmt.Errorf("%w: it touches the default display only, not display %s", fault.ErrRefused, display)
	}
	if streams(way) {
		return h.openWay(ctx, way)
	}
	method, err := h.Method(ctx)
	if err != nil {
		return nil, err
	}
	if way == Motion && !method.Motion {
		return nil, fmt.Errorf("%w: its input has no motionevent (Android 10 and later have)", fault.ErrRefused)
	}
	if way == Swipes {
		h.mu.Lock()
		h.how = Swipes
		h.mu.Unlock()
	}
	return nil, nil
}

// streamFor returns the stream to play strokes through, and the strokes in its own
// pixels. It returns no stream, and has touched nothing, where the phone takes none
// or none that fits its screen: then `input` is the way.
func (h *Hand) streamFor(ctx context.Context, strokes []Stroke, app string) (*stream, []Stroke, error) {
	for {
		s, err := h.ready(ctx)
		if s == nil || err != nil {
			return nil, nil, err
		}
		scaled, space, err := h.phone.Fit(ctx, strokes, app)
		if err != nil {
			return nil, nil, err
		}
		turned, err := s.fits(scaled, space)
		switch {
		case err == nil:
			h.mu.Lock()
			h.watchIdle()
			h.mu.Unlock()
			return s, turned, nil
		case errors.Is(err, fault.ErrClosed): // the screen is another one: it is opened anew
			h.closeStream()
		case h.config.Way != "":
			return nil, nil, h.phone.Fail(ctx, "touch by "+s.way, err)
		default:
			h.closeStream()
			h.refuse(s.way, err)
		}
	}
}

const (
	// liftWithin bounds lifting the finger after a failure.
	liftWithin = 3 * time.Second
	// liftTries is how often a finger is lifted that is still seen down.
	liftTries = 3
	// dumpInput prints among other things whether a finger is on the screen.
	dumpInput = "dumpsys input"
)

// corner is where a finger is lifted that was left no one knows where: it presses nothing there.
var corner = image.Pt(1, 1)

// liftLeft lifts what a run left on the screen that was cut off while it used a way,
// puts the rotation back that monkey changed, and notes what it found.
func (h *Hand) liftLeft(ctx context.Context, using string) error {
	text, _, err := h.phone.Shell(ctx, dumpInput)
	if err != nil {
		return err
	}
	finger := pointer.ReadFinger(text)
	if using != Swipes || finger != pointer.FingerUp {
		if err := h.liftBy(ctx, using, corner); err != nil {
			return err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	found := map[pointer.Finger]string{
		pointer.FingerUp:      "the finger is up",
		pointer.FingerDown:    "its finger was still down and is lifted",
		pointer.FingerUnknown: "the phone does not tell whether its finger was still down; it is lifted in any case",
	}
	h.found = fmt.Sprintf("an earlier run was cut off while it touched by %s: %s", using, found[finger])
	return nil
}

// liftBy lifts a finger that a way to touch may have left down; at is where, for Motion.
func (h *Hand) liftBy(ctx context.Context, way string, at image.Point) error {
	var err error
	switch way {
	case Evdev:
		// What a stream had on its way when it was cut may come after the release.
		for range liftTries {
			var s *stream
			if s, err = h.openWay(ctx, Evdev); err != nil { // which releases first
				break
			}
			s.close()
			if text, _, dumpErr := h.phone.Shell(ctx, dumpInput); dumpErr != nil || pointer.ReadFinger(text) != pointer.FingerDown {
				break
			}
		}
	case Monkey:
		err = h.liftMonkey(ctx)
	case Motion:
		var method Method
		if method, err = h.probe(ctx); err == nil && method.Motion {
			_, _, err = h.phone.Shell(ctx, h.liftCommand(true, at))
		}
	case Swipes:
		_, _, err = h.phone.Shell(ctx, h.liftCommand(false, at))
	}
	if errors.Is(err, fault.ErrRefused) {
		return nil // a way that is not there any more holds nothing
	}
	return err
}

// liftByInput lifts a finger that something else put on the screen, unless none is
// there.
func (h *Hand) liftByInput(ctx context.Context) error {
	text, _, err := h.phone.Shell(ctx, dumpInput)
	if err != nil || pointer.ReadFinger(text) == pointer.FingerUp {
		return err
	}
	method, err := h.probe(ctx)
	if err != nil {
		return err
	}
	_, _, err = h.phone.Shell(ctx, h.liftCommand(method.Motion, corner))
	return err
}

// liftCommand lifts a finger by `input`: where it knows no lifting alone, by a tap in the
// corner.
func (h *Hand) liftCommand(motion bool, at image.Point) string {
	if !motion {
		return h.command("tap %d %d", corner.X, corner.Y)
	}
	return h.command("motionevent UP %d %d", at.X, at.Y)
}

// finish is a context for ending what is under way. When ctx is cancelled, it still lasts for a
// few seconds, so that a stroke can come to its end; when the time of ctx is over, so is its own.
func (h *Hand) finish(ctx context.Context) (bounded context.Context, done func()) {
	bounded, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if !errors.Is(ctx.Err(), context.Canceled) {
			cancel(fault.Context(ctx))
			return
		}
		time.AfterFunc(h.config.Slow(strokeGrace), func() { cancel(fault.Context(ctx)) })
	})
	return bounded, func() { stop(); cancel(nil) }
}

// strokeGrace is how long an interrupted Play waits for the end of the stroke that
// is under way.
const strokeGrace = 5 * time.Second

// refusalText is what a refusal says, without what every refusal says.
func refusalText(err error) string {
	return strings.TrimPrefix(err.Error(), fault.ErrRefused.Error()+": ")
}

// refuse notes why a way is not used, and leaves it.
func (h *Hand) refuse(way string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(way, refusalText(err))
}

// drop is refuse for a caller that holds the mutex.
func (h *Hand) drop(way, reason string) {
	h.refused = slices.DeleteFunc(h.refused, func(r Refusal) bool { return r.Rung == way })
	h.refused = append(h.refused, Refusal{way, reason})
	if h.way == way {
		h.way, h.seen, h.none = "", false, 0
	}
}
