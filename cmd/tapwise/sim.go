package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"tapwise/adb/privateserver"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/calibrated"
	"tapwise/cmd/internal/webphone"
	"tapwise/configs"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/simapp"
)

// simOptions are the flags of sim.
type simOptions struct {
	page     string
	app      simphone.App // in place of a game's, when not nil
	pack     string
	loose    bool // levels need not be covered
	size     string
	sdk      int
	density  int
	rotation int
	listen   string
	style    string
	theme    string
	touch    string
	cutout   int
	override string
	lock     string
	seed     uint64
	delay    simphone.Config // only its delays are used
	faults   []string
	server   bool
}

func (a *app) simCommand() *cobra.Command {
	var o simOptions
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

	tapwise sim --page http://127.0.0.1:8000/ -- tapwise clear --game flow

Faults, each at a moment that --seed decides, as many as are asked for:
` + faultHelp(),
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.loose = !cover
			return a.sim(cmd.Context(), args, o)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.page, "page", "", "the `URL` or file of a web page to show in place of a game's app")
	flags.StringVar(&o.pack, "pack", "", "`FILE` of the levels that the app offers (default: the pack that comes with tapwise)")
	flags.BoolVar(&cover, "cover", true, "flow: a level is complete only when every cell is covered; with --cover=false as some other apps have it, when every pipe is")
	flags.StringVar(&o.size, "size", "1080x2340", "the screen's `WxH`, held upright")
	flags.IntVar(&o.sdk, "sdk", 34, "the Android version it pretends to be: its API level, 23 to 35")
	flags.IntVar(&o.density, "density", 440, "the screen's dots per inch")
	flags.IntVar(&o.rotation, "rotation", 0, "quarter turns that the screen is turned by, 0 to 3")
	flags.StringVar(&o.listen, "listen", "127.0.0.1:0", "`ADDRESS` to listen on; port 0 is any free one")
	flags.StringVar(&o.style, "style", "", "how the app looks, by a name that the game documents")
	flags.StringVar(&o.theme, "theme", "", "another look altogether: a `FILE` of colours and shapes, or one of "+strings.Join(configs.Themes(), ", "))
	flags.StringVar(&o.touch, "touch-error", "", "how the touch panel is off: `DX,DY[,SCALE-X,SCALE-Y[,DEGREES]]`, in pixels held upright")
	flags.IntVar(&o.cutout, "cutout", 0, "`PIXELS` off the upper side that apps keep clear of")
	flags.StringVar(&o.override, "wm-size", "", "the size `WxH` that the screen is set to, as wm size does")
	flags.StringVar(&o.lock, "lock", "none", "what the screen is locked with when it goes off: none, swipe, or the `PIN` that opens it")
	flags.Uint64Var(&o.seed, "seed", 1, "for what is random about the app's look")
	flags.DurationVar(&o.delay.InputDelay, "input-delay", 0, "what every touch command costs, such as 20ms")
	flags.DurationVar(&o.delay.CaptureDelay, "capture-delay", 0, "what every screencap costs")
	flags.Float64Var(&o.delay.TimeScale, "time-scale", 0, "how much real time a second of swiping takes: 1 as on a phone, 0 none; sleep always takes its time")
	flags.StringSliceVar(&o.faults, "fault", nil, "what goes wrong: `NAME` once, or NAME=CHANCE in each level")
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
				err = phoneFailed(failure) // whatever came of it
			}
		}(ctx)
		go func() {
			<-page.Failed()
			stop()
		}()
		ctx, o.app = ended, page
	}
	var own atomic.Pointer[privateserver.Server] // nil before the first frame, or without a server
	o.delay.RestartServer = func() {
		go func() {
			if server := own.Load(); server != nil {
				if err := server.Restart(ctx); err != nil {
					a.log.Error("the adb server could not be restarted", "error", err)
				}
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
	home, err := os.MkdirTemp("", "tapwise-adb-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	server, err := privateserver.Start(ctx, home)
	if errors.Is(err, privateserver.ErrNoADB) {
		return badInputf("adb is not installed (Debian and Ubuntu: apt install adb)")
	}
	if err != nil {
		return phoneFailed(err)
	}
	defer server.Close()
	own.Store(server)
	if err := connect(ctx, server, phone, slices.Contains(o.faults, "unauthorized")); err != nil {
		return err
	}
	env, err := a.ownFiles()
	if err != nil {
		return err
	}
	env = append(env, "TAPWISE_SERIAL="+phone.Addr(), "TAPWISE_ADB_PORT="+strconv.Itoa(server.Port),
		"ANDROID_SERIAL="+phone.Addr(), "ANDROID_ADB_SERVER_PORT="+strconv.Itoa(server.Port))
	if len(command) == 0 {
		for _, variable := range env {
			fmt.Fprintf(a.out, "export %s\n", variable)
		}
		fmt.Fprintf(a.err, "the simulated phone is connected to an adb server of its own; Ctrl-C ends both\n")
		<-ctx.Done()
		return nil
	}
	return a.runBeside(ctx, command, env)
}

// connect connects a phone to a server; refused is a phone that will not have it.
func connect(ctx context.Context, server *privateserver.Server, phone *simphone.Phone, refused bool) error {
	connected, err := server.Run(ctx, "connect", phone.Addr())
	if err != nil {
		return phoneFailed(err)
	}
	if text := string(connected.Stdout); !strings.HasPrefix(text, "connected to") && !refused {
		return phoneFailed(fmt.Errorf("adb connect %s: %s", phone.Addr(), strings.TrimSpace(text+string(connected.Stderr))))
	}
	return nil
}

// ownFiles are the journal and the profiles of what is played on the simulated
// phone, as environment: levels that nobody had to win do not belong among those
// that were won on a phone. What was configured stays as it is.
func (a *app) ownFiles() ([]string, error) {
	journal, profiles := a.settings.Journal, a.settings.Profiles
	if journal == "" || profiles == "" {
		folder, err := stateFolder()
		if err != nil {
			return nil, badInputf("sim: there is no folder for what is played: %w; say where with --journal and TAPWISE_PROFILES", err)
		}
		folder = filepath.Join(folder, "tapwise", "simulated")
		if journal == "" {
			journal = filepath.Join(folder, "journal.db")
			fmt.Fprintf(a.err, "what is played on the simulated phone is remembered in %s, not in your journal\n", journal)
		}
		if profiles == "" {
			profiles = filepath.Join(folder, "profiles")
		}
	}
	return []string{"TAPWISE_JOURNAL=" + journal, "TAPWISE_PROFILES=" + profiles}, nil
}

// runBeside runs a command with more environment and takes over its exit code.
// The command dies with this process, and so does what the command starts,
// unless it shares the terminal with this process to be typed at.
func (a *app) runBeside(ctx context.Context, command, env []string) error {
	if command[0] == "tapwise" {
		// This very program, wherever it lies.
		self, err := os.Executable()
		if err != nil {
			return err
		}
		command[0] = self
	}
	run := exec.CommandContext(ctx, command[0], command[1:]...)
	var group *processGroup
	if !isTerminalReader(a.in) {
		var err error
		if group, err = newProcessGroup(); err != nil {
			a.log.Debug("what the command starts would outlive the simulated phone if that were killed", "error", err)
		} else {
			defer group.leave()
		}
	}
	tie(run, group)
	// A command is tied to the thread that starts it, so it is kept until the end.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	run.Stdin, run.Stdout, run.Stderr = a.in, underlying(a.out), underlying(a.err)
	run.Env = append(os.Environ(), env...)
	err := run.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return codeError(exit.ExitCode())
	}
	return badInput(err)
}

// simulatedPhone is a phone with the app of the game asked for in front.
func (a *app) simulatedPhone(ctx context.Context, o simOptions) (*simphone.Phone, error) {
	first, err := a.simulatedApp(ctx, o)
	if err != nil {
		return nil, err
	}
	width, height, err := parseSize(o.size)
	if err != nil {
		return nil, err
	}
	if o.sdk < 23 || o.sdk > 35 {
		return nil, badInputf("sim: --sdk is %d, expected 23 to 35", o.sdk)
	}
	config := o.delay
	config.Size = image.Pt(width, height)
	config.SDK, config.Density, config.Rotation, config.Log = o.sdk, o.density, o.rotation, a.log
	config.Cutout = o.cutout
	switch o.lock {
	case "", "none":
	case "swipe":
		config.Lock = simphone.LockSwipe
	default:
		config.Lock, config.PIN = simphone.LockPIN, o.lock
	}
	if config.Touch, err = parseTouchError(o.touch); err != nil {
		return nil, err
	}
	config.Foreground = first.Package()
	config.Apps = []simphone.Installed{simphone.Instance(first)}
	var faults []simphone.Fault
	for _, text := range o.faults {
		f, err := simphone.ParseFault(text)
		if err != nil {
			return nil, badInputf("sim: --fault: %w", err)
		}
		faults = append(faults, f)
	}
	phone, err := simphone.New(config)
	if err != nil {
		return nil, badInput(err)
	}
	if o.override != "" {
		width, height, err := parseSize(o.override)
		if err != nil {
			return nil, err
		}
		if err := phone.SetOverrideSize(image.Pt(width, height)); err != nil {
			return nil, badInput(err)
		}
	}
	if err := phone.Inject(faults, o.seed); err != nil {
		return nil, badInput(err)
	}
	return phone, nil
}

// theme is the look in a file, or one that comes with tapwise; nil when none
// is asked for.
func (a *app) theme(ctx context.Context, name string) (*simapp.Theme, error) {
	if name == "" {
		return nil, nil
	}
	text, err := configs.Theme(name)
	if err != nil {
		if text, err = a.readInput(ctx, name); errors.Is(err, os.ErrNotExist) {
			return nil, badInputf("sim: --theme %s: no such file, and none of %s", name, strings.Join(configs.Themes(), ", "))
		}
	}
	if err != nil {
		return nil, err
	}
	theme, err := calibrated.ReadTheme(name, text)
	return theme, badInput(err)
}

// parseTouchError reads DX,DY and what may follow.
func parseTouchError(text string) (simphone.TouchError, error) {
	var e simphone.TouchError
	if text == "" {
		return e, nil
	}
	parts := strings.Split(text, ",")
	values := make([]float64, len(parts))
	for i, part := range parts {
		var err error
		if values[i], err = strconv.ParseFloat(strings.TrimSpace(part), 64); err != nil {
			return e, badInputf("sim: --touch-error %q, expected DX,DY[,SCALE-X,SCALE-Y[,DEGREES]]", text)
		}
	}
	switch len(values) {
	case 5:
		e.Turn = values[4]
		fallthrough
	case 4:
		e.ScaleX, e.ScaleY = values[2], values[3]
		fallthrough
	case 2:
		e.OffsetX, e.OffsetY = values[0], values[1]
		return e, nil
	}
	return e, badInputf("sim: --touch-error %q, expected DX,DY[,SCALE-X,SCALE-Y[,DEGREES]]", text)
}

// simulatedApp is the app to show: the web page's, or a game's.
func (a *app) simulatedApp(ctx context.Context, o simOptions) (simphone.App, error) {
	if o.app != nil {
		return o.app, nil
	}
	game, err := a.simulated()
	if err != nil {
		return nil, err
	}
	levels, err := a.packLevels(ctx, o.pack, game)
	if err != nil {
		return nil, err
	}
	for i := range levels {
		if levels[i], err = (solvers.Levels{Uncovered: o.loose}).Of(game, levels[i]); err != nil {
			return nil, badInputf("sim: --cover=false: %w", err)
		}
	}
	options := simapp.Options{Style: o.style, Seed: o.seed}
	if options.Theme, err = a.theme(ctx, o.theme); err != nil {
		return nil, err
	}
	app, err := all.Simulate(game, levels, options)
	return app, badInput(err)
}

// openPage opens the web page to show.
func (a *app) openPage(ctx context.Context, o simOptions) (*webphone.Page, error) {
	if o.pack != "" || o.style != "" || o.theme != "" {
		return nil, badInputf("sim: --page shows a page of its own, expected none of --pack, --style and --theme")
	}
	width, height, err := parseSize(o.size)
	if err != nil {
		return nil, err
	}
	size := image.Pt(width, height)
	if o.rotation%2 == 1 {
		size = image.Pt(height, width)
	}
	address := o.page
	if !strings.Contains(address, "://") {
		file, err := filepath.Abs(address)
		if err != nil {
			return nil, badInput(err)
		}
		if _, err := os.Stat(file); err != nil {
			return nil, badInputf("sim: --page: %w", err)
		}
		address = (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	}
	page, err := webphone.Open(ctx, webphone.Config{URL: address, Size: size, Density: o.density, Wait: a.settings.ADB.Timeout, Log: a.log})
	return page, badInput(err)
}

// faultHelp lists the faults for the command's help.
func faultHelp() string {
	var b strings.Builder
	for _, name := range simphone.FaultNames() {
		fmt.Fprintf(&b, "\n\t%-18s %s", name, simphone.FaultHelp(name))
	}
	return b.String()
}

// simulated is the game asked for, or the first that brings an app.
func (a *app) simulated() (solvers.Game, error) {
	game, err := a.game()
	if err != nil {
		return nil, err
	}
	if game == nil {
		game = all.Games()[0]
	}
	if all.App(game) == nil {
		return nil, badInputf("sim: %s brings no app for the simulated phone", game.Name())
	}
	return game, nil
}

// packLevels are the levels of a file, or of the pack that comes with tapwise.
func (a *app) packLevels(ctx context.Context, file string, game solvers.Game) ([]solvers.Puzzle, error) {
	var inputs []input
	if file == "" {
		data, name, err := configs.Pack(game.Name())
		if err != nil {
			return nil, badInput(err)
		}
		inputs = split(name, data, game)
	} else {
		var err error
		if inputs, err = a.inputs(ctx, []string{file}, game); err != nil {
			return nil, err
		}
	}
	levels := make([]solvers.Puzzle, len(inputs))
	for i, in := range inputs {
		if in.image != nil {
			return nil, badInputf("%s: a picture, expected a pack of levels", in.file)
		}
		var err error
		if levels[i], err = game.Parse(in.text); err != nil {
			return nil, badInputf("%s: puzzle at line %d: %w", in.file, in.line, err)
		}
	}
	return levels, nil
}
