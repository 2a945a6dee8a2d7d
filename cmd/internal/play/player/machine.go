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
	outcomeReady        outcome = "ready"
	outcomeReadyForNext outcome = "ready to go on"
	outcomeStill        outcome = "still"
	outcomeRead         outcome = "read"
	outcomeSolved       outcome = "solved"
	outcomePlanned      outcome = "planned"
	outcomePlayed       outcome = "played"
	outcomeMissing      outcome = "something is missing"
	outcomeWon          outcome = "won"
	outcomeLevel        outcome = "a level"
	outcomeFree         outcome = "nobody holds it"
	outcomeNoMore       outcome = "no more levels"
	outcomeTrouble      outcome = "trouble"
	outcomeLookAgain    outcome = "look again"
	outcomeGoOn         outcome = "go on"
	outcomeGaveUp       outcome = "out of rungs"
)

// transition is an arrow of the loop.
type transition struct {
	from State
	on   outcome
	to   State
}

// transitions is the loop: nothing else can happen, except that an interrupt
// leads from every state to stop, and so does a Hold that fails.
func transitions() []transition {
	return []transition{
		{StateConnect, outcomeReady, StateSettle},
		{StateConnect, outcomeReadyForNext, StateNext},
		{StateConnect, outcomeTrouble, StateRecover},
		{StateSettle, outcomeStill, StateRead},
		{StateSettle, outcomeWon, StateVerify},
		{StateSettle, outcomeTrouble, StateRecover},
		{StateRead, outcomeRead, StateSolve},
		{StateRead, outcomeTrouble, StateRecover},
		{StateSolve, outcomeSolved, StatePlan},
		{StateSolve, outcomeLookAgain, StateSettle},
		{StateSolve, outcomeTrouble, StateRecover},
		{StatePlan, outcomePlanned, StateHold},
		{StatePlan, outcomeTrouble, StateRecover},
		{StateHold, outcomeFree, StatePlay},
		{StateHold, outcomeLookAgain, StateSettle},
		{StatePlay, outcomePlayed, StateVerify},
		{StatePlay, outcomeTrouble, StateRecover},
		{StateVerify, outcomeWon, StateDone},
		{StateVerify, outcomeMissing, StateRedo},
		{StateVerify, outcomeTrouble, StateRecover},
		{StateRedo, outcomePlayed, StateVerify},
		{StateRedo, outcomeTrouble, StateRecover},
		{StateNext, outcomeLevel, StateDone},
		{StateNext, outcomeNoMore, StateDone},
		{StateNext, outcomeTrouble, StateRecover},
		{StateRecover, outcomeReady, StateConnect},
		{StateRecover, outcomeLookAgain, StateSettle},
		{StateRecover, outcomePlayed, StateVerify},
		{StateRecover, outcomeGoOn, StateNext},
		{StateRecover, outcomeTrouble, StateRecover},
		{StateRecover, outcomeGaveUp, StateStop},
	}
}

// follow returns the state that an outcome leads to.
func follow(from State, on outcome) (State, error) {
	all := transitions()
	i := slices.IndexFunc(all, func(t transition) bool { return t.from == from && t.on == on })
	if i < 0 {
		return StateStop, fmt.Errorf("player: state %s ended in %q, which leads nowhere", from, on)
	}
	return all[i].to, nil
}

// trouble is a kind of failure, told apart by what can be done about it.
type trouble string

// The kinds of trouble.
const (
	troubleLost       trouble = "the phone is lost"
	troubleHung       trouble = "a command that does not return"
	troubleBadFrame   trouble = "a broken frame"
	troubleBlackFrame trouble = "a black frame"
	troubleBehind     trouble = "another app is in front"
	troubleTurned     trouble = "the screen changed"
	troubleMismatch   trouble = "a frame of another size than the screen's"
	troubleUnknown    trouble = "an unknown screen"
	troubleDialog     trouble = "a dialog"
	troubleStrange    trouble = "a panel of unknown looks"
	troubleList       trouble = "the list of levels"
	troubleRestless   trouble = "a screen that moves"
	troubleMisread    trouble = "a board that cannot be read"
	troubleSenseless  trouble = "a board that makes no sense"
	troubleWonBefore  trouble = "a level that is won already"
	troubleOther      trouble = "anything else"
)

// rung is a step of the ladder of recovery.
type rung string

// The rungs, from the bottom.
const (
	rungLook      rung = "look again"
	rungWait      rung = "wait"
	rungBack      rung = "BACK"
	rungChoose    rung = "choose the level"
	rungAccept    rung = "take it for the level's own"
	rungLeft      rung = "take the level for complete"
	rungReopen    rung = "reopen the app"
	rungReconnect rung = "reconnect"
)

// maxRungs is the most that one level climbs, whatever goes wrong.
const maxRungs = 24

// ladder returns the rungs to climb against a kind of trouble, in order; after
// the last one the loop stops. No rung taps anything unknown but rungAccept,
// whose conditions docs/loop.md states.
func ladder(t trouble) []rung {
	switch t {
	case troubleLost:
		return []rung{rungReconnect, rungWait, rungReconnect, rungWait, rungReconnect, rungWait, rungReconnect}
	case troubleHung: // each attempt takes a deadline
		return nil
	case troubleBadFrame:
		return []rung{rungLook, rungLook, rungWait, rungLook, rungReconnect, rungLook}
	case troubleBlackFrame:
		return []rung{rungLook, rungReopen, rungWait, rungReopen}
	case troubleBehind:
		return []rung{rungReopen, rungWait, rungReopen}
	case troubleTurned, troubleMismatch: // it may have been in the middle of turning
		return []rung{rungLook, rungWait, rungLook}
	case troubleUnknown:
		// An ad may take half a minute until BACK closes it.
		return []rung{rungLook, rungWait, rungBack, rungWait, rungBack, rungWait, rungBack, rungWait, rungBack, rungWait, rungBack, rungLeft, rungReopen, rungWait}
	case troubleDialog:
		return []rung{rungLook, rungBack, rungWait, rungBack}
	case troubleStrange: // BACK closes a prompt, but not the end of a level
		return []rung{rungLook, rungBack, rungWait, rungBack, rungWait, rungAccept}
	case troubleList:
		return []rung{rungChoose, rungChoose, rungWait, rungChoose, rungChoose}
	case troubleRestless:
		return []rung{rungWait, rungReopen}
	case troubleMisread: // something may lie over the board
		return []rung{rungLook, rungWait, rungBack, rungLook}
	case troubleSenseless: // BACK would leave the level; a hint over the board goes by itself
		return []rung{rungLook, rungWait, rungWait, rungLook}
	case troubleWonBefore:
		return []rung{rungBack}
	}
	return nil
}

// deadline is the longest time that a state may take. Hold has none.
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
	// deadlineSlack is the time after its deadline at which a state is broken
	// off that has not ended by itself: two looks at a slow phone's screen, on a machine
	// that has other work. Where the screen may take longer to stand still, it is longer.
	deadlineSlack = 15 * time.Second
)
