package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"tapwise/cmd/internal/console/pause"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/puzzles/generating"
	"tapwise/cmd/internal/puzzles/solving"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/described"
)

// task is what a chunk says: one of its fields.
type task struct {
	Solve *solveTask `json:"solve,omitempty"`
	Make  *makeTask  `json:"make,omitempty"`
}

// solveTask are puzzles to solve.
type solveTask struct {
	Wanted  solving.Wanted  `json:"wanted"`
	Puzzles []solving.Asked `json:"puzzles"`
}

// makeTask are puzzles to make.
type makeTask struct {
	Game string `json:"game"`
	// Description is that of the game, if it is described.
	Description *described.Carried `json:"description,omitempty"`

	Options solvers.GenerateOptions `json:"options"`
	Grade   string                  `json:"grade,omitempty"`
	Seed    uint64                  `json:"seed"`
	Items   []int                   `json:"items"`
}

// made is a puzzle that was made; without a puzzle it could not be.
type made struct {
	Puzzle string        `json:"puzzle,omitempty"`
	Grade  solvers.Grade `json:"grade"`
}

// found is the answer to a chunk.
type found struct {
	Items   []json.RawMessage `json:"items"`              // one for each item; null for one that the asker has to do
	Seconds float64           `json:"seconds"`            // that they took
	GivenUp string            `json:"given_up,omitempty"` // why nobody is to try again
}

// Offer is what a worker offers for batches.
type Offer struct {
	Agent  *fleet.Agent
	Worker string // its name
	Cores  int
	Log    *slog.Logger
}

const (
	// deliveries is how often a chunk may be handed out before it is given up.
	deliveries = 5
	// patience is how long a core waits for a chunk before it asks again.
	patience = 5 * time.Second
	// retry is the pause after the hub did not answer.
	retry = 500 * time.Millisecond
	// maxItem is the most bytes of the answer to one item.
	maxItem = 128 << 10
)

// Run works until the context ends; chunks under way are given back then.
func (o *Offer) Run(ctx context.Context) {
	var wait sync.WaitGroup
	for range o.Cores {
		wait.Go(func() { o.core(ctx) })
	}
	wait.Wait()
}

// core does one chunk after another. An answer is on its way while the next chunk is asked
// for and done: otherwise the core would stand still for as long as the hub takes.
func (o *Offer) core(ctx context.Context) {
	var answering sync.WaitGroup
	defer answering.Wait()
	for ctx.Err() == nil {
		portion, err := o.Agent.NextPortion(ctx, patience)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			o.Log.Debug("no chunk", "error", err)
			_ = pause.For(ctx, retry) // the loop sees that it ended
		case portion != nil:
			answer := o.do(ctx, portion)
			answering.Wait() // one at a time
			answering.Go(answer)
		}
	}
}

// do does a chunk, and returns what answers it.
func (o *Offer) do(ctx context.Context, portion *fleet.Portion) (answer func()) {
	working, cancel := context.WithCancel(ctx)
	go portion.Keep(working, cancel)
	var result any
	var reason string
	if portion.Deliveries > deliveries {
		result = found{GivenUp: fmt.Sprintf("a part was handed out %d times and never ended", portion.Deliveries-1)}
	} else {
		o.Log.Debug("a chunk is begun", "batch", portion.Batch, "chunk", portion.Number)
		found, err := work(working, portion.Data)
		switch {
		case ctx.Err() != nil:
			cancel()
			return portion.Back
		case working.Err() != nil:
			return portion.Drop
		case err != nil:
			reason = err.Error()
		default:
			result = found
		}
	}
	return func() {
		defer cancel()
		err := portion.Answer(working, o.Worker, result, reason)
		if errors.Is(err, fleet.ErrLarge) {
			err = portion.Answer(working, o.Worker, nil, err.Error())
		}
		if err != nil { // it comes again when its lease ends
			o.Log.Debug("a chunk was not answered", "batch", portion.Batch, "chunk", portion.Number, "error", err)
		}
	}
}

// work does what a chunk says. It fails when the context ends, and for what no worker does.
func work(ctx context.Context, data json.RawMessage) (found, error) {
	var t task
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields() // asked by a newer version, say
	if err := decoder.Decode(&t); err != nil {
		return found{}, fmt.Errorf("a task that cannot be read: %w", err)
	}
	begin := time.Now()
	var f found
	var err error
	switch {
	case t.Solve != nil && t.Make == nil:
		err = f.each(len(t.Solve.Puzzles), func(i int) (any, error) { return t.Solve.Wanted.Tell(ctx, t.Solve.Puzzles[i]) })
	case t.Make != nil && t.Solve == nil:
		err = t.Make.make(ctx, &f)
	default:
		err = errors.New("a task that says nothing or too much")
	}
	f.Seconds = time.Since(begin).Seconds()
	return f, err
}

// each does the items of a task.
func (f *found) each(n int, do func(i int) (any, error)) error {
	if n < 1 || n > maxItems {
		return fmt.Errorf("a task of %d items, expected 1 to %d", n, maxItems)
	}
	for i := range n {
		result, err := do(i)
		if err != nil {
			return err
		}
		data, err := json.Marshal(result)
		if err != nil {
			return err
		}
		if len(data) > maxItem {
			data = []byte("null")
		}
		f.Items = append(f.Items, data)
	}
	return nil
}

// make makes the puzzles of a task.
func (t *makeTask) make(ctx context.Context, f *found) error {
	game, err := all.Carried(t.Game, t.Description)
	if err != nil {
		return err
	}
	order := generating.Order{Game: game, Options: t.Options, Grade: t.Grade, Seed: t.Seed}
	return f.each(len(t.Items), func(i int) (any, error) {
		m, err := order.Nth(ctx, t.Items[i])
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			return made{}, nil // who asked finds out why
		}
		return made{Puzzle: m.Puzzle.String(), Grade: m.Grade}, nil
	})
}
