package subprocess

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// Group is a process group: a command, what it starts, and whatever that starts. It dies with
// this process, however that ends. Without a group, the system would end only the command, not
// what the command started.
type Group struct {
	leader *exec.Cmd // a shell that waits for the pipe to close, and ends the group then
	pipe   *os.File  // its other end, which no other process has open
}

// NewGroup makes a group to run a command in. Where the system has none, the error
// is [errors.ErrUnsupported].
func NewGroup() (*Group, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	leader := exec.Command("sh", "-c", `trap "" INT TERM HUP; echo; read -r _; kill -s KILL 0`)
	leader.Stdin = read
	leader.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	ready, err := leader.StdoutPipe()
	if err == nil {
		err = leader.Start()
	}
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	g := &Group{leader, write}
	if _, err := ready.Read(make([]byte, 1)); err != nil { // it minds no signals from here on
		g.Leave()
		return nil, err
	}
	return g, nil
}

// Leave lets the group live on without this process.
func (g *Group) Leave() {
	_ = g.leader.Process.Kill() // it still waits
	_ = g.leader.Wait()
	g.pipe.Close()
}

// Tie prepares a command that is not started yet: it dies when the thread that
// starts it does, and it runs in a group, to which an interrupt then goes; nil is
// this process's own group.
func Tie(command *exec.Cmd, g *Group) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	if g != nil {
		command.SysProcAttr.Setpgid, command.SysProcAttr.Pgid = true, g.leader.Process.Pid
		command.Cancel = func() error { return syscall.Kill(-g.leader.Process.Pid, syscall.SIGINT) }
	}
}
