package simphone

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// properties is what getprop lists.
func (p *Phone) properties() map[string]string {
	c := p.config
	fingerprint := fmt.Sprintf("tapwise/%s/%s:%s/SIM1.000000.001/1:user/release-keys", c.Product, c.Device, p.androidRelease())
	return map[string]string{
		"dev.bootcomplete":               "1",
		"gsm.version.baseband":           "",
		"init.svc.adbd":                  "running",
		"persist.sys.locale":             "en-US",
		"persist.sys.timezone":           "UTC",
		"ro.boot.serialno":               c.Serial,
		"ro.build.characteristics":       "default",
		"ro.build.fingerprint":           fingerprint,
		"ro.build.type":                  "user",
		"ro.build.version.release":       p.androidRelease(),
		"ro.build.version.sdk":           p.sdk(),
		"ro.debuggable":                  "0",
		"ro.product.brand":               "tapwise",
		"ro.product.cpu.abi":             "arm64-v8a",
		"ro.product.device":              c.Device,
		"ro.product.manufacturer":        "tapwise",
		"ro.product.model":               c.Model,
		"ro.product.name":                c.Product,
		"ro.secure":                      "1",
		"ro.serialno":                    c.Serial,
		"ro.sf.lcd_density":              strconv.Itoa(c.Density),
		"service.adb.tcp.port":           "",
		"sys.boot_completed":             "1",
		"ro.hardware":                    "simphone",
		"ro.product.first_api_level":     p.sdk(),
		"ro.build.version.incremental":   "1",
		"ro.build.version.all_codenames": "REL",
	}
}

func runGetprop(p *process) int {
	properties := p.phone.properties()
	if len(p.args) > 1 {
		value, ok := properties[p.args[1]]
		if !ok && len(p.args) > 2 {
			value = p.args[2]
		}
		return p.print(value + "\n")
	}
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		fmt.Fprintf(&out, "[%s]: [%s]\n", name, properties[name])
	}
	return p.print(out.String())
}

func defaultSettings(c Config) map[string]map[string]string {
	return map[string]map[string]string{
		"system": {
			"accelerometer_rotation": "0", "user_rotation": strconv.Itoa(c.Rotation), "screen_off_timeout": "60000",
			"screen_brightness": "128", "pointer_location": "0", "show_touches": "0", "font_scale": "1.0",
		},
		"secure": {"android_id": "0123456789abcdef", "default_input_method": "com.android.inputmethod.latin/.LatinIME"},
		"global": {
			"adb_enabled": "1", "animator_duration_scale": "1.0", "transition_animation_scale": "1.0",
			"window_animation_scale": "1.0", "stay_on_while_plugged_in": "0", "device_name": c.Model,
		},
	}
}

const maxSettings = 1024 // in a namespace

func runSettings(p *process) int {
	args := p.args[1:]
	if len(args) > 1 && args[0] == "--user" {
		args = args[2:]
	}
	if len(args) < 2 {
		return p.settingsUsage("")
	}
	verb, namespace, args := args[0], args[1], args[2:]
	phone := p.phone
	phone.mu.Lock()
	text, status := "", -1
	values := phone.settings[namespace]
	switch {
	case values == nil:
	case verb == "get" && len(args) == 1:
		value, ok := values[args[0]]
		if !ok {
			value = "null"
		}
		text, status = value+"\n", 0
	case verb == "put" && len(args) >= 2:
		status = 0
		if _, ok := values[args[0]]; !ok && len(values) >= maxSettings || len(args[0])+len(args[1]) > maxPath {
			break
		}
		values[args[0]] = args[1]
		phone.applySettings()
	case verb == "delete" && len(args) == 1:
		count := 0
		if _, ok := values[args[0]]; ok {
			count = 1
		}
		delete(values, args[0])
		text, status = fmt.Sprintf("Deleted %d rows\n", count), 0
	case verb == "list":
		for _, name := range slices.Sorted(maps.Keys(values)) {
			text += name + "=" + values[name] + "\n"
		}
		status = 0
	}
	phone.mu.Unlock()
	if status < 0 {
		if values == nil {
			return p.settingsUsage("Invalid namespace '" + namespace + "'")
		}
		return p.settingsUsage("Bad arguments")
	}
	return max(status, p.print(text))
}

func (p *process) settingsUsage(problem string) int {
	if problem != "" {
		p.errPrint(problem + "\n")
	}
	p.errPrint("Settings provider (settings) commands:\n" +
		"  get [--user <USER_ID> | current] NAMESPACE KEY\n" +
		"  put [--user <USER_ID> | current] NAMESPACE KEY VALUE [TAG] [default]\n" +
		"  delete [--user <USER_ID> | current] NAMESPACE KEY\n" +
		"  list [--user <USER_ID> | current] NAMESPACE\n" +
		"  NAMESPACE is one of {system, secure, global}\n")
	return 255
}

