// Package await is how tests wait: for their turn on the machine, and for events. No test fails
// because the machine is slow, so none has a time limit. Timeouts of the program are tested on
// the clock of testing/synctest.
package await

import (
	"testing"
	"time"
)

// Hang is how long a test waits before it says that something hangs. It is far longer than
// anything takes on a slow machine with other work.
const Hang = 20 * time.Minute

// Until waits until a condition holds.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for hung := time.Now().Add(Hang); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(hung) {
			t.Fatalf("%s: not within %v", what, Hang)
		}
	}
}

// From waits for a channel's next value, or its end.
func From[T any](t testing.TB, what string, channel <-chan T) T {
	t.Helper()
	select {
	case value := <-channel:
		return value
	case <-time.After(Hang):
		t.Fatalf("%s: not within %v", what, Hang)
		panic("unreachable")
	}
}
