package fleet

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzMessages reads what others send: nothing panics, and what is accepted is written
// and read again as the same.
func FuzzMessages(f *testing.F) {
	f.Add([]byte(`{"run":"abc","job":1,"game":"game","pack":2,"levels":[{"number":1,"board":"A.A"}]}`))
	f.Add([]byte(`{"id":"e","run":"abc","job":1,"level":1,"worker":"w","phone":"p","game":"game","verdict":"won"}`))
	f.Add([]byte(`{"run":"abc","game":"game","levels":3,"last":3,"jobs":1,"state":"open","phones":{"model":"["}}`))
	f.Add([]byte(`{"worker":"w","serial":"p","state":"idle"}`))
	f.Add([]byte(`{"level":1,"verdict":"won"}`))
	f.Add([]byte(`{"worker":"w","session":"s"}`))
	f.Add([]byte(`{"id":"question","event":"e"}`))
	f.Add([]byte(`{"id":"question","serial":"s"}`))
	f.Add([]byte(`{"serial":"s","jpeg":"/9j/"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		again[Job](t, data)
		again[Event](t, data)
		again[Order](t, data)
		again[Phone](t, data)
		again[Booked](t, data)
		again[Lease](t, data)
		again[Ask](t, data)
		again[look](t, data)
		again[picture](t, data)
	})
}

func again[T any, P interface {
	*T
	message
}](t *testing.T, data []byte) {
	value, err := decode[T, P](data)
	if err != nil {
		return
	}
	written, err := encode(P(&value))
	if err != nil {
		if len(data) > MaxMessage/8 { // some text is longer when it is written
			return
		}
		t.Fatalf("%T was read and cannot be written: %v", value, err)
	}
	read, err := decode[T, P](written)
	if err != nil {
		t.Fatalf("%T is not read again: %v", value, err)
	}
	first, _ := json.Marshal(value) // empty and missing lists are the same
	second, _ := json.Marshal(read)
	if string(first) != string(second) {
		t.Fatalf("%T became %s, was %s", value, second, first)
	}
}

// TestRefusedMessages are messages that a worker or the clerk must not believe.
func TestRefusedMessages(t *testing.T) {
	long := strings.Repeat("x", MaxBoard+1)
	for _, text := range []string{
		`{"run":"a.b","job":1,"game":"game","levels":[{"number":1}]}`,
		`{"run":"a>","job":1,"game":"game","levels":[{"number":1}]}`,
		`{"run":"a","job":0,"game":"game","levels":[{"number":1}]}`,
		`{"run":"a","job":1,"game":"../game","levels":[{"number":1}]}`,
		`{"run":"a","job":1,"game":"game","levels":[]}`,
		`{"run":"a","job":1,"game":"game","levels":[{"number":0}]}`,
		`{"run":"a","job":1,"game":"game","levels":[{"number":1000001}]}`,
		`{"run":"a","job":1,"game":"game","levels":[{"number":1,"board":"` + long + `"}]}`,
		`{"run":"a","job":1,"game":"game","levels":[` + strings.Repeat(`{"number":1},`, maxChunk) + `{"number":1}]}`,
		`[]`, ``, `{`, strings.Repeat(" ", MaxMessage) + `{}`,
	} {
		if _, err := DecodeJob([]byte(text)); err == nil {
			t.Errorf("the job %.80s is accepted", text)
		}
	}
	for _, text := range []string{
		`{"id":"e","run":"a","job":1,"level":0,"worker":"w","phone":"p","game":"game","verdict":"won"}`,
		`{"id":"e","run":"a","job":1,"level":1,"worker":"w","phone":"p","game":"game","verdict":"poison"}`,
		`{"id":"e","run":"a","job":1,"level":1,"worker":"w","phone":"p","game":"game","verdict":"lost"}`,
		`{"id":"e","run":"a","job":1,"level":1,"worker":"w.x","phone":"p","game":"game","verdict":"won"}`,
		`{"id":"e","run":"a","job":1,"levels":[0],"worker":"w","phone":"p","game":"game","verdict":"poison"}`,
		`{"id":"e","run":"a","job":1,"level":1,"worker":"w","phone":"p","game":"game","verdict":"won","code":256}`,
	} {
		if _, err := DecodeEvent([]byte(text)); err == nil {
			t.Errorf("the event %s is accepted", text)
		}
	}
	for _, text := range []string{`{"id":"q"}`, `{"event":"e"}`, `{"id":"q","event":"../e"}`, `{"id":"a.b","event":"e"}`, `{"id":"q","event":"e e"}`, `{"id":">","event":"e"}`} {
		if ask, err := decode[Ask]([]byte(text)); err == nil {
			t.Errorf("the question %s is accepted as %v", text, ask)
		}
	}
}

func TestEventsAreTheSenders(t *testing.T) {
	e := Event{ID: "e", Run: "a", Job: 1, Level: 1, Worker: "mine", Phone: "p", Game: "game", Verdict: Won}
	for subject, want := range map[string]bool{
		"tapwise.result.mine.p": true, "tapwise.result.other.p": false, "tapwise.poison.mine": false, "tapwise.result": false,
	} {
		if got := e.sentBy(subject) == nil; got != want {
			t.Errorf("an event of mine as %s: accepted is %v, expected %v", subject, got, want)
		}
	}
}

func TestWantedPhones(t *testing.T) {
	phone := Phone{Worker: "shelf", Serial: "R58M", Model: "Pixel_7", Games: []string{"game"}}
	for text, want := range map[string]bool{
		"": true, "model=Pixel*": true, "model=Pixel": false, "serial=R58M": true, "worker=shelf,model=*7": true, "worker=desk,model=*7": false,
	} {
		w, err := ParseWanted(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Fits(phone); got != want {
			t.Errorf("%q fits is %v, expected %v", text, got, want)
		}
	}
	for _, text := range []string{"model=[", "colour=red", "model", "model=", ","} {
		if w, err := ParseWanted(text); err == nil {
			t.Errorf("%q is accepted as %v", text, w)
		}
	}
	if !phone.Plays("game") || phone.Plays("other") || !(Phone{}).Plays("other") {
		t.Error("a phone plays other games than those that are known of it")
	}
}

// TestPhoneNames: what a phone tells of itself names it, whatever its serials are. Of one that
// tells nothing, an address, or a serial that many have, names another phone on each host.
func TestPhoneNames(t *testing.T) {
	id := func(worker, serial, identity string) string {
		return Phone{Worker: worker, Serial: serial, Identity: identity}.ID()
	}
	for _, local := range []string{"emulator-5554", "127.0.0.1:5555", "localhost:5555", "[::1]:5555", "192.168.240.112:5555", "172.17.0.2:5555",
		"0123456789ABCDEF", "0123456789abcdef", "????????????", "(no serial number)", "usb:1-2", "transport_id:3"} {
		if id("a", local, "") == id("b", local, "") {
			t.Errorf("%s is one phone on two hosts", local)
		}
		if id("a", local, "one") == id("b", local, "other") || id("a", local, "one") != id("b", "R58M123", "one") {
			t.Errorf("%s is not told by what the phone tells", local)
		}
	}
	for _, own := range []string{"R58M123", "adb-R58M123-AbCdEf._adb-tls-connect._tcp"} {
		if id("a", own, "") != id("b", own, "") || !isName(id("a", own, "")) {
			t.Errorf("%s is two phones: %s and %s", own, id("a", own, ""), id("b", own, ""))
		}
	}
	also := Phone{Worker: "a", Serial: "R58M", Also: []string{"10.0.0.5:5555"}}
	if !(Wanted{Serial: "10.*"}).Fits(also) || !drains(map[string]bool{drainKey("a", "10.0.0.5:5555"): true}, also) || drains(map[string]bool{drainKey("b", "R58M"): true}, also) {
		t.Error("a phone is not chosen, or drained, by its other name")
	}
}

// TestCut: every level is in one job, in order, and no job exceeds its bounds.
func TestCut(t *testing.T) {
	board := strings.Repeat("x", MaxBoard)
	var levels []Level
	for n := 1; n <= 30; n++ {
		levels = append(levels, Level{Number: n, Board: board})
	}
	jobs := cut(Order{ID: "a", Game: "game"}, levels, 30, 10)
	var got []Level
	for i, j := range jobs {
		if j.Number != i+1 {
			t.Errorf("job %d has the number %d", i+1, j.Number)
		}
		if _, err := encode(&j); err != nil {
			t.Errorf("job %d: %v", j.Number, err)
		}
		got = append(got, j.Levels...)
	}
	if !reflect.DeepEqual(got, levels) {
		t.Errorf("the jobs have %d levels, expected the %d in order", len(got), len(levels))
	}
}

// FuzzCredential reads lines that were pasted. Errors must not tell the secret.
func FuzzCredential(f *testing.F) {
	f.Add("tapwise1:e30")
	f.Add("tapwise1:")
	f.Add("nats://127.0.0.1:4222")
	f.Fuzz(func(t *testing.T, line string) {
		c, err := ParseCredential(line)
		if err == nil {
			if again, err := ParseCredential(c.String()); err != nil || again.Seed != c.Seed {
				t.Fatalf("a credential is not read again: %v", err)
			}
		}
	})
}

func TestCheckURL(t *testing.T) {
	for address, want := range map[string]bool{
		"nats://127.0.0.1:4222": true, "nats://localhost:4222,nats://[::1]:4223": true, "nats://192.0.2.1:4222": false,
		"nats://127.0.0.1:4222,nats://example.com:4222": false, "http://127.0.0.1": false, "": false, "127.0.0.1:4222": false,
	} {
		if got := CheckURL(address) == nil; got != want {
			t.Errorf("%q without a credential: accepted is %v, expected %v", address, got, want)
		}
	}
}
