package adb

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// stayOn is Android's setting for keeping the screen on while the phone is
// plugged in: a sum of 1 for a charger, 2 for USB, 4 for wireless charging.
const stayOn = "stay_on_while_plugged_in"

var settingValue = regexp.MustCompile(`^(\d{1,3}|null)$`)

// StayAwake returns the phone's setting for staying awake while plugged in, in the
// form that SetStayAwake takes: digits, or "null" where it was never set.
func (d *Device) StayAwake(ctx context.Context) (string, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	output, _, err := d.shell(ctx, "settings get global "+stayOn)
	if err != nil {
		return "", err
	}
	value := strings.TrimSpace(output)
	if !settingValue.MatchString(value) {
		return "", fmt.Errorf("adb: settings on %s: %s is %q, expected a number or null", d.Serial, stayOn, shorten(value))
	}
	return value, nil
}

// AwakeWhilePlugged is the value for every kind of power.
const AwakeWhilePlugged = "7"

// SetStayAwake changes the setting that StayAwake returns.
func (d *Device) SetStayAwake(ctx context.Context, value string) error {
	if !settingValue.MatchString(value) {
		return fmt.Errorf("adb: %s %q, expected a number or null", stayOn, value)
	}
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	command := "settings put global " + stayOn + " " + value
	if value == "null" {
		command = "settings delete global " + stayOn
	}
	output, status, err := d.shell(ctx, command)
	if err != nil {
		return err
	}
	if status != 0 {
		return fmt.Errorf("adb: settings on %s: status %d: %q", d.Serial, status, shorten(strings.TrimSpace(output)))
	}
	return nil
}
