package simphone

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// cmdServices are the services that cmd reaches, each with its command.
func cmdServices() map[string]commandFunc {
	return map[string]commandFunc{"activity": runAm, "package": runPm, "window": runWm, "settings": runSettings, "input": runInput}
}

// runCmd calls a service: am, pm, wm, settings and input by their other names.
func runCmd(p *process) int {
	const failed = 20 // cmd's exit code when it calls no service
	args := p.Args[1:]
	if len(args) > 0 && args[0] == "-w" { // wait for the service
		args = args[1:]
	}
	services := cmdServices()
	switch {
	case len(args) == 0:
		p.ErrPrint("cmd: No service specified; use -l to list all running services. Use -w to start and wait for service.\n")
		return failed
	case services[args[0]] == nil || args[0] == "input" && inputGenerationOf(p.phone.config.SDK) < inputService:
		p.ErrPrint("cmd: Can't find service: " + args[0] + "\n")
		return failed
	}
	inner := *p.Process
	inner.Args = args
	return services[args[0]](&process{Process: &inner, phone: p.phone})
}

func runPm(p *process) int {
	args := p.Args[1:]
	if len(args) == 0 {
		return p.pmUsage("")
	}
	verb := args[0]
	args = args[1:]
	// The user does not matter: there is only one.
	if i := slices.Index(args, "--user"); i >= 0 && i+1 < len(args) {
		args = slices.Delete(slices.Clone(args), i, i+2)
	}
	switch verb {
	case "list":
		return p.pmList(args)
	case "path":
		if len(args) == 1 {
			if !p.isInstalled(args[0]) {
				return 1
			}
			return p.Print("package:" + packageFile(args[0]) + "\n")
		}
	case "dump":
		if len(args) == 1 {
			return p.dumpPackage(args[0])
		}
	case "clear":
		if len(args) == 1 {
			if !p.isInstalled(args[0]) {
				p.Print("Failed\n")
				return 1
			}
			p.phone.ForceStop(args[0])
			return p.Print("Success\n")
		}
	case "resolve-activity", "query-activities":
		return p.resolveActivity(args, verb == "query-activities")
	case "install", "install-create", "install-write", "install-commit", "install-streaming", "install-existing":
		p.receive(args)
		p.Print("Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]\n")
		return 1
	case "uninstall":
		p.Print("Failure [DELETE_FAILED_INTERNAL_ERROR]\n")
		return 1
	case "grant", "revoke":
		if len(args) >= 2 && p.isInstalled(args[0]) {
			return 0
		}
		p.ErrPrint("\nException occurred while executing '" + verb + "':\njava.lang.IllegalArgumentException: Unknown package\n")
		return 255
	}
	return p.pmUsage("Unknown command: " + verb)
}

// runIme knows the one keyboard that exists.
func runIme(p *process) int {
	const keyboard = "com.android.inputmethod.latin/.LatinIME"
	args := p.Args[1:]
	switch {
	case len(args) > 0 && args[0] == "list" && slices.Contains(args, "-s"):
		return p.Print(keyboard + "\n")
	case len(args) > 0 && args[0] == "list":
		return p.Print(keyboard + ":\n  mId=" + keyboard + " mSettingsActivityName=null mIsVrOnly=false\n  mIsDefaultResId=0x7f050000\n")
	case len(args) == 2 && slices.Contains([]string{"enable", "disable", "set"}, args[0]):
		if args[1] != keyboard {
			p.ErrPrint("Unknown input method " + args[1] + " cannot be " + args[0] + " for user #0\n")
			return 255
		}
		return p.Print("Input method " + keyboard + ": " + args[0] + " for user #0\n")
	}
	p.ErrPrint("ime <command>:\n  list [-a] [-s]\n  enable <ID>\n  disable <ID>\n  set <ID>\n")
	return 255
}

// receive reads the package that is sent, of the length given with -S; the sender
// waits for an answer and does not end the stream.
func (p *process) receive(args []string) {
	i := slices.Index(args, "-S")
	if i < 0 || i+1 >= len(args) {
		return
	}
	if size, err := strconv.ParseInt(args[i+1], 10, 64); err == nil && size > 0 {
		// A package that is cut short is refused as well.
		_, _ = io.CopyN(io.Discard, p.Stdin, size)
	}
}

func (p *process) pmUsage(problem string) int {
	return p.usage(problem, "Package manager (package) commands:\n"+
		"  list packages [-f] [-3] [-s] [FILTER]\n  list features\n  list users\n  path PACKAGE\n  dump PACKAGE\n  clear PACKAGE\n"+
		"  resolve-activity [--brief] [-a ACTION] [-c CATEGORY] [PACKAGE]\n")
}

func (p *process) isInstalled(name string) bool {
	p.phone.mu.Lock()
	defer p.phone.mu.Unlock()
	_, ok := p.phone.apps.installed[name]
	return ok
}

// packageFile is the path of a package's file.
func packageFile(name string) string { return "/data/app/" + name + "/base.apk" }

// pmList is pm list: packages, features or users.
func (p *process) pmList(args []string) int {
	switch {
	case len(args) == 0:
	case args[0] == "users":
		return p.Print("Users:\n\tUserInfo{0:Owner:c13} running\n" + p.phone.twinUser())
	case args[0] == "features":
		return p.Print("feature:reqGlEsVersion=0x30002\nfeature:android.hardware.touchscreen\nfeature:android.hardware.touchscreen.multitouch\n")
	case args[0] == "package" || args[0] == "packages":
		return p.pmPackages(args[1:])
	}
	p.ErrPrint("Error: unknown list type '" + strings.Join(args, " ") + "'\n")
	return 255
}

