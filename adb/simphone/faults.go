package simphone

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Fault is something that goes wrong with the phone or with the app in front.
type Fault struct {
	Name string
	// Chance is the probability that it happens in a level, over 0 to 1, at a
	// moment that the seed decides. With 0 it happens once, after At frames or
	// touches; a fault that can last then does so from the start.
	Chance float64
	At     int
}

// The names of the faults that the phone's own code refers to.
const (
	faultLost    = "lost-touch"
	faultCut     = "cut-stroke"
	faultRefused = "refused-touch"
)

// faultKind is a known fault.
type faultKind struct {
	name  string
	help  string
	touch bool // it happens at a touch; otherwise at a frame
	still bool // it happens at a frame that is captured, not at one that is pushed
	stays bool // without a moment it lasts, and from the start
	begin func(*Phone)
	once  func(*Phone) // at a moment, where that is another thing
}

// strike makes the fault happen at a moment.
func (k faultKind) strike(p *Phone) {
	if k.once != nil {
		k.once(p)
	} else if k.begin != nil {
		k.begin(p)
	}
}

// onScreen and onNextFrame are faults that change the screen, and one frame.
func onScreen(change func(s *screenState)) func(*Phone) {
	return func(p *Phone) {
		p.locked(func() { change(&p.screen) })
	}
}

func onNextFrame(change func(*onceFaults)) func(*Phone) {
	return func(p *Phone) {
		p.locked(func() { change(&p.faults.once) })
	}
}

func reshaped(how reshape) func(*Phone) {
	return onScreen(func(s *screenState) { s.reshape = how })
}

// covered puts something over the app in front.
func covered(o overlay) func(*Phone) {
	return func(p *Phone) {
		fresh := o
		cover(p, &fresh)
	}
}

