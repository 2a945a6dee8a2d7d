package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tapwise/adb"
	"tapwise/calibration"
	"tapwise/cmd/internal/calibrated"
	"tapwise/cmd/internal/puzzlefile"
	"tapwise/solvers"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// calibrateOptions are the flags of calibrate.
type calibrateOptions struct {
	rows, cols int
	board      string
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

It asks only what it cannot find out, and only in a terminal. A profile that
is there already is refined; --fresh begins anew, --dry-run shows what would
change. Nothing is written unless every picture is read, with exactly one
solution, by the profile that is written.

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
	flags.StringVar(&o.board, "board", "", "where the board lies, `X0,Y0,X1,Y1` in pixels")
	flags.StringSliceVar(&o.buttons, "button", nil, "where a button is, `NAME=X:Y` in pixels: next, restart or close")
	flags.StringVar(&o.model, "model", "", "the phone's model that the profile is for (default: the phone's; any for pictures)")
	flags.StringVar(&o.app, "app-version", "", "the app's version that it is for (default: any)")
	flags.StringVarP(&o.output, "output", "o", "", "the profile's `FILE` (default: by game, model and size in the user's profiles)")
	flags.StringVar(&o.overlay, "overlay", "", "draw what was found, with residuals in pixels, into `OUT.png`; a folder when there are several pictures")
	flags.BoolVar(&o.dryRun, "dry-run", false, "show what would be written or changed, and write nothing")
	flags.BoolVar(&o.fresh, "fresh", false, "begin a new profile instead of refining the one that is there")
	flags.BoolVar(&o.ask, "ask", false, "ask what cannot be found out (default: in a terminal)")
	flags.BoolVar(&o.unique, "unique", true, "the app's levels have exactly one solution")
	flags.BoolVar(&o.cover, "cover", true, "the app's levels are complete only when every cell is covered (flow)")
	flags.BoolVar(&o.touch, "touch", false, "measure where touches land, by holding a finger on clues of the level on the phone")
	flags.BoolVar(&o.timing, "timing", false, "time the ways to capture and to touch, and keep the best")
	return command
}

func isTerminalReader(r io.Reader) bool {
	file, ok := r.(*os.File)
	return ok && isTerminal(file)
}

// calibrating is one run of calibrate.
type calibrating struct {
	*app
	calibrateOptions
	game    solvers.Game
	device  *phone // nil when pictures are calibrated on
	answers *bufio.Reader
}

func (a *app) calibrate(ctx context.Context, files []string, o calibrateOptions) (failure error) {
	c := calibrating{app: a, calibrateOptions: o, answers: bufio.NewReader(io.LimitReader(a.in, 1<<16))}
	if len(files) > 0 && (o.touch || o.timing) {
		return badInputf("calibrate: --touch and --timing measure on the phone, expected no pictures")
	}
	var err error
	if c.game, err = c.app.game(); err != nil {
		return err
	}
	pictures, err := c.pictures(ctx, files)
	if err != nil {
		return err
	}
	if o.touch || o.timing {
		release, err := c.hold(c.device.Serial)
		if err != nil {
			return err
		}
		defer func() { failure = errors.Join(failure, release()) }()
	}
	if c.game == nil {
		if c.game, err = c.whichGame(ctx, pictures); err != nil {
			return err
		}
	}
	measured, fitted, err := c.fit(ctx, pictures)
	if err != nil {
		return err
	}
	if err := c.complete(measured); err != nil {
		return err
	}
	if err := c.measureDevice(ctx, measured, fitted); err != nil {
		return err
	}
	file, known, err := c.known(measured)
	if err != nil {
		return err
	}
	profile := measured
	if known != nil {
		if profile, err = calibration.Refine(known, measured); err != nil {
			return badInputf("%s: %w", file, err)
		}
		if fitted, err = calibrated.Prove(ctx, c.game, profile, fitted); err != nil {
			return c.refused(err)
		}
	}
	// What is written must be what was proved.
	if profile, err = calibration.Parse(file, profile.YAML()); err != nil {
		return err
	}
	if err := c.report(fitted); err != nil {
		return err
	}
	if err := c.overlays(profile, fitted); err != nil {
		return err
	}
	return c.write(file, known, profile)
}

