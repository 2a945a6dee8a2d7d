package hub_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/fleet/hub/hubtest"
)

// siege is a hub with two workers, of which one means harm, and an operator who sees what
// became of it.
type siege struct {
	*testing.T
	hub          *hub.Hub
	mine, other  *fleet.Agent
	thief        *nats.Conn // with the credential of mine
	config       fleet.Config
	denied       chan error
	operator     *fleet.Client
	js           jetstream.JetStream
	order        fleet.Order
	work, theirs *fleet.Work // a job that mine has, and one that other has
	phone, yours fleet.Phone // on which
}

func besiege(t *testing.T) *siege {
	t.Helper()
	s := &siege{T: t, hub: hubtest.StartFor(t, nil, time.Hour), denied: make(chan error, 1024)}
	s.config = hubtest.Worker(t, s.hub, "mine")
	s.mine, s.other = hubtest.Join(t, s.config), hubtest.Join(t, hubtest.Worker(t, s.hub, "other"))
	var err error
	s.thief, err = nats.Connect(s.config.URL, append(slices.Clone(s.config.Options), nats.CustomInboxPrefix("_INBOX_mine"), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		s.denied <- err
	}))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.thief.Close)
	boss := hubtest.Operator(t, s.hub)
	s.operator = hubtest.Dial(t, boss)
	raw, err := nats.Connect(boss.URL, boss.Options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(raw.Close)
	if s.js, err = jetstream.New(raw); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the hub does not read what it keeps", func() bool {
		kept := s.kept()
		for _, stream := range []string{"KV_TAPWISE_ASKED", "KV_TAPWISE_CONTROL", "TAPWISE_POISON", "TAPWISE_RESULTS"} {
			if !strings.Contains(kept, stream+": 0 messages up to 0, 0 deleted, 1 consumers") {
				return false
			}
		}
		return true
	})
	s.order, err = s.operator.Submit(t.Context(), fleet.Order{Game: "game"}, []fleet.Level{{Number: 1}, {Number: 2}, {Number: 3}, {Number: 4}}, 4, 2)
	if err != nil {
		t.Fatal(err)
	}
	s.phone, s.yours = fleet.Phone{Worker: "mine", Serial: "p", State: fleet.Idle}, fleet.Phone{Worker: "other", Serial: "q", State: fleet.Idle}
	s.work, s.theirs = hubtest.Take(t, s.mine, s.order.ID, s.phone), hubtest.Take(t, s.other, s.order.ID, s.yours)
	return s
}

