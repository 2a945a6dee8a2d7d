package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/puzzles/generating"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/cmd/internal/sim/subprocess"
	"tapwise/cmd/internal/sim/webphone"
	"tapwise/configs"
	"tapwise/solvers/all"
)

// simOptions are the flags of sim.
type simOptions struct {
	simulation.Options
	page    string
	app     simphone.App // shown in place of a game's app; nil shows the game's
	pack    string
	loose   bool // levels need not be covered
	style   string
	theme   string
	noPanel bool // no panel comes over a completed level
	listen  string
	server  bool
	sizes   [3]string // of the screen, of its override, of the second display
}

func (a *app) simCommand() *cobra.Command {
	o := simOptions{Options: simulation.Usual()}
	var cover bool
	command := &cobra.Command{
		Use:   "sim [-- COMMAND…]",
		Short: "run the simulated phone",
		Long: `Sim runs a simulated Android phone whose screen shows a game's app. The real adb
server and every ADB client can use it: adb connect ADDRESS.

With --server it also starts an adb server of its own, apart from yours, with
the phone connected to it. With a COMMAND it does that, runs the command with
the environment set so that adb and tapwise find the phone, and ends with it:

	tapwise sim -- tapwise clear --levels 3

What is played on it is remembered in a journal of its own, and its calibrations are
kept in a folder of their own, below tapwise/simulated in your folder for state,
unless --journal, the environment or the configuration says where. It is listed by
tapwise history --journal FILE.

With --page the screen shows a web page in Chromium, in place of a game's app:

	tapwise sim --page http://127.0.0.1:8000/ -- tapwise clear --game ` + all.Games()[0].Name() + `

With --phone it costs what phones cost, and takes touches as they do; other flags
change what they name. docs/hands.md says where each figure is from.
` + simulation.ModelHelp() + `

With --batch apps see the moves of a frame as one, and follow the finger only from
cell to neighbouring cell.

Faults, each at a moment that --seed decides, as many as are asked for:
` + simulation.FaultHelp(),
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.loose = !cover
			o.Given = cmd.Flags().Changed
			for i, size := range []*image.Point{&o.Size, &o.Override, &o.Second} {
				var err error
				if *size, err = parsePoint(o.sizes[i]); err != nil {
					return err
				}
			}
			return a.sim(cmd.Context(), args, o)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.page, "page", "", "the `URL` or file of a web page to show in place of a game's app")
	flags.StringVar(&o.pack, "pack", "", "`FILE` of the levels that the app offers (default: the pack that comes with tapwise)")
	flags.BoolVar(&cover, "cover", true, all.With("Coverer")+": a level is complete only when every cell is covered; with --cover=false as some other apps have it, when every pipe is")
	flags.StringVar(&o.Model, "phone", "", "the kind of phone: "+strings.Join(simulation.ModelNames(), ", "))
	flags.BoolVar(&o.Batch, "batch", false, "apps see one move a frame, and want neighbouring cells")
	flags.StringVar(&o.sizes[0], "size", fmt.Sprintf("%dx%d", o.Size.X, o.Size.Y), "the screen's `WxH`, held upright")
	flags.IntVar(&o.SDK, "sdk", o.SDK, "the Android version it pretends to be: its API level, 21 to 35")
	flags.IntVar(&o.Density, "density", o.Density, "the screen's dots per inch")
	flags.IntVar(&o.Rotation, "rotation", 0, "quarter turns that the screen is turned by, 0 to 3")
	flags.StringVar(&o.listen, "listen", "127.0.0.1:0", "`ADDRESS` to listen on; port 0 is any free one")
	flags.StringVar(&o.style, "style", "", "how the app looks, by a name that the game documents")
	flags.StringVar(&o.theme, "theme", "", "another look altogether: a `FILE` of colours and shapes, or one of "+strings.Join(configs.Themes(), ", "))
	flags.BoolVar(&o.noPanel, "no-panel", false, "the app shows no panel over a completed level, which stays as it is")
	flags.StringVar(&o.TouchError, "touch-error", "", "how the touch panel is off: `DX,DY[,SCALE-X,SCALE-Y[,DEGREES]]`, in pixels held upright")
	flags.IntVar(&o.Cutout, "cutout", 0, "`PIXELS` off the upper side that apps keep clear of")
	flags.StringVar(&o.sizes[1], "wm-size", "", "the size `WxH` that the screen is set to, as wm size does")
	flags.StringVar(&o.sizes[2], "second-display", "", "the size `WxH` of a second display, which is display 0 and black, as a folded phone's; the app is on display 1")
	flags.StringVar(&o.Lock, "lock", "none", "what the screen is locked with when it goes off: none, swipe, or the `PIN` that opens it")
	flags.Uint64Var(&o.Seed, "seed", o.Seed, "for what is random about the app's look")
	flags.DurationVar(&o.InputDelay, "input-delay", 0, "what every touch command costs, such as 20ms")
	flags.DurationVar(&o.CaptureDelay, "capture-delay", 0, "what every screencap costs")
	flags.Float64Var(&o.TimeScale, "time-scale", 0, "how much real time a second of swiping takes: 1 as on a phone, 0 none; sleep always takes its time")
	flags.StringSliceVar(&o.Faults, "fault", nil, "what goes wrong: `NAME` once, or NAME=CHANCE in each level")
	flags.BoolVar(&o.server, "server", false, "start a private adb server too, with the phone connected")
	return command
}

