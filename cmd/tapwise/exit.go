package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"tapwise/adb"
	"tapwise/cmd/internal/player"
	"tapwise/solvers"
)

// The exit codes.
const (
	exitDone       = 0
	exitInternal   = 1
	exitUsage      = 2
	exitNoSolution = 3
	exitUnreadable = 4
	exitPhone      = 5
	exitNotWon     = 6
	exitInterrupt  = 130
)

// usageError is bad input: arguments, files, configuration.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// badInput marks an error as one of the input.
func badInput(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

func badInputf(format string, a ...any) error { return usageError{fmt.Errorf(format, a...)} }

// phoneError is a failure of the phone or of the way to it.
type phoneError struct{ err error }

func (e phoneError) Error() string { return e.err.Error() }
func (e phoneError) Unwrap() error { return e.err }

// phoneFailed marks an error as one of the phone.
func phoneFailed(err error) error {
	if err == nil {
		return nil
	}
	return phoneError{err}
}

// codeError asks for an exit code when what there was to say is already said.
type codeError int

func (e codeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// exitCode decides what the process exits with.
func exitCode(err error) int {
	var (
		code  codeError
		usage usageError
		phone phoneError
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
	}
	return exitInternal
}

// hint is what a person can do about an error, empty when there is nothing to
// add.
func hint(err error) string {
	var failure *player.Failure
	switch {
	case errors.Is(err, context.Canceled):
		return ""
	case errors.Is(err, adb.ErrNoServer):
		return "start it with `adb start-server`, or say where it listens with --adb-port"
	case errors.Is(err, adb.ErrManyDevices):
		return "choose one with --serial"
	case errors.Is(err, adb.ErrUnauthorized):
		return "unlock the phone and accept the question about USB debugging"
	case errors.Is(err, adb.ErrNoPermissions):
		return "install udev rules for the phone (Debian: apt install android-sdk-platform-tools-common), then plug it in again"
	case errors.Is(err, adb.ErrOffline):
		return "unplug the phone and plug it in again; over the network, `adb disconnect` and `adb connect`"
	case errors.Is(err, adb.ErrNoDevice):
		return "plug the phone in, switch USB debugging on in its developer options, and see `tapwise doctor`"
	case errors.Is(err, adb.ErrInputRefused):
		return "on Xiaomi and POCO phones switch on \"USB debugging (Security settings)\" in the developer options"
	case errors.Is(err, adb.ErrScreenChanged), errors.Is(err, player.ErrScreenChanged):
		return "leave the phone as it is held while it plays, and switch auto-rotation off"
	case errors.As(err, &failure) && failure.Evidence != "":
		return "what was seen and planned is kept in " + failure.Evidence
	case errors.Is(err, solvers.ErrNoCover):
		return "take cover: false out of the profile, or make another without --cover=false"
	case errors.Is(err, player.ErrUnreadable):
		return "open a level of the game on the phone; `tapwise read --overlay seen.png SCREENSHOT` shows what is seen"
	}
	return ""
}
