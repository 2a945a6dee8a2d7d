package adb

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// The reasons for which a phone that answers can be neither seen nor touched, for
// errors.Is.
var (
	// ErrScreenOff: the screen is off, or shows only the clock of an always-on display.
	ErrScreenOff = errors.New("the phone's screen is off")
	// ErrLocked: the lock screen lies over the apps.
	ErrLocked = errors.New("the phone is locked")
)

// An Answer is a phone's answer to a question that not every phone understands.
type Answer int8

// The answers.
const (
	Unknown Answer = iota
	No
	Yes
)

func (a Answer) String() string {
	return [...]string{"unknown", "no", "yes"}[a]
}

func yesNo(yes bool) Answer {
	if yes {
		return Yes
	}
	return No
}

// Power says whether a phone's apps can be seen and touched.
type Power struct {
	On     Answer // the screen shows what apps draw
	Locked Answer // the lock screen lies over them
}

// Err is ErrScreenOff, ErrLocked, both, or nil where nothing is known to be in the
// way.
func (p Power) Err() error {
	var err error
	if p.On == No {
		err = ErrScreenOff
	}
	if p.Locked == Yes {
		if err != nil {
			return fmt.Errorf("%w, and %w", err, ErrLocked)
		}
		err = ErrLocked
	}
	return err
}

// String describes the state for people.
func (p Power) String() string {
	switch {
	case p.Err() != nil:
		return p.Err().Error()
	case p.On == Yes && p.Locked == No:
		return "on, not locked"
	case p.On == Yes:
		return "on"
	}
	return "it does not tell whether it is on"
}

// Power asks the phone whether it is awake and not locked.
func (d *Device) Power(ctx context.Context) (Power, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	// A phone that has only one of the two is known by that. The short output comes
	// first.
	text, _, err := d.shell(ctx, "dumpsys window policy; dumpsys power")
	if err != nil {
		return Power{}, err
	}
	power := parsePower(text)
	if power.Locked == Unknown { // some phones from Android 8 on say it only here
		if text, _, err = d.shell(ctx, "dumpsys activity activities"); err != nil {
			return Power{}, err
		}
		power.Locked = parsePower(text).Locked
	}
	return power, nil
}

const (
	maxDump      = 1 << 20         // bytes that are searched; the fields stand near the start
	wakeTime     = 2 * time.Second // enough for a screen to come on
	wakeInterval = 100 * time.Millisecond
	firstWakeup  = 20 // the first SDK with a key that only wakes
)

// Wake switches the screen on, unless it is on, and returns the state after that:
// the phone may be locked then.
func (d *Device) Wake(ctx context.Context) (Power, error) {
	power, err := d.Power(ctx)
	if err != nil || power.On != No {
		return power, err
	}
	key := "WAKEUP"
	if d.SDK > 0 && d.SDK < firstWakeup {
		key = "POWER"
	}
	if err := d.Key(ctx, key); err != nil {
		return power, err
	}
	for waited := time.Duration(0); ; waited += wakeInterval {
		if power, err = d.Power(ctx); err != nil || power.On != No || waited >= wakeTime {
			return power, err
		}
		select {
		case <-ctx.Done():
			return power, contextError(ctx)
		case <-time.After(wakeInterval):
		}
	}
}

// The fields that say it, each list in the order of trust: the first that is there
// decides. Their names change with the version and the maker.
var (
	// The display's own state: a phone may say that it is dozing with its screen
	// lit, and that it holds the display with its screen dark.
	displayState = regexp.MustCompile(`(?m)^\s*Display Power: state=([A-Z_]+)\s*$`)
	screenOn     = regexp.MustCompile(`(?m)^\s*mScreenOn=(true|false)\s*$`) // Android 4
	wakefulness  = regexp.MustCompile(`(?m)^\s*(?:mWakefulness|mWakefulnessRaw|getWakefulnessLocked\(\)|getGlobalWakefulnessLocked\(\))=([A-Za-z]+)\s*$`)
	suspend      = regexp.MustCompile(`(?m)^\s*mHoldingDisplaySuspendBlocker=(true|false)\s*$`)

	keyguardFields = []*regexp.Regexp{
		// What the lock screen itself reported last.
		regexp.MustCompile(`(?m)^\s*mIsShowing=(true|false)\s*$`),
		// What the window manager thinks of it.
		regexp.MustCompile(`(?m)KeyguardServiceDelegate[^\n]*\n\s*showing=(true|false)\s*$`),
		regexp.MustCompile(`\bisKeyguardShowing=(true|false)\b`),
		regexp.MustCompile(`\bmKeyguardShowing=(true|false)\b`),
		regexp.MustCompile(`\bisStatusBarKeyguard=(true|false)\b`),
		regexp.MustCompile(`\bmShowingLockscreen=(true|false)\b`),
		regexp.MustCompile(`\bmDreamingLockscreen=(true|false)\b`),
	}
	// An app may show itself over the lock screen: then that is what is seen.
	keyguardOccluded = []*regexp.Regexp{
		regexp.MustCompile(`(?m)^\s*occluded=(true|false)\s*$`),
		regexp.MustCompile(`\bmKeyguardOccluded=(true|false)\b`),
		regexp.MustCompile(`(?m)^\s*mOccluded=(true|false)\b`),
	}
)

// parsePower reads the joined output of `dumpsys window policy` and `dumpsys
// power`, or of `dumpsys activity activities`. An answer that is missing is
// Unknown.
func parsePower(text string) Power {
	text = text[:min(len(text), maxDump)]
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	power := Power{On: parseOn(text), Locked: firstAnswer(keyguardFields, text)}
	if power.Locked == Yes && firstAnswer(keyguardOccluded, text) == Yes {
		power.Locked = No
	}
	return power
}

func parseOn(text string) Answer {
	if found := displayState.FindStringSubmatch(text); found != nil {
		switch found[1] {
		case "ON", "VR", "ON_SUSPEND":
			return Yes
		case "OFF", "DOZE", "DOZE_SUSPEND":
			return No
		}
	}
	if found := firstAnswer([]*regexp.Regexp{screenOn}, text); found != Unknown {
		return found
	}
	if found := wakefulness.FindStringSubmatch(text); found != nil {
		switch found[1] {
		case "Awake", "Dreaming":
			return Yes
		case "Asleep", "Dozing":
			return No
		}
	}
	return firstAnswer([]*regexp.Regexp{suspend}, text)
}

func firstAnswer(fields []*regexp.Regexp, text string) Answer {
	for _, field := range fields {
		if found := field.FindStringSubmatch(text); found != nil {
			return yesNo(found[1] == "true")
		}
	}
	return Unknown
}
