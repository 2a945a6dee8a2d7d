package simphone

import (
	"fmt"
	"hash/crc32"
	"image"
	"slices"
	"strings"
	"time"
)

// dumpServices are the services that dumpsys knows, sorted by name.
var dumpServices = [...]string{"SurfaceFlinger", "activity", "display", "input", "package", "power", "trust", "window"}

func runDumpsys(p *process) int {
	args := p.Args[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") { // dumpsys's own: -t SECONDS, -T MS, --priority LEVEL, …
		switch {
		case args[0] == "-l":
			args = nil
		case (args[0] == "-t" || args[0] == "-T" || args[0] == "--priority") && len(args) > 1:
			args = args[2:]
		default:
			args = args[1:]
		}
	}
	if len(args) == 0 {
		return p.Print("Currently running services:\n  " + strings.Join(dumpServices[:], "\n  ") + "\n")
	}
	phone, part := p.phone.state(), strings.Join(args[1:], " ")
	switch args[0] {
	case "window":
		return p.Print(phone.dumpWindow(part))
	case "activity":
		return p.Print(phone.dumpActivity(part))
	case "display":
		return p.Print(phone.dumpDisplay())
	case "input":
		return p.Print(phone.dumpInput(p.phone.hands.Dump(), p.phone.touched()))
	case "package":
		return p.Print(phone.dumpPackage(part))
	case "power":
		return p.Print(phone.dumpPower())
	case "trust":
		return p.Print(phone.dumpTrust())
	case "SurfaceFlinger":
		if part == "--display-id" {
			if p.phone.config.Cover != (image.Point{}) {
				p.Print("Display " + coverID + " (HWC display 1): port=130 pnpId=SIM displayName=\"cover\"\n")
			}
			return p.Print("Display " + displayID + " (HWC display 0): port=129 pnpId=SIM displayName=\"sim\"\n")
		}
		return 0
	}
	p.ErrPrint("Can't find service: " + args[0] + "\n")
	return 0
}

// state is the phone at one moment, as dumps describe it.
type state struct {
	config  Config
	screen  screenState
	running []*runningApp // the last is in front
	names   []string      // of the packages
	stayOn  bool          // the screen does not go off while the phone is charged
	timeout string        // milliseconds until it does
	frozen  bool          // the app in front does not respond, and a dialog says so
	booted  time.Time
	now     time.Time
}

func (p *Phone) state() *state {
	p.mu.Lock()
	defer p.mu.Unlock()
	over := p.troubles.over(p.apps.running[len(p.apps.running)-1].name)
	return &state{frozen: over != nil && over.app.(*overlay).frozen, config: p.config, screen: p.screen, running: slices.Clone(p.apps.running), names: p.apps.names,
		stayOn: p.settings["global"]["stay_on_while_plugged_in"] != "0", timeout: p.settings["system"]["screen_off_timeout"],
		booted: p.booted, now: p.config.Clock()}
}

// frontDump holds what the parts of a dump say about the app in front.
type frontDump struct {
	app             *runningApp
	record, focused string
	focus           string // the lines of the focused window and app
}

// frontDump describes the app in front, in the form of the pretended Android.
func (p *state) frontDump() frontDump {
	front := p.running[len(p.running)-1]
	d := frontDump{app: front, record: activityRecord(front)}
	d.focused = fmt.Sprintf("AppWindowToken{%07x token=Token{%07x %s}}", front.pid*6151, front.pid*3571, d.record)
	if p.config.SDK >= 30 {
		d.focused = d.record
	}
	window := fmt.Sprintf("%07x u%d %s/%s.%s", front.pid*4177, front.user, front.name, front.name, mainActivity)
	if front.activity != "" {
		window = fmt.Sprintf("%07x u%d %s", front.pid*4177, front.user, front.component())
	}
	if p.frozen {
		window = fmt.Sprintf("%07x u0 Application Not Responding: %s", 104743, front.name)
	}
	if p.screen.covered() {
		window = fmt.Sprintf("%07x u0 %s", 104729, p.shade())
	}
	d.focus = fmt.Sprintf("  mCurrentFocus=Window{%s}\n  mFocusedApp=%s\n", window, d.focused)
	return d
}

