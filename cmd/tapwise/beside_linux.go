package main

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// processGroup is what a command starts, and whatever that starts. It dies with
// this process, however that ends. The system by itself would end the command
// only, and not what the command started.
type processGroup struct {
	leader *exec.Cmd // a shell that waits for the pipe to close, and ends the group then
	pipe   *os.File  // its other end, which no other process has open
}

// newProcessGroup makes a group to run a command in.
func newProcessGroup() (*processGroup, error) {
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
	g := &processGroup{leader, write}
	if _, err := ready.Read(make([]byte, 1)); err != nil { // it minds no signals from here on
		g.leave()
		return nil, err
	}
	return g, nil
}

// leave lets the group live on without this process.
func (g *processGroup) leave() {
	_ = g.leader.Process.Kill() // it still waits
	_ = g.leader.Wait()
	g.pipe.Close()
}

// tie has a command that is not started yet die when the thread that starts it
// does, and run in a group, which an interrupt goes to then; nil is this
// process's own.
func tie(command *exec.Cmd, g *processGroup) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	if g != nil {
		command.SysProcAttr.Setpgid, command.SysProcAttr.Pgid = true, g.leader.Process.Pid
		command.Cancel = func() error { return syscall.Kill(-g.leader.Process.Pid, syscall.SIGINT) }
	}
}
