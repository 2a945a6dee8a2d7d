package calibrate

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"
	"time"

	"tapwise/calibration"
	"tapwise/cmd/internal/calibrate/fit"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/play/run"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/screen"
)

// Options say what is known beforehand, and what is to be measured on the phone.
type Options struct {
	Rows, Cols int      // of the boards on the pictures; 0 is found out
	Board      string   // where the board lies, X0,Y0,X1,Y1 in pixels; empty is found out
	Alike      []string // marks that belong together though they do not look alike, each as A1=C3
	Buttons    []string // where buttons are, each as NAME=X:Y in pixels
	Model      string   // of the phone that the profile is for; empty: the phone's, or any
	App        string   // the app's version that it is for; empty is any
	Levels     solvers.Levels
	Touch      bool   // measure where touches land
	Timing     bool   // time the ways to capture and to touch
	File       string // the profile's; empty: named after game, model and frame among the user's
	Fresh      bool   // begin anew instead of refining the profile that is there
}

// Session makes one profile.
type Session struct {
	Options
	Opener run.Opener
	Serial string       // of the phone; empty: the only one there is
	Game   solvers.Game // nil: found out
	// Ask asks a person for a line, which is empty at the end of the input. Nil asks
	// nothing.
	Ask func(question string) string
	// Named finds the game that a person named.
	Named func(name string) (solvers.Game, error)
	Tell  Teller

	device   *run.Phone // nil when pictures are calibrated on
	known    fit.Picture
	pictures []fit.Picture
}

// Teller is told how a session comes along.
type Teller interface {
	// Recognised tells which game a picture turned out to be of.
	Recognised(picture string, game solvers.Game)
	// Unclear tells what could not be found out, before a person is asked for it.
	Unclear(err error)
	// Touched tells where touches landed on frames of a size in pixels.
	Touched(touched fit.Touched, frame image.Point)
	// Timed tells how long one way to capture or to touch took.
	Timed(t Timing) error
	// Settled tells how long animations last after a stroke.
	Settled(after time.Duration)
}

// maxSide is the most rows or columns that a board may be said to have.
const maxSide = 64

// Begin checks the options. Pictures are added after it.
func (s *Session) Begin() error {
	board, err := parseRectangle(s.Board)
	if err != nil {
		return err
	}
	for _, n := range []int{s.Rows, s.Cols} {
		if n < 0 || n > maxSide {
			return cause.Inputf("calibrate: --rows and --cols are %d and %d, expected 0 to %d", s.Rows, s.Cols, maxSide)
		}
	}
	s.known = fit.Picture{Rows: s.Rows, Cols: s.Cols, Board: board, Rotation: -1, Levels: s.Levels}
	if len(s.Alike) > 0 && (board.Empty() || s.Rows == 0 || s.Cols == 0) {
		return cause.Inputf("calibrate: --alike names cells, expected --board, --rows and --cols with it")
	}
	s.known.Alike, err = parseAlike(s.Alike, s.Rows, s.Cols)
	return err
}

// Add adds a picture to calibrate on.
func (s *Session) Add(name string, frame *image.RGBA) {
	now := s.known
	now.Name, now.Frame = name, frame
	s.pictures = append(s.pictures, now)
}

// Capture opens the phone and adds a frame of its screen.
func (s *Session) Capture(ctx context.Context) error {
	device, err := s.Opener.Phone(ctx, s.Serial, run.AsItIs)
	if err != nil {
		return err
	}
	s.device = &device
	frame, on, err := device.Capture(ctx)
	if err != nil {
		return cause.Phone(err)
	}
	s.Add("the phone's screen", frame)
	s.pictures[len(s.pictures)-1].Rotation = on.Rotation
	return nil
}

