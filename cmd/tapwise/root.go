package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"tapwise/adb"
	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/console/settings"
	"tapwise/cmd/internal/console/terminal"
	"tapwise/cmd/internal/console/usage"
	"tapwise/cmd/internal/console/wording"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

// app is one run of the program.
type app struct {
	printer
	args     []string // of the command line
	config   string   // the configuration file asked for
	settings settings.Configuration
	wrong    []error // with the configuration, for config check
	log      *slog.Logger
	line     *terminal.StatusLine
	keeper   *adb.Keeper // of the adb server
}

// execute executes a command line and returns the exit code.
func execute(ctx context.Context, args []string, s streams) int {
	ctx, interrupt := context.WithCancelCause(ctx)
	defer interrupt(nil)
	errs := terminal.NewOutput(s.err, func() { interrupt(errUnread) })
	out := terminal.NewOutput(s.out, func() {
		interrupt(errUnread)
		errs.Silence() // behind `| head`: whoever stopped reading knows
	})
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
		for _, each := range settings.All(err) {
			fmt.Fprintf(errs, "tapwise: %s\n", wording.Of(each))
		}
		a.printBeside(err)
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
	}
	version := root.Flags().Bool("version", false, "print the versions of tapwise and of what it is built with")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return a.version()
		}
		return cmd.Help()
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(usage.WrongFlag)

	flags := root.PersistentFlags()
	flags.StringVar(&a.config, "config", "", "configuration `FILE` (default: tapwise/config.yaml in the user's configuration folder)")
	flags.BoolVarP(&a.verbose, "verbose", "v", false, "log what is done to stderr, and say more of what is refused and solved")
	flags.BoolVar(&a.json, "json", false, "print results as JSON, one object a line")
	flags.String("serial", "", "the phone's `NAME`, as `tapwise devices` shows it")
	flags.String("display", "", "the `ID` of the phone's display, as `tapwise doctor` lists them (default: the phone's own)")
	flags.String("game", "", "the `GAME`, as `tapwise games` shows it, or the file of a description (NAME.star)")
	flags.String("profile", "", "the calibration to use: its `NAME` or file; none for none (default: the one that fits)")
	flags.String("touch", "", "the only `WAY` to touch: uinput, evdev, hid, monkey, motion, swipes or input (default: the best that the phone takes)")
	flags.String("capture", "", "the only `WAY` to look at the screen: stream, raw, raw+gzip, png or pull (default: the best that the phone was seen to give)")
	flags.String("journal", "", "the `FILE` that remembers what was played")
	flags.String("adb-host", "", "`HOST` of the adb server")
	flags.Int("adb-port", 0, "`PORT` of the adb server")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return a.configure(cmd) }

	root.AddCommand(append([]*cobra.Command{
		a.gamesCommand(), a.devicesCommand(), a.connectCommand(), a.pairCommand(), a.doctorCommand(), a.screenshotCommand(),
		a.readCommand(), a.solveCommand(), a.checkCommand(), a.playCommand(), a.clearCommand(),
		a.generateCommand(), a.sabrCommand(), a.serveCommand(), a.replayCommand(), a.calibrateCommand(), a.configCommand(),
		a.historyCommand(), a.reportCommand(), a.bundleCommand(),
		a.simCommand(), a.demoCommand(), a.newGameCommand(), a.versionCommand(), a.manualCommand(),
	}, a.fleetCommands()...)...)
	for _, command := range root.Commands() {
		command.SuggestFor = strings.Fields(otherNames[command.Name()])
	}
	usage.Plain(root)
	a.complete(root)
	return root
}

// otherNames are what else people call the commands.
var otherNames = map[string]string{
	"bundle": "bug pack", "calibrate": "fit profile profiles", "check": "verify validate", "clear": "auto all levels", "config": "configuration settings",
	"devices": "device phones phone list ls", "games": "game puzzles", "generate": "make create new", "history": "log journal played",
	"play": "run start tap", "read": "recognise recognize scan ocr see", "screenshot": "screencap capture frame", "serve": "web page ui gui server",
	"sim": "simulate simulator emulator", "solve": "solution answer", "version": "about license licence licences",
}

// configure makes the log and reads the configuration.
func (a *app) configure(cmd *cobra.Command) error {
	places.ClosePrivate()
	level := slog.LevelWarn
	if a.verbose {
		level = slog.LevelDebug
	}
	var commands io.Writer // for what only a terminal understands
	if a.terminal() {
		commands = raw(a.err)
	}
	a.line = terminal.NewStatusLine(a.err, commands)
	a.log = slog.New(slog.NewTextHandler(a.line, &slog.HandlerOptions{Level: level, ReplaceAttr: wording.Attr}))

	a.keeper = &adb.Keeper{Started: func(address string) { a.log.Warn("the adb server was ended, and is started again", "address", address) }}

	file, err := a.configFile()
	if err != nil {
		return err
	}
	flags := map[string]settings.Flag{}
	for key, name := range map[string]string{
		"serial": "serial", "display": "display", "game": "game", "profile": "profile", "touch": "touch", "capture": "capture", "journal": "journal", "adb.host": "adb-host", "adb.port": "adb-port",
		"tell.on-end": "on-end", "tell.on-stuck": "on-stuck",
	} {
		flag := cmd.Flags().Lookup(name)
		if flag == nil {
			continue // not every command plays
		}
		if (name == "serial" || name == "touch") && flag.Value.Type() != "string" {
			continue // clear's own, which takes several, and calibrate's own set no setting
		}
		if flag.Changed {
			flags[key] = settings.Flag{Name: name, Value: flag.Value.String()}
		}
	}
	a.settings, err = settings.Read(file, flags)
	switch found := settings.All(err); {
	case cmd.CommandPath() == "tapwise config check":
		a.wrong = found
		return nil
	case len(found) > 1:
		return badInputf("%w, and %d more mistakes: tapwise config check tells them", found[0], len(found)-1)
	}
	return err
}

// configFile is the configuration file to read: the one asked for, or the
// user's if there is one.
func (a *app) configFile() (string, error) { return settings.File(a.config) }

// game returns the game asked for, nil when none was.
func (a *app) game() (solvers.Game, error) {
	if a.settings.Game == "" {
		return nil, nil
	}
	return gameNamed(a.settings.Game)
}

// gameNamed finds a game by its name.
func gameNamed(name string) (solvers.Game, error) {
	game, err := all.ByName(name)
	if err != nil && all.Described(name) {
		return nil, badInput(err)
	}
	if err != nil {
		var names []string
		for _, g := range all.Games() {
			names = append(names, g.Name())
		}
		return nil, badInput(fmt.Errorf("%w%s", err, usage.DidYouMean(name, names)))
	}
	return game, nil
}