// kinds are the known faults, in the order in which they are listed.
func kinds() []faultKind {
	rating := overlay{title: "Enjoying this game?"}
	stars, panel := rating, rating
	stars.stars, panel.choices = true, []string{"rate now", "later", "never"}
	return []faultKind{
		{name: "slow-frame", still: true, help: "a frame takes 1.5 s", begin: onNextFrame(func(o *onceFaults) { o.delay = 1500 * time.Millisecond })},
		{name: "hung-frame", still: true, help: "screencap never returns", stays: true, begin: func(p *Phone) { p.Hang("screencap") }},
		{name: "hung-input", help: "input never returns", stays: true, begin: func(p *Phone) { p.Hang("input") }},
		{name: "truncated-frame", still: true, help: "a frame ends early", begin: func(p *Phone) { p.TruncateNextFrame(100_000) }},
		{name: "dropped-in-frame", still: true, help: "the connection breaks within a frame", begin: func(p *Phone) { p.DisconnectInNextFrame(100_000) }},
		{name: "frame-text", still: true, help: "text before the frames", stays: true, begin: func(p *Phone) { p.SetFramePrefix(warningText, false) },
			once: onNextFrame(func(o *onceFaults) { o.text = warningText })},
		{name: "black-frame", still: true, help: "a black frame", begin: onNextFrame(func(o *onceFaults) { o.black = true })},
		{name: "black-frames", help: "nothing but black frames", stays: true, begin: func(p *Phone) { p.SetBlackFrames(true) }},
		{name: "secure-window", help: "frames that are black except for the status bar, as those of a protected window", stays: true,
			begin: onScreen(func(s *screenState) { s.secure = true })},
		{name: "always-on-display", help: "the screen goes off and shows only a clock", stays: true,
			begin: onScreen(func(s *screenState) { s.switchScreen(false); s.doze = true })},
		{name: "linker-text", help: "the linker's warning before what every Java command prints", stays: true,
			begin: func(p *Phone) { p.locked(func() { p.faults.linker = true }) }},
		{name: "wrong-aspect", help: "wm size is set to another aspect, which screencap ignores", stays: true,
			begin: onScreen(func(s *screenState) { s.override, s.ignored = image.Pt(s.natural.X, s.natural.Y*3/4), true })},
		{name: "squashed-frames", help: "frames of a screen on its side have the size of an upright one, and the picture is squashed into it", stays: true, begin: reshaped(squashed)},
		{name: "sideways-frames", help: "frames lie on their side, as those of a panel that is built in so", stays: true, begin: reshaped(sideways)},
		{name: "half-frames", help: "frames have half the screen's size", stays: true, begin: reshaped(halved)},
		{name: "settings-refused", help: "settings cannot be changed, as on OPPO and realme phones until \"Disable permission monitoring\" is on", stays: true, begin: refuseSettings},
		{name: "java-text", help: "lines of its own around what every command of Android's prints, as modules loaded into app_process have", stays: true, begin: addJavaText},
		{name: "shell-text", help: "a line of its own that every shell prints first", stays: true, begin: addShellText},
		{name: string(recorderMissing), help: "the maker left out screenrecord", stays: true, begin: recording(recorderMissing)},
		{name: string(recorderSilent), help: "screenrecord --output-format=frames falls silent after three frames", stays: true, begin: recording(recorderSilent)},
		{name: string(recorderDies), help: "screenrecord --output-format=frames ends after three frames", stays: true, begin: recording(recorderDies)},
		{name: string(recorderOdd), help: "screenrecord --output-format=frames writes a header that cannot be", stays: true, begin: recording(recorderOdd)},
		{name: string(recorderFat), help: "screenrecord --output-format=frames writes four bytes for a pixel, as its header says", stays: true, begin: recording(recorderFat)},
		{name: "chooser", help: "the app has two launcher entries: its intent opens the system's chooser", stays: true,
			begin: func(p *Phone) { p.SetChooser("android/com.android.internal.app.ResolverActivity") }},
		{name: "dual-app", help: "the app is the copy of another user (dual apps); user 0 has one of its own", stays: true, begin: func(p *Phone) { p.SetUser(twinID) }},
		{name: "rotated", help: "the screen is turned", begin: onScreen(func(s *screenState) { s.rotation ^= 1 })},
		{name: "resized", help: "the screen's resolution is changed", begin: onScreen(resize)},
		{name: "offline", help: "the phone is offline for half a second", begin: func(p *Phone) { leave(p, 500*time.Millisecond) }},
		{name: "server-restart", help: "the adb server is restarted", begin: func(p *Phone) {
			if p.config.RestartServer != nil {
				p.config.RestartServer()
			}
		}},
		{name: "unauthorized", help: "the owner allows no computer", stays: true, begin: func(p *Phone) { p.SetAuth(AuthNever) },
			once: func(p *Phone) { p.SetAuth(AuthNever); p.Disconnect() }},
		{name: "crash", help: "the app crashes", begin: func(p *Phone) { p.ForceStop(p.Foreground()) }},
		{name: "background", help: "the home screen comes to the front", begin: func(p *Phone) { p.Key("HOME") }},
		{name: "screen-off", help: "the screen goes off", stays: true, begin: (*Phone).ScreenOff},
		{name: "swipe-lock", help: "the phone is locked until somebody swipes up", stays: true, begin: func(p *Phone) { p.LockNow(LockSwipe) }},
		{name: "locked", help: "the screen goes off, and the phone is locked with a PIN", stays: true, begin: func(p *Phone) { p.LockNow(LockPIN); p.ScreenOff() }},
		{name: faultLost, help: "a touch is lost", touch: true},
		{name: faultCut, help: "the connection breaks within a stroke", touch: true},
		{name: faultRefused, help: "touches are refused because INJECT_EVENTS is missing", touch: true, stays: true, begin: func(p *Phone) { p.RefuseInput(true) }},
		{name: "rating", help: "a prompt to rate the app, which BACK closes", begin: covered(stars)},
		{name: "rating-panel", help: "a prompt to rate the app with a title and three outlined buttons, which BACK closes", begin: covered(panel)},
		{name: "ad", help: "an ad that fills the screen, with a small close button after 4 s", begin: covered(overlay{title: "Play the best farm!", full: true, locked: 4 * time.Second})},
		{name: "dialog", help: "an unknown dialog, which BACK closes", begin: covered(overlay{title: "New privacy rules"})},
		{name: "endless-dialogs", help: "unknown dialogs, one after the other", begin: covered(overlay{title: "Special offer", again: math.MaxInt})},
		{name: "hint", help: "a hint over the board for 2 s, which swallows touches", begin: covered(overlay{title: "Tip: connect all pairs", harmless: true, ends: 2 * time.Second})},
		{name: "stuck-animation", help: "an animation that ends only with the app", begin: covered(overlay{spinner: true, harmless: true, locked: math.MaxInt64})},
		{name: "not-responding", help: "Android's dialog that the app is not responding, which ends only with the app", stays: true, begin: func(p *Phone) {
			cover(p, &overlay{title: p.Foreground() + " isn't responding", frozen: true, locked: math.MaxInt64})
		}},
		{name: "changed-level", help: "the app goes to the next level before a touch", touch: true, begin: changeLevel},
	}
}

