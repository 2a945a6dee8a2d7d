package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"tapwise/calibration"
	"tapwise/configs"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

// streams are where the program reads and prints.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// settings are the configuration in force, as configs/default.yaml documents it.
type settings struct {
	Serial string `mapstructure:"serial"`
	Game   string `mapstructure:"game"`
	// Profile is a calibration's name or file; empty is the one that fits, none is none.
	Profile string `mapstructure:"profile"`
	Journal string `mapstructure:"journal"`
	ADB     struct {
		Host    string        `mapstructure:"host"`
		Port    int           `mapstructure:"port"`
		Timeout time.Duration `mapstructure:"timeout"`
	} `mapstructure:"adb"`
	Play struct {
		calibration.Timing `mapstructure:",squash"`
		Evidence           string `mapstructure:"evidence"`
	} `mapstructure:"play"`
}

// app is one run of the program.
type app struct {
	streams
	config   string // the configuration file asked for
	verbose  bool
	json     bool
	quiet    bool // print only what failed
	settings settings
	origins  []setting // every setting in force, with where it came from
	log      *slog.Logger
}

// run executes a command line and returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	a := &app{streams: s}
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	var said codeError
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(s.err, "tapwise: interrupted")
	case err != nil && !errors.As(err, &said):
		fmt.Fprintf(s.err, "tapwise: %v\n", err)
		if h := hint(err); h != "" {
			fmt.Fprintf(s.err, "hint: %s\n", h)
		}
	}
	return exitCode(err)
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "tapwise",
		Short:         "read the puzzle on an Android phone's screen, solve it and play it",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          func(cmd *cobra.Command, args []string) error { return badInput(cobra.NoArgs(cmd, args)) },
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return badInput(err) })

	flags := root.PersistentFlags()
	flags.StringVar(&a.config, "config", "", "configuration `FILE` (default: tapwise/config.yaml in the user's configuration folder)")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "log what is done to stderr")
	flags.BoolVar(&a.json, "json", false, "print results as JSON, one object a line")
	flags.String("serial", "", "the phone's `NAME`, as `tapwise devices` shows it")
	flags.String("game", "", "the `GAME`, as `tapwise games` shows it")
	flags.String("profile", "", "the calibration to use: its `NAME` or file; none for none (default: the one that fits)")
	flags.String("journal", "", "the `FILE` that remembers what was played")
	flags.String("adb-host", "", "`HOST` of the adb server")
	flags.Int("adb-port", 0, "`PORT` of the adb server")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return a.configure(cmd) }

	for _, command := range []*cobra.Command{
		a.gamesCommand(), a.devicesCommand(), a.doctorCommand(), a.screenshotCommand(),
		a.readCommand(), a.solveCommand(), a.checkCommand(), a.playCommand(), a.clearCommand(),
		a.generateCommand(), a.sabrCommand(), a.serveCommand(), a.replayCommand(), a.calibrateCommand(), a.configCommand(),
		a.historyCommand(), a.reportCommand(),
		a.simCommand(), a.versionCommand(),
	} {
		arguments := command.Args
		command.Args = func(cmd *cobra.Command, args []string) error { return badInput(arguments(cmd, args)) }
		root.AddCommand(command)
	}
	return root
}

// configure reads the configuration: flag over environment over file over
// default.
func (a *app) configure(cmd *cobra.Command) error {
	level := slog.LevelWarn
	if a.verbose {
		level = slog.LevelDebug
	}
	a.log = slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level}))

	v := viper.New()
	v.SetConfigType("yaml")
	if err := v.ReadConfig(bytes.NewReader(configs.Default)); err != nil {
		return fmt.Errorf("the built-in configuration: %w", err)
	}
	file, err := a.configFile()
	if err != nil {
		return err
	}
	var inFile *viper.Viper
	if file != "" {
		text, err := readConfiguration(file)
		if err != nil {
			return err
		}
		if err := v.MergeConfig(bytes.NewReader(text)); err != nil {
			return badInputf("configuration %s: %w", file, err)
		}
		inFile = viper.New()
		inFile.SetConfigType("yaml")
		if err := inFile.ReadConfig(bytes.NewReader(text)); err != nil {
			return badInputf("configuration %s: %w", file, err)
		}
	}
	v.SetEnvPrefix("tapwise")
	env := strings.NewReplacer(".", "_", "-", "_")
	v.SetEnvKeyReplacer(env)
	v.AutomaticEnv()
	flags := map[string]string{"serial": "serial", "game": "game", "profile": "profile", "journal": "journal", "adb.host": "adb-host", "adb.port": "adb-port"}
	if cmd.Flags().Lookup("serial").Value.Type() != "string" {
		delete(flags, "serial") // of clear, which takes several, it is not the setting's
	}
	for key, flag := range flags {
		if err := v.BindPFlag(key, cmd.Flags().Lookup(flag)); err != nil {
			return err
		}
	}
	a.origins = origins(v, file, inFile, cmd, flags, env)
	if err := v.UnmarshalExact(&a.settings, viper.DecodeHook(mapstructure.StringToTimeDurationHookFunc())); err != nil {
		return badInputf("configuration: %w", err)
	}
	if err := a.settings.Play.Validate(); err != nil {
		return badInputf("configuration: %w", err)
	}
	if a.settings.ADB.Port < 0 || a.settings.ADB.Port > 65535 {
		return badInputf("configuration: adb.port is %d, expected 0 to 65535", a.settings.ADB.Port)
	}
	if a.settings.ADB.Timeout <= 0 {
		return badInputf("configuration: adb.timeout is %v, expected more than 0s", a.settings.ADB.Timeout)
	}
	return nil
}

// configFile is the configuration file to read: the one asked for, or the
// user's if there is one.
func (a *app) configFile() (string, error) {
	if a.config != "" {
		return a.config, nil
	}
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", nil // no home: nothing to read
	}
	file := filepath.Join(folder, "tapwise", "config.yaml")
	if _, err := os.Stat(file); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return "", nil
		}
		return "", badInputf("configuration: %w", err)
	}
	return file, nil
}

// game is the game asked for, nil when none was.
func (a *app) game() (solvers.Game, error) {
	if a.settings.Game == "" {
		return nil, nil
	}
	game, err := all.ByName(a.settings.Game)
	return game, badInput(err)
}
