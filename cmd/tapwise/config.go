package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"tapwise/calibration"
	"tapwise/internal/boundedfile"
	"tapwise/internal/boundedyaml"
	"tapwise/solvers/all"
)

// setting is one value of the configuration in force.
type setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"` // a flag, an environment variable, a file, or default
}

func (a *app) configCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "config",
		Short: "what is configured, and from where",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, sub := range []*cobra.Command{
		{
			Use: "show", Short: "print every setting in force and where it came from",
			Long: `Show prints every setting in force and where it came from: a flag, an
environment variable, the configuration file, or the default.`,
			RunE: func(*cobra.Command, []string) error { return a.configShow() },
		},
		{
			Use: "path", Short: "print where the configuration file and the profiles lie",
			RunE: func(*cobra.Command, []string) error { return a.configPath() },
		},
		{
			Use: "check", Short: "check the configuration file and every profile",
			Long: `Check reads the configuration file and every profile, and names what is wrong
with the line and what was expected. Exit code 2 if anything is.`,
			RunE: func(*cobra.Command, []string) error { return a.configCheck() },
		},
	} {
		sub.Args = func(cmd *cobra.Command, args []string) error { return badInput(cobra.NoArgs(cmd, args)) }
		command.AddCommand(sub)
	}
	return command
}

// origins tell of every key in v what is in force and where it came from. The
// file's keys are those of its own, flags those bound to keys.
func origins(v *viper.Viper, file string, inFile *viper.Viper, cmd *cobra.Command, flags map[string]string, env *strings.Replacer) []setting {
	var settings []setting
	for _, key := range slices.Sorted(slices.Values(v.AllKeys())) {
		s := setting{Key: key, Value: v.GetString(key), From: "default"}
		variable := "TAPWISE_" + strings.ToUpper(env.Replace(key))
		switch flag := cmd.Flags().Lookup(flags[key]); {
		case flag != nil && flag.Changed:
			s.From = "flag --" + flag.Name
		case os.Getenv(variable) != "":
			s.From = "environment " + variable
		case inFile != nil && inFile.InConfig(key):
			s.From = file
		}
		settings = append(settings, s)
	}
	return settings
}

// readConfiguration reads a configuration file: a regular one, or a link to
// one, as home folders that are kept elsewhere have them.
func readConfiguration(file string) ([]byte, error) {
	text, err := boundedfile.Read(file, boundedyaml.MaxBytes)
	if err != nil {
		return nil, badInputf("configuration: %w", err)
	}
	if _, err := boundedyaml.Parse(text); err != nil {
		return nil, badInputf("configuration %s: %w", file, err)
	}
	return text, nil
}

func (a *app) configShow() error {
	for _, s := range a.origins {
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
		if _, err := fmt.Fprintf(a.out, "%-22s %-22s %s\n", s.Key, value, s.From); err != nil {
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
	for _, place := range [][2]string{{"configuration", file}, {"profiles", profileFolder()}} {
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

// configCheck checks the profiles: the configuration file was read already.
func (a *app) configCheck() error {
	file, err := a.configFile()
	if err != nil {
		return err
	}
	if file == "" {
		file = "no configuration file: the defaults"
	}
	if _, err := fmt.Fprintf(a.out, "ok     %s\n", file); err != nil {
		return err
	}
	folder := profileFolder()
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
