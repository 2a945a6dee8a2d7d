package adb

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tapwise/adb/internal/fault"
)

// A Foreground says which app and which window have the phone's focus.
type Foreground struct {
	Package  string // of the app in front
	Activity string // as the phone writes it, often shortened to ".Name"
	Window   string // the focused window, which may be a pop-up or the shade over the app
	User     int    // whose copy of the app it is: dual apps and second spaces have users of their own
}

// String is the package, with the user where that is not the first.
func (f Foreground) String() string {
	if f.User == 0 {
		return f.Package
	}
	return fmt.Sprintf("%s of user %d", f.Package, f.User)
}

// chooses reports whether the system asks which app, or which part of one, is to be
// opened: makers have choosers of their own.
func (f Foreground) chooses() bool { return chooserActivity.MatchString(f.Activity) }

var chooserActivity = regexp.MustCompile(`(?i)(resolver|chooser)\w*$`)

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
			d.noteCopy(found, false)
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
		return fmt.Errorf("adb: %s: %w: %s is, expected %s", d.Serial, ErrNotInFront, front, app)
	case d.otherCopy(front):
		return fmt.Errorf("adb: %s: %w: %s is, expected the copy of user %d", d.Serial, ErrNotInFront, front, d.userOf(app))
	case systemWindow.MatchString(front.Window):
		return fmt.Errorf("adb: %s: %w: %s is over %s", d.Serial, ErrNotInFront, front.Window, app)
	}
	d.noteCopy(front, true)
	return nil
}

// An appCopy is which of an app's copies is meant.
type appCopy struct {
	user    int
	touched bool // it was touched, and no other one is the app from then on
}

// noteCopy keeps whose copy of an app is in front; the first that is touched stays the
// one that is meant.
func (d *Device) noteCopy(front Foreground, touched bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.copies == nil {
		d.copies = make(map[string]appCopy)
	}
	if !d.copies[front.Package].touched {
		d.copies[front.Package] = appCopy{front.User, touched}
	}
}

// otherCopy reports whether the app in front is another user's copy of one that was
// touched.
func (d *Device) otherCopy(front Foreground) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	known := d.copies[front.Package]
	return known.touched && known.user != front.User
}

// userOf is the user whose copy of an app is meant; 0 where none was seen.
func (d *Device) userOf(app string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.copies[app].user
}

// InFront reports whether the app in front is the one meant by a package: if several users have
// a copy, the one that was touched, once one was.
func (d *Device) InFront(front Foreground, app string) bool {
	return front.Package == app && !d.otherCopy(front)
}

// systemWindow matches the system's windows that can cover an app that still counts
// as in front: the shade, which also stands for a screen that is off.
var systemWindow = regexp.MustCompile(`^(NotificationShade|StatusBar|Keyguard\w*)$`)

