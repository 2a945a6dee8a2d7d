package web

import (
	"bytes"
	"context"
	"image"
	"net/http"
	"strconv"
	"sync"
	"time"

	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/cmd/internal/play/player"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// shot is a frame. It is never changed, except that it is encoded when first asked
// for.
type shot struct {
	version  int // number among the session's frames, from 1
	frame    *image.RGBA
	full     image.Point // of the screen that it is a scaled picture of; zero: it is not scaled
	captured time.Time   // when capturing began
	took     time.Duration
	whole    bool // every pixel is to be shown

	once sync.Once
	jpeg []byte
	err  error
}

// look begins a look at a phone when it is due: a frame, and the board on it when
// nothing is played.
func (p *session) look() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.phone.Ready {
		return
	}
	p.followIt()
	if p.looking != nil || !p.due() {
		return
	}
	if p.follow != nil {
		p.follow.fresh = false
	}
	ctx, cancel := context.WithTimeout(p.server.ctx, p.server.LookTime)
	p.looking, p.frameAt = cancel, time.Now()
	p.server.work.Add(1)
	go func() {
		defer p.server.work.Done()
		defer cancel()
		if p.capture(ctx) {
			p.changed()
		}
	}()
}

// quickFrame is the most that a frame may take on a phone that is asked for frames
// while it is played on. A phone for which it is work could be late with the finger.
const quickFrame = 100 * time.Millisecond

// live reports whether a frame is captured for the page while a run goes on: where the
// player itself has taken none for a while, nor the phone pushed one last. The caller holds the
// lock.
func (p *session) live() bool {
	if p.shot != nil && p.shot.full != (image.Point{}) {
		return false
	}
	return p.took > 0 && p.took < quickFrame && (p.shot == nil || time.Since(p.shot.captured) >= frameEvery)
}

// capture takes a frame of the phone, and looks for the board on it when that is due.
// It reports whether there is something new to show.
func (p *session) capture(ctx context.Context) (fresh bool) {
	p.mu.Lock()
	game, model, playing, before, known, looked, like := p.game, p.phone.Model, p.run, p.still, p.sight, p.looked, p.sees
	tell := time.Since(p.told) >= tellEvery
	p.mu.Unlock()
	frame, on, took, err := p.server.phones().Capture(ctx, p.serial)
	began := time.Now().Add(-took)
	var kept likeness
	if err == nil && before != nil {
		kept = known.kept(game, before, frame)
	}
	due := playing == nil && kept.due(time.Since(looked), known.game != game)
	var made sight
	if err == nil && due {
		looked, due = time.Now(), game != nil || like != nil || tell // else nothing was recognised a moment ago
		if game != nil {
			made = p.server.see(game, model, frame, on)
		} else if due {
			made, like = p.server.seeAny(ctx, like, tell, model, frame, on)
		}
	}

	p.mu.Lock()
	defer p.mu.Unlock()
	p.looking = nil
	switch {
	case ctx.Err() != nil || p.run != playing || p.game != game || p.still != before:
		return false // what was captured is no longer the newest
	case err != nil:
		return p.unseen(err)
	}
	if p.trouble != nil && p.trouble.looking {
		p.trouble, due = nil, due || !kept.frame
	}
	p.took = took
	if due {
		p.looked, p.sees = looked, like
		if tell && game == nil {
			p.told = looked
		}
	}
	fresh = due || !kept.frame || p.shot != before
	p.present(frame, began, took, !kept.frame || p.shot != before)
	p.keepSight(made, due, kept)
	return fresh
}

// present makes a captured frame the newest, if it is another one than what shows and no frames
// that are pushed are newer. The caller holds the lock.
func (p *session) present(frame *image.RGBA, began time.Time, took time.Duration, other bool) {
	if f := p.follow; f != nil && f.frame != nil && !f.rests {
		p.still = &shot{version: p.version(), frame: frame, captured: began, took: took}
	} else if other {
		p.show(frame, began, took)
	}
}

// keepSight takes the sight that was made, if it was time for one; or the one before is that of
// the newest frame, too. The caller holds the lock.
func (p *session) keepSight(made sight, due bool, kept likeness) {
	if due {
		p.sight = made
	}
	if due || kept.sight && (p.midway() || kept.board) {
		p.sight.shot, p.sight.still = p.version(), p.still
	}
	if f := p.follow; f != nil && p.sight.shot == p.version() {
		f.of = f.frame
	}
}

// unseen says that no frame could be captured, and reports whether that is new. What stopped a
// run stays said. The caller holds the lock.
func (p *session) unseen(err error) bool {
	found := problemOf(err)
	found.looking = true
	if p.trouble != nil && !p.trouble.looking || p.trouble.same(found) {
		return false
	}
	p.trouble = found
	p.note("bad", "%s", found.Say)
	return true
}

// likeness is what has stayed from one frame to the next.
type likeness struct {
	sight bool // the sight is of the frame before
	frame bool // all pixels are the same
	board bool // those of the sight's board are
}

// kept compares a frame with the one before, and with the board that was seen there if the
// sight is of that frame.
func (s *sight) kept(game solvers.Game, before *shot, frame *image.RGBA) likeness {
	l := likeness{sight: s.game == game && s.still == before}
	var board image.Rectangle
	if l.sight && s.seen != nil {
		board = s.seen.Layout.Board
	}
	l.frame, l.board = compare(before.frame, frame, board)
	return l
}

// due reports whether it is time to look for the board again.
func (l likeness) due(sinceLook time.Duration, otherGame bool) bool {
	switch {
	case l.frame && l.sight:
		return false
	case l.board:
		return otherGame || sinceLook >= sameEvery
	}
	return otherGame || sinceLook >= lookEvery
}

