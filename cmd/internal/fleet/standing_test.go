package fleet

import (
	"strings"
	"testing"
	"time"
)

// TestStanding: each phone that stands still is named once, with the reason and what helps.
func TestStanding(t *testing.T) {
	t.Parallel()
	run := func(id string, wanted Wanted) Account {
		return Account{Order: Order{ID: id, Game: "game", Phones: wanted, State: Open}}
	}
	any, pixels := run("any", Wanted{}), run("pixels", Wanted{Model: "Pixel*"})
	any.Levels = []LevelCost{
		{Booked: Booked{Level: 1, Verdict: Won, Worker: "w", Phone: "p", Event: "a", At: time.Unix(1, 0)}},
		{Booked: Booked{Level: 2, Verdict: Won, Worker: "away", Phone: "p", Event: "b", At: time.Unix(2, 0)}},
		{Booked: Booked{Level: 3, Verdict: Failed, Worker: "away", Phone: "p", Event: "c", At: time.Unix(3, 0)}},
		{Booked: Booked{Level: 4, Verdict: Failed, Reason: goneReason}},
	}
	idle := Phone{Worker: "w", Serial: "p", Model: "Nothing", State: Idle}
	change := func(f func(*Phone)) Phone { p := idle; f(&p); return p }
	for _, test := range []struct {
		name  string
		phone Phone
		of    []Account
		left  jobsThere
		want  string // STATE: WHY (HELPS); empty: it does not stand still
	}{
		{"playing", change(func(p *Phone) { p.State, p.Run = Playing, "any" }), []Account{any}, jobsThere{}, ""},
		{"locked", change(func(p *Phone) { p.State, p.Why, p.Helps = Failing, "the phone is locked", "unlock it" }), []Account{any}, jobsThere{}, "failing: the phone is locked (unlock it)"},
		{"offline", change(func(p *Phone) { p.State, p.Why, p.Helps = Unready, "offline", "plug it in" }), []Account{any}, jobsThere{}, "unready: offline (plug it in)"},
		{"taken", change(func(p *Phone) { p.State = Taken }), nil, jobsThere{}, "taken: another worker has the phone ()"},
		{"drained", change(func(p *Phone) { p.State = Drained }), nil, jobsThere{}, "drained: it takes no more jobs (tapwise fleet drain --off w, or that with p)"},
		{"queued", change(func(p *Phone) { p.State, p.Why = Queued, "its turn comes" }), []Account{any}, jobsThere{1, 1}, "queued: its turn comes ()"},
		{"nothing ordered", idle, nil, jobsThere{}, "waiting: nothing is ordered (tapwise fleet run)"},
		{"about to play", idle, []Account{any}, jobsThere{3, 1}, "waiting: it is about to take one of 3 jobs ()"},
		{"the last jobs are others'", idle, []Account{pixels, any}, jobsThere{0, 2}, "waiting: no job is left: other phones have the last 2 (next time, fleet run --job with fewer levels)"},
		{"all jobs done", idle, []Account{any}, jobsThere{}, "waiting: no job is left ()"},
		{"of another model", idle, []Account{pixels}, jobsThere{3, 0}, "unwanted: run pixels wants phones with model=Pixel* ()"},
		{"without the game", change(func(p *Phone) { p.Games = []string{"one", "other"} }), []Account{any}, jobsThere{3, 0}, "unwanted: run any is of game, and the phone plays one, other ()"},
	} {
		var of []Account
		for _, a := range test.of {
			a.Levels = nil
			of = append(of, a)
		}
		got := ""
		for _, s := range standing([]Phone{test.phone}, map[string]Lease{"p": {Worker: "w", Serial: "p"}}, map[string]jobsThere{"any": test.left}, of) {
			got += s.State + ": " + s.Why + " (" + s.Helps + ")"
		}
		if got != test.want {
			t.Errorf("%s: %q, expected %q", test.name, got, test.want)
		}
	}
	leases := map[string]Lease{"x": {Worker: "silent", Serial: "q"}, "old": {Worker: "silent"}, "y": {Worker: "w", Serial: "other name"}}
	named := change(func(p *Phone) { p.Also = []string{"other name"} })
	all := standing([]Phone{named}, leases, nil, []Account{any})
	if len(all) != 3 || all[0].Worker != "away" || all[0].State != Gone || !strings.Contains(all[0].Why, "won 1 of the levels of run any") || all[0].Helps == "" ||
		all[1].Worker != "silent" || all[1].Serial != "q" || all[1].State != Silent || all[1].Helps == "" || all[2].State != Waiting {
		t.Errorf("%+v, expected a phone that is gone, one that is silent and one that waits", all)
	}
}
