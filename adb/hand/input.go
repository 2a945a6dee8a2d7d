package hand

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tapwise/adb/hand/pointer"
	"tapwise/adb/internal/fault"
)

// A Method says how a phone takes strokes.
type Method struct {
	// Motion: it has `input motionevent`, so a stroke is one finger through all its
	// points. Without it each straight leg is a swipe that lifts at its end.
	Motion bool
	// Corners: only the corners of a stroke are sent, because every event starts a
	// Java process (Android 11 and older).
	Corners bool
	// SwipeDuration: `input swipe` takes a duration (Android 5 and later).
	SwipeDuration bool
	// EventTime is roughly what one event costs, as measured by the probe.
	EventTime time.Duration
}

// String describes the method: "motion events, 25ms each".
func (m Method) String() string {
	text := "straight swipes"
	switch {
	case m.Motion && m.Corners:
		text = "motion events at corners"
	case m.Motion:
		text = "motion events"
	}
	return fmt.Sprintf("%s, %v each", text, m.EventTime.Round(time.Millisecond))
}

// parseInputUsage reads the usage that `input` prints when it is run without
// arguments. It is not recognised if it lists neither tap nor swipe.
func parseInputUsage(text string) (method Method, recognised bool) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		// Android 4 prints "input tap <x> <y>", later versions "tap <x> <y> (Default: …)".
		if words[0] == "input" && len(words) > 1 {
			words = words[1:]
		}
		// And before it the sources: "input [touchscreen|touchpad|touchnavigation] tap".
		if strings.HasPrefix(words[0], "[") && len(words) > 1 {
			words = words[1:]
		}
		switch words[0] {
		case "tap":
			recognised = true
		case "swipe":
			recognised = true
			method.SwipeDuration = strings.Contains(line, "duration")
		case "motionevent", "event": // Android 10 lists it as event, and takes motionevent
			method.Motion = strings.Contains(line, "DOWN") && strings.Contains(line, "MOVE")
		}
	}
	return method, recognised
}

// Corners is how `input` sends strokes as Motion does, but only the points where they bend.
const Corners = "corners"

