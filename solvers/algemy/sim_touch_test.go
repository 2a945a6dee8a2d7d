package algemy

import (
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
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
//	case NAME        begins a case
//	puzzle           one more level, up to an empty line
//	tap R,C          taps a cell, rows and columns from 0; 0.4 is part of a cell
//	slip R,C R,C     the finger comes down at one and is lifted at the other
//	choose COLOUR    taps the wheel: a colour's letter, or middle
//	push BUTTON      taps a button: see simButtonNames
//	key back         the BACK key
//	wait TIME        lets time pass
//	size WxH         turns or resizes the screen
//	expect           the board up to an empty line
//	is NAME=VALUE …  what the app says of itself
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
	case "tap", "slip":
		for _, argument := range arguments {
			at, err := place(l, argument)
			if err != nil {
				return err
			}
			points = append(points, at)
		}
	case "choose":
		if s.app.wheel == board.None {
			return fmt.Errorf("no wheel is open")
		}
		at := l.centres[s.app.wheel]
		if k := strings.Index(colourLetters, arguments[0]); k >= 0 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 3)
			at[0], at[1] = at[0]+0.75*l.pitch*sin, at[1]-0.75*l.pitch*cos
		}
		points = append(points, at)
	case "push":
		box, ok := l.panel.button, arguments[0] == "ok"
		switch button, known := simButtonNames[arguments[0]]; {
		case known:
			box, ok = l.buttons[button], true
		case arguments[0] == "close":
			box, ok = l.panel.close, true
		case arguments[0] == "play":
			box, ok = l.play, true
		}
		if !ok {
			return fmt.Errorf("unknown button %q", arguments[0])
		}
		x, y := box.Centre()
		points = append(points, [2]float64{x, y})
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

// place is a point in rows and columns.
func place(l *simLayout, text string) ([2]float64, error) {
	var row, col float64
	if _, err := fmt.Sscanf(text, "%g,%g", &row, &col); err != nil {
		return [2]float64{}, fmt.Errorf("point %q: %w", text, err)
	}
	r := min(max(int(math.Round(row)), 0), l.puzzle.rows()-1)
	c := min(max(int(math.Round(col)), 0), l.puzzle.width(r)-1)
	at := l.centres[l.puzzle.at(r, c)]
	return [2]float64{at[0] + (col-float64(c))*l.pitch, at[1] + (row-float64(r))*l.pitch}, nil
}

// simButtonNames are the scripts' words for buttons.
var simButtonNames = map[string]simButton{
	"home": homeButton, "previous": previousButton, "next": nextButton, "toggle": toggleButton, "android-back": androidBackButton,
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
		return s.app.Screen(s.now)
	case "night":
		return strconv.FormatBool(s.app.night)
	case "full": // crystals that have their colour
		n := 0
		for c, k := range s.app.board.puzzle.crystals {
			if k != Empty && s.app.board.satisfied(board.Cell(c)) {
				n++
			}
		}
		return strconv.Itoa(n)
	}
	return "not known"
}

// FuzzSimTouch touches at random, and expects that sources stand where they
// may, and that a level that is won has passed the checker.
func FuzzSimTouch(f *testing.F) {
	puzzles := []string{"- - -\n- R -\n- - -", "hard\n- - -\n- - X -\n- B - - -\n- - - -\nV - -"}
	f.Add(uint8(0), []byte{0, 60, 120, 2, 60, 120, 0, 60, 90, 2, 60, 90})
	f.Add(uint8(1), []byte{4, 40, 90, 6, 40, 90, 3, 0, 0, 0, 100, 100, 2, 100, 100, 0, 110, 110, 2, 110, 110})
	f.Fuzz(func(t *testing.T, choice uint8, touches []byte) {
		p, err := Parse(puzzles[int(choice)%len(puzzles)])
		if err != nil {
			t.Fatal(err)
		}
		app, err := Game{}.Simulate([]solvers.Puzzle{p, p}, solvers.SimulateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		a := app.(*simApp)
		size := image.Pt(90, 150)
		a.Draw(&recorder{size: size}, 0)
		for i := 0; i+2 < len(touches); i += 3 {
			now := time.Duration(i) * 200 * time.Millisecond
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
			a.Draw(&recorder{size: size}, now)
			for c, colour := range a.board.solution.sources {
				if colour != noSource && (p.crystals[c] != Empty || !p.Colours().Has(colour)) {
					t.Fatalf("source %v on %s", colour, p.Name(board.Cell(c)))
				}
			}
			if err := a.board.solution.Check(); a.Won() != (err == nil) {
				t.Fatalf("won %v, but the checker says %v\n%s", a.Won(), err, a.Board())
			}
		}
	})
}
