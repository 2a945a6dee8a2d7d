package web

import (
	"context"
	"fmt"
	"image"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/trouble"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Phone is a phone as the adb server lists it.
type Phone struct {
	Serial string `json:"serial"`
	State  string `json:"state"`
	Model  string `json:"model"`
	Ready  bool   `json:"ready"` // it can be used
	// Touch is the way in which it is touched and the pace, empty before one was chosen;
	// Refused says why better ways are not used, one a line.
	Touch   string `json:"touch,omitempty"`
	Refused string `json:"refused,omitempty"`
}

// Phones gives access to the phones.
type Phones interface {
	List(ctx context.Context) ([]Phone, error)
	// Capture captures a frame of a phone on which nothing is being played, and
	// returns how long that took.
	Capture(ctx context.Context, serial string) (*image.RGBA, screen.Frame, time.Duration, error)
	// Follow reports what an idle phone says of its screen by itself to each, one after the
	// other, until the context ends. Where it says nothing, or somebody plays on it, it is an
	// error, and soon.
	Follow(ctx context.Context, serial string, each func(Pushed)) error
	// Clear plays the levels in an order, as `tapwise clear` does, and reports each
	// moment and each level. It calls hold as a player.Player does, and ends when
	// the context does.
	Clear(ctx context.Context, o Order, hold func(context.Context) error, watch func(Moment), done func(player.Report, error)) error
	// Preview reports the level on the screen, and returns the commands that would
	// play it. It touches nothing.
	Preview(ctx context.Context, o Order, watch func(Moment)) ([]string, error)
	// Wake switches a phone's screen on. It fails where a lock is over it.
	Wake(ctx context.Context, serial string) error
	// StartServer starts the adb server.
	StartServer(ctx context.Context) error
}

// Eyes look at frames for a game.
type Eyes interface {
	// Look looks at a frame of a phone of that model.
	Look(frame *image.RGBA, on screen.Frame, game solvers.Game, model string) (recognise.Sight, error)
	// Tell looks at a frame for a level of any game. It reports false where none can be read.
	Tell(ctx context.Context, frame *image.RGBA, on screen.Frame, model string) (recognise.Sight, bool)
}

// Order says which levels to play.
type Order struct {
	Serial string
	Game   solvers.Game // nil: the one on the screen
	Pack   string       // a name to keep with the attempts; may be empty
	First  int          // the number of the level now on the screen
	Last   int          // the number of the last level to play; 0: until there are no more
}

// Levels is the number of levels in an order; 0 is until there are no more.
func (o Order) Levels() int {
	if o.Last == 0 {
		return 0
	}
	return o.Last - o.First + 1
}

// Moment is an event of the player, with the time it took to capture its frame (0:
// unknown).
type Moment struct {
	player.Event
	Game solvers.Game // that is played
	Took time.Duration
	// Pushed is the size of the screen that the frame is a scaled picture of, where it is one
	// that the phone pushed, and the player's event is none. Zero for all others.
	Pushed image.Point
}

// How often the page looks while somebody watches.
const (
	frameEvery = 180 * time.Millisecond // from the beginning of one frame to that of the next
	lookEvery  = time.Second            // from one board that is read to the next, while nothing is played
	sameEvery  = 5 * time.Second        // the same while the board's pixels stay as they are
	listEvery  = 2 * time.Second
	tellEvery  = 5 * time.Second  // from one time that every game is asked to the next
	lookTime   = 15 * time.Second // at most, for one look, unless Config.LookTime says otherwise
	tickEvery  = 20 * time.Millisecond
)

// keptLines is the number of events that a phone's state keeps, the last ones.
const keptLines = 40

// session is the page's view of one phone. Its state is replaced, never queued.
type session struct {
	server *Server
	serial string
	// These are guarded by the server's lock.
	shown bool // a page has shown it
	away  bool // it is not listed any more

	mu      sync.Mutex
	phone   Phone
	game    solvers.Game // the game to look for; nil: any
	sees    solvers.Game // the game that was last on the screen, where any is looked for
	told    time.Time    // when every game was last asked
	trouble *problem     // what stands in the way; nil: nothing
	shot    *shot        // the newest frame, nil before the first
	still   *shot        // the newest that was captured
	sight   sight        // the result of looking at it
	run     *run         // in progress, nil when idle
	last    *run         // the last one that ended
	lines   []line
	frameAt time.Time          // when capturing the last frame of an idle phone began
	took    time.Duration      // that it took
	looked  time.Time          // when a board was last looked for
	looking context.CancelFunc // of the look in progress, nil without one

	follow     *following // nil while the phone's own frames are not looked at
	followAt   time.Time  // when to try next
	followWait time.Duration
}

// sight is the result of looking at a frame. What it points to is never changed.
type sight struct {
	shot     int          // the version of the newest frame that it is true of
	still    *shot        // the newest captured one that it is true of
	game     solvers.Game // the game that was looked for; nil: any
	stage    string
	place    screen.PlaceKind
	reason   string // why no board was read
	seen     *screen.Observation
	puzzle   solvers.Puzzle
	solution solvers.Solution
	plan     []screen.Gesture
}

// run is something being played. The session's lock guards it.
type run struct {
	order   Order
	dry     bool
	endless bool // another run follows it
	cancel  context.CancelFunc
	ended   chan struct{}
	resumed chan struct{} // closed unless paused
	paused  bool          // a pause was asked for
	waiting bool          // and is in force
	stage   string
	level   int // the number of the level being played
	stroke  int // the one being made, as an index into the sight's plan; -1 none
	won     int
	moved   time.Time // when it began, went on after a pause, or ended a level last
	failed  bool
	lines   []string // the commands of a dry run
	pace    pace
}

// line is an event for people.
type line struct {
	At   int64  `json:"at"`   // Unix milliseconds
	Kind string `json:"kind"` // info, good, bad
	Text string `json:"text"`
}

// lookAround lists the phones and looks at the idle ones while a page shows them.
func (s *Server) lookAround() {
	defer s.work.Done()
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	// The first page finds the phones listed, and a frame of each.
	s.listPhones(false)
	for _, serial := range s.serials() {
		s.session(serial).look()
	}
	var listed time.Time
	for {
		wait := tick.C
		if s.hub.watched() {
			if time.Since(listed) > listEvery {
				s.listPhones(true)
				listed = time.Now()
			}
			for _, serial := range s.serials() {
				s.session(serial).look()
			}
		} else {
			wait, listed = nil, time.Time{} // a page that opens finds phones that came meanwhile
			s.unfollowAll()
		}
		select {
		case <-s.ctx.Done():
			return
		case <-s.hub.woken:
		case <-wait:
		}
	}
}

// listPhones lists the phones and tells the pages. On those that a page shows for the
// first time it begins to play, where the page is to.
func (s *Server) listPhones(shown bool) {
	ctx, cancel := context.WithTimeout(s.ctx, s.LookTime)
	defer cancel()
	phones, err := s.phones().List(ctx)
	s.mu.Lock()
	before, trouble, first := slices.Clone(s.order), s.trouble, !s.listed
	s.order, s.trouble, s.listed = s.order[:0], nil, true
	var found []*session // phones that were not there before
	if err != nil {
		s.trouble = problemOf(err)
	}
	for _, p := range phones {
		s.order = append(s.order, p.Serial)
		if s.sessions[p.Serial] == nil {
			s.sessions[p.Serial] = &session{server: s, serial: p.Serial, game: s.usual}
		}
		if phone := s.sessions[p.Serial]; shown && p.Ready && !phone.shown {
			phone.shown = true
			found = append(found, phone)
		}
	}
	// A phone on which something is being played is shown even while it is gone.
	for serial, phone := range s.sessions {
		if err == nil {
			phone.away = !slices.Contains(s.order, serial)
		}
		if !slices.Contains(s.order, serial) && phone.busy() {
			s.order = append(s.order, serial)
		}
	}
	changed := first || !slices.Equal(before, s.order) || !trouble.same(s.trouble)
	s.mu.Unlock()
	for _, p := range phones {
		phone := s.session(p.Serial)
		phone.mu.Lock()
		same := phone.phone == p
		phone.phone = p
		phone.mu.Unlock()
		if !same {
			phone.changed()
		}
	}
	if changed {
		s.hub.tell("phones", s)
	}
	for _, phone := range found {
		if err := s.autoplay(phone); err != nil {
			s.Log.Error("playing could not begin by itself", "phone", phone.serial, "error", err)
		}
	}
}

// autoplay begins to play on a phone, where the page is to.
func (s *Server) autoplay(p *session) error {
	if !s.Play && s.demo() == nil {
		return nil
	}
	return p.begin(Order{Serial: p.serial, Game: p.game, First: 1}, false)
}

func (s *Server) serials() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order)
}

