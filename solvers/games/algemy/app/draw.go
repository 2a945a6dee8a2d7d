package app

import (
	"fmt"
	"image/color"
	"math"
	"time"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/algemy"
	"tapwise/solvers/screen"
)

// Draw paints the screen.
func (a *app) Draw(c screen.Canvas, now time.Duration) {
	if !a.Prepare(c, now) {
		return
	}
	d := drawing{Canvas: c, app: a, l: a.lay(), look: &dayLook, now: now}
	if a.night {
		d.look = &nightLook
	}
	d.thin = max(2, math.Round(d.look.gridLine*d.l.Unit))
	d.Fill(d.look.ground)
	if a.Home {
		d.l.DrawStart(d, "ALGEMY", a.Title, "", d.l.Buttons[playButton], d.look.line)
	} else {
		d.bar()
		d.grid()
		d.lights()
		d.crystals()
		if a.announced() {
			d.banner()
		}
		if a.wheel != board.None {
			d.wheel()
		}
	}
	d.l.DrawKeys(d, nil)
	if a.Panel.Kind != simapp.NoPanel {
		d.l.DrawPlain(d, d.l.Panel(a.Panel), a.Panel, d.look.ground, d.look.line, d.look.signal, white)
	}
}

// drawing is one painting of the screen.
type drawing struct {
	screen.Canvas
	app  *app
	l    *layout
	look *look
	now  time.Duration
	thin float64 // the width of the grid's lines, whole pixels
}

// bar draws the buttons and the level's number.
func (d *drawing) bar() {
	a, l, u := d.app, d.l, d.l.Unit
	for _, b := range []simapp.Button{homeButton, simapp.PreviousButton, simapp.NextButton} {
		box := l.Buttons[b]
		x, y := box.Centre()
		ink, outline := d.look.line, d.look.faint
		if !a.Enabled(b) {
			ink = d.look.faint
		}
		r := 0.026 * u
		switch b {
		case homeButton:
			d.Polygon([][2]float64{{x, y - 1.1*r}, {x + 1.2*r, y}, {x - 1.2*r, y}}, ink)
			d.Rect(x-0.8*r, y-0.05*r, x-0.2*r, y+r, ink)
			d.Rect(x-0.2*r, y-0.05*r, x+0.2*r, y+0.3*r, ink)
			d.Rect(x+0.2*r, y-0.05*r, x+0.8*r, y+r, ink)
		case simapp.PreviousButton:
			simapp.Triangle(d, x, y, -r, ink)
		case simapp.NextButton:
			if a.announced() {
				// It swells and shrinks once in 0.9 seconds.
				turn := 2 * math.Pi * (d.now - a.WonAt - a.Celebration).Seconds() / 0.9
				r *= 1 + 0.12*math.Sin(turn)
				d.Rect(box.X0, box.Y0, box.X1, box.Y1, d.look.signal)
				ink, outline = white, d.look.signal
			}
			simapp.Triangle(d, x, y, r, ink)
		}
		box.Frame(d, max(1, math.Round(u/540)), outline)
	}
	d.Text(l.counter[0], l.counter[1]+0.018*u, 0.052*u, 0.5, fmt.Sprintf("%d/%d", a.Shown+1, len(a.levels)), d.look.line)
	x, y := l.Buttons[toggleButton].Centre()
	r := 0.04 * u
	d.Circle(x, y, r, toggleBlue)
	d.Circle(x, y, 0.82*r, white)
	half := make([][2]float64, 25)
	for i := range half {
		sin, cos := math.Sincos(float64(i) * math.Pi / 24)
		half[i] = [2]float64{x + 0.82*r*sin, y - 0.82*r*cos}
	}
	d.Polygon(half, black)
}

var (
	black      = color.NRGBA{0, 0, 0, 255}
	white      = color.NRGBA{255, 255, 255, 255}
	toggleBlue = color.NRGBA{40, 80, 170, 255}
)

// grid draws the lines of the board.
func (d *drawing) grid() {
	l, p := d.l, d.l.puzzle
	for c := range board.Cell(p.Cells()) {
		corners := l.corners(c)
		for i, from := range corners {
			to := corners[(i+1)%len(corners)]
			if p.Shape() == algemy.Hexagon {
				if beyond := l.cellAt(from[0]+to[0]-l.centres[c][0], from[1]+to[1]-l.centres[c][1]); beyond == board.None || beyond > c {
					d.Polyline([][2]float64{from, to}, d.thin, d.look.line)
				}
				continue
			}
			// On whole pixels, as the game does.
			x0, x1 := math.Round(min(from[0], to[0])-d.thin/2), math.Round(max(from[0], to[0])-d.thin/2)+d.thin
			y0, y1 := math.Round(min(from[1], to[1])-d.thin/2), math.Round(max(from[1], to[1])-d.thin/2)+d.thin
			d.Rect(x0, y0, x1, y1, d.look.line)
		}
	}
}

// lights draws the beams of the light sources, then the sources.
func (d *drawing) lights() {
	b := d.app.board
	sees := make([]bool, len(d.l.centres)) // by source: it sees another
	for at := range board.Cell(b.puzzle.Cells()) {
		colour, lit := b.sources[at]
		if !lit {
			continue
		}
		for axis := range b.puzzle.Axes() {
			first, last := at, at
			for _, forwards := range []bool{false, true} {
				for _, reached := range b.sight(at, axis, forwards) {
					if forwards {
						last = reached
					} else {
						first = reached
					}
					if _, lit := b.sources[reached]; lit {
						sees[at] = true
					}
				}
			}
			d.beam(first, last, axis, simapp.Faded(d.look.Light[colour], d.look.shine))
		}
	}
	for c, at := range d.l.centres {
		if colour, lit := b.sources[board.Cell(c)]; lit {
			d.source(at, d.look.Light[colour], sees[c])
		}
	}
}

