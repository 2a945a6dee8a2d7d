package calibration

import (
	"strings"
	"testing"
	"time"
)

func TestValidate(t *testing.T) {
	good := Timing{60 * time.Millisecond, 15 * time.Second, 30 * time.Second, 8 * time.Second, 15 * time.Second, time.Second}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Timing){
		"settle-interval": func(t *Timing) { t.SettleInterval = time.Hour },
		"settle-deadline": func(t *Timing) { t.SettleDeadline = 0 },
		"solve-deadline":  func(t *Timing) { t.SolveDeadline = -time.Second },
		"win-deadline":    func(t *Timing) { t.WinDeadline = time.Millisecond },
		"recover-wait":    func(t *Timing) { t.RecoverWait = 0 },
		"next-deadline":   func(t *Timing) { t.NextDeadline = 24 * time.Hour },
	} {
		bad := good
		change(&bad)
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s out of range: got %v, expected an error that names it", name, err)
		}
	}
}

func TestFor(t *testing.T) {
	own := Timing{time.Millisecond, 15 * time.Second, 30 * time.Second, 8 * time.Second, 20 * time.Second, time.Second}
	if got := own.For(100 * time.Millisecond); got != own {
		t.Errorf("fast animations change %+v to %+v", own, got)
	}
	want := Timing{time.Millisecond, 18 * time.Second, 30 * time.Second, 18 * time.Second, 20 * time.Second, time.Second}
	if got := own.For(1800 * time.Millisecond); got != want {
		t.Errorf("slow animations: %+v, expected %+v", got, want)
	}
}
