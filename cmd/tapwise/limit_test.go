package main

import (
	"testing"
	"time"
)

// TestLimit: of several limits the shortest counts; a time of the day that is over is tomorrow's.
func TestLimit(t *testing.T) {
	now := time.Date(2026, 11, 25, 6, 0, 30, 0, time.UTC)
	for _, test := range []struct {
		options runOptions
		want    time.Duration
	}{
		{runOptions{}, 0},
		{runOptions{minutes: 1.5}, 90 * time.Second},
		{runOptions{lasts: 2 * time.Hour}, 2 * time.Hour},
		{runOptions{until: "07:00"}, 59*time.Minute + 30*time.Second},
		{runOptions{until: "06:00"}, 24*time.Hour - 30*time.Second},
		{runOptions{until: "07:00", lasts: time.Minute, minutes: 3}, time.Minute},
	} {
		if err := test.options.validate(); err != nil {
			t.Errorf("%+v: %v", test.options, err)
		}
		if got := test.options.limit(now); got != test.want {
			t.Errorf("%+v: %v, expected %v", test.options, got, test.want)
		}
	}
}
