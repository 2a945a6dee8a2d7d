package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/board"
	"tapwise/solvers/described"
)

func (a *app) gamesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "games [FILE.star…]",
		Short: "list the games and what each can do, or check descriptions of games",
		Long: `List the games and what each can do; with -v also the table of abilities that not every game has.

With files of descriptions it checks them instead: each example and level has exactly one
solution, and each named rule a wrong solution that breaks it.`,
		RunE: func(cmd *cobra.Command, files []string) error {
			if len(files) > 0 {
				return a.examine(cmd.Context(), files)
			}
			return a.games()
		},
	}
}

// gameJSON is a game as JSON. Abilities, the names of what only some games can
// do, are there only with -v.
type gameJSON struct {
	Game      string   `json:"game"`
	Can       []string `json:"can"`
	Abilities []string `json:"abilities,omitempty"`
}

func (a *app) games() error {
	table := a.table()
	for _, game := range all.Games() {
		line := gameJSON{Game: game.Name(), Can: can(game)}
		if !a.json {
			table.Row(line.Game, strings.Join(line.Can, ", "))
			continue
		}
		if a.verbose {
			line.Abilities = abilities(game)
		}
		if err := a.printJSON(line); err != nil {
			return err
		}
	}
	if err := table.Flush(); err != nil || a.json || !a.verbose {
		return err
	}
	fmt.Fprintln(a.out) // what fails is told by Flush
	return a.printAbilities()
}

// examine checks descriptions of games.
func (a *app) examine(ctx context.Context, files []string) error {
	for _, file := range files {
		game, err := described.Open(file)
		if err != nil {
			return badInput(err)
		}
		if _, err := fmt.Fprintf(a.out, "%s: %s, %s; %s\n", file, game.Title(), board.Count(len(game.Examples()), "example"), game.Seen()); err != nil {
			return err
		}
		if err := game.Examine(ctx); err != nil {
			return badInput(err)
		}
	}
	return nil
}

// can names what a game can do on the command line.
func can(game solvers.Game) []string {
	can := []string{"solve", "check"}
	if len(game.Spec().Measures) > 0 {
		can = append(can, "read", "play")
	}
	can = append(can, "generate")
	if all.App(game) != nil {
		can = append(can, "simulate")
	}
	return can
}

// abilities names what a game can do beyond what every game can.
func abilities(game solvers.Game) []string {
	var names []string
	for _, ability := range all.Abilities() {
		if slices.Contains(ability.Games, game.Name()) {
			names = append(names, ability.Name)
		}
	}
	return names
}

// printAbilities prints the table of abilities, a column for each game.
func (a *app) printAbilities() error {
	table := a.table()
	head := []any{"ability"}
	for _, game := range all.Games() {
		head = append(head, game.Name())
	}
	table.Row(append(head, "meaning")...)
	for _, ability := range all.Abilities() {
		row := []any{ability.Name}
		for _, game := range all.Games() {
			cell := "-"
			if slices.Contains(ability.Games, game.Name()) {
				cell = "yes"
			}
			row = append(row, cell)
		}
		table.Row(append(row, ability.Meaning)...)
	}
	return table.Flush()
}
