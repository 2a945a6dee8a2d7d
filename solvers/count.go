package solvers

import (
	"errors"
	"fmt"

	"tapwise/solvers/csp/frontier"
)

// ErrNotCounted means: the solutions were not counted, since that would take more
// memory than is allowed. They may still be listed one by one.
var ErrNotCounted = errors.New("too many cases to count the solutions without listing them")

// NotCounted turns the error of a count along a frontier that reached its limit into
// ErrNotCounted, and returns any other error unchanged.
func NotCounted(err error) error {
	if errors.Is(err, frontier.ErrTooWide) {
		return fmt.Errorf("%w: %w", ErrNotCounted, err)
	}
	return err
}
