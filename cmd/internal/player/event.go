package player

import (
	"image"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// State is where in the loop a player is; docs/loop.md shows them all.
type State string

// The states of the loop.
const (
	StateConnect State = "connect" // the phone answers and the app is known
	StateSettle  State = "settle"  // until the screen stands still
	StateRead    State = "read"    // observation → puzzle
	StateSolve   State = "solve"   // puzzle → checked solution
	StatePlan    State = "plan"    // solution → gestures
	StatePlay    State = "play"    // the finger moves
	StateVerify  State = "verify"  // until the screen says that the level is won
	StateRedo    State = "redo"    // what did not arrive is played again
	StateNext    State = "next"    // from a won level to the next one
	StateRecover State = "recover" // one rung of the ladder
	StateDone    State = "done"    // it is what was wanted
	StateStop    State = "stop"    // it is not, and the failure says why
)

// Event is a moment of a run worth showing: a state was entered, a frame was
// captured, a gesture began or the last one ended, a step was taken to recover.
// Fields that say nothing of the moment are zero, except Level and Stroke.
type Event struct {
	At    time.Time
	State State
	Level int // the number of the level in this run, from 1; 0 before the first
	// Stroke is the index in Plan of the gesture that begins now; -1 when the
	// finger is up.
	Stroke int
	Note   string // for people: what happened
	Err    error  // what went wrong, on a step to recover and on a stop

	Stage    string // "read" with the board found, "verify" with each look after playing, else empty
	Frame    *image.RGBA
	Seen     *screen.Observation
	Place    screen.PlaceKind
	Puzzle   solvers.Puzzle
	Solution solvers.Solution
	Plan     []screen.Gesture
}
