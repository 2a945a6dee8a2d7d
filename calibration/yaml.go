package calibration

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"tapwise/configs/boundedyaml"
	"tapwise/solvers/screen"
)

// FileError is a mistake in a profile's file.
type FileError struct {
	File   string
	Line   int // from 1; 0 for the file as a whole
	Reason string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// Parse reads a profile. It is strict: an unknown key, or a value out of range or in another
// unit, is a *FileError with the line and what was expected. The name is the file's name, for
// messages.
func Parse(name string, text []byte) (*Profile, error) {
	r := &profileReader{file: name, profile: &Profile{Phone: Phone{Rotation: -1}}}
	node, err := ParseYAML(name, text)
	switch {
	case err != nil:
		return nil, err
	case node == nil:
		return nil, r.wrong(nil, "empty, expected a profile")
	}
	if err := r.read(node); err != nil {
		return nil, err
	}
	return r.profile, nil
}

// ParseYAML reads the one document of a YAML file; it is nil for an empty file.
// Text that is not YAML is a *FileError. A byte order mark is skipped.
func ParseYAML(name string, text []byte) (*yaml.Node, error) {
	document, err := boundedyaml.Parse(text)
	if err != nil {
		return nil, YAMLError(name, err)
	}
	return document, nil
}

// YAMLError turns an error of the YAML parser into one with the file and the line
// that the parser names.
func YAMLError(name string, err error) *FileError {
	e := &FileError{File: name, Reason: strings.TrimPrefix(err.Error(), "yaml: ")}
	var mistakes *yaml.TypeError
	if errors.As(err, &mistakes) && len(mistakes.Errors) > 0 {
		// Go's types mean nothing to a reader of the file.
		e.Reason, _, _ = strings.Cut(mistakes.Errors[0], " in type ")
		e.Reason, _, _ = strings.Cut(e.Reason, " into struct ")
	}
	if found := yamlLine.FindStringSubmatch(e.Reason); found != nil {
		e.Line, _ = strconv.Atoi(found[1])
		e.Reason = found[2]
	}
	return e
}

// yamlLine matches the line number in a message of the YAML parser.
var yamlLine = regexp.MustCompile(`^line (\d{1,9}): ((?s).*)$`)

// profileReader reads one file.
type profileReader struct {
	file    string
	profile *Profile

	telling bool   // nothing is read; what is expected is told instead
	told    schema // by the reader that was asked last
}

func (r *profileReader) wrong(at *yaml.Node, format string, a ...any) error {
	e := &FileError{File: r.file, Reason: fmt.Sprintf(format, a...)}
	if at != nil {
		e.Line = at.Line
	}
	return e
}

// keys are the keys that a mapping may have, each with its reader.
type keys map[string]func(*yaml.Node) error

// mapping reads a mapping of known keys. The keys named in required must be
// present. The error joins all that is wrong.
func (r *profileReader) mapping(path string, node *yaml.Node, known keys, required ...string) error {
	if r.telling {
		properties := schema{}
		for name, read := range known {
			properties[name] = r.of(read)
		}
		s := schema{"type": "object", "additionalProperties": false, "properties": properties}
		if required != nil {
			s["required"] = required
		}
		r.tells(s)
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return r.wrong(node, "%s is %s, expected keys and values", nameOf(path), describe(node))
	}
	var found []error
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		read, ok := known[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode || !ok:
			found = append(found, r.wrong(key, "unknown key %q in %s, expected one of %s", key.Value, nameOf(path), strings.Join(slices.Sorted(maps.Keys(known)), ", ")))
		case seen[key.Value]:
			found = append(found, r.wrong(key, "%s is given twice", join(path, key.Value)))
		case value.Kind == yaml.AliasNode:
			found = append(found, r.wrong(value, "%s is an alias, expected the value itself", join(path, key.Value)))
			seen[key.Value] = true
		default:
			found = append(found, read(value))
			seen[key.Value] = true
		}
	}
	for _, name := range required {
		if !seen[name] {
			found = append(found, r.wrong(node, "%s is missing", join(path, name)))
		}
	}
	return errors.Join(found...)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func nameOf(path string) string {
	if path == "" {
		return "the profile"
	}
	return path
}

func describe(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	return strconv.Quote(node.Value)
}

// number reads a number in a range; unit says what it counts.
func (r *profileReader) number(path string, value *float64, least, most float64, unit string) func(*yaml.Node) error {
	return func(node *yaml.Node) error {
		if r.tells(schema{"type": "number", "minimum": least, "maximum": most, "description": unit}) {
			return nil
		}
		n, err := strconv.ParseFloat(node.Value, 64)
		if node.Kind != yaml.ScalarNode || err != nil || !(n >= least && n <= most) {
			return r.wrong(node, "%s is %s, expected %s from %g to %g", path, describe(node), unit, least, most)
		}
		*value = n
		return nil
	}
}

func (r *profileReader) integer(path string, value *int, least, most int, unit string) func(*yaml.Node) error {
	return func(node *yaml.Node) error {
		if r.tells(schema{"type": "integer", "minimum": least, "maximum": most, "description": unit}) {
			return nil
		}
		n, err := strconv.Atoi(node.Value)
		if node.Kind != yaml.ScalarNode || err != nil || n < least || n > most {
			return r.wrong(node, "%s is %s, expected %s from %d to %d", path, describe(node), unit, least, most)
		}
		*value = n
		return nil
	}
}

// word reads a text. If any are given, only the allowed texts are accepted.
func (r *profileReader) word(path string, value *string, allowed ...string) func(*yaml.Node) error {
	return func(node *yaml.Node) error {
		s := schema{"type": []string{"string", "number"}, "maxLength": 200}
		if len(allowed) > 0 {
			s = schema{"enum": allowed}
		}
		if r.tells(s) {
			return nil
		}
		switch {
		case node.Kind != yaml.ScalarNode:
			return r.wrong(node, "%s is %s, expected a word", path, describe(node))
		case len(allowed) > 0 && !slices.Contains(allowed, node.Value):
			return r.wrong(node, "%s is %q, expected one of %s", path, node.Value, strings.Join(allowed, ", "))
		case len(node.Value) > 200 || strings.ContainsFunc(node.Value, func(c rune) bool { return c < ' ' || c == 0x7f }):
			return r.wrong(node, "%s is %q, expected at most 200 printable characters", path, node.Value)
		}
		*value = node.Value
		return nil
	}
}

// unless reads true or false, and stores the opposite.
func (r *profileReader) unless(path string, value *bool) func(*yaml.Node) error {
	return func(node *yaml.Node) error {
		if r.tells(schema{"type": "boolean"}) {
			return nil
		}
		var word string
		err := r.word(path, &word, "true", "false")(node)
		*value = word == "false"
		return err
	}
}

const (
	ratioX = "a ratio of the frame's width"
	ratioY = "a ratio of the frame's height"
)

// pair reads a list of two numbers.
func (r *profileReader) pair(path string, x, y *float64, least, most float64, unit string) func(*yaml.Node) error {
	return func(node *yaml.Node) error {
		if r.telling {
			r.tells(several(r.of(r.number(path, x, least, most, unit)), 2, 2))
			return nil
		}
		if node.Kind != yaml.SequenceNode || len(node.Content) != 2 {
			return r.wrong(node, "%s is %s, expected two of %s, as [0.5, 0.5]", path, describe(node), unit)
		}
		if err := r.number(path, x, least, most, unit)(node.Content[0]); err != nil {
			return err
		}
		return r.number(path, y, least, most, unit)(node.Content[1])
	}
}

// list reads a list, each of its elements with read.
func (r *profileReader) list(path string, node *yaml.Node, most int, read func(string, *yaml.Node) error) error {
	if r.telling {
		r.tells(several(r.of(func(*yaml.Node) error { return read(path, nil) }), 0, most))
		return nil
	}
	if node.Kind != yaml.SequenceNode {
		return r.wrong(node, "%s is %s, expected a list", path, describe(node))
	}
	if len(node.Content) > most {
		return r.wrong(node, "%s has %d entries, expected at most %d", path, len(node.Content), most)
	}
	for i, part := range node.Content {
		if err := read(fmt.Sprintf("%s[%d]", path, i), part); err != nil {
			return err
		}
	}
	return nil
}

func (r *profileReader) read(node *yaml.Node) error {
	p := r.profile
	version := 0
	err := r.mapping("", node, keys{
		"version": r.integer("version", &version, 1, 1, "the format's version"),
		"game":    r.word("game", &p.Game),
		"app":     r.word("app", &p.App),
		"unique":  r.unless("unique", &p.Levels.Several),
		"cover":   r.unless("cover", &p.Levels.Uncovered),
		"phone":   r.phone,
		"board":   r.board,
		"reading": r.reading,
		"alike":   r.alike,
		"theme":   r.theme,
		"palette": r.palette,
		"buttons": r.buttons,
		"safe":    r.safe,
		"capture": r.word("capture", &p.Capture, "", "raw", "raw+gzip", "png", "pull"),
		"input":   r.word("input", &p.Input, "", "motion", "corners", "swipes"),
		"settle":  r.duration("settle", &p.Settle),
		"touch":   r.touch,
	}, "version", "game", "phone")
	if err == nil && p.Game == "" {
		return r.wrong(node, "game is empty, expected a game's name")
	}
	if err == nil && p.Reading.Signs && p.Reading != (Reading{Signs: true}) {
		return r.wrong(node, "reading is signs, expected no theme beside it: what looks alike does so in any")
	}
	if err == nil && len(p.Alike) > 0 && !p.Reading.Signs {
		return r.wrong(node, "alike counts only where reading is signs")
	}
	return err
}

func (r *profileReader) phone(node *yaml.Node) error {
	p := &r.profile.Phone
	return r.mapping("phone", node, keys{
		"model": r.word("phone.model", &p.Model),
		"frame": func(node *yaml.Node) error {
			if r.tells(schema{"type": "string", "pattern": "^[0-9]+x[0-9]+$", "description": "the size in pixels of the frames that were measured"}) {
				return nil
			}
			size, err := ParseSize(node.Value)
			if node.Kind != yaml.ScalarNode || err != nil {
				return r.wrong(node, "phone.frame is %s, expected WIDTHxHEIGHT in pixels, as 1080x2340", describe(node))
			}
			p.Frame = size
			return nil
		},
		"rotation": r.integer("phone.rotation", &p.Rotation, -1, 3, "quarter turns (-1: unknown)"),
	}, "frame")
}

func (r *profileReader) board(node *yaml.Node) error {
	b := &r.profile.Board
	const inFrame = "the board lies within the frame: "
	err := r.mapping("board", node, keys{
		"left":   r.number("board.left", &b.Left, 0, 1, inFrame+ratioX),
		"top":    r.number("board.top", &b.Top, 0, 1, inFrame+ratioY),
		"right":  r.number("board.right", &b.Right, 0, 1, inFrame+ratioX),
		"bottom": r.number("board.bottom", &b.Bottom, 0, 1, inFrame+ratioY),
		"rows":   r.integer("board.rows", &b.Rows, 0, 64, "rows (0: differ)"),
		"cols":   r.integer("board.cols", &b.Cols, 0, 64, "columns (0: differ)"),
	}, "left", "top", "right", "bottom")
	if err != nil {
		return err
	}
	if b.Right-b.Left < 0.05 || b.Bottom-b.Top < 0.05 {
		return r.wrong(node, "board is %.3f wide and %.3f high, expected right and bottom at least 0.05 beyond left and top", b.Right-b.Left, b.Bottom-b.Top)
	}
	return nil
}

func (r *profileReader) reading(node *yaml.Node) error {
	var word string
	err := r.word("reading", &word, "signs")(node)
	r.profile.Reading.Signs = word == "signs"
	return err
}

func (r *profileReader) alike(node *yaml.Node) error {
	return r.list("alike", node, 64, func(path string, node *yaml.Node) error {
		if r.telling {
			r.tells(several(r.of(r.colour(path, &color.RGBA{})), 2, 2))
			return nil
		}
		if node.Kind != yaml.SequenceNode || len(node.Content) != 2 {
			return r.wrong(node, `%s is %s, expected two colours, as ["#1a2b3c", "#4d5e6f"]`, path, describe(node))
		}
		var pair [2]color.RGBA
		for i, part := range node.Content {
			if err := r.colour(path, &pair[i])(part); err != nil {
				return err
			}
		}
		r.profile.Alike = append(r.profile.Alike, pair)
		return nil
	})
}

// colour reads a colour such as #1a2b3c.
func (r *profileReader) colour(path string, to *color.RGBA) func(*yaml.Node) error {
	return func(node *yaml.Node) error {
		if r.tells(schema{"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}) {
			return nil
		}
		n, err := strconv.ParseUint(strings.TrimPrefix(node.Value, "#"), 16, 32)
		if node.Kind != yaml.ScalarNode || err != nil || len(node.Value) != 7 || node.Value[0] != '#' {
			return r.wrong(node, `%s is %s, expected red, green and blue as "#1a2b3c"`, path, describe(node))
		}
		*to = color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}
		return nil
	}
}

func (r *profileReader) theme(node *yaml.Node) error {
	t := &r.profile.Reading
	var ground, lines string
	err := r.mapping("theme", node, keys{
		"ground":      r.word("theme.ground", &ground, "dark", "light"),
		"lines":       r.word("theme.lines", &lines, "seen", "none"),
		"mark-radius": r.number("theme.mark-radius", &t.MarkRadius, leastRadius, mostRadius, "pitches"),
		"ring":        r.pair("theme.ring", &t.RingInner, &t.RingOuter, 0, 0.5, "pitches"),
	}, "ground", "lines", "mark-radius", "ring")
	if err == nil && t.RingOuter-t.RingInner < 0.01 {
		return r.wrong(node, "theme.ring is from %g to %g, expected the inner radius and then a larger one", t.RingInner, t.RingOuter)
	}
	t.Light, t.NoLines = ground == "light", lines == "none"
	return err
}

func (r *profileReader) palette(node *yaml.Node) error {
	tones := func(path string, to *[]screen.Tone) func(*yaml.Node) error {
		return func(node *yaml.Node) error {
			return r.list(path, node, 64, func(path string, node *yaml.Node) error {
				var t screen.Tone
				err := r.mapping(path, node, keys{
					"colour": r.colour(path+".colour", &t.Colour),
					"margin": r.integer(path+".margin", &t.Margin, 0, 128, "steps of 255"),
				}, "colour", "margin")
				*to = append(*to, t)
				return err
			})
		}
	}
	return r.mapping("palette", node, keys{
		"ground": tones("palette.ground", &r.profile.Palette.Ground),
		"marks":  tones("palette.marks", &r.profile.Palette.Marks),
	})
}

// buttonNames are the buttons that a profile may know.
var buttonNames = [...]string{"next", "restart", "close"}

// ButtonNames are the buttons that a profile may know.
func ButtonNames() []string { return slices.Clone(buttonNames[:]) }

func (r *profileReader) buttons(node *yaml.Node) error {
	known := keys{}
	for _, name := range buttonNames {
		known[name] = func(node *yaml.Node) error {
			var at Point
			if err := r.pair("buttons."+name, &at.X, &at.Y, 0, 1, "a ratio of the frame")(node); err != nil {
				return err
			}
			if r.profile.Buttons == nil {
				r.profile.Buttons = map[string]Point{}
			}
			r.profile.Buttons[name] = at
			return nil
		}
	}
	return r.mapping("buttons", node, known)
}

func (r *profileReader) safe(node *yaml.Node) error {
	s := &r.profile.Safe
	return r.mapping("safe", node, keys{
		"left":   r.number("safe.left", &s.Left, 0, 0.4, ratioX),
		"top":    r.number("safe.top", &s.Top, 0, 0.4, ratioY),
		"right":  r.number("safe.right", &s.Right, 0, 0.4, ratioX),
		"bottom": r.number("safe.bottom", &s.Bottom, 0, 0.4, ratioY),
	})
}

func (r *profileReader) duration(path string, value *time.Duration) func(*yaml.Node) error {
	return func(node *yaml.Node) error {
		if r.tells(schema{"type": "string", "pattern": `^(0|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m))+)$`}) {
			return nil
		}
		d, err := time.ParseDuration(node.Value)
		if node.Kind != yaml.ScalarNode || err != nil || d < 0 || d > time.Minute {
			return r.wrong(node, "%s is %s, expected a time with its unit, as 80ms, up to 1m", path, describe(node))
		}
		*value = d
		return nil
	}
}

func (r *profileReader) touch(node *yaml.Node) error {
	return r.list("touch", node, 4, func(path string, node *yaml.Node) error {
		t := Touch{Scale: Point{1, 1}}
		err := r.mapping(path, node, keys{
			"rotation": r.integer(path+".rotation", &t.Rotation, 0, 3, "quarter turns"),
			"offset":   r.pair(path+".offset", &t.Offset.X, &t.Offset.Y, -0.25, 0.25, "a ratio of the frame"),
			"scale":    r.pair(path+".scale", &t.Scale.X, &t.Scale.Y, 0.7, 1.4, "a factor"),
			"turn":     r.number(path+".turn", &t.Turn, -20, 20, "degrees"),
			"shear":    r.number(path+".shear", &t.Shear, -0.2, 0.2, "a ratio"),
		}, "rotation", "offset", "scale")
		if err != nil {
			return err
		}
		if _, twice := r.profile.TouchFor(t.Rotation); twice {
			return r.wrong(node, "%s.rotation is %d, expected one that no entry before it has", path, t.Rotation)
		}
		r.profile.SetTouch(t)
		return nil
	})
}

// YAML is the profile as a file, with every key explained. Parse gives it back,
// numbers rounded to a hundred-thousandth.
func (p *Profile) YAML() []byte {
	w := &profileWriter{profile: p}
	w.comment("A profile of tapwise: what is known of one game's app on one kind of phone.",
		"Written by `tapwise calibrate`, which also refines it; it may be edited.",
		"Places are ratios of the frame: 0 is its left or upper side, 1 its right or",
		"lower one. A pitch is the distance between the centres of neighbouring cells.")
	w.line("version: 1\n")
	for _, section := range []func(){w.app, w.phone, w.board, w.reading, w.theme, w.palette, w.buttons, w.safe, w.device, w.touch} {
		section()
	}
	return append(bytes.TrimRight(w.text.Bytes(), "\n"), '\n')
}

// profileWriter writes one file, section by section. A section that the profile
// knows nothing of is left out.
type profileWriter struct {
	profile *Profile
	text    bytes.Buffer
}

func (w *profileWriter) line(format string, a ...any) { fmt.Fprintf(&w.text, format+"\n", a...) }

func (w *profileWriter) comment(lines ...string) {
	for _, l := range lines {
		w.line("# %s", l)
	}
}

// app writes the game, the app and the properties of its levels.
func (w *profileWriter) app() {
	p := w.profile
	w.comment("The game, as `tapwise games` shows it.")
	w.line("game: %s", p.Game)
	w.comment("The version of the app that it is for. Empty: any.")
	w.line("app: %s\n", quote(p.App))
	if p.Levels.Several {
		w.comment("The app's levels may have several solutions; without this key a board that has",
			"several is believed only when it was seen clearly.")
		w.line("unique: false\n")
	}
	if p.Levels.Uncovered {
		w.comment("The app's levels need not be filled: it is enough that every pipe is complete.")
		w.line("cover: false\n")
	}
}

func (w *profileWriter) phone() {
	phone := w.profile.Phone
	w.comment("The phone that it is for. Frames of the same shape on another resolution match.",
		"model: as `tapwise devices` shows it; empty: any. frame: the size in pixels of the",
		"frames that were measured. rotation: theirs, in quarter turns; -1: unknown.")
	w.line("phone:\n  model: %s\n  frame: %dx%d\n  rotation: %d\n", quote(phone.Model), phone.Frame.X, phone.Frame.Y, phone.Rotation)
}

func (w *profileWriter) board() {
	board := w.profile.Board
	if board == (Board{}) {
		return
	}
	w.comment("The area that boards fill, as large as fits, in its middle. rows, cols: 0 when",
		"they differ from level to level and are found out each time.")
	w.line("board:\n  left: %s\n  top: %s\n  right: %s\n  bottom: %s\n  rows: %d\n  cols: %d\n",
		number(board.Left), number(board.Top), number(board.Right), number(board.Bottom), board.Rows, board.Cols)
}

func (w *profileWriter) reading() {
	if w.profile.Reading.Signs {
		w.comment("The board's cells are told by which of them look alike, not by lines and colours.")
		w.line("reading: signs\n")
	}
	if len(w.profile.Alike) == 0 {
		return
	}
	w.comment("The mean colours of marks that belong together though they do not look alike.")
	w.line("alike:")
	for _, pair := range w.profile.Alike {
		a, b := pair[0], pair[1]
		w.line(`  - ["#%02x%02x%02x", "#%02x%02x%02x"]`, a.R, a.G, a.B, b.R, b.G, b.B)
	}
	w.line("")
}

func (w *profileWriter) theme() {
	reading := w.profile.Reading
	if reading.Own() || reading.Signs {
		return
	}
	w.comment("How the app differs from the game's own look; without this part it is read as",
		"the game's own. ground: dark or light. lines: between the cells, seen or none.",
		"mark-radius: of the largest disc inside a clue's mark, in pitches. ring: from",
		"where to where a mark has one colour, in pitches from its middle.")
	w.line("theme:\n  ground: %s\n  lines: %s\n  mark-radius: %s\n  ring: [%s, %s]\n",
		choice(reading.Light, "light", "dark"), choice(reading.NoLines, "none", "seen"),
		number(reading.MarkRadius), number(reading.RingInner), number(reading.RingOuter))
}

func (w *profileWriter) palette() {
	palette := w.profile.Palette
	if len(palette.Ground)+len(palette.Marks) == 0 {
		return
	}
	w.comment("Colours as this phone shows them, and how far another may differ in any channel,",
		"in steps of 255. ground: of empty places, thin lines too. marks: of clues.")
	w.line("palette:")
	for _, part := range []struct {
		name  string
		tones []screen.Tone
	}{{"ground", palette.Ground}, {"marks", palette.Marks}} {
		if len(part.tones) == 0 {
			continue
		}
		w.line("  %s:", part.name)
		for _, t := range part.tones {
			w.line(`    - {colour: "#%02x%02x%02x", margin: %d}`, t.Colour.R, t.Colour.G, t.Colour.B, t.Margin)
		}
	}
	w.line("")
}

func (w *profileWriter) buttons() {
	if len(w.profile.Buttons) == 0 {
		return
	}
	w.comment("Where the app's buttons are: next, restart, close; as [x, y].")
	w.line("buttons:")
	for _, name := range buttonNames {
		if at, ok := w.profile.Buttons[name]; ok {
			w.line("  %s: [%s, %s]", name, number(at.X), number(at.Y))
		}
	}
	w.line("")
}

func (w *profileWriter) safe() {
	safe := w.profile.Safe
	if safe == (Insets{}) {
		return
	}
	w.comment("The frame's margins that must not be touched: cutouts, gestures of the system.")
	w.line("safe:\n  left: %s\n  top: %s\n  right: %s\n  bottom: %s\n",
		number(safe.Left), number(safe.Top), number(safe.Right), number(safe.Bottom))
}

// device writes how to capture and touch, and how long to wait.
func (w *profileWriter) device() {
	p := w.profile
	if p.Capture != "" {
		w.comment("The fastest way to capture: raw, raw+gzip, png or pull.")
		w.line("capture: %s", p.Capture)
	}
	if p.Input != "" {
		w.comment("The way to touch: motion (a point at every cell), corners (only where a stroke",
			"bends) or swipes (one for each straight piece).")
		w.line("input: %s", p.Input)
	}
	if p.Settle > 0 {
		w.comment("How long the app's animations last after a touch.")
		w.line("settle: %v", p.Settle)
	}
}

func (w *profileWriter) touch() {
	if len(w.profile.Touch) == 0 {
		return
	}
	w.line("")
	w.comment("Where touches land, measured, for each rotation of the screen. offset: at the",
		"frame's middle, [x, y]. scale: [x, y]. turn: in degrees, clockwise. shear: of x",
		"by y. The opposite is applied to every touch.")
	w.line("touch:")
	for _, t := range w.profile.Touch {
		w.line("  - {rotation: %d, offset: [%s, %s], scale: [%s, %s], turn: %s, shear: %s}", t.Rotation,
			number(t.Offset.X), number(t.Offset.Y), number(t.Scale.X), number(t.Scale.Y), number(t.Turn), number(t.Shear))
	}
}

// number formats a value rounded to a hundred-thousandth: a fiftieth of a pixel.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*1e5)/1e5+0, 'f', -1, 64)
}

