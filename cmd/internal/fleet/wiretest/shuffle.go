package wiretest

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// Shuffler delivers some messages of a connection twice, and some after later ones. What is
// no message stays where it is.
type Shuffler struct {
	chance func(subject string) (twice, late float64)

	mu               sync.Mutex
	random           *rand.Rand
	twice, overtaken map[string]int // how many were, by the first two parts of the subject
}

// New returns a shuffler that draws lots with a seed, and delivers a message twice, or after
// later ones, with a chance between 0 and 1.
func New(seed uint64, chance func(subject string) (twice, late float64)) *Shuffler {
	return &Shuffler{chance: chance, random: rand.New(rand.NewPCG(seed, 0)), twice: map[string]int{}, overtaken: map[string]int{}}
}

// decide returns after how many messages each copy of a message is delivered; 0 is now.
func (s *Shuffler) decide(subject string) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := strings.SplitN(subject, ".", 3)
	kind := strings.Join(parts[:min(2, len(parts))], ".")
	twice, late := s.chance(subject)
	if strings.HasPrefix(kind, "_INBOX") {
		kind = "answers"
	}
	after := []int{0}
	if s.random.Float64() < late {
		s.overtaken[kind]++
		after[0] = 1 + s.random.IntN(latest)
	}
	if s.random.Float64() < twice {
		s.twice[kind]++
		after = append(after, s.random.IntN(latest+1))
	}
	return after
}

// Counts returns how many messages came twice, and how many late, by the first two parts of
// their subjects; answers to questions are "answers".
func (s *Shuffler) Counts() (twice, overtaken map[string]int) {
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
	*Shuffler
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

// Run passes on what comes from one end of a connection until that ends, or until writing
// fails, with the error. A message that is held back and not overtaken soon is delivered then.
// Several may run at a time.
func (s *Shuffler) Run(write func([]byte) error, from io.Reader) error {
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
	d := &deck{Shuffler: s}
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