// applySettings turns the screen as the user settings say; the caller holds mu.
func (p *Phone) applySettings() {
	system := p.settings["system"]
	if system["accelerometer_rotation"] != "0" {
		return // the sensor decides, and this phone lies on a table
	}
	if rotation, err := strconv.Atoi(system["user_rotation"]); err == nil && rotation >= 0 && rotation <= 3 {
		p.screen.rotation = rotation
	}
}

// mainActivity is the activity every app here has.
const mainActivity = "MainActivity"

func component(name string) string { return name + "/." + mainActivity }

func runAm(p *process) int {
	if len(p.args) < 2 {
		return p.amUsage("")
	}
	args := p.args[2:]
	switch p.args[1] {
	case "start", "start-activity":
		return p.amStart(args)
	case "force-stop":
		if len(args) > 2 && args[0] == "--user" {
			args = args[2:]
		}
		if len(args) != 1 {
			return p.amUsage("Error: expected a package")
		}
		p.phone.ForceStop(args[0])
		return 0
	case "stack", "broadcast", "kill-all", "wait-for-idle":
		return 0
	}
	return p.amUsage("Unknown command: " + p.args[1])
}

func (p *process) amUsage(problem string) int {
	if problem != "" {
		p.errPrint(problem + "\n")
	}
	p.errPrint("Activity manager (activity) commands:\n" +
		"  start-activity [-D] [-N] [-W] [-S] <INTENT>\n" +
		"  force-stop [--user <USER_ID> | all | current] <PACKAGE>\n")
	return 255
}

func (p *process) amStart(args []string) int {
	name, activity, wait, stop := "", "", false, false
	var intent []string
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		value := func() string {
			if len(args) == 0 {
				return ""
			}
			v := args[0]
			args = args[1:]
			return v
		}
		switch arg {
		case "-W":
			wait = true
		case "-S":
			stop = true
		case "-n":
			name, activity, _ = strings.Cut(value(), "/")
		case "-p":
			name = value()
		case "-a":
			intent = append(intent, "act="+value())
		case "-c":
			intent = append(intent, "cat=["+value()+"]")
		case "-d":
			intent = append(intent, "dat="+value())
		case "-f":
			intent = append(intent, "flg="+value())
		case "--user":
			value()
		case "--es", "--ei", "--ez", "-e": // extras: a name and a value
			value()
			value()
		case "-D", "-N", "-R", "--activity-clear-top", "--activity-single-top", "--activity-brought-to-front":
		default:
			if strings.HasPrefix(arg, "-") {
				return p.amUsage("Error: Unknown option: " + arg)
			}
			name, activity, _ = strings.Cut(arg, "/")
		}
	}
	if strings.HasPrefix(activity, ".") {
		activity = name + activity
	}
	if name != "" && activity != "" {
		intent = append(intent, "cmp="+shortComponent(name, activity))
	} else if name != "" {
		intent = append(intent, "pkg="+name)
	}
	if name == "" && slices.Contains(intent, "cat=[android.intent.category.HOME]") {
		name = homePackage
	}
	p.print("Starting: Intent { " + strings.Join(intent, " ") + " }\n")
	if stop {
		p.phone.ForceStop(name)
	}
	front := p.phone.Foreground()
	if err := p.phone.Launch(name); err != nil {
		if activity != "" {
			p.errPrint("Error type 3\nError: Activity class {" + name + "/" + activity + "} does not exist.\n")
		} else {
			p.errPrint("Error: Activity not started, unable to resolve Intent { " + strings.Join(intent, " ") + " }\n")
		}
		if p.phone.config.SDK >= 26 {
			return 1
		}
		return 0
	}
	if front == name {
		p.errPrint("Warning: Activity not started, intent has been delivered to currently running top-most instance.\n")
	}
	if wait {
		return p.print("Status: ok\nLaunchState: COLD\nActivity: " + component(name) + "\nTotalTime: 0\nWaitTime: 0\nComplete\n")
	}
	return 0
}

// shortComponent writes a component as Android prints it.
func shortComponent(name, activity string) string {
	if rest, ok := strings.CutPrefix(activity, name+"."); ok {
		activity = "." + rest
	}
	return name + "/" + activity
}

