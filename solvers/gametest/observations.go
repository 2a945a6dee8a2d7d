package gametest

import (
	"context"
	"errors"
	"image/color"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Observations compares what a game makes of kept observations with the text kept
// below each, in files that begin with a line "-- observation --" and hold an
// observation's text and then the text of [solvers.Made]. Damaged observations must be
// refused; noticed is the damage that this game notices besides what all notice.
func Observations(t *testing.T, game solvers.Game, pattern string, noticed ...Damage) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no observations in %s (%v): tapwise read --keep writes them", pattern, err)
	}
	fillers, compared := 0, 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			seen, made := readObservation(t, file)
			if got := solvers.Made(game, seen); got != made {
				t.Errorf("made of it\n%s\nexpected\n%s", got, made)
			}
			damaged(t, game, seen)
			p, err := game.Read(seen)
			if err != nil {
				refusedToRead(t, "as it is", p, err)
				return
			}
			located(t, game, seen)
			bounded(t, game, seen, p)
			if filler, ok := p.(solvers.Filler); ok {
				fillers++
				if remaining(t, game, seen, filler) {
					compared++
				}
			}
			for _, d := range append([]Damage{faint, noReadings, noMeasure, otherTopology, nothing}, noticed...) {
				if (d == NoLines || d == HalfALine) && len(seen.Horizontal) == 0 {
					continue // a board of hexagons
				}
				worse := Observation(t, file)
				d.apply(worse)
				p, err := game.Read(worse)
				refusedToRead(t, string(d), p, err)
			}
		})
	}
	if fillers > 0 && compared == 0 {
		t.Errorf("%s: no board that was played in part was solved", pattern)
	}
}

// Observation reads a kept observation, without the text of [solvers.Made].
func Observation(t testing.TB, file string) *screen.Observation {
	t.Helper()
	seen, _ := readObservation(t, file)
	return seen
}

func refusedToRead(t *testing.T, what string, p solvers.Puzzle, err error) {
	t.Helper()
	var read *solvers.ReadError
	if p != nil || !errors.As(err, &read) {
		t.Errorf("%s: got %v, %v, expected it to be refused with a *solvers.ReadError", what, p, err)
	}
}

// located wants a board that can be read, and one with a cell that cannot, to be told as
// a level: the reason for refusing it is Read's to give.
func located(t *testing.T, game solvers.Game, seen *screen.Observation) {
	if place := game.Locate(seen); place.Kind != screen.Level && place.Kind != screen.Won {
		t.Errorf("a board that is read is located at %v (%s), expected a level", place.Kind, place.Reason)
	}
	if game.Locate(seen).Kind == screen.Won {
		return
	}
	worse := *seen
	worse.Readings = slices.Clone(seen.Readings)
	middle := len(worse.Readings) / 2
	worse.Readings[middle] = slices.Clone(worse.Readings[middle])
	paintOver(&worse, middle)
	if place := game.Locate(&worse); place.Kind != screen.Level && place.Kind != screen.Won {
		t.Errorf("a board with a cell painted over is located at %v (%s), expected a level: Locate does not judge what Read refuses", place.Kind, place.Reason)
	}
}

// bounded requires what remains of a board to be no more than the whole plan, except for what
// has to be taken back where something is drawn.
func bounded(t *testing.T, game solvers.Game, seen *screen.Observation, p solvers.Puzzle) {
	s, _, err := solvers.SolveRead(context.Background(), game, p)
	if err != nil {
		return // a board of several solutions; what is played is one of them
	}
	if filler, ok := p.(solvers.Filler); ok {
		if fill, err := filler.Fill(seen); err != nil || fill != "" {
			return
		}
	}
	missing, err := s.Remaining(seen)
	if plan := s.Plan(seen.Layout); err != nil || len(missing) > len(plan) {
		t.Errorf("%d gestures remain, %v, expected at most the %d of the plan", len(missing), err, len(plan))
	}
}

// remaining wants nothing to be missing from a board that shows its solution, and
// something from any other. It is false for a board without one solution.
func remaining(t *testing.T, game solvers.Game, seen *screen.Observation, p solvers.Filler) bool {
	fill, err := p.Fill(seen)
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := solvers.SolveRead(context.Background(), game, p)
	if err != nil {
		return false
	}
	painted(t, p, s.Plan(seen.Layout))
	hinted(t, p, s, fill)
	missing, err := s.Remaining(seen)
	if err != nil || (len(missing) == 0) != (fill == s.String()) {
		t.Errorf("%d gestures missing of what is drawn\n%s\n%v, expected\n%s", len(missing), fill, err, s)
	}
	return true
}

// Damage is something wrong with an observation.
type Damage string

