package adrift

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
//	case NAME           begins a case
//	puzzle              one more level, up to an empty line
//	stroke tR,C lR,C …  the finger comes down, moves straight from point to point, lifts
//	down tR,C           and move, up: the same in parts
//	                    Points are a face's first letter, row and column: t0,2; 0.5 is half a cell
//	tap BUTTON          pushes a button: previous, restart, next, hint, close, panel-1, panel-2
//	slip BUTTON         presses it and lifts the finger elsewhere
//	key back            the BACK key
//	wait TIME           lets time pass
//	size WxH            turns or resizes the screen
//	expect              the board up to an empty line
//	is NAME=VALUE …     what the app says of itself
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
		lines := strings.Split(string(data), "\n")
		for i := 0; i < len(lines); {
			name, ok := strings.CutPrefix(lines[i], "case ")
			if !ok {
				if lines[i] != "" && !strings.HasPrefix(lines[i], "#") {
					t.Fatalf("%s:%d: %q, expected a case", file, i+1, lines[i])
				}
				i++
				continue
			}
			first := i + 1
			for i++; i < len(lines) && !strings.HasPrefix(lines[i], "case "); i++ {
			}
			script := &touchScript{lines: lines[first:i], size: image.Pt(480, 800)}
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+name, func(t *testing.T) {
				if err := script.run(); err != nil {
					t.Fatalf("%s:%d: %v", file, first+script.at, err)
				}
			})
		}
	}
}

// touchScript is one case.
type touchScript struct {
	lines  []string
	at     int // of the next line
	levels []*Puzzle
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
			s.app = newApp(s.levels, solvers.SimulateOptions{})
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
	actions := map[string]int{"down": screen.TouchDown, "move": screen.TouchMove, "up": screen.TouchUp}
	action, isTouch := actions[word]
	switch {
	case isTouch:
		return s.touch(action, arguments[0])
	case word == "stroke":
		for i, point := range arguments {
			action := screen.TouchMove
			if i == 0 {
				action = screen.TouchDown
			}
			if err := s.touch(action, point); err != nil {
				return err
			}
		}
		return s.touch(screen.TouchUp, arguments[len(arguments)-1])
	case word == "tap" || word == "slip":
		x, y, err := s.button(arguments[0])
		if err != nil {
			return err
		}
		s.app.Touch(screen.TouchDown, x, y, s.now)
		if word == "slip" {
			x -= 200
		}
		s.app.Touch(screen.TouchUp, x, y, s.now)
	case word == "key":
		s.app.Back(s.now)
	case word == "wait":
		d, err := time.ParseDuration(arguments[0])
		s.now += d
		return err
	case word == "size":
		_, err := fmt.Sscanf(arguments[0], "%dx%d", &s.size.X, &s.size.Y)
		return err
	case word == "expect":
		if want, got := s.block(), s.app.Board(); got != want {
			return fmt.Errorf("the board is\n%s\nexpected\n%s", got, want)
		}
	case word == "is":
		for _, fact := range arguments {
			name, want, _ := strings.Cut(fact, "=")
			if got := s.fact(name); got != want {
				return fmt.Errorf("%s is %s, expected %s; the board is\n%s", name, got, want, s.app.Board())
			}
		}
	default:
		return fmt.Errorf("unknown command %q", word)
	}
	return nil
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
		return strings.ReplaceAll(s.app.Screen(), " ", "_")
	case "chains":
		return strconv.Itoa(s.app.board.joined())
	case "filled":
		taken, all := s.app.board.covered()
		return strconv.Itoa(100 * taken / all)
	case "touches":
		return strconv.Itoa(len(s.app.board.touches()))
	}
	return "not known"
}

// touch acts at a point of a face.
func (s *touchScript) touch(action int, point string) error {
	var row, col float64
	face := strings.IndexByte("tlr", point[0])
	if _, err := fmt.Sscanf(point[1:], "%g,%g", &row, &col); err != nil || face < 0 {
		return fmt.Errorf("point %q, expected t, l or r, and a row and a column", point)
	}
	at := s.app.lay().faces[face].at(row+0.5, col+0.5)
	s.app.Touch(action, at[0], at[1], s.now)
	return nil
}

