package wiretest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"testing"
)

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
		s := New(seed, func(subject string) (twice, late float64) {
			if subject == "never" {
				return 0, 0
			}
			return 0.4, 0.4
		})
		d := &deck{Shuffler: s}
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
	never := New(1, func(string) (twice, late float64) { return 0, 0 })
	err = never.Run(func(data []byte) error { passed.Write(data); return nil }, bytes.NewReader(recorded))
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
func judgeShuffled(t *testing.T, seed uint64, s *Shuffler, in, out []frame) {
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
