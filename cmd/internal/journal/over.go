package journal

import (
	"context"
	"encoding/json"
	"slices"
)

// Counted remembers which attempts of a journal were told by [Journal.Over].
type Counted struct {
	last int64   // the number of the newest attempt seen
	open []int64 // of those that were not over then
}

// Over tells of each attempt that is over and was not told before, in the order of their
// numbers. An attempt that is over never changes. It tells only what can be counted: boards,
// solutions, errors and folders are left out. It calls anew before it tells all of them
// again, since the file is another one now.
func (j *Journal) Over(ctx context.Context, counted *Counted, anew func(), each func(Attempt)) error {
	var newest int64
	if err := j.db.one(ctx, &newest, "SELECT coalesce(max(id), 0) FROM attempts"); err != nil {
		return j.failed(err)
	}
	if newest < counted.last {
		*counted = Counted{}
		anew()
	}
	for more := true; more; {
		var err error
		if more, err = j.overNext(ctx, counted, each); err != nil {
			return j.failed(err)
		}
	}
	return nil
}

// overAtOnce is how many attempts are read before others may use the journal again.
const overAtOnce = 10_000

// overNext is Over for the next attempts, and reports whether there may be more.
func (j *Journal) overNext(ctx context.Context, counted *Counted, each func(Attempt)) (more bool, err error) {
	open, err := json.Marshal(slices.Concat(counted.open, []int64{0})) // never null
	if err != nil {
		return false, err
	}
	rows, err := j.db.QueryContext(ctx, `SELECT a.id, a.run, a.level, '', '', r.game, '', a.started, a.ended, a.verdict, '', '', a.rows, a.cols, '',
		a.settle, a.read, a.solve, a.play, a.verify, a.captures, a.redone, '', '', a.again, ''
		FROM attempts a JOIN runs r ON r.id = a.run WHERE a.id > ? OR a.id IN (SELECT value FROM json_each(?)) ORDER BY a.id LIMIT ?`,
		counted.last, string(open), overAtOnce+len(counted.open))
	if err != nil {
		return false, err
	}
	defer rows.Close()
	last := counted.last
	for rows.Next() {
		a, err := scanAttempt(rows)
		if err != nil {
			return false, err
		}
		if counted.take(a) {
			each(a)
		}
	}
	return counted.last > last, rows.Err()
}

// take remembers an attempt, and reports whether it is to be told now.
func (c *Counted) take(a Attempt) bool {
	over, before := a.Verdict != Started, slices.Index(c.open, a.ID)
	switch {
	case over && before >= 0:
		c.open = slices.Delete(c.open, before, before+1)
	case !over && before < 0:
		c.open = append(c.open, a.ID)
	}
	c.last = max(c.last, a.ID)
	return over
}