// beam draws light along a sight-line, over all of its cells.
func (d *drawing) beam(first, last board.Cell, axis int, c color.NRGBA) {
	from, to := d.l.centres[first], d.l.centres[last]
	// The direction of the axis, half a pitch long.
	half := [2]float64{d.l.Pitch / 2, 0}
	if axis > 0 {
		half = [2]float64{0, d.l.Pitch / 2}
		if d.l.puzzle.Shape() == algemy.Hexagon {
			half = [2]float64{d.l.Pitch / 4, d.l.Pitch / 4 * math.Sqrt(3)}
			if axis == 1 {
				half[0] = -half[0]
			}
		}
	}
	wide := [2]float64{half[1] * d.look.beam, half[0] * d.look.beam}
	x0, y0, x1, y1 := from[0]-half[0], from[1]-half[1], to[0]+half[0], to[1]+half[1]
	if half[0] == 0 || half[1] == 0 {
		d.Rect(x0-wide[0], y0-wide[1], x1+wide[0], y1+wide[1], c)
		return
	}
	d.Polygon([][2]float64{
		{x0 - wide[0], y0 + wide[1]}, {x1 - wide[0], y1 + wide[1]},
		{x1 + wide[0], y1 - wide[1]}, {x0 + wide[0], y0 - wide[1]},
	}, c)
}

// source draws a light source; one that sees another is crossed out.
func (d *drawing) source(at [2]float64, c color.NRGBA, sees bool) {
	r := d.look.source * d.l.Pitch
	line := max(2, d.look.gemLine*d.l.Pitch)
	d.Circle(at[0], at[1], r+line, d.look.engraved)
	d.Circle(at[0], at[1], r, c)
	if !sees {
		d.Circle(at[0], at[1], 0.38*r, d.look.engraved)
		return
	}
	s := 0.42 * r
	d.Polyline([][2]float64{{at[0] - s, at[1] - s}, {at[0] + s, at[1] + s}}, 2*line, d.look.engraved)
	d.Polyline([][2]float64{{at[0] - s, at[1] + s}, {at[0] + s, at[1] - s}}, 2*line, d.look.engraved)
}

// crystals draws the crystals: a small cube inside a big one, which fills with
// colour when it is right. The white ones have no small cube.
func (d *drawing) crystals() {
	b, look := d.app.board, d.look
	for c, at := range d.l.centres {
		k := b.puzzle.Crystal(board.Cell(c))
		if k == algemy.Empty {
			continue
		}
		x, y := at[0], at[1]
		outer := hexagon(x, y, look.outer*d.l.Pitch)
		inner := hexagon(x, y, look.inner*d.l.Pitch)
		centre := [2]float64{x, y}
		line := look.line
		if b.satisfied(board.Cell(c)) {
			d.Polygon(outer, look.Crystal(k))
			line = look.engraved
		} else {
			d.Polygon(outer, look.ground)
			for i, face := range []algemy.Faces{algemy.TopFace, algemy.RightFace, algemy.LeftFace} {
				if k.Faces()&face != 0 {
					from := (2*i + 5) % 6
					d.Polygon([][2]float64{centre, inner[from], inner[(from+1)%6], inner[(from+2)%6]}, look.Crystal(k))
				}
			}
		}
		width := max(1.5, look.gemLine*d.l.Pitch)
		d.Polyline(append(outer, outer[0]), width, line)
		if k != algemy.WhiteCrystal {
			d.Polyline(append(inner, inner[0]), width, line)
		}
		for _, corner := range []int{1, 3, 5} {
			d.Polyline([][2]float64{centre, outer[corner]}, width, line)
		}
	}
}

// wheel draws the wheel of colours around a cell. Colours that the level does
// not have are grey.
func (d *drawing) wheel() {
	at, p := d.l.centres[d.app.wheel], d.l.Pitch
	d.Circle(at[0], at[1], wheelOuter*p+d.thin, d.look.line)
	for c := algemy.Red; c <= algemy.Violet; c++ {
		fill := d.look.faint
		if d.l.puzzle.Colours().Has(c) {
			fill = d.look.Light[c]
		}
		const steps = 12
		var arc [][2]float64
		for i := range 2 * (steps + 1) {
			step, radius := i, wheelOuter*p
			if i > steps {
				step, radius = 2*steps+1-i, wheelInner*p
			}
			sin, cos := math.Sincos((float64(c) + float64(step)/steps - 0.5) * math.Pi / 3)
			arc = append(arc, [2]float64{at[0] + radius*sin, at[1] - radius*cos})
		}
		d.Polygon(arc, fill)
	}
	d.Circle(at[0], at[1], wheelInner*p, d.look.middle)
	for i := -1.0; i <= 1; i++ {
		d.Circle(at[0]+0.14*p*i, at[1], 0.035*p, d.look.engraved)
	}
}

// banner says that the level is solved.
func (d *drawing) banner() {
	b := d.l.banner
	if b.Height() <= 0 {
		return
	}
	b.Frame(d, d.thin, d.look.signal)
	x, y := b.Centre()
	d.Text(x, y+0.17*b.Height(), 0.5*b.Height(), 0.5, "solved", d.look.signal)
}
