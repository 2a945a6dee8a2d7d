package adb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tapwise/adb/pointer"
)

// The ways to touch, by name. The first four stream every touch through one open
// connection; the last two run `input`.
const (
	TouchUinput = "uinput" // a touchscreen made by `uinput -`: Android 12 and later
	TouchEvdev  = "evdev"  // events written into the touchscreen's own node: Android 5 to 9
	TouchHID    = "hid"    // a touchscreen made by `hid -`: Android 8.1 and later
	TouchMonkey = "monkey" // lines to `monkey --port`
	TouchMotion = "motion" // `input motionevent`: Android 10 and later
	TouchSwipes = "swipes" // `input swipe`, a call for each straight piece
)

// TouchRungs returns the ways to touch, the best first.
func TouchRungs() []string {
	return []string{TouchUinput, TouchEvdev, TouchHID, TouchMonkey, TouchMotion, TouchSwipes}
}

// TouchInput stands for the best way of `input` that a phone has, motion or swipes.
// It is no rung of its own.
const TouchInput = "input"

// streams reports whether a way to touch goes through one open connection.
func streams(rung string) bool {
	return rung != "" && rung != TouchMotion && rung != TouchSwipes
}

// A TouchRefusal is a way to touch that a phone does not take, and why.
type TouchRefusal struct {
	Rung   string `json:"rung"`
	Reason string `json:"reason"`
}

// String is the way and the reason.
func (r TouchRefusal) String() string { return r.Rung + ": " + r.Reason }

// A TouchNote is what is remembered of touching a phone, and of capturing its screen, from
// one run to the next.
type TouchNote struct {
	Model string `json:"model"` // ro.product.model
	Build string `json:"build"` // ro.build.fingerprint; another one makes the note worthless
	Rung  string `json:"rung"`
	// Seen: touches by this way were seen to land on the screen.
	Seen    bool           `json:"seen"`
	Refused []TouchRefusal `json:"refused,omitempty"`
	// Paces are by the app's package.
	Paces map[string]PaceNote `json:"paces,omitempty"`
	// Using is the way in use. If it is set when a run starts, the run before did not end
	// properly and may have left a finger down.
	Using string `json:"using,omitempty"`
	// On is the phone's name in adb when Using was set, and Identity who it was, if that was
	// asked: several phones may have the same serial number.
	On       string `json:"on,omitempty"`
	Identity string `json:"identity,omitempty"`
	// Rotation holds accelerometer_rotation and user_rotation as they were before monkey ran,
	// to be restored; it is empty if there is nothing to restore.
	Rotation []string `json:"rotation,omitempty"`
	// Recorders are process ids of screenrecord on the phone that were not seen to end; those
	// of a run that was cut off are ended at the next start.
	Recorders []int `json:"recorders,omitempty"`
	// Captures are the ways to capture that were the fastest, by how the phone is connected
	// and its display.
	Captures map[string]CaptureNote `json:"captures,omitempty"`
}

// A TouchStore keeps notes, one for each phone. Load returns false if there is none. Key is the
// phone's own serial number or, if it has none, its name in adb.
type TouchStore interface {
	Load(key string) (TouchNote, bool, error)
	Save(key string, note TouchNote) error
}

// TouchChoice says how a phone is touched, and why not in a better way.
type TouchChoice struct {
	Rung    string         `json:"rung"` // empty before one was chosen
	Seen    bool           `json:"seen"` // its touches were seen to land, or need not be
	Refused []TouchRefusal `json:"refused,omitempty"`
	// Pace is the time from one point of a stroke to the next in the app that was touched
	// last; 0 for a way that has none.
	Pace time.Duration `json:"pace_ns,omitempty"`
	// Left says what an earlier run left on the screen and what became of it; empty
	// for nothing.
	Left string `json:"left,omitempty"`
}

// Streams reports whether touches go through one open connection, at a pace, so that
// whether they land has to be seen.
func (c TouchChoice) Streams() bool { return streams(c.Rung) }

// String is the way, whether it is to be trusted, and what was refused.
func (c TouchChoice) String() string {
	text := c.Rung
	if c.Streams() && !c.Seen {
		text += " (not yet seen to land)"
	}
	for _, r := range c.Refused {
		text += "; not " + r.String()
	}
	return text
}

