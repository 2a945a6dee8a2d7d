package touchscreen

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"tapwise/adb/simphone/shell"
)

// MonkeyAction is what a command of monkey does to the finger.
type MonkeyAction int

const (
	MonkeyDown MonkeyAction = iota
	MonkeyMove
	MonkeyUp
)

// MonkeyTarget carries out what monkey injects. An error ends monkey.
type MonkeyTarget interface {
	// Touch puts the finger to a pixel of the screen in its current rotation.
	Touch(action MonkeyAction, x, y int32) error
	// Key presses or lets go of a key, by its number or its name.
	Key(down bool, key string) error
	Type(text string) error
	// Wake switches the screen on.
	Wake()
	// Variable is the value of one of monkey's variables, such as display.width.
	Variable(name string) (string, bool)
}

// maxMonkeyLine is a bound on a line from a client, in bytes.
const maxMonkeyLine = 4 << 10

// monkeyEvent is what waits to be injected after its command was answered.
type monkeyEvent func(ctx context.Context) error

// Monkey serves one client of monkey --port N: lines of monkey's network script,
// which are answered OK, OK:VALUE or ERROR:REASON as soon as they are understood, and
// carried out after that. Lines whose first word is no command, and comments after
// #, are not answered. It returns true when the client asked monkey to quit, false
// when it left. A finger that is down stays down.
func Monkey(ctx context.Context, client io.ReadWriter, target MonkeyTarget) (quit bool, err error) {
	target.Wake()
	lines := bufio.NewScanner(client)
	lines.Buffer(make([]byte, 0, 256), maxMonkeyLine)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case line == "done":
			return false, nil
		case line == "quit":
			_, err := io.WriteString(client, "OK\n")
			return true, err
		case strings.HasPrefix(line, "#"):
			continue
		}
		words := splitMonkey(line)
		if len(words) == 0 {
			continue
		}
		if !slices.Contains(monkeyCommands, words[0]) {
			continue
		}
		events, answer := understandMonkey(words[0], words[1:], target)
		if _, err := io.WriteString(client, answer+"\n"); err != nil {
			return false, nil // the client left: another may come
		}
		for _, inject := range events {
			if err := inject(ctx); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

const (
	monkeyOK      = "OK"
	monkeyInvalid = "ERROR:Invalid Argument"
)

// monkeyCommands are those that are answered. Trackball and flip are for what phones do
// not have: nothing comes of them.
var monkeyCommands = []string{"touch", "tap", "key", "press", "type", "sleep", "getvar", "trackball", "flip", "wake"}

// understandMonkey understands a command with its arguments: what it injects, and the answer.
func understandMonkey(command string, args []string, target MonkeyTarget) (events []monkeyEvent, answer string) {
	key := func(down bool, key string) monkeyEvent {
		return func(context.Context) error { return target.Key(down, key) }
	}
	switch {
	case command == "touch", command == "tap", command == "trackball":
		return understandPointer(command, args, target)
	case command == "key" && len(args) == 2 && (args[0] == "down" || args[0] == "up"):
		return []monkeyEvent{key(args[0] == "down", args[1])}, monkeyOK
	case command == "press" && len(args) == 1:
		return []monkeyEvent{key(true, args[0]), key(false, args[0])}, monkeyOK
	case command == "type" && len(args) == 1:
		return []monkeyEvent{func(context.Context) error { return target.Type(args[0]) }}, monkeyOK
	case command == "sleep" && len(args) == 1:
		if ms, err := strconv.ParseInt(args[0], 10, 32); err == nil {
			return []monkeyEvent{func(ctx context.Context) error { return shell.Sleep(ctx, time.Duration(ms)*time.Millisecond) }}, monkeyOK
		}
	case command == "getvar" && len(args) == 1:
		if value, ok := target.Variable(args[0]); ok {
			return nil, monkeyOK + ":" + value
		}
		return nil, "ERROR:unknown var"
	case command == "flip" && len(args) > 0 && (args[0] == "open" || args[0] == "close"):
		return nil, monkeyOK
	case command == "wake":
		target.Wake()
		return nil, monkeyOK
	}
	return nil, monkeyInvalid
}

// understandPointer understands the commands with a point, in whole pixels.
func understandPointer(command string, args []string, target MonkeyTarget) (events []monkeyEvent, answer string) {
	var actions []MonkeyAction
	named := map[string]MonkeyAction{"down": MonkeyDown, "move": MonkeyMove, "up": MonkeyUp}
	switch {
	case command == "tap":
		actions = []MonkeyAction{MonkeyDown, MonkeyUp}
	case command == "touch" && len(args) > 0:
		action, known := named[args[0]]
		if !known {
			return nil, monkeyInvalid
		}
		actions, args = []MonkeyAction{action}, args[1:]
	}
	if len(args) != 2 {
		return nil, monkeyInvalid
	}
	x, errX := strconv.ParseInt(args[0], 10, 32)
	y, errY := strconv.ParseInt(args[1], 10, 32)
	if errX != nil || errY != nil {
		return nil, monkeyInvalid
	}
	for _, action := range actions {
		events = append(events, func(context.Context) error { return target.Touch(action, int32(x), int32(y)) })
	}
	return events, monkeyOK
}

// splitMonkey splits a line into words; words between quotation marks are one, with
// one blank between each.
func splitMonkey(line string) []string {
	var words, inside []string
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n\r\f", r) }) {
		plain := strings.ReplaceAll(word, `\"`, `"`)
		switch {
		case inside == nil && strings.HasPrefix(word, `"`):
			inside = []string{plain}
		case inside == nil:
			words = append(words, plain)
		default:
			inside = append(inside, plain)
			if strings.HasSuffix(word, `"`) {
				text := strings.Join(inside, " ")
				words = append(words, text[1:len(text)-1])
				inside = nil
			}
		}
	}
	return words
}
