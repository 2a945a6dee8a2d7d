package simphone

import (
	"embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tapwise/adb/simphone/shell"
)

const (
	moveInterval   = 10 * time.Millisecond  // between the moves of a swipe
	longPress      = 500 * time.Millisecond // how long Android waits before it calls a touch a long press
	swipeDuration  = 300 * time.Millisecond // the default of swipe
	maxGestureTime = time.Hour
)

// inputGeneration is one of the four forms that the input command has had.
type inputGeneration int

const (
	inputPlain   inputGeneration = iota // Android 4: no durations
	inputSources                        // 5 to 9: sources, durations, draganddrop
	inputDisplay                        // 10 and 11: -d and motionevent
	inputService                        // 12 and later: inside system_server, CANCEL
)

func inputGenerationOf(sdk int) inputGeneration {
	switch {
	case sdk < 21:
		return inputPlain
	case sdk < 29:
		return inputSources
	case sdk < 31:
		return inputDisplay
	}
	return inputService
}

var inputSourceNames = []string{"dpad", "keyboard", "mouse", "touchpad", "gamepad", "touchnavigation", "joystick",
	"touchscreen", "stylus", "trackball"}

// usages are what commands print when they do not understand their arguments.
//
//go:embed usage
var usages embed.FS

func usage(name string) string {
	// What is embedded can be read.
	text, _ := usages.ReadFile("usage/" + name + ".txt")
	return string(text)
}

// inputUsage is the usage of input. Android 4.3 alone names a third source, and Android
// 10 called its verb motionevent "event" there.
func inputUsage(sdk int) string {
	since := []int{31, 30, 29, 21, 18, 14}
	if sdk == 19 || sdk == 20 {
		sdk = 14
	}
	return usage(fmt.Sprintf("input-%d", since[slices.IndexFunc(since, func(first int) bool { return sdk >= first })]))
}

// inputCall is one call of input with its arguments taken apart.
type inputCall struct {
	p          *process
	generation inputGeneration
	verb       string
	args       []string
	elsewhere  bool // meant for a display that does not exist
}

// inputError is a failure of input: what it prints in addition to the usage.
type inputError struct {
	message   string
	usage     bool   // print the usage too
	exception string // the Java class; default IllegalArgumentException
}

func (e *inputError) Error() string { return e.message }

func runInput(p *process) int {
	if shell.Sleep(p.Ctx, p.phone.config.InputDelay) != nil {
		return 130
	}
	call := &inputCall{p: p, generation: inputGenerationOf(p.phone.config.SDK)}
	err := call.parse()
	if err == nil {
		err = call.run()
	}
	if err == nil {
		return 0
	}
	return call.report(err)
}

// parse takes the optional source and display off the arguments.
func (c *inputCall) parse() error {
	args := c.p.Args[1:]
	if len(args) > 0 && slices.Contains(inputSourceNames, args[0]) {
		args = args[1:]
	}
	app := strconv.Itoa(c.p.phone.config.appDisplay())
	c.elsewhere = app != "0" // touches go to display 0 when none is named
	if c.generation >= inputDisplay && len(args) > 0 && args[0] == "-d" {
		if len(args) == 1 {
			return &inputError{message: "Argument expected after \"-d\""}
		}
		switch args[1] {
		case app:
			c.elsewhere = false
		case "DEFAULT_DISPLAY", "INVALID_DISPLAY", "0", "-1":
		default:
			if _, err := strconv.Atoi(args[1]); err != nil {
				return &inputError{message: "Error: Invalid arguments for display ID."}
			}
			c.elsewhere = true
		}
		args = args[2:]
	}
	if len(args) == 0 {
		return &inputError{usage: true}
	}
	c.verb, c.args = args[0], args[1:]
	return nil
}

