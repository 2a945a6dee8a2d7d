package gametest

import (
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tapwise/solvers"
	simapp "tapwise/solvers/app"
	"tapwise/solvers/screen"
)

// Scripts plays scripts on a simulated app. A script is a list of cases; lines
// that begin with # are comments.
//
//	case NAME             begins a case
//	puzzle                one more level, up to an empty line
//	tap PLACE             the finger comes down and lifts. Places are the game's to name: see Sim.Place
//	stroke PLACE PLACE …  it comes down, moves straight from place to place, lifts
//	down PLACE            and move, up: the same in parts
//	slip PLACE            it comes down there and lifts elsewhere
//	key back              the BACK key
//	wait TIME             lets time pass
//	size WxH              turns or resizes the screen, which is 480x800
//	expect                the board up to an empty line
//	is NAME=VALUE …       what the app says of itself: level, won, moves and see Sim.Fact
func (s Sim[A]) Scripts(t *testing.T, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", pattern, err)
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
			script := &script[A]{sim: s, lines: lines[first:i], size: image.Pt(480, 800)}
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+name, func(t *testing.T) {
				if err := script.run(); err != nil {
					t.Fatalf("%s:%d: %v", file, first+script.at, err)
				}
			})
		}
	}
}

// script is one case.
type script[A App] struct {
	sim     Sim[A]
	lines   []string
	at      int // the next line
	levels  []solvers.Puzzle
	app     A
	started bool
	size    image.Point
	now     time.Duration
}

func (s *script[A]) run() error {
	for s.at < len(s.lines) {
		words := strings.Fields(s.lines[s.at])
		s.at++
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if words[0] == "puzzle" {
			p, err := s.sim.Game.Parse(s.block())
			if err != nil {
				return err
			}
			s.levels = append(s.levels, p)
			continue
		}
		if !s.started {
			app, err := s.sim.Make(s.levels, simapp.Options{})
			if err != nil {
				return err
			}
			s.app, s.started = app.(A), true
			if err := s.draw(); err != nil {
				return err
			}
		}
		if err := s.command(words[0], words[1:]); err != nil {
			return err
		}
		if err := s.draw(); err != nil {
			return err
		}
	}
	if !s.started {
		return errors.New("the case does nothing")
	}
	return nil
}

// block reads lines up to an empty one.
func (s *script[A]) block() string {
	first := s.at
	for s.at < len(s.lines) && s.lines[s.at] != "" {
		s.at++
	}
	return strings.Join(s.lines[first:s.at], "\n")
}

func (s *script[A]) draw() error {
	r := NewRecorder(s.size)
	s.app.Draw(r, s.now)
	if r.Odd != "" {
		return fmt.Errorf("drew %s", r.Odd)
	}
	return nil
}

func (s *script[A]) command(word string, arguments []string) error {
	switch word {
	case "expect":
		if want, got := s.block(), s.app.Board(); got != want {
			return fmt.Errorf("the board is\n%s\nexpected\n%s", got, want)
		}
		return nil
	case "is":
		for _, fact := range arguments {
			name, want, _ := strings.Cut(fact, "=")
			if got := s.fact(name); got != want {
				return fmt.Errorf("%s is %s, expected %s; the board is\n%s", name, got, want, s.app.Board())
			}
		}
		return nil
	case "tap", "stroke", "slip", "down", "move", "up":
		return s.touch(word, arguments)
	}
	if len(arguments) != 1 {
		return fmt.Errorf("command %s %q, expected one of those of Sim.Scripts", word, arguments)
	}
	switch word {
	case "key":
		s.app.Back(s.now)
	case "wait":
		d, err := time.ParseDuration(arguments[0])
		s.now += d
		return err
	case "size":
		_, err := fmt.Sscanf(arguments[0], "%dx%d", &s.size.X, &s.size.Y)
		return err
	default:
		return fmt.Errorf("unknown command %q", word)
	}
	return nil
}

func (s *script[A]) touch(word string, names []string) error {
	var places [][2]float64
	for _, name := range names {
		x, y, ok := s.sim.Place(s.app, name)
		if !ok {
			return fmt.Errorf("there is no %q on the screen", name)
		}
		places = append(places, [2]float64{x, y})
	}
	if len(places) == 0 || len(places) > 1 && word != "stroke" {
		return fmt.Errorf("%s %q, expected a place", word, names)
	}
	at := places[0]
	actions := map[string]int{"down": screen.TouchDown, "move": screen.TouchMove, "up": screen.TouchUp}
	switch action, part := actions[word]; {
	case part:
		s.app.Touch(action, at[0], at[1], s.now)
	case word == "slip":
		Touch(s.app, s.now, at, [2]float64{at[0] - 200, at[1] - 100})
	default:
		Touch(s.app, s.now, places...)
	}
	return nil
}

// fact is what the app says, in one word.
func (s *script[A]) fact(name string) string {
	switch name {
	case "moves":
		return fmt.Sprint(s.app.Moves())
	case "level":
		return fmt.Sprint(s.app.Level())
	case "won":
		return fmt.Sprint(s.app.Won())
	}
	if fact := s.sim.Fact(s.app, name, s.now); fact != nil {
		return strings.ReplaceAll(fmt.Sprint(fact), " ", "_")
	}
	return "not known"
}

// Point reads a place that is a row and a column.
func Point(text string) (row, col float64, ok bool) {
	_, err := fmt.Sscanf(text, "%g,%g", &row, &col)
	return row, col, err == nil
}

// FuzzTouch touches an app at random. Its two levels are one of the puzzles. Each
// touch is made by step, which checks what must hold before and after it. The
// fuzzer chooses the puzzle and gives three bytes a touch: the action (the two low
// bits: down, move, up or BACK), and the place, in box or, with bit 2, on the whole
// screen, each a little enlarged.
func (s Sim[A]) FuzzTouch(f *testing.F, puzzles []string, box func(a A) simapp.Box, step func(t *testing.T, a A, touch func())) {
	size := image.Pt(90, 150)
	f.Fuzz(func(t *testing.T, choice uint8, touches []byte) {
		p, err := s.Game.Parse(puzzles[int(choice)%len(puzzles)])
		if err != nil {
			t.Fatal(err)
		}
		a := s.New(t, size, simapp.Options{}, p, p)
		for i := 0; i+2 < len(touches); i += 3 {
			now := time.Duration(i) * 100 * time.Millisecond
			b := simapp.NewBox(0, 0, float64(size.X), float64(size.Y))
			if touches[i]&4 == 0 {
				b = box(a)
			}
			x := b.X0 + (float64(touches[i+1])/256*1.2-0.1)*b.Width()
			y := b.Y0 + (float64(touches[i+2])/256*1.2-0.1)*b.Height()
			step(t, a, func() {
				if action := int(touches[i] & 3); action == 3 {
					a.Back(now)
				} else {
					a.Touch(action, x, y, now)
				}
				Draw(t, a, size, now, "after a touch")
			})
		}
	})
}
