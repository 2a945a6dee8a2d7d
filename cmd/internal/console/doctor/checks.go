package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"tapwise/adb"
	"tapwise/adb/hand"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/console/wording"
	"tapwise/vision"
)

// toolTime is how long `adb version` may take.
const toolTime = 10 * time.Second

// checks are the checks of one examination. Each returns a line about its part,
// or why the part fails; a later one needs what an earlier one opened.
type checks struct {
	Examination
	client *adb.Client // nil until the server answered
	device *adb.Device // nil until the phone was found
}

func (c *checks) configuration(context.Context) (string, error) {
	file := c.ConfigFile
	if file == "" {
		file = "the defaults; no configuration file"
	}
	folder, err := places.Evidence(c.Evidence)
	if err != nil {
		return "", fixError{err, "set HOME"}
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fixError{cause.Inputf("the folder for evidence: %w", err), "name a folder you may write to as play.evidence in the configuration"}
	}
	return file, nil
}

func (c *checks) openCV(context.Context) (string, error) {
	return vision.OpenCVVersion(), nil
}

func (c *checks) adbTool(ctx context.Context) (string, error) {
	tool, err := exec.LookPath("adb")
	if err != nil {
		return "", fixError{cause.Inputf("no adb on the PATH"), "install it (Debian and Ubuntu: apt install adb)"}
	}
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, tool, "version").Output()
	if err != nil {
		return "", fixError{cause.Inputf("%s version: %w", tool, err), "install adb again"}
	}
	for _, line := range strings.Split(string(out), "\n") {
		if v, ok := strings.CutPrefix(line, "Version "); ok {
			return v + ", " + tool, nil
		}
	}
	return tool, nil
}

func (c *checks) server(ctx context.Context) (string, error) {
	client, err := c.Client()
	if err != nil {
		return "", err
	}
	version, err := client.ServerVersion(ctx)
	if err != nil {
		return "", cause.Phone(err)
	}
	c.client = client
	return fmt.Sprintf("version %d on %s", version, client.Address()), nil
}

func (c *checks) phone(ctx context.Context) (string, error) {
	if c.client == nil {
		return "", errSkipped
	}
	device, err := c.client.Open(ctx, c.Serial)
	if err != nil {
		return "", cause.Phone(err)
	}
	c.device = device
	return fmt.Sprintf("%s, %s, API level %d", device.Serial, device.Model, device.SDK), nil
}

// displays lists the displays of a phone that has several, and names those that are
// black. It fails where the one in use is black and another is not.
func (c *checks) displays(ctx context.Context) (string, error) {
	if c.device == nil {
		return "", errLeftOut
	}
	displays, err := c.device.Displays(ctx)
	if err != nil {
		return "", cause.Phone(err)
	}
	if len(displays) < 2 {
		return "", errLeftOut
	}
	used := c.Display
	if used == "" {
		used = "0"
	}
	var parts []string
	usedBlack, lit := false, ""
	for _, display := range displays {
		text := display.String()
		black, err := c.black(ctx, display)
		switch {
		case err != nil:
			text += ", cannot be captured: " + wording.Of(err)
		case black:
			text += ", black"
		case lit == "":
			lit = display.ID
		}
		usedBlack = usedBlack || black && (used == display.ID || used == display.Physical)
		parts = append(parts, text)
	}
	detail := strings.Join(parts, "; ")
	if usedBlack && lit != "" {
		return "", fixError{cause.Phone(fmt.Errorf("display %s is black: %s", used, detail)), "use the one that is not: --display " + lit + ", or display in the configuration"}
	}
	return detail, nil
}

// black reports whether frames of a display are black.
func (c *checks) black(ctx context.Context, display adb.Display) (bool, error) {
	device, err := c.device.On(display)
	if err != nil {
		return false, err
	}
	_, err = device.Capture(ctx)
	var frame *adb.FrameError
	if errors.As(err, &frame) && frame.Kind == adb.FrameBlack {
		return true, nil
	}
	return false, err
}

func (c *checks) screen(ctx context.Context) (string, error) {
	if c.device == nil {
		return "", errSkipped
	}
	s, err := c.device.Screen(ctx)
	if err != nil {
		return "", cause.Phone(err)
	}
	detail := fmt.Sprintf("%dx%d", s.Current.X, s.Current.Y)
	if s.Rotation >= 0 {
		detail += fmt.Sprintf(", rotation %d", s.Rotation)
	}
	if s.Override.X != 0 {
		detail += fmt.Sprintf(", overrides %dx%d", s.Physical.X, s.Physical.Y)
	}
	power, err := c.device.Power(ctx)
	if err == nil {
		err = power.Err()
	}
	if err != nil {
		return "", cause.Phone(err)
	}
	front, err := c.device.Foreground(ctx)
	if err == nil && front.NotResponding() {
		return "", fixError{cause.Phone(fmt.Errorf("%w: the phone shows %q", adb.ErrNotResponding, front.Window)), "close the app on the phone, and open it again"}
	}
	return detail + ", " + power.String(), nil
}

