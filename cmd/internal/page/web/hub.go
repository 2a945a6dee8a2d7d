package web

import (
	"maps"
	"slices"
	"sync"
)

// maxStreams is the number of pages that may listen at a time.
const maxStreams = 32

// hub tells streams about changes. A message that a stream has not taken yet is
// replaced by a newer one with its key, so that a stream holds at most one message
// per key and telling never waits.
type hub struct {
	mu      sync.Mutex
	streams map[*stream]bool
	closed  bool
	woken   chan struct{} // holds one element once a page has begun to show frames
}

// stream is one page that listens.
type stream struct {
	looks bool // the page shows frames, so they are worth capturing

	mu      sync.Mutex
	pending map[string]any
	ready   chan struct{} // holds one element while something is pending
	done    chan struct{} // closed when the server ends
}

// open adds a stream; nil when there are too many or the server is ending.
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
	if looks {
		select {
		case h.woken <- struct{}{}:
		default:
		}
	}
	return s
}

func (h *hub) drop(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.streams, s)
}

// tell gives all streams a message under a key.
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

// take returns what is pending, in the order of the keys.
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
