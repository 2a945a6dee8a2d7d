package app

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"time"

	simapp "tapwise/solvers/app"
	"tapwise/solvers/board"
	"tapwise/solvers/games/flow"
	"tapwise/solvers/screen"
)

// Sizes in pitches, as measured on every version of the game.
const (
	dotRadius  = 0.352
	pipeWidth  = 0.338
	haloRadius = 0.68
	hexScale   = 0.926 // dots and pipes of hex boards are that much smaller
)

// Draw paints the screen.
func (a *app) Draw(c screen.Canvas, now time.Duration) {
	if !a.Prepare(c, now) {
		return
	}
	l := a.Layout()
	d := drawing{Canvas: c, app: a, l: l, u: l.Unit, thin: max(1, math.Round(l.Unit/360)), dot: dotRadius, pipeWidth: pipeWidth, ink: a.look.ink()}
	if t := a.look.theme; t != nil {
		d.dot, d.pipeWidth, d.thin = t.MarkRadius, t.PipeWidth, math.Round(t.LineWidth*l.Unit/360)
	}
	d.background()
	d.header()
	if a.Home {
		d.levels()
	} else {
		d.grid()
		d.flows(now)
		d.counters()
	}
	d.footer()
	d.system(now)
	if a.Panel.Kind != simapp.NoPanel {
		d.panel(a.Panel)
	}
}

// drawing is one painting of the screen.
type drawing struct {
	screen.Canvas
	app  *app
	l    *layout
	u    float64 // the layout's unit
	thin float64 // the width of thin lines, whole pixels

	dot, pipeWidth float64     // in pitches
	ink            color.NRGBA // of words and signs
}

// backdrop says for what a background was painted.
type backdrop struct {
	size   image.Point
	unit   float64
	stream int
}

// background paints the glow, which is made once for each level and size.
func (d *drawing) background() {
	a, l := d.app, d.l
	if t := a.look.theme; t != nil {
		d.Fill(t.Background)
		return
	}
	content := image.Rect(int(l.Content.X0), int(l.Content.Y0), int(math.Ceil(l.Content.X1)), int(math.Ceil(l.Content.Y1)))
	want := backdrop{size: content.Size(), unit: d.u, stream: a.Shown + 1}
	if a.Home {
		want.stream = 0
	}
	if a.backdrop == nil || a.painted != want {
		a.backdrop, a.painted = glow(want.size, want.unit, a.seed, want.stream), want
	}
	d.Fill(black)
	d.Picture(content.Min.X, content.Min.Y, a.backdrop)
}

// header draws the top of the screen, beside the board when the screen lies.
func (d *drawing) header() {
	a, l := d.app, d.l
	d.button(leaveButton, d.ink)
	d.arrow(l.Buttons[leaveButton], -1, d.ink)
	x, y := l.Buttons[leaveButton].Centre()
	x += 0.064 * d.u
	y += 0.026 * d.u
	title, subtitle := a.Title, ""
	if !a.Home {
		title, subtitle = "level "+strconv.Itoa(a.Shown+1), a.subtitle()
	}
	size, room := 0.075*d.u, 0.5*l.Content.Width()
	if l.Landscape {
		size, room = 0.055*d.u, 0.17*d.u
	}
	size = min(size, room/textWidth(title))
	d.Text(x, y, size, 0, title, a.look.pack)
	if a.Home {
		return
	}
	x += textWidth(title)*size + 0.02*d.u
	size *= 0.8
	if l.Landscape {
		x, y = 0.03*d.u, y+0.11*d.u
	}
	d.Text(x, y, size, 0, subtitle, grey)
	x += textWidth(subtitle)*size + 0.045*d.u
	switch best := a.best[a.Shown]; {
	case best == 0:
	case best == len(a.Play.Lines):
		d.star(x, y-0.024*d.u, 0.028*d.u, d.ink)
	default:
		d.check(x, y-0.024*d.u, 0.12*d.u, 0.009*d.u, d.ink)
	}
	d.film(l.Buttons[filmButton])
	d.button(gearButton, d.ink)
	d.gear(l.Buttons[gearButton])
}

