package adb

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ErrSettingRefused: the phone lets nobody use one of its settings through adb.
var ErrSettingRefused = errors.New("the phone refuses its settings")

// A command that ends well may print anything as well: what is loaded into every program
// of a phone has lines of its own. Only these say that it did nothing.
var (
	// Lines about a permission say most, those that name it first.
	injectWords = regexp.MustCompile(`(?m)^.*INJECT_EVENTS.*$`)
	deniedWords = regexp.MustCompile(`(?m)^.*(?:SecurityException|[Pp]ermission [Dd]enial).*$`)
	failedWords = regexp.MustCompile(`(?m)^\s*(?:Exception occurred while executing|Error type -?\d|Error: (?:Activity|Argument|Intent|Invalid|Not allowed|Unable to|Unknown)` +
		`|Unknown command: |[Uu]sage: (?:input|settings|am)\b|Killed\s*$|Aborted\b|Segmentation fault\b` +
		`|(?:cmd: )?(?:Can't find service: |Failure calling service )).*$` +
		`|^.*\b(?:` + strings.Join([]string{"am", "cmd", "getevent", "hid", "input", "monkey", "settings", "uinput"}, "|") + `): (?:inaccessible or )?not found\s*$`)
)

// failed is the line in which a command's output says that it did nothing; empty where no
// line is known to say so.
func failed(output string) string {
	for _, words := range []*regexp.Regexp{injectWords, deniedWords} {
		if denied := words.FindString(output); denied != "" {
			return shorten(strings.TrimSpace(denied))
		}
	}
	found := failedWords.FindStringIndex(output)
	if found == nil {
		return ""
	}
	for line := range strings.Lines(output[found[0]:]) { // of a stack trace, the line that says what happened
		if strings.Contains(line, "Exception: ") || strings.Contains(line, "Error: ") {
			return shorten(strings.TrimSpace(line))
		}
	}
	return shorten(strings.TrimSpace(output[found[0]:found[1]]))
}

// refusal explains what a command that touches said, where that is known to be a refusal;
// nil where it is not.
func refusal(output string) error {
	words := failed(output)
	switch {
	case words == "":
		return nil
	case strings.Contains(words, "INJECT_EVENTS"): // no other refusal is about that setting
		return fmt.Errorf("%w: %w: in Developer options turn on "+
			"\"USB debugging (Security settings)\" (Xiaomi, Redmi, POCO) or "+
			"\"Disable permission monitoring\" (OPPO, realme, OnePlus): %q", ErrInputRefused, ErrInjectEvents, words)
	}
	return fmt.Errorf("%w: %q", ErrInputRefused, words)
}

// ended is the error of a command that touches, from its words and its status; nil where
// it ended well. Words that are not known are told to the log.
func (d *Device) ended(command, output string, status int) error {
	output = strings.TrimSpace(output)
	if err := refusal(output); err != nil {
		return err
	}
	if status != 0 {
		text := fmt.Sprintf("status %d", status)
		if output != "" {
			text += fmt.Sprintf(": %q", shorten(output))
		}
		return fmt.Errorf("%w: %s", ErrInputRefused, text)
	}
	d.hear(command, output)
	return nil
}

// hear keeps words for the log that do not say whether a command did what it was to do.
func (d *Device) hear(command, words string) {
	if words = strings.TrimSpace(words); words != "" {
		d.client.config.Log.Debug("the phone printed words of its own", "phone", d.Serial, "command", command, "words", shorten(words))
	}
}
