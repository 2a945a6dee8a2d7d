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
	if !h.Secure() || options.TLSConfig == nil || options.CustomClientAuthentication == nil || len(*h.admission.users.Load()) != 1 {
		t.Errorf("a hub for others has TLS %v and lets %d users in, expected TLS and the operator", options.TLSConfig != nil, len(*h.admission.users.Load()))
	}
}
