package solving

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"tapwise/solvers/engine/csp"
	"tapwise/solvers/engine/csp/frontier"
)

// usualBound is proposed for --timeout.
const usualBound = 30 * time.Second

// Progress tells how far a job is. It may be read while the job runs.
type Progress struct {
	Done     atomic.Int64 // puzzles
	Searches []Search     // one for each puzzle
	Counted  string       // what is counted as it is found, such as "solutions"; empty when only one is wanted
	timeout  time.Duration
}

// NewProgress is the progress of a job of n puzzles, with a timeout for each; 0 is
// none.
func NewProgress(n int, timeout time.Duration) *Progress {
	return &Progress{Searches: make([]Search, n), timeout: timeout}
}

// Search tells how far one search is.
type Search struct {
	Effort csp.Effort
	Sweep  frontier.Progress // of a count without listing
	Found  atomic.Int64      // solutions
	Stages atomic.Int64      // of a SABR program: the number of stages that is tried now
}

// Text says in one line how far the job is after the time spent, what matters
// first.
func (p *Progress) Text(spent time.Duration) string {
	bound := fmt.Sprintf("--timeout %v would bound it", usualBound)
	if p.timeout > 0 {
		bound = fmt.Sprintf("--timeout %v", p.timeout)
	}
	var found, nodes, conflicts, stages, decided, edges int64
	var left time.Duration
	for i := range p.Searches {
		s := &p.Searches[i]
		found += s.Found.Load()
		nodes += s.Effort.Nodes()
		conflicts += s.Effort.Conflicts()
		stages = max(stages, s.Stages.Load())
		d, e := s.Sweep.Part()
		decided, edges, left = decided+d, edges+e, left+s.Sweep.Left()
	}
	var parts []string
	if len(p.Searches) > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d puzzles done", p.Done.Load(), len(p.Searches)))
	}
	switch {
	case edges > 0:
		if left > 0 {
			parts = append(parts, fmt.Sprintf("about %v to go", left.Round(time.Second)))
		}
		parts = append(parts, fmt.Sprintf("%d of %d steps on the board counted", decided, edges))
	case p.Counted != "":
		parts = append(parts, fmt.Sprintf("%d %s so far", found, p.Counted))
	}
	if stages > 0 {
		parts = append(parts, fmt.Sprintf("trying %d stages", stages))
	}
	if nodes > 0 { // else the engine does not search
		parts = append(parts, fmt.Sprintf("%d nodes", nodes), fmt.Sprintf("%d conflicts", conflicts))
	}
	if len(parts) == 0 {
		parts = append(parts, "searching")
	}
	return fmt.Sprintf("%v (%s): %s", spent.Round(time.Second), bound, strings.Join(parts, ", "))
}
