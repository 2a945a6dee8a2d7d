package hub_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/fleet/hub/hubtest"
	"tapwise/cmd/internal/journal"
)

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	await.Until(t, what, is)
}

// TestWorkerSubjects: a worker publishes as itself, and as nobody else; it books nothing,
// orders nothing and reads nobody's answers.
func TestWorkerSubjects(t *testing.T) {
	t.Parallel()
	h := hubtest.Start(t, nil)
	config := hubtest.Worker(t, h, "mine")
	denied := make(chan error, 100)
	conn, err := nats.Connect(config.URL, append(config.Options, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err }))...)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// What is refused is told in order: before the next thing that is refused.
	refused := func() (told bool) {
		if err := conn.Publish("tapwise.never", nil); err != nil {
			t.Fatal(err)
		}
		for {
			err := await.From(t, "what the hub refuses", denied)
			if strings.Contains(err.Error(), "tapwise.never") {
				return told
			}
			told = told || errors.Is(err, nats.ErrPermissionViolation)
		}
	}
	for subject, want := range map[string]bool{
		"tapwise.result.mine.phone": false, "tapwise.poison.mine": false, "tapwise.answer.mine.batch": false, "$KV.TAPWISE_PHONES.mine.phone": false, "$KV.TAPWISE_LEASES.phone": false,
		"tapwise.picture.mine.question": false, "tapwise.picture.other.question": true, "tapwise.look.mine": true, "tapwise.look.other": true,
		"$O.TAPWISE_EVIDENCE_mine.C.chunk": false, "$O.TAPWISE_EVIDENCE_mine.M.name": false, "$JS.API.CONSUMER.CREATE.KV_TAPWISE_ASKED.x.$KV.TAPWISE_ASKED.mine.*": false,
		"$O.TAPWISE_EVIDENCE_other.C.chunk": true, "$O.TAPWISE_EVIDENCE_other.M.name": true, "$JS.API.DIRECT.GET.OBJ_TAPWISE_EVIDENCE_other.x": true, "$JS.API.STREAM.PURGE.OBJ_TAPWISE_EVIDENCE_other": true,
		"$KV.TAPWISE_ASKED.mine.question": true, "$JS.API.CONSUMER.CREATE.KV_TAPWISE_ASKED.x.$KV.TAPWISE_ASKED.other.*": true, "$JS.API.CONSUMER.CREATE.KV_TAPWISE_ASKED.x": true, "$JS.API.CONSUMER.CREATE.OBJ_TAPWISE_EVIDENCE_mine.x": true,
		"tapwise.result.other.phone": true, "tapwise.poison.other": true, "tapwise.answer.other.batch": true, "$KV.TAPWISE_LEASES.batch.one": true, "tapwise.job.batch.one.1": true, "$KV.TAPWISE_PHONES.other.phone": true, "tapwise.job.run.1": true,
		"$KV.TAPWISE_LEVELS.run.1": true, "$KV.TAPWISE_RUNS.run": true, "$KV.TAPWISE_CONTROL.drain.other": true,
		"$JS.API.STREAM.CREATE.X": true, "$JS.API.STREAM.DELETE.TAPWISE_JOBS": true, "$JS.API.STREAM.PURGE.TAPWISE_JOBS": true,
		"$JS.API.CONSUMER.CREATE.TAPWISE_JOBS.x": true, "$JS.API.CONSUMER.DELETE.TAPWISE_JOBS.x": true, "$JS.API.STREAM.MSG.GET.TAPWISE_RESULTS": true,
		"$SYS.REQ.SERVER.PING": true, "anything": true,
	} {
		if err := conn.Publish(subject, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if got := refused(); got != want {
			t.Errorf("publish to %s: refused is %v, expected %v", subject, got, want)
		}
	}
	for _, subject := range []string{">", "tapwise.>", "tapwise.look.other", "tapwise.look.*", "tapwise.picture.other.*", "_INBOX_other.>", "_INBOX.>", "$KV.>"} {
		if _, err := conn.SubscribeSync(subject); err == nil && !refused() {
			t.Errorf("subscribe to %s is not refused", subject)
		}
	}
}

// TestRevoke: a worker whose credential is revoked is cut off, and does not get in again;
// others stay.
func TestRevoke(t *testing.T) {
	t.Parallel()
	h := hubtest.Start(t, nil)
	var clients []*fleet.Client
	var configs []fleet.Config
	for _, name := range []string{"stolen", "good"} {
		config := hubtest.Worker(t, h, name)
		client, err := fleet.Dial(t.Context(), config, true)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		clients, configs = append(clients, client), append(configs, config)
	}
	if err := h.Keys().Revoke("stolen"); err != nil {
		t.Fatal(err)
	}
	await.From(t, "the end of a worker whose credential is revoked", clients[0].Ended())
	if err := clients[0].Err(); !errors.Is(err, fleet.ErrRefused) {
		t.Errorf("its connection ended with %v, expected %v", err, fleet.ErrRefused)
	}
	if _, err := fleet.Dial(t.Context(), configs[0], true); !errors.Is(err, fleet.ErrRefused) {
		t.Errorf("it connects again: %v, expected %v", err, fleet.ErrRefused)
	}
	told, err := clients[1].Tell(fleet.Phone{Worker: "good", Serial: "p", State: fleet.Idle})
	if err == nil {
		err = told(t.Context())
	}
	if err != nil {
		t.Errorf("another worker: %v", err)
	}
	if err := h.Keys().Revoke("stolen"); !errors.Is(err, fleet.ErrUnknown) {
		t.Errorf("revoked twice: %v", err)
	}
	if err := h.Keys().Revoke("operator"); err == nil {
		t.Error("the operator was revoked")
	}
}

