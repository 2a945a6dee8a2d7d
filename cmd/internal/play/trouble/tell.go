package trouble

import (
	"context"
	"errors"

	"tapwise/cmd/internal/console/tell"
)

// Tell tells how a run has ended to whoever does not look, unless somebody has ended it.
func Tell(told *tell.Run, err error) {
	switch {
	case err == nil:
		told.End("")
	case errors.Is(err, context.Canceled):
		told.Stop()
	default:
		say := Of(err).Say
		if say == "" {
			say = "The run has failed."
		}
		told.End(say)
	}
}
