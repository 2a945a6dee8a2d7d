package player

import (
	"fmt"
	"slices"
	"time"
)

// outcome is how a state ended; it decides on the next one.
type outcome string

// The outcomes.
const (
	ready     outcome = "ready"
	between   outcome = "ready to go on"
	still     outcome = "still"
	readIt    outcome = "read"
	solved    outcome = "solved"
	planned   outcome = "planned"
	played    outcome = "played"
	missing   outcome = "something is missing"
	won       outcome = "won"
	newLevel  outcome = "a level"
	free      outcome = "nobody holds it"
	noMore    outcome = "no more levels"
	troubled  outcome = "trouble"
	lookAgain outcome = "look again"
	goOn      outcome = "go on"
	gaveUp    outcome = "out of rungs"
)

// transition is an arrow of the loop.
type transition struct {
	from State
	on   outcome
	to   State
}

// transitions is the loop: what is not here cannot happen. An interrupt leads
// from every state to stop, and so does the refusal of who holds it.
func transitions() []transition {
	return []transition{
		{StateConnect, ready, StateSettle},
		{StateConnect, between, StateNext},
		{StateConnect, troubled, StateRecover},
		{StateSettle, still, StateRead},
		{StateSettle, won, StateVerify},
		{StateSettle, troubled, StateRecover},
		{StateRead, readIt, StateSolve},
		{StateRead, troubled, StateRecover},
		{StateSolve, solved, StatePlan},
		{StateSolve, lookAgain, StateSettle},
		{StateSolve, troubled, StateRecover},
		{StatePlan, planned, StateHold},
		{StatePlan, troubled, StateRecover},
		{StateHold, free, StatePlay},
		{StateHold, lookAgain, StateSettle},
		{StatePlay, played, StateVerify},
		{StatePlay, troubled, StateRecover},
		{StateVerify, won, StateDone},
		{StateVerify, missing, StateRedo},
		{StateVerify, troubled, StateRecover},
		{StateRedo, played, StateVerify},
		{StateRedo, troubled, StateRecover},
		{StateNext, newLevel, StateDone},
		{StateNext, noMore, StateDone},
		{StateNext, troubled, StateRecover},
		{StateRecover, ready, StateConnect},
		{StateRecover, lookAgain, StateSettle},
		{StateRecover, played, StateVerify},
		{StateRecover, goOn, StateNext},
		{StateRecover, troubled, StateRecover},
		{StateRecover, gaveUp, StateStop},
	}
}

// follow is where an outcome leads.
func follow(from State, on outcome) (State, error) {
	all := transitions()
	i := slices.IndexFunc(all, func(t transition) bool { return t.from == from && t.on == on })
	if i < 0 {
		return StateStop, fmt.Errorf("player: state %s ended in %q, which leads nowhere", from, on)
	}
	return all[i].to, nil
}

// trouble is what can go wrong, by what can be done about it.
type trouble string

// The kinds of trouble.
const (
	lost       trouble = "the phone is lost"
	badFrame   trouble = "a broken frame"
	blackFrame trouble = "a black frame"
	behind     trouble = "another app is in front"
	turned     trouble = "the screen changed"
	unknown    trouble = "an unknown screen"
	dialog     trouble = "a dialog"
	strange    trouble = "a panel of unknown looks"
	listed     trouble = "the list of levels"
	restless   trouble = "a screen that moves"
	misread    trouble = "a board that cannot be read"
	senseless  trouble = "a board that makes no sense"
	wonBefore  trouble = "a level that is won already"
	hopeless   trouble = "anything else"
)

// rung is a step of the ladder of recovery.
type rung string

// The rungs, from the bottom.
const (
	look      rung = "look again"
	pause     rung = "wait"
	back      rung = "BACK"
	choose    rung = "choose the level"
	accept    rung = "take it for the level's own"
	reopen    rung = "reopen the app"
	reconnect rung = "reconnect"
)

// maxRungs is the most that one level climbs, whatever goes wrong.
const maxRungs = 24

// ladder is what is tried against a kind of trouble, one after the other; when
// it is used up, the loop stops. Nothing of it taps what is not known.
func ladder(t trouble) []rung {
	switch t {
	case lost:
		return []rung{reconnect, pause, reconnect, pause, reconnect, pause, reconnect}
	case badFrame:
		return []rung{look, look, pause, look, reconnect, look}
	case blackFrame:
		return []rung{look, reopen, pause, reopen}
	case behind:
		return []rung{reopen, pause, reopen}
	case turned:
		return []rung{look, pause, look}
	case unknown:
		// An ad may take half a minute until BACK closes it.
		return []rung{look, pause, back, pause, back, pause, back, pause, back, pause, back, reopen, pause}
	case dialog:
		return []rung{look, back, pause, back}
	case strange: // a prompt leaves by BACK; what a level ends with does not
		return []rung{look, back, pause, back, pause, accept}
	case listed:
		return []rung{choose, choose, pause, choose, choose}
	case restless:
		return []rung{pause, reopen}
	case misread: // something may be lying over it
		return []rung{look, pause, back, look}
	case senseless: // BACK would leave the level
		return []rung{look, pause, look}
	case wonBefore:
		return []rung{back}
	}
	return nil
}

// deadline is the longest that a state may take. Hold has none.
func (p *Player) deadline(s State) time.Duration {
	switch s {
	case StateSettle:
		return p.Timing.SettleDeadline
	case StateRead, StatePlan:
		return readDeadline
	case StateSolve:
		return p.Timing.SolveDeadline
	case StatePlay, StateRedo:
		return playDeadline
	case StateVerify:
		return p.Timing.WinDeadline
	case StateNext:
		return p.Timing.NextDeadline
	}
	return connectDeadline // connect, and a rung of recover
}

// The deadlines that nobody needs to set.
const (
	connectDeadline = 60 * time.Second // for the phone to answer, or one rung of the ladder
	readDeadline    = 10 * time.Second
	playDeadline    = 10 * time.Minute // the longest real level takes two minutes on a slow phone
	// deadlineSlack is how much later than its deadline a state is broken off
	// that did not see by itself that its time is over.
	deadlineSlack = 5 * time.Second
)
