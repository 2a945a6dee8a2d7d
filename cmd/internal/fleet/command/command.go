package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/cause"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/run"
	"tapwise/configs/boundedfile"
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

// reach says how the hub of a flag is reached: by its address, by a credential, or by a
// file that has one. A credential's name comes before the name that was given.
func (p Program) reach(hub, name string) (fleet.Config, error) {
	config := fleet.Config{URL: hub, Name: name, Log: p.Log()}
	if strings.Contains(hub, "://") {
		return config, cause.Input(fleet.CheckURL(hub))
	}
	if !fleet.IsCredential(hub) {
		line, err := boundedfile.Read(hub, maxCredentialFile)
		if err != nil {
			return config, cause.Inputf("--hub: %w; expected nats://HOST:PORT, a credential or a file that has one", err)
		}
		hub = string(line)
	}
	c, err := fleet.ParseCredential(hub)
	if err != nil {
		return config, cause.Inputf("--hub: %w", err)
	}
	config.URL, config.Name = c.URL, c.Name
	if config.Options, err = c.Options(); err != nil {
		return config, cause.Input(err)
	}
	return config, nil
}

// maxCredentialFile bounds a file with a credential, in bytes.
const maxCredentialFile = 64 << 10

// operator connects as one who gives orders.
func (p Program) operator(ctx context.Context, hub string) (*fleet.Client, error) {
	config, err := p.reach(hub, fmt.Sprintf("operator-%d", os.Getpid()))
	if err != nil {
		return nil, err
	}
	return fleet.Dial(ctx, config, false)
}

// ended marks the error of a command that runs until it is interrupted, which is none.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	if errors.Is(err, fleet.ErrRefused) {
		return cause.Input(err)
	}
	return err
}
