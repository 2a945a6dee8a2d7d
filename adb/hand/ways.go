package hand

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tapwise/adb/internal/fault"
)

// The ways to touch, by name. The first four stream every touch through one open
// connection; the last two run `input`.
const (
	Uinput = "uinput" // a touchscreen made by `uinput -`: Android 12 and later
	Evdev  = "evdev"  // events written into the touchscreen's own node: Android 5 to 9
	HID    = "hid"    // a touchscreen made by `hid -`: Android 8.1 and later
	Monkey = "monkey" // lines to `monkey --port`
	Motion = "motion" // `input motionevent`, one finger through all points: Android 10 and later
	Swipes = "swipes" // `input swipe`, a call for each straight piece
)

// Ways returns the ways to touch, the best first.
func Ways() []string { return []string{Uinput, Evdev, HID, Monkey, Motion, Swipes} }

// Input stands for the best way of `input` that a phone has, motion or swipes.
// It is no way of its own.
const Input = "input"

// streams reports whether a way to touch goes through one open connection.
func streams(way string) bool {
	return way != "" && way != Motion && way != Swipes
}

// A Refusal is a way to touch that a phone does not take, and why.
type Refusal struct {
	Rung   string `json:"rung"`
	Reason string `json:"reason"`
}

// String is the way and the reason.
func (r Refusal) String() string { return r.Rung + ": " + r.Reason }

// A Note is what is remembered of touching a phone from one run to the next.
type Note struct {
	Rung string `json:"rung"`
	// Seen: touches by this way were seen to land on the screen.
	Seen    bool      `json:"seen"`
	Refused []Refusal `json:"refused,omitempty"`
	// Paces are by the app's package.
	Paces map[string]PaceNote `json:"paces,omitempty"`
	// Using is the way in use. If it is set when a run starts, the run before did not end
	// properly and may have left a finger down.
	Using string `json:"using,omitempty"`
	// Rotation holds accelerometer_rotation and user_rotation as they were before monkey ran,
	// to be restored; it is empty if there is nothing to restore.
	Rotation []string `json:"rotation,omitempty"`
}

// Choice says how a phone is touched, and why not in a better way.
type Choice struct {
	Rung    string    `json:"rung"` // empty before one was chosen
	Seen    bool      `json:"seen"` // its touches were seen to land, or need not be
	Refused []Refusal `json:"refused,omitempty"`
	// Pace is the time from one point of a stroke to the next in the app that was touched
	// last; 0 for a way that has none.
	Pace time.Duration `json:"pace_ns,omitempty"`
	// Left says what an earlier run left on the screen and what became of it; empty
	// for nothing.
	Left string `json:"left,omitempty"`
}

// Streams reports whether touches go through one open connection, at a pace, so that
// whether they land has to be seen.
func (c Choice) Streams() bool { return streams(c.Rung) }

// String is the way, whether it is to be trusted, and what was refused.
func (c Choice) String() string {
	text := c.Rung
	if c.Streams() && !c.Seen {
		text += " (not yet seen to land)"
	}
	for _, r := range c.Refused {
		text += "; not " + r.String()
	}
	return text
}

// Choice returns how the phone is touched, as far as that is known.
func (h *Hand) Choice() Choice {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := Choice{Rung: h.way, Seen: h.trusted(), Refused: slices.Clone(h.refused), Left: h.found}
	if streams(h.way) {
		c.Pace = h.pace(h.app)
	}
	return c
}

// Seen reports to the hand what the screen showed of the strokes that it played last in
// an app: how many of those made had an effect. A way to touch is trusted from the first effect
// on. If there is none, another way is taken. Later, if all had an effect, the finger moves
// faster from one point to the next; if some had none, slower. It reports whether the strokes
// are worth trying again in another way.
func (h *Hand) Seen(made, arrived int) (again bool) {
	if made <= 0 {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !streams(h.way) && arrived < made {
		h.rest = min(max(leastRest, 2*h.rest), mostRest)
	}
	if h.way == "" || !streams(h.way) && h.words == "" {
		return false
	}
	defer func() { h.moves = 0 }()
	if arrived <= 0 {
		h.none++
		if h.seen && h.none < maxUnseen {
			h.adjustPace(false)
			return false
		}
		reason := "its touches were not seen on the screen"
		if h.words != "" && !streams(h.way) {
			reason += fmt.Sprintf("; the phone says %q", h.words)
		}
		h.drop(h.way, reason)
		forced := h.config.Way != "" && h.config.Way != Input
		return !forced && len(h.order()) > 0
	}
	h.none = 0
	if !h.seen { // that they land at all says nothing of the pace
		h.seen = true
		h.remember()
		return false
	}
	if h.adjustPace(arrived >= made) {
		h.remember()
	}
	return false
}

// maxUnseen is the number of plays in a row without any effect after which a way
// that was trusted is left.
const maxUnseen = 2

// trusted reports whether touches need not be seen to land: the way was seen to work, or the
// phone answers each touch, or none is chosen. The caller holds the mutex.
func (h *Hand) trusted() bool { return h.seen || !streams(h.way) && h.words == "" }

// doubt notes words that `input` answered touches with: from now on they have to be seen.
func (h *Hand) doubt(words string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.words = fault.Shorten(strings.TrimSpace(words))
}

// isRefused reports whether a way was refused before. The caller holds the mutex.
func (h *Hand) isRefused(way string) bool {
	return slices.ContainsFunc(h.refused, func(r Refusal) bool { return r.Rung == way })
}

// recall reads what is remembered of the phone. It returns, once, which way an earlier
// run was using when it was cut off; empty for none.
func (h *Hand) recall() (using string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.loaded {
		h.loaded = true
		h.note, _ = h.phone.Note() // Close says why it could not be read
		h.using, h.note.Using = h.note.Using, ""
	}
	using, h.using = h.using, ""
	return using
}

// remember keeps what is known now. The caller holds the mutex.
func (h *Hand) remember() {
	if !h.loaded {
		return
	}
	if h.config.Way == "" { // what was forced is not what is best
		h.note.Rung, h.note.Seen, h.note.Refused = h.way, h.seen, slices.Clone(h.refused)
	}
	h.phone.Keep(h.note)
}

// order is the ways to try now, the likeliest first. The caller holds the mutex.
func (h *Hand) order() []string {
	switch h.config.Way {
	case "":
	case Input:
		unseen := func(w string) bool { return h.words != "" && h.isRefused(w) }
		return slices.DeleteFunc([]string{Motion, Swipes}, unseen)
	default:
		return []string{h.config.Way}
	}
	first := h.way
	order := slices.DeleteFunc(Ways(), h.isRefused)
	if first == "" && slices.Contains(order, h.note.Rung) && len(h.refused) == 0 {
		// What did not work on this build is tried again only when this does not work.
		first, h.refused = h.note.Rung, slices.Clone(h.note.Refused)
	}
	if first == "" {
		return order
	}
	return append([]string{first}, slices.DeleteFunc(order, func(w string) bool { return w == first })...)
}

// chose notes that a way works as far as can be told.
func (h *Hand) chose(way string, s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stream = s
	if h.way != way {
		h.seen = h.note.Rung == way && h.note.Seen
	}
	h.way, h.none = way, 0
	h.refused = slices.DeleteFunc(h.refused, func(r Refusal) bool { return r.Rung == way })
	h.note.Using = way
	h.remember()
	h.watchIdle()
}
