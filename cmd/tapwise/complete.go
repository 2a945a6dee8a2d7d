package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tapwise/adb"
	"tapwise/adb/hand"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/puzzles/generating"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/configs"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

// completing is the most time to ask for phones while a shell waits.
const completing = 2 * time.Second

// complete has the shells offer the values of the flags of a command, and of all below it,
// that have a list of them. What is a file or free text is left to the shell.
func (a *app) complete(command *cobra.Command) {
	command.LocalFlags().VisitAll(func(f *pflag.Flag) {
		values, ok := a.values()[f.Name]
		if !ok || strings.HasPrefix(f.Value.Type(), "bool") {
			return
		}
		_ = command.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if err := a.configure(cmd); err != nil {
				return nil, cobra.ShellCompDirectiveError
			}
			given, directive := values(cmd)
			return slices.DeleteFunc(given, func(value string) bool { return !strings.HasPrefix(value, begun) }), directive
		}) // which fails where a command has it registered
	})
	for _, c := range command.Commands() {
		a.complete(c)
	}
}

// values list what flags accept, by their names.
func (a *app) values() map[string]func(*cobra.Command) ([]string, cobra.ShellCompDirective) {
	type lister = func(*cobra.Command) ([]string, cobra.ShellCompDirective)
	only := func(list func(*cobra.Command) []string) lister {
		return func(cmd *cobra.Command) ([]string, cobra.ShellCompDirective) {
			return list(cmd), cobra.ShellCompDirectiveNoFileComp
		}
	}
	orFile := func(list func() []string) lister {
		return func(*cobra.Command) ([]string, cobra.ShellCompDirective) {
			return list(), cobra.ShellCompDirectiveDefault
		}
	}
	games := func(of func(solvers.Game) []string) lister {
		return only(func(*cobra.Command) (words []string) {
			for _, g := range all.Games() {
				if a.settings.Game == "" || a.settings.Game == g.Name() {
					words = append(words, of(g)...)
				}
			}
			slices.Sort(words)
			return slices.Compact(words)
		})
	}
	return map[string]lister{
		"game": only(func(*cobra.Command) (names []string) {
			for _, g := range all.Games() {
				names = append(names, g.Name())
			}
			return names
		}),
		"serial":     only(func(cmd *cobra.Command) []string { return a.serials(cmd.Context()) }),
		"touch":      only(func(*cobra.Command) []string { return append(hand.Ways(), hand.Input) }),
		"capture":    only(func(*cobra.Command) []string { return adb.Captures() }),
		"profile":    orFile(a.profileNames),
		"style":      games(func(g solvers.Game) []string { return g.About().Styles }),
		"variant":    games(func(g solvers.Game) []string { return g.About().Variants }),
		"difficulty": games(generating.Grades),
		"verdict":    only(func(*cobra.Command) []string { return verdictNames() }),
		"theme":      orFile(configs.Themes),
		"fault":      only(func(*cobra.Command) []string { return simphone.FaultNames() }),
		"phone":      only(func(*cobra.Command) []string { return simulation.ModelNames() }),
		"lock":       only(func(*cobra.Command) []string { return []string{"none", "swipe"} }),
		"pack":       orFile(func() []string { return nil }),
	}
}

// serials are the phones that the adb server knows; none where it does not answer.
func (a *app) serials(ctx context.Context) (serials []string) {
	ctx, cancel := context.WithTimeout(ctx, completing)
	defer cancel()
	client, err := a.client()
	if err != nil {
		return nil
	}
	devices, _ := client.Devices(ctx) // what fails is not for a shell's line
	for _, d := range devices {
		serials = append(serials, d.Serial)
	}
	return serials
}

// profileNames are the names of the calibrations that there are.
func (a *app) profileNames() []string {
	names := []string{"none"}
	if folder := places.Profiles(a.settings.Profiles); folder != "" {
		files, _ := filepath.Glob(filepath.Join(folder, "*.yaml")) // the pattern is right
		for _, file := range files {
			names = append(names, strings.TrimSuffix(filepath.Base(file), ".yaml"))
		}
	}
	return names
}
