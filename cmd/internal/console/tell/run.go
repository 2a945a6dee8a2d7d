package tell

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Run tells of one run on a phone. Its methods may be called from any goroutine.
type Run struct {
	settings Settings
	ctx      context.Context
	log      *slog.Logger

	mu     sync.Mutex
	news   News
	timer  *time.Timer // of a run that may stand still; nil where that is not told
	paused bool
}

// Begin begins to watch a run. Whatever cannot be told is logged.
func (s Settings) Begin(ctx context.Context, log *slog.Logger, phone string) *Run {
	r := &Run{settings: s, ctx: ctx, log: log, news: News{Phone: phone}}
	if s.StuckAfter > 0 {
		r.timer = time.AfterFunc(s.StuckAfter, r.still)
	}
	return r
}

// Playing notes what is played.
func (r *Run) Playing(phone, game string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.news.Phone, r.news.Game = phone, game
}

// Level notes that a level has ended.
func (r *Run) Level(won bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if won {
		r.news.Won++
	} else {
		r.news.Failed++
	}
	r.rewind()
}

// Pause notes that the run waits for whoever paused it, until resume is called.
func (r *Run) Pause() (resume func()) {
	set := func(paused bool) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.paused = paused
		r.rewind()
	}
	set(true)
	return func() { set(false) }
}

// rewind gives the run its time anew. The caller holds the mutex.
func (r *Run) rewind() {
	if r.timer != nil {
		r.timer.Reset(r.settings.StuckAfter)
	}
}

// still tells that no level has ended for too long. It is told once until one does.
func (r *Run) still() {
	r.mu.Lock()
	news, paused := r.news, r.paused
	r.mu.Unlock()
	if !paused {
		news.Kind, news.Text = Stuck, fmt.Sprintf("No level has ended for %v.", r.settings.StuckAfter)
		r.tell(news)
	}
}

// End tells how the run has ended: with a sentence about what went wrong or, where that is
// empty, as was asked for.
func (r *Run) End(wrong string) {
	r.Stop()
	r.mu.Lock()
	news := r.news
	r.mu.Unlock()
	news.Kind, news.Text = End, fmt.Sprintf("%d won, %d failed.", news.Won, news.Failed)
	if wrong != "" {
		news.Kind, news.Text = Stuck, wrong
	}
	r.tell(news)
}

// Stop ends the watch without a word: somebody has ended the run.
func (r *Run) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.timer != nil {
		r.timer.Stop()
	}
}

func (r *Run) tell(n News) {
	if err := r.settings.Tell(r.ctx, n); err != nil {
		r.log.Warn("news were not told", "error", err)
	}
}
