package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/tell"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/play/run"
	"tapwise/configs/boundedfile"
	"tapwise/solvers"
)

// Program is what the commands need of the program. Its functions are called when a
// command runs, after the configuration was read.
type Program struct {
	In       io.Reader
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
	Tell      func() tell.Settings
	Log       func() *slog.Logger
}

// usualListen is where a hub listens, and where it is looked for.
const usualListen = "127.0.0.1:4222"

// Commands returns the commands.
func Commands(p Program) []*cobra.Command {
	return []*cobra.Command{p.hubCommand(), p.workerCommand(), p.fleetCommand()}
}

// reach says how the hub of a flag is reached: by its address, or by a file that has a
// credential, or - for standard input. A credential's name comes before the name that was
// given.
func (p Program) reach(hub, name string) (fleet.Config, error) {
	config := fleet.Config{URL: hub, Name: name, Log: p.Log()}
	if strings.Contains(hub, "://") {
		return config, cause.Input(fleet.CheckURL(hub))
	}
	line, err := p.credential(hub)
	if err != nil {
		return config, cause.Inputf("--hub: %w", err)
	}
	c, err := fleet.ParseCredential(string(line))
	if err != nil {
		return config, cause.Inputf("--hub: %w", err)
	}
	config.URL, config.Name = c.URL, c.Name
	if config.Options, err = c.Options(); err != nil {
		return config, cause.Input(err)
	}
	return config, nil
}

// credential reads a credential, which is a secret: whatever stands in a command line is seen
// by all users of the host, as a file may be that others may read.
func (p Program) credential(hub string) ([]byte, error) {
	switch {
	case fleet.IsCredential(hub):
		return nil, errors.New("a credential in the command line is seen by everybody on this host; expected the name of a file that has it, or - to read it from standard input")
	case hub == "-":
		if p.Terminal() {
			fmt.Fprintln(p.Err, "paste the credential:")
		}
		line, err := bufio.NewReader(io.LimitReader(p.In, maxCredentialFile)).ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			err = nil // the line may have no end
		}
		return line, err
	}
	line, err := boundedfile.Read(hub, maxCredentialFile)
	if err != nil {
		return nil, fmt.Errorf("%w; expected nats://HOST:PORT, or a file that has a credential", err)
	}
	const others = 0o077
	if info, err := os.Stat(hub); err == nil && info.Mode().Perm()&others != 0 && fleet.IsCredential(string(line)) {
		return nil, fmt.Errorf("others may read %s, which has a secret; expected that they may not: chmod 600 %s", hub, hub)
	}
	return line, nil
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