// hands is how a device touches. The fields up to the note are used by whoever holds
// the device's finger; the rest is guarded by its mutex.
type hands struct {
	stream *touchStream // nil when none is open
	sleep  func(context.Context, time.Duration) error
	pinned bool // only `input`, as UseInput asked for

	rung    string // the way chosen; empty before
	seen    bool
	refused []TouchRefusal // in this run, or as remembered
	left    string
	app     string // in front when it was last touched
	moves   int    // of the finger, since it was told last what was seen of them
	words   string // that `input` answered touches with, which say nothing of whether they land
	none    int    // plays in a row of which nothing was seen
	note    TouchNote
	loaded  bool
	using   string // which way the run before was using when it was cut off, until that is seen to
	saved   error  // why the note could not be kept; nil otherwise
	idle    *time.Timer
}

// TouchChoice returns how the phone is touched, as far as that is known.
func (d *Device) TouchChoice() TouchChoice {
	d.mu.Lock()
	defer d.mu.Unlock()
	pace := time.Duration(0)
	if streams(d.hands.rung) {
		pace = d.pace(d.hands.app)
	}
	return TouchChoice{
		Rung: d.hands.rung, Pace: pace, Seen: d.hands.rung != "" && d.hands.trusted(),
		Refused: slices.Clone(d.hands.refused), Left: d.hands.left,
	}
}

// ChooseTouch finds the best way to touch that the phone accepts, without touching it, and
// keeps it ready. It first tries the way that worked last time, if the build is the same. Ways
// that cannot be used are in the choice's Refused.
func (d *Device) ChooseTouch(ctx context.Context) (TouchChoice, error) {
	release, err := d.takeFinger(ctx)
	if err != nil {
		return d.TouchChoice(), err
	}
	defer release()
	_, err = d.hand(ctx)
	return d.TouchChoice(), err
}

// TouchSeen reports to the device what the screen showed of the strokes that it played last in
// an app: how many of those made had an effect. A way to touch is trusted from the first effect
// on. If there is none, another way is taken. Later, if all had an effect, the finger moves
// faster from one point to the next; if some had none, slower. It reports whether the strokes
// are worth trying again in another way.
func (d *Device) TouchSeen(made, arrived int) (again bool) {
	if made <= 0 {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	h := &d.hands
	if h.rung == "" || !streams(h.rung) && h.words == "" {
		return false
	}
	defer func() { h.moves = 0 }()
	if arrived <= 0 {
		h.none++
		if h.seen && h.none < maxUnseen {
			d.adjustPace(false)
			return false
		}
		reason := "its touches were not seen on the screen"
		if h.words != "" && !streams(h.rung) {
			reason += fmt.Sprintf("; the phone says %q", h.words)
		}
		d.refuse(h.rung, reason)
		forced := d.client.config.Touch != "" && d.client.config.Touch != TouchInput
		return !forced && len(d.order()) > 0
	}
	h.none = 0
	if !h.seen { // that they land at all says nothing of the pace
		h.seen = true
		d.remember()
		return false
	}
	if d.adjustPace(arrived >= made) {
		d.remember()
	}
	return false
}

// maxUnseen is the number of plays in a row without any effect after which a way
// that was trusted is left.
const maxUnseen = 2

// TouchTrusted reports whether the way to touch was seen to work, or needs no such proof
// because the phone answers each touch. It is true while none is chosen.
func (d *Device) TouchTrusted() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.hands.trusted()
}

// trusted reports whether touches need not be seen to land. The caller holds the mutex.
func (h *hands) trusted() bool { return h.seen || !streams(h.rung) && h.words == "" }

// doubt notes words that `input` answered touches with: from now on they have to be seen.
func (d *Device) doubt(words string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hands.words = shorten(strings.TrimSpace(words))
}

// refuse notes why a way is not used, and leaves it. The caller holds the mutex.
func (d *Device) refuse(rung, reason string) {
	h := &d.hands
	h.refused = slices.DeleteFunc(h.refused, func(r TouchRefusal) bool { return r.Rung == rung })
	h.refused = append(h.refused, TouchRefusal{rung, reason})
	if h.rung == rung {
		h.rung, h.seen, h.none = "", false, 0
	}
}

// isRefused reports whether a way was refused before. The caller holds the mutex.
func (d *Device) isRefused(rung string) bool {
	return slices.ContainsFunc(d.hands.refused, func(r TouchRefusal) bool { return r.Rung == rung })
}

// touchKey names the phone in a store.
func (d *Device) touchKey() string {
	return cmp.Or(ownSerial(d.Properties), d.Serial)
}

const buildProperty = "ro.build.fingerprint"

