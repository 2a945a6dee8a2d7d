package main

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// tie has a command that is not started yet die when the thread that starts it
// does. With group it leads a process group of its own, and an interrupt goes
// to all of the group.
func tie(command *exec.Cmd, group bool) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: group}
	command.Cancel = func() error {
		if group {
			return syscall.Kill(-command.Process.Pid, syscall.SIGINT)
		}
		return command.Process.Signal(os.Interrupt)
	}
}

// watchGroup has the process group that a command leads die with this process,
// however that ends: a pipe that only this process holds open closes then, which
// ends the wait of a shell outside of the group. The system itself would end
// only the command, and not what the command started. It returns how to end the
// watch.
func watchGroup(leader int) (end func(), err error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	watch := exec.Command("sh", "-c", `read -r _; kill -s KILL -- "-$0"`, strconv.Itoa(leader))
	watch.Stdin = read
	watch.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // out of reach of Ctrl-C
	if err := watch.Start(); err != nil {
		write.Close()
		return nil, err
	}
	return func() {
		_ = watch.Process.Kill() // it still waits
		_ = watch.Wait()
		write.Close()
	}, nil
}
