package phones

import (
	"context"
	"errors"
	"sync"
	"time"
	"unicode"

	"tapwise/adb"
	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/worker"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/run"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/board"
)

// Shelf is the phones of an adb server.
type Shelf struct {
	Opener  run.Opener
	Journal *journal.Journal
	// Games are those that can be played on all of the phones; none says that nobody knows.
	Games []string
	// Show, if set, brings a level to a phone's screen, and reports whether it could. Otherwise
	// touches lead there.
	Show func(serial string, level int) bool

	mu     sync.Mutex
	client *adb.Client       // which knows the phones that were there; nil before Phones
	apps   map[string]string // in which levels were seen, by serial
}

var _ worker.Shelf = (*Shelf)(nil)

// Phones returns the connected phones, each once; those that are not ready are listed with the
// reason. A phone that does not identify itself may be another name of one in the list, and is
// left out until it does.
func (s *Shelf) Phones(ctx context.Context) ([]fleet.Phone, error) {
	client, err := s.server()
	if err != nil {
		return nil, err
	}
	found, err := client.Phones(ctx)
	if err != nil && !errors.Is(err, adb.ErrNoDevice) {
		return nil, err
	}
	var phones []fleet.Phone
	for _, p := range found {
		switch {
		case p.Err() != nil:
			phones = append(phones, fleet.Phone{
				Serial: p.Names[0], Also: p.Names[1:], Model: p.Model, State: fleet.Unready, Why: wording.Of(p.Err()), Helps: s.Opener.Help(p.Err()),
			})
		case p.Unasked != nil:
			s.Opener.Log.Warn("a phone is left out for now", "phone", p.Names[0], "error", p.Unasked)
		default:
			phones = append(phones, fleet.Phone{Serial: p.Names[0], Also: p.Names[1:], Identity: p.Identity, Model: p.Model, Games: s.Games})
		}
	}
	return phones, nil
}

// server returns the client by which phones are listed.
func (s *Shelf) server() (*adb.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		return s.client, nil
	}
	var err error
	s.client, err = s.Opener.Client()
	return s.client, err
}

// Play plays the levels of a task on a phone.
func (s *Shelf) Play(ctx context.Context, serial string, task worker.Task) (err error) {
	game, err := all.Carried(task.Game, task.Description)
	if err != nil {
		return err
	}
	r, err := s.Opener.Open(ctx, run.Target{Serial: serial, Game: game, Wake: run.WakeIt})
	if err != nil {
		return err
	}
	if err := r.Hold(ctx, true); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	t := &turn{shelf: s, run: r, game: game, task: task, left: map[int]bool{}}
	t.shared = run.Shared{Name: task.Run, Accept: t.accept, Number: t.likely}
	for _, l := range task.Left {
		t.left[l.Number] = true
	}
	return t.play(ctx)
}

// turn is one task on one phone.
type turn struct {
	shelf *Shelf
	run   *run.Run
	game  solvers.Game
	task  worker.Task
	left  map[int]bool // the levels that are still to be played

	shared run.Shared

	current int       // the level that is played; 0 before one was accepted
	board   string    // of it, as it was read
	began   time.Time // when it was accepted, or the one before was over
}

var (
	errOther  = errors.New("the level on the screen is none of the job's")
	errNoMore = errors.New("the app has no more levels, and the job's were not among them")
)

// play plays what is left.
func (t *turn) play(ctx context.Context) error {
	others := 0 // in a row
	for len(t.left) > 0 {
		if err := t.find(ctx); err != nil {
			return err
		}
		if len(t.left) == 0 {
			break
		}
		before := len(t.left)
		t.current, t.began = 0, time.Now()
		err := t.run.Clear(ctx, t.shelf.Journal, run.Order{Levels: t.row(), Shared: &t.shared}, t)
		if len(t.left) < before {
			others = 0
		}
		switch {
		case errors.Is(err, worker.ErrBooked):
			// The next level is looked for.
		case errors.Is(err, errOther) && others < mostUnread:
			others++
		case err != nil:
			return err
		case len(t.left) == before:
			return errNoMore
		}
	}
	return nil
}

// row is how many of the levels that are left follow one another, from the first.
func (t *turn) row() int {
	n, last := 0, 0
	for _, l := range t.task.Left {
		if !t.left[l.Number] {
			continue
		}
		if n > 0 && l.Number != last+1 {
			break
		}
		n, last = n+1, l.Number
	}
	return n
}

// mostUnread is how often a screen without a level is tried to be left, on the way to one.
const mostUnread = 3

// find brings a level that is left to the screen. Levels behind the one on the screen are
// looked for from the app's list, where it has one.
func (t *turn) find(ctx context.Context) error {
	err := t.search(ctx)
	if !errors.Is(err, errNoMore) && !errors.Is(err, player.ErrUnreadable) {
		return err
	}
	if overErr := t.startOver(ctx); overErr != nil {
		return errors.Join(err, overErr)
	}
	return t.search(ctx)
}

