package settings

import (
	"fmt"
	"strconv"
	"time"

	"tapwise/adb"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/places"
)

// Setting is one value in force.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"`           // a flag, an environment variable, a file, or "default"
	Line  int    `json:"line,omitempty"` // of the file, from 1

	kind kind // that the value has to be of
}

// Place is where a setting can be changed.
func (s Setting) Place() string {
	if s.Line > 0 {
		return fmt.Sprintf("%s:%d", s.From, s.Line)
	}
	return s.From
}

// Effective is a setting with the value that is used where none is set.
func (c Configuration) Effective(s Setting) Setting {
	switch {
	case s.Key == "journal" && s.Value == "":
		s.Value, _ = places.Journal("") // without a home there is none
	case s.Key == "play.evidence" && s.Value == "":
		s.Value, _ = places.Evidence("")
	case s.Key == "adb.port" && s.Value == "0":
		s.Value = strconv.Itoa(adb.DefaultPort)
	case s.Key == secret && s.Value != "":
		s.Value = "(set)"
	}
	return s
}

// secret is the setting whose value is shown to nobody: such an address lets anyone send.
const secret = "tell.webhook"

// wrong says where a setting stands that makes no sense, and what was expected.
func (s Setting) wrong(expected string) error {
	if s.Key == secret {
		return cause.Inputf("%s: %s is not %s", s.Place(), s.Key, expected)
	}
	return cause.Inputf("%s: %s is %q, expected %s", s.Place(), s.Key, s.Value, expected)
}

// check wants a value of the setting's kind.
func (s Setting) check() error {
	var err error
	switch s.kind {
	case wholeNumber:
		_, err = strconv.Atoi(s.Value)
	case duration:
		_, err = time.ParseDuration(s.Value)
	case yesOrNo:
		_, err = strconv.ParseBool(s.Value)
	}
	if err != nil {
		return s.wrong(s.kind.String())
	}
	return nil
}

// kind says what a setting's value has to be.
type kind int

const (
	words kind = iota
	wholeNumber
	duration
	yesOrNo
)

func (k kind) String() string {
	return [...]string{"a text", "a whole number", "a time with its unit, such as 80ms or 15s", "true or false"}[k]
}

// kindOf is the kind of a setting, told from its default.
func kindOf(value string) kind {
	if _, err := strconv.Atoi(value); err == nil {
		return wholeNumber
	}
	if _, err := time.ParseDuration(value); err == nil {
		return duration
	}
	if _, err := strconv.ParseBool(value); err == nil {
		return yesOrNo
	}
	return words
}