// textWidth is about how wide a text is, in its size: there is nothing to
// measure it with.
func textWidth(s string) float64 {
	width := 0.1
	for _, r := range s {
		switch r {
		case 'l', 'i', ' ', '.', ':':
			width += 0.27
		case 'x':
			width += 0.5
		default:
			width += 0.56
		}
	}
	return width
}

// counters draws the line above the board.
func (d *drawing) counters() {
	a, l := d.app, d.l
	b := a.Play
	best := "-"
	if a.best[a.Shown] > 0 {
		best = strconv.Itoa(a.best[a.Shown])
	}
	taken, all := b.covered()
	size := 0.044 * d.u
	left, right := l.Content.X0+0.0095*d.u, l.Content.X1-0.0095*d.u
	if l.Landscape {
		size = 0.035 * d.u
		half := max(l.board.Width()/2, 0.45*d.u)
		middle, _ := l.board.Centre()
		left, right = middle-half, middle+half
	}
	y := l.counters
	middle := (left + right) / 2
	d.Text(left, y, size, 0, fmt.Sprintf("flows: %d/%d", b.Joined(), len(b.Lines)), d.ink)
	d.Text(middle, y, size, 0.5, fmt.Sprintf("moves: %d   best: %s", b.Moves(), best), d.ink)
	d.Text(right, y, size, 1, fmt.Sprintf("pipe: %d%%", 100*taken/max(all, 1)), d.ink)
}

// grid draws the empty board: its dark ground, the tint of finished pipes,
// lines, walls and bridges.
func (d *drawing) grid() {
	l, p := d.l, d.l.puzzle
	ground := color.NRGBA{0, 0, 0, 128}
	if t := d.app.look.theme; t != nil {
		ground = t.Ground
	}
	for row := range p.Size().Rows {
		for col := 0; col < p.Size().Cols; col++ {
			c := p.Size().At(row, col)
			if p.Hole(c) {
				continue
			}
			if p.Topology() == flow.Hex {
				d.Polygon(l.corners(c), ground)
				continue
			}
			last := c // the last of the cells side by side
			for col+1 < p.Size().Cols && !p.Hole(last+1) {
				last++
				col++
			}
			from, to := l.corners(c), l.corners(last)
			d.Rect(math.Round(from[0][0]), math.Round(from[0][1]), math.Round(to[2][0]), math.Round(to[2][1]), ground)
		}
	}
	for pipe, path := range d.app.Play.Lines {
		if !d.app.Play.Finished(pipe) {
			continue
		}
		tint := simapp.Faded(simapp.Mix(d.app.colours[pipe], white, 0.5), 0.31)
		for _, s := range path {
			corners := l.corners(s.Cell)
			if p.Topology() == flow.Hex {
				d.Polygon(corners, tint)
			} else {
				d.Rect(math.Round(corners[0][0]), math.Round(corners[0][1]), math.Round(corners[2][0]), math.Round(corners[2][1]), tint)
			}
		}
	}
	d.lines()
}

