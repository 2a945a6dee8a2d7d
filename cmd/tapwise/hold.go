package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tapwise/cmd/internal/phonelock"
)

// hold takes a phone for this process before anything on it is changed: two
// that play on one phone undo each other's strokes and tell the journal the
// same boards. It returns how to let go of it.
func (a *app) hold(serial string) (release func() error, err error) {
	folder, err := stateFolder()
	if err != nil {
		return nil, badInputf("there is no folder to lock the phone in: %w", err)
	}
	lock, err := phonelock.Take(filepath.Join(folder, "tapwise", "phones"), phonelock.Holder{
		Serial: serial, Process: os.Getpid(), Command: strings.Join(append([]string{"tapwise"}, a.args...), " "), Since: time.Now(),
	})
	var held *phonelock.HeldError
	switch {
	case errors.As(err, &held):
		return nil, phoneFailed(err)
	case err != nil:
		return nil, badInput(err)
	}
	return lock.Release, nil
}

// heldHint is what can be done about a phone that another process holds.
func heldHint(e *phonelock.HeldError) string {
	if e.Holder == nil {
		return "wait until it has ended"
	}
	return fmt.Sprintf("wait until it has ended, or end it: `kill -INT %d`", e.Holder.Process)
}
