package web

import (
	"context"
	"image"
	"time"

	"tapwise/cmd/internal/console/pause"
)

// Pushed is what a phone that pushes its frames says of its screen.
type Pushed struct {
	Frame *image.RGBA // scaled down; nil: none is newer than the last one
	Full  image.Point // the screen's size
	At    time.Time   // when it came
	Rests bool        // the screen stands still
}

// How a phone is followed.
const (
	// PushedEvery is the least time from one pushed frame that is shown to the next.
	PushedEvery = 50 * time.Millisecond
	// pushedTogether is the least time for which one frame is shown, of whichever phone, so
	// that many phones leave time for other work.
	pushedTogether = PushedEvery / 3
	checkEvery     = 30 * time.Second // from one captured frame to the next while no frame comes
	followAgain    = 2 * time.Second  // until it is tried again; twice as long each time
	followLast     = time.Minute      // but no longer
)

// following is a phone that pushes its frames while nothing is played on it. The session's lock
// guards it.
type following struct {
	cancel context.CancelFunc
	ended  chan struct{}
	frame  *image.RGBA // the newest; nil before the first
	of     *image.RGBA // that the sight is true of; nil: none
	rests  bool        // the screen stands still
	fresh  bool        // frames have come since the last one was captured
}

// followIt begins to follow a phone on which nothing is played, where it is time to try. The
// caller holds the lock.
func (p *session) followIt() {
	if p.follow != nil || p.run != nil || p.shot == nil || time.Now().Before(p.followAt) {
		return
	}
	ctx, cancel := context.WithCancel(p.server.ctx)
	f := &following{cancel: cancel, ended: make(chan struct{})}
	p.follow = f
	p.server.work.Add(1)
	go func() {
		defer p.server.work.Done()
		defer cancel()
		err := p.server.phones().Follow(ctx, p.serial, func(g Pushed) { p.pushed(ctx, f, g) })
		p.server.Log.Debug("the phone is no longer followed", "phone", p.serial, "reason", err)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.follow = nil
		p.followWait = min(followLast, max(followAgain, 2*p.followWait))
		if f.frame != nil {
			p.followWait = followAgain
		}
		p.followAt = time.Now().Add(p.followWait)
		if ctx.Err() != nil {
			p.followAt = time.Time{} // it was not the phone's doing
		}
		close(f.ended)
	}()
}

// unfollow ends following, and returns what is closed once it has ended. The caller holds the
// lock.
func (p *session) unfollow() (ended <-chan struct{}) {
	if p.follow == nil {
		over := make(chan struct{})
		close(over)
		return over
	}
	p.follow.cancel()
	return p.follow.ended
}

// unfollowAll ends following all phones: nobody looks.
func (s *Server) unfollowAll() {
	for _, serial := range s.serials() {
		p := s.session(serial)
		p.mu.Lock()
		p.unfollow()
		p.mu.Unlock()
	}
}

// pushed takes in what a phone says of its screen. It returns when the next frame may come.
func (p *session) pushed(ctx context.Context, f *following, g Pushed) {
	p.mu.Lock()
	if ctx.Err() != nil { // a run's own frames are shown from now on
		p.mu.Unlock()
		return
	}
	f.rests = g.Rests
	if g.Frame != nil {
		same := p.sight.shot == p.version() && f.of != nil && p.sight.sameBoard(f.of, g.Frame)
		f.frame, f.fresh = g.Frame, true
		p.showPushed(g.Frame, g.Full, g.At)
		if same {
			p.sight.shot, f.of = p.version(), g.Frame
		}
	}
	p.mu.Unlock()
	if g.Frame == nil {
		return
	}
	p.changed()
	_ = pause.For(ctx, max(PushedEvery, time.Duration(p.server.moving())*pushedTogether)) // Follow sees that it was cancelled
}

// sameBoard reports whether the board of a sight looks the same on two scaled frames.
func (s *sight) sameBoard(a, b *image.RGBA) bool {
	if s.seen == nil {
		return false
	}
	size, full := b.Rect.Size(), s.seen.On.Size
	if full.X <= 0 || full.Y <= 0 {
		return false
	}
	at := func(p image.Point) image.Point { return image.Pt(p.X*size.X/full.X, p.Y*size.Y/full.Y) }
	_, within := compare(a, b, image.Rectangle{at(s.seen.Layout.Board.Min), at(s.seen.Layout.Board.Max)})
	return within
}

// moving is the number of phones whose screens move.
func (s *Server) moving() (n int) {
	for _, serial := range s.serials() {
		p := s.session(serial)
		p.mu.Lock()
		if p.follow != nil && !p.follow.rests {
			n++
		}
		p.mu.Unlock()
	}
	return n
}

// due reports whether it is time to capture a frame. A phone that is slow has a third of the
// time to itself. The caller holds the lock.
func (p *session) due() bool {
	since := time.Since(p.frameAt)
	switch f := p.follow; {
	case since < max(frameEvery, p.took*3/2):
		return false
	case p.run != nil:
		return p.live()
	case f == nil || f.frame == nil || p.looked.IsZero() || f.rests && f.fresh:
		return true
	case p.sight.shot != p.version():
		return since >= lookEvery
	case f.fresh:
		return since >= sameEvery
	}
	return since >= checkEvery
}