func (c *checks) capture(ctx context.Context) (string, error) {
	if c.device == nil {
		return "", errSkipped
	}
	timings, err := c.device.Probe(ctx)
	var parts []string
	for _, t := range timings {
		if t.Err == nil {
			parts = append(parts, fmt.Sprintf("%s %v/%v/%v", t.Method, t.Min.Round(time.Millisecond), t.Median.Round(time.Millisecond), t.Max.Round(time.Millisecond)))
		}
	}
	scaled := ""
	if err == nil {
		scaled, err = c.agreement(ctx)
	}
	if err != nil {
		err = cause.Phone(err)
		var frame *adb.FrameError
		if errors.As(err, &frame) {
			return "", fixError{err, "switch the screen on, unlock it and open the game; a protected window stays black"}
		}
		return "", err
	}
	choice := c.device.LookChoice()
	if release, held := c.Hold(ctx, c.device); held == nil { // else somebody plays there
		choice, err = c.device.TryLooks(ctx)
		if err := errors.Join(err, release()); err != nil {
			return "", lackError{err}
		}
	}
	return fmt.Sprintf("%s; min/median/max: %s%s", choice, strings.Join(parts, ", "), scaled), nil
}

// agreement fails when frames are not of the size that the window manager has, so that
// touches would land elsewhere. Where they are scaled, it tells how.
func (c *checks) agreement(ctx context.Context) (scaled string, err error) {
	frame, err := c.device.Capture(ctx)
	if err != nil {
		return "", err
	}
	var size *adb.FrameSizeError
	if err := c.device.Agrees(frame); errors.As(err, &size) {
		return "", fixError{err, size.Advice()}
	}
	if s := frame.Screen.Current; s != frame.Size && s.X > 0 {
		scaled = fmt.Sprintf("; frames of %dx%d on a screen of %dx%d: touches are scaled", frame.Size.X, frame.Size.Y, s.X, s.Y)
	}
	return scaled, nil
}

// settings tries whether the screen can be kept on, as it is while levels are played.
func (c *checks) settings(ctx context.Context) (detail string, err error) {
	if c.device == nil {
		return "", errSkipped
	}
	release, err := c.Hold(ctx, c.device)
	if err != nil {
		return "", errLeftOut // whoever plays there has changed it
	}
	defer func() { err = errors.Join(err, release()) }()
	before, err := c.device.StayAwake(ctx)
	if err != nil {
		return "", lackError{err}
	}
	other := adb.AwakeWhilePlugged
	if before == other {
		other = "3"
	}
	err = c.device.SetStayAwake(ctx, other)
	back := c.device.SetStayAwake(context.WithoutCancel(ctx), before)
	if err != nil {
		return "", lackError{err}
	}
	if back != nil {
		return "", lackError{back}
	}
	if err := c.device.CheckDrawnOver(ctx); err != nil {
		return "", lackError{err}
	}
	return "the screen is kept on while levels are played", nil
}

func (c *checks) touch(ctx context.Context) (string, error) {
	if c.device == nil {
		return "", errSkipped
	}
	method, err := c.device.Hand().Method(ctx)
	if err != nil {
		return "", cause.Phone(err)
	}
	keys := c.device.Key(ctx, "KEYCODE_UNKNOWN")
	if keys != nil && !errors.Is(keys, adb.ErrInputRefused) {
		return "", cause.Phone(keys)
	}
	release, err := c.Hold(ctx, c.device)
	if err != nil {
		return "", err
	}
	choice, err := c.device.Hand().Choose(ctx)
	if err = cause.Phone(err); err != nil {
		return "", errors.Join(err, release())
	}
	left := c.device.Hand().Close(ctx)
	if err := release(); err != nil {
		return "", err
	}
	switch choice.Rung {
	case hand.Uinput, hand.Evdev, hand.HID: // the refusal of keys does not concern these
	default:
		if keys != nil {
			return "", cause.Phone(keys)
		}
	}
	detail := fmt.Sprintf("%s; input: %s", choice, method)
	if keys != nil {
		detail += "; the BACK key, which takes dialogs away, is refused: " + wording.Of(keys)
	}
	if left != nil {
		return "", lackError{fmt.Errorf("%s; what touching changed was not given back: %w", detail, left)}
	}
	return detail, nil
}
