package batch

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"tapwise/cmd/internal/puzzles/generating"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/cmd/internal/puzzles/solving"
	"tapwise/solvers/described"
)

// Solve is [solving.Job.Solve] by the fleet. Work that the fleet cannot do is done here by the
// job's own Workers, or all work if the hub takes no batch. The channels of puzzles that were
// not solved when the context ended are closed. Call End then: it ends what is left, and waits
// until that is cleared away.
func (f Fleet) Solve(ctx context.Context, job solving.Job, puzzles []puzzlefile.Puzzle, progress *solving.Progress) (results []<-chan solving.Result, end func()) {
	s := &solver{Fleet: f, job: job, puzzles: puzzles, progress: progress, results: make([]chan solving.Result, len(puzzles)), told: make([]bool, len(puzzles))}
	ends := make([]<-chan solving.Result, len(puzzles))
	for i := range ends {
		s.results[i] = make(chan solving.Result, 1)
		ends[i] = s.results[i]
	}
	ctx, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		s.run(ctx)
	}()
	return ends, func() {
		cancel()
		<-over
	}
}

// solver is the solving of puzzles by a fleet.
type solver struct {
	Fleet
	job      solving.Job
	puzzles  []puzzlefile.Puzzle
	progress *solving.Progress
	results  []chan solving.Result
	told     []bool // of which the farm's results were told
	untold   []int  // of which the fleet could not tell
}

func (s *solver) run(ctx context.Context) {
	wanted, others := s.job.Wanted()
	var here, away []int // puzzles for this process, and for the fleet
	var asked []solving.Asked
	farm := farm{Fleet: s.Fleet}
	for i, in := range s.puzzles {
		question, ok := s.job.Ask(in)
		if !ok || !others || len(question.Text) > maxBytes {
			here = append(here, i)
			continue
		}
		away, asked = append(away, i), append(asked, question)
		farm.sizes = append(farm.sizes, len(question.Text))
	}
	farm.ask = func(items []int) any {
		t := solveTask{Wanted: wanted}
		for _, item := range items {
			t.Puzzles = append(t.Puzzles, asked[item])
		}
		return task{Solve: &t}
	}
	farm.take = func(item int, data json.RawMessage) bool {
		i := away[item]
		var told solving.Told
		err := json.Unmarshal(data, &told)
		if err == nil {
			var r solving.Result
			if r, err = s.job.Hear(s.puzzles[i], told); err == nil {
				s.done(i, r)
				return true
			}
		}
		s.Log.Debug("a puzzle is solved here", "puzzle", s.puzzles[i].Name(), "error", err)
		s.untold = append(s.untold, i)
		return true
	}
	farm.lost = func(item int, reason string) bool {
		s.done(away[item], s.job.Lost(s.puzzles[away[item]], reason))
		return true
	}
	var wait sync.WaitGroup
	wait.Go(func() { s.home(ctx, here) })
	if err := farm.run(ctx); err != nil && ctx.Err() == nil {
		s.Log.Warn("the hub takes no batch, the puzzles are solved here", "error", err)
		s.untold = slices.DeleteFunc(away, func(i int) bool { return s.told[i] })
	}
	s.home(ctx, s.untold)
	wait.Wait()
	for _, result := range s.results {
		close(result)
	}
}

// done tells a result of the farm.
func (s *solver) done(i int, r solving.Result) {
	s.told[i] = true
	s.results[i] <- r
	s.progress.Done.Add(1)
}

// home solves puzzles here.
func (s *solver) home(ctx context.Context, which []int) {
	var puzzles []puzzlefile.Puzzle
	for _, i := range which {
		puzzles = append(puzzles, s.puzzles[i])
	}
	for n, result := range s.job.Solve(ctx, puzzles, solving.NewProgress(len(puzzles), s.job.Timeout)) {
		if r, begun := <-result; begun {
			s.results[which[n]] <- r
			s.progress.Done.Add(1)
		}
	}
}

// errRefused is why an order is made here.
var errRefused = errors.New("an answer of which no puzzle can be made")

// Make is [generating.Order.Make] by the fleet: the same puzzles. If the context ends, the
// puzzles made until then come with the error.
func (f Fleet) Make(ctx context.Context, order generating.Order, progress func()) ([]generating.Made, error) {
	puzzles := make([]generating.Made, order.Total())
	farm := farm{Fleet: f, sizes: make([]int, order.Total())}
	farm.ask = func(items []int) any {
		return task{Make: &makeTask{Game: order.Game.Name(), Description: described.Carry(order.Game), Options: order.Options, Grade: order.Grade, Seed: order.Seed, Items: items}}
	}
	var failure error
	farm.take = func(item int, data json.RawMessage) bool {
		var m made
		if failure = json.Unmarshal(data, &m); failure == nil {
			puzzles[item].Grade = m.Grade
			puzzles[item].Puzzle, failure = order.Game.Parse(m.Puzzle)
		}
		if failure == nil && puzzles[item].Puzzle.String() != m.Puzzle {
			failure = errRefused
		}
		if failure == nil {
			progress()
		}
		return failure == nil
	}
	farm.lost = func(_ int, reason string) bool {
		failure = errors.New(reason)
		return false
	}
	err := farm.run(ctx)
	if failure != nil { // what it is is best told by the generator
		f.Log.Debug("the puzzles are made here", "error", failure)
		return order.Make(ctx, func() {})
	}
	var done []generating.Made
	for _, m := range puzzles {
		if m.Puzzle != nil {
			done = append(done, m)
		}
	}
	return order.Choose(done), err
}
