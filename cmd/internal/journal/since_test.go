package journal

import (
	"testing"
	"time"
)

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"": "0001-01-01 00:00:00", "12h": "2026-11-21 00:00:00", "2026-11-20": "2026-11-20 00:00:00",
		"2026-11-20 07:30": "2026-11-20 07:30:00", "2026-11-20T07:30:05+01:00": "2026-11-20 06:30:05",
	} {
		if got, err := ParseSince(text, now); err != nil || got.UTC().Format(time.DateTime) != want {
			t.Errorf("%q: %v, %v, expected %s", text, got, err, want)
		}
	}
	for _, text := range []string{"yesterday", "-5h", "2026-13-01"} {
		if got, err := ParseSince(text, now); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}
