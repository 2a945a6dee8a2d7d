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
	StateHold    State = "hold"    // until the caller lets it go on
	StatePlay    State = "play"    // the finger moves
	StateVerify  State = "verify"  // until the screen says that the level is won
	StateRedo    State = "redo"    // gestures that did not arrive are made again
	StateNext    State = "next"    // from a won level to the next one
	StateRecover State = "recover" // one rung of the ladder
	StateDone    State = "done"    // the goal is reached
	StateStop    State = "stop"    // it is not, and the error says why
)

// Event is a moment of a run worth showing: a state was entered, a frame was
// captured, a gesture began or the last one ended, a step was taken to recover.
// Fields without a meaning for the moment are zero, except Level and Stroke.
type Event struct {
	At    time.Time
	State State
	Level int // the number of the level in this run, from 1; 0 before the first
	// Stroke is the index in Plan of the gesture that begins now; -1 when the
	// finger is up.
	Stroke int
	Note   string // what happened, for people
	Err    error  // the failure, on a step to recover and on a stop

	Stage    string      // "read" with the board found, "verify" with each look after playing, else empty
	Frame    *image.RGBA // see Picture
	Seen     *screen.Observation
	Place    screen.PlaceKind
	Puzzle   solvers.Puzzle
	Solution solvers.Solution
	Plan     []screen.Gesture

	factor int // as of a sight
}

// Picture is the frame in the pixels of Seen and Plan. Frame is smaller than that if the board
// was read from a frame that the phone pushed.
func (e Event) Picture() *image.RGBA { return sight{frame: e.Frame, factor: e.factor}.whole() }

// step is a line of the log that the evidence keeps.
type step struct {
	At    int64  `json:"ms"` // since the level began
	State State  `json:"state"`
	Note  string `json:"note,omitempty"`
	Error string `json:"error,omitempty"`
}

// enter changes the state.
func (l *level) enter(state State, note string) {
	l.state = state
	l.publish(Event{Note: note})
}

// maxSteps bounds the log of one level.
const maxSteps = 500

// publish tells the watcher about a moment, and notes it for the evidence.
func (l *level) publish(e Event) {
	if e.Frame == nil && len(l.steps) < maxSteps {
		s := step{At: l.time().Sub(l.began).Milliseconds(), State: l.state, Note: e.Note}
		if e.Err != nil {
			s.Error = e.Err.Error()
		}
		l.steps = append(l.steps, s)
	}
	if l.Watch == nil {
		return
	}
	e.At, e.State, e.Level = l.time(), l.state, l.number
	if len(e.Plan) == 0 {
		e.Stroke = -1
	}
	l.Watch(e)
}

// publishLook tells the watcher about a look at the board, with the plan.
func (l *level) publishLook(stage string, s sight) {
	l.publish(Event{Stage: stage, Stroke: -1, Frame: s.frame, factor: s.factor, Seen: s.Seen, Place: s.Place.Kind, Puzzle: l.puzzle, Solution: l.solution, Plan: l.plan})
}
