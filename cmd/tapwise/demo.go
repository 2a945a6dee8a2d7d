package main

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/simulation"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

func (a *app) demoCommand() *cobra.Command {
	var listen, film string
	var open bool
	var levels int
	command := &cobra.Command{
		Use:   "demo",
		Short: "watch the simulated phone being played on, in a browser",
		Long: `Demo starts a simulated phone with a game's app on it (--game), and opens the
page of tapwise serve, which plays its levels one after the other. No phone is needed,
and nothing of it goes into your journal. Ctrl-C ends all of it.

With --levels it opens no page: it plays so many levels of each game, or of the one
that --game names, prints what it does and ends. With --film it keeps pictures of
that in a folder.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case levels < 0:
				return badInputf("demo: --levels %d, expected at least 1", levels)
			case levels > 0:
				return a.demoLevels(cmd.Context(), strconv.Itoa(levels), film)
			case film != "":
				return badInputf("demo: --film is of levels that are played without the page: say how many with --levels")
			}
			serve := []string{"tapwise", "serve", "--play", "--listen", listen, "--open=" + strconv.FormatBool(open)}
			return a.demo(cmd.Context(), serve)
		},
	}
	command.Flags().StringVar(&listen, "listen", "127.0.0.1:8420", "`ADDRESS` of the page; port 0 is any free one")
	command.Flags().BoolVar(&open, "open", true, "open the page in the desktop's browser")
	command.Flags().IntVar(&levels, "levels", 0, "play `N` levels of each game, without the page")
	command.Flags().StringVar(&film, "film", "", "keep pictures of the levels in a `FOLDER`, a part for each game")
	return command
}

// demoLevels plays levels of the game that was asked for, or of every game in turn.
func (a *app) demoLevels(ctx context.Context, levels, film string) error {
	games := all.Games()
	if asked, err := a.game(); err != nil {
		return err
	} else if asked != nil {
		games = []solvers.Game{asked}
	}
	for _, game := range games {
		a.settings.Game = game.Name()
		clear := []string{"tapwise", "clear", "--levels", levels}
		if film != "" {
			clear = append(clear, "--film", filepath.Join(film, game.Name()))
		}
		if err := a.demo(ctx, clear); err != nil {
			return err
		}
	}
	return nil
}

// demo runs a command with a simulated phone that shows the game in the settings.
func (a *app) demo(ctx context.Context, command []string) error {
	if a.settings.Game != "" {
		command = append(command, "--game", a.settings.Game)
	}
	return a.sim(ctx, command, simOptions{listen: "127.0.0.1:0", Options: simulation.Usual()})
}
