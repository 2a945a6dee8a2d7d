package adb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"tapwise/adb/pointer"
)

// A Stroke is one finger from down to up through Points; a single point is a tap. Points are
// pixels of the frame it was planned on, Size and Rotation are that frame's. A zero Size stands
// for the current screen.
type Stroke struct {
	Points   []image.Point
	Size     image.Point
	Rotation int // quarter turns 0–3, -1 unknown
}

// Legs cuts the stroke into its straight runs, each a stroke of two points, for
// phones that can only swipe straight and for redoing a part. A tap is one leg.
func (s Stroke) Legs() []Stroke {
	points := corners(s.Points)
	if len(points) < 2 {
		return []Stroke{{Points: points, Size: s.Size, Rotation: s.Rotation}}
	}
	legs := make([]Stroke, 0, len(points)-1)
	for i := 1; i < len(points); i++ {
		legs = append(legs, Stroke{Points: points[i-1 : i+1 : i+1], Size: s.Size, Rotation: s.Rotation})
	}
	return legs
}

// corners leaves out the points that lie on the way between their neighbours.
func corners(points []image.Point) []image.Point {
	points = distinct(points)
	if len(points) < 3 {
		return points
	}
	kept := points[:1:1]
	from := 0
	for to := 2; to < len(points); to++ {
		if !straight(points[from : to+1]) {
			kept = append(kept, points[to-1])
			from = to - 1
		}
	}
	return append(kept, points[len(points)-1])
}

// distinct leaves out points equal to the one before.
func distinct(points []image.Point) []image.Point {
	var kept []image.Point
	for i, p := range points {
		if i == 0 || p != points[i-1] {
			kept = append(kept, p)
		}
	}
	return kept
}

// straight reports whether all points lie on the way from the first to the last, in
// that order. Cell centres are rounded, so a point one pixel off the line counts.
func straight(points []image.Point) bool {
	const tolerance = 1.5
	first, last := points[0], points[len(points)-1]
	way := last.Sub(first)
	length := math.Hypot(float64(way.X), float64(way.Y))
	if length == 0 {
		return false
	}
	before := 0
	for _, p := range points[1:] {
		step := p.Sub(first)
		along := step.X*way.X + step.Y*way.Y
		if along <= before {
			return false
		}
		before = along
		if off := math.Abs(float64(step.X*way.Y - step.Y*way.X)); off > tolerance*length {
			return false
		}
	}
	return true
}

// defaultSwipeTime gives long swipes more time. Fast ones land short.
func defaultSwipeTime(pixels float64) time.Duration {
	return 300*time.Millisecond + time.Duration(pixels*1.5)*time.Millisecond
}

