package hub_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/console/metrics"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/fleet/hub/hubtest"
	"tapwise/cmd/internal/journal"
)

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	await.Until(t, what, is)
}

// TestRevoke: a worker whose credential is revoked is cut off, and does not get in again; what
// it had is others' at once. Others stay.
func TestRevoke(t *testing.T) {
	t.Parallel()
	h := hubtest.StartFor(t, nil, time.Hour) // nothing ends by itself
	operator := hubtest.Dial(t, hubtest.Operator(t, h))
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, []fleet.Level{{Number: 1}}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	config := hubtest.Worker(t, h, "stolen")
	stolen, good := hubtest.Join(t, config), hubtest.Join(t, hubtest.Worker(t, h, "good"))
	phone := fleet.Phone{Worker: "stolen", Serial: "p", State: fleet.Idle}
	work := hubtest.Take(t, stolen, order.ID, phone)
	told, err := stolen.Tell(phone)
	if err == nil {
		err = told(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Keys().Revoke("stolen"); err != nil {
		t.Fatal(err)
	}
	await.From(t, "the end of a worker whose credential is revoked", stolen.Ended())
	if err := stolen.Err(); !errors.Is(err, fleet.ErrRefused) {
		t.Errorf("its connection ended with %v, expected %v", err, fleet.ErrRefused)
	}
	if _, err := fleet.Join(t.Context(), config, true); !errors.Is(err, fleet.ErrRefused) {
		t.Errorf("it connects again: %v, expected %v", err, fleet.ErrRefused)
	}
	eventually(t, "its phone is not listed any more", func() bool {
		phones, err := operator.Phones(t.Context())
		return err == nil && len(phones) == 0
	})
	phone.Worker = "good"
	eventually(t, "its phone is not another's", func() bool {
		_, _, err := good.Hold(t.Context(), phone, "session")
		return err == nil
	})
	if got := hubtest.Next(t, good, order.ID, phone); got.Number != work.Number || got.Deliveries != 2 {
		t.Errorf("another worker has job %d for the time %d, expected job %d for the second", got.Number, got.Deliveries, work.Number)
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
	if _, err := fleet.Join(t.Context(), config, false); err == nil {
		t.Error("a hub is believed that has another certificate")
	}
	plain := fleet.Config{URL: one.URL(), Name: "mine"}
	if _, err := fleet.Join(t.Context(), plain, false); err == nil {
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
	order, err := client.Submit(t.Context(), fleet.Order{Game: "game"}, []fleet.Level{{Number: 1}, {Number: 2}}, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	deliver := func(agent *fleet.Agent, e fleet.Event, id string) {
		e.ID = id
		if err := hubtest.Deliver(t, agent, e); err != nil {
			t.Fatal(err)
		}
	}
	a, b := hubtest.Join(t, hubtest.Worker(t, h, "a")), hubtest.Join(t, hubtest.Worker(t, h, "b"))
	phone, other := fleet.Phone{Worker: "a", Serial: "p"}, fleet.Phone{Worker: "b", Serial: "q"}
	work := hubtest.Take(t, a, order.ID, phone)
	won := hubtest.Won(work, phone, 1)
	failed := won
	failed.Verdict = fleet.Failed
	deliver(a, failed, "zero")
	deliver(a, won, "one")
	deliver(a, won, "one")
	work.Back(0)
	again := hubtest.Take(t, b, order.ID, other)
	deliver(b, hubtest.Won(again, other, 1), "one") // its own, though another has that ID, too
	deliver(b, hubtest.GivenUp(again, other), "three")
	eventually(t, "not all is booked", func() bool {
		booked, err := client.Booked(t.Context(), order.ID)
		return err == nil && len(booked) == 2
	})
	eventually(t, "not all is kept", func() bool {
		attempts, err := j.Attempts(t.Context(), journal.Filter{})
		return err == nil && len(attempts) == 3
	})
	booked, err := client.Booked(t.Context(), order.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(booked) != 2 || booked[0].Event != "one" || booked[0].Worker != "a" || booked[0].Verdict != fleet.Won || booked[1].Verdict != fleet.Failed || booked[1].Reason != "nothing helped" {
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

// TestGone: somebody purges the jobs of a run of which one level is won;
// the run closes, and the hub's journal has the levels' names.
func TestGone(t *testing.T) {
	t.Parallel()
	j, err := journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	h := hubtest.StartFor(t, j, 2*time.Second)
	reach := hubtest.Operator(t, h)
	client := hubtest.Dial(t, reach)
	order, err := client.Submit(t.Context(), fleet.Order{Game: "game"}, []fleet.Level{{Number: 4}, {Number: 5}, {Number: 6}}, 9, 1)
	if err != nil {
		t.Fatal(err)
	}
	agent, phone := hubtest.Join(t, hubtest.Worker(t, h, "a")), fleet.Phone{Worker: "a", Serial: "p"}
	work := hubtest.Take(t, agent, order.ID, phone)
	if err := hubtest.Deliver(t, agent, hubtest.Won(work, phone, 4)); err != nil {
		t.Fatal(err)
	}
	conn, err := nats.Connect(reach.URL, reach.Options...)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Request("$JS.API.STREAM.PURGE.TAPWISE_JOBS", nil, await.Hang); err != nil {
		t.Fatal(err)
	}
	progress, err := client.Follow(t.Context(), order.ID, nil)
	if err != nil || progress.Won != 1 || progress.Failed != 2 {
		t.Errorf("%d levels were won and %d failed (%v), expected 1 and 2", progress.Won, progress.Failed, err)
	}
	eventually(t, "the run is closed with the names of its levels", func() bool {
		o, err := client.Order(t.Context(), order.ID)
		return err == nil && o.State == fleet.Complete && o.Why == "levels 5-6: no result came, and the job is gone"
	})
	attempts, err := j.Attempts(t.Context(), journal.Filter{Verdict: journal.Failed})
	if err != nil || len(attempts) != 2 || attempts[0].Level != 5 || attempts[1].Level != 6 || attempts[0].Order != order.ID || attempts[0].Error == "" {
		t.Errorf("the journal has the failures %+v (%v), expected levels 5 and 6 of the run", attempts, err)
	}
}

// TestFigures: a hub with keys may read all that it shows, and shows jobs from when they wait
// until they are cancelled.
func TestFigures(t *testing.T) {
	t.Parallel()
	h := hubtest.Start(t, nil)
	handler := metrics.Handler(slog.New(slog.DiscardHandler), h.Figures()...)
	shows := func(line string) bool {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
		return strings.Contains(answer.Body.String(), line+"\n")
	}
	eventually(t, "the fleet's figures can be read", func() bool { return shows(`tapwise_source_up{source="fleet"} 1`) })
	if !shows("tapwise_fleet_workers 0") || !shows(`tapwise_fleet_jobs{state="waiting"} 0`) {
		t.Error("a hub without workers and jobs does not show that it has none")
	}
	operator := hubtest.Dial(t, hubtest.Operator(t, h))
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, []fleet.Level{{Number: 1}, {Number: 2}}, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	hubtest.Take(t, hubtest.Join(t, hubtest.Worker(t, h, "good")), order.ID, fleet.Phone{Worker: "good", Serial: "p", State: fleet.Idle})
	for _, line := range []string{`tapwise_fleet_jobs{state="waiting"} 1`, `tapwise_fleet_jobs{state="handed_out"} 1`, "tapwise_fleet_leases 1", "tapwise_fleet_jobs_submitted_total 2"} {
		eventually(t, line, func() bool { return shows(line) })
	}
	if err := operator.Cancel(t.Context(), order.ID); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the jobs are over", func() bool { return shows("tapwise_fleet_jobs_ended_total 2") && shows("tapwise_fleet_runs 0") })
}
