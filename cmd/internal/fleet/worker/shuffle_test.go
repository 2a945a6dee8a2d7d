package worker_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// frame is one line of NATS' protocol, with the payload of a message.
type frame struct {
	data    []byte
	subject string // of a message; empty for what is none
}

// readFrame reads a frame of either direction: MSG and HMSG come from a server, PUB and HPUB
// from a client, and end with the size of what follows.
func readFrame(r *bufio.Reader) (frame, error) {
	line, err := r.ReadBytes('\n')
	if err != nil {
		return frame{}, err
	}
	words := strings.Fields(string(line))
	if len(words) < 3 || !slices.Contains([]string{"MSG", "HMSG", "PUB", "HPUB"}, words[0]) {
		return frame{data: line}, nil
	}
	size, err := strconv.Atoi(words[len(words)-1])
	if err != nil || size < 0 || size > 1<<24 {
		return frame{}, fmt.Errorf("a message of the size %q", words[len(words)-1])
	}
	data := append(line, make([]byte, size+2)...)
	if _, err := io.ReadFull(r, data[len(line):]); err != nil {
		return frame{}, err
	}
	return frame{data, words[1]}, nil
}

const (
	// latest is how many messages may overtake one.
	latest = 3
	// longest is for how long a message is held back when no other comes.
	longest = 50 * time.Millisecond
)

// shuffler delivers some messages of a connection twice, and some after later ones. What is
// no message stays where it is.
type shuffler struct {
	chance func(subject string) float64 // of each of both, for a message

	mu               sync.Mutex
	random           *rand.Rand
	twice, overtaken map[string]int // how many were, by the first two parts of the subject
}

func newShuffler(seed uint64, chance func(subject string) float64) *shuffler {
	return &shuffler{chance: chance, random: rand.New(rand.NewPCG(seed, 0)), twice: map[string]int{}, overtaken: map[string]int{}}
}

// decide returns after how many messages each copy of a message is delivered; 0 is now.
func (s *shuffler) decide(subject string) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := strings.SplitN(subject, ".", 3)
	kind, chance := strings.Join(parts[:min(2, len(parts))], "."), s.chance(subject)
	if strings.HasPrefix(kind, "_INBOX") {
		kind = "answers"
	}
	after := []int{0}
	if s.random.Float64() < chance {
		s.overtaken[kind]++
		after[0] = 1 + s.random.IntN(latest)
	}
	if s.random.Float64() < chance {
		s.twice[kind]++
		after = append(after, s.random.IntN(latest+1))
	}
	return after
}

// counts tells what was done.
func (s *shuffler) counts() (twice, overtaken map[string]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.twice), maps.Clone(s.overtaken)
}

// held is a copy of a message that is held back.
type held struct {
	frame
	after int // messages
}

// deck is what is held back of one connection.
type deck struct {
	*shuffler
	held []held
}

// next takes a frame and returns those to be delivered now.
func (d *deck) next(f frame) []frame {
	if f.subject == "" {
		return []frame{f}
	}
	var now []frame
	copies := d.decide(f.subject)
	for _, after := range copies {
		if after == 0 {
			now = append(now, f)
		}
	}
	waiting := d.held
	d.held = nil
	for _, h := range waiting {
		if h.after--; h.after == 0 {
			now = append(now, h.frame)
		} else {
			d.held = append(d.held, h)
		}
	}
	for _, after := range copies {
		if after > 0 {
			d.held = append(d.held, held{f, after})
		}
	}
	return now
}

// rest returns what is still held back.
func (d *deck) rest() []frame {
	var now []frame
	for _, h := range d.held {
		now = append(now, h.frame)
	}
	d.held = nil
	return now
}

