//go:build !linux

package subprocess

import (
	"errors"
	"os"
	"os/exec"
)

// Group is a process group, which is supported on Linux only.
type Group struct{}

// NewGroup fails with [errors.ErrUnsupported].
func NewGroup() (*Group, error) { return nil, errors.ErrUnsupported }

// Leave does nothing.
func (g *Group) Leave() {}

// Tie has an interrupt sent to the command.
func Tie(command *exec.Cmd, _ *Group) {
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
}
