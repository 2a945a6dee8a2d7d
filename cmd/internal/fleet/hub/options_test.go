package hub

import "testing"

// TestBeyondThisMachine: who listens for others has keys, whether asked to or not.
func TestBeyondThisMachine(t *testing.T) {
	t.Parallel()
	h := &Hub{config: Config{Listen: "0.0.0.0:0", Folder: t.TempDir()}, keys: OpenKeys(t.TempDir())}
	options, err := h.options()
	if err != nil {
		t.Fatal(err)
	}
	if !h.Secure() || options.TLSConfig == nil || options.CustomClientAuthentication == nil {
		t.Errorf("a hub for others has TLS %v, expected it, and somebody who lets users in", options.TLSConfig != nil)
	}
}
