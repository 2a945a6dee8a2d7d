package simphone

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// properties are the phone's own, before setprop.
func (c Config) properties() map[string]string {
	release, sdk := androidRelease(c.SDK), strconv.Itoa(c.SDK)
	fingerprint := fmt.Sprintf("tapwise/%s/%s:%s/SIM1.000000.001/1:user/release-keys", c.Product, c.Device, release)
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
		"ro.build.version.release":       release,
		"ro.build.version.sdk":           sdk,
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
		"ro.product.first_api_level":     sdk,
		"ro.build.version.incremental":   "1",
		"ro.build.version.all_codenames": "REL",
	}
}

func runGetprop(p *process) int {
	properties := p.phone.config.properties()
	p.phone.locked(func() { maps.Copy(properties, p.phone.set) })
	if len(p.Args) > 1 {
		value, ok := properties[p.Args[1]]
		if !ok && len(p.Args) > 2 {
			value = p.Args[2]
		}
		return p.Print(value + "\n")
	}
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		fmt.Fprintf(&out, "[%s]: [%s]\n", name, properties[name])
	}
	return p.Print(out.String())
}

// Android's bound on the length of a property, and one on the number of properties.
const (
	maxProperty   = 91 // bytes of a value: 92 with the NUL at its end
	maxProperties = 1024
)

// runSetprop sets a property. Those that begin with ro. are set once, when the phone starts.
func runSetprop(p *process) int {
	if len(p.Args) != 3 {
		return p.Fail("Needs 2 arguments (see \"setprop --help\")")
	}
	name, value := p.Args[1], p.Args[2]
	refused := true
	p.phone.locked(func() {
		_, known := p.phone.set[name]
		refused = strings.HasPrefix(name, "ro.") || strings.HasPrefix(name, "ctl.") || !known && len(p.phone.set) >= maxProperties ||
			name == "" || len(name) > maxKey || len(value) > maxProperty
		if !refused {
			p.phone.set[name] = value
		}
	})
	if refused {
		return p.Fail("failed to set property '%s' to '%s'", name, value)
	}
	return 0
}

func defaultSettings(c Config) map[string]map[string]string {
	return map[string]map[string]string{
		"system": {
			"accelerometer_rotation": "0", "user_rotation": strconv.Itoa(c.Rotation), "screen_off_timeout": "60000",
			"screen_brightness": "128", "pointer_location": "0", "show_touches": "0", "font_scale": "1.0",
		},
		"secure": {"android_id": "0123456789abcdef", "default_input_method": "com.android.inputmethod.latin/.LatinIME"},
		"global": {
			"adb_enabled": "1", "airplane_mode_on": "0", "mobile_data": "0", "wifi_on": "1", "animator_duration_scale": "1.0", "transition_animation_scale": "1.0",
			"window_animation_scale": "1.0", "stay_on_while_plugged_in": "0", "device_name": c.Model,
		},
	}
}

// Bounds on settings and properties.
const (
	maxSettings = 1024 // in a namespace
	maxKey      = 1024 // bytes of a key, and of a key and its value together
)

func runSettings(p *process) int {
	args := p.Args[1:]
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
		if _, ok := values[args[0]]; !ok && len(values) >= maxSettings || len(args[0])+len(args[1]) > maxKey {
			break
		}
		values[args[0]] = args[1]
		phone.screen.apply(phone.settings["system"])
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
	return max(status, p.Print(text))
}

func (p *process) settingsUsage(problem string) int {
	return p.usage(problem, "Settings provider (settings) commands:\n"+
		"  get [--user <USER_ID> | current] NAMESPACE KEY\n"+
		"  put [--user <USER_ID> | current] NAMESPACE KEY VALUE [TAG] [default]\n"+
		"  delete [--user <USER_ID> | current] NAMESPACE KEY\n"+
		"  list [--user <USER_ID> | current] NAMESPACE\n"+
		"  NAMESPACE is one of {system, secure, global}\n")
}

// usage prints a problem, if there is one, and how a command is used, and returns
// the exit code with which Android's services answer wrong arguments.
func (p *process) usage(problem, text string) int {
	if problem != "" {
		p.ErrPrint(problem + "\n")
	}
	p.ErrPrint(text)
	return 255
}

// apply turns the screen to the user's setting.
func (s *screenState) apply(system map[string]string) {
	if system["accelerometer_rotation"] != "0" {
		return // the sensor decides, and this phone lies flat on a table
	}
	if rotation, err := strconv.Atoi(system["user_rotation"]); err == nil && rotation >= 0 && rotation <= 3 {
		s.rotation = rotation
	}
}

// mainActivity is the one activity of every app here.
const mainActivity = "MainActivity"

func component(name string) string { return name + "/." + mainActivity }

func runAm(p *process) int {
	if len(p.Args) < 2 {
		return p.amUsage("")
	}
	args := p.Args[2:]
	switch p.Args[1] {
	case "start", "start-activity":
		return p.amStart(args)
	case "force-stop":
		stop := p.phone.ForceStop
		if len(args) > 2 && args[0] == "--user" {
			if user, err := strconv.Atoi(args[1]); err == nil {
				stop = func(name string) { p.phone.stopOf(name, user) }
			}
			args = args[2:]
		}
		if len(args) != 1 {
			return p.amUsage("Error: expected a package")
		}
		stop(args[0])
		return 0
	case "broadcast":
		var intent []string
		for i := 0; i+1 < len(args); i++ {
			if args[i] == "-a" {
				intent = append(intent, "act="+args[i+1])
			}
		}
		return p.Print("Broadcasting: Intent { " + strings.Join(append(intent, "flg=0x400000"), " ") + " }\nBroadcast completed: result=0\n")
	case "get-current-user":
		return p.Print("0\n")
	case "stack", "kill", "kill-all", "wait-for-idle", "wait-for-broadcast-idle", "set-debug-app", "clear-debug-app":
		return 0
	}
	return p.amUsage("Unknown command: " + p.Args[1])
}

