package subprocess

import (
	"errors"
	"os/exec"
	"runtime"
)

// Browse opens an address in the desktop's browser, and does not wait for it.
func Browse(address string) error {
	var command *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		command = exec.Command("open", address)
	case "windows":
		command = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	default:
		command = exec.Command("xdg-open", address)
	}
	if err := command.Start(); err != nil {
		return errors.Join(errors.New("no program to open addresses with"), err)
	}
	go func() { _ = command.Wait() }() // its end tells nothing: many leave the work to others
	return nil
}
