package serve

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"tapwise/calibration"
	"tapwise/cmd/internal/calibrate/fit"
	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/page/web"
	"tapwise/cmd/internal/play/run"
	"tapwise/solvers"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// calibrator makes profiles of what a person says of a picture on the page, as
// `tapwise calibrate` does of what it finds.
type calibrator struct{ opener run.Opener }

var _ web.Calibration = calibrator{}

// The names of swatches: the ground's tones, then those of marks.
const (
	groundSwatch = "ground"
	markSwatch   = "mark"
)

// The draft that is offered where no board is found: a square in the middle.
const (
	guessedSide   = 5
	guessedMargin = 0.05 // of the frame's width
)

// Read looks at a frame. What the draft leaves open is measured; the rest of it is
// taken as it is.
func (c calibrator) Read(ctx context.Context, frame *image.RGBA, game solvers.Game, d web.Draft) (web.Sight, error) {
	sight, _, err := c.read(ctx, frame, game, d)
	return sight, err
}

// read is Read, and also reports whether the board has the game's own look.
func (c calibrator) read(ctx context.Context, frame *image.RGBA, game solvers.Game, d web.Draft) (sight web.Sight, own bool, err error) {
	on := screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}
	if d.Bounds().Empty() {
		found, reason, err := c.detect(ctx, frame, game, d)
		if err != nil {
			return web.Sight{}, false, err
		}
		if found.Board == ([4]int{}) {
			found.Board, found.Rows, found.Cols = guessed(on.Size)
			return web.Sight{Draft: found, Reason: reason + "; drag the corners to the board's"}, false, nil
		}
		d = found
	}
	if d.Signs {
		sight, err := c.bySigns(ctx, frame, game, d)
		return sight, false, err
	}
	sight, own, err = c.byLines(ctx, frame, game, d)
	if err != nil || sight.Reason == "" || !game.About().ReadsSigns {
		return sight, own, err
	}
	// By its cells the board may be read all the same.
	other, err := c.bySigns(ctx, frame, game, d)
	if err == nil && other.Puzzle != nil && (other.Reason == "" || sight.Puzzle == nil) {
		return other, false, nil
	}
	return sight, own, err
}

// byLines reads a board in the place that a draft gives it, in the game's own look or
// another theme's. It also reports whether it was the game's own.
func (c calibrator) byLines(ctx context.Context, frame *image.RGBA, game solvers.Game, d web.Draft) (sight web.Sight, own bool, err error) {
	on := screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}
	spec := game.Spec()
	seen, err := vision.Observe(frame, on, spec)
	if err != nil {
		return web.Sight{}, false, err
	}
	if _, err := game.Read(seen); err == nil || seen.Layout.Topology != screen.Square {
		own, err = c.ownColours(frame, seen.Layout, d)
		if err != nil {
			return web.Sight{Draft: d, Reason: wording.Of(err)}, false, nil
		}
	}
	if own && seen.Layout.Topology != screen.Square {
		d.Rows, d.Cols = seen.Layout.Rows, seen.Layout.Cols
	}
	if d.Rows == 0 || d.Cols == 0 {
		return web.Sight{Draft: d, Reason: "say how many rows and columns the board has"}, own, nil
	}
	if own {
		err = c.place(frame, spec, seen, d)
	} else {
		seen, d, err = c.observe(frame, game, d)
	}
	if err != nil {
		return web.Sight{Draft: d, Reason: wording.Of(err)}, own, nil
	}
	sight = web.Sight{Draft: d, Seen: seen}
	if sight.Puzzle, err = game.Read(seen); err != nil {
		sight.Puzzle, sight.Reason = nil, wording.Of(err)
		return sight, own, nil
	}
	sight, err = c.solved(ctx, game, sight)
	return sight, own, err
}

