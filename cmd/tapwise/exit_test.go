package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"tapwise/cmd/internal/play/player"
	"tapwise/solvers"
)

// TestExitCodes wants the code of each kind of error, and the worst of two.
func TestExitCodes(t *testing.T) {
	// From bad to worse.
	errs := []struct {
		err  error
		code int
	}{
		{nil, exitDone},
		{player.ErrNotWon, exitNotWon},
		{&solvers.NoSolutionError{Reason: "none"}, exitNoSolution},
		{outOfTime("after %ds", 3), exitOutOfTime},
		{solvers.Refuse("no board"), exitUnreadable},
		{phoneFailed(context.DeadlineExceeded), exitPhone},
		{badInputf("no such flag"), exitUsage},
		{errors.New("a bug"), exitInternal},
		{context.Canceled, exitInterrupt},
	}
	for i, e := range errs {
		wrapped := e.err
		if e.err != nil {
			wrapped = fmt.Errorf("a level: %w", e.err)
		}
		if got := exitCode(wrapped); got != e.code {
			t.Errorf("%v: exit code %d, expected %d", e.err, got, e.code)
		}
		for _, better := range errs[:i] {
			if worse(better.err, e.err) != e.err || worse(e.err, better.err) != e.err {
				t.Errorf("%v is not worse than %v", e.err, better.err)
			}
		}
	}
	// A level that the solver did not decide in time.
	unsolved := &player.Failure{Kind: player.ErrUnsolved, Stage: "solve", Err: context.DeadlineExceeded}
	if got := exitCode(unsolved); got != exitOutOfTime {
		t.Errorf("%v: exit code %d, expected %d", unsolved, got, exitOutOfTime)
	}
}
