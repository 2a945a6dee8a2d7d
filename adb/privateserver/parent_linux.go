package privateserver

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes the kernel end the server when this process ends without
// closing it, as when it is killed.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
