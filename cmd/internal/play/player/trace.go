package player

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// Trace notes how long everything took, as nested spans. A nil Trace notes
// nothing. It is safe for concurrent use.
type Trace struct {
	name  string
	start time.Time

	mu    sync.Mutex
	spans []traceSpan
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

// NewTrace returns an empty trace of a run that begins now, with the name of its line.
func NewTrace(now time.Time, name string) *Trace { return &Trace{name: name, start: now} }

// begin opens a span, and returns the function that closes it.
func (t *Trace) begin(now func() time.Time, name string, args map[string]any) (end func()) {
	if t == nil {
		return func() {}
	}
	began := now()
	return func() {
		ended := now()
		t.mu.Lock()
		defer t.mu.Unlock()
		if len(t.spans) >= maxSpans {
			return
		}
		t.spans = append(t.spans, traceSpan{
			Name: name, Phase: "X", Process: 1,
			Start:    float64(began.Sub(t.start).Nanoseconds()) / 1e3,
			Duration: float64(ended.Sub(began).Nanoseconds()) / 1e3,
			Args:     args,
		})
	}
}

// Write writes the trace in the Chrome trace format, for chrome://tracing and
// Perfetto.
func (t *Trace) Write(w io.Writer) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	events := make([]any, 0, len(t.spans)+1)
	events = append(events, map[string]any{"name": "thread_name", "ph": "M", "pid": 1, "tid": 0, "args": map[string]string{"name": t.name}})
	for _, s := range t.spans {
		events = append(events, s)
	}
	return json.NewEncoder(w).Encode(map[string]any{"displayTimeUnit": "ms", "traceEvents": events})
}
