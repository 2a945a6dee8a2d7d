package web

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// phoneState is everything that a page is told about a phone.
type phoneState struct {
	Phone
	Now  int64  `json:"now"`  // Unix milliseconds
	Game string `json:"game"` // to look for; empty: any
	Sees string `json:"sees"` // the game on the screen; empty: not known
	// Trouble is what stands in the way.
	Trouble *problem   `json:"trouble"`
	Run     *runState  `json:"run"` // the current or the last one
	Frame   *shotState `json:"frame"`
	Lines   []line     `json:"lines"`
}

type runState struct {
	Game     string   `json:"game"`
	Pack     string   `json:"pack"`
	Active   bool     `json:"active"`
	DryRun   bool     `json:"dryRun"`
	Paused   bool     `json:"paused"`  // a pause was asked for
	Waiting  bool     `json:"waiting"` // and is in force
	Stage    string   `json:"stage"`
	First    int      `json:"first"`
	Last     int      `json:"last"`
	Level    int      `json:"level"`  // the one being played
	Stroke   int      `json:"stroke"` // the one being made, as an index into the overlay's plan; -1 none
	Won      int      `json:"won"`
	Failed   bool     `json:"failed"`
	Commands []string `json:"commands,omitempty"`

	Began   int64       `json:"began"`   // Unix milliseconds
	PerHour float64     `json:"perHour"` // levels won in an hour at this pace; 0: unknown
	Parts   []partState `json:"parts"`   // of a level, none before one was won
}

type shotState struct {
	Version  int      `json:"version"`
	Width    int      `json:"width"`
	Height   int      `json:"height"`
	Captured int64    `json:"captured"` // Unix milliseconds
	Took     int64    `json:"took"`     // time to capture, in milliseconds; 0 if unknown
	Stage    string   `json:"stage"`
	Place    string   `json:"place"`
	Reason   string   `json:"reason,omitempty"`
	Board    string   `json:"board,omitempty"`
	Solution string   `json:"solution,omitempty"`
	Overlay  *overlay `json:"overlay"`
}

// overlay is the drawing over a frame, in the frame's pixels.
type overlay struct {
	Board   [4]int    `json:"board"` // left, top, right, bottom
	Rows    int       `json:"rows"`
	Cols    int       `json:"cols"`
	Pitch   float64   `json:"pitch"`
	Apart   bool      `json:"apart"`             // the cells are not squares in rows
	Centres [][2]int  `json:"centres,omitempty"` // of such cells
	Missing [][4]int  `json:"missing,omitempty"` // sides of cells on which no line was seen
	Labels  []label   `json:"labels,omitempty"`
	Plan    []gesture `json:"plan,omitempty"`
	Boxes   [][4]int  `json:"boxes,omitempty"`
	Doubts  []string  `json:"doubts,omitempty"`
	Sure    float64   `json:"confidence"`
}

type label struct {
	At   [2]int `json:"at"`
	Text string `json:"text"`
}

type gesture struct {
	Note   string   `json:"note"`
	Colour string   `json:"colour,omitempty"` // of what it draws, #rrggbb; empty: it draws nothing
	Points [][2]int `json:"points"`
}

// nameOf is a game's name; empty without one.
func nameOf(g solvers.Game) string {
	if g == nil {
		return ""
	}
	return g.Name()
}

// snapshot is the phone's current state.
func (p *session) snapshot() phoneState {
	p.mu.Lock()
	defer p.mu.Unlock()
	state := phoneState{Phone: p.phone, Now: time.Now().UnixMilli(), Game: nameOf(p.game), Sees: nameOf(p.sees), Trouble: p.trouble, Lines: slices.Clone(p.lines)}
	state.Serial = p.serial
	if state.Lines == nil {
		state.Lines = []line{}
	}
	now := p.run
	if now == nil {
		now = p.last
	}
	if now != nil {
		state.Run = &runState{
			Game: nameOf(now.order.Game), Pack: now.order.Pack, Active: now == p.run, DryRun: now.dry, Paused: now.paused, Waiting: now.waiting,
			Stage: now.stage, First: now.order.First, Last: now.order.Last, Level: now.level, Stroke: now.stroke, Won: now.won,
			Failed: now.failed, Commands: now.lines,
			Began: now.pace.began.UnixMilli(), PerHour: now.pace.perHour(time.Now()), Parts: now.pace.parts(),
		}
	}
	if p.shot != nil {
		state.Frame = p.shot.state(p.sight)
	}
	return state
}

