package fleet

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tapwise/cmd/internal/console/pause"
	"tapwise/cmd/internal/console/tell"
)

// newsEvery is how often it is looked whether there are news.
const newsEvery = time.Second

// Tell tells those who do not look, until the context ends, when a run is over or stands still, and
// which phones need a hand. It tells nothing of a run that is cancelled, or whose phones are all
// drained: somebody did that.
func (c *Client) Tell(ctx context.Context, how tell.Settings) {
	overview := c.Overview(ctx)
	r := newReporter(how.StuckAfter, time.Now())
	for pause.For(ctx, newsEvery) == nil {
		for _, n := range r.look(overview.Now(), time.Now()) {
			if err := how.Tell(ctx, n); err != nil {
				c.log.Warn("news were not told", "error", err)
			}
		}
	}
}

// reporter finds the news in what a fleet does.
type reporter struct {
	after  time.Duration // of standing still, until that is news; 0: it never is
	began  time.Time
	runs   map[string]*progress // by name
	phones map[string]*progress // by worker and serial
}

// progress is when something has got on last.
type progress struct {
	at    time.Time
	count int   // of levels
	told  bool  // what there is to tell, since then
	phone Phone // as it was last heard of, where it is one
}

func newReporter(after time.Duration, now time.Time) *reporter {
	return &reporter{after, now, map[string]*progress{}, map[string]*progress{}}
}

// look returns the news since the last look.
func (r *reporter) look(v View, now time.Time) (news []tell.News) {
	var open []Order
	for _, run := range v.Runs {
		p := r.runs[run.ID]
		switch {
		case p == nil && (run.State == Open || run.Created.After(r.began)):
			p = &progress{at: now}
			r.runs[run.ID] = p
		case p == nil: // it was over before
			continue
		}
		n := tell.News{Kind: tell.Stuck, Run: run.ID, Game: run.Game, Won: run.Won, Failed: run.Failed}
		switch ended := run.Won + run.Failed; {
		case run.State == Open:
			open = append(open, run.Order)
			if r.still(p, ended, paused(run.Order, v.Phones), now) {
				n.Text = fmt.Sprintf("No level of run %s has ended for %v.", run.ID, r.after)
				news = append(news, n)
			}
		case run.State == Complete && ended == run.Levels && p.count >= 0: // before, they are still counted
			p.count = -1
			n.Text = fmt.Sprintf("Run %s is over: %d of %d levels won", run.ID, run.Won, run.Levels)
			if run.Failed == 0 {
				n.Kind, n.Text = tell.End, n.Text+"."
			} else {
				n.Text += fmt.Sprintf(", %d failed. tapwise fleet show %s tells why.", run.Failed, run.ID)
			}
			news = append(news, n)
		}
	}
	if n, standing := r.standing(v.Phones, open, now); standing {
		news = append(news, n)
	}
	return news
}

// still reports, once, that something does not get on: it ends no level, which nothing excuses.
func (r *reporter) still(p *progress, count int, excused bool, now time.Time) bool {
	if count != p.count || excused {
		p.at, p.count, p.told = now, count, false
	}
	if r.after == 0 || p.told || now.Sub(p.at) < r.after {
		return false
	}
	p.told = true
	return true
}

// paused reports whether the phones that an order wants are all drained.
func paused(o Order, phones []PhoneView) bool {
	wanted := slices.DeleteFunc(slices.Clone(phones), func(p PhoneView) bool { return !o.takes(p.Phone) })
	return len(wanted) > 0 && !slices.ContainsFunc(wanted, func(p PhoneView) bool { return !p.Draining })
}

// takes reports whether a phone may play the order.
func (o Order) takes(p Phone) bool { return o.Phones.Fits(p) && p.Plays(o.Game) }

// standing tells of the phones that open orders want, and that have won nothing for too long since
// they fail, are not ready, or are gone.
func (r *reporter) standing(phones []PhoneView, open []Order, now time.Time) (tell.News, bool) {
	there := map[string]bool{}
	for _, p := range phones {
		key := p.Worker + " " + p.Serial
		there[key] = true
		if r.phones[key] == nil {
			r.phones[key] = &progress{at: now, count: p.Won}
		}
		r.phones[key].phone = p.Phone
		if p.Draining {
			r.phones[key].phone.State = Drained
		}
	}
	n := tell.News{Kind: tell.Stuck}
	var names []string
	for key, p := range r.phones {
		wanted := slices.ContainsFunc(open, func(o Order) bool { return o.takes(p.phone) })
		lacks := slices.Contains([]string{Failing, Unready, Playing}, p.phone.State) // between two failures it plays
		if !there[key] {
			p.phone.Why, lacks = "nobody says anything of it", p.phone.State != Drained
		}
		if r.still(p, p.phone.Won, !wanted || !lacks, now) {
			n.Phone = p.phone.Model
			names = append(names, p.phone.standsStill())
		}
		if !there[key] && (p.told || !wanted) {
			delete(r.phones, key)
		}
	}
	slices.Sort(names)
	switch len(names) {
	case 0:
		return n, false
	case 1:
		n.Text = fmt.Sprintf("A phone has won nothing for %v: %s.", r.after, names[0])
	default:
		n.Phone = ""
		shown := names[:min(len(names), mostNamed)]
		n.Text = fmt.Sprintf("%d phones have won nothing for %v: %s", len(names), r.after, strings.Join(shown, "; "))
		if more := len(names) - len(shown); more > 0 {
			n.Text += fmt.Sprintf("; and %d more", more)
		}
		n.Text += "."
	}
	return n, true
}

// mostNamed is how many phones a message names.
const mostNamed = 5

// standsStill names the phone and says why it stands still. What has a path in it is left out: news
// may go anywhere.
func (p Phone) standsStill() string {
	text := p.Serial + " of " + p.Worker
	if p.Why == "" || strings.ContainsAny(p.Why, `/\`) {
		return text + ", " + p.State
	}
	return text + ", " + strings.TrimSuffix(p.Why, ".")
}
