package simphone

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"time"
)

// What makers of phones changed, as faults.

// reshape is how frames differ from the screen that they are of.
type reshape int

const (
	faithful reshape = iota
	squashed         // landscape pictures come in portrait size (MIUI)
	sideways         // the panel is built in on its side, and frames are the panel's
	halved           // frames have half the screen's size
)

// frame is a frame in that shape.
func (r reshape) frame(from *image.RGBA) *image.RGBA {
	size := from.Rect.Size()
	to := size
	at := func(x, y int) (int, int) { return x * size.X / to.X, y * size.Y / to.Y }
	switch {
	case r == squashed && size.X > size.Y:
		to = image.Pt(size.Y, size.X)
	case r == halved:
		to = size.Div(2)
	case r == sideways:
		to = image.Pt(size.Y, size.X)
		at = func(x, y int) (int, int) { return y, size.Y - 1 - x }
	default:
		return from
	}
	frame := image.NewRGBA(image.Rectangle{Max: to})
	for y := range to.Y {
		for x := range to.X {
			fromX, fromY := at(x, y)
			copy(frame.Pix[frame.PixOffset(x, y):][:4], from.Pix[from.PixOffset(fromX, fromY):])
		}
	}
	return frame
}

// refuseSettings is ColorOS: what adb's shell may do is monitored until its owner turns
// that off. Up to Android 7 the status is 0 whatever happened.
func refuseSettings(p *Phone) {
	const trace = "java.lang.SecurityException: Permission denial: writing to settings requires:android.permission.WRITE_SECURE_SETTINGS\n" +
		"\tat com.android.providers.settings.SettingsProvider.enforceWritePermission(SettingsProvider.java:2340)\n" +
		"\tat com.android.providers.settings.SettingsProvider.mutateGlobalSetting(SettingsProvider.java:1405)\n"
	for _, verb := range []string{"put", "delete"} {
		text, status := "\nException occurred while executing '"+verb+"':\n"+trace, 255
		if p.config.SDK < 26 {
			text, status = trace, 0
		}
		p.AddAnswers(Answer{Command: "settings " + verb, Before: text, Instead: true, Status: status})
	}
}

func addJavaText(p *Phone) {
	p.AddAnswers(Answer{Before: "[XposedBridge] Loading modules from /data/app\n", After: "art W: Could not reserve sentinel fault page\n"})
}

func addShellText(p *Phone) {
	p.AddAnswers(Answer{Command: shellItself, Before: "sh: /system/etc/mkshrc[8]: can't create /dev/null: Permission denied\n"})
}

// SetChooser gives the apps two launcher entries each, for which the system opens a
// chooser: the component that it is, such as
// "android/com.android.internal.app.ResolverActivity".
func (p *Phone) SetChooser(component string) {
	p.locked(func() { p.apps.chooser = component })
}

func (p *Phone) chooses() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.apps.chooser != ""
}

// openChooser brings the system's chooser to the front.
func (p *Phone) openChooser() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	name, activity, _ := strings.Cut(p.apps.chooser, "/")
	if i := p.apps.find(name); i >= 0 {
		p.apps.bringToFront(i)
		return nil
	}
	p.lastPID += 17
	p.apps.running = append(p.apps.running, &runningApp{name: name, activity: activity, app: notice{p, name, "Open with"}, pid: p.lastPID})
	return nil
}

// printEntries is what the package manager says of an app with two launcher entries.
func (p *process) printEntries(name string, all bool) int {
	const match = "priority=0 preferredOrder=0 match=0x%x specificIndex=-1 isDefault=false\n"
	if !all {
		p.phone.mu.Lock()
		chooser := p.phone.apps.chooser
		p.phone.mu.Unlock()
		return p.Printf(match+"%s\n", 0, chooser)
	}
	return p.Printf("2 activities found:\n  Activity #0:\n    "+match+"    %s\n  Activity #1:\n    "+match+"    %s/.OtherActivity\n",
		0x108000, component(name), 0x108000, name)
}

// twinID is the user of dual apps on most phones.
const twinID = 999

// SetUser makes the app in front a user's copy of it; user 0 has another one.
func (p *Phone) SetUser(user int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	front := p.apps.running[len(p.apps.running)-1]
	if front.name == homePackage {
		return
	}
	front.user = user
	p.apps.twin, p.apps.twins = user, map[string]Installed{front.name: p.apps.installed[front.name]}
	p.apps.installed[front.name] = Installed{Package: front.name, Start: func() App {
		return notice{p, front.name, "Sign in to play"}
	}}
}

// twinUser is the line on the other user in pm's list of users.
func (p *Phone) twinUser() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.apps.twin == 0 {
		return ""
	}
	return fmt.Sprintf("\tUserInfo{%d:DualApp:4001010} running\n", p.apps.twin)
}

// notice is an app with a line of text, which BACK closes.
type notice struct {
	phone      *Phone
	name, text string
}

func (n notice) Package() string { return n.name }

func (n notice) Draw(c Canvas, _ time.Duration) {
	size := c.Size()
	c.Fill(color.NRGBA{236, 239, 241, 255})
	c.Text(float64(size.X)/2, float64(size.Y)/2, float64(min(size.X, size.Y))/14, 0.5, n.text, color.NRGBA{60, 64, 67, 255})
}

func (notice) Touch(int, float64, float64, time.Duration) {}

func (n notice) Back(time.Duration) { n.phone.stopOf(n.name, 0) }
