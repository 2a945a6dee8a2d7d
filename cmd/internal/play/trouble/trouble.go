// Package trouble tells a person what went wrong on a phone in one plain sentence, and what
// helps. The page and the command line say the same.
//
//	t := trouble.Of(err)
//	fmt.Println(t.Say, t.Hint)
package trouble

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tapwise/adb"
	"tapwise/adb/hand"
	"tapwise/adb/hand/pointer"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/cmd/internal/play/phonelock"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/run"
	"tapwise/solvers"
	"tapwise/vision"
)

// Trouble is a failure as a person is told of it.
type Trouble struct {
	Say  string // one sentence; empty where the error says enough
	Do   Do     // what helps at once; empty where nothing does
	Game string // the game to play, for Play
	// Evidence is the folder of what was seen and planned; empty without one.
	Evidence string
	Hint     string // what a person can do; empty when there is nothing to add
}

// Do is something that helps and that a program can do when it is asked to.
type Do string

// What helps.
const (
	Play      Do = "play"      // the game that is on the screen
	Wake      Do = "wake"      // the phone
	Look      Do = "look"      // at it again
	Calibrate Do = "calibrate" // the app
	Serve     Do = "serve"     // start the adb server
)

// Of tells what an error means.
func Of(err error) Trouble {
	t := Trouble{Hint: Hint(err)}
	var other *run.OtherGameError
	var failure *player.Failure
	var held *phonelock.HeldError
	if errors.As(err, &failure) {
		t.Evidence = failure.Evidence
	}
	switch {
	case errors.Is(err, context.Canceled):
		return t
	case errors.As(err, &other):
		t.Say, t.Do, t.Game = fmt.Sprintf("This is %s, not %s.", Title(other.Seen), Title(other.Asked)), Play, other.Seen
		return t
	case errors.As(err, &held):
		t.Say, t.Do = "Another tapwise plays on this phone.", Look
		return t
	}
	for _, a := range advice {
		if errors.Is(err, a.kind) {
			t.Say, t.Do = a.means, a.do
			return t
		}
	}
	var frame *adb.FrameError
	switch {
	case errors.As(err, &frame) && (frame.Kind == adb.FrameBlack || frame.Kind == adb.FrameBand):
		t.Say, t.Do = "The phone shows nothing but black.", Wake
	case errors.Is(err, player.ErrUnreadable) && failure != nil && failure.Stage == string(player.StateRead):
		t.Say, t.Do = "The board on the screen cannot be read for certain.", Calibrate
	case errors.Is(err, player.ErrUnreadable):
		t.Say, t.Do = "The screen shows no level that can be read.", Look
	case errors.Is(err, player.ErrNotWon):
		t.Say, t.Do = "The level was played, but the app does not say that it is won.", Look
	case errors.Is(err, player.ErrUnsolved):
		t.Say, t.Do = "The board was read, but not solved in time.", Look
	case errors.Is(err, player.ErrComplete):
		t.Say, t.Do = "This level is complete already.", Look
	case errors.Is(err, player.ErrPhone):
		t.Say, t.Do = "The phone does not do what it is asked to.", Look
	}
	return t
}

// Title is a game's name as a person writes it.
func Title(game string) string {
	return strings.ToUpper(game[:min(1, len(game))]) + game[min(1, len(game)):]
}