// ownColours reports whether a draft keeps the ground that was measured.
func (c calibrator) ownColours(frame *image.RGBA, l screen.Layout, d web.Draft) (bool, error) {
	_, corrected, err := palette(d, calibration.Ground(frame, l))
	return !corrected, err
}

// place moves what was seen of a board to the place that a draft gives it.
func (c calibrator) place(frame *image.RGBA, spec screen.Spec, seen *screen.Observation, d web.Draft) error {
	l := seen.Layout
	var err error
	switch to := d.Bounds(); {
	case to == l.Board && d.Rows == l.Rows && d.Cols == l.Cols:
		return nil
	case l.Topology == screen.Square:
		var moved *screen.Observation
		if moved, err = vision.ObserveAt(frame, l.On, spec, to, d.Rows, d.Cols); err == nil {
			*seen = *moved
		}
	default:
		seen.Layout = stretched(l, to)
		seen.Readings, err = vision.Measure(frame, seen.Layout, spec.Measures)
	}
	seen.Confidence = 1 // in where the board lies: a person says so
	return err
}

// observe looks at a board of another look in the place that a draft gives it. The
// draft is returned with its colours filled in.
func (c calibrator) observe(frame *image.RGBA, game solvers.Game, d web.Draft) (*screen.Observation, web.Draft, error) {
	on := screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}
	if len(d.Colours) == 0 {
		d.Colours = swatches(calibration.Ground(frame, layoutOf(on, d)), nil)
	}
	profile, err := c.profile(frame, game, d, layoutOf(on, d), false)
	if err != nil {
		return nil, d, err
	}
	seen, err := vision.ObserveAt(frame, on, profile.Spec(game.Spec(), on.Size), d.Bounds(), d.Rows, d.Cols)
	if err != nil {
		return nil, d, err
	}
	profile.Translate(seen, game.Spec())
	seen.Confidence = 1 // in where the board lies: a person says so
	return seen, d, nil
}

// solved checks a board that was read, by solving it.
func (c calibrator) solved(ctx context.Context, game solvers.Game, sight web.Sight) (web.Sight, error) {
	solving, cancel := context.WithTimeout(ctx, c.opener.Timing.SolveDeadline)
	defer cancel()
	levels := sight.Draft.Levels()
	puzzle, err := levels.Of(game, sight.Puzzle)
	if err == nil {
		sight.Puzzle = puzzle
		if levels.Unproved() {
			_, err = puzzle.Solve(solving)
		} else {
			_, _, err = solvers.SolveRead(solving, game, puzzle)
		}
	}
	switch {
	case errors.Is(err, solvers.ErrNoSolution):
		sight.Reason = "misread, or a level that need not be filled: " + err.Error()
	case err != nil:
		sight.Reason = err.Error()
	}
	return sight, ctx.Err()
}

// stretched returns a layout with the board stretched to other bounds.
func stretched(l screen.Layout, to image.Rectangle) screen.Layout {
	from := l.Board
	sx, sy := float64(to.Dx())/float64(from.Dx()), float64(to.Dy())/float64(from.Dy())
	l.Centres = slices.Clone(l.Centres)
	for i, p := range l.Centres {
		l.Centres[i] = image.Pt(
			to.Min.X+int(math.Round(float64(p.X-from.Min.X)*sx)),
			to.Min.Y+int(math.Round(float64(p.Y-from.Min.Y)*sy)))
	}
	l.Board, l.Pitch = to, l.Pitch*(sx+sy)/2
	return l
}