func (s *shot) state(made sight) *shotState {
	size := s.frame.Bounds().Size()
	if s.full != (image.Point{}) {
		size = s.full
	}
	state := &shotState{
		Version: s.version, Width: size.X, Height: size.Y, Captured: s.captured.UnixMilli(), Took: s.took.Milliseconds(),
		Stage: made.stage, Place: made.place.String(), Reason: made.reason,
	}
	if made.puzzle != nil {
		state.Board = made.puzzle.String()
	}
	if made.solution != nil {
		state.Solution = made.solution.String()
	}
	switch {
	case made.shot != s.version: // it is of another frame
	case made.seen == nil || made.seen.On.Size != size:
	case made.place == screen.Level || made.place == screen.Elsewhere && made.puzzle == nil:
		state.Overlay = drawn(made.seen, made.puzzle, made.plan)
	}
	return state
}

// drawn is the overlay of an observation and of its puzzle and plan.
func drawn(seen *screen.Observation, puzzle solvers.Puzzle, plan []screen.Gesture) *overlay {
	l := seen.Layout
	o := &overlay{Rows: l.Rows, Cols: l.Cols, Pitch: l.Pitch, Apart: l.Topology != screen.Square, Doubts: seen.Doubts, Sure: seen.Confidence,
		Board: [4]int{l.Board.Min.X, l.Board.Min.Y, l.Board.Max.X, l.Board.Max.Y}}
	for _, b := range seen.Boxes {
		o.Boxes = append(o.Boxes, [4]int{b.Bounds.Min.X, b.Bounds.Min.Y, b.Bounds.Max.X, b.Bounds.Max.Y})
	}
	if o.Apart {
		for _, c := range l.Centres {
			o.Centres = append(o.Centres, [2]int{c.X, c.Y})
		}
	} else if puzzle == nil {
		o.Missing = missing(seen) // it may be why no board was read
	}
	if a, ok := puzzle.(solvers.Annotator); ok {
		for i, text := range a.Annotations() {
			if text != "" && i < len(l.Centres) {
				o.Labels = append(o.Labels, label{[2]int{l.Centres[i].X, l.Centres[i].Y}, text})
			}
		}
	}
	var colours []color.NRGBA
	if puzzle != nil {
		colours = puzzle.Paint(plan)
	}
	for i, g := range plan {
		if g.On != seen.On {
			continue // it is meant for another screen
		}
		note := g.Note
		if note == "" {
			note = fmt.Sprintf("stroke %d", i+1)
		}
		drawn := gesture{Note: note}
		if i < len(colours) && colours[i].A == 255 {
			drawn.Colour = fmt.Sprintf("#%02x%02x%02x", colours[i].R, colours[i].G, colours[i].B)
		}
		for _, p := range g.Points {
			drawn.Points = append(drawn.Points, [2]int{p.X, p.Y})
		}
		o.Plan = append(o.Plan, drawn)
	}
	return o
}

// missing are the sides of cells on which no line was seen.
func missing(seen *screen.Observation) [][4]int {
	l := seen.Layout
	if l.Rows <= 0 || l.Cols <= 0 || len(seen.Horizontal) != (l.Rows+1)*l.Cols || len(seen.Vertical) != l.Rows*(l.Cols+1) {
		return nil
	}
	x := func(c int) int { return l.Board.Min.X + c*(l.Board.Dx()-1)/l.Cols }
	y := func(r int) int { return l.Board.Min.Y + r*(l.Board.Dy()-1)/l.Rows }
	var lines [][4]int
	for r := range l.Rows + 1 {
		for c := range l.Cols {
			if seen.Horizontal[r*l.Cols+c].Support < 0.5 {
				lines = append(lines, [4]int{x(c), y(r), x(c + 1), y(r)})
			}
		}
	}
	for r := range l.Rows {
		for c := range l.Cols + 1 {
			if seen.Vertical[r*(l.Cols+1)+c].Support < 0.5 {
				lines = append(lines, [4]int{x(c), y(r), x(c), y(r + 1)})
			}
		}
	}
	return lines
}
