package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"

	"tapwise/calibration"
	"tapwise/cmd/internal/eyes/calibrated"
	"tapwise/solvers"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// Picture is a screenshot to calibrate on.
type Picture struct {
	Name     string // the file's name, for messages
	Frame    *image.RGBA
	Rotation int // quarter turns, -1 unknown
	// Rows and Cols are the size of its board, Board its place in pixels; zeros
	// are unknown.
	Rows, Cols int
	Board      image.Rectangle
	// Alike are pairs of cells, column and row from 0, whose marks belong together though
	// they do not look alike.
	Alike [][2]image.Point
	// Levels says how the app's levels differ from the game's own.
	Levels solvers.Levels
}

func (p Picture) on() screen.Frame {
	return screen.Frame{Size: p.Frame.Bounds().Size(), Rotation: p.Rotation}
}

// Fitted is a picture as read with the fitted profile.
type Fitted struct {
	Picture
	Seen     *screen.Observation
	Place    screen.Place
	Puzzle   solvers.Puzzle // nil on a screen with buttons but no board to read
	Solution solvers.Solution
	Marks    []screen.Mark
	// Residuals are those of the lines between the cells if ByLines is set, else
	// those of the marks from their cells' middles.
	Residuals []calibration.Residual
	ByLines   bool
	Automatic bool // it can be read without the profile too
	// Unsolvable: the board has no solution. It is believed because the picture says
	// where it lies and how many cells it has, and every cell was clear.
	Unsolvable bool
}

// String tells in a line what was found on the picture.
func (f Fitted) String() string {
	if f.Puzzle == nil {
		return fmt.Sprintf("%s: %s", f.Name, f.Place.Kind)
	}
	l := f.Seen.Layout
	line := fmt.Sprintf("%s: %d columns, %d rows at %v, pitch %.2f px", f.Name, l.Cols, l.Rows, l.Board, l.Pitch)
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
	if len(f.Seen.Signs) > 0 {
		line += ", by cells that look alike"
	}
	if f.Unsolvable {
		line += ", WITHOUT A SOLUTION: it is believed because its place and size were stated; look whether it was read right"
	}
	return line
}

// RefusedError says why no profile could be made from a picture.
type RefusedError struct {
	Picture string
	Err     error
}

func (e *RefusedError) Error() string { return e.Picture + ": " + e.Err.Error() }
func (e *RefusedError) Unwrap() error { return e.Err }

// CellsError is the error for a board whose place and size are clear: its cells are doubtful,
// and nothing that can be stated changes them.
type CellsError struct{ Err error }

func (e *CellsError) Error() string { return e.Err.Error() }
func (e *CellsError) Unwrap() error { return e.Err }

// SureBoard is the least confidence in a board whose place and size are clear.
const SureBoard = 0.9

// inCells reports whether only a board's cells can be in doubt: its place and size were
// stated or are clear, or its game has no boards whose place can be; and the game does not
// tell boards by cells that look alike, for which other things can be stated.
func (f *fitter) inCells(now Fitted) bool {
	spec, l := f.game.Spec(), now.Seen.Layout
	placed := !slices.Contains(spec.Topologies, screen.Square)
	clear := l.Rows > 0 && now.Seen.Confidence >= SureBoard && len(now.Seen.Doubts) == 0 && now.agrees(l) == nil && (l.Rows == l.Cols || !spec.Equal)
	return !f.game.About().ReadsSigns && (placed || clear || now.stated())
}

