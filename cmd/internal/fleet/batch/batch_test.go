package batch_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/batch"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/fleet/hub/hubtest"
	"tapwise/cmd/internal/puzzles/generating"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/cmd/internal/puzzles/solving"
	"tapwise/solvers/all"
)

// site is a hub with keys.
type site struct {
	testing.TB
	hub *hub.Hub
}

func newSite(t testing.TB) site {
	t.Helper()
	return site{t, hubtest.Start(t, nil)}
}

func (s site) worker(name string) *fleet.Agent {
	s.Helper()
	return hubtest.Join(s, hubtest.Worker(s, s.hub, name))
}

// offer has a worker offer a core.
func (s site) offer(name string) {
	o := batch.Offer{Agent: s.worker(name), Worker: name, Cores: 1, Log: slog.New(slog.DiscardHandler)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		o.Run(ctx)
	}()
	s.Cleanup(func() {
		cancel()
		<-ended
	})
}

func (s site) fleet() batch.Fleet {
	s.Helper()
	return batch.Fleet{Client: hubtest.Dial(s, hubtest.Operator(s, s.hub)), Log: slog.New(slog.DiscardHandler)}
}

// take takes a chunk of a batch, and does nothing with it.
func take(t *testing.T, agent *fleet.Agent) *fleet.Portion {
	t.Helper()
	for t.Context().Err() == nil {
		if p, err := agent.NextPortion(t.Context(), time.Second); err == nil && p != nil {
			return p
		}
	}
	t.Fatal("no chunk came")
	return nil
}

// TestMake: the fleet makes the puzzles that one process makes, also when a worker that
// had a part of them is silent for ever.
func TestMake(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	game := all.Games()[0]
	order := generating.Order{Game: game, Count: 12, Seed: 3, Grade: "hard"}
	order.Options.Rows, order.Options.Cols, order.Options.Unique = 5, 5, true
	want, err := order.Make(t.Context(), func() {})
	if err != nil {
		t.Fatal(err)
	}
	silent := s.worker("silent")
	ours := s.fleet()
	type result struct {
		made []generating.Made
		err  error
	}
	done := make(chan result)
	go func() {
		n := 0
		made, err := ours.Make(t.Context(), order, func() { n++ })
		if n != order.Total() {
			t.Errorf("%d puzzles were made by the fleet, expected %d", n, order.Total())
		}
		done <- result{made, err}
	}()
	take(t, silent)
	s.offer("good")
	got := <-done
	if got.err != nil {
		t.Fatal(got.err)
	}
	if len(got.made) != len(want) {
		t.Fatalf("%d puzzles, expected %d", len(got.made), len(want))
	}
	for i := range want {
		if got.made[i].Puzzle.String() != want[i].Puzzle.String() || got.made[i].Grade != want[i].Grade {
			t.Errorf("puzzle %d is\n%s with grade %v, expected\n%s with %v", i, got.made[i].Puzzle, got.made[i].Grade, want[i].Puzzle, want[i].Grade)
		}
	}
}

// TestSolve: the levels of all games are solved as one process does, and in that order;
// a solution that is wrong is not believed, and what workers cannot do is done here, unless
// it ends them.
func TestSolve(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	var puzzles []puzzlefile.Puzzle
	for _, game := range all.Games() {
		pack := puzzlefile.Pack(game)
		puzzles = append(puzzles, pack[:min(3, len(pack))]...)
	}
	job := solving.Job{Listing: solving.Listing{All: true, Limit: 3}, Workers: 1}
	var want []solving.Result
	for _, end := range job.Solve(t.Context(), puzzles, solving.NewProgress(len(puzzles), 0)) {
		want = append(want, <-end)
	}
	liar := s.worker("liar")
	ours := s.fleet()
	results, end := ours.Solve(t.Context(), job, puzzles, solving.NewProgress(len(puzzles), 0))
	defer end()
	lie := map[string]any{"seconds": 1, "items": []any{map[string]any{"status": "solved", "texts": []string{want[1].Solution}, "solutions": 1}}}
	if err := take(t, liar).Answer(t.Context(), "liar", lie, ""); err != nil {
		t.Fatal(err)
	}
	if err := take(t, liar).Answer(t.Context(), "liar", nil, "I do not know"); err != nil {
		t.Fatal(err)
	}
	ends := take(t, s.worker("ends"))
	if err := ends.Answer(t.Context(), "ends", map[string]any{"given_up": "it ends workers"}, ""); err != nil {
		t.Fatal(err)
	}
	s.offer("one")
	s.offer("two")
	for i, result := range results {
		got, ok := <-result
		if !ok {
			t.Fatalf("puzzle %d has no result", i)
		}
		if i == ends.Number-1 {
			if got.Error != "the fleet gave up: it ends workers" {
				t.Errorf("a puzzle that ends workers has the error %q", got.Error)
			}
			continue
		}
		if got.Status != want[i].Status || !reflect.DeepEqual(got.Texts, want[i].Texts) || got.Stats.Nodes != want[i].Stats.Nodes {
			t.Errorf("puzzle %d: %s with %d nodes and solutions %q, expected %s with %d and %q", i, got.Status, got.Stats.Nodes, got.Texts, want[i].Status, want[i].Stats.Nodes, want[i].Texts)
		}
	}
}

// TestUnwanted: what nobody waits for is not done.
func TestUnwanted(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	ours := s.fleet()
	ctx, cancel := context.WithCancel(t.Context())
	order := generating.Order{Game: all.Games()[0], Count: 3, Seed: 1}
	ended := make(chan error)
	go func() {
		_, err := ours.Make(ctx, order, func() {})
		ended <- err
	}()
	p := take(t, s.worker("late"))
	unwanted := make(chan struct{})
	go p.Keep(t.Context(), func() { close(unwanted) })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the batch ended with %v, expected %v", err, context.Canceled)
	}
	<-unwanted
	s.offer("good")
	if rest, err := s.worker("other").NextPortion(t.Context(), 100*time.Millisecond); err != nil || rest != nil {
		t.Errorf("left of the batch is %v, %v, expected nothing", rest, err)
	}
}

// spent remembers what the log says of batches that are over.
type spent struct {
	slog.Handler
	busy, took float64
	chunks     int64
}

func (s *spent) Enabled(context.Context, slog.Level) bool { return true }

func (s *spent) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "busy":
			s.busy += a.Value.Float64()
		case "took":
			s.took += a.Value.Float64()
		case "chunks":
			s.chunks += a.Value.Int64()
		}
		return true
	})
	return nil
}

// BenchmarkMake makes puzzles on one core and on two, and tells for which part of the time
// the cores had something to do: what is missing goes into handing chunks out.
func BenchmarkMake(b *testing.B) {
	game, err := all.ByName("flow")
	if err != nil {
		b.Fatal(err)
	}
	order := generating.Order{Game: game, Count: 400, Seed: 1}
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			s := newSite(b)
			for i := range cores {
				s.offer(fmt.Sprintf("worker-%d", i))
			}
			f := s.fleet()
			log := &spent{Handler: slog.DiscardHandler}
			f.Log = slog.New(log)
			for b.Loop() {
				if _, err := f.Make(b.Context(), order, func() {}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(100*log.busy/log.took/float64(cores), "%busy")
			b.ReportMetric(float64(log.chunks)/float64(b.N), "chunks")
		})
	}
}
