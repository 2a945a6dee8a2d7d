//go:build !linux

package privateserver

import "os/exec"

// dieWithParent does nothing on systems without this ability.
func dieWithParent(*exec.Cmd) {}