// simButtonNames are the scripts' words for buttons.
var simButtonNames = map[string]simapp.Button{
	"previous": simapp.PreviousButton, "restart": simapp.RestartButton, "next": simapp.NextButton, "hint": simapp.HintButton,
}

// button is the middle of a button, whether it is enabled or not.
func (s *touchScript) button(name string) (x, y float64, err error) {
	l := s.app.lay()
	place := l.Panel(s.app.Panel)
	kind, number, _ := strings.Cut(name, "-")
	n, _ := strconv.Atoi(number)
	button, known := simButtonNames[name]
	switch {
	case known:
		x, y = l.Buttons[button].Centre()
	case name == "close":
		x, y = place.Close.Centre()
	case kind == "panel" && n >= 1 && n <= len(place.Buttons):
		x, y = place.Buttons[n-1].Centre()
	default:
		err = fmt.Errorf("there is no button %q on the screen", name)
	}
	return x, y, err
}

// FuzzSimTouch moves a finger at random, and expects that what is drawn keeps
// the rules of drawing at every moment, and that a level that is won passes the checker.
func FuzzSimTouch(f *testing.F) {
	f.Add(uint8(0), []byte{0, 128, 20, 1, 60, 60, 1, 128, 120, 2, 250, 250, 3, 0, 0, 0, 250, 250, 1, 0, 0})
	f.Add(uint8(1), []byte{0, 128, 32, 1, 192, 64, 1, 128, 96, 2, 64, 64})
	f.Add(uint8(2), []byte{0, 128, 32, 1, 192, 64, 1, 128, 96, 2, 64, 64}) // wins
	f.Fuzz(func(t *testing.T, choice uint8, moves []byte) {
		p, err := Parse(simPuzzles[int(choice)%len(simPuzzles)])
		if err != nil {
			t.Fatal(err)
		}
		a := newApp([]*Puzzle{p}, solvers.SimulateOptions{})
		a.Size = image.Pt(60, 100)
		for i := 0; i+2 < len(moves); i += 3 {
			b := a.lay().board
			if moves[i]&4 != 0 {
				b = simapp.NewBox(0, 0, 60, 100)
			}
			x := b.X0 + float64(moves[i+1])/256*b.Width()
			y := b.Y0 + float64(moves[i+2])/256*b.Height()
			now := time.Duration(i) * time.Second
			if action := int(moves[i] & 3); action == 3 {
				a.Draw(&recorder{size: a.Size}, now)
			} else {
				a.Touch(action, x, y, now)
			}
			checkDrawn(t, a)
		}
	})
}

// checkDrawn tests what must hold whatever the finger does.
func checkDrawn(t *testing.T, a *simApp) {
	b := a.board
	used := map[board.Cell]int{}
	for colour, chain := range b.chains {
		for i, c := range chain {
			if i == 0 && b.puzzle.colour[c] != colour {
				t.Fatalf("chain %d begins at %s, which is no end of it", colour, b.puzzle.Name(c))
			}
			if i > 0 && !slices.Contains(b.puzzle.Neighbours(chain[i-1]), c) {
				t.Fatalf("chain %d steps from %s to %s", colour, b.puzzle.Name(chain[i-1]), b.puzzle.Name(c))
			}
			what := b.puzzle.colour[c]
			if what == stone || what >= 0 && what != colour || what >= 0 && i > 0 && i < len(chain)-1 {
				t.Fatalf("chain %d runs over %s", colour, b.puzzle.Name(c))
			}
			if other, ok := used[c]; ok {
				t.Fatalf("chains %d and %d are both on %s", other, colour, b.puzzle.Name(c))
			}
			used[c] = colour
		}
	}
	s, err := b.puzzle.ParseSolution(b.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	// The notation does not tell whether two neighbouring ends are joined, so
	// the checker may be content before the finger is done.
	if err := s.Check(); err != nil && b.complete() {
		t.Fatalf("complete, but the checker says %v\n%s", err, b)
	}
}
