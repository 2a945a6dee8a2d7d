package fleet

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"tapwise/cmd/internal/fleet/wiretest"
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

// TestJobsComeTwice: a job that is delivered twice is handed to one phone.
func TestJobsComeTwice(t *testing.T) {
	t.Parallel()
	own, s := testHub(t)
	twice := wiretest.New(1, func(subject string) (twice, late float64) {
		if strings.HasPrefix(subject, "tapwise.job.") {
			return 1, 0
		}
		return 0, 0
	})
	c, err := Dial(t.Context(), Config{URL: "nats://" + through(t, s.Addr().String(), twice), Name: "twice"}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const jobs = 16
	order, err := own.Submit(t.Context(), Order{Game: "game"}, someLevels(jobs), jobs, 1)
	if err != nil {
		t.Fatal(err)
	}
	l := &line{}
	handed := map[int]bool{}
	for range jobs {
		places := []chan taken{make(chan taken, 1), make(chan taken, 1)}
		left, err := c.take(t.Context(), order.ID, l, places)
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range places[:len(places)-len(left)] {
			got := <-place
			if got.err != nil {
				t.Fatal(got.err)
			}
			if handed[got.work.Number] {
				t.Errorf("job %d was handed out twice", got.work.Number)
			}
			handed[got.work.Number] = true
		}
	}
	if came, _ := twice.Counts(); len(handed) == 0 || came["tapwise.job"] == 0 {
		t.Errorf("%d jobs were handed out and %v came twice, expected some of both", len(handed), came)
	}
}

// through passes one connection on to a server, shuffled on its way back, and returns the
// address for it.
func through(t *testing.T, server string, s *wiretest.Shuffler) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		near, err := listener.Accept()
		if err != nil {
			return
		}
		defer near.Close()
		far, err := net.Dial("tcp", server)
		if err != nil {
			return
		}
		defer far.Close()
		go func() {
			_, _ = io.Copy(far, near) // until the test ends
		}()
		_ = s.Run(func(data []byte) error { _, err := near.Write(data); return err }, far)
	}()
	return listener.Addr().String()
}