// lines draws the grid's lines: thin ones between cells and around a plain
// rectangle, a thick outline around other boards, thick walls.
func (d *drawing) lines() {
	l, p := d.l, d.l.puzzle
	thin, light := d.app.look.lineColour(), d.app.look.lightColour()
	thick := max(2, math.Round(d.u/135))
	irregular := p.Topology() == flow.Hex
	for c := range board.Cell(p.Size().Cells()) {
		irregular = irregular || p.Hole(c)
	}
	rim, rimWidth := thin, d.thin
	switch {
	case irregular:
		rim, rimWidth = light, thick
	case p.Walls() > 0:
		rimWidth = thick
	}
	var walls, outline [][][2]float64
	for c := range board.Cell(p.Size().Cells()) {
		if p.Hole(c) {
			continue
		}
		for dir := range board.Dir(p.Dirs()) {
			side := l.side(c, dir)
			beside := p.Beside(c, dir)
			switch over := d.overRim(c, dir); {
			case beside != board.None && p.Walled(c, beside):
				walls = append(walls, side)
			case beside == board.None || p.Hole(beside):
				outline = append(outline, side)
			case over:
				d.line(side, d.thin, thin)
				d.warpLines(c, dir, thin)
			case c < beside:
				d.line(side, d.thin, thin)
			}
		}
	}
	for _, side := range outline {
		d.line(side, rimWidth, rim)
	}
	for _, side := range walls {
		d.line(side, thick, light)
	}
	for c := range board.Cell(p.Size().Cells()) {
		if p.Bridge(c) {
			d.bridge(c)
		}
	}
}

// overRim reports whether a step leads over the rim of a warp board.
func (d *drawing) overRim(c board.Cell, dir board.Dir) bool {
	if d.l.puzzle.Topology() != flow.Warp {
		return false
	}
	row, col := dir.Step()
	size := d.l.puzzle.Size()
	return size.At(size.Row(c)+row, size.Col(c)+col) == board.None
}

// line draws a side: on whole pixels when it is upright or level, as the game
// does; thick ones have round ends.
func (d *drawing) line(side [][2]float64, width float64, c color.NRGBA) {
	if width == 0 {
		return // a theme without lines
	}
	from, to := side[0], side[1]
	if width > d.thin || math.Abs(from[0]-to[0]) > 0.01 && math.Abs(from[1]-to[1]) > 0.01 {
		d.Polyline(side, width, c)
		return
	}
	x0, x1 := math.Round(min(from[0], to[0])-width/2), math.Round(max(from[0], to[0])-width/2)+width
	y0, y1 := math.Round(min(from[1], to[1])-width/2), math.Round(max(from[1], to[1])-width/2)+width
	d.Rect(x0, y0, x1, y1, c)
}

// warpLines draws the lines that reach over the rim on both sides of a cell from
// which pipes may leave a warp board.
func (d *drawing) warpLines(c board.Cell, dir board.Dir, colour color.NRGBA) {
	row, col := dir.Step()
	dx, dy := float64(col)*rimReach*d.l.Pitch, float64(row)*rimReach*d.l.Pitch
	for _, corner := range d.l.side(c, dir) {
		d.line([][2]float64{corner, {corner[0] + dx, corner[1] + dy}}, d.thin, colour)
	}
}

// bridge draws what marks a bridge: two straight lines that lead under two
// wavy ones.
func (d *drawing) bridge(c board.Cell) {
	at, p := d.l.centres[c], d.l.Pitch
	width := max(1, d.u/270)
	for _, side := range []float64{-1, 1} {
		var wave [][2]float64
		for i := -10; i <= 10; i++ {
			t := float64(i) / 10
			wave = append(wave, [2]float64{at[0] + 0.5*p*t, at[1] + side*p*(0.3-0.05*math.Cos(math.Pi*t))})
		}
		d.Polyline(wave, width, white)
		for _, end := range []float64{-1, 1} {
			x := at[0] + side*0.25*p
			d.Polyline([][2]float64{{x, at[1] + end*0.5*p}, {x, at[1] + end*0.275*p}}, width, white)
		}
	}
}