var (
	focusedWindow   = regexp.MustCompile(`mCurrentFocus=Window\{\S+ (?:u(\d{1,9}) )?([^{}\n]+?)(?: paused=\w+)?\}`)
	focusedActivity = []*regexp.Regexp{
		regexp.MustCompile(`mFocusedApp=[^\n]*ActivityRecord\{\S+ (?:u(\d{1,9}) )?([\w.$]+)/([\w.$]+)`),
		regexp.MustCompile(`topResumedActivity=ActivityRecord\{\S+ (?:u(\d{1,9}) )?([\w.$]+)/([\w.$]+)`),
		regexp.MustCompile(`\bResumed: ActivityRecord\{\S+ (?:u(\d{1,9}) )?([\w.$]+)/([\w.$]+)`),
		regexp.MustCompile(`ResumedActivity: ActivityRecord\{\S+ (?:u(\d{1,9}) )?([\w.$]+)/([\w.$]+)`),
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
		front.Window = found[2]
		front.User, _ = strconv.Atoi(found[1]) // at most nine digits, or none
	}
	for _, pattern := range focusedActivity {
		if found := pattern.FindStringSubmatch(text); found != nil {
			front.Package, front.Activity = found[2], found[3]
			front.User, _ = strconv.Atoi(found[1])
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
	command := "input keyevent " + name
	if display := d.client.config.TouchDisplay; display != "" {
		command = "input -d " + display + " keyevent " + name
	}
	return d.input(ctx, command)
}

// Start brings an app to the front: "PACKAGE/ACTIVITY", or "PACKAGE" for its launcher entry. If
// another user's copy of the app was in front, that copy is started.
func (d *Device) Start(ctx context.Context, app string) error {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	if !identity.MatchString(app) {
		return fmt.Errorf("adb: app %q, expected PACKAGE or PACKAGE/ACTIVITY", app)
	}
	pkg, activity, _ := strings.Cut(app, "/")
	user := d.userOption(pkg)
	if activity != "" {
		return d.amStart(ctx, user+"-n "+Quote(app))
	}
	entry, several, err := d.launcherEntry(ctx, pkg, user)
	if err != nil {
		return err
	}
	if entry != "" {
		err = d.amStart(ctx, user+"-n "+Quote(entry))
		if err == nil || ctx.Err() != nil || Reconnectable(err) {
			return err
		}
	}
	// Some versions start no activity from its package alone. monkey may turn the screen,
	// and knows the current user only; but where an app has several entries, the intent
	// opens a chooser.
	ways := []func(context.Context, string) error{
		func(ctx context.Context, pkg string) error {
			return d.amStart(ctx, user+"-a android.intent.action.MAIN -c "+launcher+" -p "+pkg)
		},
		d.monkeyStart,
	}
	switch {
	case user != "":
		ways = ways[:1]
	case several:
		slices.Reverse(ways)
	}
	for _, way := range ways {
		wayErr := way(ctx, pkg)
		if wayErr == nil || ctx.Err() != nil || Reconnectable(wayErr) {
			return wayErr
		}
		err = cmp.Or(err, wayErr)
	}
	return err
}

const launcher = "android.intent.category.LAUNCHER"

// userOption is the option of Android's commands for the user whose copy of an app is
// meant, with a blank after it; empty for the current one.
func (d *Device) userOption(app string) string {
	if user := d.userOf(app); user != 0 {
		return fmt.Sprintf("--user %d ", user)
	}
	return ""
}

// launcherEntry asks the phone for a package's launcher entry; empty where it does not
// tell, as before Android 7. A component of another package is none: where an app has
// several entries, it is the system's chooser.
func (d *Device) launcherEntry(ctx context.Context, pkg, user string) (entry string, several bool, err error) {
	for _, question := range []string{"resolve-activity --brief " + user + "-c " + launcher,
		"query-activities --brief " + user + "-a android.intent.action.MAIN -c " + launcher} {
		text, _, err := d.shell(ctx, "cmd package "+question+" "+pkg+" 2>/dev/null")
		if err != nil {
			return "", false, err
		}
		for _, word := range strings.Fields(text) {
			found := component.FindStringSubmatch(word)
			if found != nil && found[1] == pkg {
				return word, several, nil
			}
			several = several || found != nil
		}
	}
	if !several { // the chooser may be open from before
		front, err := d.Foreground(ctx)
		several = err == nil && front.chooses()
	}
	return "", several, nil
}

// monkeyStart opens an app by monkey, and puts back how the screen turns, which monkey
// changes.
func (d *Device) monkeyStart(ctx context.Context, pkg string) error {
	values, rotationErr := d.rotation(ctx)
	output, status, err := d.shell(ctx, "monkey -p "+pkg+" -c "+launcher+" 1 2>&1")
	if err != nil {
		return err
	}
	if rotationErr == nil {
		rotationErr = d.putRotation(ctx, values)
	}
	if rotationErr != nil {
		d.client.config.Log.Warn("how the screen turns is not put back after monkey", "phone", d.Serial, "error", rotationErr)
	}
	if !strings.Contains(output, "Events injected: 1") {
		return fmt.Errorf("adb: monkey -p %s on %s: status %d: %q", pkg, d.Serial, status, shorten(strings.TrimSpace(output)))
	}
	return nil
}

func (d *Device) amStart(ctx context.Context, intent string) error {
	return d.activityManager(ctx, "start "+intent)
}

// activityManager runs am, whose status is 0 before Android 8 whatever happened.
func (d *Device) activityManager(ctx context.Context, arguments string) error {
	output, status, err := d.shell(ctx, "am "+arguments)
	if err != nil {
		return err
	}
	if words := fault.Failed(output); words != "" || status != 0 {
		return fmt.Errorf("adb: am %s on %s: status %d: %q", arguments, d.Serial, status, cmp.Or(words, shorten(strings.TrimSpace(output))))
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
	return d.activityManager(ctx, "force-stop "+d.userOption(pkg)+pkg)
}
