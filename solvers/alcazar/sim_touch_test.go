package alcazar

import (
	"fmt"
	"image"
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
//	case NAME           begins a case
//	puzzle              one more level, up to an empty line
//	stroke R,C R,C …    the finger comes down, moves straight from point to point, lifts
//	down R,C            and move, up: the same in parts. Points are rows and columns of rooms; 0.5 is half a room
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
	case "rooms":
		return strconv.Itoa(len(s.app.board.path.rooms))
	}
	return "not known"
}

// touch acts at a point in rows and columns.
func (s *touchScript) touch(action int, point string) error {
	var row, col float64
	if _, err := fmt.Sscanf(point, "%g,%g", &row, &col); err != nil {
		return fmt.Errorf("point %q: %w", point, err)
	}
	l := s.app.lay()
	s.app.Touch(action, l.board.X0+(col+0.5)*l.pitch, l.board.Y0+(row+0.5)*l.pitch, s.now)
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

// FuzzSimTouch moves a finger at random, and expects that what is drawn is a
// path at every moment, and that a level that is won has passed the checker.
func FuzzSimTouch(f *testing.F) {
	f.Add(uint8(0), []byte{0, 30, 250, 1, 30, 30, 1, 250, 30, 2, 250, 250, 3, 0, 0, 0, 250, 250, 1, 0, 0})
	f.Add(uint8(1), []byte{0, 128, 250, 1, 128, 0, 2, 128, 0}) // wins
	f.Add(uint8(2), []byte{0, 20, 20, 1, 250, 20, 2, 250, 20})
	f.Fuzz(func(t *testing.T, choice uint8, moves []byte) {
		p, err := Parse(simPuzzles[int(choice)%len(simPuzzles)])
		if err != nil {
			t.Fatal(err)
		}
		a := newApp([]*Puzzle{p}, solvers.SimulateOptions{})
		a.Size = image.Pt(60, 100)
		for i := 0; i+2 < len(moves); i += 3 {
			b, reach := a.lay().board, a.lay().pitch
			if moves[i]&4 != 0 {
				b, reach = simapp.NewBox(0, 0, 60, 100), 0
			}
			x := b.X0 - reach + float64(moves[i+1])/255*(b.Width()+2*reach)
			y := b.Y0 - reach + float64(moves[i+2])/255*(b.Height()+2*reach)
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
	if b.path.from < 0 && (len(b.path.rooms) > 0 || b.path.to >= 0) {
		t.Fatalf("a path without a beginning: %+v", b.path)
	}
	if b.path.to >= 0 && (b.path.to == b.path.from || b.openings[b.path.to].Room != b.path.tip()) {
		t.Fatalf("the path leaves by a wrong opening: %+v", b.path)
	}
	visited := map[board.Cell]bool{}
	for i, room := range b.path.rooms {
		if i == 0 && b.openings[b.path.from].Room != room {
			t.Fatalf("the path begins in %s, which is not at its opening", b.puzzle.size.Name(room))
		}
		if i > 0 && (!b.beside(b.path.rooms[i-1], room) || b.walled(b.path.rooms[i-1], room)) {
			t.Fatalf("the path leads from %s to %s", b.puzzle.size.Name(b.path.rooms[i-1]), b.puzzle.size.Name(room))
		}
		if visited[room] {
			t.Fatalf("the path is in %s twice", b.puzzle.size.Name(room))
		}
		visited[room] = true
	}
	s, err := b.puzzle.ParseSolution(b.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if err := s.Check(); (err == nil) != b.complete() {
		t.Fatalf("complete: %v, but the checker says %v\n%s", b.complete(), err, b)
	}
}
