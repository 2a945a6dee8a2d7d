package simphone

import (
	"fmt"
	"image/color"
	"strings"
	"time"
)

// Lock is the lock of a phone: what must be done before the phone can be used.
type Lock int

const (
	LockNone  Lock = iota // none: the screen comes back as it went off
	LockSwipe             // a swipe up, the MENU key, or wm dismiss-keyguard
	LockPIN               // the PIN, typed after a swipe up, and ENTER
)

// defaultPIN opens LockPIN when no other is configured.
const defaultPIN = "1234"

// checkLock checks the settings of the lock.
func (c Config) checkLock() error {
	if c.Lock < LockNone || c.Lock > LockPIN {
		return fmt.Errorf("simphone: unknown lock %d", c.Lock)
	}
	if len(c.PIN) < 4 || len(c.PIN) > longestPIN || strings.Trim(c.PIN, "0123456789") != "" {
		return fmt.Errorf("simphone: PIN %q, expected 4 to %d digits", c.PIN, longestPIN)
	}
	return nil
}

const longestPIN = 16 // digits, Android's limit

// systemUI is the package of the lock, and of the bars around apps.
const systemUI = "com.android.systemui"

// keyguardPID is the process that shows the lock.
const keyguardPID = 1100

// LockNow locks the phone and leaves its screen as it is. LockNone unlocks it.
func (p *Phone) LockNow(lock Lock) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen.lock = lock
	p.screen.locked, p.screen.bouncer, p.screen.entered = lock != LockNone, false, ""
}

// DismissKeyguard does what wm dismiss-keyguard does: a lock without a PIN goes
// away, one with a PIN asks for it.
func (p *Phone) DismissKeyguard() {
	p.locked(func() { p.screen.dismiss() })
}

// dismiss unlocks, or asks for the PIN.
func (s *screenState) dismiss() {
	switch {
	case !s.locked || !s.on:
	case s.lock == LockPIN:
		s.bouncer = true
	default:
		s.locked = false
	}
}

// covered reports whether the system's own window lies over the apps, because the
// screen is off or the lock shows.
func (s *screenState) covered() bool { return !s.on || s.locked }

// switchScreen switches the screen on or off, which locks the phone when it has
// a lock.
func (s *screenState) switchScreen(on bool) {
	switch {
	case on && !s.on:
		s.woken = s.clock()
	case !on && s.on:
		s.slept = s.clock()
	}
	s.on, s.doze = on, false
	if !on {
		s.locked = s.locked || s.lock != LockNone
		s.bouncer, s.entered = false, ""
	}
}

// lockKey handles a key pressed at the lock.
func (s *screenState) lockKey(name string) {
	switch {
	case name == "MENU":
		s.dismiss()
	case name == "BACK", name == "ESCAPE":
		s.bouncer, s.entered = false, ""
	case name == "DEL":
		s.entered = s.entered[:max(0, len(s.entered)-1)]
	case name == "ENTER", name == "NUMPAD_ENTER":
		if s.bouncer && s.entered == s.pin {
			s.locked, s.bouncer = false, false
		}
		s.entered = ""
	case len(name) == 1:
		s.enterPIN(name)
	}
}

// typePIN handles text typed at the lock.
func (p *Phone) typePIN(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.screen.on && p.screen.locked {
		p.screen.enterPIN(text)
	}
}

// enterPIN adds to the digits typed so far.
func (s *screenState) enterPIN(text string) {
	if s.bouncer && len(s.entered)+len(text) <= longestPIN {
		s.entered += text
	}
}

// drawClock draws an always-on display.
func drawClock(c *canvas, at time.Time) {
	w, h := float64(c.Size().X), float64(c.Size().Y)
	c.Text(w/2, h*0.3, 0.14*min(w, h), 0.5, at.UTC().Format("15:04"), color.NRGBA{R: 150, G: 150, B: 150, A: 255})
}

// lockScreen is the app that shows the lock.
type lockScreen struct {
	phone *Phone
	downY float64
}

func (l *lockScreen) Package() string { return systemUI }

func (l *lockScreen) Draw(c Canvas, _ time.Duration) {
	size := c.Size()
	w, h := float64(size.X), float64(size.Y)
	unit := min(w, h)
	white := color.NRGBA{R: 255, G: 255, B: 255, A: 255}
	c.Fill(color.NRGBA{R: 20, G: 24, B: 40, A: 255})
	c.Text(w/2, h*0.25, 0.18*unit, 0.5, l.phone.config.Clock().UTC().Format("15:04"), white)
	l.phone.mu.Lock()
	bouncer, entered := l.phone.screen.bouncer, l.phone.screen.entered
	l.phone.mu.Unlock()
	if !bouncer {
		c.Text(w/2, h*0.9, 0.05*unit, 0.5, "Swipe up to open", white)
		return
	}
	c.Text(w/2, h*0.4, 0.06*unit, 0.5, "Enter PIN", white)
	c.Text(w/2, h*0.48, 0.08*unit, 0.5, strings.Repeat("*", len(entered)), white)
}

// Touch recognises the swipe up.
func (l *lockScreen) Touch(action int, _, y float64, _ time.Duration) {
	const part = 0.15 // the least length of a swipe, as a part of the height
	switch action {
	case TouchDown:
		l.downY = y
	case TouchUp:
		if l.downY-y > part*float64(l.phone.FrameSize().Y) {
			l.phone.DismissKeyguard()
		}
	}
}

// Back does nothing: the phone takes the keys pressed at the lock.
func (l *lockScreen) Back(time.Duration) {}