// whichGame is the one game that reads a picture, automatically or by a profile.
// A theme that nobody has seen does not tell.
func (c *calibrating) whichGame(ctx context.Context, pictures []calibrated.Picture) (solvers.Game, error) {
	model := c.model
	if c.device != nil {
		model = c.device.Model
	}
	var reason error
	for _, p := range pictures {
		sight, err := c.recognise(ctx, p.Frame, screen.Frame{Size: p.Frame.Bounds().Size(), Rotation: p.Rotation}, nil, model)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err == nil:
			fmt.Fprintf(c.err, "%s: a level of %s\n", p.Name, sight.Game.Name())
			return sight.Game, nil
		case reason == nil:
			reason = fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	if c.ask {
		return gameNamed(c.question("Which game is it, as `tapwise games` names it? "))
	}
	return nil, badInputf("calibrate: which game it is could not be told, say it with --game (%w)", reason)
}

// pictures are the frames to calibrate on: those of files, or one of the phone.
func (c *calibrating) pictures(ctx context.Context, files []string) ([]calibrated.Picture, error) {
	board, err := parseRectangle(c.board)
	if err != nil {
		return nil, err
	}
	for _, n := range []int{c.rows, c.cols} {
		if n < 0 || n > 64 {
			return nil, badInputf("calibrate: --rows and --cols are %d and %d, expected 0 to 64", c.rows, c.cols)
		}
	}
	known := calibrated.Picture{Rows: c.rows, Cols: c.cols, Board: board, Rotation: -1, Levels: solvers.Levels{Several: !c.unique, Uncovered: !c.cover}}
	var pictures []calibrated.Picture
	if len(files) == 0 {
		device, err := c.openPhone(ctx)
		if err != nil {
			return nil, err
		}
		c.device = &device
		frame, on, err := device.Capture(ctx)
		if err != nil {
			return nil, phoneFailed(err)
		}
		known.Name, known.Frame, known.Rotation = "the phone's screen", frame, on.Rotation
		pictures = append(pictures, known)
	}
	for _, name := range files {
		found, err := puzzlefile.Files(name)
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			data, err := c.readInput(ctx, file)
			if err != nil {
				return nil, err
			}
			now := known
			now.Name = file
			if now.Frame, err = vision.Decode(ctx, data); err != nil {
				return nil, badInputf("%s: %w", file, err)
			}
			pictures = append(pictures, now)
		}
	}
	for _, p := range pictures {
		if b := p.Board; !b.In(p.Frame.Bounds()) {
			return nil, badInputf("%s: --board %s lies outside the frame of %s pixels", p.Name, c.board, calibration.SizeOf(p.Frame.Bounds().Size()))
		}
	}
	return pictures, nil
}

// parseRectangle reads X0,Y0,X1,Y1.
func parseRectangle(text string) (image.Rectangle, error) {
	if text == "" {
		return image.Rectangle{}, nil
	}
	var n [4]int
	parts := strings.Split(text, ",")
	for i, part := range parts {
		var err error
		if i >= 4 {
			break
		}
		if n[i], err = strconv.Atoi(strings.TrimSpace(part)); err != nil {
			parts = nil
			break
		}
	}
	if len(parts) != 4 || slices.Min(n[:]) < 0 || n[2]-n[0] < 16 || n[3]-n[1] < 16 {
		return image.Rectangle{}, badInputf("calibrate: board %q, expected X0,Y0,X1,Y1 in pixels, at least 16 apart", text)
	}
	return image.Rect(n[0], n[1], n[2], n[3]), nil
}

// refused marks an error of fitting for the exit code.
func (c *calibrating) refused(err error) error {
	var refused *calibrated.RefusedError
	if errors.As(err, &refused) {
		if errors.Is(err, solvers.ErrNoCover) {
			return badInputf("calibrate: --cover=false: %w", err)
		}
		reason := "nothing written: " + err.Error()
		if errors.Is(err, solvers.ErrSeveral) {
			reason += " (say --unique=false when the app has such levels)"
		}
		return &solvers.ReadError{Reason: reason}
	}
	return err
}

