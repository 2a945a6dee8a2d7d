package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tapwise/adb"
	"tapwise/vision"
)

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "check every part and print the fix for what fails",
		Long: `Doctor checks what playing needs, from the configuration to the phone's screen and
touch, and prints the fix for what fails. It touches nothing on the phone: whether
touches are allowed is tried with a key that does nothing.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context()) },
	}
}

// finding is what doctor says of one part.
type finding struct {
	Part   string `json:"part"`
	Status string `json:"status"` // ok, fails, skipped
	Detail string `json:"detail,omitempty"`
	Fix    string `json:"fix,omitempty"`
}

// errSkipped marks a part that could not be checked because of an earlier one.
var errSkipped = errors.New("not checked: an earlier part fails")

// examination is the work of doctor.
type examination struct {
	*app
	client *adb.Client
	device *adb.Device
	failed error // the first failure, which decides the exit code
}

func (a *app) doctor(ctx context.Context) error {
	e := &examination{app: a}
	for _, part := range []struct {
		name  string
		check func(context.Context) (detail string, err error)
	}{
		{"configuration", e.configuration},
		{"OpenCV", e.openCV},
		{"adb", e.adbTool},
		{"adb server", e.server},
		{"phone", e.phone},
		{"screen", e.screen},
		{"capture", e.capture},
		{"touch", e.touch},
	} {
		detail, err := part.check(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f := finding{Part: part.name, Status: "ok", Detail: detail}
		switch {
		case errors.Is(err, errSkipped):
			f.Status, f.Detail = "skipped", err.Error()
		case err != nil:
			f.Status, f.Detail, f.Fix = "fails", err.Error(), fix(err)
			if e.failed == nil {
				e.failed = err
			}
		}
		if err := a.printFinding(f); err != nil {
			return err
		}
	}
	if e.failed != nil {
		return codeError(exitCode(e.failed))
	}
	return nil
}

func (a *app) printFinding(f finding) error {
	if a.json {
		return a.printJSON(f)
	}
	_, err := fmt.Fprintf(a.out, "%-8s %-14s %s\n", f.Status, f.Part, oneLine(f.Detail))
	if f.Fix != "" {
		_, err = fmt.Fprintf(a.out, "%23s fix: %s\n", "", oneLine(f.Fix))
	}
	return err
}

// fixError is a failure with its fix.
type fixError struct {
	error
	fix string
}

func (e fixError) Unwrap() error { return e.error }

// fix is what to do about a failure.
func fix(err error) string {
	var f fixError
	if errors.As(err, &f) {
		return f.fix
	}
	return hint(err)
}

func (e *examination) configuration(context.Context) (string, error) {
	file, err := e.configFile()
	if err != nil {
		return "", err
	}
	if file == "" {
		file = "the defaults; no configuration file"
	}
	folder, err := e.evidenceFolder()
	if err != nil {
		return "", fixError{err, "set HOME, or play.evidence in the configuration"}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fixError{badInputf("the folder for evidence: %w", err), "name a folder you may write to as play.evidence in the configuration"}
	}
	return file, nil
}

func (e *examination) openCV(context.Context) (string, error) {
	return vision.OpenCVVersion(), nil
}

func (e *examination) adbTool(ctx context.Context) (string, error) {
	tool, err := exec.LookPath("adb")
	if err != nil {
		return "", fixError{badInputf("no adb on the PATH"), "install it (Debian and Ubuntu: apt install adb)"}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, tool, "version").Output()
	if err != nil {
		return "", fixError{badInputf("%s version: %w", tool, err), "install adb again"}
	}
	for _, line := range strings.Split(string(out), "\n") {
		if v, ok := strings.CutPrefix(line, "Version "); ok {
			return v + ", " + tool, nil
		}
	}
	return tool, nil
}

func (e *examination) server(ctx context.Context) (string, error) {
	client, err := e.app.client()
	if err != nil {
		return "", err
	}
	version, err := client.ServerVersion(ctx)
	if err != nil {
		return "", phoneFailed(err)
	}
	e.client = client
	return fmt.Sprintf("version %d on %s", version, client.Address()), nil
}

func (e *examination) phone(ctx context.Context) (string, error) {
	if e.client == nil {
		return "", errSkipped
	}
	device, err := e.client.Open(ctx, e.settings.Serial)
	if err != nil {
		return "", phoneFailed(err)
	}
	e.device = device
	return fmt.Sprintf("%s, %s, API level %d", device.Serial, device.Model, device.SDK), nil
}

func (e *examination) screen(ctx context.Context) (string, error) {
	if e.device == nil {
		return "", errSkipped
	}
	s, err := e.device.Screen(ctx)
	if err != nil {
		return "", phoneFailed(err)
	}
	detail := fmt.Sprintf("%dx%d", s.Current.X, s.Current.Y)
	if s.Rotation >= 0 {
		detail += fmt.Sprintf(", rotation %d", s.Rotation)
	}
	if s.Override.X != 0 {
		detail += fmt.Sprintf(", overrides %dx%d", s.Physical.X, s.Physical.Y)
	}
	power, err := e.device.Power(ctx)
	if err == nil {
		err = power.Err()
	}
	if err != nil {
		return "", phoneFailed(err)
	}
	return detail + ", " + power.String(), nil
}

func (e *examination) capture(ctx context.Context) (string, error) {
	if e.device == nil {
		return "", errSkipped
	}
	timings, err := e.device.Probe(ctx)
	var parts []string
	for _, t := range timings {
		if t.Err == nil {
			parts = append(parts, fmt.Sprintf("%s %v/%v/%v", t.Method, t.Min.Round(time.Millisecond), t.Median.Round(time.Millisecond), t.Max.Round(time.Millisecond)))
		}
	}
	if err != nil {
		err = phoneFailed(err)
		var frame *adb.FrameError
		if errors.As(err, &frame) {
			return "", fixError{err, "switch the screen on, unlock it and open the game; a protected window stays black"}
		}
		return "", err
	}
	return fmt.Sprintf("%s; min/median/max: %s", e.device.Method(), strings.Join(parts, ", ")), nil
}

func (e *examination) touch(ctx context.Context) (string, error) {
	if e.device == nil {
		return "", errSkipped
	}
	method, err := e.device.TouchMethod(ctx)
	if err != nil {
		return "", phoneFailed(err)
	}
	if err := e.device.Key(ctx, "KEYCODE_UNKNOWN"); err != nil {
		return "", phoneFailed(err)
	}
	return method.String(), nil
}
