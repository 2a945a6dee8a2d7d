package simphone

import (
	"context"
	"io"
	"strings"
	"time"

	"tapwise/adb/simphone/shell"
)

// device is the phone as its daemon sees it.
type device struct {
	*shell.Shell
	phone *Phone
}

// Reachable is false while a fault keeps the phone away.
func (d device) Reachable() bool { return !d.phone.troubles.away(d.phone.config.Clock()) }

// system is the phone as its shell sees it.
type system struct{ phone *Phone }

func (s system) SDK() int     { return s.phone.config.SDK }
func (s system) Name() string { return s.phone.config.Device }

func (s system) Program(name string) shell.Program {
	command := commands[name]
	if command == nil || !s.phone.config.has(name) || name == recorderName && s.phone.recorders.fails(recorderMissing) {
		return nil
	}
	return func(p *shell.Process) int {
		if cost := s.phone.config.startCost(name); cost > 0 {
			s.phone.log.Debug("a Java process starts", "command", strings.Join(p.Args, " "), "cost", cost)
			if shell.Sleep(p.Ctx, cost) != nil {
				return 130
			}
		}
		if s.phone.config.startsJava(name) && s.phone.linkerWarns() {
			p.ErrPrint(linkerText)
		}
		if s.phone.hung(p.Ctx, name) {
			return 130
		}
		return (&process{Process: p, phone: s.phone}).answered(command)
	}
}

func (s system) Adapt(name string, program shell.Program) shell.Program {
	if !s.phone.config.has(name) {
		return nil
	}
	rate := s.phone.config.Costs.GzipRate
	if name != "gzip" || rate == 0 {
		return program
	}
	return func(p *shell.Process) int {
		p.Stdin = &paced{ctx: p.Ctx, r: p.Stdin, rate: rate}
		return program(p)
	}
}

// paced is a reader that gives at most rate bytes a second on average.
type paced struct {
	ctx   context.Context
	r     io.Reader
	rate  int
	began time.Time
	count int64
}

func (r *paced) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	if r.began.IsZero() {
		r.began = time.Now()
	}
	r.count += int64(n)
	due := time.Duration(float64(r.count) / float64(r.rate) * float64(time.Second))
	if early := due - time.Since(r.began); early > time.Millisecond && shell.Sleep(r.ctx, early) != nil {
		return n, r.ctx.Err()
	}
	return n, err
}

// linkerText is what the linker of Android 4.4 and 5 prints before every Java program
// of phones whose app_process was built carelessly.
const linkerText = "WARNING: linker: app_process has text relocations. This is wasting memory and prevents security hardening. Please fix.\n"

func (p *Phone) linkerWarns() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.faults.linker
}

// process is a running command of Android's own: it can reach the phone.
type process struct {
	*shell.Process
	phone *Phone
}

// commandFunc is such a command; it returns the exit code.
type commandFunc func(p *process) int

// commands are Android's own; the others are the shell's.
var commands = map[string]commandFunc{
	"am": runAm, "cmd": runCmd, "dumpsys": runDumpsys, "getevent": runGetevent, "getprop": runGetprop, "hid": runHID, "ime": runIme, "input": runInput, "kill": runKill, "logcat": runLogcat,
	"monkey": runMonkey, "pidof": runPidof, "pm": runPm, "ps": runPs, "screencap": runScreencap, "screenrecord": runScreenrecord, "setprop": runSetprop,
	"settings": runSettings, "uinput": runUinput, "wm": runWm,
}
