package touchscreen

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
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
type monkeyEvent func(ctx context.Context, target MonkeyTarget) error

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
		command, ok := monkeyCommands[words[0]]
		if !ok {
			continue
		}
		events, answer := command(words[1:], target)
		if _, err := io.WriteString(client, answer+"\n"); err != nil {
			return false, nil // the client left: another may come
		}
		for _, inject := range events {
			if err := inject(ctx, target); err != nil {
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

// monkeyCommand understands the arguments of a command.
type monkeyCommand func(args []string, target MonkeyTarget) (events []monkeyEvent, answer string)

var monkeyCommands = map[string]monkeyCommand{
	"touch":     monkeyTouch,
	"tap":       monkeyTap,
	"key":       monkeyKey,
	"press":     monkeyPress,
	"type":      monkeyType,
	"sleep":     monkeySleep,
	"getvar":    monkeyVariable,
	"trackball": monkeyTrackball,
	"flip":      monkeyFlip,
	"wake": func(_ []string, target MonkeyTarget) ([]monkeyEvent, string) {
		target.Wake()
		return nil, monkeyOK
	},
}

func monkeyFinger(action MonkeyAction, x, y int32) monkeyEvent {
	return func(_ context.Context, target MonkeyTarget) error { return target.Touch(action, x, y) }
}

func monkeyTouch(args []string, _ MonkeyTarget) ([]monkeyEvent, string) {
	actions := map[string]MonkeyAction{"down": MonkeyDown, "move": MonkeyMove, "up": MonkeyUp}
	if len(args) != 3 {
		return nil, monkeyInvalid
	}
	action, ok := actions[args[0]]
	x, y, err := monkeyPoint(args[1], args[2])
	if !ok || err != nil {
		return nil, monkeyInvalid
	}
	return []monkeyEvent{monkeyFinger(action, x, y)}, monkeyOK
}

func monkeyTap(args []string, _ MonkeyTarget) ([]monkeyEvent, string) {
	if len(args) != 2 {
		return nil, monkeyInvalid
	}
	x, y, err := monkeyPoint(args[0], args[1])
	if err != nil {
		return nil, monkeyInvalid
	}
	return []monkeyEvent{monkeyFinger(MonkeyDown, x, y), monkeyFinger(MonkeyUp, x, y)}, monkeyOK
}

// monkeyPoint reads whole pixels: monkey takes no fractions.
func monkeyPoint(a, b string) (int32, int32, error) {
	x, errX := strconv.ParseInt(a, 10, 32)
	y, errY := strconv.ParseInt(b, 10, 32)
	return int32(x), int32(y), errors.Join(errX, errY)
}

func monkeyKeyEvent(down bool, key string) monkeyEvent {
	return func(_ context.Context, target MonkeyTarget) error { return target.Key(down, key) }
}

func monkeyKey(args []string, _ MonkeyTarget) ([]monkeyEvent, string) {
	if len(args) != 2 || args[0] != "down" && args[0] != "up" {
		return nil, monkeyInvalid
	}
	return []monkeyEvent{monkeyKeyEvent(args[0] == "down", args[1])}, monkeyOK
}

func monkeyPress(args []string, _ MonkeyTarget) ([]monkeyEvent, string) {
	if len(args) != 1 {
		return nil, monkeyInvalid
	}
	return []monkeyEvent{monkeyKeyEvent(true, args[0]), monkeyKeyEvent(false, args[0])}, monkeyOK
}

func monkeyType(args []string, _ MonkeyTarget) ([]monkeyEvent, string) {
	if len(args) != 1 {
		return nil, monkeyInvalid
	}
	return []monkeyEvent{func(_ context.Context, target MonkeyTarget) error { return target.Type(args[0]) }}, monkeyOK
}

func monkeySleep(args []string, _ MonkeyTarget) ([]monkeyEvent, string) {
	if len(args) != 1 {
		return nil, monkeyInvalid
	}
	ms, err := strconv.ParseInt(args[0], 10, 32)
	if err != nil {
		return nil, monkeyInvalid
	}
	return []monkeyEvent{func(ctx context.Context, _ MonkeyTarget) error { return sleep(ctx, time.Duration(ms)*time.Millisecond) }}, monkeyOK
}

func monkeyVariable(args []string, target MonkeyTarget) ([]monkeyEvent, string) {
	if len(args) != 1 {
		return nil, monkeyInvalid
	}
	value, ok := target.Variable(args[0])
	if !ok {
		return nil, "ERROR:unknown var"
	}
	return nil, fmt.Sprintf("%s:%s", monkeyOK, value)
}

// monkeyTrackball takes what moves the trackball, which phones do not have.
func monkeyTrackball(args []string, _ MonkeyTarget) ([]monkeyEvent, string) {
	if len(args) != 2 {
		return nil, monkeyInvalid
	}
	if _, _, err := monkeyPoint(args[0], args[1]); err != nil {
		return nil, monkeyInvalid
	}
	return nil, monkeyOK
}

// monkeyFlip takes what opens and closes a keyboard, which phones do not have.
func monkeyFlip(args []string, _ MonkeyTarget) ([]monkeyEvent, string) {
	if len(args) == 0 || args[0] != "open" && args[0] != "close" {
		return nil, monkeyInvalid
	}
	return nil, monkeyOK
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
