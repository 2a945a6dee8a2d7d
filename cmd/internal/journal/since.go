package journal

import (
	"fmt"
	"time"
)

// ParseSince reads a date, a date and time, or how long ago, such as 36h.
func ParseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", time.DateTime} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	return time.Time{}, fmt.Errorf("--since %q, expected a date such as %s, a time such as %q, or how long ago, such as 12h",
		text, now.Format(time.DateOnly), now.Format("2006-01-02 15:04"))
}