// TestAnotherHub: a credential is believed by the hub that made it, and believes no other.
func TestAnotherHub(t *testing.T) {
	t.Parallel()
	one, two := hubtest.Start(t, nil), hubtest.Start(t, nil)
	hubtest.Worker(t, one, "mine")
	config := hubtest.Worker(t, two, "mine")
	config.URL = one.URL()
	if _, err := fleet.Dial(t.Context(), config, false); err == nil {
		t.Error("a hub is believed that has another certificate")
	}
	plain := fleet.Config{URL: one.URL(), Name: "mine"}
	if _, err := fleet.Dial(t.Context(), plain, false); err == nil {
		t.Error("the hub lets somebody in without a credential")
	}
}

// TestForgedSignature: a public key opens nothing to who has not its private key.
func TestForgedSignature(t *testing.T) {
	t.Parallel()
	h := hubtest.Start(t, nil)
	mine, other := hubtest.Worker(t, h, "mine"), hubtest.Worker(t, h, "other")
	own, another := nats.GetDefaultOptions(), nats.GetDefaultOptions()
	for i, set := range mine.Options {
		if err := errors.Join(set(&own), other.Options[i](&another)); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name string
		sign nats.SignatureHandler
		want error
	}{
		{"its own", own.SignatureCB, nil},
		{"another's", another.SignatureCB, nats.ErrAuthorization},
		{"that of another nonce", func([]byte) ([]byte, error) { return own.SignatureCB([]byte("another nonce")) }, nats.ErrAuthorization},
		{"none", func([]byte) ([]byte, error) { return nil, nil }, nats.ErrAuthorization},
	} {
		conn, err := nats.Connect(mine.URL, append(slices.Clone(mine.Options), nats.Nkey(own.Nkey, test.sign))...)
		if err == nil {
			conn.Close()
		}
		if !errors.Is(err, test.want) {
			t.Errorf("with the signature %s: %v, expected %v", test.name, err, test.want)
		}
	}
}

// TestBooks: an event that comes twice, and one by another event for the same level, are
// booked once, and stand in the hub's journal.
func TestBooks(t *testing.T) {
	t.Parallel()
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	h := hubtest.Start(t, j)
	client := hubtest.Dial(t, hubtest.Operator(t, h))
	order, err := client.Submit(t.Context(), fleet.Order{Game: "game"}, []fleet.Level{{Number: 1}, {Number: 2}}, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	deliver := func(e fleet.Event) {
		data, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		phone := fleet.Phone{Worker: e.Worker, Serial: e.Phone}
		subject := fleet.ResultSubject(phone)
		if e.Verdict == fleet.Poison {
			subject = fleet.PoisonSubject(e.Worker)
		}
		arrived, err := client.Deliver(subject, e.ID, data)
		if err == nil {
			err = arrived(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	won := fleet.Event{ID: "one", Run: order.ID, Job: 1, Level: 1, Worker: "a", Phone: "p", Game: "game", Verdict: fleet.Won, Started: time.Now(), Ended: time.Now()}
	failed, again, poison, forged := won, won, won, won
	failed.ID, failed.Verdict = "zero", fleet.Failed
	again.ID, again.Worker = "two", "b"
	poison.ID, poison.Verdict, poison.Level, poison.Levels, poison.Reason = "three", fleet.Poison, 0, []int{1, 2}, "nothing helped"
	forged.ID, forged.Level = "four", 3 // beyond the order
	for _, e := range []fleet.Event{failed, won, won, again, poison, forged} {
		deliver(e)
	}
	eventually(t, "not all is booked", func() bool {
		booked, err := client.Booked(t.Context(), order.ID)
		return err == nil && len(booked) == 2
	})
	eventually(t, "not all is kept", func() bool {
		attempts, err := j.Attempts(t.Context(), journal.Filter{})
		return err == nil && len(attempts) == 4
	})
	booked, err := client.Booked(t.Context(), order.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(booked) != 2 || booked[0].Event != "one" || booked[0].Verdict != fleet.Won || booked[1].Verdict != fleet.Failed || booked[1].Reason != "nothing helped" {
		t.Errorf("booked is %+v, expected level 1 as won by the first event and level 2 as failed", booked)
	}
}

func TestRefusedConfigurations(t *testing.T) {
	t.Parallel()
	for _, config := range []hub.Config{
		{Listen: "nowhere"}, {Listen: "127.0.0.1:70000"}, {Listen: "127.0.0.1:x"}, {Listen: "127.0.0.1:0", Lease: time.Millisecond},
	} {
		config.Folder = t.TempDir()
		if h, err := hub.Start(t.Context(), config); err == nil {
			h.Close()
			t.Errorf("a hub with %+v starts", config)
		}
	}
}