func (s *Server) session(serial string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[serial]
}

// phoneList is the message to a page about all phones.
type phoneList struct {
	Now     int64    `json:"now"` // Unix milliseconds
	Serials []string `json:"serials"`
	Listed  bool     `json:"listed"` // false before phones were looked for
	Trouble *problem `json:"trouble"`
	Demo    bool     `json:"demo"`   // the phones are simulated ones
	Faults  []Fault  `json:"faults"` // that these can be given
	Offers  bool     `json:"offers"` // that simulated phones are shown
}

func (s *Server) list() phoneList {
	s.mu.Lock()
	defer s.mu.Unlock()
	serials := slices.Clone(s.order)
	slices.Sort(serials)
	if serials == nil {
		serials = []string{}
	}
	l := phoneList{Now: time.Now().UnixMilli(), Serials: serials, Listed: s.listed || s.shownPhones == nil, Trouble: s.trouble, Faults: []Fault{}}
	if s.shownPhones == nil {
		l.Trouble = &problem{Say: "This page was started without phones."}
	}
	if demo, ok := s.shownPhones.(Demo); ok {
		l.Demo, l.Faults = true, demo.Faults()
	}
	l.Offers = !l.Demo && s.OpenDemo != nil
	return l
}

func (p *session) changed() { p.server.hub.tell("phone "+p.serial, p) }