// detect finds a board without help: by the game's own look or as another theme.
// Where it finds none, the reason says why.
func (c calibrator) detect(ctx context.Context, frame *image.RGBA, game solvers.Game, d web.Draft) (web.Draft, string, error) {
	picture := fit.Picture{Name: "the picture", Frame: frame, Rotation: -1, Rows: d.Rows, Cols: d.Cols, Levels: d.Levels()}
	profile, fitted, err := fit.Profile(ctx, game, []fit.Picture{picture})
	if ctx.Err() != nil {
		return d, "", context.Cause(ctx)
	}
	size := frame.Bounds().Size()
	if err != nil {
		var levels *fit.LevelsError
		if errors.As(err, &levels) && len(levels.Seen.Signs) > 0 {
			d = placed(d, levels.Seen.Layout)
			d.Signs = true
			return d, "", nil
		}
		// The lines may be there all the same.
		seen, lookErr := vision.Observe(frame, screen.Frame{Size: size, Rotation: -1}, game.Spec())
		if lookErr == nil && seen.Layout.Rows > 0 && seen.Layout.Topology == screen.Square {
			d = placed(d, seen.Layout)
		}
		return d, err.Error(), nil
	}
	d = placed(d, fitted[0].Seen.Layout)
	d.Signs = profile.Reading.Signs
	d.Colours = swatches(profile.Palette.Ground, profile.Palette.Marks)
	for name, at := range profile.Buttons {
		if p := at.In(size); !slices.ContainsFunc(d.Buttons, func(b web.Button) bool { return b.Name == name }) {
			d.Buttons = append(d.Buttons, web.Button{Name: name, At: [2]int{p.X, p.Y}})
		}
	}
	return d, "", nil
}

// placed returns a draft with the place of a layout.
func placed(d web.Draft, l screen.Layout) web.Draft {
	d.Board = [4]int{l.Board.Min.X, l.Board.Min.Y, l.Board.Max.X, l.Board.Max.Y}
	d.Rows, d.Cols = l.Rows, l.Cols
	return d
}

// guessed returns the place of a draft where no board was found: a square in the
// middle of a frame of a size in pixels.
func guessed(size image.Point) (board [4]int, rows, cols int) {
	margin := int(guessedMargin * float64(size.X))
	side := min(size.X, size.Y) - 2*margin
	left, top := (size.X-side)/2, (size.Y-side)/2
	return [4]int{left, top, left + side, top + side}, guessedSide, guessedSide
}

// layoutOf returns the layout of square cells that a draft describes.
func layoutOf(on screen.Frame, d web.Draft) screen.Layout {
	b := d.Bounds()
	l := screen.Layout{On: on, Rows: d.Rows, Cols: d.Cols, Board: b}
	px, py := float64(b.Dx()-1)/float64(d.Cols), float64(b.Dy()-1)/float64(d.Rows)
	l.Pitch = (px + py) / 2
	for r := range d.Rows {
		for k := range d.Cols {
			l.Centres = append(l.Centres, image.Pt(b.Min.X+int(math.Round((float64(k)+0.5)*px)), b.Min.Y+int(math.Round((float64(r)+0.5)*py))))
		}
	}
	return l
}

// swatches returns the colours of a palette for the page.
func swatches(ground, marks []screen.Tone) []web.Swatch {
	var list []web.Swatch
	for _, part := range []struct {
		name  string
		tones []screen.Tone
	}{{groundSwatch, ground}, {markSwatch, marks}} {
		for i, t := range part.tones {
			list = append(list, web.Swatch{Name: fmt.Sprintf("%s %d", part.name, i+1), Colour: fmt.Sprintf("#%02x%02x%02x", t.Colour.R, t.Colour.G, t.Colour.B)})
		}
	}
	return list
}

// palette returns the colours of a draft, and reports whether a ground was
// corrected. A colour that was measured keeps its margin.
func palette(d web.Draft, measured []screen.Tone) (screen.Palette, bool, error) {
	var p screen.Palette
	corrected := false
	for _, s := range d.Colours {
		c, err := s.RGBA()
		if err != nil {
			return p, false, err
		}
		tone := screen.Tone{Colour: c, Margin: usualMargin}
		known := slices.IndexFunc(measured, func(t screen.Tone) bool { return sameColour(t.Colour, c) })
		if known >= 0 {
			tone = measured[known]
		}
		if strings.HasPrefix(s.Name, groundSwatch) {
			corrected = corrected || known < 0
			p.Ground = append(p.Ground, tone)
		} else {
			p.Marks = append(p.Marks, tone)
		}
	}
	return p, corrected, nil
}

