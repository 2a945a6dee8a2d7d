package main

import (
	"bufio"
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/calibrate"
	"tapwise/cmd/internal/calibrate/fit"
	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/vision"
)

// calibrateOptions are the flags of calibrate.
type calibrateOptions struct {
	rows, cols int
	board      string
	alike      []string
	buttons    []string
	model      string
	app        string
	output     string
	overlay    string
	dryRun     bool
	fresh      bool
	ask        bool
	touch      bool
	timing     bool
	unique     bool
	cover      bool
}

func (a *app) calibrateCommand() *cobra.Command {
	var o calibrateOptions
	command := &cobra.Command{
		Use:   "calibrate [IMAGE…]",
		Short: "measure how a game looks and is touched on a phone, once",
		Long: `Calibrate measures a game's app on the phone, or on screenshots of it (files or
folders), and writes a profile: where boards lie, the colours, the buttons. A
theme that automatic reading refuses is read by it from then on; two
screenshots of levels are enough. With --touch it measures on the phone where
touches land, with --timing how fast it captures and takes strokes.

It asks only what it cannot find out, and only in a terminal: where the board
lies, how many rows and columns it has, and which marks belong together. Else
--board, --rows and --cols, and --alike say so. A profile that is there already
is refined; --fresh begins anew, --dry-run shows what would change. Nothing is
written unless every picture is read, with exactly one solution, by the profile
that is written.

Some apps have levels with several solutions: --unique=false puts it into the
profile, and the pictures' boards are believed without that proof. --cover=false
says that levels need not be filled; they are solved without that rule then.

Profiles lie in tapwise/profiles in the user's configuration folder; the one
that fits the phone's model, the frame's size, the game and the app's version is
used by itself. docs/calibration.md explains every key.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("ask") {
				o.ask = isTerminalReader(a.in) && a.terminal()
			}
			return a.calibrate(cmd.Context(), args, o)
		},
	}
	flags := command.Flags()
	flags.IntVar(&o.rows, "rows", 0, "how many rows the boards on the pictures have (default: found out)")
	flags.IntVar(&o.cols, "cols", 0, "how many columns they have")
	flags.StringVar(&o.board, "board", "", "where the board's cells lie, `X0,Y0,X1,Y1` in pixels from the picture's upper left corner")
	flags.StringSliceVar(&o.alike, "alike", nil, "which marks belong together though they do not look alike, `A1=C3`: column and row of each")
	flags.StringSliceVar(&o.buttons, "button", nil, "where a button is, `NAME=X:Y` in pixels: next, restart or close")
	flags.StringVar(&o.model, "model", "", "the phone's model that the profile is for (default: the phone's; any for pictures)")
	flags.StringVar(&o.app, "app-version", "", "the app's version that it is for (default: any)")
	flags.StringVarP(&o.output, "output", "o", "", "the profile's `FILE` (default: by game, model and size in the user's profiles)")
	flags.StringVar(&o.overlay, "overlay", "", "draw what was found, with residuals in pixels, into `OUT.png`; a folder when there are several pictures")
	flags.BoolVar(&o.dryRun, "dry-run", false, "show what would be written or changed, and write nothing")
	flags.BoolVar(&o.fresh, "fresh", false, "begin a new profile instead of refining the one that is there")
	flags.BoolVar(&o.ask, "ask", false, "ask what cannot be found out (default: in a terminal)")
	flags.BoolVar(&o.unique, "unique", true, "the app's levels have exactly one solution")
	flags.BoolVar(&o.cover, "cover", true, "the app's levels are complete only when every cell is covered ("+all.With("Coverer")+")")
	flags.BoolVar(&o.touch, "touch", false, "measure where touches land, by holding a finger on clues of the level on the phone")
	flags.BoolVar(&o.timing, "timing", false, "time the ways to capture and to touch, and keep the best")
	return command
}

func isTerminalReader(r io.Reader) bool {
	file, ok := r.(*os.File)
	return ok && isTerminal(file)
}

// calibrating is one run of calibrate: it prints what its session tells.
type calibrating struct {
	*app
	calibrateOptions
	answers *bufio.Reader
}

func (a *app) calibrate(ctx context.Context, files []string, o calibrateOptions) error {
	if len(files) > 0 && (o.touch || o.timing) {
		return badInputf("calibrate: --touch and --timing measure on the phone, expected no pictures")
	}
	game, err := a.game()
	if err != nil {
		return err
	}
	c := &calibrating{app: a, calibrateOptions: o, answers: bufio.NewReader(io.LimitReader(a.in, 1<<16))}
	session := calibrate.Session{
		Options: calibrate.Options{
			Rows: o.rows, Cols: o.cols, Board: o.board, Alike: o.alike, Buttons: o.buttons, Model: o.model, App: o.app,
			Levels: solvers.Levels{Several: !o.unique, Uncovered: !o.cover},
			Touch:  o.touch, Timing: o.timing, File: o.output, Fresh: o.fresh,
		},
		Opener: a.opener(), Serial: a.settings.Serial, Game: game, Named: gameNamed, Tell: c,
	}
	if o.ask {
		session.Ask = c.question
	}
	if err := session.Begin(); err != nil {
		return err
	}
	if err := c.pictures(ctx, &session, files); err != nil {
		return err
	}
	result, err := session.Measure(ctx)
	if err != nil {
		return err
	}
	if err := c.report(result.Fitted); err != nil {
		return err
	}
	if err := c.overlays(result); err != nil {
		return err
	}
	return c.write(result)
}

// pictures adds the pictures in files or, where none are named, one of the phone.
func (c *calibrating) pictures(ctx context.Context, session *calibrate.Session, files []string) error {
	if len(files) == 0 {
		return session.Capture(ctx)
	}
	for _, name := range files {
		found, err := puzzlefile.Files(name)
		if err != nil {
			return err
		}
		for _, file := range found {
			data, err := c.readInput(ctx, file)
			if err != nil {
				return err
			}
			frame, err := vision.Decode(ctx, data)
			if err != nil {
				return badInputf("%s: %w", file, err)
			}
			session.Add(file, frame)
		}
	}
	return nil
}

// question asks for a line, which is empty at the end of the input.
func (c *calibrating) question(text string) string {
	fmt.Fprint(c.err, text)
	answer, _ := c.answers.ReadString('\n') // what came before the end counts
	return strings.TrimSpace(puzzlefile.Text([]byte(answer)))
}

// Recognised prints which game a picture is of.
func (c *calibrating) Recognised(picture string, game solvers.Game) {
	fmt.Fprintf(c.err, "%s: a level of %s\n", picture, game.Name())
}

// Unclear prints what a person is asked about next.
func (c *calibrating) Unclear(err error) { fmt.Fprintf(c.err, "%s\n", wording.Of(err)) }

// Touched prints where touches landed.
func (c *calibrating) Touched(touched fit.Touched, frame image.Point) {
	t := touched.Touch
	fmt.Fprintf(c.err, "touches: %d seen, offset %+.1f,%+.1f px, scale %.4f,%.4f, turned %+.2f°; off the fit by %.1f px at most, corrected ones by %.1f px\n",
		len(touched.Landings), t.Offset.X*float64(frame.X), t.Offset.Y*float64(frame.Y), t.Scale.X, t.Scale.Y, t.Turn,
		slices.Max(touched.Residuals), slices.Max(touched.Proof))
}

// Settled prints how long animations last.
func (c *calibrating) Settled(after time.Duration) {
	fmt.Fprintf(c.err, "animations last about %v after a stroke\n", after)
}

// report prints what was found on each picture.
func (c *calibrating) report(fitted []fit.Fitted) error {
	for _, f := range fitted {
		if _, err := fmt.Fprintln(c.err, f); err != nil {
			return err
		}
	}
	return nil
}

// write prints what changes and writes the profile.
func (c *calibrating) write(r *calibrate.Result) error {
	file, changes := r.File, r.Changes()
	if c.json {
		if err := c.printJSON(struct {
			File    string   `json:"file"`
			Written bool     `json:"written"`
			Changes []string `json:"changes"`
		}{file, !c.dryRun, changes}); err != nil {
			return err
		}
	} else if c.dryRun || r.Known != nil {
		for _, change := range changes {
			if _, err := fmt.Fprintln(c.out, change); err != nil {
				return err
			}
		}
	}
	if c.dryRun {
		fmt.Fprintf(c.err, "%s: not written (--dry-run)\n", file)
		return nil
	}
	if r.Known != nil && len(changes) == 0 {
		fmt.Fprintf(c.err, "%s: nothing new\n", file)
		return nil
	}
	if c.ask {
		if answer := c.question(fmt.Sprintf("Write %s? [Y/n] ", file)); answer != "" && !strings.EqualFold(answer, "y") && !strings.EqualFold(answer, "yes") {
			fmt.Fprintln(c.err, "not written")
			return nil
		}
	}
	if err := r.Write(); err != nil {
		return err
	}
	if !c.json {
		_, err := fmt.Fprintln(c.out, file)
		return err
	}
	return nil
}

// overlays draws what was found over each picture.
func (c *calibrating) overlays(r *calibrate.Result) error {
	if c.overlay == "" {
		return nil
	}
	if len(r.Fitted) > 1 {
		if err := os.MkdirAll(c.overlay, 0o755); err != nil {
			return badInput(err)
		}
	}
	for i, f := range r.Fitted {
		picture, err := r.Draw(i)
		if err != nil {
			return err
		}
		name := c.overlay
		if len(r.Fitted) > 1 {
			base := filepath.Base(f.Name)
			name = filepath.Join(c.overlay, fmt.Sprintf("%02d-%s.png", i+1, strings.TrimSuffix(base, filepath.Ext(base))))
		}
		if err := wholefile.WritePNG(name, picture); err != nil {
			return badInput(err)
		}
	}
	return nil
}

// Timed prints how long a way to capture or to touch took.
func (c *calibrating) Timed(r calibrate.Timing) error {
	if c.json {
		line := struct {
			Kind   string  `json:"kind"`
			Method string  `json:"method"`
			Times  int     `json:"times"`
			Min    float64 `json:"min_seconds"`
			Median float64 `json:"median_seconds"`
			Max    float64 `json:"max_seconds"`
			Best   bool    `json:"best"`
			Error  string  `json:"error,omitempty"`
		}{r.Kind, r.Method, r.Times, r.Min.Seconds(), r.Median.Seconds(), r.Max.Seconds(), r.Best, ""}
		if r.Err != nil {
			line.Error = wording.Of(r.Err)
		}
		return c.printJSON(line)
	}
	verdict := ""
	switch {
	case r.Err != nil:
		verdict = wording.Of(r.Err)
	case r.Best:
		verdict = "best"
	}
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }
	_, err := fmt.Fprintf(c.out, "%-8s %-9s %2d×  min %-10s median %-10s max %-10s %s\n", r.Kind, r.Method, r.Times, ms(r.Min), ms(r.Median), ms(r.Max), verdict)
	return err
}