// startOver leaves what is on the screen by the BACK key, in the app in which levels were
// seen before and in no other, and opens the phone anew, so that no level counts as
// skipped.
func (t *turn) startOver(ctx context.Context) error {
	serial := t.run.Phone.Serial
	for range 2 { // a panel over a level, and the level
		front, err := t.run.Phone.Front(ctx)
		if err != nil {
			return err
		}
		if front == "" || front != t.shelf.app(serial) {
			return nil
		}
		if err := t.run.Phone.Back(ctx); err != nil {
			return err
		}
	}
	r, err := t.shelf.Opener.Open(ctx, run.Target{Serial: serial, Game: t.game, Wake: run.WakeIt})
	if err != nil {
		return err
	}
	r.Player.Device = t.run.Phone // which is held
	t.run.Player = r.Player
	_, err = t.run.Player.Next(ctx)
	return err
}

// search goes from level to level until one that is left is on the screen.
func (t *turn) search(ctx context.Context) error {
	for _, l := range t.task.Left {
		if !t.left[l.Number] {
			continue
		}
		if t.shelf.Show != nil && t.shelf.Show(t.run.Phone.Serial, l.Number) || l.Board == "" {
			return nil
		}
		break
	}
	unread := 0
	// From the first level of a pack to the last, and once more for those that the app
	// shows again.
	for range 2*max(t.task.Pack, len(t.task.Left)) + 2 {
		report, _, err := t.run.Preview(ctx)
		more := true
		switch {
		case errors.Is(err, player.ErrComplete):
			more, err = t.run.Player.Next(ctx)
		case errors.Is(err, player.ErrUnreadable) && unread < mostUnread:
			// A preview touches nothing. The way to the next level leads over what is in
			// the way, such as the list, or the panel after the last level.
			unread++
			more, err = t.run.Player.Next(ctx)
		case err == nil && t.number(report.Board) != 0:
			return t.seen(ctx)
		case err == nil:
			more, err = t.run.Player.Skip(ctx)
		}
		if err != nil {
			return err
		}
		if !more {
			return errNoMore
		}
	}
	return errNoMore
}

// seen notes in which app a level was seen.
func (t *turn) seen(ctx context.Context) error {
	front, err := t.run.Phone.Front(ctx)
	if err == nil && front != "" {
		t.shelf.mu.Lock()
		defer t.shelf.mu.Unlock()
		if t.shelf.apps == nil {
			t.shelf.apps = map[string]string{}
		}
		t.shelf.apps[t.run.Phone.Serial] = front
	}
	return err
}

// app is the app in which levels were seen on a phone; empty before the first.
func (s *Shelf) app(serial string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.apps[serial]
}

// number returns which of the levels that are left a board is, 0 for none.
func (t *turn) number(board string) int {
	for _, same := range []func(string) string{func(s string) string { return s }, renamed} {
		for _, l := range t.task.Left {
			if t.left[l.Number] && (l.Board == "" || same(t.told(l.Board)) == same(board)) {
				return l.Number
			}
		}
	}
	return 0
}

// likely returns which of the levels that are left a board is most likely to be, when it is
// none of them, or was not read: the first.
func (t *turn) likely(board string) int {
	if board != "" {
		if n := t.number(board); n != 0 {
			return n
		}
	}
	for _, l := range t.task.Left {
		if t.left[l.Number] {
			return l.Number
		}
	}
	return 0
}

// told returns a board as the game writes it.
func (t *turn) told(board string) string {
	if p, err := t.game.Parse(board); err == nil {
		return p.String()
	}
	return board
}

// renamed gives the letters of a board new names in the order in which they come: a
// screen shows colours, and not the letters that a pack has for them.
func renamed(text string) string {
	return board.RenamedRunes(text, unicode.IsLetter)
}

// accept is asked before a board is touched.
func (t *turn) accept(board string) error {
	if t.current != 0 && board == t.board {
		return nil
	}
	number := t.number(board)
	if number == 0 {
		return errOther
	}
	if err := t.task.Begin(number); err != nil {
		if errors.Is(err, worker.ErrBooked) {
			delete(t.left, number)
		}
		return err
	}
	t.current, t.board = number, board
	return nil
}

// Level tells the worker how a level ended.
func (t *turn) Level(_ int, report player.Report, failure error) error {
	if errors.Is(failure, worker.ErrBooked) || errors.Is(failure, worker.ErrStop) || errors.Is(failure, errOther) || errors.Is(failure, context.Canceled) || errors.Is(failure, fleet.ErrLost) || errors.Is(failure, run.ErrUnkept) {
		return nil // it was not played to its end
	}
	number := t.current
	t.current = 0
	if number == 0 { // it failed before its board was read
		number = t.likely("")
	}
	e := fleet.Event{Level: number, Verdict: fleet.Won, Started: t.began, Ended: time.Now(), Record: report.Record}
	t.began = e.Ended
	if failure != nil {
		e.Verdict, e.Reason = fleet.Failed, wording.Of(failure)
	} else {
		delete(t.left, number)
	}
	return t.task.Done(e, report.Evidence)
}

// Begin, Complete and NoMore have nothing to tell the worker.
func (t *turn) Begin(int, int) {}
func (t *turn) Complete(int64) {}
func (t *turn) NoMore()        {}

var _ run.Progress = (*turn)(nil)
