package main

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/play/trouble"
	"tapwise/cmd/internal/puzzles/newgame"
	"tapwise/solvers/all"
	"tapwise/solvers/described"
)

func (a *app) newGameCommand() *cobra.Command {
	var title string
	command := &cobra.Command{
		Use:   "new-game NAME | FILE.star",
		Short: "begin a new game: a description of one page, or a folder in the source",
		Long: `With FILE.star, new-game writes a description of a game into that file, which every
command takes by --game. It is whole, and to be changed; docs/described.md has its words.

With a NAME, it writes the folder of a new game into the source of tapwise that it is run
in, and the game's line into the list of games. What it writes builds; its tests fail
and say what is to be written. docs/new-game.md shows the way to a level that is won.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if all.Described(args[0]) {
				return a.describeGame(args[0], title)
			}
			return a.newGame(args[0], cmp.Or(title, args[0]))
		},
	}
	command.Flags().StringVar(&title, "title", "", "the game's name for people (default: NAME)")
	return command
}

// describeGame writes a description and says how to go on.
func (a *app) describeGame(file, title string) error {
	if err := newgame.Describe(file, cmp.Or(title, trouble.Title(described.NameOf(file)))); err != nil {
		return badInput(fmt.Errorf("new-game: %w", err))
	}
	if filepath.Base(file) == file {
		file = "./" + file
	}
	_, err := fmt.Fprintf(a.out, "%s\n\nnext: tapwise games %s\n      tapwise sim --game %s -- tapwise clear --game %s\n", file, file, file, file)
	return err
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
