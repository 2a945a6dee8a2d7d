package fleet

import (
	"context"
	"errors"
	"testing"
)

// TestAskNobody: what was asked when the hub goes away is not waited for.
func TestAskNobody(t *testing.T) {
	t.Parallel()
	c, s := testHub(t)
	_, err := askFor(t.Context(), c.link, 0, func(ctx context.Context) (int, error) {
		s.Shutdown()
		<-ctx.Done()
		return 0, ctx.Err()
	})
	if !errors.Is(err, ErrNoHub) || !errors.Is(err, context.Canceled) {
		t.Errorf("a question without an answer ends with %v, expected %v at the end of the connection", err, ErrNoHub)
	}
}
