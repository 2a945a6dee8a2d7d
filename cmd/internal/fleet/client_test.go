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
	_, err := ask(t.Context(), c, func(ctx context.Context) (int, error) {
		s.Shutdown()
		<-ctx.Done()
		return 0, ctx.Err()
	})
	if !errors.Is(err, ErrNoHub) || !errors.Is(err, context.Canceled) {
		t.Errorf("a question without an answer ends with %v, expected %v at the end of the connection", err, ErrNoHub)
	}
}

// TestDeliveries: a delivery that comes twice is known, as long as it may.
func TestDeliveries(t *testing.T) {
	t.Parallel()
	var d deliveries
	for number := range uint64(3 * maxSeen) {
		if !d.first(number) {
			t.Fatalf("delivery %d is said to have come before", number)
		}
		for before := number - min(number, maxSeen/2); before <= number; before += 7 {
			if d.first(before) {
				t.Fatalf("delivery %d came again after %d and is not known", before, number)
			}
		}
	}
	if len(d.seen) != maxSeen || len(d.last) != maxSeen {
		t.Errorf("%d and %d deliveries are remembered, expected %d", len(d.seen), len(d.last), maxSeen)
	}
}