// report prints what went wrong the way the pretended Android does. Up to
// Android 11 the status is 0 whatever happened.
func (c *inputCall) report(err error) int {
	e, ok := err.(*inputError)
	if !ok { // the connection ended during the command
		return 130
	}
	p := c.p
	if c.generation < inputService {
		if e.message != "" {
			p.ErrPrint(e.message + "\n")
		}
		if e.usage {
			p.ErrPrint(inputUsage(p.phone.config.SDK))
		}
		return 0
	}
	switch {
	case e.message == "":
		p.Print(inputUsage(p.phone.config.SDK))
	case e.usage && strings.HasPrefix(e.message, "Error: Unknown command: "):
		p.Print("Unknown command: " + c.verb + "\n")
	default:
		setDefault(&e.exception, "IllegalArgumentException")
		p.ErrPrint("\nException occurred while executing '" + c.verb + "':\n" +
			"java.lang." + e.exception + ": " + e.message + "\n" +
			"\tat com.android.server.input.InputShellCommand.onCommand(InputShellCommand.java:244)\n" +
			"\tat com.android.modules.utils.BasicShellCommandHandler.exec(BasicShellCommandHandler.java:97)\n")
		return 255
	}
	return 0
}

func (c *inputCall) invalid() error {
	return &inputError{message: "Error: Invalid arguments for command: " + c.verb, usage: true}
}

// run carries the verb out.
func (c *inputCall) run() error {
	switch c.verb {
	case "tap":
		at, err := c.numbers(2)
		if err != nil {
			return err
		}
		return c.touches(func() error {
			c.touch(EventDown, at[0], at[1])
			c.touch(EventUp, at[0], at[1])
			return nil
		})
	case "swipe":
		return c.swipe(false)
	case "draganddrop":
		if c.generation >= inputSources {
			return c.swipe(true)
		}
	case "motionevent":
		if c.generation >= inputDisplay {
			return c.motionEvent()
		}
	case "keyevent":
		return c.keyEvent()
	case "text":
		if len(c.args) != 1 {
			return c.invalid()
		}
		return c.touches(func() error {
			c.p.phone.Text(strings.ReplaceAll(c.args[0], "%s", " "))
			return nil
		})
	case "press", "roll": // there is no trackball
		return nil
	}
	return &inputError{message: "Error: Unknown command: " + c.verb, usage: true}
}

// touches runs f unless input is refused.
func (c *inputCall) touches(f func() error) error {
	phone := c.p.phone
	hit := phone.strikeTouch(c.verb == "motionevent" && len(c.p.Args) > 2 && strings.Contains(strings.Join(c.p.Args, " "), "MOVE"))
	phone.mu.Lock()
	refused := phone.faults.refuseInput || hit == faultRefused
	phone.mu.Unlock()
	if hit == faultLost {
		return nil
	}
	if !refused {
		return f()
	}
	if c.generation < inputService {
		c.p.ErrPrint("java.lang.SecurityException: Injecting to another application requires INJECT_EVENTS permission\n" +
			"\tat android.os.Parcel.createException(Parcel.java:2071)\n" +
			"\tat android.hardware.input.IInputManager$Stub$Proxy.injectInputEvent(IInputManager.java:1011)\n" +
			"\tat com.android.commands.input.Input.main(Input.java:67)\n")
		return nil
	}
	return &inputError{exception: "SecurityException", message: "Injecting input events requires the caller (or the source of the instrumentation, if any)" +
		" to have the INJECT_EVENTS permission."}
}

func (c *inputCall) touch(kind EventKind, x, y float64) {
	if !c.elsewhere {
		phone := c.p.phone
		phone.locked(func() { x, y = phone.screen.land(x, y) })
		phone.Touch(kind, x, y)
	}
}

// numbers parses the arguments, exactly n of them, as finite numbers.
func (c *inputCall) numbers(n int) ([]float64, error) {
	if len(c.args) < n && c.generation >= inputService {
		last := append([]string{c.verb}, c.args...)[len(c.args)]
		return nil, &inputError{message: "Argument expected after \"" + last + "\""}
	}
	if len(c.args) < n || len(c.args) > n && c.generation < inputService {
		return nil, c.invalid()
	}
	values := make([]float64, n)
	for i := range values {
		value, err := strconv.ParseFloat(c.args[i], 32)
		if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
			return nil, c.invalid()
		}
		values[i] = value
	}
	return values, nil
}

