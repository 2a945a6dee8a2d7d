package main

import (
	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/build"
	"tapwise/cmd/internal/console/manual"
)

// manualCommand is for packagers; people are not shown it.
func (a *app) manualCommand() *cobra.Command {
	var markdown bool
	command := &cobra.Command{
		Use:    "manual FOLDER",
		Short:  "write a manual page for each command",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if markdown {
				return badInput(manual.Markdown(cmd.Root(), args[0]))
			}
			info := build.Read()
			return badInput(manual.Man(cmd.Root(), args[0], info.Version, info.Time))
		},
	}
	command.Flags().BoolVar(&markdown, "markdown", false, "write Markdown")
	return command
}