func activityRecord(app *runningApp) string {
	return fmt.Sprintf("ActivityRecord{%07x u%d %s t%d}", app.pid*7919, app.user, app.component(), taskOf(app))
}

func taskOf(app *runningApp) int { return 100 + app.pid%100 }

// shade is the system's window that also shows the lock.
func (p *state) shade() string {
	switch {
	case p.config.SDK >= 30:
		return "NotificationShade"
	case p.config.SDK >= 21:
		return "StatusBar"
	}
	return "Keyguard"
}

// dumpWindow is dumpsys window; its parts change with the pretended Android.
func (p *state) dumpWindow(part string) string {
	front := p.frontDump()
	var b strings.Builder
	if part == "" || part == "-a" {
		b.WriteString("WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n  <no ANR has occurred since boot>\n\n")
		part = ""
	}
	if part == "" || part == "policy" || part == "p" {
		b.WriteString(p.dumpPolicy(front))
	}
	if part == "displays" || part == "d" || part == "" {
		p.dumpDisplays(&b, front)
	}
	if part == "" || part == "windows" || part == "w" {
		p.dumpWindows(&b, part, front)
	}
	return b.String()
}

// dumpDisplays is the part on the displays.
func (p *state) dumpDisplays(b *strings.Builder, front frontDump) {
	b.WriteString("WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n")
	if cover := p.config.Cover; cover != (image.Point{}) {
		display{natural: cover, set: cover, seen: cover, density: p.config.Density, setDensity: p.config.Density,
			focus: "  mCurrentFocus=null\n  mFocusedApp=null\n"}.dump(b, p.config.SDK)
	}
	d := display{id: p.config.appDisplay(), natural: p.config.Size, set: p.config.Size, seen: p.screen.frameSize(),
		density: p.config.Density, setDensity: p.config.Density, rotation: p.screen.rotation, focus: front.focus}
	if p.screen.override.X != 0 {
		d.set = p.screen.override
	}
	if p.screen.density != 0 {
		d.setDensity = p.screen.density
	}
	if left, top, right, bottom := p.screen.insets(); p.config.Cutout > 0 {
		d.cutout = fmt.Sprintf("    mCutout=DisplayCutout{insets=Rect(%d, %d - %d, %d) waterfall=Insets{left=0, top=0, right=0, bottom=0}}\n", left, top, right, bottom)
	}
	d.dump(b, p.config.SDK)
}

// dumpWindows is the part on the windows.
func (p *state) dumpWindows(b *strings.Builder, part string, front frontDump) {
	sdk := p.config.SDK
	b.WriteString("WINDOW MANAGER WINDOWS (dumpsys window windows)\n")
	app := front.app
	fmt.Fprintf(b, "  Window #1 Window{%07x u0 %s/%s.%s}:\n    mDisplayId=0 mSession=Session{} mClient=android.os.BinderProxy\n",
		app.pid*4177, app.name, app.name, mainActivity)
	if sdk < 29 || part == "" && sdk < 33 {
		b.WriteString(front.focus)
	}
	if sdk < 29 {
		fmt.Fprintf(b, "  mRotation=%d mAltOrientation=false\n  mLastWindowForcedOrientation=-1 mForcedAppOrientation=-1\n", p.screen.rotation)
	}
}