// flows draws pipes, ends and the finger's halo.
func (d *drawing) flows(now time.Duration) {
	a, l, p := d.app, d.l, d.l.puzzle
	scale := 1.0
	if p.Topology() == flow.Hex {
		scale = hexScale
	}
	width := d.pipeWidth * scale * l.Pitch
	for pipe, path := range a.Play.Lines {
		d.pipe(path, width, a.colours[pipe])
	}
	for c := range board.Cell(p.Size().Cells()) {
		if p.Bridge(c) {
			d.crossing(c, width)
		}
	}
	radius := d.dot * scale * l.Pitch
	if a.Winning {
		radius *= 1 + 0.12*math.Sin(math.Pi*float64(now-a.WonAt)/float64(a.Celebration))
	}
	for pipe, colour := range a.colours {
		mark := black
		if int(colour.R)*3+int(colour.G)*6+int(colour.B) < 1100 {
			mark = white
		}
		radius := radius
		if t := a.look.theme; t != nil && pipe < len(a.pulsing) && a.pulsing[pipe] && now < a.pulsed+t.Pulse {
			radius *= 1 + 0.2*math.Sin(math.Pi*float64(now-a.pulsed)/float64(t.Pulse))
		}
		for _, c := range p.Ends(pipe) {
			at := l.centres[c]
			d.end(at, radius, colour)
			if a.look.letters {
				d.Text(at[0], at[1]+0.13*l.Pitch, 0.36*l.Pitch, 0.5, flow.ColourLetter(colour, pipe), mark)
			}
			if a.look.checks && a.Play.Finished(pipe) {
				d.check(at[0], at[1], l.Pitch, 0.05*l.Pitch, mark)
			}
		}
	}
	if a.Touching {
		d.Circle(a.Finger[0], a.Finger[1], haloRadius*l.Pitch, simapp.Faded(a.colours[a.Play.Stroke], 0.35))
	}
}

// end draws the end of a pipe.
func (d *drawing) end(at [2]float64, radius float64, colour color.NRGBA) {
	t := d.app.look.theme
	shape := "disc"
	if t != nil {
		shape = t.Mark
	}
	x, y := at[0], at[1]
	switch shape {
	case "square":
		d.Rect(x-radius, y-radius, x+radius, y+radius, colour)
	case "diamond":
		d.Polygon([][2]float64{{x - radius, y}, {x, y - radius}, {x + radius, y}, {x, y + radius}}, colour)
	case "ring":
		d.Circle(x, y, radius, colour)
		d.Circle(x, y, 0.72*radius, simapp.Mix(t.Ground, colour, t.MarkInside))
	default:
		d.Circle(x, y, radius, colour)
	}
}

// pipe draws a pipe as far as it goes.
func (d *drawing) pipe(path []simapp.LineStep, width float64, colour color.NRGBA) {
	var points [][2]float64
	flush := func() {
		if len(points) > 1 {
			d.Polyline(points, width, colour)
		}
		points = nil
	}
	for i, s := range path {
		if i > 0 && d.overRim(path[i-1].Cell, s.Dir) {
			flush()
			d.leave(path[i-1].Cell, s.Dir, width, colour)
			d.leave(s.Cell, s.Dir.Opposite(), width, colour)
		}
		points = append(points, d.l.centres[s.Cell])
	}
	flush()
}

// leave draws the piece of a pipe from a cell's centre over the rim of a warp
// board, where it fades.
func (d *drawing) leave(c board.Cell, dir board.Dir, width float64, colour color.NRGBA) {
	at, p := d.l.centres[c], d.l.Pitch
	row, col := dir.Step()
	dx, dy := float64(col), float64(row)
	piece := func(from, to, alpha float64) {
		x0, y0 := at[0]+from*p*dx, at[1]+from*p*dy
		x1, y1 := at[0]+to*p*dx, at[1]+to*p*dy
		wx, wy := math.Abs(dy)*width/2, math.Abs(dx)*width/2
		d.Rect(min(x0, x1)-wx, min(y0, y1)-wy, max(x0, x1)+wx, max(y0, y1)+wy, simapp.Faded(colour, alpha))
	}
	d.Circle(at[0], at[1], width/2, colour)
	piece(0, 0.5+rimReach/2, 1)
	piece(0.5+rimReach/2, 0.5+rimReach, 0.5)
}

