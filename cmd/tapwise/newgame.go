package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/puzzles/newgame"
)

func (a *app) newGameCommand() *cobra.Command {
	var title string
	command := &cobra.Command{
		Use:   "new-game NAME",
		Short: "write the folder of a new game",
		Long: `New-game writes the folder of a new game into the source of tapwise that it is run
in, and the game's line into the list of games. What it writes builds; its tests fail
and say what is to be written. docs/new-game.md shows the way to a level that is won.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.newGame(args[0], cmp.Or(title, args[0])) },
	}
	command.Flags().StringVar(&title, "title", "", "the game's name for people (default: NAME)")
	return command
}

func (a *app) newGame(name, title string) error {
	module, err := newgame.Module(".")
	if err != nil {
		return badInput(fmt.Errorf("new-game: %w", err))
	}
	files, err := newgame.Write(module, name, title)
	if err != nil {
		return badInput(fmt.Errorf("new-game: %w", err))
	}
	for _, file := range files {
		fmt.Fprintln(a.out, file)
	}
	_, err = fmt.Fprintf(a.out, "\nnext: go test ./solvers/games/%s ./solvers/all\n", name)
	return err
}
