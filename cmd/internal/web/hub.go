package web

import (
	"maps"
	"slices"
	"sync"
)

// maxStreams is how many pages may listen at a time.
const maxStreams = 32

// hub tells streams that something changed. What a stream has not taken yet is
// replaced by the newer, so that it holds at most one message a key and telling
// never waits.
type hub struct {
	mu      sync.Mutex
	streams map[*stream]bool
	closed  bool
}

// stream is one page that listens.
type stream struct {
	looks bool // shows frames, so that it is worth capturing them

	mu      sync.Mutex
	pending map[string]any
	ready   chan struct{} // holds one when there is something pending
	done    chan struct{} // closed when the server ends
}

// open adds a stream; nil when there are too many or the server ends.
func (h *hub) open(looks bool) *stream {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.streams) >= maxStreams {
		return nil
	}
	s := &stream{looks: looks, pending: map[string]any{}, ready: make(chan struct{}, 1), done: make(chan struct{})}
	if h.streams == nil {
		h.streams = map[*stream]bool{}
	}
	h.streams[s] = true
	return s
}

func (h *hub) drop(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.streams, s)
}

// tell puts a message under a key to all streams.
func (h *hub) tell(key string, message any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.streams {
		s.put(key, message)
	}
}

// watched reports whether some page shows frames.
func (h *hub) watched() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.streams {
		if s.looks {
			return true
		}
	}
	return false
}

func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	h.closed = true
	for s := range h.streams {
		close(s.done)
	}
}

func (s *stream) put(key string, message any) {
	s.mu.Lock()
	s.pending[key] = message
	s.mu.Unlock()
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// take gives what is pending, in the order of the keys.
func (s *stream) take() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var messages []any
	for _, key := range slices.Sorted(maps.Keys(s.pending)) {
		messages = append(messages, s.pending[key])
	}
	clear(s.pending)
	return messages
}
