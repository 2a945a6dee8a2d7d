package main

import (
	"context"
	"log/slog"
	"path/filepath"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/console/tell"
	"tapwise/cmd/internal/fleet/command"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/solvers"
)

// fleetCommands are hub, worker and fleet.
func (a *app) fleetCommands() []*cobra.Command { return command.Commands(a.fleet()) }

// fleet is what the commands of the fleet, and those that have work done by it, need.
func (a *app) fleet() command.Program {
	return command.Program{
		In: a.in, Out: a.out, Err: a.err, Terminal: a.terminal, JSON: func() bool { return a.json }, Print: a.printJSON,
		Opener: a.opener, Game: a.game, Journal: a.openJournal, Simulated: a.simulatedJournal, Code: exitCode, Exit: worstCode,
		Log: func() *slog.Logger { return a.log }, Tell: func() tell.Settings { return a.settings.Tell },
		Levels: func(ctx context.Context, file string, game solvers.Game) ([]string, error) {
			return puzzlefile.Reader{Stdin: a.in}.Boards(ctx, file, game)
		},
	}
}

// worstCode is the error with the worst of exit codes.
func worstCode(codes []int) error {
	var worst error
	for _, code := range codes {
		worst = worse(worst, codeError(code))
	}
	return worst
}

// simulatedJournal opens the journal of simulated phones, and says where their profiles are.
func (a *app) simulatedJournal(ctx context.Context) (*journal.Journal, string, error) {
	folder, err := places.State()
	if err != nil {
		return nil, "", badInputf("there is no folder for what is played: %w", err)
	}
	folder = filepath.Join(folder, "simulated")
	if a.settings.Journal == "" {
		a.settings.Journal = filepath.Join(folder, "journal.db")
	}
	j, err := a.openJournal(ctx)
	return j, filepath.Join(folder, "profiles"), err
}