func (p *process) pmPackages(args []string) int {
	flags, filter := map[string]bool{}, ""
	for _, arg := range args {
		switch {
		case slices.Contains([]string{"-f", "-3", "-s", "-d", "-e", "-u", "-a", "--show-versioncode"}, arg):
			flags[arg] = true
		case strings.HasPrefix(arg, "-"):
			p.ErrPrint("Error: Unknown option: " + arg + "\n")
			return 255
		default:
			filter = arg
		}
	}
	phone := p.phone
	phone.mu.Lock()
	names := slices.Clone(phone.apps.names)
	phone.mu.Unlock()
	var out strings.Builder
	for _, name := range names {
		system := name == homePackage
		if flags["-3"] && system || flags["-s"] && !system || flags["-d"] || !strings.Contains(name, filter) {
			continue
		}
		line := "package:" + name
		if flags["-f"] {
			line = "package:" + packageFile(name) + "=" + name
		}
		if flags["--show-versioncode"] {
			line += " versionCode:1"
		}
		out.WriteString(line + "\n")
	}
	return p.Print(out.String())
}

// resolveActivity prints the activity that an intent leads to or, with all, every one
// that it fits.
func (p *process) resolveActivity(args []string, all bool) int {
	name := ""
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--brief": // the form in which it is printed here
		case slices.Contains([]string{"-a", "-c", "-d", "-t", "-f"}, arg):
			i++ // its value decides nothing
		case strings.HasPrefix(arg, "-"):
			p.ErrPrint("Error: Unknown option: " + arg + "\n")
			return 255
		default:
			name, _, _ = strings.Cut(arg, "/")
		}
	}
	switch {
	case !p.isInstalled(name):
		return p.Print("No activity found\n")
	case name != homePackage && p.phone.chooses():
		return p.printEntries(name, all)
	}
	return p.Print("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\n" + component(name) + "\n")
}

// The exit codes of monkey.
const (
	monkeyBadArguments = 255
	monkeyNoActivity   = 252
)

// monkeyCall holds the arguments of monkey.
type monkeyCall struct {
	packages, categories []string
	verbose              bool
	count                int // of events; below 0: none was given
	port                 int // to listen on for clients; 0: none
}

// runMonkey opens an app, which is what clients use it for, or listens for them. Of the
// events that it is to inject only the first, which opens the app, is one here.
func runMonkey(p *process) int {
	m, problem := parseMonkey(p.Args[1:])
	if problem != "" || m.count < 0 && m.port == 0 {
		if problem != "" {
			p.ErrPrint("** Error: " + problem + "\n")
		}
		p.ErrPrint(usage("monkey"))
		return monkeyBadArguments
	}
	if p.phone.config.SDK >= 24 {
		for _, arg := range p.Args[1:] {
			p.ErrPrint("  bash arg: " + arg + "\n")
		}
	}
	var names []string
	p.phone.mu.Lock()
	for _, name := range p.phone.apps.names {
		if len(m.packages) == 0 && name != homePackage || slices.Contains(m.packages, name) {
			names = append(names, name)
		}
	}
	p.phone.mu.Unlock()
	known := func(category string) bool {
		return category == "android.intent.category.LAUNCHER" || category == "android.intent.category.MONKEY"
	}
	if len(names) == 0 || len(m.categories) > 0 && !slices.ContainsFunc(m.categories, known) {
		p.Print("** No activities found to run, monkey aborted.\n")
		return monkeyNoActivity
	}
	if m.verbose {
		p.Printf(":Monkey: seed=0 count=%d\n", m.count)
		for _, name := range m.packages {
			p.Print(":AllowPackage: " + name + "\n")
		}
	}
	if m.port != 0 {
		return p.serveMonkey(m)
	}
	if m.verbose {
		p.Printf(":Switch: #Intent;action=android.intent.action.MAIN;category=android.intent.category.LAUNCHER;launchFlags=0x10200000;component=%s;end\n", component(names[0]))
	}
	if m.count > 0 {
		_ = p.phone.Launch(names[0]) // the count of events does not show an app that does not start
	}
	p.phone.autoRotate()
	p.Printf("Events injected: %d\n", m.count)
	p.Print("## Network stats: elapsed time=0ms (0ms mobile, 0ms wifi, 0ms not connected)\n")
	if m.verbose {
		p.Print("// Monkey finished\n")
	}
	return 0
}

// parseMonkey reads the arguments, or says what is wrong with them. A count below
// zero means none was given.
func parseMonkey(args []string) (m monkeyCall, problem string) {
	m.count = -1
	number := func(name, text string) int {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			problem = fmt.Sprintf("%s is not a number: %q", name, text)
		}
		return n
	}
	for len(args) > 0 && problem == "" {
		arg := args[0]
		args = args[1:]
		value := ""
		if slices.Contains([]string{"-p", "-c", "-s", "-f", "--setup", "--throttle", "--profile-wait", "--device-sleep-time", "--port"}, arg) || strings.HasPrefix(arg, "--pct-") {
			if len(args) == 0 {
				return m, "option requires an argument: " + arg
			}
			value, args = args[0], args[1:]
		}
		switch {
		case arg == "-p":
			m.packages = append(m.packages, value)
		case arg == "-c":
			m.categories = append(m.categories, value)
		case arg == "--port":
			m.port = number("Server port to listen on for commands", value)
		case strings.HasPrefix(arg, "-v"):
			m.verbose = true
		case strings.HasPrefix(arg, "-"): // options to ignore, report or wait for errors make no difference here
		default:
			m.count = number("Count", arg)
		}
	}
	return m, problem
}
