package worker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/fleet/hub/hubtest"
)

// attic is a shelf of phones, and what their failures left.
type attic struct {
	glass
	packed func(folder string) ([]byte, error)

	mu    sync.Mutex
	notes map[string]string // folders by event
	asked map[string]int    // how often, by event
}

func (a *attic) Note(_ context.Context, event, folder string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.notes == nil {
		a.notes, a.asked = map[string]string{}, map[string]int{}
	}
	a.notes[event] = folder
	return nil
}

func (a *attic) Pack(_ context.Context, event string, _ int) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	folder, ok := a.notes[event]
	if !ok {
		return nil, errors.New("the failure left none")
	}
	a.asked[event]++
	return a.packed(folder)
}

// TestEvidence: who asks for the evidence of a level that failed gets what its last try
// left, whole, or the reason why there is none; and nothing stays on the hub.
func TestEvidence(t *testing.T) {
	t.Parallel()
	h := startHub(t, hub.UsualLease)
	var trying sync.Mutex
	tries := map[int]int{}
	large := bytes.Repeat([]byte("0123456789abcdef"), 100_000) // several chunks
	// Phones rest longer each time that they fail, so there are many.
	a := &attic{glass: glass{serials: strings.Fields("a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12"), fails: func(_ string, level int) error {
		if level == 1 {
			return nil
		}
		return errors.New("the board cannot be read")
	}, leaves: func(_ string, level int) string {
		trying.Lock()
		defer trying.Unlock()
		tries[level]++
		if level == 4 {
			return ""
		}
		return fmt.Sprintf("level %d, try %d", level, tries[level])
	}}}
	a.packed = func(folder string) ([]byte, error) {
		if strings.HasPrefix(folder, "level 3") {
			return nil, errors.New("the folder is gone")
		}
		return append([]byte(folder+"\n"), large...), nil
	}
	startWorker(t, h, "a", a)
	operator := operatorOf(t, h.URL())
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, levels(4), 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := operator.Follow(t.Context(), order.ID, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 { // it can be asked for again
		booked, packed, err := operator.Evidence(t.Context(), order.ID, 2)
		if err != nil {
			t.Fatal(err)
		}
		folder, rest, _ := bytes.Cut(packed, []byte("\n"))
		if want := fmt.Sprintf("level 2, try %d", tries[2]); string(folder) != want || !bytes.Equal(rest, large) || booked.Worker != "a" {
			t.Errorf("the evidence is of %q with %d bytes, by %q, expected of %q with %d bytes, by a", folder, len(rest), booked.Worker, want, len(large))
		}
	}
	for level, want := range map[int]struct {
		is   error
		says string
	}{
		1: {fleet.ErrNotFailed, "was won"}, 3: {fleet.ErrNoEvidence, "the folder is gone"}, 4: {fleet.ErrNoEvidence, "the failure left none"}, 5: {fleet.ErrNotFailed, "not booked"},
	} {
		if _, packed, err := operator.Evidence(t.Context(), order.ID, level); !errors.Is(err, want.is) || !strings.Contains(err.Error(), want.says) || packed != nil {
			t.Errorf("level %d: %d bytes and the error %v, expected %v: %s", level, len(packed), err, want.is, want.says)
		}
	}
	wantNothingLeft(t, h.URL())
	if _, _, err := operator.Evidence(t.Context(), "none", 1); !errors.Is(err, fleet.ErrUnknown) {
		t.Errorf("a run that nobody ordered: %v, expected %v", err, fleet.ErrUnknown)
	}
}

// streamsOf reaches what a hub keeps, past its clients.
func streamsOf(t *testing.T, url string) jetstream.JetStream {
	t.Helper()
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// wantNothingLeft expects neither a question nor evidence on a hub.
func wantNothingLeft(t *testing.T, url string) {
	t.Helper()
	js := streamsOf(t, url)
	asked, err := js.KeyValue(t.Context(), "TAPWISE_ASKED")
	if err != nil {
		t.Fatal(err)
	}
	if keys, err := asked.Keys(t.Context()); !errors.Is(err, jetstream.ErrNoKeysFound) {
		t.Errorf("the questions %v are left, %v", keys, err)
	}
	store, err := js.ObjectStore(t.Context(), "TAPWISE_EVIDENCE_a")
	if err != nil {
		t.Fatal(err)
	}
	if left, err := store.List(t.Context()); !errors.Is(err, jetstream.ErrNoObjectsFound) {
		t.Errorf("%d objects are left, %v", len(left), err)
	}
}

// TestEvidenceOfLiar: what lies on the hub in place of evidence is refused when it is larger
// than evidence may be, or another's.
func TestEvidenceOfLiar(t *testing.T) {
	t.Parallel()
	h := startHub(t, hub.UsualLease)
	operator := operatorOf(t, h.URL())
	liar, order := givenUp(t, h.URL(), operator, "liar")
	js := streamsOf(t, h.URL())
	for says, lie := range map[string]func(store jetstream.ObjectStore, name string) error{
		fmt.Sprintf("expected %d at most", fleet.MaxEvidence): func(store jetstream.ObjectStore, name string) error {
			_, err := store.PutBytes(t.Context(), name, make([]byte, fleet.MaxEvidence+1))
			return err
		},
		"the worker has no evidence of it": func(store jetstream.ObjectStore, name string) error {
			other, err := store.PutString(t.Context(), "other", "of somebody else")
			if err == nil {
				_, err = store.AddLink(t.Context(), name, other)
			}
			return err
		},
	} {
		asked, stop := context.WithCancel(t.Context())
		go liar.Asked(asked, func(a fleet.Ask) error {
			store, err := js.ObjectStore(t.Context(), "TAPWISE_EVIDENCE_liar")
			if err == nil {
				err = lie(store, a.ID)
			}
			if err != nil {
				t.Error(err)
			}
			return nil
		})
		if _, packed, err := operator.Evidence(t.Context(), order, 1); !errors.Is(err, fleet.ErrNoEvidence) || !strings.Contains(err.Error(), says) || packed != nil {
			t.Errorf("%d bytes and the error %v, expected: %s", len(packed), err, says)
		}
		stop()
	}
}

// givenUp orders a level, which a worker gives up as event, and returns the worker and the
// order's ID.
func givenUp(t *testing.T, url string, operator *fleet.Client, name string) (*fleet.Agent, string) {
	t.Helper()
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, levels(1), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	agent, phone := hubtest.Join(t, fleet.Config{URL: url, Name: name}), fleet.Phone{Worker: name, Serial: "p"}
	e := hubtest.GivenUp(hubtest.Take(t, agent, order.ID, phone), phone)
	e.ID = "event"
	if err := hubtest.Deliver(t, agent, e); err != nil {
		t.Fatal(err)
	}
	if _, err := operator.Follow(t.Context(), order.ID, nil); err != nil {
		t.Fatal(err)
	}
	return agent, order.ID
}

// overContext is a context whose time is over when the test says so.
type overContext struct {
	context.Context
	over chan struct{}
}

func (c overContext) Done() <-chan struct{} { return c.over }

func (c overContext) Err() error {
	select {
	case <-c.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// TestEvidenceOfAbsentWorker: a worker that is away answers when it is back, and who does
// not wait for that is told.
func TestEvidenceOfAbsentWorker(t *testing.T) {
	t.Parallel()
	h := startHub(t, hub.UsualLease)
	operator := operatorOf(t, h.URL())
	away, order := givenUp(t, h.URL(), operator, "away")
	short := overContext{t.Context(), make(chan struct{})}
	asking, asked := context.WithCancel(t.Context())
	defer asked()
	go away.Asked(asking, func(fleet.Ask) error { // it hears of it, and does not answer
		close(short.over)
		asked()
		return nil
	})
	if _, _, err := operator.Evidence(short, order, 1); !errors.Is(err, fleet.ErrAway) || !strings.Contains(err.Error(), "worker away") {
		t.Errorf("got %v, expected %v", err, fleet.ErrAway)
	}
	a := &attic{packed: func(folder string) ([]byte, error) { return []byte(folder), nil }}
	if err := a.Note(t.Context(), "event", "kept"); err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 1)
	go func() {
		_, packed, err := operator.Evidence(t.Context(), order, 1)
		got <- fmt.Sprint(string(packed), err)
	}()
	startWorker(t, h, "away", a)
	if text := <-got; text != "kept<nil>" {
		t.Errorf("got %s, expected what was kept", text)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := a.asked["event"]; n != 1 { // the first question was taken back
		t.Errorf("the worker packed its evidence %d times, expected once", n)
	}
}
