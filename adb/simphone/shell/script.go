package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// isLoneExec reports whether a command is exec without a program: then its
// redirections are for the shell itself.
func isLoneExec(c syntax.Command) bool {
	call, ok := c.(*syntax.CallExpr)
	return ok && len(call.Args) == 1 && call.Args[0].Lit() == "exec"
}

// exec runs a program in place of the shell, which ends with it.
func (sh *interpreter) exec(args []string) int {
	args = args[1:]
	if len(args) == 0 {
		return 0
	}
	sh.exited, sh.replaced = true, true
	if !sh.isProgram(args[0]) && sh.builtin(args[0]) != nil {
		sh.notFound(args[0])
	} else {
		sh.run(args)
	}
	return sh.status
}

// nextPID is the id of the program that is started now.
func (sh *interpreter) nextPID() int {
	if sh.replaced {
		return sh.pid
	}
	return sh.host.newPID()
}

// isProgram reports whether there is a program of that name, apart from the
// builtins.
func (sh *interpreter) isProgram(name string) bool {
	name = programName(name)
	return name == "sh" || sh.host.program(name) != nil
}

// notFound ends a command that is neither a builtin nor a program.
func (sh *interpreter) notFound(name string) {
	reason := "not found"
	if sh.host.system.SDK() >= 29 {
		reason = "inaccessible or not found"
	}
	sh.fail(127, "%s: %s", name, reason)
}

// environment holds the variables that programs see.
func (sh *interpreter) environment() map[string]string {
	vars := make(map[string]string, len(sh.exported))
	for name := range sh.exported {
		if value, ok := sh.vars[name]; ok && sh.exported[name] {
			vars[name] = value
		}
	}
	return vars
}

// script is sh: another shell that runs a command, a file or its stdin.
func (sh *interpreter) script(args []string) int {
	name, args := args[0], args[1:]
	isCommand := false
	for len(args) > 0 && len(args[0]) > 1 && (args[0][0] == '-' || args[0][0] == '+') {
		option := args[0]
		args = args[1:]
		if option == "--" {
			break
		}
		if rest := strings.Trim(option[1:], "cefhilmnuvx"); rest != "" {
			sh.errorf("-%c: unknown option", rest[0])
			return 1
		}
		isCommand = isCommand || strings.Contains(option, "c")
	}
	child := sh.fork()
	child.pid, child.replaced = sh.nextPID(), false
	child.name, child.params, child.exited, child.vars = name, nil, false, sh.environment()
	child.vars["IFS"] = " \t\n"
	child.exported = make(map[string]bool, len(child.vars))
	for name := range child.vars {
		child.exported[name] = name != "IFS"
	}
	switch {
	case isCommand && len(args) == 0:
		sh.errorf("-c: requires an argument")
		return 1
	case isCommand:
		if len(args) > 1 {
			child.name, child.params = args[1], args[2:]
		}
		return child.program(args[0])
	case len(args) == 0:
		return child.interactive(nil)
	}
	child.name, child.params = args[0], args[1:]
	data, err := sh.readFile(args[0])
	if err != nil {
		sh.errorf("%s: %v", args[0], err)
		return 127
	}
	return child.program(string(data))
}
