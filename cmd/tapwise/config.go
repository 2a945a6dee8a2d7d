package main

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"tapwise/calibration"
	"tapwise/configs/boundedfile"
	"tapwise/configs/boundedyaml"
	"tapwise/solvers/all"
)

func (a *app) configCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "config",
		Short: "what is configured, and from where",
		Args:  onlyCommands,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, sub := range []*cobra.Command{
		{
			Use: "show", Short: "print every setting in force and where it came from",
			Long: `Show prints every setting in force and where it came from: a flag, an
environment variable, the configuration file, or the default. What is not set
shows what is used in its place: the files of the journal and of evidence, the
port of the adb server.`,
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

// origins tell of every key in v what is in force and where it came from. The
// lines are those of the file's keys, flags those bound to keys.
func origins(v *viper.Viper, file string, lines map[string]int, kinds map[string]kind, cmd *cobra.Command, flags map[string]string, env *strings.Replacer) []setting {
	var settings []setting
	for _, key := range slices.Sorted(maps.Keys(kinds)) {
		s := setting{Key: key, Value: v.GetString(key), From: "default", kind: kinds[key]}
		variable := "TAPWISE_" + strings.ToUpper(env.Replace(key))
		switch flag := cmd.Flags().Lookup(flags[key]); {
		case flag != nil && flag.Changed:
			s.From = "flag --" + flag.Name
		case os.Getenv(variable) != "":
			s.From = "environment " + variable
		case lines[key] > 0:
			s.From, s.Line = file, lines[key]
		}
		settings = append(settings, s)
	}
	return settings
}

// effective is a setting with what is used where it is not set.
func (a *app) effective(s setting) setting {
	switch {
	case s.Key == "journal" && s.Value == "":
		s.Value, _ = a.journalFile() // without a home there is none
	case s.Key == "play.evidence" && s.Value == "":
		s.Value, _ = a.evidenceFolder()
	case s.Key == "adb.port" && s.Value == "0":
		if client, err := a.client(); err == nil {
			_, s.Value, _ = net.SplitHostPort(client.Address())
		}
	}
	return s
}

// readConfiguration reads a configuration file: a regular one, or a link to
// one, as home folders that are kept elsewhere have them.
func readConfiguration(file string) ([]byte, error) {
	text, err := boundedfile.Read(file, boundedyaml.MaxBytes)
	if err != nil {
		return nil, badInputf("configuration: %w", err)
	}
	return text, nil
}

func (a *app) configShow() error {
	for _, s := range a.origins {
		s = a.effective(s)
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
	journal, err := a.journalFile()
	if err != nil {
		return err
	}
	evidence, err := a.evidenceFolder()
	if err != nil {
		return err
	}
	for _, place := range [][2]string{{"configuration", file}, {"profiles", a.profileFolder()}, {"journal", journal}, {"evidence", evidence}} {
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

// origin is a setting in force, with where it came from.
func (a *app) origin(key string) setting {
	for _, s := range a.origins {
		if s.Key == key {
			return s
		}
	}
	return setting{Key: key}
}

// configCheck checks the profiles, and the names in the configuration file, the
// rest of which was read already.
func (a *app) configCheck() error {
	file, err := a.configFile()
	if err != nil {
		return err
	}
	if file == "" {
		file = "no configuration file: the defaults"
	}
	if _, err := a.game(); err != nil {
		return badInputf("%s: %w", a.origin("game").place(), err)
	}
	if _, err := a.profiles(""); err != nil && a.settings.Profile != "" {
		return badInputf("%s: %w", a.origin("profile").place(), err)
	}
	if _, err := fmt.Fprintf(a.out, "ok     %s\n", file); err != nil {
		return err
	}
	folder := a.profileFolder()
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