// crossing draws the pipe that crosses a bridge horizontally once more, over
// the other one, and the bridge's lines over both.
func (d *drawing) crossing(c board.Cell, width float64) {
	at, reach := d.l.centres[c], 0.5*d.l.Pitch
	for pipe, path := range d.app.Play.Lines {
		for i, s := range path {
			if s.Cell != c || s.Dir%2 == 0 {
				continue
			}
			from, to := at[0]-reach, at[0]+reach
			if i == len(path)-1 { // a tip does not reach the far side
				if s.Dir == board.East {
					to = at[0]
				} else {
					from = at[0]
				}
			}
			d.Rect(from, at[1]-width/2, to, at[1]+width/2, d.app.colours[pipe])
		}
	}
	d.bridge(c)
}

// footer draws the buttons below the board.
func (d *drawing) footer() {
	a, l := d.app, d.l
	state := func(b simapp.Button) color.NRGBA {
		if a.Enabled(b) {
			return d.ink
		}
		return off
	}
	d.button(simapp.PreviousButton, state(simapp.PreviousButton))
	d.arrow(l.Buttons[simapp.PreviousButton], -1, state(simapp.PreviousButton))
	d.button(simapp.NextButton, state(simapp.NextButton))
	d.arrow(l.Buttons[simapp.NextButton], 1, state(simapp.NextButton))
	if a.Home {
		return
	}
	d.button(undoButton, state(undoButton))
	d.undoArrow(l.Buttons[undoButton], state(undoButton))
	d.button(simapp.RestartButton, d.ink)
	d.circleArrows(l.Buttons[simapp.RestartButton], d.ink)
	d.button(simapp.HintButton, d.ink)
	hint := l.Buttons[simapp.HintButton]
	x, y := hint.Centre()
	d.bulb(x, y, 0.025*d.u)
	d.rays(x, y, 0.052*d.u, 0.064*d.u)
	d.Text(hint.X0-0.015*d.u, y+0.015*d.u, 0.042*d.u, 1, "+", d.ink)
}

// system draws everything around the game: the status bar, the advertisement and
// Android's navigation bar.
func (d *drawing) system(now time.Duration) {
	l := d.l
	l.Status.Fill(d, black)
	y := l.Status.Y1 - 0.025*d.u
	size := 0.034 * d.u
	bright := color.NRGBA{225, 225, 225, 255}
	d.Text(0.05*d.u, y, size, 0, simapp.Clock(now), bright)
	right := l.Content.X1 - 0.05*d.u
	d.RoundRect(right-0.02*d.u, y-0.027*d.u, right, y+0.002*d.u, 0.004*d.u, bright)
	d.Polygon([][2]float64{{right - 0.075*d.u, y - 0.025*d.u}, {right - 0.035*d.u, y - 0.025*d.u}, {right - 0.055*d.u, y + 0.002*d.u}}, bright)
	l.DrawKeys(d, func(x, y, r float64, key color.NRGBA) {
		d.ring(x, y, 1.2*r, 0.003*d.u, key)
		d.Circle(x, y, 0.8*r, key)
	})
	if l.banner.Width() > 0 {
		d.Rect(l.Content.X0, l.banner.Y0, l.Content.X1, l.banner.Y1, black)
		d.advertisement()
	}
}

// advertisements are the banners that the seed chooses from.
var advertisements = []struct {
	ground, accent color.NRGBA
	name, call     string
}{
	{color.NRGBA{255, 255, 255, 255}, color.NRGBA{0, 122, 255, 255}, "Parcel in a day", "OPEN"},
	{color.NRGBA{230, 30, 60, 255}, color.NRGBA{255, 214, 0, 255}, "Jewel Valley", "PLAY NOW"},
	{color.NRGBA{16, 160, 220, 255}, color.NRGBA{255, 140, 0, 255}, "Farm & Friends", "INSTALL"},
	{color.NRGBA{255, 205, 0, 255}, color.NRGBA{0, 150, 70, 255}, "Fresh pizza, half price", "ORDER"},
}

