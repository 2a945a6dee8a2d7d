package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"tapwise/cmd/internal/console/places"
	"tapwise/solvers/all"
)

func main() { os.Exit(start()) }

// errHangup is why a run ends when its terminal is closed.
const errHangup = interruption("the terminal was closed")

// start runs the program with the process's own arguments and streams and
// returns the exit code.
func start() int {
	if folder, err := places.Config(); err == nil {
		all.Folder = filepath.Join(folder, "games")
	}
	ctx, hangUp := context.WithCancelCause(context.Background())
	defer hangUp(nil)
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second interrupt ends the process at once. One key press may arrive
	// twice, from the terminal and from the process that started this one.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, stop) })
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		// However often it comes, once from the shell and once from the system,
		// it leaves the time to put the phone in order.
		closed := make(chan os.Signal, 1)
		signal.Notify(closed, syscall.SIGHUP)
		go func() {
			<-closed
			hangUp(errHangup)
		}()
	}
	// Nobody waits for this signal, but asking for it has writes to a closed
	// pipe fail, which output turns into an interrupt, instead of ending the
	// process on the spot.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return execute(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
}
