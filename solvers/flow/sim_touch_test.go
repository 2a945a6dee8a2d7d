package flow

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
//	down R,C            and move, up: the same in parts. Points are rows and columns; 0.5 is half a cell
//	tap BUTTON          pushes a button: see simButtonNames
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
			s.app = newApp(s.levels, solvers.SimulateOptions{}).(*simApp)
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
	taken, all := s.app.board.covered()
	switch name {
	case "moves":
		return strconv.Itoa(s.app.Moves())
	case "level":
		return strconv.Itoa(s.app.Level())
	case "won":
		return strconv.FormatBool(s.app.Won())
	case "screen":
		return strings.ReplaceAll(s.app.Screen(), " ", "_")
	case "flows":
		return strconv.Itoa(s.app.board.flows())
	case "pipe":
		return strconv.Itoa(100 * taken / all)
	case "undo":
		return strconv.FormatBool(s.app.enabled(undoButton))
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
	x, y := l.centres[0][0]+col*l.pitch, l.centres[0][1]+row*l.pitch
	if size := l.puzzle.Size(); l.puzzle.Topology() == Hex {
		at := l.centres[int(row)*size.Cols+int(col)]
		x, y = at[0], at[1]
	}
	s.app.Touch(action, x, y, s.now)
	return nil
}

// simButtonNames are the scripts' words for buttons.
var simButtonNames = map[string]simButton{
	"back": backButton, "film": filmButton, "gear": gearButton, "undo": undoButton, "previous": previousButton,
	"restart": restartButton, "next": nextButton, "hint": hintButton, "android-back": androidBackButton,
}

// button is the middle of a button, whether it is enabled or not.
func (s *touchScript) button(name string) (x, y float64, err error) {
	l := s.app.lay()
	kind, number, _ := strings.Cut(name, "-")
	n, _ := strconv.Atoi(number)
	button, known := simButtonNames[name]
	switch {
	case known:
		x, y = l.buttons[button].Centre()
	case name == "close":
		x, y = l.panel(s.app.panel).close.Centre()
	case name == "next-level":
		x, y = l.panel(s.app.panel).buttons[0].Centre()
	case kind == "panel":
		x, y = l.panel(s.app.panel).buttons[n-1].Centre()
	case kind == "level":
		x, y = l.square(n - 1).Centre()
	default:
		err = fmt.Errorf("unknown button %q", name)
	}
	return x, y, err
}

// FuzzSimTouch moves a finger at random, and expects that what is drawn keeps
// the rules of the game at every moment, and that a level that is won has
// passed the checker.
func FuzzSimTouch(f *testing.F) {
	for i := range simPuzzles {
		f.Add(uint8(i), []byte{0, 0, 0, 1, 60, 0, 1, 120, 0, 1, 120, 60, 2, 250, 250, 3, 0, 0, 0, 250, 250, 1, 0, 0})
	}
	f.Add(uint8(9), []byte{0, 60, 120, 1, 190, 120, 2, 190, 120}) // wins
	f.Fuzz(func(t *testing.T, choice uint8, moves []byte) {
		p, err := Parse(simPuzzles[int(choice)%len(simPuzzles)])
		if err != nil {
			t.Fatal(err)
		}
		a := newApp([]*Puzzle{p}, solvers.SimulateOptions{}).(*simApp)
		a.size = image.Pt(60, 100)
		for i := 0; i+2 < len(moves); i += 3 {
			l := a.lay()
			box := l.board
			if moves[i]&4 != 0 {
				box = simapp.NewBox(0, 0, 60, 100)
			}
			// A little more than the box, so that the finger leaves it as well.
			x := box.X0 + (float64(moves[i+1])/256*1.2-0.1)*box.Width()
			y := box.Y0 + (float64(moves[i+2])/256*1.2-0.1)*box.Height()
			if action := int(moves[i] & 3); action == 3 {
				a.Draw(&recorder{size: a.size}, time.Duration(i)*time.Second)
			} else {
				a.Touch(action, x, y, time.Duration(i)*time.Second)
			}
			checkDrawn(t, a.board)
		}
	})
}

// checkDrawn tests what must hold whatever the finger does.
func checkDrawn(t *testing.T, b *simBoard) {
	p := b.puzzle
	used := map[int]int{}
	for pipe, path := range b.pipes {
		for i, s := range path {
			if i == 0 && p.PipeAt(s.cell) != pipe {
				t.Fatalf("pipe %d begins at cell %d, which is no end of it", pipe, s.cell)
			}
			if i > 0 && p.Neighbour(path[i-1].cell, s.dir) != s.cell {
				t.Fatalf("pipe %d steps from cell %d to %d", pipe, path[i-1].cell, s.cell)
			}
			if i > 1 && p.Bridge(path[i-1].cell) && path[i-1].dir != s.dir {
				t.Fatalf("pipe %d turns on the bridge at cell %d", pipe, path[i-1].cell)
			}
			if end := p.PipeAt(s.cell); end >= 0 && end != pipe || i > 0 && i < len(path)-1 && end >= 0 {
				t.Fatalf("pipe %d runs over the end at cell %d", pipe, s.cell)
			}
			if other, ok := used[b.slot(s)]; ok {
				t.Fatalf("pipes %d and %d are both on cell %d", other, pipe, s.cell)
			}
			used[b.slot(s)] = pipe
		}
	}
	if !b.complete() {
		return
	}
	paths := make([][]board.Cell, len(b.pipes))
	for pipe, path := range b.pipes {
		for _, s := range path {
			paths[pipe] = append(paths[pipe], s.cell)
		}
	}
	if err := newSolution(p, paths).Check(); err != nil {
		t.Fatalf("won, but %v\n%s", err, b)
	}
}