// run passes frames on until the connection ends. What is held back and not overtaken soon is
// delivered then.
func (s *shuffler) run(write func([]byte) error, from io.Reader) error {
	frames, ended := make(chan frame, 64), make(chan struct{})
	defer close(ended)
	var failure error
	go func() {
		defer close(frames)
		for r := bufio.NewReader(from); ; {
			f, err := readFrame(r)
			if err != nil {
				failure = err
				return
			}
			select {
			case frames <- f:
			case <-ended:
				return
			}
		}
	}()
	d := &deck{shuffler: s}
	for {
		var late <-chan time.Time
		if len(d.held) > 0 {
			late = time.After(longest)
		}
		var now []frame
		more := true
		select {
		case f, ok := <-frames:
			more = ok
			if ok {
				now = d.next(f)
			} else {
				now = d.rest()
			}
		case <-late:
			now = d.rest()
		}
		for more && len(frames) > 0 { // in one go with what is there
			now = append(now, d.next(<-frames)...)
		}
		var data []byte
		for _, f := range now {
			data = append(data, f.data...)
		}
		if len(data) > 0 {
			if err := write(data); err != nil {
				return err
			}
		}
		if !more {
			return failure
		}
	}
}

// TestShuffler: of a recorded connection each message comes once or twice and at most a few
// messages late, whole, and what is no message stays in order.
func TestShuffler(t *testing.T) {
	t.Parallel()
	recorded, err := os.ReadFile("testdata/frames.txt")
	if err != nil {
		t.Fatal(err)
	}
	recorded = bytes.ReplaceAll(recorded, []byte("\n"), []byte("\r\n"))
	in := framesOf(t, recorded)
	for seed := range uint64(20) {
		s := newShuffler(seed, func(subject string) float64 {
			if subject == "never" {
				return 0
			}
			return 0.4
		})
		d := &deck{shuffler: s}
		var shuffled []byte
		for _, f := range in {
			for _, f := range d.next(f) {
				shuffled = append(shuffled, f.data...)
			}
		}
		for _, f := range d.rest() {
			shuffled = append(shuffled, f.data...)
		}
		out := framesOf(t, shuffled)
		judgeShuffled(t, seed, s, in, out)
	}
	var passed bytes.Buffer
	never := newShuffler(1, func(string) float64 { return 0 })
	err = never.run(func(data []byte) error { passed.Write(data); return nil }, bytes.NewReader(recorded))
	if !errors.Is(err, io.EOF) || !bytes.Equal(passed.Bytes(), recorded) {
		t.Errorf("what is not shuffled ends with %v as\n%s\nexpected\n%s", err, passed.Bytes(), recorded)
	}
}

// framesOf reads frames to the end.
func framesOf(t *testing.T, data []byte) []frame {
	t.Helper()
	var frames []frame
	for r := bufio.NewReader(bytes.NewReader(data)); ; {
		f, err := readFrame(r)
		if errors.Is(err, io.EOF) {
			return frames
		}
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, f)
	}
}

// judgeShuffled compares frames with what became of them. No two frames are alike.
func judgeShuffled(t *testing.T, seed uint64, s *shuffler, in, out []frame) {
	t.Helper()
	sum := func(m map[string]int) (n int) {
		for _, v := range m {
			n += v
		}
		return n
	}
	twice, overtaken := sum(s.twice), sum(s.overtaken)
	if twice == 0 || overtaken == 0 || len(out) != len(in)+twice {
		t.Errorf("seed %d: %d frames became %d, %d of them came twice and %d late, expected some of both", seed, len(in), len(out), twice, overtaken)
	}
	first, times := map[string]int{}, map[string]int{}
	messages := 0
	var others, wanted []string
	for _, f := range out {
		text := string(f.data)
		if f.subject == "" {
			others = append(others, text)
			continue
		}
		if times[text]++; times[text] == 1 {
			first[text] = messages
		}
		messages++
	}
	late := 0
	for i, f := range in {
		text, before := string(f.data), 0
		for _, later := range in[i+1:] {
			if later.subject != "" && first[string(later.data)] < first[text] {
				before++
			}
		}
		switch {
		case f.subject == "":
			wanted = append(wanted, text)
		case times[text] < 1 || times[text] > 2 || f.subject == "never" && times[text] != 1:
			t.Errorf("seed %d: %q came %d times", seed, text, times[text])
		case before > latest:
			t.Errorf("seed %d: %q came after %d later messages, expected %d at most", seed, text, before, latest)
		case before > 0:
			late++
		}
	}
	if late == 0 {
		t.Errorf("seed %d: no message was overtaken, expected some of %d", seed, overtaken)
	}
	if !slices.Equal(others, wanted) {
		t.Errorf("seed %d: what is no message came as %q, expected %q", seed, others, wanted)
	}
}
