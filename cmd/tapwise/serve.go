package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/page/serve"
	"tapwise/cmd/internal/page/web"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/cmd/internal/sim/subprocess"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

func (a *app) serveCommand() *cobra.Command {
	var listen, hub string
	var play, open bool
	command := &cobra.Command{
		Use:   "serve",
		Short: "open the local page: watch, calibrate, look back, solve",
		Long: `Serve opens a page for a browser on this machine: the phones live with what is
seen and played on them, a layout to be calibrated by dragging corners, what was
played so far, and a board to draw and solve puzzles of any game on.

The page listens on 127.0.0.1. Whoever reaches it can touch the phones, so with
--listen on another address it asks for a token, which is part of the address
that is printed. What goes over the network then is not encrypted.

With --hub the page shows the phones of a fleet, too, and gives them work.

At /metrics it shows Prometheus what was played and how the phones are.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config := a.pageConfig()
			config.Play = play
			if hub != "" {
				var err error
				if config.Fleet, err = a.fleet().Page(cmd.Context(), hub); err != nil {
					return err
				}
			}
			return a.servePage(cmd.Context(), listen, config, open)
		},
	}
	command.Flags().StringVar(&listen, "listen", "127.0.0.1:8420", "`ADDRESS` to listen on; port 0 is any free one")
	command.Flags().StringVar(&hub, "hub", "", "show the fleet of a hub: its `URL`, or a file that has a credential")
	command.Flags().BoolVar(&play, "play", false, "begin to play on each phone when a page first shows it")
	command.Flags().BoolVar(&open, "open", false, "open the page in the desktop's browser")
	return command
}

// servePage serves a page until the context ends, and tells where.
func (a *app) servePage(ctx context.Context, listen string, config web.Config, open bool) error {
	return serve.Serve(ctx, listen, config, func(addresses []string) {
		for _, address := range addresses {
			fmt.Fprintln(a.out, address)
		}
		fmt.Fprintln(a.err, "open it in a browser; Ctrl-C ends the page and what is being played")
		if open {
			if err := subprocess.Browse(addresses[0]); err != nil {
				a.log.Info("no browser was opened", "error", err)
			}
		}
	})
}

// pageSettings are the phones, eyes and games that the commands use, for the page.
func (a *app) pageSettings() serve.Settings {
	return serve.Settings{
		Opener:  a.opener(),
		Serial:  a.settings.Serial,
		Game:    a.settings.Game,
		Journal: a.journalFile,
		Tell:    a.settings.Tell,
		Split: func(game solvers.Game, pack []byte) []string {
			var texts []string
			for _, in := range puzzlefile.Split(game.Name(), pack, game) {
				texts = append(texts, in.Text)
			}
			return texts
		},
		Parse: func(text string, game solvers.Game) (solvers.Game, solvers.Puzzle, error) {
			return puzzlefile.Parse(strings.Trim(puzzlefile.Text([]byte(text)), "\n"), game)
		},
	}
}

// pageConfig returns the page, which offers a demo of all games.
func (a *app) pageConfig() web.Config {
	config := a.pageSettings().Config()
	config.OpenDemo = func(ctx context.Context) (web.Demo, error) {
		own := *a
		own.settings.Journal, own.settings.Profiles = "", "" // not the user's own
		return own.openDemo(ctx, all.Games())
	}
	return config
}
