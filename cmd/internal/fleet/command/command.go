package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/run"
	"tapwise/solvers"
)

// Program is what the commands need of the program. Its functions are called when a
// command runs, after the configuration was read.
type Program struct {
	Out, Err io.Writer
	Terminal func() bool // stderr is one
	JSON     func() bool // results are wanted as JSON
	Print    func(any) error
	Opener   func() run.Opener
	Game     func() (solvers.Game, error) // the one asked for; nil for none
	Journal  func(context.Context) (*journal.Journal, error)
	// Simulated opens the journal of what is played on simulated phones, and returns the
	// folder of their profiles too.
	Simulated func(context.Context) (*journal.Journal, string, error)
	Levels    func(ctx context.Context, file string, game solvers.Game) ([]string, error)
	Code      func(error) int         // the exit code of an error
	Exit      func(codes []int) error // an error with the worst of exit codes, nil for none; what there was to say is said
	Log       func() *slog.Logger
}

// usualListen is where a hub listens, and where it is looked for.
const usualListen = "127.0.0.1:4222"

// Commands returns the commands.
func Commands(p Program) []*cobra.Command {
	return []*cobra.Command{p.hubCommand(), p.workerCommand(), p.fleetCommand()}
}

// reach says how the hub of a flag is reached.
func (p Program) reach(url, name string) fleet.Config {
	return fleet.Config{URL: url, Name: name, Log: p.Log()}
}

// operator connects as one who gives orders.
func (p Program) operator(ctx context.Context, url string) (*fleet.Client, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "somewhere"
	}
	return fleet.Dial(ctx, p.reach(url, fmt.Sprintf("operator-%s-%d", fleet.Token(host), os.Getpid())), false)
}

// ended is no error for a command that runs until it is interrupted.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
