package calibration

import (
	"errors"
	"fmt"
	"time"
)

// Timing says how long the player waits, and how often it looks. The names in the
// tags are the keys of the configuration file.
type Timing struct {
	SettleInterval time.Duration `mapstructure:"settle-interval"` // between two captures of the screen
	SettleDeadline time.Duration `mapstructure:"settle-deadline"` // for the board to stand still
	SolveDeadline  time.Duration `mapstructure:"solve-deadline"`  // for the solver
	WinDeadline    time.Duration `mapstructure:"win-deadline"`    // for the app to say that the level is won
	NextDeadline   time.Duration `mapstructure:"next-deadline"`   // for the next level to show
	RecoverWait    time.Duration `mapstructure:"recover-wait"`    // the first wait when something went wrong; it doubles
}

// TimingError is a time out of its range.
type TimingError struct {
	Name        string // in the configuration file
	Value       time.Duration
	Least, Most time.Duration
}

func (e *TimingError) Error() string {
	return fmt.Sprintf("calibration: timing %s is %v, expected %v to %v", e.Name, e.Value, e.Least, e.Most)
}

// Validate joins a *TimingError for each value out of its range.
func (t Timing) Validate() error {
	var wrong []error
	for _, v := range []struct {
		name        string
		value       time.Duration
		least, most time.Duration
	}{
		{"settle-interval", t.SettleInterval, time.Millisecond, 10 * time.Second},
		{"settle-deadline", t.SettleDeadline, 100 * time.Millisecond, 10 * time.Minute},
		{"solve-deadline", t.SolveDeadline, 10 * time.Millisecond, time.Hour},
		{"win-deadline", t.WinDeadline, 100 * time.Millisecond, 10 * time.Minute},
		{"next-deadline", t.NextDeadline, 100 * time.Millisecond, 10 * time.Minute},
		{"recover-wait", t.RecoverWait, time.Millisecond, time.Minute},
	} {
		if v.value < v.least || v.value > v.most {
			wrong = append(wrong, &TimingError{v.name, v.value, v.least, v.most})
		}
	}
	return errors.Join(wrong...)
}

// For adapts the timing to an app whose animations last that long: nothing is given
// up before they can be over.
func (t Timing) For(animation time.Duration) Timing {
	const times = 10 // a level has many animations
	t.SettleDeadline = max(t.SettleDeadline, times*animation)
	t.WinDeadline = max(t.WinDeadline, times*animation)
	t.NextDeadline = max(t.NextDeadline, times*animation)
	return t
}
