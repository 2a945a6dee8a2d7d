// Package attempt is the record of one try at a level, in the one form in which the player
// reports it, the journal keeps it, the fleet sends it and a command prints it.
package attempt

import (
	"encoding/json"
	"time"
)

// Record is what a try at a level came to, and where its time went.
type Record struct {
	Board    string  `json:"board,omitempty"` // in the game's notation; empty when none was read
	Solution string  `json:"solution,omitempty"`
	Rows     int     `json:"rows,omitempty"`
	Cols     int     `json:"cols,omitempty"`
	Settle   Seconds `json:"settle_seconds"` // until the board stood still, captures included
	Read     Seconds `json:"read_seconds"`   // frame → puzzle
	Solve    Seconds `json:"solve_seconds"`  // puzzle → checked solution
	Play     Seconds `json:"play_seconds"`   // touching
	Verify   Seconds `json:"verify_seconds"` // until the screen said that it is won
	Captures int     `json:"captures"`       // frames taken
	Redone   bool    `json:"redone"`         // some of it had to be played again
	// Unconfirmed says why a level that was won may not have been; it is empty if the screen
	// said that it was, or showed the complete board to the end.
	Unconfirmed string `json:"unconfirmed,omitempty"`
}

// Seconds is a duration that JSON has as a number of seconds, exact to the microsecond.
type Seconds struct{ time.Duration }

// MarshalJSON returns the number of seconds.
func (s Seconds) MarshalJSON() ([]byte, error) { return json.Marshal(float64(s.Microseconds()) / 1e6) }

// longest bounds what a record from elsewhere says that a part of a level took.
const longest = 24 * time.Hour

// UnmarshalJSON reads a number of seconds. One below zero or above a day, which no level
// takes, is read as the nearest that may be.
func (s *Seconds) UnmarshalJSON(data []byte) error {
	var n float64
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	s.Duration = time.Duration(min(max(n, 0), longest.Seconds()) * float64(time.Second))
	return nil
}
