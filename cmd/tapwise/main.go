package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() { os.Exit(start()) }

// start runs the program with the process's own arguments and streams and
// returns the exit code.
func start() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second interrupt ends the process at once. One key press may arrive
	// twice, from the terminal and from the process that started this one.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, stop) })
	return run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
}
