package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tapwise/calibration"
	"tapwise/cmd/internal/places"
	"tapwise/cmd/internal/usage"
	"tapwise/solvers/all"
)

func (a *app) configCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "config",
		Short: "what is configured, and from where",
		Args:  usage.OnlyCommands,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, sub := range []*cobra.Command{
		{
			Use: "show", Short: "print every setting in force and where it came from",
			Long: `Show prints every setting in force and where it came from: a flag, an
environment variable, the configuration file, or the default. What is not set
shows what is used in its place: the files of the journal and of evidence.
adb's own variables – ANDROID_SERIAL, ADB_SERVER_SOCKET, ANDROID_ADB_SERVER_ADDRESS and
ANDROID_ADB_SERVER_PORT – count where neither a flag nor TAPWISE_* says otherwise.`,
			RunE: func(*cobra.Command, []string) error { return a.configShow() },
		},
		{
			Use: "path", Short: "print where the configuration file, the profiles, the journal and the evidence lie",
			RunE: func(*cobra.Command, []string) error { return a.configPath() },
		},
		{
			Use: "check", Short: "check the configuration file and every profile",
			Long: `Check reads the configuration file and every profile, and names what is wrong
with the file, the line and what was expected. Exit code 2 if anything is.`,
			RunE: func(*cobra.Command, []string) error { return a.configCheck() },
		},
	} {
		sub.Args = func(cmd *cobra.Command, args []string) error { return badInput(cobra.NoArgs(cmd, args)) }
		command.AddCommand(sub)
	}
	return command
}

func (a *app) configShow() error {
	for _, s := range a.settings.Origins {
		s = a.settings.Effective(s)
		if a.json {
			if err := a.printJSON(s); err != nil {
				return err
			}
			continue
		}
		value := s.Value
		if value == "" {
			value = `""`
		}
		if _, err := fmt.Fprintf(a.out, "%-22s %-22s %s\n", oneLine(s.Key), oneLine(value), oneLine(s.From)); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) configPath() error {
	file := a.config
	if file == "" {
		folder, err := os.UserConfigDir()
		if err != nil {
			return badInputf("config: there is no configuration folder: %w", err)
		}
		file = filepath.Join(folder, "tapwise", "config.yaml")
	}
	journal, err := places.Journal(a.settings.Journal)
	if err != nil {
		return err
	}
	evidence, err := places.Evidence(a.settings.Play.Evidence)
	if err != nil {
		return err
	}
	for _, place := range [][2]string{{"configuration", file}, {"profiles", places.Profiles(a.settings.Profiles)}, {"journal", journal}, {"evidence", evidence}} {
		state := ""
		if _, err := os.Stat(place[1]); err != nil {
			state = " (not there)"
		}
		if _, err := fmt.Fprintf(a.out, "%-14s %s%s\n", place[0], place[1], state); err != nil {
			return err
		}
	}
	return nil
}

// configCheck checks the profiles and the names in the configuration file; the rest
// of the file was checked when it was read.
func (a *app) configCheck() error {
	file, err := a.configFile()
	if err != nil {
		return err
	}
	if file == "" {
		file = "no configuration file: the defaults"
	}
	if a.settings.Unusable != nil {
		return a.settings.Unusable
	}
	if _, err := a.game(); err != nil {
		return badInputf("%s: %w", a.settings.Origin("game").Place(), err)
	}
	if _, err := a.profiles(""); err != nil && a.settings.Profile != "" {
		return badInputf("%s: %w", a.settings.Origin("profile").Place(), err)
	}
	if _, err := fmt.Fprintf(a.out, "ok     %s\n", file); err != nil {
		return err
	}
	folder := places.Profiles(a.settings.Profiles)
	if folder == "" {
		return nil
	}
	found, failures := calibration.Load(folder)
	for _, n := range found {
		p := n.Profile
		verdict := "ok    "
		if _, err := all.ByName(p.Game); err != nil {
			verdict = "wrong "
			failures = errors.Join(failures, fmt.Errorf("%s: %w", n.File, err))
		}
		if _, err := fmt.Fprintf(a.out, "%s %s: %s, %s, frames of %s\n", verdict, n.File, p.Game, modelOf(p), calibration.SizeOf(p.Phone.Frame)); err != nil {
			return err
		}
	}
	return badInput(failures)
}

func modelOf(p *calibration.Profile) string {
	if p.Phone.Model == "" {
		return "any phone"
	}
	return p.Phone.Model
}