// dumpPolicy is the state of the window policy: its fields on the keyguard have
// changed with almost every version. The caller holds mu.
func (p *state) dumpPolicy(front frontDump) string {
	sdk, on, locked := p.config.SDK, p.screen.on, p.screen.locked
	state, interactive := "SCREEN_STATE_ON", "INTERACTIVE_STATE_AWAKE"
	if !on {
		state, interactive = "SCREEN_STATE_OFF", "INTERACTIVE_STATE_SLEEP"
	}
	var b strings.Builder
	b.WriteString("WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    mSafeMode=false mSystemReady=true mSystemBooted=true\n")
	switch {
	case sdk < 21:
		fmt.Fprintf(&b, "    mScreenOnEarly=%t mScreenOnFully=%t mOrientationSensorEnabled=false\n", on, on)
	case sdk < 28:
		fmt.Fprintf(&b, "    mAwake=%t\n    mScreenOnEarly=%t mScreenOnFully=%t\n", on, on, on)
	default: // without the blank that Android 9 began to print
		fmt.Fprintf(&b, "    mAwake=%tmScreenOnEarly=%t mScreenOnFully=%t\n", on, on, on)
	}
	if sdk >= 21 {
		b.WriteString("    mKeyguardDrawComplete=true mWindowManagerDrawComplete=true\n")
	}
	switch {
	case sdk < 23:
		fmt.Fprintf(&b, "    mShowingLockscreen=%t mShowingDream=false mDreamingLockscreen=%t\n", locked, locked && !on)
	case sdk < 29:
		fmt.Fprintf(&b, "    mShowingDream=false mDreamingLockscreen=%t mDreamingSleepToken=null\n", locked)
	default:
		fmt.Fprintf(&b, "    mShowingDream=false mDreamingLockscreen=%t\n", locked)
	}
	switch {
	case sdk >= 29:
		fmt.Fprintf(&b, "    mStatusBar=Window{%07x u0 StatusBar} isKeyguardShowing=%t\n", 104711, locked)
	case sdk >= 21:
		fmt.Fprintf(&b, "    mStatusBar=Window{%07x u0 StatusBar} isStatusBarKeyguard=%t\n", 104711, locked)
	}
	fmt.Fprintf(&b, "    mFocusedApp=%s\n", front.focused)
	if sdk >= 23 {
		secure := p.screen.lock == LockPIN
		fmt.Fprintf(&b, "    KeyguardServiceDelegate\n      showing=%t\n      showingAndNotOccluded=%t\n      inputRestricted=%t\n      occluded=false\n"+
			"      secure=%t\n      dreaming=false\n      systemIsReady=true\n      deviceHasKeyguard=true\n      enabled=true\n      offReason=0\n"+
			"      currentUser=-10000\n      bootCompleted=true\n      screenState=%s\n      interactiveState=%s\n",
			locked, locked, locked, secure, state, interactive)
	}
	if sdk >= 24 {
		fmt.Fprintf(&b, "      KeyguardStateMonitor\n        mIsShowing=%t\n        mSimSecure=false\n        mInputRestricted=%t\n        mTrusted=false\n"+
			"        mCurrentUserId=0\n", locked, locked)
	}
	return b.String() + "\n"
}

// dumpActivity is dumpsys activity: the activities, or with top only the one in
// front.
func (p *state) dumpActivity(part string) string {
	switch part {
	case "top":
		return p.dumpTop()
	case "", "activities", "a", "recents", "-a":
		return p.dumpActivities()
	case "processes", "p":
		var b strings.Builder
		b.WriteString("ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n  All known processes:\n")
		for _, app := range p.running {
			fmt.Fprintf(&b, "  *APP* UID 10100 ProcessRecord{%07x %d:%s/u0a100}\n    packageList={%s}\n", app.pid*911, app.pid, app.name, app.name)
		}
		return b.String()
	case "services", "s":
		return "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n  (nothing)\n"
	}
	return "Bad activity command, or no activities match: " + part + "\nUse -h for help.\n"
}

