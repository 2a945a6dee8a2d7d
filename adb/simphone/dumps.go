package simphone

import (
	"embed"
	"fmt"
	"hash/crc32"
	"image"
	"slices"
	"strings"
	"text/template"
	"time"
)

//go:embed dumps
var dumpTexts embed.FS

// dumps are the parts of what dumpsys prints, in the form of each Android.
var dumps = template.Must(template.New("").Funcs(template.FuncMap{
	// What Android prints for an object: two numbers stand for its address.
	"hex":    func(a, b int) string { return fmt.Sprintf("%07x", a*b) },
	"ref":    func(a, b int) string { return fmt.Sprintf("{%07x", a*b) },
	"object": func(name string) string { return fmt.Sprintf("%07x", crc32.ChecksumIEEE([]byte(name))&0xffffff) },
}).ParseFS(dumpTexts, "dumps/*.txt"))

// dumpServices are the services that dumpsys knows, sorted by name.
var dumpServices = [...]string{"SurfaceFlinger", "activity", "display", "input", "package", "power", "window"}

func runDumpsys(p *process) int {
	args := p.Args[1:]
	if len(args) > 1 && args[0] == "-t" { // seconds to wait for
		args = args[2:]
	}
	if len(args) == 0 || args[0] == "-l" {
		return p.Print("Currently running services:\n  " + strings.Join(dumpServices[:], "\n  ") + "\n")
	}
	state, part := p.phone.state(), strings.Join(args[1:], " ")
	switch args[0] {
	case "window":
		return p.dump(state, windowParts(part)...)
	case "activity":
		switch part {
		case "", "activities", "a", "recents", "-a":
			return p.dump(state, "activities")
		case "processes", "p":
			return p.dump(state, "processes")
		}
		return p.Print("Bad activity command, or no activities match: " + part + "\nUse -h for help.\n")
	case "input":
		state.Devices, state.Touched = p.phone.hands.Dump(), p.phone.touched()
		return p.dump(state, "input")
	case "package":
		return p.dumpPackage(part)
	case "display", "power":
		return p.dump(state, args[0])
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

// dump prints parts of a dump.
func (p *process) dump(state *state, parts ...string) int {
	var b strings.Builder
	state.Whole = len(parts) > 1
	for _, part := range parts {
		if err := dumps.ExecuteTemplate(&b, part, state); err != nil {
			p.phone.log.Error("dump", "part", part, "error", err)
		}
	}
	return p.Print(b.String())
}

// windowParts are the parts of dumpsys window that an argument asks for.
func windowParts(argument string) []string {
	all := []string{"lastanr", "policy", "displays", "windows"}
	switch argument {
	case "", "-a":
		return all
	case "policy", "p":
		return all[1:2]
	case "displays", "d":
		return all[2:3]
	case "windows", "w":
		return all[3:]
	}
	return nil
}

// dumpPackage describes a package.
func (p *process) dumpPackage(name string) int {
	state := p.phone.state()
	if state.Package = name; !slices.Contains(p.phone.apps.names, name) {
		return p.Print("Unable to find package: " + name + "\n")
	}
	return p.dump(state, "package")
}

// state is the phone at one moment, as dumps describe it.
type state struct {
	display            // the one with the apps
	Displays []display // all of them

	Front     dumpedApp
	Running   []dumpedApp // from top to bottom
	Processes []dumpedApp // the apps in the order of their start

	On, Doze, Locked, Secure bool
	StayOn                   bool   // the screen does not go off while the phone is charged
	Timeout                  string // milliseconds until it does
	Wakefulness              string
	Woken, Slept             dumpedTime
	UpTime                   time.Duration

	Devices string // what the input devices' dump says
	Touched bool   // a finger is on the screen
	Package string // that is described
	Whole   bool   // all parts of a dump are printed
}

// dumpedTime is a moment, since the phone's start and before now.
type dumpedTime struct{ At, Ago time.Duration }

// dumpedApp is a running app.
type dumpedApp struct {
	Name, Component string
	PID, User       int
	InFront         bool
}

func (a dumpedApp) Task() int { return 100 + a.PID%100 }

// Record is the app's activity as Android prints it.
func (a dumpedApp) Record() string {
	return fmt.Sprintf("ActivityRecord{%07x u%d %s t%d}", a.PID*7919, a.User, a.Component, a.Task())
}

func (p *Phone) state() *state {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.config.Clock()
	moment := func(at time.Time) dumpedTime { return dumpedTime{at.Sub(p.booted), now.Sub(at)} }
	s := &state{On: p.screen.on, Doze: p.screen.doze, Locked: p.screen.locked, Secure: p.screen.lock == LockPIN,
		StayOn: p.settings["global"]["stay_on_while_plugged_in"] != "0", Timeout: p.settings["system"]["screen_off_timeout"],
		Wakefulness: "Awake", Woken: moment(p.screen.woken), Slept: moment(p.screen.slept), UpTime: now.Sub(p.booted)}
	switch {
	case s.On:
	case s.Doze:
		s.Wakefulness = "Dozing"
	default:
		s.Wakefulness = "Asleep"
	}
	front := p.apps.running[len(p.apps.running)-1]
	for _, r := range p.apps.running {
		s.Processes = append(s.Processes, dumpedApp{r.name, r.component(), r.pid, r.user, r == front})
	}
	s.Running = slices.Clone(s.Processes)
	slices.Reverse(s.Running)
	s.Front = s.Running[0]
	s.display = p.appsDisplay(s.Front, front.activity)
	if cover := p.config.Cover; cover != (image.Point{}) {
		s.Displays = append(s.Displays, display{SDK: p.config.SDK, Physical: coverID, Natural: cover, Set: cover, Seen: cover, Built: cover,
			Density: p.config.Density, SetDensity: p.config.Density, Focus: "null", FocusedApp: "null"})
	}
	s.Displays = append(s.Displays, s.display)
	return s
}

// touched reports whether a finger is on the screen.
func (p *Phone) touched() bool {
	p.appMu.Lock()
	defer p.appMu.Unlock()
	return p.touch.down
}