// midway reports whether the finger moves and has strokes yet to make: then the level is
// not complete, and nothing of the app's own covers the board. The caller holds the lock.
func (p *session) midway() bool {
	return p.run != nil && p.run.stage == string(player.StatePlay) && p.run.stroke >= 0 && p.run.stroke < len(p.sight.plan)-1
}

// compare reports whether two frames have the same pixels, and whether they have within a
// board, which may be empty: then they have not.
func compare(a, b *image.RGBA, board image.Rectangle) (frame, within bool) {
	if a.Rect != b.Rect || a.Stride != b.Stride {
		return false, false
	}
	first := changedRow(a, b, b.Rect)
	frame = first >= b.Rect.Max.Y
	if board.Empty() || !board.In(b.Rect) {
		return frame, false
	}
	board.Min.Y = max(board.Min.Y, first) // above it nothing has changed
	return frame, changedRow(a, b, board) >= board.Max.Y
}

// changedRow is the first row within a part of two frames that has other pixels; where
// none has, it is below that part.
func changedRow(a, b *image.RGBA, part image.Rectangle) int {
	y := part.Min.Y
	for ; y < part.Max.Y; y++ {
		first, last := b.PixOffset(part.Min.X, y), b.PixOffset(part.Max.X-1, y)+4
		if !bytes.Equal(a.Pix[first:last], b.Pix[first:last]) {
			break
		}
	}
	return y
}

// seeAny looks at a frame for the level of any game: first of the one that it is likely to
// be and, where that cannot read it and there is the time, of all. It returns the game that
// is seen.
func (s *Server) seeAny(ctx context.Context, like solvers.Game, tell bool, model string, frame *image.RGBA, on screen.Frame) (made sight, sees solvers.Game) {
	if like != nil {
		made = s.see(like, model, frame, on)
		made.game = nil
		if made.puzzle != nil || made.place == screen.Won || made.place == screen.Popup || !tell {
			return made, like
		}
	}
	if s.Eyes != nil {
		if found, ok := s.Eyes.Tell(ctx, frame, on, model); ok {
			return sight{stage: "look"}.of(found), found.Game
		}
	}
	return sight{stage: "look", reason: "no level of a known game is on the screen"}, nil
}

// see looks at a frame and reads its board.
func (s *Server) see(game solvers.Game, model string, frame *image.RGBA, on screen.Frame) sight {
	made := sight{game: game, stage: "look"}
	if s.Eyes == nil || len(game.Spec().Measures) == 0 {
		made.reason = game.Name() + " boards cannot be read from a screen"
		return made
	}
	seen, err := s.Eyes.Look(frame, on, game, model)
	if err != nil {
		made.reason = err.Error()
		return made
	}
	return made.of(seen)
}

// of is what the page shows of what was seen.
func (made sight) of(seen recognise.Sight) sight {
	place := seen.Place
	made.seen, made.place = seen.Seen, place.Kind
	if place.Kind != screen.Level {
		made.reason = place.Kind.String()
		if place.Reason != "" {
			made.reason += ": " + place.Reason
		}
		return made
	}
	var err error
	if made.puzzle, err = seen.Read(); err != nil {
		made.puzzle, made.reason = nil, err.Error()
	}
	return made
}

// show makes a captured frame the newest. The caller holds the lock.
func (p *session) show(frame *image.RGBA, captured time.Time, took time.Duration) {
	p.shot = &shot{version: p.version() + 1, frame: frame, captured: captured, took: took}
	p.still = p.shot
}

// showPushed makes a frame that the phone pushed, of a screen of that size, the newest. The caller
// holds the lock.
func (p *session) showPushed(frame *image.RGBA, full image.Point, at time.Time) {
	p.shot = &shot{version: p.version() + 1, frame: frame, full: full, captured: at}
}

// version is the newest frame's; 0 before the first. The caller holds the lock.
func (p *session) version() int {
	if p.shot == nil {
		return 0
	}
	return p.shot.version
}

// frame answers with the newest frame of a phone.
func (s *Server) frame(w http.ResponseWriter, r *http.Request) {
	p := s.session(r.PathValue("serial"))
	if p == nil {
		http.NotFound(w, r)
		return
	}
	p.mu.Lock()
	newest := p.shot
	p.mu.Unlock()
	if newest == nil {
		http.NotFound(w, r)
		return
	}
	data, err := newest.picture(s.Encode)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("X-Frame-Version", strconv.Itoa(newest.version))
	sendPicture(w, data)
}

// sendPicture answers with a JPEG.
func sendPicture(w http.ResponseWriter, data []byte) {
	w.Header().Set("Content-Type", "image/jpeg")
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
	_, _ = w.Write(data) // nobody is left to be told of an error
}

// jpegQuality keeps a frame below about 150 KB.
const jpegQuality = 75

// shownSide is the most pixels of a frame's shorter side that the page shows. A frame
// of more than that is halved before it is encoded: that is what a live picture costs.
const shownSide = 800

// picture is the frame, encoded once.
func (s *shot) picture(encode Encode) ([]byte, error) {
	s.once.Do(func() {
		shrink := 1
		if size := s.frame.Rect.Size(); min(size.X, size.Y) > shownSide && !s.whole {
			shrink = 2
		}
		s.jpeg, s.err = encode(s.frame, shrink, jpegQuality)
	})
	return s.jpeg, s.err
}

// Encode encodes a frame as JPEG, each side of it divided by shrink, at a quality from 1
// to 100.
type Encode func(frame *image.RGBA, shrink, quality int) ([]byte, error)
