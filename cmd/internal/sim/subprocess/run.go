package subprocess

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// Run runs a command, whose streams are set, with environment variables beside this process's
// own, or without those given as a name alone, until it ends. It ends with this process; so do
// the processes that it starts, if grouped is set and the system can do that. Otherwise it
// calls Warn.
//
// A command that reads from a terminal must not be grouped: the terminal belongs to this
// process's group.
func Run(command *exec.Cmd, env []string, grouped bool, warn func(error)) error {
	var group *Group
	if grouped {
		var err error
		if group, err = NewGroup(); err != nil {
			warn(err)
		} else {
			defer group.Leave()
		}
	}
	Tie(command, group)
	// A command is tied to the thread that starts it, so it is kept until the end.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	command.Env = slices.DeleteFunc(append(os.Environ(), env...), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(env, name)
	})
	return command.Run()
}
