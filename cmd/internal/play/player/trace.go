package player

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// Trace notes how long everything took, as nested spans. A nil Trace notes
// nothing. It is safe for concurrent use: players of several phones may share
// one, each with a Fork of its own.
type Trace struct {
	thread int
	shared *traceSpans
}

type traceSpans struct {
	mu      sync.Mutex
	start   time.Time
	threads int
	names   map[int]string
	spans   []traceSpan
}

// traceSpan is a complete event of the Chrome trace format.
type traceSpan struct {
	Name     string         `json:"name"`
	Phase    string         `json:"ph"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Start    float64        `json:"ts"`  // microseconds
	Duration float64        `json:"dur"` // microseconds
	Args     map[string]any `json:"args,omitempty"`
}

// maxSpans bounds the memory of a long run: that it goes on matters more than
// the trace of its last levels.
const maxSpans = 1_000_000

// NewTrace returns an empty trace of a run that begins now, with the name of its
// first line.
func NewTrace(now time.Time, name string) *Trace {
	return &Trace{shared: &traceSpans{start: now, names: map[int]string{0: name}}}
}

// Fork returns a part of the trace for another player, which gets a line of its
// own with a name.
func (t *Trace) Fork(name string) *Trace {
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	t.shared.threads++
	t.shared.names[t.shared.threads] = name
	return &Trace{thread: t.shared.threads, shared: t.shared}
}

// begin opens a span, and returns the function that closes it.
func (t *Trace) begin(now func() time.Time, name string, args map[string]any) (end func()) {
	if t == nil {
		return func() {}
	}
	began := now()
	return func() {
		ended := now()
		t.shared.mu.Lock()
		defer t.shared.mu.Unlock()
		if len(t.shared.spans) >= maxSpans {
			return
		}
		t.shared.spans = append(t.shared.spans, traceSpan{
			Name: name, Phase: "X", Process: 1, Thread: t.thread,
			Start:    float64(began.Sub(t.shared.start).Nanoseconds()) / 1e3,
			Duration: float64(ended.Sub(began).Nanoseconds()) / 1e3,
			Args:     args,
		})
	}
}

// Write writes the trace in the Chrome trace format, for chrome://tracing and
// Perfetto.
func (t *Trace) Write(w io.Writer) error {
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	events := make([]any, 0, len(t.shared.spans)+len(t.shared.names))
	for thread := range t.shared.threads + 1 {
		events = append(events, map[string]any{"name": "thread_name", "ph": "M", "pid": 1, "tid": thread,
			"args": map[string]string{"name": t.shared.names[thread]}})
	}
	for _, s := range t.shared.spans {
		events = append(events, s)
	}
	return json.NewEncoder(w).Encode(map[string]any{"displayTimeUnit": "ms", "traceEvents": events})
}
