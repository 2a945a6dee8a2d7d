package solving

import (
	"testing"
	"time"
)

func TestProgressText(t *testing.T) {
	p := NewProgress(3, 0)
	p.Counted = "solutions"
	p.Done.Store(1)
	p.Searches[0].Found.Store(2)
	p.Searches[2].Found.Store(40)
	if got, want := p.Text(2049*time.Millisecond), "2s (--timeout 30s would bound it): 1 of 3 puzzles done, 42 solutions so far"; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
	p = NewProgress(1, time.Minute)
	p.Searches[0].Stages.Store(7)
	if got, want := p.Text(3*time.Second), "3s (--timeout 1m0s): trying 7 stages"; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
}