// dumpTop is the activity in front, with its views.
func (p *state) dumpTop() string {
	app := p.frontDump().app
	size, task := p.screen.frameSize(), taskOf(app)
	id := "#" + fmt.Sprint(task)
	head := fmt.Sprintf("TASK %s id=%d\n", app.name, task)
	if p.config.SDK >= 28 {
		head = fmt.Sprintf("TASK %s id=%d userId=0\n", app.name, task)
	}
	resumed := !p.screen.covered()
	return head + fmt.Sprintf("  ACTIVITY %s %07x pid=%d\n", component(app.name), app.pid*7919, app.pid) +
		fmt.Sprintf("    Local Activity %07x State:\n      mResumed=%t mStopped=%t mFinished=false\n", app.pid*7333, resumed, !resumed) +
		"      mChangingConfigurations=false\n" +
		fmt.Sprintf("      mCurrentConfig={1.0 310mcc260mnc [en_US] ldltr sw%ddp w%ddp h%ddp %ddpi nrml long %s finger -keyb/v/h -nav/h s.5}\n",
			p.dp(min(size.X, size.Y)), p.dp(size.X), p.dp(size.Y), p.config.Density, map[bool]string{true: "land", false: "port"}[size.X > size.Y]) +
		"      mLoadersStarted=true\n      FragmentManager misc state:\n        mHost=android.app.Activity$HostCallbacks@" + fmt.Sprintf("%07x", app.pid*5003) + "\n" +
		"    ViewRoot:\n      mAdded=true mRemoved=false\n" +
		"    View Hierarchy:\n" +
		fmt.Sprintf("      DecorView@%07x[%s]\n", app.pid*5501, mainActivity) +
		fmt.Sprintf("        android.widget.FrameLayout{%07x V.E...... ........ 0,0-%d,%d #1020002 android:id/content}\n", app.pid*5507, size.X, size.Y) +
		fmt.Sprintf("          android.view.SurfaceView{%07x VFE...... .F...... 0,0-%d,%d %s}\n", app.pid*5519, size.X, size.Y, id)
}

// dp converts a length in pixels to Android's density-independent units.
func (p *state) dp(pixels int) int {
	const dotsPerInch = 160 // at which a unit is one pixel
	return pixels * dotsPerInch / p.config.Density
}

// dumpActivities is the stack of activities.
func (p *state) dumpActivities() string {
	sdk := p.config.SDK
	var b strings.Builder
	fmt.Fprintf(&b, "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #%d (activities from top to bottom):\n", p.config.appDisplay())
	for i := len(p.running) - 1; i >= 0; i-- {
		app := p.running[i]
		fmt.Fprintf(&b, "  * Task{%07x #%d type=standard A=10100:%s U=0 visible=%t}\n    * Hist #0: %s\n", app.pid*2027, taskOf(app), app.name,
			i == len(p.running)-1, activityRecord(app))
	}
	record := p.frontDump().record
	switch {
	case sdk < 29:
		fmt.Fprintf(&b, "  mResumedActivity: %s\n  mFocusedActivity: %s\n", record, record)
	case sdk < 31:
		fmt.Fprintf(&b, "  mResumedActivity: %s\n  ResumedActivity: %s\n", record, record)
	default:
		fmt.Fprintf(&b, "  topResumedActivity=%s\n  ResumedActivity: %s\n", record, record)
	}
	if sdk >= 26 {
		fmt.Fprintf(&b, "  KeyguardController:\n    mKeyguardShowing=%t\n    mAodShowing=false\n    mKeyguardGoingAway=false\n"+
			"    mOccluded=false\n    mDismissingKeyguardActivity=null\n    mDismissalRequested=false\n    mVisibilityTransactionDepth=0\n", p.screen.locked)
	}
	return b.String()
}

func (p *state) dumpDisplay() string {
	state := "OFF"
	if p.screen.on {
		state = "ON"
	}
	return fmt.Sprintf("DISPLAY MANAGER (dumpsys display)\n  mStableDisplaySize=Point(%d, %d)\n%s\nDisplay Power Controller:\n  mScreenState=%s\n",
		p.config.Size.X, p.config.Size.Y, p.viewports(), state)
}

// touched reports whether a finger is on the screen.
func (p *Phone) touched() bool {
	p.appMu.Lock()
	defer p.appMu.Unlock()
	return p.touch.down
}

