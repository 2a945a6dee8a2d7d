//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package phonelock

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file until it is closed, or fails with errHeld.
func lock(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errHeld
		}
		return err
	}
}
