package main

import (
	"strings"
	"testing"
	"time"

	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/puzzles/generating"
	"tapwise/cmd/internal/sim/simulation"
)

// FuzzArguments reads any text as the arguments that have a notation of their
// own: what is accepted makes sense, and a refusal repeats it.
func FuzzArguments(f *testing.F) {
	for _, text := range []string{"", "5", "5x7", "12h", "2026-11-20 07:30", "2026-11-20T07:30:05+01:00", "40,-35", "40,-35,1.01,0.99,0.5", "nan,inf",
		"9223372036854775807,0,-9223372036854775789,20"} {
		f.Add(text)
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		cols, rows, err := generating.ParseSize(text)
		if text != "" && err == nil && (cols < 1 || rows < 1) {
			t.Errorf("size %q: %dx%d", text, cols, rows)
		}
		if off, err := simulation.ParseTouchError(text); err == nil && strings.Count(text, ",") == 1 && (off.ScaleX != 0 || off.Turn != 0) {
			t.Errorf("touch error %q: %+v", text, off)
		}
		if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
			if since, err := journal.ParseSince(text, now); err != nil || !since.Equal(now.Add(-ago)) {
				t.Errorf("since %q: %v, %v, expected %v ago", text, since, err, ago)
			}
		} else if since, err := journal.ParseSince(text, now); err == nil && text != "" && since.IsZero() && !strings.HasPrefix(text, "0001-01-01") {
			t.Errorf("since %q: %v", text, since)
		}
	})
}