func (p *session) busy() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.run != nil
}

// note adds an event for people. The caller holds the lock.
func (p *session) note(kind, format string, a ...any) {
	p.lines = append(p.lines, line{time.Now().UnixMilli(), kind, fmt.Sprintf(format, a...)})
	p.lines = p.lines[max(0, len(p.lines)-keptLines):]
}

// startRequest is the page's request to play.
type startRequest struct {
	Game   string `json:"game"`
	Pack   string `json:"pack"`
	First  int    `json:"first"`
	Last   int    `json:"last"`
	DryRun bool   `json:"dryRun"`
}

func (s *Server) asked(r *http.Request) (*session, error) {
	p := s.session(r.PathValue("serial"))
	if p == nil {
		return nil, refuse(http.StatusNotFound, "no phone %q", r.PathValue("serial"))
	}
	return p, nil
}

type done struct {
	OK bool `json:"ok"`
}

func (s *Server) start(r *http.Request) (any, error) {
	p, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	var q startRequest
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	game, err := s.game(q.Game)
	switch {
	case err != nil:
		return nil, err
	case q.First < 0 || q.First > 1e6 || q.Last < 0 || q.Last > 1e6 || q.Last != 0 && q.Last < q.First:
		return nil, refuse(http.StatusBadRequest, "levels %d to %d, expected the first before the last", q.First, q.Last)
	case len(q.Pack) > 200:
		return nil, refuse(http.StatusBadRequest, "a pack's name of %d bytes, expected at most 200", len(q.Pack))
	}
	return done{true}, p.begin(Order{p.serial, game, q.Pack, max(1, q.First), q.Last}, q.DryRun)
}

// named is the order's game in words.
func (o Order) named() string {
	if o.Game == nil {
		return "what is on the screen"
	}
	return trouble.Title(o.Game.Name())
}