// swipe moves the finger along a line. The last move stops short of the end, where
// the finger is lifted. A drag first holds the finger still; from Android 10 that
// time is part of the duration. Up to Android 11 the process that moves the finger ends
// with its connection, and leaves it where it is; later the system moves it, to the end.
func (c *inputCall) swipe(drag bool) error {
	duration := swipeDuration
	if len(c.args) == 5 && c.generation >= inputSources {
		ms, err := strconv.Atoi(c.args[4])
		if err != nil {
			return c.invalid()
		}
		if ms >= 0 {
			duration = min(time.Duration(ms)*time.Millisecond, maxGestureTime)
		}
		c.args = c.args[:4]
	}
	at, err := c.numbers(4)
	if err != nil {
		return err
	}
	return c.touches(func() error {
		phone := c.p.phone
		c.touch(EventDown, at[0], at[1])
		pass := func(d time.Duration) error {
			err := phone.pass(c.p.Ctx, d)
			if err != nil && c.generation >= inputService {
				c.touch(EventUp, at[2], at[3])
			}
			return err
		}
		elapsed := time.Duration(0)
		if drag {
			if err := pass(longPress); err != nil {
				return err
			}
			if c.generation >= inputDisplay {
				elapsed = longPress
			}
		}
		for ; elapsed < duration; elapsed += moveInterval {
			alpha := float64(elapsed) / float64(duration)
			c.touch(EventMove, at[0]+(at[2]-at[0])*alpha, at[1]+(at[3]-at[1])*alpha)
			if err := pass(moveInterval); err != nil {
				return err
			}
		}
		c.touch(EventUp, at[2], at[3])
		return nil
	})
}

func (c *inputCall) motionEvent() error {
	if len(c.args) < 1 {
		return c.invalid()
	}
	kinds := map[string]EventKind{"DOWN": EventDown, "UP": EventUp, "MOVE": EventMove}
	if c.generation >= inputService {
		kinds["CANCEL"] = EventCancel
	}
	action := strings.ToUpper(c.args[0])
	kind, ok := kinds[action]
	c.args = c.args[1:]
	if !ok {
		return &inputError{message: "Unknown action: " + action}
	}
	if kind == EventCancel && len(c.args) == 0 {
		c.args = []string{"0", "0"}
	}
	at, err := c.numbers(2)
	if err != nil {
		return err
	}
	return c.touches(func() error {
		c.touch(kind, at[0], at[1])
		return nil
	})
}

func (c *inputCall) keyEvent() error {
	keys := c.args
	times := 1
	switch {
	case len(keys) > 0 && keys[0] == "--longpress" && c.generation >= inputSources:
		keys = keys[1:]
	case len(keys) > 0 && keys[0] == "--doubletap" && c.generation >= inputService:
		keys, times = keys[1:], 2
	}
	if len(keys) == 0 {
		return c.invalid()
	}
	return c.touches(func() error {
		for _, key := range keys {
			for range times {
				c.p.phone.Key(keyName(key))
			}
		}
		return nil
	})
}

// keyName returns the name of a key without KEYCODE_; unknown numbers stay as they
// are.
func keyName(key string) string {
	names := map[string]string{"3": "HOME", "4": "BACK", "24": "VOLUME_UP", "25": "VOLUME_DOWN", "26": "POWER",
		"19": "DPAD_UP", "20": "DPAD_DOWN",
		"62": "SPACE", "66": "ENTER", "67": "DEL", "82": "MENU", "111": "ESCAPE", "187": "APP_SWITCH", "160": "NUMPAD_ENTER",
		"223": "SLEEP", "224": "WAKEUP", "276": "SOFT_SLEEP"}
	if n, err := strconv.Atoi(key); err == nil && n >= 7 && n <= 16 {
		return strconv.Itoa(n - 7)
	}
	if name, ok := names[key]; ok {
		return name
	}
	return strings.TrimPrefix(strings.ToUpper(key), "KEYCODE_")
}
