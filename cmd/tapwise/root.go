package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/viper"

	"tapwise/calibration"
	"tapwise/cmd/internal/terminal"
	"tapwise/configs"
	"tapwise/solvers"
)

// settings is the configuration in force, as configs/default.yaml documents it.
type settings struct {
	Serial string `mapstructure:"serial"`
	Game   string `mapstructure:"game"`
	// Profile is a calibration's name or file; empty is the one that fits, none is none.
	Profile string `mapstructure:"profile"`
	Journal string `mapstructure:"journal"`
	// Profiles is the folder of the user's calibrations; empty is the usual one.
	Profiles string `mapstructure:"profiles"`
	ADB      struct {
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
	printer
	args     []string // of the command line
	config   string   // the configuration file asked for
	settings settings
	origins  []setting // every setting in force, with where it came from
	log      *slog.Logger
	line     *statusLine
}

// execute executes a command line and returns the exit code.
func execute(ctx context.Context, args []string, s streams) int {
	ctx, interrupt := context.WithCancelCause(ctx)
	defer interrupt(nil)
	unread := func() { interrupt(errUnread) }
	out, errs := terminal.NewOutput(s.out, unread), terminal.NewOutput(s.err, unread)
	a := &app{printer: printer{streams: streams{s.in, out, errs}}, args: args}
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	switch cause := context.Cause(ctx); {
	case err != nil && cause != nil:
		err = cause
	case out.Lost():
		err = errUnread
	}
	var said codeError
	var unasked interruption
	switch {
	case errors.As(err, &unasked):
		fmt.Fprintf(errs, "tapwise: interrupted: %v\n", unasked)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(errs, "tapwise: interrupted")
	case err != nil && !errors.As(err, &said):
		fmt.Fprintf(errs, "tapwise: %v\n", err)
		a.printOthers(err)
		if h := hint(err); h != "" {
			fmt.Fprintf(errs, "hint: %s\n", h)
		}
	}
	_ = errs.Flush() // there is nowhere left to say that it fails
	return exitCode(err)
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "tapwise",
		Short:         "read the puzzle on an Android phone's screen, solve it and play it",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          onlyCommands,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(wrongFlag)

	flags := root.PersistentFlags()
	flags.StringVar(&a.config, "config", "", "configuration `FILE` (default: tapwise/config.yaml in the user's configuration folder)")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "log what is done to stderr, and say more of what is refused and solved")
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
	var commands io.Writer // for what only a terminal understands
	if a.terminal() {
		commands = raw(a.err)
	}
	a.line = newStatusLine(a.err, commands)
	a.log = slog.New(slog.NewTextHandler(a.line, &slog.HandlerOptions{Level: level}))

	v := viper.New()
	v.SetConfigType("yaml")
	if err := v.ReadConfig(bytes.NewReader(configs.Default)); err != nil {
		return fmt.Errorf("the built-in configuration: %w", err)
	}
	kinds := map[string]kind{}
	for _, key := range v.AllKeys() {
		kinds[key] = kindOf(v.GetString(key))
	}
	file, err := a.configFile()
	if err != nil {
		return err
	}
	var lines map[string]int
	if file != "" {
		text, err := readConfiguration(file)
		if err != nil {
			return err
		}
		if lines, err = configLines(file, text, slices.Sorted(maps.Keys(kinds))); err != nil {
			return badInputf("configuration: %w", err)
		}
		if err := v.MergeConfig(bytes.NewReader(text)); err != nil {
			return badInputf("configuration %s: %w", file, err)
		}
	}
	v.SetEnvPrefix("tapwise")
	env := strings.NewReplacer(".", "_", "-", "_")
	v.SetEnvKeyReplacer(env)
	v.AutomaticEnv()
	flags := map[string]string{"serial": "serial", "game": "game", "profile": "profile", "journal": "journal", "adb.host": "adb-host", "adb.port": "adb-port"}
	if cmd.Flags().Lookup("serial").Value.Type() != "string" {
		delete(flags, "serial") // clear's takes several, so it is not the setting's
	}
	for key, flag := range flags {
		if err := v.BindPFlag(key, cmd.Flags().Lookup(flag)); err != nil {
			return err
		}
	}
	a.origins = origins(v, file, lines, kinds, cmd, flags, env)
	for _, s := range a.origins {
		if err := s.check(); err != nil {
			return fmt.Errorf("configuration: %w", err)
		}
	}
	if err := v.UnmarshalExact(&a.settings, viper.DecodeHook(mapstructure.StringToTimeDurationHookFunc())); err != nil {
		return badInputf("configuration: %w", err)
	}
	return a.checkRanges()
}

// checkRanges fails when a value is out of its range.
func (a *app) checkRanges() error {
	wrong := func(key, expected string) error {
		return fmt.Errorf("configuration: %w", a.origin(key).wrong(expected))
	}
	var timing *calibration.TimingError
	switch err := a.settings.Play.Validate(); {
	case errors.As(err, &timing):
		return wrong("play."+timing.Name, fmt.Sprintf("%v to %v", timing.Least, timing.Most))
	case err != nil:
		return badInputf("configuration: %w", err)
	case a.settings.ADB.Port < 0 || a.settings.ADB.Port > 65535:
		return wrong("adb.port", "0 to 65535")
	case a.settings.ADB.Timeout <= 0:
		return wrong("adb.timeout", "more than 0s")
	}
	return nil
}

// configFile returns the configuration file to read: the one asked for, or the
// user's if there is one; empty for none.
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

// game returns the game asked for, nil when none was.
func (a *app) game() (solvers.Game, error) {
	if a.settings.Game == "" {
		return nil, nil
	}
	return gameNamed(a.settings.Game)
}