// Profile makes a profile from pictures of one game on one phone. Each must show a
// level whose board has exactly one solution, or a panel with buttons; anything
// else is a *RefusedError.
func Profile(ctx context.Context, game solvers.Game, pictures []Picture) (*calibration.Profile, []Fitted, error) {
	if len(pictures) == 0 {
		return nil, nil, errors.New("calibrate: no picture")
	}
	if len(game.Spec().Measures) == 0 {
		return nil, nil, fmt.Errorf("calibrate: %s cannot be read from a screen", game.Name())
	}
	size := pictures[0].Frame.Bounds().Size()
	for _, p := range pictures[1:] {
		if got := p.Frame.Bounds().Size(); got != size {
			return nil, nil, &RefusedError{p.Name, fmt.Errorf("a frame of %dx%d pixels, expected %dx%d as that of %s", got.X, got.Y, size.X, size.Y, pictures[0].Name)}
		}
	}
	f := fitter{ctx: ctx, game: game}
	for _, p := range pictures {
		if err := f.add(p); err != nil {
			return nil, nil, &RefusedError{p.Name, err}
		}
	}
	if len(f.levels) == 0 {
		if err := f.panelsAsLevels(); err != nil {
			return nil, nil, &RefusedError{pictures[0].Name, err}
		}
	}
	profile, err := f.profile(size)
	if err != nil {
		return nil, nil, err
	}
	fitted, err := f.prove(profile)
	var refused *RefusedError
	if errors.As(err, &refused) && !profile.Reading.Signs {
		if signs, again, signsErr := f.bySignsInstead(size); signsErr == nil {
			return signs, again, nil
		}
	}
	return profile, fitted, err
}

// bySignsInstead makes a profile by which all pictures are read by their cells that look
// alike, as the boards that they were read as already.
func (f *fitter) bySignsInstead(size image.Point) (*calibration.Profile, []Fitted, error) {
	signed := fitter{ctx: f.ctx, game: f.game, panels: f.panels}
	for _, level := range f.levels {
		now := level
		now.Automatic = false
		draft, err := f.bySigns(&now)
		if err != nil {
			return nil, nil, &RefusedError{level.Name, err}
		}
		if now.Puzzle.String() != level.Puzzle.String() {
			return nil, nil, &RefusedError{level.Name, errors.New("another board by its cells that look alike")}
		}
		signed.levels, signed.drafts = append(signed.levels, now), append(signed.drafts, draft)
	}
	profile, err := signed.profile(size)
	if err != nil {
		return nil, nil, err
	}
	fitted, err := signed.prove(profile)
	return profile, fitted, err
}

// Prove reads the fitted pictures again with another profile, a refined one: each
// must come out as before. A *RefusedError names the picture that does not.
func Prove(ctx context.Context, game solvers.Game, profile *calibration.Profile, fitted []Fitted) ([]Fitted, error) {
	f := fitter{ctx: ctx, game: game}
	for _, now := range fitted {
		if now.Puzzle == nil {
			f.panels = append(f.panels, now)
		} else {
			f.levels = append(f.levels, now)
		}
	}
	return f.prove(profile)
}

// fitter fits one profile.
type fitter struct {
	ctx    context.Context
	game   solvers.Game
	levels []Fitted
	drafts []*calibration.Profile // the drafts by which each level was read; nil: automatically
	panels []Fitted
}

// add finds out what a picture shows.
func (f *fitter) add(p Picture) error {
	seen, err := vision.Observe(p.Frame, p.on(), f.game.Spec())
	if err != nil {
		return err
	}
	now := Fitted{Picture: p, Seen: seen}
	now.Place = f.game.Locate(seen)
	if now.Place.Kind == screen.Won || now.Place.Kind == screen.Popup {
		f.panels = append(f.panels, now)
		return nil
	}
	return f.level(now)
}

// panelsAsLevels reads the pictures that were taken for panels as levels, where their boards'
// places or sizes were stated: large plain cells may look like a panel, and so may buttons
// beside a board. It fails when there is no level then.
func (f *fitter) panelsAsLevels() error {
	reason := errors.New("a panel, expected at least one picture of a level")
	panels := f.panels
	f.panels = nil
	for _, now := range panels {
		if now.states() {
			err := f.level(now)
			if err == nil {
				continue
			}
			reason = err
		}
		f.panels = append(f.panels, now)
	}
	if len(f.levels) > 0 {
		return nil
	}
	return reason
}

