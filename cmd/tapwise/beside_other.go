//go:build !linux

package main

import (
	"os"
	"os/exec"
)

// tie has an interrupt sent to the command. Dying with this process is something
// that only Linux knows.
func tie(command *exec.Cmd, _ bool) {
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
}

// watchGroup does nothing: there is no group.
func watchGroup(int) (end func(), err error) { return func() {}, nil }
