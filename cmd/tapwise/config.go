package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tapwise/calibration"
	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/console/settings"
	"tapwise/cmd/internal/console/wording"
	"tapwise/solvers/all"
)

func (a *app) configCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "config",
		Short: "what is configured, and from where",
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
with the file, the line and what was expected: all of it. Exit code 2 if anything is.`,
			RunE: func(*cobra.Command, []string) error { return a.configCheck() },
		},
		{
			Use: "schema [profile]", Short: "print the JSON Schema of the configuration file, or of profiles, for editors",
			Long: `Schema prints the JSON Schema of the configuration file, with "profile" that of a profile. An editor with a language server for YAML
shows the keys with what they mean, and marks mistakes, where the file's first line is

    # yaml-language-server: $schema=SCHEMA

with the file that it was written to.`,
			Args: cobra.MaximumNArgs(1), ValidArgs: []string{"profile"},
			RunE: func(_ *cobra.Command, args []string) error {
				schema, err := settings.Schema()
				switch {
				case len(args) > 0 && args[0] != "profile":
					return badInputf("config schema: %q, expected profile or nothing", args[0])
				case len(args) > 0:
					schema, err = calibration.Schema()
				}
				if err == nil {
					_, err = fmt.Fprintf(a.out, "%s\n", schema)
				}
				return err
			},
		},
	} {
		if sub.Args == nil {
			sub.Args = cobra.NoArgs
		}
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
		folder, err := places.Config()
		if err != nil {
			return badInputf("configuration: %w", err)
		}
		file = filepath.Join(folder, "config.yaml")
	}
	journal, err := places.Journal(a.settings.Journal)
	if err != nil {
		return err
	}
	evidence, err := places.Evidence(a.settings.Play.Evidence)
	if err != nil {
		return err
	}
	for _, place := range [][2]string{{"configuration", file}, {"profiles", places.Profiles(a.settings.Profiles)}, {"games", all.Folder}, {"journal", journal}, {"evidence", evidence}} {
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

// configCheck checks the profiles and the names in the configuration, and tells them with
// what was wrong when it was read.
func (a *app) configCheck() error {
	file, err := a.configFile()
	if err != nil {
		return err
	}
	if file == "" {
		file = "no configuration file: the defaults"
	}
	wrong := a.wrong
	if a.settings.Unusable != nil {
		wrong = append(wrong, a.settings.Unusable)
	}
	if _, err := a.game(); err != nil {
		wrong = append(wrong, badInputf("%s: %w", a.settings.Origin("game").Place(), err))
	}
	folder := places.Profiles(a.settings.Profiles)
	var found []calibration.Named
	var failures error
	if folder != "" {
		found, failures = calibration.Load(folder)
	}
	if _, err := a.profiles(""); err != nil && a.settings.Profile != "" && failures == nil {
		wrong = append(wrong, badInputf("%s: %w", a.settings.Origin("profile").Place(), err))
	}
	verdict := "ok    "
	if len(wrong) > 0 {
		verdict = "wrong "
	}
	if _, err := fmt.Fprintf(a.out, "%s %s\n", verdict, wording.Cut(file)); err != nil {
		return err
	}
	for _, err := range settings.All(failures) {
		wrong = append(wrong, badInput(err))
	}
	for _, n := range found {
		p := n.Profile
		verdict := "ok    "
		if _, err := all.ByName(p.Game); err != nil {
			verdict = "wrong "
			wrong = append(wrong, badInputf("%s: %w", n.File, err))
		}
		if _, err := fmt.Fprintf(a.out, "%s %s: %s, %s, frames of %s\n", verdict, n.File, p.Game, modelOf(p), calibration.SizeOf(p.Phone.Frame)); err != nil {
			return err
		}
	}
	return errors.Join(wrong...)
}

func modelOf(p *calibration.Profile) string {
	if p.Phone.Model == "" {
		return "any phone"
	}
	return p.Phone.Model
}