// begin starts playing.
func (p *session) begin(o Order, dry bool) error {
	if p.server.ctx.Err() != nil {
		return refuse(http.StatusServiceUnavailable, "the server is ending")
	}
	ctx, cancel := context.WithCancel(p.server.ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run != nil {
		cancel()
		return refuse(http.StatusConflict, "%s is already being played on", p.serial)
	}
	if p.looking != nil {
		p.looking() // from now on the player's own frames are shown
	}
	endless := false
	if demo := p.server.demo(); demo != nil && o.Last == 0 && !dry {
		// A run takes each level once.
		endless, o.Last = true, o.First+demo.Levels(p.serial)-1
	}
	now := &run{order: o, dry: dry, endless: endless, cancel: cancel, ended: make(chan struct{}), resumed: make(chan struct{}),
		stage: "settle", level: o.First, stroke: -1, pace: pace{began: time.Now()}, moved: time.Now()}
	close(now.resumed)
	p.run, p.game, p.trouble = now, o.Game, nil
	what := fmt.Sprintf("play %s from level %d", o.named(), o.First)
	if dry {
		what = "dry run of " + o.named()
	} else if o.Last > 0 {
		what += " to " + strconv.Itoa(o.Last)
	}
	p.note("info", "%s", what)
	idle := p.unfollow() // the run pushes its own
	p.server.work.Add(1)
	go func() {
		<-idle
		p.play(ctx, now)
	}()
	p.changed()
	return nil
}

// play runs until the order is complete.
func (p *session) play(ctx context.Context, now *run) {
	defer p.server.work.Done()
	defer now.cancel()
	watch := func(m Moment) { p.watch(now, m) }
	var err error
	if now.dry {
		var lines []string
		lines, err = p.server.phones().Preview(ctx, now.order, watch)
		p.mu.Lock()
		now.lines = lines
		p.mu.Unlock()
	} else {
		hold := func(ctx context.Context) error { return p.hold(ctx, now) }
		err = p.server.phones().Clear(ctx, now.order, hold, watch, func(report player.Report, err error) { p.level(now, report, err) })
	}
	p.mu.Lock()
	switch {
	case ctx.Err() != nil:
		now.stage = "stopped"
		p.note("info", "stopped")
	case err != nil:
		now.stage, now.failed = "failed", true
		p.trouble = problemOf(err)
		p.note("bad", "%s", p.trouble.Say)
	case now.dry:
		now.stage = "done"
		p.note("good", "nothing was touched; %d commands would play the level", len(now.lines))
	default:
		now.stage = "done"
		p.note("good", "done: %d won", now.won)
	}
	now.stroke = -1
	now.pace.ended = time.Now()
	p.run, p.last = nil, now
	p.looked = time.Time{}
	p.mu.Unlock()
	close(now.ended)
	p.changed()
	if now.endless && now.stage == "done" {
		next := now.order
		next.First, next.Last = next.Last+1, 0
		if err := p.begin(next, false); err != nil {
			p.server.Log.Debug("nothing more is played", "phone", p.serial, "error", err)
			return
		}
		p.mu.Lock()
		if p.run != nil {
			p.run.won += now.won
		}
		p.mu.Unlock()
	}
}

// watch stores a moment of the player. It does no more: drawing and encoding are up
// to the pages' requests.
func (p *session) watch(now *run, m Moment) {
	p.mu.Lock()
	defer p.changed()
	defer p.mu.Unlock()
	if m.Pushed != (image.Point{}) {
		same := p.sight.shot == p.version() && now.stage == string(player.StatePlay)
		p.showPushed(m.Frame, m.Pushed, m.At)
		if same { // the finger draws on the board that was seen
			p.sight.shot = p.version()
		}
		return
	}
	now.stage, now.stroke = string(m.State), m.Stroke
	if m.Game != nil {
		now.order.Game, p.sees = m.Game, m.Game
	}
	if m.Level > 0 {
		now.level = now.order.First + m.Level - 1
	}
	if m.Frame != nil && (p.shot == nil || p.shot.frame != m.Frame) {
		p.show(m.Picture(), m.At.Add(-m.Took), m.Took)
		p.took = m.Took
		if !slices.Contains([]player.State{player.StatePlay, player.StateVerify, player.StateRedo}, m.State) {
			p.sight = sight{} // it belongs to another screen
		}
	}
	switch {
	case m.Seen != nil:
		p.sight = sight{shot: p.version(), still: p.still, game: p.game, stage: m.Stage, place: m.Place, seen: m.Seen, puzzle: m.Puzzle, solution: m.Solution, plan: m.Plan}
		if m.Stage == "verify" {
			p.sight.plan = nil // it was played; what is missing comes with the next touch
		}
	case m.Stroke >= 0:
		p.sight.plan = m.Plan
	}
	switch {
	case m.Stage == "read":
		p.note("info", "level %d: read and solved, %d strokes", now.level, len(m.Plan))
	case m.State == player.StateRecover || m.State == player.StateRedo && m.Stroke < 0 && m.Note != "":
		text := string(m.State) + ": " + m.Note
		if m.Err != nil {
			text += ", because " + problemOf(m.Err).Say
		}
		p.note("bad", "%s", text)
	}
}

// level stores the end of a level.
func (p *session) level(now *run, r player.Report, err error) {
	p.mu.Lock()
	now.moved = time.Now()
	now.pace.add(r)
	if err == nil && r.Won {
		now.won++
		p.note("good", "level %d won: read %d ms, solve %d ms, play %d ms", now.level,
			(r.Settle.Duration + r.Read.Duration).Milliseconds(), r.Solve.Milliseconds(), (r.Play.Duration + r.Verify.Duration).Milliseconds())
	}
	p.mu.Unlock()
	p.changed()
}

// hold waits while a pause is asked for.
func (p *session) hold(ctx context.Context, now *run) error {
	for {
		p.mu.Lock()
		resumed := now.resumed
		waits := now.paused
		changed := now.waiting != waits
		now.waiting = waits
		if changed {
			now.moved = time.Now()
		}
		p.mu.Unlock()
		if changed {
			p.changed()
		}
		if !waits {
			return nil
		}
		select {
		case <-resumed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *Server) pause(r *http.Request) (any, error)  { return s.setPaused(r, true) }
func (s *Server) resume(r *http.Request) (any, error) { return s.setPaused(r, false) }

// setPaused asks the run to wait before it touches a level again, or to go on.
func (s *Server) setPaused(r *http.Request, paused bool) (any, error) {
	p, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	now := p.run
	if now != nil && now.paused != paused {
		now.paused = paused
		if paused {
			now.resumed = make(chan struct{})
			p.note("info", "pause before the next touch of a level")
		} else {
			close(now.resumed)
			p.note("info", "go on")
		}
	}
	p.mu.Unlock()
	if now == nil {
		return nil, refuse(http.StatusConflict, "nothing is being played on %s", p.serial)
	}
	p.changed()
	return done{true}, nil
}

// stop ends the run and waits until it has ended.
func (s *Server) stop(r *http.Request) (any, error) {
	p, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	now := p.run
	p.mu.Unlock()
	if now == nil {
		return done{true}, nil
	}
	now.cancel()
	select {
	case <-now.ended:
	case <-r.Context().Done():
	}
	return done{true}, nil
}

// choose sets the game to look for on an idle phone.
func (s *Server) choose(r *http.Request) (any, error) {
	p, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	var q struct {
		Game string `json:"game"`
	}
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	game, err := s.game(q.Game)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	busy := p.run != nil
	if !busy {
		p.game, p.looked, p.told, p.trouble = game, time.Time{}, time.Time{}, nil
	}
	p.mu.Unlock()
	if busy {
		return nil, refuse(http.StatusConflict, "%s is being played on", p.serial)
	}
	p.changed()
	return done{true}, nil
}