func (p *process) amUsage(problem string) int {
	return p.usage(problem, "Activity manager (activity) commands:\n"+
		"  start-activity [-D] [-N] [-W] [-S] <INTENT>\n"+
		"  force-stop [--user <USER_ID> | all | current] <PACKAGE>\n")
}

// startRequest holds the arguments of `am start`.
type startRequest struct {
	name     string   // the package; empty when only an action names it
	activity string   // the activity's full name; empty for the launcher entry
	intent   []string // the intent's parts as Android prints them
	user     int      // whose copy is meant
	wait     bool     // print how the start went
	stop     bool     // end the app first
}

// setComponent takes PACKAGE or PACKAGE/ACTIVITY.
func (r *startRequest) setComponent(text string) {
	r.name, r.activity, _ = strings.Cut(text, "/")
}

// parseStart reads the arguments of `am start`. A value that is missing at the end
// is empty. An unknown option is returned as it was given.
func parseStart(args []string) (r startRequest, unknown string) {
	value := func() (value string) {
		if len(args) > 0 {
			value, args = args[0], args[1:]
		}
		return value
	}
	for len(args) > 0 {
		switch arg := value(); arg {
		case "-W":
			r.wait = true
		case "-S":
			r.stop = true
		case "-n":
			r.setComponent(value())
		case "-p":
			r.name = value()
		case "-a":
			r.intent = append(r.intent, "act="+value())
		case "-c":
			r.intent = append(r.intent, "cat=["+value()+"]")
		case "-d":
			r.intent = append(r.intent, "dat="+value())
		case "-f":
			r.intent = append(r.intent, "flg="+value())
		case "--user":
			r.user, _ = strconv.Atoi(value()) // "current" is 0
		case "--es", "--ei", "--ez", "-e": // an extra has a name and a value
			value()
			value()
		case "-D", "-N", "-R", "--activity-clear-top", "--activity-single-top", "--activity-brought-to-front":
		default:
			if strings.HasPrefix(arg, "-") {
				return r, arg
			}
			r.setComponent(arg)
		}
	}
	if strings.HasPrefix(r.activity, ".") {
		r.activity = r.name + r.activity
	}
	switch {
	case r.name != "" && r.activity != "":
		r.intent = append(r.intent, "cmp="+shortComponent(r.name, r.activity))
	case r.name != "":
		r.intent = append(r.intent, "pkg="+r.name)
	case slices.Contains(r.intent, "cat=[android.intent.category.HOME]"):
		r.name = homePackage
	}
	return r, ""
}

func (p *process) amStart(args []string) int {
	request, unknown := parseStart(args)
	if unknown != "" {
		return p.amUsage("Error: Unknown option: " + unknown)
	}
	name, intent := request.name, strings.Join(request.intent, " ")
	p.Print("Starting: Intent { " + intent + " }\n")
	if request.stop {
		p.phone.ForceStop(name)
	}
	front := p.phone.Foreground()
	start := func() error { return p.phone.launch(name, request.user) }
	if request.activity == "" && name != homePackage && p.phone.chooses() {
		start = p.phone.openChooser // for the two entries that the intent fits
	}
	if err := start(); err != nil {
		if request.activity != "" {
			p.ErrPrint("Error type 3\nError: Activity class {" + name + "/" + request.activity + "} does not exist.\n")
		} else {
			p.ErrPrint("Error: Activity not started, unable to resolve Intent { " + intent + " }\n")
		}
		if p.phone.config.SDK >= 26 {
			return 1
		}
		return 0
	}
	if front == name {
		p.ErrPrint("Warning: Activity not started, intent has been delivered to currently running top-most instance.\n")
	}
	if request.wait {
		return p.Print("Status: ok\nLaunchState: COLD\nActivity: " + component(name) + "\nTotalTime: 0\nWaitTime: 0\nComplete\n")
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

// processes is the list that ps prints: a few of the system's processes, and the
// apps.
func (a *appList) processes() []runningApp {
	list := []runningApp{{name: "init", pid: 1}, {name: "surfaceflinger", pid: 512}, {name: "adbd", pid: 640},
		{name: "system_server", pid: 900}}
	for _, app := range a.running {
		list = append(list, runningApp{name: app.name, pid: app.pid})
	}
	slices.SortFunc(list, func(a, b runningApp) int { return a.pid - b.pid })
	return list
}

func (p *Phone) processes() []runningApp {
	p.mu.Lock()
	list := p.apps.processes()
	p.mu.Unlock()
	for _, pid := range p.Recorders() {
		list = append(list, runningApp{name: recorderName, pid: pid})
	}
	return list
}

func runPidof(p *process) int {
	var found []string
	for _, running := range p.phone.processes() {
		if slices.Contains(p.Args[1:], running.name) {
			found = append(found, strconv.Itoa(running.pid))
		}
	}
	if len(found) == 0 {
		return 1
	}
	return p.Print(strings.Join(found, " ") + "\n")
}

func runPs(p *process) int {
	var out strings.Builder
	out.WriteString("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n")
	for _, running := range p.phone.processes() {
		user, parent := "system", 1
		if strings.Contains(running.name, ".") {
			user, parent = "u0_a100", 700
		}
		fmt.Fprintf(&out, "%-12s %5d %5d %7d %6d %-16s %4d S %s\n", user, running.pid, parent, 1400000, 90000, "0", 0, running.name)
	}
	return p.Print(out.String())
}
