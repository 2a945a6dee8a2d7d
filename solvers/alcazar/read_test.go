package alcazar

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// seenBoard is a file of testdata/read: a board or why it is refused, what is
// drawn on it, and what was seen of it, each after a line "== NAME".
type seenBoard struct{ name, board, fill, observation string }

func seenBoards(t testing.TB) []seenBoard {
	t.Helper()
	files, err := filepath.Glob("testdata/read/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no observations in testdata/read: %v", err)
	}
	var all []seenBoard
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := seenBoard{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
		var rest string
		s.board, rest, _ = strings.Cut(string(data), "\n== fill\n")
		s.fill, s.observation, _ = strings.Cut(rest, "\n== observation\n")
		all = append(all, s)
	}
	return all
}

// TestRead reads boards from observations of the simulated app.
func TestRead(t *testing.T) {
	for _, c := range seenBoards(t) {
		t.Run(c.name, func(t *testing.T) {
			seen, err := screen.ParseObservation(c.observation)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Game{}.Read(seen)
			if want, ok := strings.CutPrefix(c.board, "refused: "); ok {
				var read *solvers.ReadError
				if !errors.As(err, &read) || err.Error() != want {
					t.Errorf("got %v, %v, expected to be refused: %s", got, err, want)
				}
				return
			}
			if err != nil || got.String() != c.board {
				t.Fatalf("got\n%v\n%v, expected\n%s", got, err, c.board)
			}
			if fill, err := (Game{}).Fill(seen, got); err != nil || fill != c.fill {
				t.Errorf("drawn on it\n%s\n%v, expected\n%s", fill, err, c.fill)
			}
			s, _, err := solvers.SolveRead(context.Background(), Game{}, got)
			if err != nil {
				t.Fatal(err)
			}
			missing, err := s.(solvers.Resumer).Remaining(seen)
			if err != nil || (len(missing) == 0) != (c.fill == s.String()) {
				t.Errorf("%d gestures missing of what is drawn\n%s\n%v", len(missing), c.fill, err)
			}
		})
	}
}

// TestReadDoubtful changes observations of which each board is read, so that it
// must be refused.
func TestReadDoubtful(t *testing.T) {
	for _, c := range seenBoards(t) {
		if strings.HasPrefix(c.board, "refused: ") {
			continue
		}
		for name, change := range map[string]func(*screen.Observation){
			"faint":             func(o *screen.Observation) { o.Confidence = 0.3 },
			"no readings":       func(o *screen.Observation) { o.Readings = o.Readings[1:] },
			"a measure short":   func(o *screen.Observation) { o.Readings[0] = o.Readings[0][1:] },
			"no lines":          func(o *screen.Observation) { o.Horizontal = nil },
			"another topology":  func(o *screen.Observation) { o.Layout.Topology = screen.Hex },
			"half a line":       func(o *screen.Observation) { o.Vertical[1].Support = 0 },
			"a cell covered":    func(o *screen.Observation) { paintOver(o, 0) },
			"another covered":   func(o *screen.Observation) { paintOver(o, len(o.Readings)-1) },
			"nothing on screen": func(o *screen.Observation) { o.Layout.Rows = 0 },
		} {
			seen, err := screen.ParseObservation(c.observation)
			if err != nil {
				t.Fatal(err)
			}
			change(seen)
			got, err := Game{}.Read(seen)
			var read *solvers.ReadError
			if !errors.As(err, &read) {
				t.Errorf("%s, %s: got %v, %v, expected it to be refused", c.name, name, got, err)
			}
		}
	}
}

// paintOver paints a cell over.
func paintOver(o *screen.Observation, cell int) {
	for i := range o.Readings[cell] {
		c := &o.Readings[cell][i].Colour
		c.R, c.G, c.B = 128-c.R/2, 255-c.G, 190
	}
}

// FuzzRead reads whatever may be an observation.
func FuzzRead(f *testing.F) {
	for _, c := range seenBoards(f) {
		f.Add(c.observation)
	}
	f.Fuzz(func(t *testing.T, text string) {
		seen, err := screen.ParseObservation(text)
		if err != nil {
			return
		}
		Game{}.Locate(seen)
		p, err := Game{}.Read(seen)
		if err != nil {
			var read *solvers.ReadError
			if !errors.As(err, &read) {
				t.Fatalf("refused with %v, expected a *solvers.ReadError", err)
			}
			return
		}
		if again, err := (Game{}).Parse(p.String()); err != nil || again.String() != p.String() {
			t.Fatalf("read what cannot be parsed: %v\n%s", err, p)
		}
		if _, err := (Game{}).Fill(seen, p); err != nil && !errors.As(err, new(*solvers.ReadError)) {
			t.Fatalf("fill: %v", err)
		}
	})
}