// Method finds out how the phone's `input` takes strokes, and remembers it. It is as UseInput
// asked for.
func (h *Hand) Method(ctx context.Context) (Method, error) {
	method, err := h.probe(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch h.how {
	case Motion:
		method.Corners = false
	case Corners:
		method.Corners = true
	case Swipes:
		method.Motion = false
	}
	return method, err
}

// probe finds out what the phone's `input` can do, once.
func (h *Hand) probe(ctx context.Context) (Method, error) {
	h.mu.Lock()
	known := h.input
	h.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	start := h.config.Now()
	usage, status, err := h.phone.Shell(ctx, "input 2>&1")
	if err != nil {
		return Method{}, err
	}
	usage = strings.TrimSpace(usage)
	if status == commandMissing {
		return Method{}, h.phone.Fail(ctx, "input", fmt.Errorf("%w: %q", fault.ErrRefused, fault.Shorten(usage)))
	}
	took := h.config.Now().Sub(start)
	method, recognised := parseInputUsage(usage)
	if !recognised { // some vendors cut the usage short; the version is a hint
		if h.config.SDK == 0 {
			return Method{}, fmt.Errorf("adb: input on %s: its usage lists neither tap nor swipe: %q", h.config.Serial, fault.Shorten(usage))
		}
		method = Method{Motion: h.config.SDK >= 29, SwipeDuration: h.config.SDK >= 21}
	}
	method.Corners = h.config.SDK > 0 && h.config.SDK <= 30
	method.EventTime = took
	h.mu.Lock()
	defer h.mu.Unlock()
	h.input = &method
	return method, nil
}

const commandMissing = 127 // a shell's status

// Inputs returns the ways in which the phone's `input` can send a stroke, the surest first.
func (h *Hand) Inputs(ctx context.Context) ([]string, error) {
	method, err := h.probe(ctx)
	switch {
	case err != nil:
		return nil, err
	case method.Motion:
		return []string{Motion, Corners, Swipes}, nil
	}
	return []string{Swipes}, nil
}

// UseInput makes `input` send strokes in one of the phone's Inputs. With only, they go through
// nothing else; without, through a way that streams where the phone takes one.
func (h *Hand) UseInput(ctx context.Context, how string, only bool) error {
	names, err := h.Inputs(ctx)
	if err != nil {
		return err
	}
	if !slices.Contains(names, how) {
		return fmt.Errorf("adb: input on %s: %q, expected one of %v", h.config.Serial, how, names)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.how, h.pinned = how, only
	return nil
}

// A touchCommand is one shell command that moves the finger.
type touchCommand struct {
	marked string        // its text, with an echo after each stroke that ends in it
	begins []int         // the strokes that begin in it
	starts []image.Point // where the finger is at the start of each stroke that has a part in it
	events int           // how many times `input` runs
	moving time.Duration // how long its swipes last by themselves
	finger bool          // the finger is down at some time in it
	from   image.Point   // where the finger is at the start
	last   image.Point   // and at the end
}

const (
	// pidEcho precedes touch commands, because a cancellation has to end the shell
	// that runs them: a shell that prints nothing never notices that nobody listens
	// any more.
	pidEcho = "echo $$; "
	between = "; "
	// strokeMark is printed after each stroke, so that it is known which one is
	// under way and an interrupted Play can end between two of them.
	strokeMark = "."
	strokeEcho = between + "echo " + strokeMark
)

// swipeTime gives long swipes more time. Fast ones land short.
func swipeTime(pixels float64) time.Duration {
	return 300*time.Millisecond + time.Duration(pixels*1.5)*time.Millisecond
}

// command is a run of `input` on the display that is touched.
func (h *Hand) command(format string, arguments ...any) string {
	text := "input "
	if h.config.Display != "" {
		text += "-d " + h.config.Display + " "
	}
	return text + fmt.Sprintf(format, arguments...)
}

// plan packs taps into as few commands as the phone takes. Any other stroke is a
// command of its own, or each swipe of it: when Play is interrupted, the phone has not
// begun the next one, whose finger would stay down. A stroke is divided only if it does
// not fit into a command; its finger then stays down from one command to the next.
func (h *Hand) plan(m Method, strokes []Stroke) []touchCommand {
	room := h.config.Room - len(pidEcho)
	var commands []touchCommand
	var current touchCommand
	flush := func() {
		if current.events > 0 {
			commands = append(commands, current)
		}
		current = touchCommand{from: current.last}
	}
	for n, stroke := range strokes {
		events := h.events(m, stroke)
		for i, event := range events {
			alone := current.moving > 0 || i == 0 && (event.finger || current.finger)
			if alone || len(current.marked)+len(between)+len(event.marked)+len(strokeEcho) > room {
				flush()
			}
			if current.events > 0 {
				current.marked += between
			} else if i == 0 {
				current.from = event.from
			}
			if i == 0 {
				current.begins = append(current.begins, n)
			}
			if i == 0 || current.events == 0 {
				current.starts = append(current.starts, event.from)
			}
			current.marked += event.marked
			current.events++
			current.moving += event.moving
			current.finger = current.finger || event.finger
			current.last = event.last
		}
		if len(events) > 0 {
			current.marked += strokeEcho
		}
	}
	flush()
	return commands
}

// events are the runs of `input` that play one stroke.
func (h *Hand) events(m Method, stroke Stroke) []touchCommand {
	points := distinct(stroke.Points)
	if m.Corners || !m.Motion {
		points = corners(points)
	}
	event := func(p image.Point, finger bool, format string, arguments ...any) touchCommand {
		return touchCommand{marked: h.command(format, arguments...), finger: finger, from: points[0], last: p}
	}
	var events []touchCommand
	switch {
	case len(points) == 0:
	case len(points) == 1:
		events = append(events, event(points[0], false, "tap %d %d", points[0].X, points[0].Y))
	case m.Motion:
		events = append(events, event(points[0], true, "motionevent DOWN %d %d", points[0].X, points[0].Y))
		rest := h.restBetween()
		for _, p := range points[1:] {
			move := event(p, true, "motionevent MOVE %d %d", p.X, p.Y)
			move.marked = rest + move.marked
			events = append(events, move)
		}
		last := points[len(points)-1]
		events = append(events, event(last, true, "motionevent UP %d %d", last.X, last.Y))
	default:
		for i := 1; i < len(points); i++ {
			from, to := points[i-1], points[i]
			leg := event(to, false, "swipe %d %d %d %d", from.X, from.Y, to.X, to.Y)
			leg.moving = 300 * time.Millisecond // input's default, where it takes no duration
			if m.SwipeDuration {
				leg.moving = swipeTime(math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)))
				leg.marked += " " + strconv.FormatInt(leg.moving.Milliseconds(), 10)
			}
			events = append(events, leg)
		}
	}
	return events
}