// advice is what errors of one kind mean and what helps against them, the first that fits.
var advice = []struct {
	kind  error
	means string
	do    Do
	say   func(error) string
}{
	{adb.ErrNoADB, "The program adb is not installed.", "", stated("install adb (Debian: apt install adb), or say where a server listens with --adb-host and --adb-port")},
	{adb.ErrServerEnds, "Something keeps ending the adb server.", Serve, stated("something ends the adb server: two tools with adbs of different versions do that to each other (see `adb version`), and so does a script with `adb kill-server`")},
	{adb.ErrNoServer, "No adb server is running.", Serve, stated("start it with `adb start-server`, or say where it listens with --adb-port")},
	{adb.ErrManyDevices, "There are several phones.", "", stated("choose one with --serial")},
	{adb.ErrUnauthorized, "The phone has not allowed this computer yet.", Look, stated("unlock the phone and accept the question about USB debugging; over Wi-Fi, from Android 11 on, `tapwise pair` comes first")},
	{adb.ErrNoPermissions, "This computer may not use the phone.", Look, stated("install udev rules for the phone (Debian: apt install android-sdk-platform-tools-common), then plug it in again")},
	{adb.ErrOffline, "The phone does not answer.", Look, stated("unplug the phone and plug it in again; over the network, `adb disconnect` and `adb connect`")},
	{adb.ErrNoDevice, "The phone is not connected.", Look, stated("plug the phone in, switch USB debugging on in its developer options, and see `tapwise doctor`")},
	{adb.ErrDrawnOver, "The phone draws its own marks over the board.", Look, stated("switch it off in the phone's developer options, or type `adb shell settings put system pointer_location 0` (Show taps: show_touches)")},
	{adb.ErrSettingRefused, "The phone does not let its settings be changed.", "", stated("in the developer options switch on \"Disable permission monitoring\" (OPPO, realme, OnePlus) or \"USB debugging (Security settings)\" (Xiaomi, Redmi, POCO)")},
	{adb.ErrFrameSize, "The picture of the screen has another size than the screen.", Look, frameSize},
	{adb.ErrInputRefused, "The phone refuses to be touched.", Look, touchRefused},
	{adb.ErrLocked, "The phone is locked.", Look, stated("switch it on and unlock it: tapwise swipes no lock screen away and types no PIN")},
	{player.ErrLocked, "The phone is locked.", Look, stated("switch it on and unlock it: tapwise swipes no lock screen away and types no PIN")},
	{adb.ErrScreenOff, "The phone's screen is off.", Wake, stated("switch it on; `tapwise clear` wakes a phone that is asleep and not locked")},
	{player.ErrScreenOff, "The phone's screen is off.", Wake, stated("switch it on; `tapwise clear` wakes a phone that is asleep and not locked")},
	{adb.ErrScreenChanged, "The phone was turned while it was played on.", Look, stated("leave the phone as it is held while it plays, and switch auto-rotation off")},
	{player.ErrScreenChanged, "The phone was turned while it was played on.", Look, stated("leave the phone as it is held while it plays, and switch auto-rotation off")},
}

// stated is advice that is the same for every error of its kind.
func stated(text string) func(error) string { return func(error) string { return text } }

// Hint returns what a person can do about an error; empty when there is nothing to add.
func Hint(err error) string {
	var held *phonelock.HeldError
	switch {
	case errors.Is(err, context.Canceled):
		return ""
	case errors.As(err, &held):
		return whileHeld(held)
	case overNetwork(err) != "":
		return overNetwork(err)
	}
	for _, a := range advice {
		if errors.Is(err, a.kind) {
			return a.say(err)
		}
	}
	return unread(err)
}

// unread returns what can be done where no level was read, solved or won.
func unread(err error) string {
	var failure *player.Failure
	var unsolved *recognise.TimeError
	var saved *vision.SavedError
	switch {
	case errors.As(err, &saved):
		return "save the screen with `tapwise screenshot -o FILE.png`, or with `adb exec-out screencap -p > FILE.png` in a shell that keeps bytes as they are, which PowerShell before 7.4 does not"
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

// touchRefused returns what can be done about a touch that a phone refused, by what it
// said: only one of the refusals is a matter of the phone's settings.
func touchRefused(err error) string {
	switch {
	case errors.Is(err, adb.ErrInjectEvents):
		return "on Xiaomi and POCO phones switch on \"USB debugging (Security settings)\" in the developer options, on OPPO, realme and OnePlus phones \"Disable permission monitoring\""
	case errors.Is(err, pointer.ErrOverridden):
		return "take the override back with `adb shell wm size reset`, or leave --touch and the key touch out: monkey and input touch such a screen"
	case errors.Is(err, hand.ErrNoMonkey):
		return "leave --touch and the key touch out, so that another way is taken; or restart the phone, where something else may hold monkey's port"
	}
	return "`tapwise doctor` tries every way to touch and says why one is refused; with --touch or the key touch no other way is tried"
}

// frameSize returns what can be done about frames of another size than the screen's.
func frameSize(err error) string {
	var e *adb.FrameSizeError
	if errors.As(err, &e) {
		return e.Advice()
	}
	return ""
}

// overNetwork returns what can be done about a phone that cannot be connected or paired
// over the network.
func overNetwork(err error) string {
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

// whileHeld returns what can be done about a phone that another process holds.
func whileHeld(e *phonelock.HeldError) string {
	if e.Holder == nil {
		return "wait until it has ended"
	}
	return fmt.Sprintf("wait until it has ended, or end it: `kill -INT %d`", e.Holder.Process)
}
