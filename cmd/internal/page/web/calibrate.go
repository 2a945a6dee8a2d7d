package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"image"
	"image/color"
	"math"
	"net/http"
	"regexp"
	"slices"
	"sync"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Draft is a calibration in progress: what a person says about a game's screen.
// Zero values are found out.
type Draft struct {
	Board   [4]int   `json:"board"` // left, top, right, bottom, in pixels
	Rows    int      `json:"rows"`
	Cols    int      `json:"cols"`
	Buttons []Button `json:"buttons"`
	Colours []Swatch `json:"colours"`
	// Signs: the cells are told by which of them look alike, not by lines and colours.
	Signs bool `json:"signs"`
	// Several and Uncovered say how the app's levels differ from the game's own: they may
	// have several solutions, and need not be filled.
	Several   bool `json:"several"`
	Uncovered bool `json:"uncovered"`
	// Alike are pairs of cells, column and row from 0, whose marks belong together though
	// they do not look alike.
	Alike [][2][2]int `json:"alike"`
}

// Levels is how the app's levels differ from the game's own.
func (d Draft) Levels() solvers.Levels {
	return solvers.Levels{Several: d.Several, Uncovered: d.Uncovered}
}

// Bounds is the board's place in pixels; empty when it is to be found.
func (d Draft) Bounds() image.Rectangle {
	return image.Rect(d.Board[0], d.Board[1], d.Board[2], d.Board[3])
}

// Button is a place to tap, with the game's name for it.
type Button struct {
	Name string `json:"name"`
	At   [2]int `json:"at"`
}

// Swatch is a colour and what it means.
type Swatch struct {
	Name   string `json:"name"`
	Colour string `json:"colour"` // #rrggbb
}

// RGBA is the swatch's colour.
func (s Swatch) RGBA() (color.RGBA, error) {
	if !swatchColour.MatchString(s.Colour) {
		return color.RGBA{}, refuse(http.StatusBadRequest, "colour %q of %q, expected #rrggbb", s.Colour, s.Name)
	}
	var v [3]uint8
	for i := range v {
		for _, digit := range []byte(s.Colour[1+2*i : 3+2*i]) {
			v[i] <<= 4
			if digit >= 'a' {
				v[i] += digit - 'a' + 10
			} else {
				v[i] += digit - '0'
			}
		}
	}
	return color.RGBA{v[0], v[1], v[2], 255}, nil
}

// Sight is the result of looking at a frame with a draft.
type Sight struct {
	Draft  Draft // as used, with the open values filled in
	Seen   *screen.Observation
	Puzzle solvers.Puzzle // nil when none was read
	Reason string         // why no puzzle was read
}

// Calibration reads frames with the help of a draft, and keeps it.
type Calibration interface {
	// Read looks at a frame. A board that cannot be read is no error: the sight has
	// the reason.
	Read(ctx context.Context, frame *image.RGBA, game solvers.Game, d Draft) (Sight, error)
	// Save writes the profile of a game on the phone with that serial (empty: any
	// phone with such a screen), and returns the file's name.
	Save(ctx context.Context, frame *image.RGBA, game solvers.Game, serial string, d Draft) (file string, err error)
}

var (
	swatchColour = regexp.MustCompile(`^#[0-9a-f]{6}$`)
	plainName    = regexp.MustCompile(`^[a-z]{1,20}$`)
)

// pictures are the last few pictures used for calibration.
type pictures struct {
	mu   sync.Mutex
	list []*still
}

// still is a picture used for calibration.
type still struct {
	id     string
	serial string // of the phone that it came from, empty for a file
	shot
}

func (s *Server) keep(frame *image.RGBA, serial string) *still {
	p := &still{id: rand.Text(), serial: serial, shot: shot{version: 1, frame: frame, whole: true}}
	s.pictures.mu.Lock()
	defer s.pictures.mu.Unlock()
	s.pictures.list = append(s.pictures.list, p)
	pixels := 0
	for i, kept := range slices.Backward(s.pictures.list) {
		pixels += pixelsOf(kept.frame.Rect.Size())
		if kept != p && (pixels > keptPixels || len(s.pictures.list)-i > keptShots) {
			s.pictures.list = slices.Clone(s.pictures.list[i+1:])
			break
		}
	}
	return p
}

