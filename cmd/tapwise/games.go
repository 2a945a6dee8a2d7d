package main

import (
	"strings"

	"github.com/spf13/cobra"

	"tapwise/solvers"
	"tapwise/solvers/all"
)

func (a *app) gamesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "games",
		Short: "list the games and what each can do",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.games() },
	}
}

func (a *app) games() error {
	table := a.table()
	for _, game := range all.Games() {
		can := abilities(game)
		if a.json {
			if err := a.printJSON(struct {
				Game string   `json:"game"`
				Can  []string `json:"can"`
			}{game.Name(), can}); err != nil {
				return err
			}
			continue
		}
		table.row(game.Name(), strings.Join(can, ", "))
	}
	return table.Flush()
}

// abilities names what a game can do.
func abilities(game solvers.Game) []string {
	can := []string{"solve", "check"}
	if len(game.Spec().Measures) > 0 {
		can = append(can, "read")
	}
	if _, ok := game.(solvers.Navigator); ok {
		can = append(can, "play")
	}
	if _, ok := game.(solvers.Generator); ok {
		can = append(can, "generate")
	}
	if all.App(game) != nil {
		can = append(can, "simulate")
	}
	return can
}
