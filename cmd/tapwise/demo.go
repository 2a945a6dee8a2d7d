package main

import (
	"github.com/spf13/cobra"

	"tapwise/cmd/internal/simulation"
)

func (a *app) demoCommand() *cobra.Command {
	var listen string
	var open bool
	command := &cobra.Command{
		Use:   "demo",
		Short: "watch the simulated phone being played on, in a browser",
		Long: `Demo starts a simulated phone with a game's app on it (--game), and opens the
page of tapwise serve, which plays its levels one after the other. No phone is needed,
and nothing of it goes into your journal. Ctrl-C ends all of it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o := simOptions{listen: "127.0.0.1:0", Options: simulation.Usual()}
			command := []string{"tapwise", "serve", "--play", "--listen", listen}
			if a.settings.Game != "" {
				command = append(command, "--game", a.settings.Game)
			}
			if open {
				command = append(command, "--open")
			}
			return a.sim(cmd.Context(), command, o)
		},
	}
	command.Flags().StringVar(&listen, "listen", "127.0.0.1:8420", "`ADDRESS` of the page; port 0 is any free one")
	command.Flags().BoolVar(&open, "open", true, "open the page in the desktop's browser")
	return command
}
