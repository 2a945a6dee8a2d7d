package player

import (
	"context"
	"time"

	"tapwise/solvers/screen"
)

// A Marker is a Device that tells more cheaply than by a frame whether rows of the
// screen change.
type Marker interface {
	Device
	// RowsMark returns a text that is the same for the same pixels in rows from..to of frames
	// of a screen. It fails if that costs as much as a frame.
	RowsMark(ctx context.Context, on screen.Frame, from, to int) (string, error)
}

// A Meter is a Device that counts the bytes that came from the phone and went to it.
type Meter interface {
	Device
	Traffic() (received, sent int64)
}

// countTraffic returns what adds the bytes since now to the report.
func (l *level) countTraffic() func() {
	meter, ok := l.Device.(Meter)
	if !ok {
		return func() {}
	}
	received, sent := meter.Traffic()
	return func() {
		r, s := meter.Traffic()
		l.report.Received += r - received
		l.report.Sent += s - sent
	}
}

// boardRows are the rows of a board on frames of a screen.
type boardRows struct {
	on       screen.Frame
	from, to int
}

// rowsOf is where the board is that a look shows.
func rowsOf(s sight) boardRows {
	board := s.seen.Layout.Board.Intersect(s.frame.Bounds())
	if s.seen.Layout.Rows == 0 || board.Empty() {
		return boardRows{}
	}
	return boardRows{s.on, board.Min.Y, board.Max.Y}
}

// hold reports whether a look shows a level whose board lies within the rows.
func (r boardRows) hold(s sight) bool {
	other := rowsOf(s)
	return s.place.Kind == screen.Level && other.to > other.from && other.on == r.on && other.from >= r.from && other.to <= r.to
}

// maxMarks is the number of marks in a row that differ after which frames are
// captured: something in the board's rows may be moving for good.
const maxMarks = 12

// standingByMarks is standing where the board is likely to be where the last one was:
// its rows are marked until two marks agree, then a frame is captured, and the mark
// after it has to agree as well. It reports false when the device has no marks, when
// they do not come to agree, and when the frame shows no board in those rows: then
// nothing is known of how still it stands, and frames decide, also the next times in the
// level.
func (l *level) standingByMarks(ctx context.Context, deadline time.Time) (s sight, ok bool, err error) {
	rows, marker := l.memory.rows, Marker(nil)
	if marker, ok = l.Device.(Marker); !ok || rows == (boardRows{}) || l.memory.marksVain {
		return s, false, nil
	}
	last := ""
	for range maxMarks {
		mark := l.mark(ctx, marker, rows)
		if mark == "" || l.time().After(deadline) {
			return s, false, ctx.Err()
		}
		if mark == last {
			s, ok, err = l.marked(ctx, marker, mark)
			l.memory.marksVain = !ok
			return s, ok, err
		}
		last = mark
		if err := l.wait(ctx, l.Timing.SettleInterval); err != nil {
			return s, false, err
		}
	}
	l.memory.marksVain = true
	return s, false, nil
}

// marked captures a frame of a board whose rows stand still, and reports false when
// they do not any more, or are not those of a board.
func (l *level) marked(ctx context.Context, marker Marker, mark string) (s sight, ok bool, err error) {
	rows := l.memory.rows
	if s, _, err = l.glance(ctx); err != nil {
		return s, false, err
	}
	if s.on != rows.on || l.mark(ctx, marker, rows) != mark {
		return s, false, ctx.Err()
	}
	if s, err = l.know(s); err != nil {
		return s, false, err
	}
	return s, rows.hold(s), nil
}

// mark is the mark of a board's rows; empty when there is none.
func (l *level) mark(ctx context.Context, marker Marker, rows boardRows) (mark string) {
	err := l.phone(ctx, "mark", func(ctx context.Context) (err error) {
		mark, err = marker.RowsMark(ctx, rows.on, rows.from, rows.to)
		return err
	})
	if err != nil {
		l.log().Debug("no marks of the board's rows", "error", err)
		return ""
	}
	l.report.Marks++
	return mark
}