func (s *Server) still(r *http.Request) (*still, error) {
	s.pictures.mu.Lock()
	defer s.pictures.mu.Unlock()
	for _, p := range s.pictures.list {
		if p.id == r.PathValue("id") {
			return p, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "the picture is no longer kept; open it again")
}

// pictureAnswer identifies a picture that is kept.
type pictureAnswer struct {
	ID     string `json:"id"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

func (p *still) answer() pictureAnswer {
	size := p.frame.Bounds().Size()
	return pictureAnswer{p.id, size.X, size.Y}
}

// upload receives a picture from the page.
func (s *Server) upload(r *http.Request) (any, error) {
	if s.Decode == nil || s.Calibration == nil {
		return nil, refuse(http.StatusNotFound, "this page was started without eyes")
	}
	frame, err := s.receive(r)
	if err != nil {
		return nil, err
	}
	return s.keep(frame, "").answer(), nil
}

// takePicture captures a frame to calibrate on.
func (s *Server) takePicture(r *http.Request) (any, error) {
	p, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.LookTime)
	defer cancel()
	if p.busy() {
		return nil, refuse(http.StatusConflict, "%s is being played on", p.serial)
	}
	release, err := s.turns.open()
	if err != nil {
		return nil, err
	}
	defer release()
	frame, _, _, err := s.phones().Capture(ctx, p.serial)
	if err != nil {
		return nil, refuse(http.StatusBadGateway, "%v", err)
	}
	return s.keep(frame, p.serial).answer(), nil
}

// picture answers with a picture used for calibration.
func (s *Server) picture(w http.ResponseWriter, r *http.Request) {
	p, err := s.still(r)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	data, err := p.picture(s.Encode)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	sendPicture(w, data)
}

// Recognise reads the puzzle in a picture, of whichever game it is.
type Recognise func(ctx context.Context, frame *image.RGBA) (solvers.Game, solvers.Puzzle, error)

// puzzleInPicture reads the puzzle in a picture that was sent.
func (s *Server) puzzleInPicture(r *http.Request) (any, error) {
	p, err := s.still(r)
	if err != nil {
		return nil, err
	}
	if s.Recognise == nil {
		return nil, refuse(http.StatusNotFound, "this page was started without eyes")
	}
	release, err := s.turns.read(r.Context(), pixelsOf(p.frame.Rect.Size()))
	if err != nil {
		return nil, err
	}
	defer release()
	game, puzzle, err := s.Recognise(r.Context(), p.frame)
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	puzzle = drawable(puzzle)
	s.recent.keep(game.Name(), puzzle)
	return boardOf(game, puzzle), nil
}

// draftRequest is a draft sent by the page.
type draftRequest struct {
	Game string `json:"game"`
	Draft
}

// sightAnswer is the page's view of a Sight.
type sightAnswer struct {
	Draft
	Overlay *overlay `json:"overlay"`
	Scene   *scene   `json:"scene,omitempty"` // the board
	Board   string   `json:"text,omitempty"`  // as the game writes it
	Cells   []string `json:"cells"`           // the colour in each cell's middle, #rrggbb, row by row
	Reason  string   `json:"reason,omitempty"`
}

// draft reads a draft from a request, with its picture and game.
func (s *Server) draft(r *http.Request) (*still, solvers.Game, Draft, error) {
	var q draftRequest
	p, err := s.still(r)
	if err != nil {
		return nil, nil, q.Draft, err
	}
	if err := readJSON(r, &q); err != nil {
		return nil, nil, q.Draft, err
	}
	game, err := s.game(q.Game)
	if err != nil {
		return nil, nil, q.Draft, err
	}
	if game == nil {
		return nil, nil, q.Draft, refuse(http.StatusBadRequest, "no game chosen")
	}
	return p, game, q.Draft, q.check(p.frame.Bounds())
}

// check refuses a draft that fits no screen.
func (d Draft) check(frame image.Rectangle) error {
	board := image.Rectangle{Min: image.Pt(d.Board[0], d.Board[1]), Max: image.Pt(d.Board[2], d.Board[3])}
	switch {
	case d.Rows < 0 || d.Rows > 64 || d.Cols < 0 || d.Cols > 64:
		return refuse(http.StatusBadRequest, "%d rows and %d columns, expected 1 to 64", d.Rows, d.Cols)
	case d.Board != [4]int{} && (board.Empty() || !board.In(frame)):
		return refuse(http.StatusBadRequest, "the board %v, expected within the picture %v", board, frame)
	case d.Board != [4]int{} && (board.Dx() < 4*max(1, d.Cols) || board.Dy() < 4*max(1, d.Rows)):
		return refuse(http.StatusBadRequest, "%d rows and %d columns on %dx%d pixels, expected cells of at least 4", d.Rows, d.Cols, board.Dx(), board.Dy())
	case len(d.Alike) > 64:
		return refuse(http.StatusBadRequest, "%d pairs of marks, expected at most 64", len(d.Alike))
	case len(d.Buttons) > 20 || len(d.Colours) > 100:
		return refuse(http.StatusBadRequest, "%d buttons and %d colours, expected at most 20 and 100", len(d.Buttons), len(d.Colours))
	}
	for _, b := range d.Buttons {
		if !plainName.MatchString(b.Name) || !image.Pt(b.At[0], b.At[1]).In(frame) {
			return refuse(http.StatusBadRequest, "the button %q at %v, expected a name of letters a to z within the picture", b.Name, b.At)
		}
	}
	for _, c := range d.Colours {
		if _, err := c.RGBA(); err != nil {
			return err
		}
		if len(c.Name) == 0 || len(c.Name) > 20 {
			return refuse(http.StatusBadRequest, "the colour %q, expected a name of up to 20 bytes", c.Name)
		}
	}
	return nil
}

func (s *Server) reread(r *http.Request) (any, error) {
	p, game, d, err := s.draft(r)
	if err != nil {
		return nil, err
	}
	release, err := s.turns.read(r.Context(), pixelsOf(p.frame.Rect.Size()))
	if err != nil {
		return nil, err
	}
	defer release()
	sight, err := s.Calibration.Read(r.Context(), p.frame, game, d)
	if err != nil {
		return nil, err
	}
	a := sightAnswer{Draft: sight.Draft, Reason: sight.Reason}
	if a.Buttons == nil {
		a.Buttons = []Button{}
	}
	if a.Colours == nil {
		a.Colours = []Swatch{}
	}
	if a.Alike == nil {
		a.Alike = [][2][2]int{}
	}
	if sight.Seen != nil {
		a.Overlay = drawn(sight.Seen, sight.Puzzle, nil)
		a.Cells = middles(sight.Seen, game.Spec())
	}
	if sight.Puzzle != nil {
		a.Board, a.Scene = sight.Puzzle.String(), boardOf(game, sight.Puzzle).Scene
	}
	return a, nil
}

// middles are the colours measured closest to the cells' middles: that is what can
// be shown of a board that is refused.
func middles(seen *screen.Observation, spec screen.Spec) []string {
	best := -1
	for i, m := range spec.Measures {
		if best < 0 || math.Hypot(m.X, m.Y) < math.Hypot(spec.Measures[best].X, spec.Measures[best].Y) {
			best = i
		}
	}
	colours := []string{}
	for _, readings := range seen.Readings {
		if best >= 0 && best < len(readings) {
			c := readings[best].Colour
			colours = append(colours, fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
		}
	}
	return colours
}

func (s *Server) saveProfile(r *http.Request) (any, error) {
	p, game, d, err := s.draft(r)
	if err != nil {
		return nil, err
	}
	if d.Board == ([4]int{}) || d.Rows == 0 || d.Cols == 0 {
		return nil, refuse(http.StatusBadRequest, "a profile needs the board's place, rows and columns")
	}
	release, err := s.turns.read(r.Context(), pixelsOf(p.frame.Rect.Size()))
	if err != nil {
		return nil, err
	}
	defer release()
	file, err := s.Calibration.Save(r.Context(), p.frame, game, p.serial, d)
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	return map[string]string{"file": file}, nil
}