// quote writes a text so that YAML reads it back, whatever it is.
func quote(text string) string { return strconv.Quote(text) }

func choice(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// Diff lists the differences of two profiles: a line "key: before → after" for each
// key, in the order of the file. Before may be nil.
func Diff(before, after *Profile) []string {
	was := map[string]string{}
	if before != nil {
		for _, e := range entries(before.YAML()) {
			was[e[0]] = e[1]
		}
	}
	var lines []string
	now := map[string]bool{}
	for _, e := range entries(after.YAML()) {
		now[e[0]] = true
		switch old, ok := was[e[0]]; {
		case !ok:
			lines = append(lines, fmt.Sprintf("%s: %s (new)", e[0], e[1]))
		case old != e[1]:
			lines = append(lines, fmt.Sprintf("%s: %s → %s", e[0], old, e[1]))
		}
	}
	if before != nil {
		for _, e := range entries(before.YAML()) {
			if !now[e[0]] {
				lines = append(lines, fmt.Sprintf("%s: %s (gone)", e[0], e[1]))
			}
		}
	}
	return lines
}

// entries returns the keys of a profile's file, as paths, with their values.
func entries(text []byte) [][2]string {
	var document yaml.Node
	if yaml.Unmarshal(text, &document) != nil || len(document.Content) == 0 {
		return nil // cannot happen: YAML wrote it
	}
	var found [][2]string
	var walk func(path string, node *yaml.Node)
	walk = func(path string, node *yaml.Node) {
		switch {
		case node.Kind == yaml.MappingNode:
			for i := 0; i+1 < len(node.Content); i += 2 {
				walk(join(path, node.Content[i].Value), node.Content[i+1])
			}
		case node.Kind == yaml.SequenceNode && len(node.Content) > 0 && node.Content[0].Kind == yaml.MappingNode:
			for _, part := range node.Content {
				key := fmt.Sprintf("%s[%s]", path, part.Content[1].Value) // the element's colour or rotation
				var rest []string
				for i := 2; i+1 < len(part.Content); i += 2 {
					rest = append(rest, part.Content[i].Value+" "+flat(part.Content[i+1]))
				}
				found = append(found, [2]string{key, strings.Join(rest, ", ")})
			}
		default:
			found = append(found, [2]string{path, flat(node)})
		}
	}
	walk("", document.Content[0])
	return found
}

func flat(node *yaml.Node) string {
	if node.Kind != yaml.SequenceNode {
		return node.Value
	}
	var parts []string
	for _, part := range node.Content {
		parts = append(parts, flat(part))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Refine merges a new measurement into a known profile. Both must be of one game and of frames
// of one shape. The known value stays if the new profile has none.
func Refine(known, measured *Profile) (*Profile, error) {
	if known.Game != measured.Game {
		return nil, fmt.Errorf("a profile of %s, expected one of %s", known.Game, measured.Game)
	}
	if !known.Matches(measured.Phone.Frame) {
		return nil, fmt.Errorf("a profile of frames of %dx%d, expected ones of the shape of %dx%d",
			known.Phone.Frame.X, known.Phone.Frame.Y, measured.Phone.Frame.X, measured.Phone.Frame.Y)
	}
	p := *known
	p.Phone.Frame = measured.Phone.Frame
	p.Phone.Model = cmp.Or(measured.Phone.Model, known.Phone.Model)
	if measured.Phone.Rotation >= 0 {
		p.Phone.Rotation = measured.Phone.Rotation
	}
	p.App = cmp.Or(measured.App, known.App)
	p.Levels.Several = p.Levels.Several || measured.Levels.Several
	p.Levels.Uncovered = p.Levels.Uncovered || measured.Levels.Uncovered
	if measured.Board != (Board{}) {
		p.Board = measured.Board
		if old := known.Board; old != (Board{}) {
			p.Board.Left, p.Board.Top = min(old.Left, p.Board.Left), min(old.Top, p.Board.Top)
			p.Board.Right, p.Board.Bottom = max(old.Right, p.Board.Right), max(old.Bottom, p.Board.Bottom)
		}
		p.Reading = measured.Reading
		if known.Board != (Board{}) && (known.Reading.Light != measured.Reading.Light || known.Reading.NoLines != measured.Reading.NoLines || known.Reading.Signs != measured.Reading.Signs || known.Reading.Own() != measured.Reading.Own()) {
			return nil, errors.New("a profile of another theme: begin a new one with --fresh")
		}
	}
	p.Alike = slices.Clone(known.Alike)
	for _, pair := range measured.Alike {
		if !slices.Contains(p.Alike, pair) {
			p.Alike = append(p.Alike, pair)
		}
	}
	p.Palette.Ground = moreTones(known.Palette.Ground, measured.Palette.Ground)
	p.Palette.Marks = moreTones(known.Palette.Marks, measured.Palette.Marks)
	p.Buttons = maps.Clone(known.Buttons)
	for name, at := range measured.Buttons {
		if p.Buttons == nil {
			p.Buttons = map[string]Point{}
		}
		p.Buttons[name] = at
	}
	if measured.Safe != (Insets{}) {
		p.Safe = measured.Safe
	}
	p.Capture = cmp.Or(measured.Capture, known.Capture)
	p.Input = cmp.Or(measured.Input, known.Input)
	if measured.Settle > 0 {
		p.Settle = measured.Settle
	}
	for _, t := range measured.Touch {
		p.SetTouch(t)
	}
	return &p, nil
}

// moreTones adds the tones that are not yet among the known ones.
func moreTones(known, more []screen.Tone) []screen.Tone {
	tones := slices.Clone(known)
	for _, t := range more {
		if !slices.ContainsFunc(tones, func(o screen.Tone) bool {
			return o.Has(t.Colour) && o.Margin >= min(t.Margin, 2*screen.Contrast(o.Colour, t.Colour)+1)
		}) {
			tones = append(tones, t)
		}
	}
	return tones
}

// SizeOf writes a size as a profile does.
func SizeOf(size image.Point) string { return fmt.Sprintf("%dx%d", size.X, size.Y) }
