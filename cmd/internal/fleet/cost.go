package fleet

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Try is an attempt at a level that failed. It does not end the level, and stands beside what
// is booked of it: RUN.LEVEL.WORKER.EVENT in the same bucket.
type Try struct {
	Level   int     `json:"level"`
	Worker  string  `json:"worker"`
	Phone   string  `json:"phone"`
	Seconds float64 `json:"seconds"` // for which the phone was at it
}

func (t *Try) check() error { return (&Booked{Level: t.Level, Verdict: Failed}).check() }

// tryKey names an attempt that failed.
func tryKey(e Event) string { return levelKey(e.Run, e.Level) + "." + e.Worker + "." + e.ID }

// seconds is for how long a phone was at an event's level, as far as that is believed.
func (e Event) seconds() float64 {
	const most = 24 * time.Hour
	return min(max(0, e.Ended.Sub(e.Started)), most).Seconds()
}

// LevelCost is what a level took so far. One that was tried and is not booked has the verdict
// [Open].
type LevelCost struct {
	Booked
	Attempts     int     `json:"attempts"`
	Failures     int     `json:"failures"`
	PhoneSeconds float64 `json:"phone_seconds"`
}

// Cost is what an order took so far, and what the rest of it is likely to take, by the pace of
// the phones that play it.
type Cost struct {
	Attempts     int     `json:"attempts"`
	Failures     int     `json:"failures"`      // attempts that failed
	PhoneSeconds float64 `json:"phone_seconds"` // for which phones were at its levels
	WallSeconds  float64 `json:"wall_seconds"`  // since it was ordered, until its last level was booked once it is over
	Playing      int     `json:"playing"`       // phones, now
	// What is left, at the pace so far; 0 when nothing is, or when that is unknown.
	RestPhoneSeconds float64   `json:"rest_phone_seconds,omitempty"`
	RestSeconds      float64   `json:"rest_seconds,omitempty"`
	Done             time.Time `json:"done,omitzero"` // when it will be, or was, by the hub's clock
	// Unknown is why nobody can say when it will be done.
	Unknown string `json:"unknown,omitempty"`
}

// Account is an order, how far it is, and what it costs.
type Account struct {
	Order
	Won    int `json:"won"`
	Failed int `json:"failed"`
	Cost
	Levels []LevelCost `json:"-"` // that were tried, by number
}

// Account adds up what is known of an order, beside the phones of the fleet.
func (c *Client) Account(ctx context.Context, o Order, phones []Phone) (Account, error) {
	now, err := c.hubNow(ctx)
	if err != nil {
		return Account{}, err
	}
	var booked []Booked
	var tries []Try
	err = c.collectEntries(ctx, c.levels, o.ID+".>", func(e jetstream.KeyValueEntry) {
		if strings.Count(e.Key(), ".") > 1 {
			if t, err := decode[Try](e.Value()); err == nil {
				tries = append(tries, t)
			}
		} else if b, err := decode[Booked](e.Value()); err == nil {
			b.At = e.Created().UTC()
			booked = append(booked, b)
		}
	})
	return account(o, booked, tries, phones, now), err
}

// hubNow is the time by the hub's clock.
func (c *Client) hubNow(ctx context.Context) (time.Time, error) {
	stream, err := c.js.Stream(ctx, "KV_"+levelsBucket)
	if err != nil {
		return time.Time{}, c.unanswered(err)
	}
	return stream.CachedInfo().TimeStamp, nil // which was asked for just now
}

func account(o Order, booked []Booked, tries []Try, phones []Phone, now time.Time) Account {
	a := Account{Order: o}
	levels := map[int]*LevelCost{}
	level := func(n int) *LevelCost {
		if levels[n] == nil {
			levels[n] = &LevelCost{Booked: Booked{Level: n, Verdict: Open}}
		}
		return levels[n]
	}
	for _, b := range booked {
		l := level(b.Level)
		l.Booked, l.PhoneSeconds = b, b.Seconds
		if b.Verdict == Won {
			a.Won++
			l.Attempts = 1
		} else {
			a.Failed++ // by the attempts before it
		}
		a.Done = latest(a.Done, b.At)
	}
	for _, t := range tries {
		l := level(t.Level)
		l.Attempts, l.Failures, l.PhoneSeconds = l.Attempts+1, l.Failures+1, l.PhoneSeconds+t.Seconds
	}
	for _, l := range levels {
		a.Levels = append(a.Levels, *l)
		a.Attempts, a.Failures, a.PhoneSeconds = a.Attempts+l.Attempts, a.Failures+l.Failures, a.PhoneSeconds+l.PhoneSeconds
	}
	slices.SortFunc(a.Levels, func(a, b LevelCost) int { return cmp.Compare(a.Level, b.Level) })
	a.rest(phones, now)
	return a
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// paceOf is from how many of a phone's newest levels its pace is told.
const paceOf = 10

// rest tells what is left of an order.
func (a *Account) rest(phones []Phone, now time.Time) {
	left := a.Order.Levels - a.Won - a.Failed
	if a.State != Open || left <= 0 {
		if !a.Done.IsZero() {
			a.WallSeconds = max(0, a.Done.Sub(a.Created).Seconds())
		}
		return
	}
	a.Done, a.WallSeconds = time.Time{}, max(0, now.Sub(a.Created).Seconds())
	paces, all := a.paces()
	perSecond, quickest := 0.0, 0.0
	for _, p := range phones {
		takes := paces[p.Worker+" "+p.Serial]
		switch {
		case p.Run == a.ID && p.State == Playing:
			a.Playing++
			takes = cmp.Or(takes, all)
		case p.State != Queued: // else its pace has its turns in it
			takes = 0
		}
		if takes > 0 {
			perSecond += 1 / takes
			if quickest == 0 || takes < quickest {
				quickest = takes
			}
		}
	}
	if all > 0 {
		a.RestPhoneSeconds = float64(left) * a.PhoneSeconds / float64(a.Won+a.Failed)
	}
	switch {
	case all == 0:
		a.Unknown = "no level was won yet"
	case perSecond == 0:
		a.Unknown = "no phone plays it now"
	default:
		a.RestSeconds = max(quickest, float64(left)/perSecond)
		a.Done = now.Add(time.Duration(a.RestSeconds * float64(time.Second)))
	}
}

// paces tells how many seconds a level took each phone lately, by worker and serial, with all
// that was between the levels, and how many all phones on average; 0 before the first.
func (a *Account) paces() (each map[string]float64, all float64) {
	levels := map[string][]LevelCost{}
	for _, l := range a.Levels {
		if l.Verdict == Won {
			levels[l.Worker+" "+l.Phone] = append(levels[l.Worker+" "+l.Phone], l)
		}
	}
	each = map[string]float64{}
	sum, n := 0.0, 0
	for phone, of := range levels {
		slices.SortFunc(of, func(a, b LevelCost) int { return a.At.Compare(b.At) })
		took := []float64{of[0].PhoneSeconds}
		for i, l := range of[1:] {
			took = append(took, max(l.At.Sub(of[i].At).Seconds(), 0))
		}
		took = took[max(0, len(took)-paceOf):]
		total := 0.0
		for _, t := range took {
			total += t
		}
		each[phone] = total / float64(len(took))
		sum, n = sum+total, n+len(took)
	}
	if n == 0 {
		return each, 0
	}
	return each, sum / float64(n)
}