// recall reads what is remembered of the phone. It returns, once, which way an earlier
// run was using when it was cut off; empty for none.
func (d *Device) recall() (using string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.load()
	using, d.hands.using = d.hands.using, ""
	return using
}

// load reads what is remembered of the phone, once. The caller holds the mutex.
func (d *Device) load() {
	h := &d.hands
	if h.loaded {
		return
	}
	h.loaded = true
	fresh := TouchNote{Model: d.Model, Build: d.Properties[buildProperty], On: d.Serial, Identity: d.identity}
	if h.note = fresh; d.client.config.TouchStore == nil {
		return
	}
	note, found, err := d.client.config.TouchStore.Load(d.touchKey())
	if err != nil {
		h.saved = err
	}
	if err != nil || !found {
		return
	}
	if d.isOf(note) {
		h.using, fresh.Rotation, fresh.Recorders = note.Using, note.Rotation, note.Recorders
		d.eyes.left = slices.Clone(note.Recorders)
	}
	if note.Model == fresh.Model && note.Build == fresh.Build {
		rotation, recorders := fresh.Rotation, fresh.Recorders
		fresh = note
		fresh.Rotation, fresh.Recorders = rotation, recorders
	}
	fresh.Using, fresh.On, fresh.Identity = "", d.Serial, d.identity
	h.note = fresh
}

// isOf reports whether a note was made on this phone, as far as that was asked.
func (d *Device) isOf(note TouchNote) bool {
	return note.On == d.Serial || note.Identity != "" && note.Identity == d.identity
}

// remember keeps what is known now. The caller holds the mutex.
func (d *Device) remember() {
	h := &d.hands
	if d.client.config.TouchStore == nil || !h.loaded {
		return
	}
	if d.client.config.Touch == "" { // what was forced is not what is best
		h.note.Rung, h.note.Seen, h.note.Refused = h.rung, h.seen, h.refused
	}
	h.saved = d.client.config.TouchStore.Save(d.touchKey(), h.note)
}

// order is the ways to try now, the likeliest first. The caller holds the mutex.
func (d *Device) order() []string {
	h := &d.hands
	switch forced := d.client.config.Touch; forced {
	case "":
	case TouchInput:
		unseen := func(r string) bool { return h.words != "" && d.isRefused(r) }
		return slices.DeleteFunc([]string{TouchMotion, TouchSwipes}, unseen)
	default:
		return []string{forced}
	}
	if h.rung != "" {
		return append([]string{h.rung}, slices.DeleteFunc(TouchRungs(), func(r string) bool { return r == h.rung || d.isRefused(r) })...)
	}
	order := slices.DeleteFunc(TouchRungs(), d.isRefused)
	if h.note.Rung != "" && slices.Contains(order, h.note.Rung) && len(h.refused) == 0 {
		h.refused = slices.Clone(h.note.Refused)
		// What did not work on this build is tried again only when this does not work.
		later := slices.DeleteFunc(order, func(r string) bool { return r == h.note.Rung })
		return append([]string{h.note.Rung}, later...)
	}
	return order
}

// hand returns the stream to touch through, opened where it is not, or nil where
// `input` is the way. The caller holds the finger.
func (d *Device) hand(ctx context.Context) (*touchStream, error) {
	d.mu.Lock()
	pinned, chosen := d.hands.pinned, d.hands.rung
	d.mu.Unlock()
	if s := d.hands.stream; s != nil {
		if !pinned && chosen == s.rung && s.lost() == nil {
			return s, nil
		}
		d.closeStream()
	}
	if pinned || chosen != "" && !streams(chosen) {
		return nil, nil
	}
	if using := d.recall(); using != "" {
		if err := d.liftLeft(ctx, using); err != nil {
			return nil, err
		}
	}
	var last error
	d.mu.Lock()
	order := d.order()
	d.mu.Unlock()
	var refusals []error
	for _, rung := range order {
		stream, err := d.tryRung(ctx, rung)
		if err == nil {
			d.choose(rung, stream)
			return stream, nil
		}
		if ctx.Err() != nil || phoneIsGone(err) {
			return nil, err
		}
		last, refusals = err, append(refusals, err)
		d.mu.Lock()
		d.refuse(rung, refusalText(err))
		d.mu.Unlock()
		if errors.Is(err, ErrTimeout) {
			return nil, err // one deadline is enough; the next call goes on with the next way
		}
	}
	if forced := d.client.config.Touch; forced != "" && last != nil {
		return nil, fmt.Errorf("adb: touch by %s on %s: %w", forced, d.Serial, last)
	}
	text := fmt.Sprintf("adb: touch on %s: %v: no way to touch is left: %v", d.Serial, ErrInputRefused, d.TouchChoice().Refused)
	return nil, &noWayError{text, append(refusals, ErrInputRefused)}
}