func runPm(p *process) int {
	phone := p.phone
	switch {
	case len(p.args) >= 3 && p.args[1] == "list" && strings.HasPrefix(p.args[2], "package"):
		var out strings.Builder
		phone.mu.Lock()
		for _, name := range phone.apps.names {
			if !slices.Contains(p.args[3:], "-3") || name != homePackage {
				out.WriteString("package:" + name + "\n")
			}
		}
		phone.mu.Unlock()
		return p.print(out.String())
	case len(p.args) == 3 && p.args[1] == "path":
		phone.mu.Lock()
		_, ok := phone.apps.installed[p.args[2]]
		phone.mu.Unlock()
		if !ok {
			return 1
		}
		return p.print("package:/data/app/" + p.args[2] + "/base.apk\n")
	}
	p.errPrint("Package manager (package) commands:\n  list packages [-3]\n  path PACKAGE\n")
	return 255
}

// processList is what ps shows: a few of the system's own and the apps.
func (p *Phone) processList() []runningApp {
	list := []runningApp{{name: "init", pid: 1}, {name: "surfaceflinger", pid: 512}, {name: "adbd", pid: 640},
		{name: "system_server", pid: 900}}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, app := range p.apps.running {
		list = append(list, runningApp{name: app.name, pid: app.pid})
	}
	slices.SortFunc(list, func(a, b runningApp) int { return a.pid - b.pid })
	return list
}

func runPidof(p *process) int {
	var found []string
	for _, running := range p.phone.processList() {
		if slices.Contains(p.args[1:], running.name) {
			found = append(found, strconv.Itoa(running.pid))
		}
	}
	if len(found) == 0 {
		return 1
	}
	return p.print(strings.Join(found, " ") + "\n")
}

func runPs(p *process) int {
	var out strings.Builder
	out.WriteString("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n")
	for _, running := range p.phone.processList() {
		user, parent := "system", 1
		if strings.Contains(running.name, ".") {
			user, parent = "u0_a100", 700
		}
		fmt.Fprintf(&out, "%-12s %5d %5d %7d %6d %-16s %4d S %s\n", user, running.pid, parent, 1400000, 90000, "0", 0, running.name)
	}
	return p.print(out.String())
}

// runLogcat prints the crashes of apps; there is no other log.
func runLogcat(p *process) int {
	out := "--------- beginning of main\n"
	if crashes := p.phone.Crashes(); len(crashes) > 0 {
		out += "--------- beginning of crash\n"
		for _, crash := range crashes {
			for _, line := range strings.Split(strings.TrimSpace(crash), "\n") {
				out += "E AndroidRuntime: " + line + "\n"
			}
		}
	}
	return p.print(out)
}

func runDumpsys(p *process) int {
	if len(p.args) < 2 {
		return p.print("Currently running services:\n  SurfaceFlinger\n  activity\n  display\n  input\n  power\n  window\n")
	}
	rest := strings.Join(p.args[2:], " ")
	switch p.args[1] {
	case "window":
		return p.print(p.phone.dumpWindow(rest))
	case "activity":
		return p.print(p.phone.dumpActivity())
	case "display":
		return p.print(p.phone.dumpDisplay())
	case "input":
		return p.print(p.phone.dumpInput())
	case "power":
		return p.print(p.phone.dumpPower())
	case "SurfaceFlinger":
		if rest == "--display-id" {
			return p.print("Display " + displayID + " (HWC display 0): port=129 pnpId=SIM displayName=\"sim\"\n")
		}
		return p.print("")
	}
	p.errPrint("Can't find service: " + p.args[1] + "\n")
	return 0
}