func (a *app) sim(ctx context.Context, command []string, o simOptions) (err error) {
	if o.page != "" {
		page, openErr := a.openPage(ctx, o)
		if openErr != nil {
			return openErr
		}
		defer page.Close()
		ended, stop := context.WithCancel(ctx)
		defer stop()
		defer func(ctx context.Context) {
			if failure := page.Err(); failure != nil && ctx.Err() == nil {
				err = phoneFailed(failure) // the reason for whatever else failed
			}
		}(ctx)
		go func() {
			<-page.Failed()
			stop()
		}()
		ctx, o.app = ended, page
	}
	var server simulation.Server
	o.RestartServer = func() {
		go func() {
			if err := server.Restart(ctx); err != nil {
				a.log.Error("the adb server could not be restarted", "error", err)
			}
		}()
	}
	phone, err := a.simulatedPhone(ctx, o)
	if err != nil {
		return err
	}
	if err := phone.Listen(ctx, o.listen); err != nil {
		return badInput(err)
	}
	defer phone.Close()
	if !o.server && len(command) == 0 {
		fmt.Fprintf(a.out, "%s\n", phone.Addr())
		fmt.Fprintf(a.err, "the simulated phone is running; `adb connect %s` connects it, Ctrl-C ends it\n", phone.Addr())
		<-ctx.Done()
		return nil
	}
	if err := server.Start(ctx, phone, slices.Contains(o.Faults, "unauthorized")); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	if err := a.ownFiles(); err != nil {
		return err
	}
	env := append([]string{"TAPWISE_JOURNAL=" + a.settings.Journal, "TAPWISE_PROFILES=" + a.settings.Profiles}, server.Environment()...)
	if a.settings.ADB.Host != simulation.Host { // the command would read the same configuration
		env = append(env, "TAPWISE_ADB_HOST="+simulation.Host)
	}
	if len(command) == 0 {
		for _, variable := range env {
			verb := "export"
			if !strings.Contains(variable, "=") {
				verb = "unset"
			}
			fmt.Fprintf(a.out, "%s %s\n", verb, variable)
		}
		fmt.Fprintf(a.err, "the simulated phone is connected to an adb server of its own; Ctrl-C ends both\n")
		<-ctx.Done()
		return nil
	}
	return a.runBeside(ctx, command, env)
}

// ownFiles sets the journal and the profiles for playing on the simulated phone: levels
// won there do not belong among those won on a real phone. A place that is configured
// stays as it is.
func (a *app) ownFiles() error {
	own := &a.settings
	if own.Journal != "" && own.Profiles != "" {
		return nil
	}
	folder, err := places.State()
	if err != nil {
		return badInputf("sim: there is no folder for what is played: %w, or say where with --journal and TAPWISE_PROFILES", err)
	}
	folder = filepath.Join(folder, "simulated")
	if own.Journal == "" {
		own.Journal = filepath.Join(folder, "journal.db")
		fmt.Fprintf(a.err, "what is played on the simulated phone is remembered in %s, not in your journal\n", own.Journal)
	}
	if own.Profiles == "" {
		own.Profiles = filepath.Join(folder, "profiles")
	}
	return nil
}

// runBeside runs a command with additional environment variables and passes its
// exit code on. The command dies with this process, and so do the processes that
// it starts, unless it reads from the same terminal as this process.
func (a *app) runBeside(ctx context.Context, command, env []string) error {
	if command[0] == "tapwise" {
		// This program, wherever its file is.
		self, err := os.Executable()
		if err != nil {
			return err
		}
		command[0] = self
	}
	run := exec.CommandContext(ctx, command[0], command[1:]...)
	run.Stdin, run.Stdout, run.Stderr = a.in, underlying(a.out), underlying(a.err)
	err := subprocess.Run(run, env, !isTerminalReader(a.in), func(err error) {
		a.log.Debug("what the command starts would outlive the simulated phone if that were killed", "error", err)
	})
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return codeError(exit.ExitCode())
	}
	return badInput(err)
}

// simulatedPhone makes the phone that the flags ask for.
func (a *app) simulatedPhone(ctx context.Context, o simOptions) (*simphone.Phone, error) {
	if o.app == nil {
		game, err := a.game()
		if err != nil {
			return nil, err
		}
		o.app, err = simulation.GameApp{
			Game: game, Pack: o.pack, Uncovered: o.loose, Style: o.style, Theme: o.theme, Bare: o.noPanel, Seed: o.Seed, Neighbours: o.Batch, Files: puzzlefile.Reader{Stdin: a.in},
		}.Open(ctx)
		if err != nil {
			return nil, err
		}
	}
	phone, err := o.Phone(o.app)
	if err != nil {
		return nil, err
	}
	phone.Log = a.log
	return phone.New()
}

// parsePoint reads WxH; empty is the zero point.
func parsePoint(text string) (image.Point, error) {
	width, height, err := generating.ParseSize(text)
	return image.Pt(width, height), err
}

// openPage opens the web page to show.
func (a *app) openPage(ctx context.Context, o simOptions) (*webphone.Page, error) {
	if o.pack != "" || o.style != "" || o.theme != "" {
		return nil, badInputf("sim: --page shows a page of its own, expected none of --pack, --style and --theme")
	}
	c, err := o.Config()
	if err != nil {
		return nil, err
	}
	return simulation.WebApp{Page: o.page, Size: c.Size, Density: c.Density, Rotation: c.Rotation, Wait: a.settings.ADB.Timeout, Log: a.log}.Open(ctx)
}