// usualRadius is the radius of marks where none is measured, in pitches.
const usualRadius = 0.3

// usualMargin is the margin of a colour that a person chose, in each channel.
const usualMargin = 24

func sameColour(a, b color.RGBA) bool { return a.R == b.R && a.G == b.G && a.B == b.B }

// profile makes a profile of a draft and its picture, on which the board lies as
// the layout says and has the game's own look or another.
func (c calibrator) profile(frame *image.RGBA, game solvers.Game, d web.Draft, l screen.Layout, own bool) (*calibration.Profile, error) {
	size := frame.Bounds().Size()
	p := &calibration.Profile{Game: game.Name(), Phone: calibration.Phone{Frame: size, Rotation: -1}}
	measured := calibration.Ground(frame, l)
	var corrected bool
	var err error
	if p.Palette, corrected, err = palette(d, measured); err != nil {
		return nil, err
	}
	if len(p.Palette.Ground) == 0 {
		p.Palette.Ground = measured
	}
	marks, err := vision.Marks(frame, l.Board.Inset(-int(l.Pitch/10)), p.Palette.Ground)
	if err != nil {
		return nil, err
	}
	samples := []calibration.Sample{{Frame: frame, Layout: l, Marks: marks}}
	p.Board = calibration.Room(samples)
	light := screen.Light(p.Palette.Ground[0].Colour)
	if !own && (light == game.Spec().Dark || corrected) {
		p.Reading = calibration.Reading{Light: light, MarkRadius: calibration.MarkRadius(samples)}
		p.Reading.RingInner, p.Reading.RingOuter = calibration.RingOf(samples, p.Palette.Ground)
		if p.Reading.Own() {
			// No mark stands out from that ground. It is what the person says
			// all the same, and the game's own colours are not.
			p.Reading.MarkRadius = usualRadius
		}
	}
	if len(p.Palette.Marks) == 0 {
		p.Palette.Marks = calibration.MarkTones(samples, (p.Reading.RingInner+p.Reading.RingOuter)/2)
	}
	return p, addButtons(p, d)
}

// addButtons puts a draft's buttons into its profile.
func addButtons(p *calibration.Profile, d web.Draft) error {
	size := p.Phone.Frame
	for _, b := range d.Buttons {
		if names := calibration.ButtonNames(); !slices.Contains(names, b.Name) {
			return fmt.Errorf("the button %q, expected one of %s", b.Name, strings.Join(names, ", "))
		}
		if p.Buttons == nil {
			p.Buttons = map[string]calibration.Point{}
		}
		p.Buttons[b.Name] = calibration.PointAt(image.Pt(b.At[0], b.At[1]), size)
	}
	return nil
}

// profileOf makes the profile of a board as it is shown.
func (c calibrator) profileOf(frame *image.RGBA, game solvers.Game, shown web.Sight, own bool) (*calibration.Profile, error) {
	if !shown.Draft.Signs {
		return c.profile(frame, game, shown.Draft, shown.Seen.Layout, own)
	}
	p := signsProfile(frame, game, shown.Draft)
	p.Alike = fit.ColoursOf(pictureOf(frame, shown.Draft), shown.Seen)
	return p, addButtons(p, shown.Draft)
}

// pictureOf is a picture with what a draft says of it.
func pictureOf(frame *image.RGBA, d web.Draft) fit.Picture {
	p := fit.Picture{Name: "the picture", Frame: frame, Rotation: -1, Rows: d.Rows, Cols: d.Cols, Board: d.Bounds(), Levels: d.Levels()}
	for _, pair := range d.Alike {
		p.Alike = append(p.Alike, [2]image.Point{image.Pt(pair[0][0], pair[0][1]), image.Pt(pair[1][0], pair[1][1])})
	}
	return p
}