// fit makes a profile of the pictures, and asks for what they do not tell.
func (c *calibrating) fit(ctx context.Context, pictures []calibrated.Picture) (*calibration.Profile, []calibrated.Fitted, error) {
	profile, fitted, err := calibrated.Fit(ctx, c.game, pictures)
	var refused *calibrated.RefusedError
	if !c.ask || !errors.As(err, &refused) || ctx.Err() != nil || c.rows > 0 {
		return profile, fitted, c.refused(err)
	}
	fmt.Fprintf(c.err, "%v\n", err)
	i := slices.IndexFunc(pictures, func(p calibrated.Picture) bool { return p.Name == refused.Picture })
	if i < 0 {
		return nil, nil, c.refused(err)
	}
	for _, question := range []struct {
		text  string
		value *int
	}{{"How many rows has the board there? [give up] ", &pictures[i].Rows}, {"How many columns? [give up] ", &pictures[i].Cols}} {
		answer := c.question(question.text)
		n, convErr := strconv.Atoi(answer)
		if convErr != nil || n < 1 || n > 64 {
			return nil, nil, c.refused(err)
		}
		*question.value = n
	}
	if answer := c.question("Where does it lie, as X0,Y0,X1,Y1 in pixels? [not known] "); answer != "" {
		if pictures[i].Board, err = parseRectangle(answer); err != nil {
			return nil, nil, err
		}
	}
	profile, fitted, err = calibrated.Fit(ctx, c.game, pictures)
	return profile, fitted, c.refused(err)
}

// question asks for a line, which is empty at the end of the input.
func (c *calibrating) question(text string) string {
	fmt.Fprint(c.err, text)
	answer, _ := c.answers.ReadString('\n') // what came before the end counts
	return strings.TrimSpace(puzzlefile.Text([]byte(answer)))
}

// complete adds what pictures cannot tell.
func (c *calibrating) complete(p *calibration.Profile) error {
	p.Phone.Model, p.App = c.model, c.calibrateOptions.app
	if c.device != nil && p.Phone.Model == "" {
		p.Phone.Model = c.device.Model
	}
	if c.ask && c.device == nil && p.Phone.Model == "" {
		p.Phone.Model = c.question("Which phone is it, as `tapwise devices` names its model? [any] ")
	}
	if p.Buttons == nil {
		p.Buttons = map[string]calibration.Point{}
	}
	size := p.Phone.Frame
	for _, text := range c.buttons {
		name, place, _ := strings.Cut(text, "=")
		x, y, _ := strings.Cut(place, ":")
		px, errX := strconv.Atoi(x)
		py, errY := strconv.Atoi(y)
		if errX != nil || errY != nil || !slices.Contains([]string{"next", "restart", "close"}, name) || !image.Pt(px, py).In(image.Rectangle{Max: size}) {
			return badInputf("calibrate: --button %q, expected next, restart or close as NAME=X:Y within %s pixels", text, calibration.SizeOf(size))
		}
		p.Buttons[name] = calibration.Point{X: float64(px) / float64(size.X), Y: float64(py) / float64(size.Y)}
	}
	return nil
}

// measureDevice measures what only a phone can tell.
func (c *calibrating) measureDevice(ctx context.Context, p *calibration.Profile, fitted []calibrated.Fitted) error {
	if c.device == nil {
		return nil
	}
	cutout, err := c.device.Cutout(ctx)
	if err != nil {
		return phoneFailed(err)
	}
	w, h := float64(p.Phone.Frame.X), float64(p.Phone.Frame.Y)
	p.Safe = calibration.Insets{Left: float64(cutout.Left) / w, Top: float64(cutout.Top) / h, Right: float64(cutout.Right) / w, Bottom: float64(cutout.Bottom) / h}
	level := slices.IndexFunc(fitted, func(f calibrated.Fitted) bool { return f.Puzzle != nil })
	if c.touch {
		if err := c.measureTouch(ctx, p, fitted[level]); err != nil {
			return err
		}
	}
	if c.timing {
		return c.measureTiming(ctx, p, fitted[level])
	}
	return nil
}

// Hold holds a finger on the screen where a gesture ends, uncorrected.
func (p phone) Hold(ctx context.Context, g screen.Gesture, while func() error) error {
	return p.Device.Hold(ctx, adb.Stroke{Points: g.Points, Size: g.On.Size, Rotation: g.On.Rotation}, while)
}

// unmeasured marks an error of measuring for the exit code: it was the screen's,
// or else the phone's.
func (c *calibrating) unmeasured(err error) error {
	var read *solvers.ReadError
	if errors.As(err, &read) || errors.Is(err, calibrated.ErrNoHalo) || errors.Is(err, calibration.ErrTouchUnclear) {
		return &solvers.ReadError{Reason: "nothing written: " + err.Error()}
	}
	return phoneFailed(err)
}

