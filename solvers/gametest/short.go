package gametest

import "testing"

// Long skips a test with -short, as in the run with the race detector. Without
// -short, as in `make test`, it runs.
func Long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("too long for -short, runs without it")
	}
}
