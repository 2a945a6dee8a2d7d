package pointer

import (
	"regexp"
	"strconv"
	"strings"
)

// A Touchscreen is one device of `getevent -pl` with the axes of a finger.
type Touchscreen struct {
	Node   string       // /dev/input/eventN
	Direct bool         // the finger is on the picture (INPUT_PROP_DIRECT)
	Keys   map[int]bool // those that matter here, by the kernel's numbers
	Axes   map[int]Axis // by the kernel's numbers
}

// An Axis is the range of one measure of a device.
type Axis struct{ Least, Most int }

// firm is a value of a pressure or a width that is surely more than none.
func (a Axis) firm() int { return max(a.Least+(a.Most-a.Least)/4, a.Least+1) }

func (t Touchscreen) has(axis int) bool {
	_, ok := t.Axes[axis]
	return ok
}

// Usable reports whether points can be told on the device's axes.
func (t Touchscreen) Usable() bool {
	for _, code := range []int{absX, absY} {
		if axis, ok := t.Axes[code]; !ok || axis.Most <= axis.Least {
			return false
		}
	}
	return true
}

// The names by which `getevent -l` shows what matters here. Without a name it shows
// four hexadecimal digits.
var codeNames = map[string]int{
	"ABS_MT_SLOT": absSlot, "ABS_MT_TOUCH_MAJOR": absMajor, "ABS_MT_POSITION_X": absX, "ABS_MT_POSITION_Y": absY,
	"ABS_MT_TRACKING_ID": absID, "ABS_MT_PRESSURE": absPressure, "BTN_TOUCH": btnTouch, "BTN_TOOL_FINGER": btnToolFinger,
}

// maxNodes bounds the devices that are read. Phones have some twenty.
const maxNodes = 256

// ParseGetevent reads what `getevent -p` or `getevent -pl` prints, and returns the
// devices whose axes tell where a finger is.
func ParseGetevent(text string) []Touchscreen {
	var r geteventReader
	for line := range strings.Lines(text) {
		r.read(strings.TrimRight(line, "\r\n"))
	}
	r.end()
	return r.found
}

// ChooseTouchscreen is the device to write to: the first of those on the picture or, if none
// says that it is, the only one.
func ChooseTouchscreen(screens []Touchscreen) (Touchscreen, bool) {
	for _, t := range screens {
		if t.Direct {
			return t, true
		}
	}
	if len(screens) == 1 {
		return screens[0], true
	}
	return Touchscreen{}, false
}

// geteventReader reads the list line by line. A line with a title, such as `ABS
// (0003):`, begins a kind of event; lines without one go on with it.
type geteventReader struct {
	found   []Touchscreen
	current Touchscreen
	kind    int  // of the lines that are read; -1 for none that matters
	props   bool // they are of `input props:`
}

func (r *geteventReader) end() {
	if r.current.Node != "" && r.current.Usable() && len(r.found) < maxNodes {
		r.found = append(r.found, r.current)
	}
	r.current, r.kind, r.props = Touchscreen{}, -1, false
}

// plainNode is a name that a shell takes as it stands; a device of another one is left out.
var plainNode = regexp.MustCompile(`^/dev/[\w./-]+$`)

func (r *geteventReader) read(line string) {
	text := strings.TrimSpace(line)
	if after, ok := strings.CutPrefix(text, "add device "); ok {
		r.end()
		_, node, _ := strings.Cut(after, ": ")
		r.current = Touchscreen{Node: plainNode.FindString(strings.TrimSpace(node)), Keys: map[int]bool{}, Axes: map[int]Axis{}}
		return
	}
	switch text {
	case "events:":
		r.kind, r.props = -1, false
		return
	case "input props:":
		r.kind, r.props = -1, true
		return
	}
	if r.props {
		for _, word := range strings.Fields(text) {
			r.current.Direct = r.current.Direct || word == "INPUT_PROP_DIRECT" || word == "0001"
		}
		return
	}
	if rest, kind, ok := cutTitle(text); ok {
		r.kind, text = kind, rest
	}
	r.codes(text)
}

// cutTitle takes a title such as `ABS (0003):` off a line.
func cutTitle(text string) (rest string, kind int, ok bool) {
	title, rest, found := strings.Cut(text, "):")
	_, digits, opened := strings.Cut(title, "(")
	if !found || !opened {
		return text, -1, false
	}
	number, err := strconv.ParseUint(digits, 16, 16)
	if err != nil {
		return text, -1, false
	}
	return strings.TrimSpace(rest), int(number), true
}

// codes reads what one line lists of the kind of event under way.
func (r *geteventReader) codes(text string) {
	switch r.kind {
	case evKey:
		for _, word := range strings.Fields(text) {
			// A key that is down is marked by a star.
			if code, ok := codeOf(strings.TrimSuffix(word, "*")); ok && r.current.Keys != nil {
				r.current.Keys[code] = true
			}
		}
	case evAbs:
		name, facts, found := strings.Cut(text, ":")
		code, known := codeOf(strings.TrimSpace(name))
		axis, whole := parseAxis(facts)
		if found && known && whole && r.current.Axes != nil {
			r.current.Axes[code] = axis
		}
	}
}

// codeOf is a code's number, of those that matter here.
func codeOf(word string) (int, bool) {
	if code, ok := codeNames[word]; ok {
		return code, true
	}
	number, err := strconv.ParseUint(word, 16, 16)
	if err != nil || len(word) != 4 {
		return 0, false
	}
	for _, code := range codeNames {
		if code == int(number) {
			return code, true
		}
	}
	return 0, false
}

// parseAxis reads `value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0`.
func parseAxis(text string) (axis Axis, whole bool) {
	var least, most bool
	for _, part := range strings.Split(text, ",") {
		words := strings.Fields(part)
		if len(words) != 2 {
			continue
		}
		number, err := strconv.ParseInt(words[1], 10, 32)
		if err != nil {
			continue
		}
		switch words[0] {
		case "min":
			axis.Least, least = int(number), true
		case "max":
			axis.Most, most = int(number), true
		}
	}
	return axis, least && most
}