// dumpInput is dumpsys input, with the part that describes the devices.
func (p *state) dumpInput(devices string, touched bool) string {
	sdk, size, display, rotation := p.config.SDK, p.screen.frameSize(), p.config.appDisplay(), p.screen.rotation
	device := turned(p.config.Size, rotation)
	name, unique, active := "Viewport", "", ""
	if sdk >= 29 {
		name, unique = "Viewport INTERNAL", ", uniqueId=local:"+displayID+", port=129"
	}
	if sdk >= 30 {
		active = ", isActive=[1]"
	}
	viewport := fmt.Sprintf("%s: displayId=%d%s, orientation=%d, logicalFrame=[0, 0, %d, %d], physicalFrame=[0, 0, %d, %d], deviceSize=[%d, %d]%s",
		name, display, unique, rotation, size.X, size.Y, device.X, device.Y, device.X, device.Y, active)
	// From Android 13 on the panel's own turn against the screen, of which there is none.
	orientation := fmt.Sprintf("SurfaceWidth: %dpx\n      SurfaceHeight: %dpx\n      SurfaceOrientation: %d", size.X, size.Y, rotation)
	switch {
	case sdk >= 35:
		orientation = "InputDeviceOrientation: Rotation0"
	case sdk >= 33:
		orientation = "InputDeviceOrientation: 0"
	}
	return "INPUT MANAGER (dumpsys input)\n\n" + devices + "\n      " + viewport + "\n      " + orientation +
		"\n\nInput Dispatcher State:\n  DispatchEnabled: true\n  DispatchFrozen: false\n" + p.touchStates(touched) +
		"\nInput Dispatcher State at time of last ANR:\n  <none>\n"
}

// touchStates are the displays that the dispatcher knows to be touched, by a device or
// by input: two versions changed their form.
func (p *state) touchStates(touched bool) string {
	sdk, display := p.config.SDK, p.config.appDisplay()
	front := p.running[len(p.running)-1]
	window := fmt.Sprintf("name='%07x %s/%s.%s'", front.pid*4177, front.name, front.name, mainActivity)
	switch {
	case sdk < 21:
		return fmt.Sprintf("  TouchDown: %t\n  TouchSplit: %t\n", touched, touched)
	case !touched && sdk >= 36:
		return "  TouchStatesByDisplay: <no displays touched>\n  CursorStatesByDisplay: <no displays touched by cursor>\n"
	case !touched:
		return "  TouchStates: <no displays touched>\n"
	case sdk < 34:
		return fmt.Sprintf("  TouchStatesByDisplay:\n    %d: down=true, split=true, deviceId=-1, source=0x00001002\n      Windows:\n"+
			"        0: %s, pointerIds=0x80000000, targetFlags=0x105\n", display, window)
	case sdk < 35:
		return fmt.Sprintf("  TouchStatesByDisplay:\n    %d :     deviceId=-1, source=TOUCHSCREEN\n      Windows:\n"+
			"        0 : %s, pointerIds=0x80000000, targetFlags=FOREGROUND | SPLIT | DISPATCH_AS_IS\n", display, window)
	}
	return fmt.Sprintf("  TouchStatesByDisplay:\n    %d :     Windows:\n        0 : %s, targetFlags=FOREGROUND | SPLIT, forwardingWindowToken=0x0, "+
		"mDeviceStates=-1:[touchingPointers=[Pointer(id=0, FINGER)], downTimeInTarget=%d, hoveringPointers=[], pilferingPointerIds=<none>]\n",
		display, window, p.now.Sub(p.booted).Nanoseconds())
}

