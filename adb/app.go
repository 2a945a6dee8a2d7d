package adb

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// A Foreground says which app and which window have the phone's focus.
type Foreground struct {
	Package  string // of the app in front
	Activity string // as the phone writes it, often shortened to ".Name"
	Window   string // the focused window, which may be a pop-up or the shade over the app
}

// NotResponding reports whether Android's dialog that an app does not respond has the
// focus.
func (f Foreground) NotResponding() bool {
	return strings.HasPrefix(f.Window, "Application Not Responding") || strings.HasPrefix(f.Window, "AppNotResponding")
}

// Foreground finds the app in front. An unknown one is the zero Foreground and no
// error: the phone may be between two apps.
func (d *Device) Foreground(ctx context.Context) (Foreground, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	var last Foreground
	// Which command shows it depends on the version of Android.
	for _, command := range []string{dumpDisplays, "dumpsys window windows", "dumpsys activity activities"} {
		text, _, err := d.shell(ctx, command)
		if err != nil {
			return Foreground{}, err
		}
		found := parseForeground(text, d.display())
		if found.Package != "" {
			return found, nil
		}
		if found.Window != "" {
			last = found
		}
	}
	return last, nil
}

// inFront is an error unless the app can be touched. An empty front is not known
// yet: then the phone is asked.
func (d *Device) inFront(ctx context.Context, app string, front Foreground) error {
	if front.Package == "" {
		var err error
		if front, err = d.Foreground(ctx); err != nil {
			return err
		}
	}
	switch {
	case front.NotResponding():
		return fmt.Errorf("adb: %s: %w: %w: %q is over it", d.Serial, ErrNotInFront, ErrNotResponding, shorten(front.Window))
	case front.Package == "": // some phones do not say
		return nil
	case front.Package != app:
		return fmt.Errorf("adb: %s: %w: %s is, expected %s", d.Serial, ErrNotInFront, front.Package, app)
	case systemWindow.MatchString(front.Window):
		return fmt.Errorf("adb: %s: %w: %s is over %s", d.Serial, ErrNotInFront, front.Window, app)
	}
	return nil
}

// systemWindow matches the system's windows that can cover an app that still counts
// as in front: the shade, which also stands for a screen that is off.
var systemWindow = regexp.MustCompile(`^(NotificationShade|StatusBar|Keyguard\w*)$`)

var (
	focusedWindow   = regexp.MustCompile(`mCurrentFocus=Window\{\S+ (?:u\d+ )?([^{}\n]+?)(?: paused=\w+)?\}`)
	focusedActivity = []*regexp.Regexp{
		regexp.MustCompile(`mFocusedApp=[^\n]*ActivityRecord\{\S+ (?:u\d+ )?([\w.$]+)/([\w.$]+)`),
		regexp.MustCompile(`topResumedActivity=ActivityRecord\{\S+ (?:u\d+ )?([\w.$]+)/([\w.$]+)`),
		regexp.MustCompile(`\bResumed: ActivityRecord\{\S+ (?:u\d+ )?([\w.$]+)/([\w.$]+)`),
		regexp.MustCompile(`ResumedActivity: ActivityRecord\{\S+ (?:u\d+ )?([\w.$]+)/([\w.$]+)`),
	}
	component = regexp.MustCompile(`^([\w.$]+)/([\w.$]+)$`)
	identity  = regexp.MustCompile(`^[A-Za-z]\w*(\.\w+)+(/[\w.$]+)?$`)
)

// parseForeground finds the app in front in the output of `dumpsys window
// displays`, `dumpsys window windows` or `dumpsys activity activities`: on the given
// display, where the output tells displays apart.
func parseForeground(text, display string) Foreground {
	return parseFocus(onDisplay(text, display))
}

// parseFocus is parseForeground on the part of one display.
func parseFocus(text string) Foreground {
	var front Foreground
	if found := focusedWindow.FindStringSubmatch(text); found != nil {
		front.Window = found[1]
	}
	for _, pattern := range focusedActivity {
		if found := pattern.FindStringSubmatch(text); found != nil {
			front.Package, front.Activity = found[1], found[2]
			return front
		}
	}
	if found := component.FindStringSubmatch(front.Window); found != nil {
		front.Package, front.Activity = found[1], found[2]
	}
	return front
}

var keyName = regexp.MustCompile(`^(KEYCODE_)?[A-Z0-9_]+$`)

// Key presses a key by its Android name, "BACK" or "KEYCODE_BACK", "HOME",
// "WAKEUP", …
func (d *Device) Key(ctx context.Context, name string) error {
	if !keyName.MatchString(name) {
		return fmt.Errorf("adb: key %q, expected a name like BACK or WAKEUP", name)
	}
	if !strings.HasPrefix(name, "KEYCODE_") {
		name = "KEYCODE_" + name
	}
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	return d.input(ctx, inputCommand(d.client.config.TouchDisplay, "keyevent "+name))
}

// Start brings an app to the front: "PACKAGE/ACTIVITY", or "PACKAGE" for its
// launcher entry.
func (d *Device) Start(ctx context.Context, app string) error {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	if !identity.MatchString(app) {
		return fmt.Errorf("adb: app %q, expected PACKAGE or PACKAGE/ACTIVITY", app)
	}
	if strings.Contains(app, "/") {
		return d.amStart(ctx, "-n "+Quote(app))
	}
	// From Android 7 on the phone can be asked which activity is the launcher
	// entry.
	text, _, err := d.shell(ctx, "cmd package resolve-activity --brief -c "+launcher+" "+app+" 2>/dev/null")
	if err != nil {
		return err
	}
	if words := strings.Fields(text); len(words) > 0 && component.MatchString(words[len(words)-1]) {
		return d.amStart(ctx, "-n "+Quote(words[len(words)-1]))
	}
	err = d.amStart(ctx, "-a android.intent.action.MAIN -c "+launcher+" -p "+app)
	if err == nil || ctx.Err() != nil || Reconnectable(err) {
		return err
	}
	// Some versions start no activity from its package alone. monkey is the last
	// resort, since it may turn the screen.
	output, status, monkeyErr := d.shell(ctx, "monkey -p "+app+" -c "+launcher+" 1 2>&1")
	if monkeyErr == nil && status == 0 && strings.Contains(output, "Events injected: 1") {
		return nil
	}
	return err
}

const launcher = "android.intent.category.LAUNCHER"

func (d *Device) amStart(ctx context.Context, intent string) error {
	output, status, err := d.shell(ctx, "am start "+intent)
	if err != nil {
		return err
	}
	// Before Android 8 the status is 0 whatever happened.
	if status != 0 || strings.Contains(output, "Error") || strings.Contains(output, "Exception") {
		return fmt.Errorf("adb: am start %s on %s: status %d: %q", intent, d.Serial, status, shorten(strings.TrimSpace(output)))
	}
	return nil
}

// ForceStop ends an app.
func (d *Device) ForceStop(ctx context.Context, pkg string) error {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	if !identity.MatchString(pkg) || strings.Contains(pkg, "/") {
		return fmt.Errorf("adb: package %q, expected a name like com.example.game", pkg)
	}
	output, status, err := d.shell(ctx, "am force-stop "+pkg)
	if err != nil {
		return err
	}
	if status != 0 || strings.TrimSpace(output) != "" {
		return fmt.Errorf("adb: stop %s on %s: status %d: %q", pkg, d.Serial, status, shorten(strings.TrimSpace(output)))
	}
	return nil
}