// level reads a picture of a level.
func (f *fitter) level(now Fitted) error {
	automatic := f.read(&now)
	if automatic == nil {
		automatic = now.agrees(now.Seen.Layout)
	}
	if automatic == nil {
		now.Automatic = true
		f.levels, f.drafts = append(f.levels, now), append(f.drafts, nil)
		return nil
	}
	if placed, draft, err := f.asStated(now); err == nil {
		f.levels, f.drafts = append(f.levels, placed), append(f.drafts, draft)
		return nil
	} else if !errors.Is(err, errNotStated) {
		automatic = err
	}
	if errors.Is(automatic, solvers.ErrNoCover) {
		return automatic
	}
	was := now
	now, draft, err := f.otherwise(now, automatic)
	var levels *LevelsError
	switch {
	case err != nil && !errors.As(err, &levels) && f.inCells(was):
		return &CellsError{err}
	case err != nil:
		return err
	}
	f.levels, f.drafts = append(f.levels, now), append(f.drafts, draft)
	return nil
}

// errNotStated means: a picture says nothing of its board, or its game has none of squares.
var errNotStated = errors.New("nothing is stated of the board")

// mostSurplus is the most rows, and columns, beside a board that may be taken for its own.
const mostSurplus = 2

// asStated reads a picture as the board of the game's own look that it is said to show, and
// returns the profile by which it is read. Where its place is not stated, those are tried
// that were found, and parts of them that have so many rows and columns; of several only one
// may make a puzzle.
func (f *fitter) asStated(now Fitted) (Fitted, *calibration.Profile, error) {
	spec := f.game.Spec()
	if !now.states() || !slices.Contains(spec.Topologies, screen.Square) {
		return now, nil, errNotStated
	}
	var places []screen.Layout
	if now.stated() {
		places = []screen.Layout{{Board: now.Board, Rows: now.Rows, Cols: now.Cols}}
	} else {
		spec.Candidates = true
		all, err := vision.Observe(now.Frame, now.on(), spec)
		if err != nil {
			return now, nil, err
		}
		for _, c := range append([]screen.Candidate{{Seen: now.Seen}}, all.Candidates...) {
			places = append(places, now.partsOf(c.Seen.Layout)...)
		}
	}
	var found []Fitted
	var drafts []*calibration.Profile
	reason := errNotStated
	for _, l := range places {
		draft := &calibration.Profile{Phone: calibration.Phone{Frame: now.on().Size}}
		draft.Board = calibration.Room([]calibration.Sample{{Layout: screen.Layout{On: now.on(), Board: l.Board}}})
		draft.Board.Rows, draft.Board.Cols = l.Rows, l.Cols
		try := now
		var err error
		if try.Seen, err = calibrated.By(draft).Observe(now.Frame, now.on(), f.game.Spec()); err != nil {
			return now, nil, err
		}
		if err = try.agrees(try.Seen.Layout); err == nil {
			err = f.read(&try)
		}
		switch {
		case err != nil && errors.Is(reason, errNotStated):
			reason = err
		case err == nil && !slices.ContainsFunc(found, func(o Fitted) bool { return o.Puzzle.String() == try.Puzzle.String() }):
			found, drafts = append(found, try), append(drafts, draft)
		}
	}
	switch len(found) {
	case 0:
		return now, nil, reason
	case 1:
		return found[0], drafts[0], nil
	}
	return now, nil, fmt.Errorf("could be a board at %v or at %v: say where it lies", found[0].Seen.Layout.Board, found[1].Seen.Layout.Board)
}

