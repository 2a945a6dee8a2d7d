package simphone

import (
	"context"
	"io"
	"slices"
	"strings"

	"tapwise/adb/simphone/shell"
)

// An Answer is how a phone answers one of its commands where it is not as Android's
// sources have it: makers refuse things, and what is loaded into every program prints
// lines of its own.
type Answer struct {
	// Command is the words that the command begins with, such as "settings put". "sh" is
	// the shell itself as it starts. Empty is every command of Android's but kill, screencap
	// and screenrecord: the first is no Java program, and frames have faults of their own.
	Command string
	// Before and After are printed around what the command prints, on standard output.
	Before, After string
	// Instead: the command does and prints nothing itself, and ends with Status.
	Instead bool
	Status  int
}

const shellItself = "sh"

// answers reports whether an Answer is one to a command line.
func (a Answer) answers(line string) bool {
	if a.Command == "" {
		name, _, _ := strings.Cut(line, " ")
		return !slices.Contains([]string{shellItself, "kill", "screencap", recorderName}, name)
	}
	rest, ok := strings.CutPrefix(line, a.Command)
	return ok && (rest == "" || rest[0] == ' ')
}

// AddAnswers makes the phone answer commands otherwise from now on. Where several answer
// one command, all print, and one that does nothing wins.
func (p *Phone) AddAnswers(answers ...Answer) {
	p.locked(func() { p.faults.answers = append(slices.Clip(p.faults.answers), answers...) })
}

// ClearAnswers ends that.
func (p *Phone) ClearAnswers() {
	p.locked(func() { p.faults.answers = nil })
}

// answersTo are those to a command line.
func (p *Phone) answersTo(line string) (found []Answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.faults.answers {
		if a.answers(line) {
			found = append(found, a)
		}
	}
	return found
}

// answered runs one of Android's commands as the phone answers it. What cmd calls is
// known by its own name.
func (p *process) answered(command commandFunc) int {
	args := p.Args
	if len(args) > 1 && args[0] == "cmd" {
		args = args[1:]
	}
	answers := p.phone.answersTo(strings.Join(args, " "))
	for _, a := range answers {
		p.Print(a.Before)
	}
	instead := slices.IndexFunc(answers, func(a Answer) bool { return a.Instead })
	status := 0
	if instead >= 0 {
		status = answers[instead].Status
	} else {
		status = command(p)
	}
	for _, a := range answers {
		p.Print(a.After)
	}
	return status
}

// Run is the shell's, which may print lines of its own first and last.
func (d device) Run(ctx context.Context, call shell.Call) int {
	answers := d.phone.answersTo(shellItself)
	for _, a := range answers {
		_, _ = io.WriteString(call.Stderr, a.Before) // whoever is gone reads nothing
	}
	status := d.Shell.Run(ctx, call)
	for _, a := range answers {
		_, _ = io.WriteString(call.Stderr, a.After)
	}
	return status
}