func (c *calibrating) measureTouch(ctx context.Context, p *calibration.Profile, level calibrated.Fitted) error {
	touched, err := calibrated.MeasureTouch(ctx, c.game, c.device, level)
	if err != nil {
		return c.unmeasured(err)
	}
	p.SetTouch(touched.Touch)
	t, size := touched.Touch, p.Phone.Frame
	fmt.Fprintf(c.err, "touches: %d seen, offset %+.1f,%+.1f px, scale %.4f,%.4f, turned %+.2f°; off the fit by %.1f px at most, corrected ones by %.1f px\n",
		len(touched.Landings), t.Offset.X*float64(size.X), t.Offset.Y*float64(size.Y), t.Scale.X, t.Scale.Y, t.Turn,
		slices.Max(touched.Residuals), slices.Max(touched.Proof))
	return nil
}

// known is the file to write, and the profile that is there already.
func (c *calibrating) known(p *calibration.Profile) (string, *calibration.Profile, error) {
	file := c.output
	if file == "" {
		folder := c.profileFolder()
		if folder == "" {
			return "", nil, badInputf("calibrate: there is no configuration folder: say where to write with --output")
		}
		name := p.Game
		if p.Phone.Model != "" {
			name += "-" + p.Phone.Model
		}
		name = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
				return r
			}
			return '_'
		}, name+"-"+calibration.SizeOf(p.Phone.Frame))
		file = filepath.Join(folder, name+".yaml")
	}
	if c.fresh {
		return file, nil, nil
	}
	known, err := calibration.LoadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return file, nil, nil
	}
	return file, known, badInput(err)
}

// report tells what was found on each picture.
func (c *calibrating) report(fitted []calibrated.Fitted) error {
	for _, f := range fitted {
		line := fmt.Sprintf("%s: %s", f.Name, f.Place.Kind)
		if f.Puzzle != nil {
			l := f.Seen.Layout
			line = fmt.Sprintf("%s: %d columns, %d rows at %v, pitch %.2f px", f.Name, l.Cols, l.Rows, l.Board, l.Pitch)
			if off := calibration.Off(f.Residuals); len(off) > 0 {
				what := "marks"
				if f.ByLines {
					what = "lines"
				}
				line += fmt.Sprintf(", %d %s off by %.1f px (median), %.1f px (worst)", len(off), what, off[len(off)/2], off[len(off)-1])
			}
			if !f.Automatic {
				line += ", refused without a profile"
			}
		}
		if _, err := fmt.Fprintln(c.err, line); err != nil {
			return err
		}
	}
	return nil
}