// partsOf are the boards that a layout of squares may show, of the rows, columns and place
// that the picture is said to have: up to some rows and columns may be none of the board's.
func (p Picture) partsOf(l screen.Layout) (parts []screen.Layout) {
	rows, cols := cmp.Or(p.Rows, l.Rows), cmp.Or(p.Cols, l.Cols)
	if l.Topology != screen.Square || l.Rows == 0 || l.Rows < rows || l.Cols < cols || l.Rows > rows+mostSurplus || l.Cols > cols+mostSurplus {
		return nil
	}
	across, down := float64(l.Board.Dx())/float64(l.Cols), float64(l.Board.Dy())/float64(l.Rows)
	place := func(from float64, n int, step float64) int { return int(math.Round(from + float64(n)*step)) }
	for top := range l.Rows - rows + 1 {
		for left := range l.Cols - cols + 1 {
			x, y := float64(l.Board.Min.X), float64(l.Board.Min.Y)
			part := screen.Layout{Rows: rows, Cols: cols, Pitch: l.Pitch, Board: image.Rect(place(x, left, across), place(y, top, down), place(x, left+cols, across), place(y, top+rows, down))}
			if p.agrees(part) == nil {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

// otherwise reads a picture that automatic reading refused, as one of another theme
// and by its cells that look alike. Where both ways read it, they must agree, unless cells
// show more marks than the theme does.
func (f *fitter) otherwise(now Fitted, automatic error) (Fitted, *calibration.Profile, error) {
	// A board that is seen but doubted, two of them or one cut off, does not get
	// better with another theme; by its cells it may.
	seen := now.Seen
	themed, byTheme := now, automatic
	var theme *calibration.Profile
	if doubted := seen.Layout.Rows > 0 && len(seen.Doubts) > 0; !doubted {
		theme, byTheme = f.foreign(&themed)
	}
	signed := now
	signs, bySigns := f.bySigns(&signed)
	switch {
	case f.ctx.Err() != nil:
		return now, nil, context.Cause(f.ctx)
	case byTheme == nil && bySigns == nil:
		if themed.Puzzle.String() != signed.Puzzle.String() {
			if signed.showsMore(themed) {
				return signed, signs, nil
			}
			a, b := themed.Seen.Layout, signed.Seen.Layout
			return now, nil, fmt.Errorf("could be a board of %d columns and %d rows at %v or of %d and %d at %v", a.Cols, a.Rows, a.Board, b.Cols, b.Rows, b.Board)
		}
		return themed, theme, nil
	case byTheme == nil:
		return themed, theme, nil
	case bySigns == nil:
		return signed, signs, nil
	}
	var levels *LevelsError
	switch {
	case errors.As(bySigns, &levels), errors.As(automatic, &levels), errors.As(byTheme, &levels):
		return now, nil, levels
	}
	if b := seen.Layout.Board; !b.Empty() && (b.Min.X < 2 || b.Max.X > now.Frame.Bounds().Dx()-2) {
		automatic = fmt.Errorf("%w (the board touches the frame's rim: is it cut off?)", automatic)
	}
	if theme == nil && errors.Is(byTheme, automatic) {
		return now, nil, fmt.Errorf("%w; by cells that look alike: %w", automatic, bySigns)
	}
	return now, nil, fmt.Errorf("%w; as another theme: %w; by cells that look alike: %w", automatic, byTheme, bySigns)
}

// agrees checks a layout against what the user said about the board.
func (p Picture) agrees(l screen.Layout) error {
	if p.Rows > 0 && p.Rows != l.Rows || p.Cols > 0 && p.Cols != l.Cols {
		return fmt.Errorf("a board of %d columns and %d rows, expected %d and %d", l.Cols, l.Rows, p.Cols, p.Rows)
	}
	if slack := int(l.Pitch / 3); !p.Board.Empty() && (!l.Board.In(p.Board.Inset(-slack)) || !p.Board.In(l.Board.Inset(-slack))) {
		return fmt.Errorf("a board at %v, expected %v", l.Board, p.Board)
	}
	return nil
}

// read makes a puzzle from an observation, and proves it by its only solution if
// the app's levels have just one.
func (f *fitter) read(now *Fitted) error {
	puzzle, err := f.game.Read(now.Seen)
	if err != nil {
		return err
	}
	if puzzle, err = now.Levels.Of(f.game, puzzle); err != nil {
		return err
	}
	judged, err := solvers.JudgeRead(f.ctx, f.game, now.Levels, puzzle, now.Seen)
	switch { // a measurement needs proof
	case err == nil && judged.Uncovered:
		err = solvers.ErrNoSolution
	case err == nil && judged.Several:
		err = solvers.ErrSeveral
	}
	switch {
	case errors.Is(err, solvers.ErrNoSolution) && len(now.Seen.Signs) > 0 && now.stated():
		now.Unsolvable = true
	case err != nil:
		return f.unproved(now, puzzle, err)
	}
	now.Puzzle, now.Solution = puzzle, judged.Solution
	return nil
}

// unproved is the error for a board whose solutions are no proof that it was read
// right. It says which levels would have such a board.
func (f *fitter) unproved(now *Fitted, puzzle solvers.Puzzle, err error) error {
	levels := now.Levels
	switch {
	case errors.Is(err, solvers.ErrSeveral):
		levels.Several = true
	case errors.Is(err, solvers.ErrNoSolution) && !levels.Uncovered:
		levels.Uncovered = true
		loose, looseErr := levels.Of(f.game, puzzle)
		if looseErr != nil {
			return err
		}
		if _, looseErr = loose.Solve(f.ctx); looseErr != nil {
			return err
		}
	default:
		return err
	}
	return &LevelsError{Puzzle: puzzle, Seen: now.Seen, Levels: levels, Err: err}
}

// LevelsError is the error for a picture that shows a board only if the app's levels are of
// another kind than stated: with several solutions, or not to be filled.
type LevelsError struct {
	Puzzle solvers.Puzzle
	Seen   *screen.Observation // in which it was read
	Levels solvers.Levels      // that have such a board
	Err    error
}

func (e *LevelsError) Error() string { return e.Err.Error() }
func (e *LevelsError) Unwrap() error { return e.Err }

// foreign reads a picture of a theme that is not the game's own.
func (f *fitter) foreign(now *Fitted) (*calibration.Profile, error) {
	frame := now.Frame
	rough := calibration.GroundOf(frame)
	draft := &calibration.Profile{Reading: calibration.Reading{Light: screen.Light(rough.Colour)}}
	draft.Phone.Frame = frame.Bounds().Size()
	draft.Palette.Ground = []screen.Tone{rough}

	spec := f.game.Spec()
	spec.Dark, spec.Either = !draft.Reading.Light, false
	spec.Boxes = false
	seen, err := vision.Observe(frame, now.on(), spec)
	if err != nil {
		return nil, err
	}
	if seen.Layout.Rows > 0 && len(seen.Doubts) > 0 {
		return nil, errors.New(seen.Doubts[0])
	}
	var reasons []error
	if seen.Layout.Rows > 0 {
		if err = f.tryLattice(now, draft, seen.Layout); err == nil {
			return draft, nil
		}
		reasons = append(reasons, err)
	}
	// There are no lines, or none of the board's: only its marks are left.
	bare := *draft
	bare.Reading.NoLines = true
	spec.Hint = &screen.Hint{Palette: draft.Palette, Rows: now.Rows, Cols: now.Cols, Room: now.Board}
	if seen, err = vision.ObserveMarked(frame, now.on(), spec); err != nil {
		return nil, err
	}
	if seen.Layout.Rows == 0 {
		reasons = append(reasons, errors.New(seen.Doubts[0]))
		return nil, errors.Join(reasons...)
	}
	// Rows at the rim may have no marks. The one board that has exactly one
	// solution is the right one.
	var found []calibration.Profile
	var boards []Fitted
	err = fmt.Errorf("a board at %v that does not lie within the frame: it is cut off", seen.Layout.Board)
	for _, l := range f.grown(now, seen.Layout) {
		try, board := bare, *now
		if err = f.tryLattice(&board, &try, l); err == nil {
			found, boards = append(found, try), append(boards, board)
			if l.Rows == seen.Layout.Rows && l.Cols == seen.Layout.Cols {
				break // every rim has a mark: there is no reason for doubt
			}
		}
		if f.ctx.Err() != nil {
			return nil, context.Cause(f.ctx)
		}
	}
	switch len(found) {
	case 0:
		return nil, errors.Join(append(reasons, err)...)
	case 1:
		*now = boards[0]
		return &found[0], nil
	}
	a, b := boards[0].Seen.Layout, boards[1].Seen.Layout
	return nil, fmt.Errorf("could be a board of %d columns and %d rows or of %d and %d: say how many it has", a.Cols, a.Rows, b.Cols, b.Rows)
}

// grown returns a layout and its extensions by up to two more rows above and below,
// or one more column, the smallest first.
func (f *fitter) grown(now *Fitted, l screen.Layout) []screen.Layout {
	if now.Rows > 0 {
		return []screen.Layout{l}
	}
	var all []screen.Layout
	for _, more := range [][4]int{{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0}} {
		g := l
		g.Rows += more[0] + more[1]
		g.Cols += more[2] + more[3]
		step := func(n int) int { return int(math.Round(float64(n) * l.Pitch)) }
		g.Board.Min.Y -= step(more[0])
		g.Board.Max.Y += step(more[1])
		g.Board.Min.X -= step(more[2])
		g.Board.Max.X += step(more[3])
		if g.Cols <= f.game.Spec().MaxSide && g.Rows <= f.game.Spec().MaxSide && g.Board.In(image.Rectangle{Max: l.On.Size}) {
			all = append(all, g)
		}
	}
	return all
}

// tryLattice measures a theme on the cells of a layout, and reads the board with
// it.
func (f *fitter) tryLattice(now *Fitted, draft *calibration.Profile, l screen.Layout) error {
	if err := now.agrees(l); err != nil {
		return err
	}
	size := now.Frame.Bounds().Size()
	l.Centres = centres(l)
	draft.Palette.Ground = calibration.Ground(now.Frame, l)
	if rough := calibration.GroundOf(now.Frame); !draft.Palette.Empty(rough.Colour) {
		draft.Palette.Ground = append(draft.Palette.Ground, rough)
	}
	marks, err := vision.Marks(now.Frame, l.Board.Inset(-int(l.Pitch/10)), draft.Palette.Ground)
	if err != nil {
		return err
	}
	if calibration.Repeated(marks) >= 4 {
		return errors.New("every colour has four marks or more: there is more than one board on the screen")
	}
	sample := calibration.Sample{Frame: now.Frame, Layout: l, Marks: marks}
	samples := []calibration.Sample{sample}
	for _, r := range calibration.Residuals(l, marks) {
		if r.Off > 0.15*l.Pitch {
			return fmt.Errorf("a mark %.0f pixels off its cell's middle, at most %.0f expected", r.Off, 0.15*l.Pitch)
		}
	}
	draft.Reading.MarkRadius = calibration.MarkRadius(samples)
	draft.Reading.RingInner, draft.Reading.RingOuter = calibration.RingOf(samples, draft.Palette.Ground)
	if draft.Reading.RingOuter == 0 {
		return errors.New("no part of the marks has a single colour")
	}
	draft.Palette.Marks = nil
	draft.Board = calibration.Room(samples)
	if draft.Reading.NoLines {
		draft.Board.Rows, draft.Board.Cols = l.Rows, l.Cols
	}
	seen, err := calibrated.By(draft).Observe(now.Frame, screen.Frame{Size: size, Rotation: now.Rotation}, f.game.Spec())
	if err != nil {
		return err
	}
	draft.Board.Rows, draft.Board.Cols = 0, 0
	now.Seen, now.Marks = seen, marks
	return f.read(now)
}

// centres are the centres of the cells of a board of known place and size.
func centres(l screen.Layout) []image.Point {
	var at []image.Point
	for r := range l.Rows {
		for c := range l.Cols {
			at = append(at, image.Pt(
				l.Board.Min.X+(2*c+1)*l.Board.Dx()/(2*l.Cols),
				l.Board.Min.Y+(2*r+1)*l.Board.Dy()/(2*l.Rows)))
		}
	}
	return at
}

// profile combines the results of the pictures.
func (f *fitter) profile(size image.Point) (*calibration.Profile, error) {
	p := &calibration.Profile{Game: f.game.Name(), Phone: calibration.Phone{Frame: size, Rotation: f.levels[0].Rotation}}
	var samples []calibration.Sample
	if slices.ContainsFunc(f.drafts, func(d *calibration.Profile) bool { return d != nil && d.Reading.Signs }) {
		return f.signsProfile(p)
	}
	foreign := slices.ContainsFunc(f.drafts, func(d *calibration.Profile) bool { return d != nil && !d.Reading.Own() })
	for i := range f.levels {
		level := &f.levels[i]
		p.Levels.Several = p.Levels.Several || level.Levels.Several
		p.Levels.Uncovered = p.Levels.Uncovered || level.Levels.Uncovered
		l := level.Seen.Layout
		ground := calibration.Ground(level.Frame, l)
		if d := f.drafts[i]; d != nil && !d.Reading.Own() {
			ground = d.Palette.Ground
		}
		marks, err := vision.Marks(level.Frame, l.Board.Inset(-int(l.Pitch/10)), ground)
		if err != nil {
			return nil, err
		}
		level.Marks = marks
		samples = append(samples, calibration.Sample{Frame: level.Frame, Layout: l, Marks: marks})
		for _, tone := range ground {
			if !slices.ContainsFunc(p.Palette.Ground, func(o screen.Tone) bool { return o.Has(tone.Colour) && o.Margin >= tone.Margin }) {
				p.Palette.Ground = append(p.Palette.Ground, tone)
			}
		}
	}
	p.Board = calibration.Room(samples)
	p.Board.Rows, p.Board.Cols = f.statedSize()
	if foreign {
		for i, d := range f.drafts {
			if d == nil || d.Reading.Own() {
				continue
			}
			if p.Reading.MarkRadius > 0 && (d.Reading.Light != p.Reading.Light || d.Reading.NoLines != p.Reading.NoLines) {
				return nil, &RefusedError{f.levels[i].Name, errors.New("another theme than that of the pictures before")}
			}
			p.Reading = d.Reading
		}
		p.Reading.MarkRadius = calibration.MarkRadius(samples)
		p.Reading.RingInner, p.Reading.RingOuter = calibration.RingOf(samples, p.Palette.Ground)
	}
	p.Palette.Marks = calibration.MarkTones(samples, (p.Reading.RingInner+p.Reading.RingOuter)/2)
	f.addButtons(p)
	return p, nil
}

// statedSize is the rows and columns that all boards have, where one was read only since they
// were stated; else zeros.
func (f *fitter) statedSize() (rows, cols int) {
	first := f.levels[0].Seen.Layout
	for i, d := range f.drafts {
		if l := f.levels[i].Seen.Layout; l.Rows != first.Rows || l.Cols != first.Cols {
			return 0, 0
		}
		if d != nil && d.Reading.Own() {
			rows, cols = first.Rows, first.Cols
		}
	}
	return rows, cols
}

// addButtons puts the places of the panels' buttons into a profile.
func (f *fitter) addButtons(p *calibration.Profile) {
	size := p.Phone.Frame
	for _, panel := range f.panels {
		for _, b := range panel.Place.Buttons {
			if p.Buttons == nil {
				p.Buttons = map[string]calibration.Point{}
			}
			p.Buttons[b.Name] = calibration.PointAt(b.At, size)
		}
	}
}

// measure takes the residuals: of the marks where these lie in the middles of
// cells, as clues do in most games, else of the lines.
func (f *Fitted) measure() {
	l := f.Seen.Layout
	f.ByLines = false
	f.Residuals = calibration.Residuals(l, f.Marks)
	if off := calibration.Off(f.Residuals); len(off) < 3 || off[len(off)/2] > 0.05*l.Pitch {
		if lines := calibration.LineResiduals(f.Frame, l); len(lines) > 0 {
			f.Residuals, f.ByLines = lines, true
		}
	}
}

// prove reads every picture with the profile made from all of them: each must come
// out as it did by itself.
func (f *fitter) prove(p *calibration.Profile) ([]Fitted, error) {
	var proved []Fitted
	for _, level := range f.levels {
		now := level
		now.Levels = p.Levels
		var err error
		if now.Seen, err = calibrated.By(p).Observe(level.Frame, level.on(), f.game.Spec()); err != nil {
			return nil, err
		}
		if err := f.read(&now); err != nil {
			return nil, &RefusedError{level.Name, fmt.Errorf("read alone, but not by the profile of all pictures: %w", err)}
		}
		if now.Puzzle.String() != level.Puzzle.String() {
			return nil, &RefusedError{level.Name, fmt.Errorf("read by the profile of all pictures as\n%s\nand alone as\n%s", now.Puzzle, level.Puzzle)}
		}
		if !p.Reading.Signs { // where marks and lines lie was not asked
			now.measure()
		}
		proved = append(proved, now)
	}
	return append(proved, f.panels...), nil
}
