package fleet

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Standing is a phone that stands still.
type Standing struct {
	Worker  string  `json:"worker"`
	Serial  string  `json:"serial"`
	Model   string  `json:"model,omitempty"`
	State   string  `json:"state"`             // a state of phones, or one of those below
	Why     string  `json:"why"`               // in one line
	Helps   string  `json:"helps,omitempty"`   // what a person can do about it
	Seconds float64 `json:"seconds,omitempty"` // for which it has been so; 0: unknown
}

// Why a phone stands still that does not say so itself.
const (
	Waiting  = "waiting"  // for a job
	Unwanted = "unwanted" // the runs want others
	Silent   = "silent"   // its worker has its lease, and says nothing of it
	Gone     = "gone"     // nobody says anything of it, and it has played the run
)

// jobsThere is how many jobs of a run there are.
type jobsThere struct{ waiting, handed int }

// Standing returns the phones that stand still, by worker and serial, as those see it who wait
// for some open orders to be played; with what was played of them it names phones that are
// gone, too.
func (c *Client) Standing(ctx context.Context, phones []Phone, of ...Account) ([]Standing, error) {
	left := map[string]jobsThere{}
	for _, a := range of {
		consumer, err := c.js.Consumer(ctx, jobsStream, consumerName(a.ID))
		if err == nil { // otherwise they are gone, and the clerk closes the run
			info := consumer.CachedInfo()
			left[a.ID] = jobsThere{int(info.NumPending), info.NumAckPending}
		}
	}
	leases := map[string]Lease{}
	err := c.collect(ctx, c.leases, "*", func(key string, value []byte) {
		if l, err := decode[Lease](value); err == nil {
			leases[key] = l
		}
	})
	return standing(phones, leases, left, of), err
}

func standing(phones []Phone, leases map[string]Lease, left map[string]jobsThere, of []Account) []Standing {
	var all []Standing
	there := map[string]bool{} // by worker and serial
	for _, p := range phones {
		for _, name := range append([]string{p.Serial}, p.Also...) {
			there[p.Worker+" "+name] = true
		}
		if p.State == Playing {
			continue
		}
		s := Standing{Worker: p.Worker, Serial: p.Serial, Model: p.Model, State: p.State, Why: p.Why, Helps: p.Helps, Seconds: p.StateSeconds}
		switch p.State {
		case Drained:
			s.Why, s.Helps = "it takes no more jobs", fmt.Sprintf("tapwise fleet drain --off %s, or that with %s", p.Worker, p.Serial)
		case Taken:
			s.Why = cmp.Or(s.Why, ErrHeld.Error())
		case Idle:
			s.waits(p, left, of)
		}
		all = append(all, s)
	}
	for _, l := range leases {
		if l.Serial != "" && !there[l.Worker+" "+l.Serial] {
			there[l.Worker+" "+l.Serial] = true
			all = append(all, Standing{Worker: l.Worker, Serial: l.Serial, State: Silent, Why: "its worker has the phone, and says nothing of it",
				Helps: "look after the worker; when the lease ends, others may have the phone"})
		}
	}
	for _, a := range of {
		all = append(all, a.gone(there)...)
	}
	slices.SortStableFunc(all, func(a, b Standing) int {
		return cmp.Or(strings.Compare(a.Worker, b.Worker), strings.Compare(a.Serial, b.Serial))
	})
	return all
}

// waits says why an idle phone has no job of some orders.
func (s *Standing) waits(p Phone, left map[string]jobsThere, of []Account) {
	var fit jobsThere
	var unwanted string
	fits := false
	for _, a := range of {
		switch {
		case !a.Phones.Fits(p):
			unwanted = fmt.Sprintf("run %s wants phones with %s", a.ID, a.Phones)
		case !p.Plays(a.Game):
			unwanted = fmt.Sprintf("run %s is of %s, and the phone plays %s", a.ID, a.Game, strings.Join(p.Games, ", "))
		default:
			fits = true
			fit.waiting, fit.handed = fit.waiting+left[a.ID].waiting, fit.handed+left[a.ID].handed
		}
	}
	s.State = Waiting
	switch {
	case len(of) == 0:
		s.Why, s.Helps = "nothing is ordered", "tapwise fleet run"
	case !fits:
		s.State, s.Why = Unwanted, unwanted
	case fit.waiting > 0:
		s.Why = fmt.Sprintf("it is about to take one of %d jobs", fit.waiting)
	case fit.handed > 0:
		s.Why, s.Helps = fmt.Sprintf("no job is left: other phones have the last %d", fit.handed), "next time, fleet run --job with fewer levels"
	default:
		s.Why = "no job is left"
	}
}

// gone are the phones that won levels of the order, or failed, and are not there now.
func (a Account) gone(there map[string]bool) []Standing {
	type phone struct{ worker, serial string }
	won, last := map[phone]int{}, map[phone]time.Time{}
	for _, l := range a.Levels {
		p := phone{l.Worker, l.Phone}
		if l.Event == "" || there[p.worker+" "+p.serial] {
			continue
		}
		last[p] = latest(last[p], l.At)
		if l.Verdict == Won {
			won[p]++
		}
	}
	var all []Standing
	for p, at := range last {
		there[p.worker+" "+p.serial] = true
		all = append(all, Standing{Worker: p.worker, Serial: p.serial, State: Gone,
			Why:   fmt.Sprintf("nobody says anything of it; it won %d of the levels of run %s, and was last heard of at %s", won[p], a.ID, at.Local().Format(time.TimeOnly)),
			Helps: "see that its worker runs and reaches the hub, and that the phone is connected"})
	}
	return all
}

// String is what [ParseWanted] reads.
func (w Wanted) String() string {
	var parts []string
	for _, part := range [][2]string{{"model", w.Model}, {"serial", w.Serial}, {"worker", w.Worker}} {
		if part[1] != "" {
			parts = append(parts, part[0]+"="+part[1])
		}
	}
	return strings.Join(parts, ",")
}