// Measure makes the profile of the pictures that were added. The error is a *solvers.ReadError
// if a picture, or what was measured, does not make a profile. While the phone is touched it is
// held for this process.
func (s *Session) Measure(ctx context.Context) (_ *Result, failure error) {
	for _, p := range s.pictures {
		if b := p.Board; !b.In(p.Frame.Bounds()) {
			return nil, outside(p, s.Board)
		}
	}
	if s.Touch || s.Timing {
		release, err := s.Opener.Hold(ctx, s.device.Device)
		if err != nil {
			return nil, err
		}
		defer func() { failure = errors.Join(failure, release()) }()
	}
	if s.Game == nil {
		var err error
		if s.Game, err = s.whichGame(ctx); err != nil {
			return nil, err
		}
	}
	measured, fitted, err := s.fit(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.complete(measured); err != nil {
		return nil, err
	}
	if err := s.measureDevice(ctx, measured, fitted); err != nil {
		return nil, err
	}
	return s.refine(ctx, measured, fitted)
}

// refine joins what was measured with the profile that is there, and proves the
// result on the pictures.
func (s *Session) refine(ctx context.Context, measured *calibration.Profile, fitted []fit.Fitted) (*Result, error) {
	r := &Result{File: s.File, Profile: measured, Fitted: fitted}
	var err error
	if r.File == "" {
		if r.File, err = s.Opener.Profiles.FileFor(measured); err != nil {
			return nil, err
		}
	}
	if !s.Fresh {
		if r.Known, err = profiles.Load(r.File); err != nil {
			return nil, err
		}
	}
	if r.Known != nil {
		if r.Profile, err = calibration.Refine(r.Known, measured); err != nil {
			return nil, cause.Inputf("%s: %w", r.File, err)
		}
		if r.Fitted, err = fit.Prove(ctx, s.Game, r.Profile, fitted); err != nil {
			return nil, s.refused(err)
		}
	}
	// What is written must be what was proved.
	r.Profile, err = calibration.Parse(r.File, r.Profile.YAML())
	return r, err
}

// whichGame returns the one game that reads a picture, automatically or by a
// profile. A theme that no game knows does not tell.
func (s *Session) whichGame(ctx context.Context) (solvers.Game, error) {
	model := s.Model
	if s.device != nil {
		model = s.device.Model
	}
	var reason error
	for _, p := range s.pictures {
		sight, err := s.Opener.Reader().Frame(ctx, p.Frame, screen.Frame{Size: p.Frame.Bounds().Size(), Rotation: p.Rotation}, nil, model)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err == nil:
			s.Tell.Recognised(p.Name, sight.Game)
			return sight.Game, nil
		case reason == nil:
			reason = fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	game, byBoard := s.byBoard(ctx)
	if game != nil {
		s.Tell.Recognised(s.pictures[0].Name, game)
		return game, nil
	}
	if s.Ask != nil {
		return s.Named(s.Ask("Which game is it, as `tapwise games` names it? "))
	}
	if byBoard != nil {
		reason = byBoard
	}
	return nil, cause.Inputf("calibrate: which game it is could not be told, say it with --game (%w)", reason)
}

// byBoard returns the one game to whose boards of any look the pictures can be fitted
// with what is known of them, be it only with levels of another kind. Where there is
// none, the error says what to state for it. A fit by lines and marks is not enough:
// other games were not asked for theirs.
func (s *Session) byBoard(ctx context.Context) (solvers.Game, error) {
	var fits []solvers.Game
	var reason error
	for _, game := range all.Games() {
		if !game.About().ReadsSigns {
			continue
		}
		var levels *fit.LevelsError
		profile, _, err := fit.Profile(ctx, game, s.pictures)
		switch {
		case err == nil && profile.Reading.Signs, errors.As(err, &levels) && len(levels.Seen.Signs) > 0:
			fits = append(fits, game)
		case err != nil:
			reason = fmt.Errorf("as a level of %s: %w", game.Name(), s.refused(err))
		}
	}
	if len(fits) != 1 {
		return nil, reason
	}
	return fits[0], nil
}

// parseAlike reads pairs of cells such as A1=C3 of a board of a size: the letter of a
// column and the number of a row, from A1.
func parseAlike(texts []string, rows, cols int) ([][2]image.Point, error) {
	var pairs [][2]image.Point
	for _, text := range texts {
		first, second, _ := strings.Cut(strings.ToUpper(text), "=")
		var pair [2]image.Point
		for i, name := range []string{first, second} {
			letters := strings.TrimRight(name, "0123456789")
			row, err := strconv.Atoi(name[len(letters):])
			col := 0
			for _, letter := range letters {
				col = col*26 + int(letter-'A') + 1
				if letter < 'A' || letter > 'Z' || col > maxSide {
					col = 0
					break
				}
			}
			if err != nil || row < 1 || row > rows || col < 1 || col > cols {
				return nil, cause.Inputf("calibrate: --alike %q, expected two cells of a board of %d columns and %d rows, as A1=C3", text, cols, rows)
			}
			pair[i] = image.Pt(col-1, row-1)
		}
		if pair[0] == pair[1] {
			return nil, cause.Inputf("calibrate: --alike %q, expected two cells", text)
		}
		pairs = append(pairs, pair)
	}
	return pairs, nil
}

// parseRectangle reads X0,Y0,X1,Y1; the empty text is the empty rectangle.
func parseRectangle(text string) (image.Rectangle, error) {
	if text == "" {
		return image.Rectangle{}, nil
	}
	const least = 16 // pixels between two sides
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
	if len(parts) != 4 || slices.Min(n[:]) < 0 || n[2]-n[0] < least || n[3]-n[1] < least {
		return image.Rectangle{}, cause.Inputf("calibrate: board %q, expected X0,Y0,X1,Y1 in pixels, at least %d apart", text, least)
	}
	return image.Rect(n[0], n[1], n[2], n[3]), nil
}

// refused marks an error of fitting for the exit code, and says what to state.
func (s *Session) refused(err error) error {
	var misread *fit.RefusedError
	if !errors.As(err, &misread) {
		return err
	}
	if errors.Is(err, solvers.ErrNoCover) {
		return cause.Inputf("calibrate: --cover=false: %w", err)
	}
	return &solvers.ReadError{Reason: "nothing written: " + err.Error() + s.missing(misread)}
}

// missing says which flag states what a picture does not show, in the order in which a
// person is asked for it.
func (s *Session) missing(refused *fit.RefusedError) string {
	var levels *fit.LevelsError
	var cells *fit.CellsError
	i := s.indexOf(refused.Picture)
	switch {
	case errors.As(refused, &cells):
		return "\nNothing that can be stated of the board tells more of its cells."
	case errors.As(refused, &levels):
		return fmt.Sprintf("\nThe board read is\n%v\nIf the picture shows that, %s.", levels.Puzzle, levelsFlag(levels.Levels))
	case i < 0:
		return ""
	case s.pictures[i].Board.Empty():
		return "\nSay where the board lies: --board X0,Y0,X1,Y1, in pixels of the picture from its upper left corner; X0,Y0 is the upper left corner of the board's first cell, X1,Y1 the lower right corner of its last. Picture viewers show these numbers, and so does the page Calibrate of `tapwise serve`, where the rectangle is dragged."
	case s.pictures[i].Rows == 0 || s.pictures[i].Cols == 0:
		return "\nSay how many cells the board has: --rows N --cols N."
	case len(s.pictures[i].Alike) == 0 && (s.Game == nil || s.Game.About().ReadsSigns):
		return "\nLook whether --board, --rows and --cols are right. Where they are, say which marks belong together: --alike A1=C3, the letter of a column and the number of a row of each."
	}
	return ""
}

// levelsFlag says by which flags levels of a kind are stated.
func levelsFlag(levels solvers.Levels) string {
	if levels.Uncovered {
		return "this app's levels need not be filled: pass --cover=false"
	}
	return "this app's levels may have several solutions: pass --unique=false"
}

// indexOf returns the index of a picture by its name, -1 when there is none.
func (s *Session) indexOf(name string) int {
	return slices.IndexFunc(s.pictures, func(p fit.Picture) bool { return p.Name == name })
}

// fit makes a profile of the pictures, and asks for what they do not tell, one thing
// after the other, until they are read or the person gives up.
func (s *Session) fit(ctx context.Context) (*calibration.Profile, []fit.Fitted, error) {
	for {
		profile, fitted, err := fit.Profile(ctx, s.Game, s.pictures)
		var unclear *fit.RefusedError
		if s.Ask == nil || !errors.As(err, &unclear) || ctx.Err() != nil {
			return profile, fitted, s.refused(err)
		}
		i := s.indexOf(unclear.Picture)
		if i < 0 {
			return nil, nil, s.refused(err)
		}
		s.Tell.Unclear(err)
		known, askErr := s.ask(unclear, &s.pictures[i])
		if askErr != nil {
			return nil, nil, askErr
		}
		if !known {
			return nil, nil, s.refused(err)
		}
	}
}

// ask asks a person for the next thing that a refused picture does not show, and
// reports whether it was told.
func (s *Session) ask(refused *fit.RefusedError, p *fit.Picture) (bool, error) {
	var levels *fit.LevelsError
	var cells *fit.CellsError
	switch {
	case errors.As(refused, &cells):
		return false, nil
	case errors.As(refused, &levels):
		if !yes(s.Ask(fmt.Sprintf("%v\nDoes the picture show this board, and can %s? [y/N] ", levels.Puzzle, levelsQuestion(levels.Levels)))) {
			return false, nil
		}
		for i := range s.pictures {
			s.pictures[i].Levels = levels.Levels
		}
		return true, nil
	case p.Board.Empty():
		answer := s.Ask("Where does the board lie, as X0,Y0,X1,Y1 in pixels: the upper left corner of its first cell and the lower right corner of its last? [give up] ")
		var err error
		p.Board, err = parseRectangle(answer)
		if err == nil && !p.Board.In(p.Frame.Bounds()) {
			err = outside(*p, answer)
		}
		return !p.Board.Empty(), err
	case p.Rows == 0 || p.Cols == 0:
		for _, question := range []struct {
			text  string
			value *int
		}{{"How many rows has the board there? [give up] ", &p.Rows}, {"How many columns? [give up] ", &p.Cols}} {
			n, err := strconv.Atoi(s.Ask(question.text))
			if err != nil || n < 1 || n > maxSide {
				return false, nil
			}
			*question.value = n
		}
		return true, nil
	case len(p.Alike) == 0 && s.Game.About().ReadsSigns:
		var err error
		p.Alike, err = parseAlike(strings.Fields(s.Ask("Which marks belong together, as A1=C3 (column and row), with spaces between pairs? [give up] ")), p.Rows, p.Cols)
		return len(p.Alike) > 0, err
	}
	return false, nil
}

// levelsQuestion asks whether an app has levels of a kind.
func levelsQuestion(levels solvers.Levels) string {
	if levels.Uncovered {
		return "levels of this app be complete without every cell covered"
	}
	return "levels of this app have several solutions"
}

// yes reports whether an answer is yes.
func yes(answer string) bool {
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
}

// outside is the error for a board that does not lie within its picture.
func outside(p fit.Picture, board string) error {
	return cause.Inputf("%s: --board %s lies outside the frame of %s pixels", p.Name, board, calibration.SizeOf(p.Frame.Bounds().Size()))
}

// complete adds what pictures cannot tell.
func (s *Session) complete(p *calibration.Profile) error {
	p.Phone.Model, p.App = s.Model, s.App
	if s.device != nil && p.Phone.Model == "" {
		p.Phone.Model = s.device.Model
	}
	if s.Ask != nil && s.device == nil && p.Phone.Model == "" {
		p.Phone.Model = s.Ask("Which phone is it, as `tapwise devices` names its model? [any] ")
	}
	if p.Buttons == nil {
		p.Buttons = map[string]calibration.Point{}
	}
	size := p.Phone.Frame
	for _, text := range s.Buttons {
		name, place, _ := strings.Cut(text, "=")
		x, y, _ := strings.Cut(place, ":")
		px, errX := strconv.Atoi(x)
		py, errY := strconv.Atoi(y)
		if errX != nil || errY != nil || !slices.Contains([]string{"next", "restart", "close"}, name) || !image.Pt(px, py).In(image.Rectangle{Max: size}) {
			return cause.Inputf("calibrate: --button %q, expected next, restart or close as NAME=X:Y within %s pixels", text, calibration.SizeOf(size))
		}
		p.Buttons[name] = calibration.PointAt(image.Pt(px, py), size)
	}
	return nil
}
