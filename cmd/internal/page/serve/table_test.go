package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"tapwise/cmd/internal/page/web"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/described"
	"tapwise/solvers/gametest"
	"tapwise/solvers/screen"
)

// dots are the pixels of a pitch on the screen for which the tests have strokes planned.
const dots = 1000

// onTable is where the cells of a board lie, by the places that the page is told.
func onTable(places []web.Place) screen.Layout {
	l := screen.Layout{Pitch: dots, On: screen.Frame{Size: image.Pt(1e6, 1e6), Rotation: -1}}
	at := func(x, y float64) image.Point { return image.Pt(int(math.Round(x*dots)), int(math.Round(y*dots))) }
	type cell struct {
		row, col int
		at       image.Point
	}
	var cells []cell
	for _, p := range places {
		name, ok := strings.CutPrefix(p.Name, "corner at ")
		var c cell
		if i := strings.Index(name, "row "); i < 0 || strings.HasPrefix(name, "outside") {
			continue
		} else if _, err := fmt.Sscanf(name[i:], "row %d column %d", &c.row, &c.col); err != nil {
			continue
		}
		c.at = at(p.X, p.Y)
		l.Rows, l.Cols = max(l.Rows, c.row), max(l.Cols, c.col)
		if ok {
			c.at = c.at.Add(image.Pt(dots/2, dots/2))
			l.Board = l.Board.Union(image.Rectangle{at(p.X, p.Y), at(p.X, p.Y).Add(image.Pt(1, 1))})
		}
		cells = append(cells, c)
	}
	if !l.Board.Empty() { // the last corners of rows and columns have no cell
		l.Board.Max = l.Board.Max.Sub(image.Pt(1, 1))
		l.Rows, l.Cols = l.Rows-1, l.Cols-1
		cells = slices.DeleteFunc(cells, func(c cell) bool { return c.row > l.Rows || c.col > l.Cols })
	}
	for _, c := range cells {
		l.Centres = append(l.Centres, c.at)
	}
	if len(cells) < l.Rows*l.Cols && cells[0].col > 0 { // there are places without a cell
		l.Centres = make([]image.Point, l.Rows*l.Cols)
		for _, c := range cells {
			l.Centres[(c.row-1)*l.Cols+c.col-1] = c.at
		}
	}
	if l.Board.Empty() {
		l.Board = image.Rectangle{l.Centres[0].Sub(image.Pt(dots/2, dots/2)), l.Centres[len(l.Centres)-1].Add(image.Pt(dots/2, dots/2))}
	}
	return l
}

// played is an answer to what a finger did.
type played struct {
	Scene struct {
		Width, Height float64
		Shapes        []struct {
			Kind, Colour, Text string
			Points             [][2]float64
		}
	}
	Places []web.Place
	Won    bool
	Wrong  bool
	Moves  int
	Board  string
	Text   string
}

// TestTable plays a level of every game on its board as the page does: each stroke shows on the picture,
// the check finds nothing wrong on the way, and the solution wins. What is none of the solution is found.
func TestTable(t *testing.T) {
	games := all.Games()
	for _, name := range described.Shipped() {
		g, err := described.OpenShipped(name)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	page, err := web.New(web.Config{Games: games, Table: openTable, Split: func(solvers.Game, []byte) []string { return nil },
		Parse: func(text string, game solvers.Game) (solvers.Game, solvers.Puzzle, error) {
			p, err := game.Parse(text)
			return game, p, err
		}})
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	for _, game := range games {
		t.Run(game.Name(), func(t *testing.T) {
			var level solvers.Puzzle
			if game.About().Pack != "" {
				level = gametest.Levels(t, game)[0]
			} else if level, err = game.Generate(t.Context(), solvers.GenerateOptions{Rows: 5, Cols: 4, Unique: true}, rand.New(rand.NewPCG(1, 1))); err != nil {
				t.Fatal(err)
			}
			play := func(check bool, strokes [][][2]float64) (a played) {
				t.Helper()
				body, err := json.Marshal(map[string]any{"game": game.Name(), "text": level.String(), "limit": 0, "strokes": strokes, "down": false, "check": check})
				if err != nil {
					t.Fatal(err)
				}
				r := httptest.NewRequest(http.MethodPost, "/api/play", bytes.NewReader(body))
				r.Host = "127.0.0.1"
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				if page.ServeHTTP(w, r); w.Code != http.StatusOK {
					t.Fatalf("%d %s", w.Code, w.Body)
				}
				if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
					t.Fatal(err)
				}
				for _, s := range a.Scene.Shapes {
					for _, at := range s.Points {
						if at[0] < 0 || at[1] < 0 || at[0] > a.Scene.Width || at[1] > a.Scene.Height {
							t.Fatalf("%+v lies outside of %gx%g", s, a.Scene.Width, a.Scene.Height)
						}
					}
				}
				return a
			}
			solution, err := level.Solve(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			begun := play(true, nil)
			if begun.Won || begun.Wrong || begun.Moves != 0 || begun.Text == "" {
				t.Errorf("nothing is played: %+v", begun)
			}
			var strokes [][][2]float64
			plan := solution.Plan(onTable(begun.Places))
			for _, g := range plan {
				var stroke [][2]float64
				for _, p := range g.Points {
					stroke = append(stroke, [2]float64{float64(p.X) / dots, float64(p.Y) / dots})
				}
				strokes = append(strokes, stroke)
			}
			if len(strokes) == 0 {
				t.Fatalf("no strokes on %+v", onTable(begun.Places))
			}
			before, checked := begun, 0
			for n := range strokes {
				if len(strokes) > 40 && n%(len(strokes)/20) != 0 && n < len(strokes)-2 {
					continue
				}
				// Taps that lead a cell through a cycle belong together.
				done := n == len(strokes)-1 || plan[n].Note != plan[n+1].Note
				a := play(done && checked < 3, strokes[:n+1])
				if a.Text != "" {
					checked++
				}
				if a.Won != (n == len(strokes)-1) {
					t.Fatalf("after %d of %d strokes won is %v:\n%s", n+1, len(strokes), a.Won, a.Board)
				}
				if a.Wrong {
					t.Fatalf("after %d strokes: %s\n%s", n+1, a.Text, a.Board)
				}
				if a.Board != before.Board && fmt.Sprint(a.Scene) == fmt.Sprint(before.Scene) {
					t.Errorf("stroke %d does not show:\n%s", n+1, a.Board)
				}
				before = a
			}
			if _, moves := solution.(solvers.Mover); moves {
				if a := play(true, strokes[:1]); a.Wrong || a.Text != fmt.Sprintf("From here it can be done in %d moves.", len(strokes)-1) {
					t.Errorf("after the first move: %q", a.Text)
				}
				return
			}
			for _, from := range begun.Places {
				for _, to := range begun.Places {
					if math.Hypot(from.X-to.X, from.Y-to.Y) > 1.1 && !strings.HasPrefix(to.Name, "key") {
						continue
					}
					a, b := [2]float64{from.X, from.Y}, [2]float64{to.X, to.Y}
					for _, tried := range [][][][2]float64{{{a, b}}, {{a}, {b}}, {{a}, {a}}} {
						if answer := play(true, tried); answer.Wrong {
							if answer.Won || answer.Text != "What is marked in red is wrong." || !strings.Contains(fmt.Sprint(answer.Scene), "#e61e28ff") {
								t.Errorf("%v: %q, and the picture marks nothing", tried, answer.Text)
							}
							return
						}
					}
				}
			}
			t.Error("no stroke was found to be wrong")
		})
	}
}
