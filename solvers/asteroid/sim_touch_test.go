package asteroid

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/board"
	"tapwise/solvers/screen"
	"tapwise/solvers/simapp"
)

// TestSimTouch plays the scripts of testdata/touch. A script is a list of
// cases; lines that begin with # are comments.
//
//	case NAME            begins a case
//	puzzle               one more level, up to an empty line
//	tap R,C              taps a place, rows and columns from 0; 0.4 is part of a tile
//	swipe R,C R,C …      the finger comes down, moves from point to point, lifts
//	push BUTTON          taps a button: see simButtonNames
//	slip BUTTON          presses it and lifts the finger elsewhere
//	key back             the BACK key
//	wait TIME            lets time pass
//	size WxH             turns or resizes the screen
//	expect               the board up to an empty line
//	is NAME=VALUE …      what the app says of itself
//	offset R,C Y,X       how far the tile there is from its place, in tiles
func TestSimTouch(t *testing.T) {
	files, err := filepath.Glob("testdata/touch/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in testdata/touch: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range strings.Split("\n"+string(data), "\ncase ") {
			name, body, _ := strings.Cut(text, "\n")
			if i == 0 {
				if strings.Trim(body, "\n") != "" && !strings.HasPrefix(body, "#") {
					t.Fatalf("%s: %q, expected a case", file, body)
				}
				continue
			}
			t.Run(name, func(t *testing.T) {
				script := &touchScript{lines: strings.Split(body, "\n"), size: image.Pt(480, 800)}
				if err := script.run(); err != nil {
					t.Fatalf("%s: case %s: line %d: %v", file, name, script.at, err)
				}
			})
		}
	}
}

// touchScript is one case.
type touchScript struct {
	lines  []string
	at     int // of the next line
	levels []solvers.Puzzle
	app    *simApp
	size   image.Point
	now    time.Duration
}

func (s *touchScript) run() error {
	for s.at < len(s.lines) {
		words := strings.Fields(s.lines[s.at])
		s.at++
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if words[0] == "puzzle" {
			p, err := Parse(s.block())
			if err != nil {
				return err
			}
			s.levels = append(s.levels, p)
			continue
		}
		if s.app == nil {
			app, err := Game{}.Simulate(s.levels, solvers.SimulateOptions{})
			if err != nil {
				return err
			}
			s.app = app.(*simApp)
			s.draw()
		}
		if err := s.command(words[0], words[1:]); err != nil {
			return err
		}
		s.draw()
	}
	return nil
}

// block reads lines up to an empty one.
func (s *touchScript) block() string {
	first := s.at
	for s.at < len(s.lines) && s.lines[s.at] != "" {
		s.at++
	}
	return strings.Join(s.lines[first:s.at], "\n")
}

func (s *touchScript) draw() { s.app.Draw(&recorder{size: s.size}, s.now) }

func (s *touchScript) command(word string, arguments []string) error {
	l := s.app.lay()
	var points [][2]float64
	switch word {
	case "tap", "swipe":
		for _, argument := range arguments {
			row, col, err := pair(argument)
			if err != nil {
				return err
			}
			points = append(points, [2]float64{l.centres[0][0] + col*l.pitch, l.centres[0][1] + row*l.pitch})
		}
	case "push", "slip":
		button, known := simButtonNames[arguments[0]]
		if !known {
			return fmt.Errorf("unknown button %q", arguments[0])
		}
		x, y := l.buttons[button].Centre()
		points = append(points, [2]float64{x, y})
		if word == "slip" {
			points = append(points, [2]float64{x, y - 100})
		}
	case "key":
		s.app.Back(s.now)
	case "wait":
		d, err := time.ParseDuration(arguments[0])
		s.now += d
		return err
	case "size":
		_, err := fmt.Sscanf(arguments[0], "%dx%d", &s.size.X, &s.size.Y)
		return err
	case "expect":
		if want, got := s.block(), s.app.Board(); got != want {
			return fmt.Errorf("the board is\n%s\nexpected\n%s", got, want)
		}
	case "is":
		for _, fact := range arguments {
			name, want, _ := strings.Cut(fact, "=")
			if got := s.fact(name); got != want {
				return fmt.Errorf("%s is %s, expected %s; the board is\n%s", name, got, want, s.app.Board())
			}
		}
	case "offset":
		row, col, err := pair(arguments[0])
		if err != nil {
			return err
		}
		x, y := s.app.offset(size.At(int(row), int(col)), s.now)
		if got := fmt.Sprintf("%.2f,%.2f", y+0, x+0); got != arguments[1] {
			return fmt.Errorf("the tile is off by %s, expected %s", got, arguments[1])
		}
	default:
		return fmt.Errorf("unknown command %q", word)
	}
	for i, at := range points {
		if i == 0 {
			s.app.Touch(screen.TouchDown, at[0], at[1], s.now)
		} else {
			s.app.Touch(screen.TouchMove, at[0], at[1], s.now)
		}
		if i == len(points)-1 {
			s.app.Touch(screen.TouchUp, at[0], at[1], s.now)
		}
	}
	return nil
}