// Damage that makes any game refuse a board, and, with capital letters, damage
// that only some games notice.
const (
	faint          Damage = "faint"
	noReadings     Damage = "no readings"
	noMeasure      Damage = "a measure short"
	otherTopology  Damage = "another topology"
	nothing        Damage = "nothing on the screen"
	NoLines        Damage = "no lines"
	HalfALine      Damage = "half a line"
	FirstPaintOver Damage = "the first cell painted over"
	LastPaintOver  Damage = "the last cell painted over"
)

func (d Damage) apply(o *screen.Observation) {
	switch d {
	case faint:
		o.Confidence = 0.3
	case noReadings:
		o.Readings = o.Readings[1:]
	case noMeasure:
		o.Readings[0] = o.Readings[0][1:]
	case otherTopology:
		o.Layout.Topology = (o.Layout.Topology + 1) % 4
	case nothing:
		o.Layout.Rows = 0
	case NoLines:
		o.Horizontal = nil
	case HalfALine:
		o.Vertical[1].Support = 0
	case FirstPaintOver:
		paintOver(o, 0)
	case LastPaintOver:
		paintOver(o, len(o.Readings)-1)
	}
}

// paintOver paints a cell over.
func paintOver(o *screen.Observation, cell int) {
	for i := range o.Readings[cell] {
		c := &o.Readings[cell][i].Colour
		c.R, c.G, c.B = 128-c.R/2, 255-c.G, 190
	}
}

// FuzzRead gives a game any observation: the game must not panic, and whatever it reads must be
// a puzzle. The seeds are kept observations.
func FuzzRead(f *testing.F, game solvers.Game, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		f.Fatalf("no observations in %s (%v): tapwise read --keep writes them", pattern, err)
	}
	for _, file := range files {
		seen, _ := readObservation(f, file)
		f.Add(seen.String())
	}
	f.Add("frame 16x16 rotation 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		seen, err := screen.ParseObservation(text)
		if err != nil {
			return
		}
		solvers.Made(game, seen)
		share(t, "familiarity", game.Familiarity(seen))
		p, err := game.Read(seen)
		if err != nil {
			refusedToRead(t, "read", p, err)
			return
		}
		if filler, ok := p.(solvers.Filler); ok {
			var refusal *solvers.ReadError
			if _, err := filler.Fill(seen); err != nil && !errors.As(err, &refusal) {
				t.Errorf("what is drawn on a board that was read: %v, expected it to be refused with a *solvers.ReadError", err)
			}
		}
		if again, err := game.Parse(p.String()); err != nil || again.String() != p.String() {
			t.Errorf("read as what is no puzzle: %v\n%s", err, p)
		}
	})
}

// share wants a number from 0 to 1.
func share(t *testing.T, name string, x float64) {
	t.Helper()
	if !(x >= 0 && x <= 1) {
		t.Errorf("%s %v, expected 0 to 1", name, x)
	}
}

// damaged has a game look at an observation with wrong or missing parts: it must
// not panic, and what it reads must be a puzzle.
func damaged(t *testing.T, game solvers.Game, seen *screen.Observation) {
	random := rand.New(rand.NewPCG(3, 5))
	for range 100 {
		o := *seen
		o.Readings = slices.Clone(seen.Readings)
		for range 1 + random.IntN(4) {
			switch c := random.IntN(len(o.Readings) + 4); {
			case c < len(o.Readings) && len(o.Readings[c]) > 0:
				o.Readings[c] = slices.Clone(o.Readings[c])
				r := &o.Readings[c][random.IntN(len(o.Readings[c]))]
				r.Colour = color.RGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), 255}
				r.Spread = 100 * random.Float64()
			case c%4 == 0:
				o.Layout.Rows = random.IntN(9)
			case c%4 == 1:
				o.Layout.Topology = screen.Topology(random.IntN(4))
			case c%4 == 2:
				o.Readings = o.Readings[:random.IntN(len(o.Readings)+1)]
			default:
				o.Layout.Centres = o.Layout.Centres[:random.IntN(len(o.Layout.Centres)+1)]
			}
			if len(o.Readings) == 0 {
				break
			}
		}
		solvers.Made(game, &o)
		share(t, "familiarity", game.Familiarity(&o))
		if p, err := game.Read(&o); err == nil {
			if again, err := game.Parse(p.String()); err != nil || again.String() != p.String() {
				t.Errorf("read as what is no puzzle: %v\n%s", err, p)
			}
		}
	}
}

func readObservation(t testing.TB, file string) (seen *screen.Observation, made string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimPrefix(string(data), solvers.KeptHead)
	at := strings.Index(text, "\n-- ") + 1
	if at == 0 {
		t.Fatalf("%s: no line \"-- board --\" or \"-- refused --\"", file)
	}
	seen, err = screen.ParseObservation(text[:at])
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return seen, text[at:]
}
