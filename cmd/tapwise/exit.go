package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/play/player"
	"tapwise/solvers"
)

// The exit codes, which doc.go explains.
const (
	exitDone       = 0
	exitInternal   = 1
	exitUsage      = 2
	exitNoSolution = 3
	exitUnreadable = 4
	exitPhone      = 5
	exitNotWon     = 6
	exitOutOfTime  = 7
	exitInterrupt  = 130
)

// badInput marks an error as one of the input.
func badInput(err error) error { return cause.Input(err) }

func badInputf(format string, a ...any) error { return cause.Inputf(format, a...) }

// phoneFailed marks an error as one of the phone.
func phoneFailed(err error) error { return cause.Phone(err) }

// outOfTime says that a search was not decided in its time.
func outOfTime(format string, a ...any) error { return cause.Timef(format, a...) }

// codeError asks for an exit code when what there was to say is already said.
type codeError int

func (e codeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// interruption is the reason why a run ends that nobody asked to end. Otherwise it
// is treated as Ctrl-C is.
type interruption string

func (i interruption) Error() string      { return string(i) }
func (interruption) Is(target error) bool { return target == context.Canceled }

// errUnread is why a run ends when its output has nobody left to read it.
const errUnread = interruption("nothing reads the output any more")

// exitCode returns the exit code of the process for an error.
func exitCode(err error) int {
	var (
		code  codeError
		usage cause.InputError
		phone cause.PhoneError
		rule  *solvers.RuleError
		read  *solvers.ReadError
	)
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, context.Canceled):
		return exitInterrupt
	case errors.Is(err, player.ErrNotWon):
		return exitNotWon
	case errors.Is(err, player.ErrPhone), errors.Is(err, player.ErrScreenChanged), errors.As(err, &phone):
		return exitPhone
	case errors.Is(err, player.ErrUnreadable), errors.As(err, &read):
		return exitUnreadable
	case errors.Is(err, solvers.ErrNoSolution):
		return exitNoSolution
	case errors.As(err, &usage), errors.As(err, &rule), errors.Is(err, solvers.ErrNoCover), errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		return exitUsage
	case errors.Is(err, context.DeadlineExceeded):
		return exitOutOfTime
	}
	return exitInternal
}

// severity puts exit codes in order, from good to bad: the worst tells most about
// what to look at.
func severity(code int) int {
	order := []int{exitDone, exitNotWon, exitNoSolution, exitOutOfTime, exitUnreadable, exitPhone, exitUsage, exitInternal, exitInterrupt}
	if i := slices.Index(order, code); i >= 0 {
		return i
	}
	return len(order)
}

// worse returns the worse of two outcomes of a command, the first when they are
// equally bad. Nil is success.
func worse(a, b error) error {
	if severity(exitCode(b)) > severity(exitCode(a)) {
		return b
	}
	return a
}