// Commands returns the shell commands that Play would run for the strokes by `input`, after
// the same checks. Play puts `echo $$; ` before each and its end marker after it,
// to be able to stop it and to know that it ended.
func (h *Hand) Commands(ctx context.Context, strokes []Stroke) ([]string, error) {
	commands, _, err := h.prepare(ctx, strokes, "")
	return texts(commands), err
}

func texts(commands []touchCommand) []string {
	lines := make([]string, len(commands))
	for i, command := range commands {
		lines[i] = strings.ReplaceAll(command.marked, strokeEcho, "")
	}
	return lines
}

// prepare checks the strokes against the phone's screen and plans the commands.
func (h *Hand) prepare(ctx context.Context, strokes []Stroke, app string) ([]touchCommand, Method, error) {
	method, err := h.Method(ctx)
	if err != nil {
		return nil, method, err
	}
	scaled, _, err := h.phone.Fit(ctx, strokes, app)
	if err != nil {
		return nil, method, err
	}
	return h.plan(method, scaled), method, nil
}

// playInput is Play by commands of `input`.
func (h *Hand) playInput(ctx context.Context, strokes []Stroke, options Options) error {
	commands, method, err := h.prepare(ctx, strokes, options.App)
	if err != nil {
		return err
	}
	for _, command := range commands {
		carried := command.finger && len(command.starts) > len(command.begins)
		if ctx.Err() != nil && !carried {
			return h.phone.Fail(ctx, "input", fault.Context(ctx))
		}
		timeout := h.config.Timeout + command.moving + time.Duration(command.events)*method.patience()
		if err := h.run(ctx, command, timeout, options.Began); err != nil {
			return err
		}
	}
	return nil
}

// patience is the longest time that one event may reasonably take.
func (m Method) patience() time.Duration {
	if m.Motion && !m.Corners {
		return 300 * time.Millisecond
	}
	return 2 * time.Second
}

// run runs one command and, if it did not go through, lifts the finger.
func (h *Hand) run(ctx context.Context, command touchCommand, timeout time.Duration, began func(int)) error {
	last, done := h.finish(ctx)
	defer done()
	bounded, cancel := fault.Limit(last, timeout)
	defer cancel()
	pid, ended, err := h.send(ctx, bounded, command, began)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = fault.Context(ctx)
	}
	err = h.phone.Fail(bounded, "input", err)
	at := command.from
	if ended < len(command.starts) {
		at = command.starts[ended]
	}
	gone := fault.Gone(err) // nobody is there to be told now
	if !gone {
		liftErr := h.lift(bounded, command, at, pid)
		if liftErr == nil {
			return err
		}
		err = fmt.Errorf("%w (and lifting the finger failed: %v)", err, liftErr)
	}
	if command.finger {
		h.leave(Motion, at)
	}
	return err
}