// dumpPower is dumpsys power, in the fields that the pretended Android has.
func (p *state) dumpPower() string {
	sdk, on, now := p.config.SDK, p.screen.on, p.now
	wakefulness, state := "Awake", "ON"
	if !on {
		wakefulness, state = "Asleep", "OFF"
		if p.screen.doze {
			wakefulness, state = "Dozing", "DOZE"
		}
	}
	ago := func(at time.Time) string {
		return fmt.Sprintf("%d (%d ms ago)", at.Sub(p.booted).Milliseconds(), now.Sub(at).Milliseconds())
	}
	var b strings.Builder
	b.WriteString("POWER MANAGER (dumpsys power)\n\nPower Manager State:\n")
	if sdk >= 28 {
		b.WriteString("  Settings power_manager_constants:\n    no_cached_wake_locks=true\n")
	}
	fmt.Fprintf(&b, "  mDirty=0x0\n  mWakefulness=%s\n", wakefulness)
	if sdk >= 21 {
		b.WriteString("  mWakefulnessChanging=false\n")
	}
	fmt.Fprintf(&b, "  mIsPowered=true\n  mPlugType=2\n  mBatteryLevel=100\n  mDockState=0\n  mStayOn=%t\n  mProximityPositive=false\n"+
		"  mBootCompleted=true\n  mSystemReady=true\n  mHalAutoSuspendModeEnabled=%t\n  mHalInteractiveModeEnabled=%t\n  mWakeLockSummary=0x0\n"+
		"  mUserActivitySummary=0x%d\n  mRequestWaitForNegativeProximity=false\n  mSandmanScheduled=false\n",
		p.stayOn, !on, on, map[bool]int{true: 1, false: 0}[on])
	fmt.Fprintf(&b, "  mLastWakeTime=%s\n  mLastSleepTime=%s\n", ago(p.screen.woken), ago(p.screen.slept))
	if sdk < 21 {
		fmt.Fprintf(&b, "  mDisplayReady=true\n  mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker=%t\n\n"+
			"Display Power State:\n  mScreenOn=%t\n", on, on)
		return b.String()
	}
	fmt.Fprintf(&b, "  mDisplayReady=true\n  mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker=%t\n\n"+
		"Settings and Configuration:\n  mDecoupleHalAutoSuspendModeFromDisplayConfig=false\n  mScreenOffTimeoutSetting=%s\n"+
		"\nSleep timeout: -1 ms\nScreen off timeout: %s ms\n\nWake Locks: size=0\n\nSuspend Blockers: size=2\n"+
		"  PowerManagerService.WakeLocks: ref count=0\n  PowerManagerService.Display: ref count=%d\n\nDisplay Power: state=%s\n",
		on, p.timeout, p.timeout, map[bool]int{true: 1, false: 0}[on], state)
	return b.String()
}

// dumpTrust says whether users would have to identify themselves.
func (p *state) dumpTrust() string {
	locked := 0
	if p.screen.locked && p.screen.lock == LockPIN {
		locked = 1
	}
	return fmt.Sprintf("Trust manager state:\n User \"Owner\" (id=0, flags=0x13) (current): trusted=0, trustManaged=0, deviceLocked=%d, strongAuthRequired=0x0\n", locked)
}

// dumpPackage describes a package.
func (p *state) dumpPackage(name string) string {
	if !slices.Contains(p.names, name) {
		return "Unable to find package: " + name + "\n"
	}
	return fmt.Sprintf("Activity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:\n        %07x %s filter %07x\n"+
		"          Action: \"android.intent.action.MAIN\"\n          Category: \"android.intent.category.LAUNCHER\"\n\n"+
		"Packages:\n  Package [%s] (%07x):\n    userId=10100\n    pkg=Package{%07x %s}\n    codePath=/data/app/%s\n"+
		"    versionCode=1 minSdk=21 targetSdk=%d\n    versionName=1.0\n    dataDir=/data/user/0/%s\n"+
		"    User 0: ceDataInode=0 installed=true hidden=false suspended=false stopped=false notLaunched=false enabled=0\n",
		objectID(name), component(name), objectID(name+"/"), name, objectID(name), objectID(name), name, name, p.config.SDK, name)
}

// objectID is the number that Android prints for an object, made from its name.
func objectID(name string) uint32 { return crc32.ChecksumIEEE([]byte(name)) & 0xffffff }
