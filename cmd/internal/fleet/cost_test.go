package fleet

import (
	"math"
	"testing"
	"time"
)

// TestAccount: what a run costs, and when it will be done by the pace of those who play it.
func TestAccount(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(seconds int) time.Time { return began.Add(time.Duration(seconds) * time.Second) }
	order := Order{ID: "r", Levels: 10, Last: 10, State: Open, Created: began}
	won := func(level, second int, phone string, took float64) Booked {
		return Booked{Level: level, Verdict: Won, Worker: "w", Phone: phone, Event: "e", Seconds: took, At: at(second)}
	}
	playing := func(serials ...string) []Phone {
		var all []Phone
		for _, s := range serials {
			all = append(all, Phone{Worker: "w", Serial: s, State: Playing, Run: "r"})
		}
		return append(all, Phone{Worker: "w", Serial: "other", State: Playing, Run: "another"}, Phone{Worker: "w", Serial: "idle", State: Idle})
	}
	some := []Booked{won(1, 10, "a", 8), won(2, 20, "a", 8), won(3, 20, "b", 20), {Level: 4, Verdict: Failed, Worker: "w", Phone: "b", Event: "p", At: at(25)}}
	tries := []Try{{4, "w", "b", 3}, {4, "w", "a", 2}, {5, "w", "b", 4}, {1, "w", "a", 2}}
	queued := append(playing("a"), Phone{Worker: "w", Serial: "b", State: Queued}, Phone{Worker: "w", Serial: "new", State: Queued})
	late := order
	late.State = Complete
	lost := []Booked{{Level: 1, Verdict: Failed, Reason: goneReason, At: at(7)}}
	for _, test := range []struct {
		name                  string
		order                 Order
		booked                []Booked
		tries                 []Try
		phones                []Phone
		attempts, failures    int
		used, wall, rest, all float64 // seconds; all is of phones, for the rest
		unknown               string
	}{
		{"nothing was played", order, nil, nil, playing("a"), 0, 0, 0, 30, 0, 0, "no level was won yet"},
		{"all failed so far", order, nil, tries, playing("a"), 4, 4, 11, 30, 0, 0, "no level was won yet"},
		{"jobs that are gone", order, lost, nil, playing("a"), 0, 0, 0, 30, 0, 0, "no level was won yet"},
		{"nobody plays", order, some, tries, playing(), 7, 4, 47, 30, 0, 6 * 47. / 4, "no phone plays it now"},
		// One takes 10 s a level, the other 20.
		{"two play", order, some, tries, playing("a", "b"), 7, 4, 47, 30, 6 / (0.1 + 0.05), 6 * 47. / 4, ""},
		{"a new one, at the pace of all", order, some, tries, playing("new"), 7, 4, 47, 30, 6 * 40. / 3, 6 * 47. / 4, ""},
		{"one that waits for its turn", order, some, tries, queued, 7, 4, 47, 30, 6 / (0.1 + 0.05), 6 * 47. / 4, ""},
		{"the last level takes as long as a level", Order{ID: "r", Levels: 5, Last: 5, State: Open, Created: began}, some, nil, playing("a", "b"), 3, 0, 36, 30, 9, 9, ""},
		{"over", late, some, tries, nil, 7, 4, 47, 25, 0, 0, ""},
	} {
		a := account(test.order, test.booked, test.tries, test.phones, at(30))
		same := func(x, y float64) bool { return math.Abs(x-y) < 1e-6 }
		if a.Attempts != test.attempts || a.Failures != test.failures || !same(a.PhoneSeconds, test.used) || !same(a.WallSeconds, test.wall) {
			t.Errorf("%s: %d tries, %d failed, %v s of phones in %v s, expected %d, %d, %v and %v", test.name, a.Attempts, a.Failures, a.PhoneSeconds, a.WallSeconds, test.attempts, test.failures, test.used, test.wall)
		}
		if !same(a.RestSeconds, test.rest) || !same(a.RestPhoneSeconds, test.all) || a.Unknown != test.unknown {
			t.Errorf("%s: %v s are left, of phones %v s (%s), expected %v and %v (%s)", test.name, a.RestSeconds, a.RestPhoneSeconds, a.Unknown, test.rest, test.all, test.unknown)
		}
		if done := test.rest > 0 || test.order.State != Open; done == a.Done.IsZero() || test.rest > 0 && !same(a.Done.Sub(at(30)).Seconds(), test.rest) {
			t.Errorf("%s: done at %v", test.name, a.Done)
		}
	}
	a := account(order, some, tries, nil, at(30))
	if l := a.Levels; len(l) != 5 || l[0].Attempts != 2 || l[0].PhoneSeconds != 10 || l[3].Attempts != 2 || l[3].Verdict != Failed || l[4].Verdict != Open || l[4].Failures != 1 {
		t.Errorf("levels are %+v", l)
	}
	// Of a phone's levels the newest tell its pace.
	var many []Booked
	for n := range 2 * paceOf {
		seconds := 100 * (n + 1)
		if n >= paceOf {
			seconds = 100*paceOf + n - paceOf + 1
		}
		many = append(many, won(n+1, seconds, "a", 100))
	}
	order.Levels, order.Last = 2*paceOf+5, 2*paceOf+5
	if a := account(order, many, nil, playing("a"), at(5000)); math.Abs(a.RestSeconds-5) > 1e-6 {
		t.Errorf("five levels are left, and the last took a second each: %v s", a.RestSeconds)
	}
}