// kept is everything that the hub keeps: the messages of each stream, and where each stream
// ends.
func (s *siege) kept() string {
	s.Helper()
	var all []string
	streams := s.js.ListStreams(s.Context())
	for info := range streams.Info() {
		if slices.Contains([]string{"KV_TAPWISE_RUNS", "KV_TAPWISE_LEVELS"}, info.Config.Name) {
			info.State.Consumers = 0 // the clerk looks at them time and again
		}
		all = append(all, fmt.Sprintf("%s: %d messages up to %d, %d deleted, %d consumers", info.Config.Name, info.State.Msgs, info.State.LastSeq, info.State.NumDeleted, info.State.Consumers))
	}
	if streams.Err() != nil {
		s.Fatal(streams.Err())
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// unchanged expects that nothing the hub keeps is changed by what is done.
func (s *siege) unchanged(what string, do func()) {
	s.Helper()
	before := s.kept()
	do()
	if err := s.thief.Flush(); err != nil {
		s.Fatal(err)
	}
	eventually(s.T, "a question is answered later", func() bool {
		_, err := s.mine.IsBooked(s.Context(), s.order.ID, 1)
		return err == nil
	})
	if after := s.kept(); after != before {
		s.Errorf("%s: the hub kept\n%s\nand now\n%s", what, before, after)
	}
}

// refused reports whether the server has refused what the thief did. What is refused is told in
// order: before the next thing that is refused.
func (s *siege) refused() (told bool) {
	s.Helper()
	if err := s.thief.Publish("tapwise.never", nil); err != nil {
		s.Fatal(err)
	}
	for {
		err := await.From(s, "what the hub refuses", s.denied)
		if strings.Contains(err.Error(), "tapwise.never") {
			return told
		}
		told = told || errors.Is(err, nats.ErrPermissionViolation)
	}
}

// deny expects the server to refuse messages to subjects.
func (s *siege) deny(subjects ...string) {
	s.Helper()
	s.unchanged("what is refused", func() {
		for _, subject := range subjects {
			if err := s.thief.PublishMsg(&nats.Msg{Subject: subject, Data: []byte("{}")}); err != nil {
				s.Fatal(err)
			}
			if !s.refused() {
				s.Errorf("publish to %s is not refused", subject)
			}
		}
	})
}

// ask asks as the thief, as no worker does, and returns the answer as it is.
func (s *siege) ask(verb, questions string) string {
	s.Helper()
	msg, err := s.thief.Request("tapwise.worker.mine."+verb, []byte(questions), await.Hang)
	if err != nil {
		s.Fatalf("%s: %v", verb, err)
	}
	return string(msg.Data)
}

// refuse expects the hub to refuse questions, and to keep nothing of them.
func (s *siege) refuse(verb string, questions ...any) {
	s.Helper()
	for _, question := range questions {
		data, err := json.Marshal([]any{question})
		if err != nil {
			s.Fatal(err)
		}
		s.unchanged(verb, func() {
			if answer := s.ask(verb, string(data)); !strings.Contains(answer, `"error"`) {
				s.Errorf("%s of %.200s was answered with %.200s, expected an error", verb, data, answer)
			}
		})
	}
}

// each job control, of a job.
func (s *siege) controls(work *fleet.Work, delivery int) {
	s.Helper()
	name := map[string]any{"run": work.Run, "job": work.Number, "delivery": delivery}
	back := map[string]any{"run": work.Run, "job": work.Number, "delivery": delivery, "back": true}
	s.refuse("keep", name)
	s.refuse("end", name, back)
}

// result expects the hub not to believe an event of the thief's.
func (s *siege) result(events ...fleet.Event) {
	s.Helper()
	for _, e := range events {
		s.unchanged("a result", func() {
			if err := hubtest.Deliver(s, s.mine, e); !errors.Is(err, fleet.ErrNotBelieved) {
				s.Errorf("event %+v is answered with %v, expected %v", e, err, fleet.ErrNotBelieved)
			}
		})
	}
}

// lose has the other worker get the job that mine had.
func (s *siege) lose() *fleet.Work {
	s.Helper()
	s.work.Back(0)
	return hubtest.Next(s, s.other, s.order.ID, s.yours)
}

// trials are those of the table in docs/fleet.md, by its first two columns.
func trials() map[string]func(*siege) {
	return map[string]func(*siege){
		"worker: to have the hub's answer published elsewhere by a reply subject": (*siege).replies,
		"worker: to publish to JetStream's API, streams, buckets or acknowledgements": func(s *siege) {
			s.deny("tapwise.result.mine.p", "tapwise.result.other.q", "tapwise.poison.mine", "tapwise.poison.other", "tapwise.answer.mine.b", "tapwise.job.run.1", "tapwise.look.mine",
				"$KV.TAPWISE_LEASES.p", "$KV.TAPWISE_PHONES.mine.p", "$KV.TAPWISE_LEVELS.run.1", "$KV.TAPWISE_RUNS.run", "$KV.TAPWISE_CONTROL.drain.other", "$KV.TAPWISE_ASKED.mine.q", "$KV.TAPWISE_HANDED.run.1",
				"$O.TAPWISE_EVIDENCE_mine.C.x", "$JS.API.INFO", "$JS.API.STREAM.CREATE.X", "$JS.API.STREAM.DELETE.TAPWISE_RESULTS", "$JS.API.STREAM.PURGE.TAPWISE_RESULTS", "$JS.API.STREAM.INFO.TAPWISE_RESULTS",
				"$JS.API.STREAM.MSG.GET.TAPWISE_RESULTS", "$JS.API.DIRECT.GET.KV_TAPWISE_LEASES", "$JS.API.CONSUMER.MSG.NEXT.TAPWISE_JOBS.run-"+s.order.ID,
				"$JS.ACK.TAPWISE_JOBS.run-"+s.order.ID+".1.1.1.1.0", "$JS.FC.KV_TAPWISE_RUNS.x", "$SYS.REQ.SERVER.PING", "$SYS.REQ.ACCOUNT.PING.CONNZ", "_INBOX_hub.x", "_R_.x", "anything")
		},
		"worker: headers: rollup, expected sequence, time to live, schedule, counter, batch, another's message id": (*siege).headers,
		"worker: to ask as another worker": func(s *siege) {
			s.deny("tapwise.worker.other.hello", "tapwise.worker.other.lease", "tapwise.worker.hub.hello", "tapwise.worker.mine", "tapwise.worker.mine.hello.more")
		},
		"worker: to hear others' inboxes, the hub's, other subjects or `$SYS`": func(s *siege) {
			for _, subject := range []string{">", "*", "tapwise.>", "tapwise.worker.other.*", "tapwise.worker.mine.*", "_INBOX_other.>", "_INBOX_hub.>", "_INBOX_operator.>", "_INBOX.>", "_R_.>", "$KV.>", "$JS.>", "$SYS.>"} {
				if _, err := s.thief.SubscribeSync(subject); err != nil {
					s.Fatal(err)
				}
				if !s.refused() {
					s.Errorf("subscribe to %s is not refused", subject)
				}
			}
		},
		"worker: a push consumer that delivers anywhere": func(s *siege) {
			for _, stream := range []string{"TAPWISE_JOBS", "TAPWISE_RESULTS", "KV_TAPWISE_RUNS", "KV_TAPWISE_CONTROL"} {
				s.deny("$JS.API.CONSUMER.CREATE."+stream, "$JS.API.CONSUMER.CREATE."+stream+".x", "$JS.API.CONSUMER.CREATE."+stream+".x.>", "$JS.API.CONSUMER.DURABLE.CREATE."+stream+".x")
			}
		},
		"worker: to keep, end or give back a job that was handed to another": func(s *siege) {
			s.controls(s.theirs, s.theirs.Deliveries)
			s.controls(s.theirs, s.theirs.Deliveries+1)
			s.controls(&fleet.Work{Job: fleet.Job{Run: "*", Number: 1}}, 1)
			s.controls(&fleet.Work{Job: fleet.Job{Run: s.order.ID, Number: 99}}, 1)
		},
		"worker: to keep, end or give back a job that it had and that another has now": func(s *siege) {
			now := s.lose()
			s.controls(s.work, s.work.Deliveries)
			s.controls(now, now.Deliveries)
		},
		"worker: to end a job of whose levels there are no results": func(s *siege) {
			if err := hubtest.Deliver(s, s.mine, hubtest.Won(s.work, s.phone, s.work.Levels[0].Number)); err != nil {
				s.Fatal(err)
			}
			eventually(s.T, "the level is not booked", func() bool {
				booked, err := s.mine.IsBooked(s.Context(), s.order.ID, s.work.Levels[0].Number)
				return err == nil && booked
			})
			s.refuse("end", map[string]any{"run": s.work.Run, "job": s.work.Number, "delivery": s.work.Deliveries})
			if err := hubtest.Deliver(s, s.mine, hubtest.Won(s.work, s.phone, s.work.Levels[1].Number)); err != nil {
				s.Fatal(err)
			}
			if err := s.work.Done(s.Context()); err != nil {
				s.Errorf("a job with all its results does not end: %v", err)
			}
		},
		"worker: to deliver results of a job that it was never handed": func(s *siege) {
			e := hubtest.Won(s.theirs, s.phone, s.theirs.Levels[0].Number)
			later, nowhere, gone := e, e, hubtest.GivenUp(s.theirs, s.phone)
			later.Deliveries++
			nowhere.Run = "nowhere"
			s.result(e, later, nowhere, gone)
		},
		"worker: to deliver results of levels that are not the job's, of another phone, game or worker": func(s *siege) {
			e := hubtest.Won(s.work, s.phone, s.work.Levels[0].Number)
			level, phone, game, worker, gone := e, e, e, e, hubtest.GivenUp(s.work, s.phone)
			level.Level, phone.Phone, game.Game, worker.Worker = s.theirs.Levels[0].Number, "q", "other", "other"
			gone.Levels = append(gone.Levels, s.theirs.Levels[0].Number)
			s.result(level, phone, game, worker, gone)
		},
		"worker: to say that a job is given up which another has now": func(s *siege) {
			s.lose()
			s.result(hubtest.GivenUp(s.work, s.phone))
			// That it won a level before is another matter: nothing that was played is lost.
			if err := hubtest.Deliver(s, s.mine, hubtest.Won(s.work, s.phone, s.work.Levels[0].Number)); err != nil {
				s.Errorf("a level that was won before is refused: %v", err)
			}
		},
		"worker: to win levels of its own job without playing": func(s *siege) {
			if err := hubtest.Deliver(s, s.mine, hubtest.Won(s.work, s.phone, s.work.Levels[0].Number)); err != nil {
				s.Error(err)
			}
		},
		"worker: an event with the ID of another worker's": func(s *siege) {
			mine, theirs := hubtest.Won(s.work, s.phone, s.work.Levels[0].Number), hubtest.Won(s.theirs, s.yours, s.theirs.Levels[0].Number)
			mine.ID, theirs.ID = "same", "same"
			if err := errors.Join(hubtest.Deliver(s, s.mine, mine), hubtest.Deliver(s, s.other, theirs)); err != nil {
				s.Fatal(err)
			}
			eventually(s.T, "not both are booked", func() bool {
				booked, err := s.operator.Booked(s.Context(), s.order.ID)
				return err == nil && len(booked) == 2
			})
		},
		"worker: results without end": func(s *siege) {
			e, n := hubtest.Won(s.work, s.phone, s.work.Levels[0].Number), 0
			e.Verdict, e.Board = fleet.Failed, strings.Repeat("x", fleet.MaxBoard)
			for range 40 {
				e.ID = fleet.NewID()
				if hubtest.Deliver(s, s.mine, e) == nil {
					n++
				}
			}
			if n != 12 {
				s.Errorf("of a job of 2 levels %d events are kept, expected 12", n)
			}
			for info := range s.js.ListStreams(s.Context()).Info() {
				if slices.Contains([]string{"TAPWISE_RESULTS", "TAPWISE_POISON"}, info.Config.Name) && (info.Config.MaxBytes <= 0 || info.Config.DenyPurge) {
					s.Errorf("stream %s has the limit of %d bytes, and cannot be purged: %v", info.Config.Name, info.Config.MaxBytes, info.Config.DenyPurge)
				}
			}
		},
		"worker: messages that are too large, too many, or no JSON": func(s *siege) {
			for _, verb := range []string{"hello", "news", "lease", "phones", "job", "keep", "end", "result", "booked", "evidence", "picture", "chunk", "wanted", "answer", "none"} {
				for _, questions := range []string{"", "x", "{}", "[]", "[" + strings.Repeat("{},", 64) + "{}]", `[{"phone":1,"run":1,"job":"x","id":1,"heard":1,"wait":"x","batch":1}]`} {
					s.unchanged(verb, func() {
						if verb == "hello" && strings.HasPrefix(questions, "[{\"") {
							return
						}
						if answer := s.ask(verb, questions); !strings.Contains(answer, `"error"`) {
							s.Errorf("%s of %.60q is answered with %.100s, expected an error", verb, questions, answer)
						}
					})
				}
			}
			large := "[{\"phone\":\"" + strings.Repeat("x", 1<<20) + "\"}]"
			if err := s.thief.Publish("tapwise.worker.mine.lease", []byte(large)); !errors.Is(err, nats.ErrMaxPayload) {
				s.Errorf("a message of a mebibyte: %v, expected %v", err, nats.ErrMaxPayload)
			}
		},
		"worker: leases and phones without end": func(s *siege) {
			leases, phones := 0, 0
			for i := 0; i < 1100; i += 50 {
				var hold, tell []map[string]any
				for n := i; n < i+50; n++ {
					hold = append(hold, map[string]any{"phone": fmt.Sprintf("x%d", n), "serial": "s", "session": "s"})
					tell = append(tell, map[string]any{"worker": "mine", "serial": fmt.Sprintf("x%d", n)})
				}
				data, _ := json.Marshal(hold)
				leases += strings.Count(s.ask("lease", string(data)), `"now"`)
				data, _ = json.Marshal(tell)
				phones += 50 - strings.Count(s.ask("phones", string(data)), `"error"`)
			}
			if leases != 999 || phones != 1000 { // it has one phone already
				s.Errorf("%d leases and %d phones, expected 999 and 1,000", leases, phones)
			}
		},
		"worker: to renew or free another's lease": func(s *siege) {
			for _, key := range []string{s.yours.ID(), "batch.x", "*", ">", ""} {
				for _, session := range []string{"session", "other"} {
					for _, how := range []string{"", "renew", "free"} {
						s.refuse("lease", map[string]any{"phone": key, "serial": "q", "session": session, how: true})
					}
				}
			}
		},
		"worker: jobs for a phone that it does not have": func(s *siege) {
			for _, key := range []string{s.yours.ID(), "nobody", "*", ""} {
				s.refuse("job", map[string]any{"run": s.order.ID, "phone": key})
			}
		},
		"worker: to answer evidence, or looks, for which another was asked": func(s *siege) {
			kv, err := s.js.KeyValue(s.Context(), "TAPWISE_ASKED")
			if err == nil {
				_, err = kv.PutString(s.Context(), "other.question", `{"id":"question","event":"e"}`)
			}
			if err != nil {
				s.Fatal(err)
			}
			asked := make(chan fleet.Ask, 1)
			go s.other.Asked(s.Context(), func(a fleet.Ask) error { asked <- a; return nil })
			<-asked
			s.refuse("evidence", map[string]any{"id": "question", "last": true, "data": "eA=="}, map[string]any{"id": "*", "last": true})
			s.refuse("picture", map[string]any{"id": "question", "serial": "q", "reason": "x"})
		},
		"worker: to make an order, or drain another": func(s *siege) {
			s.deny("$KV.TAPWISE_RUNS.mine", "tapwise.job.mine.1", "$KV.TAPWISE_CONTROL.drain.other", "$JS.API.CONSUMER.CREATE.TAPWISE_JOBS.run-mine.tapwise.job.mine.*")
		},
		"worker: connections without end": func(s *siege) {
			n := 0
			for range 40 {
				conn, err := nats.Connect(s.config.URL, s.config.Options...)
				if err == nil {
					n++
					defer conn.Close()
				}
			}
			if n != 14 { // two are there
				s.Errorf("%d more connections, expected 14", n)
			}
		},
		"revoked: to go on, with what it has": func(*siege) {}, // TestRevoke
		"none: to connect without a key, or with a key that nobody knows": func(s *siege) {
			pair, err := nkeys.CreateUser()
			if err != nil {
				s.Fatal(err)
			}
			public, _ := pair.PublicKey()
			for what, option := range map[string]nats.Option{"no key": nats.Nkey("", nil), "another key": nats.Nkey(public, pair.Sign), "a name": nats.UserInfo("hub", ""), "a token": nats.Token("hub")} {
				options := append(slices.Clone(s.config.Options), option)
				if what != "another key" {
					options = append(options, nats.Nkey("", nil))
				}
				if conn, err := nats.Connect(s.config.URL, options...); err == nil {
					conn.Close()
					s.Errorf("with %s somebody is let in", what)
				}
			}
		},
		"operator: everything in the hub's account": func(s *siege) {
			if _, err := s.js.CreateStream(s.Context(), jetstream.StreamConfig{Name: "ANY", Subjects: []string{"any"}}); err != nil {
				s.Error(err)
			}
			conn := s.js.Conn()
			if heard, err := conn.SubscribeSync("$SYS.>"); err != nil {
				s.Error(err)
			} else if err := errors.Join(conn.Publish("$SYS.REQ.SERVER.PING", nil), conn.Flush()); err != nil {
				s.Error(err)
			} else if n, _, err := heard.Pending(); err == nil && n > 1 { // its own
				s.Errorf("an operator hears %d messages of the system", n)
			}
		},
		"operator: `hub add` of a name that is a word of ours, or no name": func(s *siege) {
			for _, name := range []string{"hub", "operator", "operator-1", "page-1", "clerk", "batch", "HUB", "Operator", "", "*", ">", "a.b", "a b", "$SYS", "$G", "../x", "_INBOX", strings.Repeat("x", 65)} {
				if _, err := s.hub.Keys().Add(name); err == nil {
					s.Errorf("a worker named %q is added", name)
				}
			}
		},
	}
}

// replies tries every question with every reply that may mean something to the hub.
func (s *siege) replies() {
	questions := map[string]string{
		"hello": "[{}]", "booked": `[{"run":"r","level":1}]`, "lease": `[{"phone":"` + s.yours.ID() + `","serial":"q","session":"s"}]`, "job": `[{"run":"r","phone":"p"}]`, "news": `[{"heard":""}]`, "wanted": `[{"batch":"b"}]`, "none": "x",
	}
	s.unchanged("replies", func() {
		for verb, question := range questions {
			for _, reply := range []string{
				"$KV.TAPWISE_CONTROL.drain.other", "$KV.TAPWISE_LEVELS.run.1", "$KV.TAPWISE_RUNS.run", "$KV.TAPWISE_ASKED.other.q", "$KV.TAPWISE_HANDED.r.1", "$KV.TAPWISE_LEASES.x", "tapwise.result.other.q", "tapwise.poison.other", "tapwise.job.run.1",
				"tapwise.answer.other.b", "tapwise.worker.other.lease", "tapwise.worker.mine.lease", "$JS.API.STREAM.DELETE.TAPWISE_RESULTS", "$JS.API.STREAM.PURGE.TAPWISE_JOBS", "$JS.ACK.TAPWISE_JOBS.x.1.1.1.1.0", "$SYS.REQ.SERVER.PING", "_INBOX_other.x", "_INBOX_hub.x", "_R_.x",
			} {
				if err := s.thief.PublishRequest("tapwise.worker.mine."+verb, reply, []byte(question)); err != nil {
					s.Fatal(err)
				}
			}
		}
	})
}

// headers sends a question that changes nothing, and one for a phone that mine has, with each
// header that means something to the engine.
func (s *siege) headers() {
	s.unchanged("headers", func() {
		for name, values := range map[string][]string{
			"Nats-Rollup": {"all", "sub"}, "Nats-Expected-Stream": {"X"}, "Nats-Expected-Last-Sequence": {"0", "9"}, "Nats-Expected-Last-Subject-Sequence": {"0"}, "Nats-Expected-Last-Msg-Id": {"x"}, "Nats-TTL": {"1s", "never"},
			"Nats-Msg-Id": {"other.same"}, "Nats-Schedule": {"@every 1s"}, "Nats-Schedule-Target": {"tapwise.result.other.q"}, "Nats-Incr": {"1"}, "Nats-Batch-Id": {"x"}, "Nats-Batch-Sequence": {"1"}, "Nats-Batch-Commit": {"1"},
			"KV-Operation": {"PURGE", "DEL"}, "Nats-Marker-Reason": {"Purge"}, "Nats-Required-Api-Level": {"9"}, "Status": {"503", "100"}, "Nats-Trace-Dest": {"tapwise.result.other.q"}, "Nats-Trace-Only": {"true"},
		} {
			for _, value := range values {
				msg := &nats.Msg{Subject: "tapwise.worker.mine.booked", Reply: "_INBOX_mine.x", Data: []byte(`[{"run":"r","level":1}]`), Header: nats.Header{name: {value}}}
				if err := s.thief.PublishMsg(msg); err != nil {
					s.Fatal(err)
				}
			}
		}
	})
}

// TestCredentials tries what a credential can cause, row by row of the table in docs/fleet.md.
func TestCredentials(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "fleet.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "## What a credential can cause")
	if !found {
		t.Fatal("docs/fleet.md has no table of what a credential can cause")
	}
	all := trials()
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) != 3 || strings.TrimSpace(cells[0]) == "who" {
			continue
		}
		name := strings.TrimSpace(cells[0]) + ": " + strings.TrimSpace(cells[1])
		trial, ok := all[name]
		if !ok {
			t.Errorf("nobody tries the row %q", name)
			continue
		}
		delete(all, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trial(besiege(t))
		})
	}
	for name := range all {
		t.Errorf("the trial %q has no row", name)
	}
}
