package gametest

import "testing"

// Long leaves a test out with -short, as the run with the race detector has it. Without
// -short, as in `make test`, it runs.
func Long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("too long for -short, runs without it")
	}
}
