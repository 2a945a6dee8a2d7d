package fleet

import (
	"testing"
	"time"
)

// TestPerHour compares paces with those reckoned by hand.
func TestPerHour(t *testing.T) {
	now := time.Date(2026, 1, 2, 15, 0, 0, 0, time.UTC)
	ago := func(minutes ...int) (times []time.Time) {
		for _, m := range minutes {
			times = append(times, now.Add(-time.Duration(m)*time.Minute))
		}
		return times
	}
	for _, test := range []struct {
		name string
		wins []time.Time
		want float64
	}{
		{"nothing won", nil, 0},
		{"one level tells no pace", ago(3), 0},
		{"a level every ten minutes", ago(30, 20, 10, 0), 6},
		{"it stands still since", ago(30, 20, 10), 4},
		{"told in another order", ago(10, 30, 20), 4},
		{"what is older than an hour", ago(300, 61, 60, 0), 1},
		{"of a clock that runs ahead", ago(-5, -5), 0},
	} {
		if got := perHour(lately(test.wins, now), now); got != test.want {
			t.Errorf("%s: %g levels an hour, expected %g", test.name, got, test.want)
		}
	}
}
