package fault

import (
	"fmt"
	"regexp"
	"strings"
)

// A command that ends well may print anything as well: what is loaded into every program
// of a phone has lines of its own. Only these say that it did nothing.
var (
	// Lines about a permission say most, those that name it first.
	injectWords = regexp.MustCompile(`(?m)^.*INJECT_EVENTS.*$`)
	DeniedWords = regexp.MustCompile(`(?m)^.*(?:SecurityException|[Pp]ermission [Dd]enial).*$`)
	failedWords = regexp.MustCompile(`(?m)^\s*(?:Exception occurred while executing|Error type -?\d|Error: (?:Activity|Argument|Intent|Invalid|Not allowed|Unable to|Unknown)` +
		`|Unknown command: |[Uu]sage: (?:input|settings|am)\b|Killed\s*$|Aborted\b|Segmentation fault\b` +
		`|(?:cmd: )?(?:Can't find service: |Failure calling service )).*$` +
		`|^.*\b(?:` + strings.Join([]string{"am", "cmd", "getevent", "hid", "input", "monkey", "settings", "uinput"}, "|") + `): (?:inaccessible or )?not found\s*$`)
)

// Failed is the line in which a command's output says that it did nothing; empty where no
// line is known to say so.
func Failed(output string) string {
	for _, words := range []*regexp.Regexp{injectWords, DeniedWords} {
		if denied := words.FindString(output); denied != "" {
			return Shorten(strings.TrimSpace(denied))
		}
	}
	found := failedWords.FindStringIndex(output)
	if found == nil {
		return ""
	}
	for line := range strings.Lines(output[found[0]:]) { // of a stack trace, the line that says what happened
		if strings.Contains(line, "Exception: ") || strings.Contains(line, "Error: ") {
			return Shorten(strings.TrimSpace(line))
		}
	}
	return Shorten(strings.TrimSpace(output[found[0]:found[1]]))
}

// Refusal explains what a command that touches said, where that is known to be a refusal;
// nil where it is not.
func Refusal(output string) error {
	words := Failed(output)
	switch {
	case words == "":
		return nil
	case strings.Contains(words, "INJECT_EVENTS"): // no other refusal is about that setting
		return fmt.Errorf("%w: %w: in Developer options turn on "+
			"\"USB debugging (Security settings)\" (Xiaomi, Redmi, POCO) or "+
			"\"Disable permission monitoring\" (OPPO, realme, OnePlus): %q", ErrRefused, ErrInjectEvents, words)
	}
	return fmt.Errorf("%w: %q", ErrRefused, words)
}

// Ended is the error of a command that touches, from its words and its status; nil where it
// ended well.
func Ended(output string, status int) error {
	if err := Refusal(output); err != nil || status == 0 {
		return err
	}
	text := fmt.Sprintf("status %d", status)
	if output = strings.TrimSpace(output); output != "" {
		text += fmt.Sprintf(": %q", Shorten(output))
	}
	return fmt.Errorf("%w: %s", ErrRefused, text)
}
