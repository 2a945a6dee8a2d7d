package adb

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"tapwise/adb/internal/fault"
)

// stayOn is Android's setting for keeping the screen on while the phone is
// plugged in: a sum of 1 for a charger, 2 for USB, 4 for wireless charging.
const stayOn = "stay_on_while_plugged_in"

// settingValue is a value of the settings that are used here, all of them numbers: "null"
// is one that was never set.
var settingValue = regexp.MustCompile(`^(\d{1,3}|null)$`)

// deletedRows is how settings tells that it deleted one.
var deletedRows = regexp.MustCompile(`(?m)^Deleted \d+ rows\s*$`)

// setting asks for a setting. A phone may print other lines around its value.
func (d *Device) setting(ctx context.Context, namespace, name string) (string, error) {
	output, status, err := d.Shell(ctx, "settings get "+namespace+" "+name)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); settingValue.MatchString(line) {
			return line, nil
		}
	}
	if denied := fault.DeniedWords.FindString(output); denied != "" {
		return "", d.settingRefused(name, status, denied)
	}
	return "", fmt.Errorf("adb: settings on %s: %s is %q, expected a number or null", d.Serial, name, shorten(strings.TrimSpace(output)))
}

// putSetting changes a setting to what setting returned. Where the phone does not say
// that it refuses, it is asked whether it did: up to Android 7, where that takes as long
// as the change, only when it said something.
func (d *Device) putSetting(ctx context.Context, namespace, name, value string) error {
	if !settingValue.MatchString(value) {
		return fmt.Errorf("adb: %s %q, expected a number or null", name, value)
	}
	command := "settings put " + namespace + " " + name + " " + value
	if value == "null" {
		command = "settings delete " + namespace + " " + name
	}
	output, status, err := d.Shell(ctx, command)
	if err != nil {
		return err
	}
	words := fault.Failed(output)
	if words == "" && status == 0 {
		output = strings.TrimSpace(deletedRows.ReplaceAllString(output, ""))
		if output == "" && d.SDK > 0 && d.SDK < firstFastSettings {
			return nil
		}
		d.hear(command, output)
		now, err := d.setting(ctx, namespace, name)
		if err != nil || now == value {
			return err
		}
		words = fmt.Sprintf("it stays %s; %s", now, output)
	}
	if words == "" {
		words = output
	}
	if status == commandMissing {
		return fmt.Errorf("adb: settings on %s: status %d: %q", d.Serial, status, shorten(strings.TrimSpace(words)))
	}
	return d.settingRefused(name, status, words)
}

const (
	firstFastSettings = 26  // the first SDK whose settings is no Java process of its own
	commandMissing    = 127 // a shell's status
)

func (d *Device) settingRefused(name string, status int, words string) error {
	return fmt.Errorf("adb: %s: %w: %s: status %d: %q", d.Serial, ErrSettingRefused, name, status, shorten(strings.TrimSpace(words)))
}

// The settings that monkey changes at its end: it lets the screen turn by itself.
var rotationSettings = []string{"accelerometer_rotation", "user_rotation"}

// rotation is how the screen turns, each setting a number.
func (d *Device) rotation(ctx context.Context) ([]string, error) {
	values := make([]string, len(rotationSettings))
	for i, name := range rotationSettings {
		var err error
		if values[i], err = d.setting(ctx, "system", name); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// putRotation makes the screen turn as it did, where that is different now.
func (d *Device) putRotation(ctx context.Context, values []string) error {
	for i, name := range rotationSettings[:min(len(values), len(rotationSettings))] {
		if now, err := d.setting(ctx, "system", name); err == nil && now == values[i] {
			continue
		}
		if err := d.putSetting(ctx, "system", name, values[i]); err != nil {
			return fmt.Errorf("%s is not put back to %s: %w", name, values[i], err)
		}
	}
	return nil
}

// StayAwake returns the phone's setting for staying awake while plugged in, in the form that
// SetStayAwake takes: digits, or "null" if it was never set.
func (d *Device) StayAwake(ctx context.Context) (string, error) {
	return d.setting(ctx, "global", stayOn)
}

// AwakeWhilePlugged is the value for every kind of power.
const AwakeWhilePlugged = "7"

// SetStayAwake changes the setting that StayAwake returns. A phone that does not let it
// be changed is an ErrSettingRefused.
func (d *Device) SetStayAwake(ctx context.Context, value string) error {
	return d.putSetting(ctx, "global", stayOn, value)
}

// ErrSettingRefused: the phone lets nobody use one of its settings through adb.
var ErrSettingRefused = errors.New("the phone refuses its settings")

// ErrDrawnOver: a developer option draws over the screen what fingers do.
var ErrDrawnOver = errors.New("this developer option draws over the screen what fingers do")

// CheckDrawnOver fails with an ErrDrawnOver if the phone draws lines or dots over the screen
// where fingers are or were. They hide what is on it.
func (d *Device) CheckDrawnOver(ctx context.Context) error {
	for _, option := range []struct{ setting, name string }{{"pointer_location", "Pointer location"}, {"show_touches", "Show taps"}} {
		value, err := d.setting(ctx, "system", option.setting)
		if err != nil {
			return err
		}
		if value != "0" && value != "null" {
			return fmt.Errorf("adb: %s: %q is on (%s): %w", d.Serial, option.name, option.setting, ErrDrawnOver)
		}
	}
	return nil
}

// hear keeps words for the log that do not say whether a command did what it was to do.
func (d *Device) hear(command, words string) {
	fault.Hear(d.client.config.Log.With("phone", d.Serial), command, words)
}