const warningText = "[Warning] Multiple displays were found\n"

// FaultNames lists the faults that Inject knows.
func FaultNames() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// FaultHelp describes a fault in words.
func FaultHelp(name string) string {
	for _, k := range kinds() {
		if k.name == name {
			return k.help
		}
	}
	return ""
}

// ParseFault reads NAME, NAME=CHANCE or NAME@AT.
func ParseFault(text string) (Fault, error) {
	name, chance, given := strings.Cut(text, "=")
	name, at, placed := strings.Cut(name, "@")
	f := Fault{Name: name}
	var err error
	if !slices.Contains(FaultNames(), name) || given && placed {
		return f, fmt.Errorf("fault %q, expected NAME, NAME=CHANCE or NAME@AT with a name of: %s", text, strings.Join(FaultNames(), ", "))
	}
	if given {
		if f.Chance, err = strconv.ParseFloat(chance, 64); err != nil || !(f.Chance > 0 && f.Chance <= 1) {
			return f, fmt.Errorf("fault %q, expected a chance over 0 and at most 1", text)
		}
	}
	if placed {
		if f.At, err = strconv.Atoi(at); err != nil || f.At < 1 || f.At > maxFaultAt {
			return f, fmt.Errorf("fault %q, expected after how many frames or touches, 1 to %d", text, maxFaultAt)
		}
	}
	return f, nil
}

const maxFaultAt = 1_000_000

// onceFaults are the faults of one frame.
type onceFaults struct {
	delay time.Duration
	text  string
	black bool
}

// troubles decides when faults happen. Its lock is the last one taken.
type troubles struct {
	mu      sync.Mutex
	random  *rand.Rand
	faults  []Fault
	pending []pendingFault
	level   int // the highest level seen
	frames  int
	back    time.Time // when the phone is reachable again
	cover   *runningApp
	tapped  []string
	struck  map[string]int
}

// pendingFault happens after a number of further frames or touches.
type pendingFault struct {
	kind  faultKind
	after int
}

// The number of frames, or touches, of a level among which a fault's moment is
// chosen.
const (
	faultFrames  = 12
	faultTouches = 30
)

// Inject makes faults happen, at moments that the seed decides. It replaces the
// faults that were injected before.
func (p *Phone) Inject(faults []Fault, seed uint64) error {
	t := &p.troubles
	var lasting []func(*Phone)
	t.mu.Lock()
	t.random = rand.New(rand.NewPCG(seed, 17))
	t.faults, t.pending, t.level, t.frames, t.struck = nil, nil, 0, 0, map[string]int{}
	for _, f := range faults {
		i := slices.IndexFunc(kinds(), func(k faultKind) bool { return k.name == f.Name })
		if i < 0 {
			t.mu.Unlock()
			_, err := ParseFault(f.Name)
			return fmt.Errorf("simphone: %w", err)
		}
		k := kinds()[i]
		switch {
		case f.Chance > 0:
			t.faults = append(t.faults, f)
		case k.stays && f.At == 0:
			lasting = append(lasting, k.begin)
		default:
			t.pending = append(t.pending, pendingFault{k, f.At})
		}
	}
	t.mu.Unlock()
	for _, start := range lasting {
		start(p)
	}
	return nil
}