// A TouchMethod says how a phone takes strokes.
type TouchMethod struct {
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
func (m TouchMethod) String() string {
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
func parseInputUsage(text string) (method TouchMethod, recognised bool) {
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

// TouchMethod finds out how the phone takes strokes, and remembers it.
func (d *Device) TouchMethod(ctx context.Context) (TouchMethod, error) {
	d.mu.Lock()
	known := d.touch
	d.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	start := d.client.config.Now()
	usage, status, err := d.shell(ctx, "input 2>&1")
	if err != nil {
		return TouchMethod{}, err
	}
	if status == commandMissing {
		return TouchMethod{}, d.fail(ctx, "input", fmt.Errorf("%w: %q", ErrInputRefused, shorten(strings.TrimSpace(usage))))
	}
	took := d.client.config.Now().Sub(start)
	method, recognised := parseInputUsage(usage)
	if !recognised { // some vendors cut the usage short; the version is a hint
		if d.SDK == 0 {
			return TouchMethod{}, fmt.Errorf("adb: input on %s: its usage lists neither tap nor swipe: %q",
				d.Serial, shorten(strings.TrimSpace(usage)))
		}
		method = TouchMethod{Motion: d.SDK >= 29, SwipeDuration: d.SDK >= 21}
	}
	method.Corners = d.SDK > 0 && d.SDK <= 30
	method.EventTime = took
	d.mu.Lock()
	d.touch = &method
	d.mu.Unlock()
	return method, nil
}

// Estimate is roughly how long the strokes take, by the phone's EventTime.
func (m TouchMethod) Estimate(strokes []Stroke) time.Duration {
	var total time.Duration
	for _, command := range m.plan(strokes, touchOptions{swipeTime: defaultSwipeTime}) {
		total += time.Duration(command.events)*m.EventTime + command.moving
	}
	return total
}

// Commands returns the shell commands that play the strokes by this method, for
// strokes given in the phone's own pixels. See Device.Commands.
func (m TouchMethod) Commands(strokes []Stroke) []string {
	return texts(m.plan(strokes, touchOptions{swipeTime: defaultSwipeTime}))
}

func texts(commands []touchCommand) []string {
	lines := make([]string, len(commands))
	for i, command := range commands {
		lines[i] = command.text
	}
	return lines
}

// A touchCommand is one shell command that moves the finger.
type touchCommand struct {
	text   string
	marked string        // text with an echo after each stroke that ends in it
	begins []int         // the strokes that begin in it
	starts []image.Point // where the finger is at the start of each stroke that has a part in it
	events int           // how many times `input` runs
	moving time.Duration // how long its swipes last by themselves
	finger bool          // the finger is down at some time in it
	from   image.Point   // where the finger is at the start
	last   image.Point   // and at the end
}

type touchOptions struct {
	display   string
	swipeTime func(float64) time.Duration
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
	// maxTouch is the number of bytes left for touch commands.
	maxTouch = MaxCommand - len(pidEcho) - len(statusEcho)
	// dumpInput prints among other things whether a finger is on the screen.
	dumpInput = "dumpsys input"
	// tapCorner lifts a finger where input knows no lifting alone; in the corner it
	// presses nothing.
	tapCorner = "tap 1 1"
	// maxTouchOutput is enough bytes for a stack trace from each of them.
	maxTouchOutput = 1 << 20
)

func inputCommand(display, arguments string) string {
	if display != "" {
		return "input -d " + display + " " + arguments
	}
	return "input " + arguments
}

// plan packs taps into as few commands as MaxCommand allows. Any other stroke is a
// command of its own, or each swipe of it: when Play is interrupted, the phone has not
// begun the next one, whose finger would stay down. A stroke is divided only if it does
// not fit into a command; its finger then stays down from one command to the next.
func (m TouchMethod) plan(strokes []Stroke, options touchOptions) []touchCommand {
	var commands []touchCommand
	var current touchCommand
	flush := func() {
		if current.events > 0 {
			commands = append(commands, current)
		}
		current = touchCommand{from: current.last}
	}
	for n, stroke := range strokes {
		events := m.events(stroke, options)
		for i, event := range events {
			alone := current.moving > 0 || i == 0 && (event.finger || current.finger)
			if alone || len(current.marked)+len(between)+len(event.text)+len(strokeEcho) > maxTouch {
				flush()
			}
			if current.events > 0 {
				current.text += between
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
			current.text += event.text
			current.marked += event.text
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
func (m TouchMethod) events(stroke Stroke, options touchOptions) []touchCommand {
	points := distinct(stroke.Points)
	if m.Corners || !m.Motion {
		points = corners(points)
	}
	event := func(p image.Point, finger bool, format string, arguments ...any) touchCommand {
		text := inputCommand(options.display, fmt.Sprintf(format, arguments...))
		return touchCommand{text: text, finger: finger, from: points[0], last: p}
	}
	var events []touchCommand
	switch {
	case len(points) == 0:
	case len(points) == 1:
		events = append(events, event(points[0], false, "tap %d %d", points[0].X, points[0].Y))
	case m.Motion:
		events = append(events, event(points[0], true, "motionevent DOWN %d %d", points[0].X, points[0].Y))
		for _, p := range points[1:] {
			events = append(events, event(p, true, "motionevent MOVE %d %d", p.X, p.Y))
		}
		last := points[len(points)-1]
		events = append(events, event(last, true, "motionevent UP %d %d", last.X, last.Y))
	default:
		for i := 1; i < len(points); i++ {
			from, to := points[i-1], points[i]
			leg := event(to, false, "swipe %d %d %d %d", from.X, from.Y, to.X, to.Y)
			leg.moving = 300 * time.Millisecond // input's default, where it takes no duration
			if m.SwipeDuration {
				leg.moving = options.swipeTime(math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)))
				leg.text += " " + strconv.FormatInt(leg.moving.Milliseconds(), 10)
			}
			events = append(events, leg)
		}
	}
	return events
}

// Tap touches one pixel of the current screen. A tap that was planned on a frame is a Stroke of
// one point for Play.
func (d *Device) Tap(ctx context.Context, at image.Point) error {
	return d.Play(ctx, []Stroke{{Points: []image.Point{at}, Rotation: -1}})
}

// Stroke moves one finger through pixels of the screen as it is at the moment.
func (d *Device) Stroke(ctx context.Context, points []image.Point) error {
	return d.Play(ctx, []Stroke{{Points: points, Rotation: -1}})
}

// Commands returns the shell commands that Play would run for the strokes, after
// the same checks. Play puts `echo $$; ` before each and its end marker after it,
// to be able to stop it and to know that it ended.
func (d *Device) Commands(ctx context.Context, strokes []Stroke) ([]string, error) {
	commands, _, err := d.prepare(ctx, strokes, "")
	return texts(commands), err
}

// PlayOptions are the options of PlayWith.
type PlayOptions struct {
	// App is the package that must be in front; empty for any. When another app, or
	// a window of the system, is in front, the error is an ErrNotInFront and
	// nothing is touched.
	App string
	// Began is called as each stroke begins, with its index, from the goroutine
	// that called PlayWith.
	Began func(stroke int)
}

// Play is PlayWith without options.
func (d *Device) Play(ctx context.Context, strokes []Stroke) error {
	return d.PlayWith(ctx, strokes, PlayOptions{})
}

// PlayWith plays the strokes one after the other. It looks at the phone's screen before it
// sends anything: if that is not the screen the strokes were planned on, the error is a
// ScreenChangedError. A known refusal by the phone is an ErrInputRefused; other output goes to
// the log, and the screen has to show whether touches land (see TouchSeen). When ctx is
// cancelled, the stroke under way is finished first, within a few seconds. After any failure on
// the way the finger is lifted before PlayWith returns or, if the phone is gone, before it is
// touched again.
func (d *Device) PlayWith(ctx context.Context, strokes []Stroke, options PlayOptions) error {
	release, err := d.takeFinger(ctx)
	if err != nil {
		return err
	}
	defer release()
	if len(strokes) == 0 {
		return nil
	}
	s, turned, err := d.handFor(ctx, strokes, options.App)
	if err != nil {
		return err
	}
	if s != nil {
		return d.playStream(ctx, s, turned, options)
	}
	commands, method, err := d.prepare(ctx, strokes, options.App)
	if err != nil {
		return err
	}
	for _, command := range commands {
		carried := command.finger && len(command.starts) > len(command.begins)
		if ctx.Err() != nil && !carried {
			return d.fail(ctx, "input", contextError(ctx))
		}
		timeout := d.client.config.Timeout + command.moving + time.Duration(command.events)*method.patience()
		if err := d.runTouch(ctx, command, timeout, options.Began); err != nil {
			return err
		}
	}
	return nil
}

// handFor returns the stream to play strokes through, and the strokes in its own
// pixels. It returns no stream, and has touched nothing, where the phone takes none
// or none that fits its screen: then `input` is the way.
func (d *Device) handFor(ctx context.Context, strokes []Stroke, app string) (*touchStream, []Stroke, error) {
	for {
		s, err := d.hand(ctx)
		if s == nil || err != nil {
			return nil, nil, err
		}
		scaled, err := d.fit(ctx, strokes, app)
		if err != nil {
			return nil, nil, err
		}
		turned, err := s.fits(scaled, d.noted())
		switch {
		case err == nil:
			d.mu.Lock()
			d.watchIdle()
			d.mu.Unlock()
			return s, turned, nil
		case errors.Is(err, ErrClosed): // the screen is another one: it is opened anew
			d.closeStream()
		case d.client.config.Touch != "":
			return nil, nil, d.fail(ctx, "touch by "+s.rung, err)
		default:
			d.closeStream()
			d.mu.Lock()
			d.refuse(s.rung, refusalText(err))
			d.mu.Unlock()
		}
	}
}

// noted is the screen as the last look found it.
func (d *Device) noted() Screen {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.screen.screen
}

// takeFinger waits until no other call touches the phone, so that the strokes of two
// calls do not mix, and lifts a finger that was left behind. The caller releases it.
func (d *Device) takeFinger(ctx context.Context) (release func(), err error) {
	select {
	case d.finger <- struct{}{}:
	case <-ctx.Done():
		return nil, d.fail(ctx, "input", contextError(ctx))
	}
	limited, cancel := d.client.limit(ctx)
	defer cancel()
	if err := d.letGo(limited); err != nil {
		<-d.finger
		return nil, err
	}
	return func() { <-d.finger }, nil
}

// letGo lifts a finger that may have been left on the screen when the phone was
// lost in the middle of a stroke.
func (d *Device) letGo(ctx context.Context) error {
	d.mu.Lock()
	held, rung := d.held, d.leftBy
	d.mu.Unlock()
	if rung != "" {
		if err := d.liftBy(ctx, rung); err != nil {
			return err
		}
		d.mu.Lock()
		d.leftBy = ""
		d.mu.Unlock()
	}
	if held == nil {
		return nil
	}
	command := inputCommand(d.client.config.TouchDisplay, fmt.Sprintf("motionevent UP %d %d", held.X, held.Y))
	if _, _, err := d.shell(ctx, command); err != nil {
		return err
	}
	d.hold(nil)
	return nil
}

// Lift lifts a finger that a program left on the screen when it died; if there is none, nothing
// happens. The finger comes up at a corner of the screen, so that it presses nothing. Phones
// without motion events keep no finger of `input` down; a finger that a stream left is lifted
// in the stream's own way.
func (d *Device) Lift(ctx context.Context) error {
	release, err := d.takeFinger(ctx)
	if err != nil {
		return err
	}
	defer release()
	if using := d.recall(); streams(using) {
		return d.liftLeft(ctx, using)
	}
	method, err := d.TouchMethod(ctx)
	if err != nil || !method.Motion {
		return err
	}
	d.hold(&image.Point{X: 1, Y: 1})
	return d.letGo(ctx)
}

func (d *Device) hold(at *image.Point) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held = at
}

// patience is the longest time that one event may reasonably take.
func (m TouchMethod) patience() time.Duration {
	if m.Motion && !m.Corners {
		return 300 * time.Millisecond
	}
	return 2 * time.Second
}

// prepare checks the strokes against the phone's screen and plans the commands.
func (d *Device) prepare(ctx context.Context, strokes []Stroke, app string) ([]touchCommand, TouchMethod, error) {
	method, err := d.TouchMethod(ctx)
	if err != nil {
		return nil, method, err
	}
	scaled, err := d.fit(ctx, strokes, app)
	if err != nil {
		return nil, method, err
	}
	options := touchOptions{display: d.client.config.TouchDisplay, swipeTime: d.client.config.SwipeTime}
	return method.plan(scaled, options), method, nil
}

// fit looks at the screen, refuses strokes that were planned on another one, and
// turns their points into pixels that `input` takes.
func (d *Device) fit(ctx context.Context, strokes []Stroke, app string) ([]Stroke, error) {
	d.mu.Lock()
	before := d.screen
	d.mu.Unlock()
	limited, cancel := d.client.limit(ctx)
	defer cancel()
	screen, front, err := d.lookAtScreen(limited)
	if err != nil {
		return nil, err
	}
	if app != "" {
		if err := d.inFront(ctx, app, front); err != nil {
			return nil, err
		}
	}
	scaled := make([]Stroke, len(strokes))
	for i, stroke := range strokes {
		if stroke.Size == (image.Point{}) {
			stroke.Size, stroke.Rotation = screen.Current, screen.Rotation
		}
		if !screen.Fits(stroke.Size) && screen == before.screen && stroke.Size == before.frame {
			return nil, &FrameSizeError{Serial: d.Serial, Frame: stroke.Size, Screen: screen}
		}
		if !plannedOn(stroke, screen, before) {
			return nil, &ScreenChangedError{
				Serial: d.Serial, PlannedSize: stroke.Size, PlannedRotation: stroke.Rotation,
				CurrentSize: screen.Current, CurrentRotation: screen.Rotation,
			}
		}
		points, err := d.scale(stroke, screen)
		if err != nil {
			return nil, fmt.Errorf("adb: input on %s: stroke %d: %w", d.Serial, i, err)
		}
		scaled[i] = Stroke{Points: points, Size: screen.Current, Rotation: screen.Rotation}
	}
	return scaled, nil
}

// plannedOn reports whether the stroke belongs to the screen as it is now.
func plannedOn(stroke Stroke, screen Screen, before screenNote) bool {
	if stroke.Rotation >= 0 && screen.Rotation >= 0 && stroke.Rotation != screen.Rotation {
		return false
	}
	if stroke.Size == screen.Current {
		return true
	}
	if screen.Rotation < 0 && stroke.Size == image.Pt(screen.Current.Y, screen.Current.X) {
		return true // the screen's rotation is not known, and this is a possible one
	}
	// Some phones capture at the panel's own size while touches use the size set
	// with `wm size`. Then the last frame had this size, on this same screen.
	return stroke.Size == before.frame && screen == before.screen && sameShape(stroke.Size, screen.Current)
}

func (d *Device) scale(stroke Stroke, screen Screen) ([]image.Point, error) {
	size := stroke.Size
	margin := 0
	if len(stroke.Points) > 1 {
		margin = d.client.config.EdgeMargin
		if margin == 0 {
			margin = min(size.X, size.Y) / 100
		}
		margin = max(margin, 0)
	}
	if len(stroke.Points) == 0 {
		return nil, errors.New("it has no points")
	}
	target := screen.Current
	if size == image.Pt(target.Y, target.X) {
		target = size // not known to be turned, see plannedOn
	}
	inside := image.Rectangle{Max: size}.Inset(margin)
	points := make([]image.Point, len(stroke.Points))
	for i, p := range stroke.Points {
		if !p.In(inside) {
			return nil, fmt.Errorf("%w: %d,%d is not within %v", ErrOutside, p.X, p.Y, inside)
		}
		points[i] = image.Pt((2*p.X+1)*target.X/(2*size.X), (2*p.Y+1)*target.Y/(2*size.Y))
	}
	return points, nil
}

// strokeGrace is how long an interrupted Play waits for the end of the stroke that
// is under way.
const strokeGrace = 5 * time.Second

// runTouch runs one command and, if it did not go through, lifts the finger.
func (d *Device) runTouch(ctx context.Context, command touchCommand, timeout time.Duration, began func(int)) error {
	bounded, cancel := limit(context.WithoutCancel(ctx), timeout)
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		if !errors.Is(ctx.Err(), context.Canceled) {
			cancel()
			return
		}
		time.AfterFunc(d.client.slow(strokeGrace), cancel)
	})
	defer stop()
	pid, ended, err := d.sendTouch(ctx, bounded, command, began)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		err = contextError(ctx)
	}
	err = d.fail(bounded, "input", err)
	at := command.from
	if ended < len(command.starts) {
		at = command.starts[ended]
	}
	if errors.Is(err, ErrNoServer) || errors.Is(err, ErrNoDevice) || errors.Is(err, ErrOffline) {
		if command.finger { // nobody is there to be told now
			d.hold(&at)
		}
		return err
	}
	if liftErr := d.lift(bounded, command, at, pid); liftErr != nil {
		if command.finger {
			d.hold(&at)
		}
		err = fmt.Errorf("%w (and lifting the finger failed: %v)", err, liftErr)
	}
	return err
}

// sendTouch runs the command. It returns the id of the shell that ran it, 0 if that is
// unknown, and how many of its strokes ended. Once interrupted is done, it returns after
// the next tap.
func (d *Device) sendTouch(interrupted, ctx context.Context, command touchCommand, began func(int)) (pid, ended int, err error) {
	k, err := d.client.open(ctx, d.Serial, "shell:"+pidEcho+command.marked+statusEcho)
	if err != nil {
		return 0, 0, err
	}
	defer k.Close()
	reader := bufio.NewReader(io.LimitReader(k, maxTouchOutput+1))
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
	var rest strings.Builder
	for {
		line, readErr := reader.ReadString('\n')
		word := strings.TrimSpace(line)
		number, pidErr := strconv.Atoi(word)
		switch {
		case pid == 0 && ended == 0 && pidErr == nil:
			pid = number
			begin(-carried)
		case word == strokeMark:
			ended++
			if interrupted.Err() != nil && ended < len(command.starts) {
				return pid, ended, contextError(interrupted)
			}
			begin(ended - carried)
		default:
			rest.WriteString(line)
		}
		if readErr != nil {
			break
		}
	}
	if ctx.Err() != nil {
		return pid, ended, contextError(ctx)
	}
	if rest.Len() > maxTouchOutput {
		return pid, ended, fmt.Errorf("%w: over %d bytes", ErrTooMuch, maxTouchOutput)
	}
	output, status, whole := cutStatus(rest.String())
	if err := refusal(output); err != nil {
		return pid, ended, err
	}
	if !whole {
		return pid, ended, ErrClosed
	}
	if err := d.ended("input", output, status); err != nil {
		return pid, ended, err
	}
	begin(len(command.begins) - 1) // a mark may stand in the middle of other words
	d.doubt(output)
	return pid, ended, nil
}

// lift ends the shell that may still be moving the finger, and lifts the finger
// where its stroke began: how far it came is not known, but it has been there. The
// finger of a swipe can be lifted by a tap only, which is made unless none is down. The
// caller's context may be over, so this has its own few seconds.
func (d *Device) lift(ctx context.Context, command touchCommand, at image.Point, pid int) error {
	var parts []string
	if pid > 0 {
		parts = append(parts, fmt.Sprintf("kill %d 2>/dev/null", pid))
	}
	if command.finger {
		parts = append(parts, inputCommand(d.client.config.TouchDisplay, fmt.Sprintf("motionevent UP %d %d", at.X, at.Y)))
	}
	ctx, cancel := limit(context.WithoutCancel(ctx), d.client.slow(liftWithin))
	defer cancel()
	if len(parts) > 0 {
		if _, _, err := d.client.shell(ctx, d.Serial, strings.Join(parts, between)); err != nil {
			return err
		}
	}
	if command.moving == 0 {
		return nil
	}
	text, _, err := d.client.shell(ctx, d.Serial, dumpInput)
	if err != nil || pointer.ReadFinger(text) == pointer.FingerUp {
		return err
	}
	_, _, err = d.client.shell(ctx, d.Serial, inputCommand(d.client.config.TouchDisplay, tapCorner))
	return err
}

// input runs one `input` command.
func (d *Device) input(ctx context.Context, command string) error {
	output, status, err := d.shell(ctx, command)
	if err != nil {
		return err
	}
	if err := d.ended("input", output, status); err != nil {
		return d.fail(ctx, "input", err)
	}
	return nil
}