// advertisement draws the banner.
func (d *drawing) advertisement() {
	b := d.l.banner
	ad := advertisements[randomOf(d.app.seed, -1).IntN(len(advertisements))]
	h := b.Height()
	b.Fill(d, ad.ground)
	ink := black
	if ad.ground.G < 128 {
		ink = white
	}
	_, y := b.Centre()
	d.RoundRect(b.X0+0.12*h, b.Y0+0.12*h, b.X0+0.88*h, b.Y1-0.12*h, 0.15*h, ad.accent)
	d.star(b.X0+0.5*h, y, 0.3*h, ad.ground)
	d.Text(b.X0+1.05*h, y-0.04*h, 0.3*h, 0, ad.name, ink)
	d.Text(b.X0+1.05*h, y+0.3*h, 0.2*h, 0, "Advertisement", simapp.Mix(ink, ad.ground, 0.4))
	call := simapp.NewBox(b.X1-1.8*h, b.Y0+0.25*h, b.X1-0.35*h, b.Y1-0.25*h)
	d.RoundRect(call.X0, call.Y0, call.X1, call.Y1, 0.1*h, ad.accent)
	middle, _ := call.Centre()
	d.Text(middle, y+0.09*h, 0.25*h, 0.5, ad.call, white)
	d.Rect(b.X1-0.22*h, b.Y0, b.X1, b.Y0+0.22*h, color.NRGBA{245, 245, 245, 255})
	simapp.Cross(d, b.X1-0.11*h, b.Y0+0.11*h, 0.06*h, 0.02*h, color.NRGBA{0, 170, 200, 255})
}

// panel draws a panel over the level.
func (d *drawing) panel(p simapp.Panel) {
	place := d.l.Panel(p)
	u := place.Unit
	border := max(2, math.Round(u/160))
	place.Box.Fill(d, black)
	place.Box.Frame(d, border, color.NRGBA{66, 41, 83, 255})
	place.Title.Fill(d, color.NRGBA{0, 56, 0, 255})
	d.Rect(place.Title.X0, place.Title.Y1-0.01*u, place.Title.X1, place.Title.Y1, color.NRGBA{0, 126, 0, 255})
	x, _ := place.Title.Centre()
	y := place.Title.Y0 + 0.051*u
	d.Text(x, y+0.021*u, 0.06*u, 0.5, p.Title, white)
	cx, _ := place.Close.Centre()
	simapp.Cross(d, cx, y, 0.025*u, 0.007*u, white)
	for i, line := range p.Lines {
		d.Text(x, place.Text[i], 0.05*u, 0.5, line, white)
	}
	for i, b := range place.Buttons {
		b.Frame(d, border, white)
		bx, by := b.Centre()
		d.Text(bx, by+0.02*u, 0.06*u, 0.5, p.Buttons[i], white)
	}
}

// levels draws a page of the list of levels.
func (d *drawing) levels() {
	a := d.app
	for i := range a.onPage() {
		level := a.page*levelsAPage + i
		b := d.l.square(i)
		x, y := b.Centre()
		b.Fill(d, color.NRGBA{0, 0, 0, 160})
		if a.best[level] > 0 {
			b.Fill(d, simapp.Faded(a.look.pack, 0.3))
		}
		b.Frame(d, d.thin, a.look.pack)
		d.Text(x, y+0.17*b.Height(), 0.5*b.Height(), 0.5, strconv.Itoa(level+1), white)
		switch best := a.best[level]; {
		case best == 0:
		case best == a.levels[level].Pipes():
			d.star(b.X1-0.14*b.Width(), b.Y1-0.14*b.Width(), 0.1*b.Width(), white)
		default:
			d.check(b.X1-0.15*b.Width(), b.Y1-0.15*b.Width(), 0.4*b.Width(), 0.03*b.Width(), white)
		}
	}
}