// schedule chooses the moment of a fault in a level; the caller holds mu.
func (t *troubles) schedule(k faultKind) {
	moments := faultFrames
	if k.touch {
		moments = faultTouches
	}
	t.pending = append(t.pending, pendingFault{k, t.random.IntN(moments)})
}

// moment is when faults may happen.
type moment int

const (
	atTouch  moment = iota
	atStill         // a frame is captured
	atPushed        // a frame is pushed
)

// at reports whether a fault happens at such a moment.
func (k faultKind) at(m moment) bool {
	return k.touch == (m == atTouch) && !(k.still && m == atPushed)
}

// due takes the faults whose moment has come off the list, and returns them.
func (t *troubles) due(m moment) []faultKind {
	var now []faultKind
	t.pending = slices.DeleteFunc(t.pending, func(f pendingFault) bool {
		if f.kind.at(m) && f.after <= 0 {
			now = append(now, f.kind)
			t.struck[f.kind.name]++
			return true
		}
		return false
	})
	for i := range t.pending {
		if t.pending[i].kind.at(m) {
			t.pending[i].after--
		}
	}
	return now
}

// strikeFrame applies the faults that are due at this frame.
func (p *Phone) strikeFrame(m moment) {
	t := &p.troubles
	level := p.appLevel()
	t.mu.Lock()
	if t.random == nil {
		t.mu.Unlock()
		return
	}
	t.frames++
	if level < 0 { // unknown: a fixed number of frames counts as a level
		level = 1 + t.frames/faultFrames
	}
	if level > t.level {
		t.level = level
		for _, f := range t.faults {
			if t.random.Float64() < f.Chance {
				t.schedule(kinds()[slices.Index(FaultNames(), f.Name)])
			}
		}
	}
	now := t.due(m)
	t.mu.Unlock()
	for _, k := range now {
		p.log.Info("fault", "name", k.name)
		k.strike(p)
	}
}

// strikeTouch returns the fault that happens to this touch, empty for none.
func (p *Phone) strikeTouch(move bool) string {
	t := &p.troubles
	t.mu.Lock()
	if t.random == nil {
		t.mu.Unlock()
		return ""
	}
	now := t.due(atTouch)
	hit := ""
	var strike func(*Phone)
	for _, k := range now {
		if k.name == faultCut && !move { // it has to happen within a stroke
			t.struck[k.name]--
			t.pending = append(t.pending, pendingFault{k, 0})
			continue
		}
		hit = k.name
		if !k.stays && k.begin != nil {
			strike = k.begin
		}
	}
	t.mu.Unlock()
	if strike != nil {
		strike(p)
	}
	if hit != "" {
		p.log.Info("fault", "name", hit)
	}
	if hit == faultCut {
		p.Disconnect()
		return faultLost
	}
	return hit
}

// Struck counts the faults that happened, by name.
func (p *Phone) Struck() map[string]int {
	p.troubles.mu.Lock()
	defer p.troubles.mu.Unlock()
	counts := map[string]int{}
	for name, n := range p.troubles.struck {
		counts[name] = n
	}
	return counts
}

// Tapped lists the dialogs and ads that were touched, which should never happen.
func (p *Phone) Tapped() []string {
	p.troubles.mu.Lock()
	defer p.troubles.mu.Unlock()
	return slices.Clone(p.troubles.tapped)
}

func (t *troubles) tap(title string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cover != nil && !t.cover.app.(*overlay).harmless && len(t.tapped) < 100 {
		t.tapped = append(t.tapped, t.cover.app.(*overlay).title)
	}
}