func pair(text string) (row, col float64, err error) {
	if _, err := fmt.Sscanf(text, "%g,%g", &row, &col); err != nil {
		return 0, 0, fmt.Errorf("point %q: %w", text, err)
	}
	return row, col, nil
}

// simButtonNames are the scripts' words for buttons.
var simButtonNames = map[string]simButton{
	"previous": previousButton, "restart": restartButton, "next": nextButton, "play": playButton, "close": closeButton,
	"next-level": nextLevelButton, "again": againButton, "ok": okButton, "android-back": androidBackButton,
}

func (s *touchScript) fact(name string) string {
	switch name {
	case "moves":
		return strconv.Itoa(s.app.Moves())
	case "level":
		return strconv.Itoa(s.app.Level())
	case "won":
		return strconv.FormatBool(s.app.Won())
	case "screen":
		return s.app.Screen()
	}
	return "not known"
}

// FuzzSimTouch touches at random, and expects that every slide is one that the
// solver knows.
func FuzzSimTouch(f *testing.F) {
	f.Add([]byte{0, 128, 200, 2, 128, 240, 0, 50, 50, 1, 90, 50, 2, 90, 50})
	f.Add([]byte{4, 40, 90, 6, 40, 90, 3, 0, 0, 0, 128, 128, 2, 128, 128, 0, 128, 220, 1, 128, 250, 2, 128, 250})
	p, err := Parse("+--+--+--+\n|a |aa|  |\n|  |  |A |\n+--+--+--+\n|  |  |  |\n|a |  | a|\n+--+--+--+\n|a |SS|  |\n|  |  | a|\n+--+--+--+")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, touches []byte) {
		app, err := Game{}.Simulate([]solvers.Puzzle{p, p}, solvers.SimulateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		a := app.(*simApp)
		screenSize := image.Pt(90, 150)
		a.Draw(&recorder{size: screenSize}, 0)
		for i := 0; i+2 < len(touches); i += 3 {
			now := time.Duration(i) * 100 * time.Millisecond
			before, moves, level := a.at, a.moves, a.level
			box := a.lay().board
			if touches[i]&4 != 0 {
				box = simapp.NewBox(-9, -9, 99, 159)
			}
			x := box.X0 + float64(touches[i+1])/255*box.Width()
			y := box.Y0 + float64(touches[i+2])/255*box.Height()
			if action := int(touches[i] & 3); action == 3 {
				a.Back(now)
			} else {
				a.Touch(action, x, y, now)
			}
			a.Draw(&recorder{size: screenSize}, now)
			if a.level == level && a.moves == moves+1 {
				checkSlide(t, before, a.at, a.escaped)
			} else if a.at != before && a.at != p.at {
				t.Fatalf("without a move the board changed from\n%s\nto\n%s", draw(before), draw(a.at))
			}
		}
	})
}

// checkSlide looks for the move that the solver would call what happened.
func checkSlide(t *testing.T, before, after [cells]piece, escaped bool) {
	r, p := (&Puzzle{at: before}).rules()
	if escaped {
		want := before
		want[door] = hole
		if !r.leaves(p) || after != want {
			t.Fatalf("the spacecraft left from\n%s\nto\n%s", draw(before), draw(after))
		}
		return
	}
	for d := range board.Dir(4) {
		if from := p.mover(d); from != board.None && r.slides(p, from, d) && slices.Equal(after[:], r.puzzleAt(p.slid(from))) {
			return
		}
	}
	t.Fatalf("no slide leads from\n%s\nto\n%s", draw(before), draw(after))
}

// puzzleAt is a position as pieces.
func (r *rules) puzzleAt(p position) []piece {
	at := r.puzzle(p).at
	return at[:]
}