// dumpWindow is dumpsys window, its parts changing with the pretended Android.
func (p *Phone) dumpWindow(part string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	front := p.apps.running[len(p.apps.running)-1]
	size, rotation, sdk := p.frameSize(), p.screen.rotation, p.config.SDK
	natural := p.config.Size
	density := p.config.Density
	if p.screen.density != 0 {
		density = p.screen.density
	}
	task := 100 + front.pid%100
	record := fmt.Sprintf("ActivityRecord{%07x u0 %s t%d}", front.pid*7919, component(front.name), task)
	focused := fmt.Sprintf("AppWindowToken{%07x token=Token{%07x %s}}", front.pid*6151, front.pid*3571, record)
	if sdk >= 30 {
		focused = record
	}
	focus := fmt.Sprintf("  mCurrentFocus=Window{%07x u0 %s/%s.%s}\n  mFocusedApp=%s\n", front.pid*4177, front.name, front.name, mainActivity, focused)
	if !p.screen.on {
		focus = fmt.Sprintf("  mCurrentFocus=Window{%07x u0 NotificationShade}\n  mFocusedApp=%s\n", 104729, focused)
	}

	var b strings.Builder
	if part == "displays" || part == "d" || part == "" {
		b.WriteString("WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0\n")
		base := ""
		if p.screen.override != natural && p.screen.override.X != 0 {
			base = fmt.Sprintf(" base=%dx%d %ddpi", p.screen.override.X, p.screen.override.Y, density)
		}
		fmt.Fprintf(&b, "    init=%dx%d %ddpi%s cur=%dx%d app=%dx%d rng=%dx%d-%dx%d\n", natural.X, natural.Y, p.config.Density, base,
			size.X, size.Y, size.X, size.Y, min(size.X, size.Y), min(size.X, size.Y), max(size.X, size.Y), max(size.X, size.Y))
		b.WriteString("    deferred=false mLayoutNeeded=false\n")
		if sdk >= 29 {
			b.WriteString(focus)
		}
		if sdk >= 28 {
			fmt.Fprintf(&b, "  DisplayFrames w=%d h=%d r=%d\n", size.X, size.Y, rotation)
			if left, top, right, bottom := p.insets(); p.config.Cutout > 0 {
				fmt.Fprintf(&b, "    mCutout=DisplayCutout{insets=Rect(%d, %d - %d, %d) waterfall=Insets{left=0, top=0, right=0, bottom=0}}\n", left, top, right, bottom)
			}
		}
		if sdk >= 30 {
			fmt.Fprintf(&b, "  DisplayRotation\n    mCurrentRotation=ROTATION_%d\n    mUserRotation=ROTATION_%d\n", rotation*90, rotation*90)
		}
	}
	if part == "" || part == "windows" || part == "w" || part == "policy" {
		b.WriteString("WINDOW MANAGER WINDOWS (dumpsys window windows)\n")
		fmt.Fprintf(&b, "  Window #1 Window{%07x u0 %s/%s.%s}:\n    mDisplayId=0 mSession=Session{} mClient=android.os.BinderProxy\n",
			front.pid*4177, front.name, front.name, mainActivity)
		if sdk < 29 || part == "" && sdk < 33 {
			b.WriteString(focus)
		}
		if sdk < 30 {
			fmt.Fprintf(&b, "  mRotation=%d mAltOrientation=false\n  mLastWindowForcedOrientation=-1 mForcedAppOrientation=-1\n", rotation)
		}
		fmt.Fprintf(&b, "  mAwake=%t\n", p.screen.on)
	}
	return b.String()
}

func (p *Phone) dumpActivity() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	b.WriteString("ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #0 (activities from top to bottom):\n")
	for i := len(p.apps.running) - 1; i >= 0; i-- {
		app := p.apps.running[i]
		task := 100 + app.pid%100
		record := fmt.Sprintf("ActivityRecord{%07x u0 %s t%d}", app.pid*7919, component(app.name), task)
		fmt.Fprintf(&b, "  * Task{%07x #%d type=standard A=10100:%s U=0 visible=%t}\n    * Hist #0: %s\n", app.pid*2027, task, app.name,
			i == len(p.apps.running)-1, record)
	}
	front := p.apps.running[len(p.apps.running)-1]
	record := fmt.Sprintf("ActivityRecord{%07x u0 %s t%d}", front.pid*7919, component(front.name), 100+front.pid%100)
	switch {
	case p.config.SDK < 29:
		fmt.Fprintf(&b, "  mResumedActivity: %s\n  mFocusedActivity: %s\n", record, record)
	case p.config.SDK < 31:
		fmt.Fprintf(&b, "  mResumedActivity: %s\n  ResumedActivity: %s\n", record, record)
	default:
		fmt.Fprintf(&b, "  topResumedActivity=%s\n  ResumedActivity: %s\n", record, record)
	}
	return b.String()
}

func (p *Phone) dumpDisplay() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	size := p.frameSize()
	return fmt.Sprintf("DISPLAY MANAGER (dumpsys display)\n  mStableDisplaySize=Point(%d, %d)\n"+
		"  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:%s', orientation=%d,"+
		" logicalFrame=Rect(0, 0 - %d, %d), deviceWidth=%d, deviceHeight=%d}]\n",
		p.config.Size.X, p.config.Size.Y, displayID, p.screen.rotation, size.X, size.Y, size.X, size.Y)
}

func (p *Phone) dumpInput() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	size := p.frameSize()
	return fmt.Sprintf("INPUT MANAGER (dumpsys input)\n  Viewport INTERNAL: displayId=0, orientation=%d, logicalFrame=[0, 0, %d, %d]\n"+
		"      SurfaceWidth: %dpx\n      SurfaceHeight: %dpx\n      SurfaceOrientation: %d\n",
		p.screen.rotation, size.X, size.Y, size.X, size.Y, p.screen.rotation)
}

func (p *Phone) dumpPower() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	wakefulness, state := "Asleep", "OFF"
	if p.screen.on {
		wakefulness, state = "Awake", "ON"
	}
	return "POWER MANAGER (dumpsys power)\n  mWakefulness=" + wakefulness + "\n  Display Power: state=" + state + "\n"
}