// signsProfile is the profile of a draft whose cells are told by which look alike.
func signsProfile(frame *image.RGBA, game solvers.Game, d web.Draft) *calibration.Profile {
	size := frame.Bounds().Size()
	p := &calibration.Profile{Game: game.Name(), Phone: calibration.Phone{Frame: size, Rotation: -1}, Reading: calibration.Reading{Signs: true}}
	layout := screen.Layout{On: screen.Frame{Size: size, Rotation: -1}, Board: d.Bounds()}
	p.Board = calibration.Room([]calibration.Sample{{Frame: frame, Layout: layout}})
	p.Board.Rows, p.Board.Cols = d.Rows, d.Cols
	return p
}

// bySigns reads a board by its cells that look alike, in the place that a draft gives
// it. Rows and columns that are open are found out; colours have no part in it.
func (c calibrator) bySigns(ctx context.Context, frame *image.RGBA, game solvers.Game, d web.Draft) (web.Sight, error) {
	d.Signs, d.Colours = true, nil
	sight := web.Sight{Draft: d}
	seen, err := fit.ObserveStated(pictureOf(frame, d), game)
	if err != nil {
		return sight, err
	}
	if seen.Layout.Rows == 0 {
		sight.Reason = "say how many rows and columns the board has"
		if d.Rows > 0 && d.Cols > 0 {
			sight.Reason = seen.Doubts[0] + ": drag the corners to those of the first and the last cell, look at the rows and columns, and tap two marks that belong together"
		}
		return sight, nil
	}
	sight.Seen, sight.Draft.Rows, sight.Draft.Cols = seen, seen.Layout.Rows, seen.Layout.Cols
	if sight.Puzzle, err = game.Read(seen); err != nil {
		sight.Puzzle, sight.Reason = nil, wording.Of(err)
		return sight, nil
	}
	return c.solved(ctx, game, sight)
}

// Save writes the profile, when the picture is read by it as the page shows it.
func (c calibrator) Save(ctx context.Context, frame *image.RGBA, game solvers.Game, serial string, d web.Draft) (string, error) {
	shown, own, err := c.read(ctx, frame, game, d)
	if err != nil {
		return "", err
	}
	if shown.Puzzle == nil || shown.Reason != "" {
		return "", fmt.Errorf("nothing written: %s", shown.Reason)
	}
	profile, err := c.profileOf(frame, game, shown, own)
	if err != nil {
		return "", err
	}
	profile.Levels = d.Levels()
	if serial != "" {
		client, err := c.opener.Client()
		if err != nil {
			return "", err
		}
		device, err := client.Open(ctx, serial)
		if err != nil {
			return "", err
		}
		profile.Phone.Model = device.Model
	}
	file, err := c.opener.Profiles.FileFor(profile)
	if err != nil {
		return "", err
	}
	known, err := profiles.Load(file)
	if err != nil {
		return "", err
	}
	if known != nil {
		if profile, err = calibration.Refine(known, profile); err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
	}
	// What is written must be what was shown.
	if profile, err = calibration.Parse(file, profile.YAML()); err != nil {
		return "", err
	}
	on := screen.Frame{Size: frame.Bounds().Size(), Rotation: -1}
	seen, err := calibrated.By(profile).Observe(frame, on, game.Spec())
	if err != nil {
		return "", err
	}
	puzzle, err := game.Read(seen)
	if err == nil {
		puzzle, err = d.Levels().Of(game, puzzle)
	}
	if err == nil && puzzle.String() != shown.Puzzle.String() {
		err = errors.New("another board is read by it")
	}
	if err != nil {
		return "", fmt.Errorf("nothing written: by this profile the picture is refused: %w", err)
	}
	if err := profile.WriteTo(file); err != nil {
		return "", err
	}
	return file, nil
}
