package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/nats-io/nats.go"
)

// TestPost: messages that are sent together get the numbers that the stream gave them, in order,
// and one that is refused keeps no other from being kept.
func TestPost(t *testing.T) {
	t.Parallel()
	c := testClient(t)
	stream, err := c.js.Stream(t.Context(), "KV_"+leasesBucket)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.leases.Create(t.Context(), "p150", []byte("there")); err != nil {
		t.Fatal(err)
	}
	const n = 300
	var sent []*sending
	for i := range n {
		if i == 100 { // what is refused is in no batch with these
			for _, s := range sent {
				<-s.done
			}
		}
		s, err := c.send(keySubject(leasesBucket, fmt.Sprintf("p%d", i)), []byte("value"), after(0))
		if err != nil {
			t.Fatal(err)
		}
		sent = append(sent, s)
	}
	batched := false
	for i, s := range sent {
		revision, err := s.wait(t.Context())
		if i == 150 {
			if !isRevised(err) {
				t.Errorf("a key that is there was written once more, with %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		msg, err := stream.GetMsg(t.Context(), revision)
		if err != nil || msg.Subject != keySubject(leasesBucket, fmt.Sprintf("p%d", i)) {
			t.Fatalf("message %d is number %d of the stream, expected that of its key; %v", i, revision, err)
		}
		batched = batched || msg.Header.Get("Nats-Batch-Id") != ""
	}
	if !batched {
		t.Error("no messages were sent together")
	}
}

// TestTakeBack: what was not sent when it is taken back never is.
func TestTakeBack(t *testing.T) {
	t.Parallel()
	c := testClient(t)
	p := &post{client: c, prefix: keySubject(levelsBucket, ""), under: true} // as if something were under way
	var all []*sending
	for i := range 3 {
		s := &sending{msg: nats.NewMsg(keySubject(levelsBucket, fmt.Sprintf("r.%d", i+1))), done: make(chan struct{})}
		p.put(s)
		all = append(all, s)
	}
	taken := make(chan struct{})
	all[0].unwanted.Store(true)
	all[2].unwanted.Store(true)
	go func() {
		defer close(taken)
		takeBack(context.Background(), []*sending{all[0], all[2]})
	}()
	if some := p.next(); !slices.Equal(some, all[1:2]) {
		t.Errorf("%d messages are sent, expected the one that was not taken back", len(some))
	}
	<-taken
	if !errors.Is(all[0].err, errUnwanted) {
		t.Errorf("got %v, expected %v", all[0].err, errUnwanted)
	}
}

// TestPulledJobs: a job that is fetched is not taken for the answer to another question.
func TestPulledJobs(t *testing.T) {
	t.Parallel()
	c := testClient(t)
	order, err := c.Submit(t.Context(), Order{Game: "flow"}, []Level{{Number: 1}}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := c.conn.SubscribeSync("question")
	if err != nil {
		t.Fatal(err)
	}
	answer := make(chan string, 1)
	go func() {
		msg, err := c.conn.RequestWithContext(t.Context(), "question", nil)
		if err != nil {
			answer <- err.Error()
			return
		}
		answer <- string(msg.Data)
	}()
	question, err := asked.NextMsgWithContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d := &Dispatcher{Client: c}
	if jobs, err := d.pull(t.Context(), order.ID, 1); err != nil || len(jobs) != 1 {
		t.Fatalf("%d jobs are fetched, %v, expected 1", len(jobs), err)
	}
	if err := question.Respond([]byte("answer")); err != nil {
		t.Fatal(err)
	}
	if got := <-answer; got != "answer" {
		t.Errorf("a question was answered by %q, expected its answer", got)
	}
}

// TestResultNotKept: a result that the hub cannot keep, such as on a full disk, is believed
// however often it comes.
func TestResultNotKept(t *testing.T) {
	t.Parallel()
	c, a := testAgent(t)
	order, err := c.Submit(t.Context(), Order{Game: "flow"}, []Level{{Number: 1}}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	phone := Phone{Worker: "w", Serial: "p"}
	if _, _, err := a.Hold(t.Context(), phone, "session"); err != nil {
		t.Fatal(err)
	}
	work, err := a.Next(t.Context(), order.ID, phone)
	if err != nil {
		t.Fatal(err)
	}
	e := Event{ID: "e", Run: order.ID, Job: 1, Level: 1, Worker: "w", Phone: "p", Game: "flow", Verdict: Won, Deliveries: work.Deliveries}
	data, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	stream, err := c.js.Stream(t.Context(), resultsStream)
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	full := config
	full.MaxMsgSize = 1
	if _, err := c.js.UpdateStream(t.Context(), full); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if err := a.Deliver(t.Context(), data)[0]; err == nil || errors.Is(err, ErrNotBelieved) {
			t.Fatalf("the hub answers a result that it cannot keep by %v, expected an error for now", err)
		}
	}
	if _, err := c.js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	if err := a.Deliver(t.Context(), data)[0]; err != nil {
		t.Error(err)
	}
}