// appLevel is the level that the app in front shows, -1 if it is unknown.
func (p *Phone) appLevel() int {
	p.appMu.Lock()
	defer p.appMu.Unlock()
	level := -1
	front := p.front()
	if front.name == homePackage {
		return 0
	}
	if app, ok := front.app.(interface{ Level() int }); ok {
		p.callApp(front, func() { level = app.Level() })
	}
	return level
}

func changeLevel(p *Phone) {
	p.appMu.Lock()
	defer p.appMu.Unlock()
	front := p.front()
	if app, ok := front.app.(interface {
		Level() int
		Show(level int)
	}); ok {
		p.callApp(front, func() { app.Show(app.Level() + 1) })
	}
}

// Hang makes one of Android's commands never return from now on: it prints nothing and
// lasts as long as its connection. The empty name ends that.
func (p *Phone) Hang(command string) {
	p.locked(func() { p.faults.hangs = command })
}

// hung waits for the end of the connection if the command never returns now.
func (p *Phone) hung(ctx context.Context, command string) bool {
	p.mu.Lock()
	hangs := p.faults.hangs == command
	p.mu.Unlock()
	if hangs {
		<-ctx.Done()
	}
	return hangs
}

// resize reduces the resolution to three quarters, or restores it.
func resize(s *screenState) {
	if s.override == (image.Point{}) {
		s.override = image.Pt(s.natural.X*3/4, s.natural.Y*3/4)
	} else {
		s.override = image.Point{}
	}
}

// leave makes the phone unreachable for a while.
func leave(p *Phone, d time.Duration) {
	p.troubles.mu.Lock()
	p.troubles.back = p.config.Clock().Add(d)
	p.troubles.mu.Unlock()
	p.Disconnect()
}

func (t *troubles) away(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return now.Before(t.back)
}

// cover puts something over the app in front.
func cover(p *Phone, o *overlay) {
	name := p.Foreground()
	if name == homePackage {
		return
	}
	o.phone, o.began = p, p.now()
	p.troubles.mu.Lock()
	defer p.troubles.mu.Unlock()
	p.troubles.cover = &runningApp{name: name, app: o, pid: overlayPID}
}

// overlayPID marks something that is not an app.
const overlayPID = -1

// overlayPackage is the package under which events on an overlay are recorded.
const overlayPackage = "overlay"

// over is the overlay that covers an app, nil for none.
func (t *troubles) over(name string) *runningApp {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cover == nil || t.cover.name != name {
		return nil
	}
	if o := t.cover.app.(*overlay); o.ends > 0 && o.phone.now() > o.began+o.ends {
		t.cover = nil
	}
	return t.cover
}

func (t *troubles) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cover = nil
}

// overlay is something that lies over an app: a dialog, an ad, a hint.
type overlay struct {
	phone    *Phone
	began    time.Duration
	title    string
	stars    bool
	choices  []string      // it has a title bar and a column of outlined buttons, like the games' own panels
	full     bool          // it fills the screen
	spinner  bool          // it never stands still
	frozen   bool          // it is Android's dialog about an app that does not respond
	harmless bool          // touching it is allowed
	locked   time.Duration // BACK does nothing before this time
	ends     time.Duration // it disappears at this time; 0: never
	again    int           // how many more follow it
}

func (o *overlay) Package() string { return overlayPackage }

