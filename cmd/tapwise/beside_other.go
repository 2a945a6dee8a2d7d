//go:build !linux

package main

import (
	"errors"
	"os"
	"os/exec"
)

// processGroup is something that only Linux has here.
type processGroup struct{}

func newProcessGroup() (*processGroup, error) { return nil, errors.ErrUnsupported }

func (g *processGroup) leave() {}

// tie has an interrupt sent to the command.
func tie(command *exec.Cmd, _ *processGroup) {
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
}
