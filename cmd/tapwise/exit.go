package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"tapwise/adb"
	"tapwise/cmd/internal/cause"
	"tapwise/cmd/internal/phonelock"
	"tapwise/cmd/internal/player"
	"tapwise/cmd/internal/recognise"
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

// hint returns what a person can do about an error; empty when there is nothing to
// add.
func hint(err error) string {
	var failure *player.Failure
	var held *phonelock.HeldError
	var unsolved *recognise.TimeError
	switch {
	case errors.Is(err, context.Canceled):
		return ""
	case errors.As(err, &held):
		return heldHint(held)
	case errors.Is(err, adb.ErrNoADB):
		return "install adb (Debian: apt install adb), or say where a server listens with --adb-host and --adb-port"
	case networkHint(err) != "":
		return networkHint(err)
	case errors.Is(err, adb.ErrNoServer):
		return "start it with `adb start-server`, or say where it listens with --adb-port"
	case errors.Is(err, adb.ErrManyDevices):
		return "choose one with --serial"
	case errors.Is(err, adb.ErrUnauthorized):
		return "unlock the phone and accept the question about USB debugging; over Wi-Fi, from Android 11 on, `tapwise pair` comes first"
	case errors.Is(err, adb.ErrNoPermissions):
		return "install udev rules for the phone (Debian: apt install android-sdk-platform-tools-common), then plug it in again"
	case errors.Is(err, adb.ErrOffline):
		return "unplug the phone and plug it in again; over the network, `adb disconnect` and `adb connect`"
	case errors.Is(err, adb.ErrNoDevice):
		return "plug the phone in, switch USB debugging on in its developer options, and see `tapwise doctor`"
	case errors.Is(err, adb.ErrInputRefused):
		return "on Xiaomi and POCO phones switch on \"USB debugging (Security settings)\" in the developer options"
	case errors.Is(err, adb.ErrLocked), errors.Is(err, player.ErrLocked):
		return "switch it on and unlock it: tapwise swipes no lock screen away and types no PIN"
	case errors.Is(err, adb.ErrScreenOff), errors.Is(err, player.ErrScreenOff):
		return "switch it on; `tapwise clear` wakes a phone that is asleep and not locked"
	case errors.Is(err, adb.ErrScreenChanged), errors.Is(err, player.ErrScreenChanged):
		return "leave the phone as it is held while it plays, and switch auto-rotation off"
	case errors.As(err, &failure) && failure.Evidence != "":
		return "what was seen and planned is kept in " + failure.Evidence
	case errors.Is(err, context.DeadlineExceeded) && (errors.As(err, &unsolved) || errors.Is(err, player.ErrUnsolved)):
		return "play.solve-deadline in the configuration is the time for solving"
	case errors.Is(err, solvers.ErrNoCover):
		return "take cover: false out of the profile, or make another without --cover=false"
	case errors.Is(err, player.ErrUnreadable):
		return "open a level of the game on the phone; `tapwise read --overlay seen.png SCREENSHOT` shows what is seen"
	}
	return ""
}

// networkHint returns what can be done about a phone that cannot be connected or paired
// over the network.
func networkHint(err error) string {
	switch {
	case errors.Is(err, adb.ErrConnectionRefused):
		return "on the phone's page \"Wireless debugging\" look up the address: its port changes whenever that is switched on; before Android 11 type `adb tcpip 5555` with the cable plugged in"
	case errors.Is(err, adb.ErrUnreachable):
		return "phone and computer have to be in the same network (guest networks keep them apart), and the phone's screen on; see that wireless debugging is on"
	case errors.Is(err, adb.ErrUnknownHost):
		return "give the address that the phone's page \"Wireless debugging\" shows"
	case errors.Is(err, adb.ErrPairing):
		return "open \"Pair device with pairing code\" again and give the address and the code that it shows now"
	case errors.Is(err, adb.ErrNoPairing):
		return "only adb 30.0 and later can (Debian 12 has 29.0): end this server with `adb kill-server` and put a newer adb first on the PATH; or plug the cable in once, type `adb tcpip 5555`, unplug it, and `tapwise connect` to the phone's address"
	}
	return ""
}

// heldHint returns what can be done about a phone that another process holds.
func heldHint(e *phonelock.HeldError) string {
	if e.Holder == nil {
		return "wait until it has ended"
	}
	return fmt.Sprintf("wait until it has ended, or end it: `kill -INT %d`", e.Holder.Process)
}