func (o *overlay) Draw(c Canvas, now time.Duration) {
	size := c.Size()
	w, h := float64(size.X), float64(size.Y)
	unit := min(w, h)
	white, dark := color.NRGBA{255, 255, 255, 255}, color.NRGBA{60, 64, 67, 255}
	x, y := w/2, h/2
	switch {
	case o.spinner:
		for i := range 8 {
			angle := float64(i)*math.Pi/4 + now.Seconds()*3
			c.Circle(x+0.2*unit*math.Cos(angle), y+0.2*unit*math.Sin(angle), 0.05*unit, white)
		}
		return
	case o.full:
		c.Fill(color.NRGBA{70, 140, 60, 255})
		c.Circle(x, y*0.7, 0.3*unit, color.NRGBA{250, 210, 60, 255})
		c.Text(x, y*1.3, 0.07*unit, 0.5, o.title, white)
		c.RoundRect(x-0.3*unit, y*1.5, x+0.3*unit, y*1.5+0.14*unit, 0.03*unit, color.NRGBA{230, 70, 40, 255})
		c.Text(x, y*1.5+0.09*unit, 0.06*unit, 0.5, "INSTALL", white)
		if now-o.began >= o.locked {
			c.Circle(w-0.06*unit, 0.06*unit, 0.025*unit, color.NRGBA{0, 0, 0, 120})
			c.Text(w-0.06*unit, 0.07*unit, 0.035*unit, 0.5, "x", white)
		}
		return
	case o.choices != nil:
		o.drawPanel(c)
		return
	case o.harmless:
		c.RoundRect(x-0.4*unit, y-0.1*unit, x+0.4*unit, y+0.1*unit, 0.04*unit, color.NRGBA{250, 240, 190, 255})
		c.Text(x, y+0.02*unit, 0.055*unit, 0.5, o.title, dark)
		return
	}
	c.Rect(0, 0, w, h, color.NRGBA{0, 0, 0, 150})
	c.RoundRect(x-0.42*unit, y-0.3*unit, x+0.42*unit, y+0.3*unit, 0.03*unit, white)
	c.Text(x, y-0.18*unit, 0.06*unit, 0.5, o.title, dark)
	if o.stars {
		for i := range 5 {
			c.Circle(x+(float64(i)-2)*0.14*unit, y, 0.05*unit, color.NRGBA{251, 188, 5, 255})
		}
	}
	c.Text(x+0.32*unit, y+0.23*unit, 0.05*unit, 1, "OK", color.NRGBA{26, 115, 232, 255})
	c.Text(x-0.1*unit, y+0.23*unit, 0.05*unit, 1, "LATER", color.NRGBA{26, 115, 232, 255})
}

// drawPanel draws a black panel with a blue title and white buttons.
func (o *overlay) drawPanel(c Canvas) {
	// As parts of the shorter side.
	const halfWidth, title, text, halfButton, button, gap = 0.394, 0.111, 0.195, 0.3375, 0.133, 0.0342
	size := c.Size()
	unit := float64(min(size.X, size.Y))
	x := float64(size.X) / 2
	height := (title + text + (button+gap)*float64(len(o.choices))) * unit
	y := (float64(size.Y) - height) / 2
	black, white := color.NRGBA{0, 0, 0, 255}, color.NRGBA{255, 255, 255, 255}
	border := max(2, math.Round(unit/160))
	box := func(x0, y0, x1, y1 float64, line, fill color.NRGBA) {
		c.Rect(x0, y0, x1, y1, line)
		c.Rect(x0+border, y0+border, x1-border, y1-border, fill)
	}
	box(x-halfWidth*unit, y, x+halfWidth*unit, y+height, color.NRGBA{66, 41, 83, 255}, black)
	c.Rect(x-halfWidth*unit, y, x+halfWidth*unit, y+title*unit, color.NRGBA{20, 40, 110, 255})
	c.Text(x, y+0.075*unit, 0.06*unit, 0.5, o.title, white)
	c.Text(x, y+(title+0.1)*unit, 0.05*unit, 0.5, "Tell others what you think of it.", white)
	for i, choice := range o.choices {
		top := y + (title+text-gap+(button+gap)*float64(i))*unit
		box(x-halfButton*unit, top, x+halfButton*unit, top+button*unit, white, black)
		c.Text(x, top+0.09*unit, 0.06*unit, 0.5, choice, white)
	}
}

// Touch does nothing: the phone records the touch.
func (o *overlay) Touch(int, float64, float64, time.Duration) {}

// Back closes it, if it can be closed.
func (o *overlay) Back(now time.Duration) {
	if now-o.began < o.locked {
		return
	}
	if o.again > 0 {
		o.again--
		o.title += "!"
		o.began = now
		return
	}
	o.phone.troubles.clear()
}
