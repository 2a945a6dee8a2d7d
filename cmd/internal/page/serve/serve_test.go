package serve

import "testing"

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.1.2.3": true, "::1": true, "localhost": true,
		"": false, "0.0.0.0": false, "::": false, "192.168.1.5": false, "box": false, "localhost.example": false, "127.0.0.1.example": false,
	} {
		if got := isLoopback(host); got != want {
			t.Errorf("%q: %v, expected %v: a page there needs a token", host, got, want)
		}
	}
}