// send runs the command. It returns the id of the shell that ran it, 0 if that is
// unknown, and how many of its strokes ended. Once interrupted is done, it returns after
// the next tap.
func (h *Hand) send(interrupted, ctx context.Context, command touchCommand, began func(int)) (pid, ended int, err error) {
	// A stroke continued from the previous command does not begin in this one.
	carried := len(command.starts) - len(command.begins)
	begun := 0
	begin := func(through int) {
		for ; begun <= through && begun < len(command.begins); begun++ {
			if began != nil {
				began(command.begins[begun])
			}
		}
	}
	output, status, err := h.phone.Run(ctx, pidEcho+command.marked, func(word string) (bool, error) {
		number, pidErr := strconv.Atoi(word)
		switch {
		case pid == 0 && ended == 0 && pidErr == nil:
			pid = number
			begin(-carried)
			return true, nil
		case word == strokeMark:
			ended++
			if interrupted.Err() != nil && ended < len(command.starts) {
				return true, fault.Context(interrupted)
			}
			begin(ended - carried)
			return true, nil
		}
		return false, nil
	})
	if refused := fault.Refusal(output); refused != nil { // of a connection that broke as well
		return pid, ended, refused
	}
	if err == nil {
		err = fault.Ended(output, status)
	}
	if err != nil {
		return pid, ended, err
	}
	fault.Hear(h.config.Log, "input", output)
	begin(len(command.begins) - 1) // a mark may stand in the middle of other words
	h.doubt(output)
	return pid, ended, nil
}

// lift ends the shell that may still be moving the finger, and lifts the finger
// where its stroke began: how far it came is not known, but it has been there. The
// finger of a swipe can be lifted by a tap only, which is made unless none is down. The
// caller's context may be over, so this has its own few seconds.
func (h *Hand) lift(ctx context.Context, command touchCommand, at image.Point, pid int) error {
	var parts []string
	if pid > 0 {
		parts = append(parts, fmt.Sprintf("kill %d 2>/dev/null", pid))
	}
	if command.finger {
		parts = append(parts, h.liftCommand(true, at))
	}
	ctx, cancel := fault.Limit(context.WithoutCancel(ctx), h.config.Slow(liftWithin))
	defer cancel()
	if len(parts) > 0 {
		if _, _, err := h.phone.Run(ctx, strings.Join(parts, between), nil); err != nil {
			return err
		}
	}
	if command.moving == 0 {
		return nil
	}
	text, _, err := h.phone.Run(ctx, dumpInput, nil)
	if err != nil || pointer.ReadFinger(text) == pointer.FingerUp {
		return err
	}
	_, _, err = h.phone.Run(ctx, h.liftCommand(false, at), nil)
	return err
}

// holdByInput is Hold by commands of `input`.
func (h *Hand) holdByInput(ctx context.Context, stroke Stroke, while func() error) (err error) {
	method, err := h.probe(ctx)
	if err != nil {
		return err
	}
	if !method.Motion {
		return fmt.Errorf("adb: input on %s: %w", h.config.Serial, ErrNoHold)
	}
	scaled, _, err := h.phone.Fit(ctx, []Stroke{stroke}, "")
	if err != nil {
		return err
	}
	points := scaled[0].Points
	last := points[len(points)-1]
	// Whatever happens from here on, the finger does not stay.
	defer func() {
		lift, cancel := fault.Limit(context.WithoutCancel(ctx), h.config.Slow(liftWithin))
		defer cancel()
		if liftErr := h.phone.Input(lift, h.liftCommand(true, last)); liftErr != nil {
			h.leave(Motion, last)
			err = errors.Join(err, liftErr)
		}
	}()
	bounded, cancel := fault.Limit(ctx, h.config.Timeout)
	defer cancel()
	for i, at := range points {
		verb := "MOVE"
		if i == 0 {
			verb = "DOWN"
		}
		if err := h.phone.Input(bounded, h.command("motionevent %s %d %d", verb, at.X, at.Y)); err != nil {
			return err
		}
	}
	return while()
}