// noWayError says that every way to touch is refused, and is each of the refusals.
type noWayError struct {
	text     string
	refusals []error
}

func (e *noWayError) Error() string   { return e.text }
func (e *noWayError) Unwrap() []error { return e.refusals }

// choose notes that a way works as far as can be told.
func (d *Device) choose(rung string, stream *touchStream) {
	d.mu.Lock()
	defer d.mu.Unlock()
	h := &d.hands
	h.stream = stream
	if h.rung != rung {
		h.seen = h.note.Rung == rung && h.note.Seen
	}
	h.rung, h.none = rung, 0
	h.refused = slices.DeleteFunc(h.refused, func(r TouchRefusal) bool { return r.Rung == rung })
	h.note.Using = rung
	d.remember()
	d.watchIdle()
}

// phoneIsGone reports whether an error says that the phone or its server is away, so
// that it tells nothing of a way to touch.
func phoneIsGone(err error) bool {
	for _, gone := range []error{ErrNoServer, ErrNoDevice, ErrOffline, ErrUnauthorized, ErrNoPermissions, ErrNotReady} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return false
}

// refusalText is what a refusal says, without what every refusal says.
func refusalText(err error) string {
	return strings.TrimPrefix(err.Error(), ErrInputRefused.Error()+": ")
}

// tryRung opens a way to touch. An error that wraps ErrInputRefused says why the
// phone does not take it.
func (d *Device) tryRung(ctx context.Context, rung string) (*touchStream, error) {
	if display := d.client.config.TouchDisplay; display != "" && display != "0" && streams(rung) {
		return nil, fmt.Errorf("%w: it touches the default display only, not display %s", ErrInputRefused, display)
	}
	switch rung {
	case TouchUinput, TouchHID:
		return d.openVirtual(ctx, rung)
	case TouchEvdev:
		return d.openEvdev(ctx)
	case TouchMonkey:
		return d.openMonkey(ctx)
	}
	method, err := d.TouchMethod(ctx)
	if err != nil {
		return nil, err
	}
	if rung == TouchMotion && !method.Motion {
		return nil, fmt.Errorf("%w: its input has no motionevent (Android 10 and later have)", ErrInputRefused)
	}
	if rung == TouchSwipes {
		d.mu.Lock()
		touch := *d.touch
		d.motion, touch.Motion = d.motion || touch.Motion, false
		d.touch = &touch
		d.mu.Unlock()
	}
	return nil, nil
}

// liftLeft lifts what a run left on the screen that was cut off while it used a way,
// puts the rotation back that monkey changed, and notes what it found.
func (d *Device) liftLeft(ctx context.Context, using string) error {
	text, _, err := d.shell(ctx, dumpInput)
	if err != nil {
		return err
	}
	finger := pointer.ReadFinger(text)
	if using != TouchSwipes || finger != pointer.FingerUp {
		if err := d.liftBy(ctx, using); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	found := map[pointer.Finger]string{
		pointer.FingerUp:      "the finger is up",
		pointer.FingerDown:    "its finger was still down and is lifted",
		pointer.FingerUnknown: "the phone does not tell whether its finger was still down; it is lifted in any case",
	}
	d.hands.left = fmt.Sprintf("an earlier run was cut off while it touched by %s: %s", using, found[finger])
	return nil
}

// liftBy lifts a finger that a way to touch may have left down.
func (d *Device) liftBy(ctx context.Context, rung string) error {
	var err error
	switch rung {
	case TouchEvdev:
		var s *touchStream
		if s, err = d.openEvdev(ctx); err == nil { // which releases first
			s.close()
		}
	case TouchMonkey:
		err = d.liftMonkey(ctx)
	case TouchMotion:
		var method TouchMethod
		if method, err = d.TouchMethod(ctx); err == nil && method.Motion {
			_, _, err = d.shell(ctx, inputCommand(d.client.config.TouchDisplay, "motionevent UP 1 1"))
		}
	case TouchSwipes:
		_, _, err = d.shell(ctx, inputCommand(d.client.config.TouchDisplay, tapCorner))
	}
	if errors.Is(err, ErrInputRefused) {
		return nil // a way that is not there any more holds nothing
	}
	return err
}
