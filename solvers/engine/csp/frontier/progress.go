package frontier

import (
	"context"
	"sync/atomic"
	"time"
)

// Progress tells how far counts are, while they run: it may be read from any goroutine. The
// zero value is ready for use.
type Progress struct{ decided, edges, left atomic.Int64 }

// Part is the number of edges that the count which told last has decided, of how many.
func (p *Progress) Part() (decided, edges int64) { return p.decided.Load(), p.edges.Load() }

// Left is about how long that count will go on, 0 when nothing is known about it.
func (p *Progress) Left() time.Duration { return time.Duration(p.left.Load()) }

// end says that no count goes on.
func (p *Progress) end() {
	if p != nil {
		p.decided.Store(0)
		p.edges.Store(0)
		p.left.Store(0)
	}
}

type progressKey struct{}

// WithProgress makes the counts that are given the context, or one made of it, tell p how far
// they are.
func WithProgress(ctx context.Context, p *Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// progressOf is where counts with the context tell how far they are, or nil.
func progressOf(ctx context.Context) *Progress {
	p, _ := ctx.Value(progressKey{}).(*Progress)
	return p
}

// mostGrowth bounds how many more states are expected than there are.
const mostGrowth = 6

// tell estimates what is left of a count from the time spent. The states of a level grow,
// line after line of a board, towards a number that they come close to in the fourth line or the
// fifth; comparing the states of the two sweeps takes about a third as long as they do.
func (p *Progress) tell(m *meeting, width int, spent time.Duration) {
	if p == nil || m.work == 0 {
		return
	}
	expected := 0.0 // states of a level
	for _, s := range []*sweep{m.head, m.tail} {
		growth := float64(mostGrowth)
		if line := 2 * width; s.level > line {
			since := float64(s.seen[s.level]) / float64(s.seen[s.level-line])
			growth = min(growth, 1+(since-1)*(since-1)*0.4)
		}
		expected += growth * float64(s.now.states) / 2
	}
	all := float64(m.work) + expected*float64(len(m.order)-m.decided())
	p.edges.Store(int64(len(m.order)))
	p.decided.Store(int64(m.decided()))
	p.left.Store(int64(float64(spent) * (all*4/3/float64(m.work) - 1)))
}
