package pointer

import (
	"regexp"
	"strconv"
	"strings"
)

// Listed reports whether the output of `dumpsys input` lists an input device of that name that
// its reader reads: until then, its events are lost.
func Listed(text, name string) bool {
	// The reader's part comes after the hub's, which lists a device a little sooner.
	if _, reader, found := strings.Cut(text, "Input Reader State"); found {
		text = reader
	}
	for line := range strings.Lines(text) {
		_, listed, titled := strings.Cut(line, ": ")
		if titled && strings.Trim(strings.TrimSpace(listed), `'"`) == name {
			return true
		}
	}
	return false
}

// A Finger is what a phone tells of fingers on its screen.
type Finger int8

// What a phone tells.
const (
	FingerUnknown Finger = iota // nothing that is understood
	FingerUp
	FingerDown
)

// ReadFinger finds in the output of `dumpsys input` whether a finger is on the screen. The
// reader knows those on the panel, the dispatcher also those that a program put there: so only
// the dispatcher can say that there is none.
func ReadFinger(text string) Finger {
	r := fingerReader{section: -1, states: -1}
	for line := range strings.Lines(text) {
		r.read(strings.TrimRight(line, " \t\r\n"))
	}
	r.endStates()
	switch {
	case r.down, r.left > 0:
		return FingerDown
	case r.up && !r.unclear:
		return FingerUp
	}
	return FingerUnknown
}

// fingerReader reads the dump line by line. Indentations end what a title begins; -1
// stands for none under way.
type fingerReader struct {
	down    bool // one finger at least is down
	up      bool // the dispatcher says of one display at least that there is none
	unclear bool // it says something of a display that is not understood

	section int  // indentation of the title of a part that tells of another time or another dispatcher
	states  int  // indentation of the title of the dispatcher's touches, by display
	entry   int  // indentation of the first display's; -1 before it
	field   bool // the display's entry has one of touchFields, or says that there are no windows
	touched bool // and that says of a touch
	final   bool // nothing that follows in the entry changes that
	left    int  // pointers of a device that follow
	off     bool // the device under way is no screen
}

const dispatcherTitle = "Input Dispatcher State"

// touchFields say whether a display or a window is touched: down up to Android 13, then
// which pointers touch, for each window, and from Android 14 on for each of its devices.
// Names that end alike, such as hoveringPointerIds, tell of others.
var (
	touchFields = regexp.MustCompile(`\b(down|pointerIds|touchingPointerIds|touchingPointers)=(true|false|<none>|\[[^\]]*\]|(?:0[xb])?[0-9a-fA-F]+)`)
	quotedName  = regexp.MustCompile(`name='[^']*'`) // an app's own words
)

func (r *fingerReader) read(line string) {
	text := strings.TrimLeft(line, " \t")
	if text == "" {
		return
	}
	depth := len(line) - len(text)
	if r.section >= 0 && depth > r.section {
		return
	}
	r.section = -1
	if strings.Contains(text, dispatcherTitle) {
		if text != dispatcherTitle+":" {
			r.section = depth
		}
		return
	}
	if r.states >= 0 {
		if depth > r.states {
			r.touches(text, depth)
			return
		}
		r.endStates()
	}
	r.devices(text)
	switch {
	case strings.HasPrefix(text, "TouchStates: <no"), strings.HasPrefix(text, "TouchStatesByDisplay: <no"):
		r.up = true
	case strings.HasPrefix(text, "TouchDown: "): // Android 4
		r.note(strings.HasSuffix(text, "true"))
	case text == "TouchStatesByDisplay:":
		r.states, r.entry = depth, -1
	}
}

func (r *fingerReader) note(down bool) {
	r.down = r.down || down
	r.up = r.up || !down
}

// touches reads one line of the dispatcher's touches.
func (r *fingerReader) touches(text string, depth int) {
	if r.entry < 0 {
		r.entry = depth
	} else if depth <= r.entry {
		r.endEntry()
	}
	// A window that no device touches lists none.
	r.field = r.field || strings.HasSuffix(text, "Windows: <none>") || strings.HasSuffix(text, "mDeviceStates=")
	for _, found := range touchFields.FindAllStringSubmatch(quotedName.ReplaceAllString(text, ""), -1) {
		if r.final {
			return
		}
		r.field = true
		value := strings.Trim(strings.TrimPrefix(strings.TrimPrefix(found[2], "0x"), "0b"), "[]0")
		r.touched = r.touched || value != "" && value != "false" && value != "<none>"
		r.final = found[1] == "down"
	}
}

// endStates ends the dispatcher's touches. A title without a display below it tells
// nothing.
func (r *fingerReader) endStates() {
	if r.states < 0 {
		return
	}
	if r.entry < 0 {
		r.unclear = true
	} else {
		r.endEntry()
	}
	r.states = -1
}

// endEntry takes in what the entry of a display said.
func (r *fingerReader) endEntry() {
	if r.field {
		r.note(r.touched)
	} else {
		r.unclear = true
	}
	r.field, r.touched, r.final = false, false, false
}

// devices reads one line of the reader's devices: what is on the panel, near it or not.
func (r *fingerReader) devices(text string) {
	if r.left > 0 && strings.HasPrefix(text, "[") {
		r.left--
		r.down = r.down || !strings.Contains(text, "isHovering=true")
		return
	}
	r.down = r.down || r.left > 0 // pointers of which nothing is said
	r.left = 0
	if strings.HasPrefix(text, "Touch Input Mapper") {
		r.off = strings.Contains(text, "mode - POINTER") || strings.Contains(text, "mode - NAVIGATION")
		return
	}
	if _, count, found := strings.Cut(text, " Touch: pointerCount="); found && !r.off {
		r.left, _ = strconv.Atoi(count)
		r.left = max(r.left, 0)
	}
}