// write shows what changes and writes the profile.
func (c *calibrating) write(file string, known, p *calibration.Profile) error {
	changes := calibration.Diff(known, p)
	if c.json {
		if err := c.printJSON(struct {
			File    string   `json:"file"`
			Written bool     `json:"written"`
			Changes []string `json:"changes"`
		}{file, !c.dryRun, changes}); err != nil {
			return err
		}
	} else if c.dryRun || known != nil {
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
	if known != nil && len(changes) == 0 {
		fmt.Fprintf(c.err, "%s: nothing new\n", file)
		return nil
	}
	if c.ask {
		if answer := c.question(fmt.Sprintf("Write %s? [Y/n] ", file)); answer != "" && !strings.EqualFold(answer, "y") && !strings.EqualFold(answer, "yes") {
			fmt.Fprintln(c.err, "not written")
			return nil
		}
	}
	if err := calibration.Write(file, p.YAML()); err != nil {
		return badInput(err)
	}
	if !c.json {
		_, err := fmt.Fprintln(c.out, file)
		return err
	}
	return nil
}

// overlays draws what was found over each picture.
func (c *calibrating) overlays(p *calibration.Profile, fitted []calibrated.Fitted) error {
	if c.overlay == "" {
		return nil
	}
	if len(fitted) > 1 {
		if err := os.MkdirAll(c.overlay, 0o755); err != nil {
			return badInput(err)
		}
	}
	for i, f := range fitted {
		picture, err := drawCalibration(p, f)
		if err != nil {
			return err
		}
		name := c.overlay
		if len(fitted) > 1 {
			base := filepath.Base(f.Name)
			name = filepath.Join(c.overlay, fmt.Sprintf("%02d-%s.png", i+1, strings.TrimSuffix(base, filepath.Ext(base))))
		}
		if err := writePNG(name, picture); err != nil {
			return badInput(err)
		}
	}
	return nil
}

// drawCalibration draws over a picture the lattice, the area that boards fill,
// the residuals in pixels where they are, and the buttons.
func drawCalibration(p *calibration.Profile, f calibrated.Fitted) (image.Image, error) {
	size := f.Frame.Bounds().Size()
	cyan, yellow, white := color.RGBA{0, 255, 255, 255}, color.RGBA{255, 255, 0, 255}, color.RGBA{255, 255, 255, 255}
	seen := *f.Seen
	seen.Boxes = []screen.Box{{Bounds: p.Board.In(size)}}
	var marks []vision.Mark
	down := int(0.2 * seen.Layout.Pitch)
	for _, r := range f.Residuals {
		at := image.Pt(int(math.Round(r.X)), int(math.Round(r.Y)))
		marks = append(marks,
			vision.Mark{Colour: white, Points: []image.Point{at}, Label: "+"},
			vision.Mark{Colour: yellow, Points: []image.Point{at.Add(image.Pt(0, down))}, Label: fmt.Sprintf("%.1f", r.Off)})
	}
	for name, at := range p.Buttons {
		marks = append(marks, vision.Mark{Colour: cyan, Points: []image.Point{at.In(size)}, Label: name})
	}
	return vision.Overlay(f.Frame, &seen, marks)
}

// measureTiming times the ways to capture and to touch.
func (c *calibrating) measureTiming(ctx context.Context, p *calibration.Profile, level calibrated.Fitted) error {
	timings, err := c.device.TimeCaptures(ctx, 5)
	if err != nil {
		return phoneFailed(err)
	}
	var rows []timingRow
	var best time.Duration
	for _, t := range timings {
		rows = append(rows, timingRow{Kind: "capture", Method: string(t.Method), Times: t.Captures, Min: t.Min, Median: t.Median, Max: t.Max, err: t.Err})
		if t.Err == nil && (best == 0 || t.Median < best) {
			best, p.Capture = t.Median, string(t.Method)
		}
	}
	if p.Capture == "" {
		return phoneFailed(fmt.Errorf("no way to capture works: %w", timings[0].Err))
	}
	if err := c.device.UseMethod(adb.Method(p.Capture)); err != nil {
		return err
	}
	device := *c.device
	device.profiles = &profiles{forced: &calibration.Named{Profile: p}}
	inputs, settle, err := calibrated.MeasureInput(ctx, c.game, device, level, p, time.Now)
	switch {
	case errors.Is(err, calibrated.ErrNoTrial):
		c.log.Warn("ways to touch are left out", "reason", err)
	case err != nil:
		return c.unmeasured(err)
	}
	p.Settle = settle.Round(time.Millisecond)
	for _, t := range inputs {
		rows = append(rows, timingRow{Kind: "input", Method: t.Method, Times: t.Times, Min: t.Min, Median: t.Median, Max: t.Max, err: t.Err})
	}
	if best := calibrated.BestInput(inputs); best != "" {
		p.Input = best
	}
	for _, r := range rows {
		r.Best = r.Kind == "capture" && r.Method == p.Capture || r.Kind == "input" && r.Method == p.Input
		if err := c.printTiming(r); err != nil {
			return err
		}
	}
	if len(inputs) > 0 {
		fmt.Fprintf(c.err, "animations last about %v after a stroke\n", p.Settle)
	}
	return nil
}

// timingRow is one line of the table of what was timed.
type timingRow struct {
	Kind, Method     string
	Times            int
	Min, Median, Max time.Duration
	Best             bool
	err              error
}

func (c *calibrating) printTiming(r timingRow) error {
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
		if r.err != nil {
			line.Error = r.err.Error()
		}
		return c.printJSON(line)
	}
	verdict := ""
	switch {
	case r.err != nil:
		verdict = r.err.Error()
	case r.Best:
		verdict = "best"
	}
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }
	_, err := fmt.Fprintf(c.out, "%-8s %-9s %2d×  min %-10s median %-10s max %-10s %s\n", r.Kind, r.Method, r.Times, ms(r.Min), ms(r.Median), ms(r.Max), verdict)
	return err
}
