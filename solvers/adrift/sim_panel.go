package adrift

import (
	"image/color"
	"math"
)

// simPanel is a box over the level.
type simPanel struct {
	kind    simPanelKind
	title   string
	lines   []string
	buttons []string
}

type simPanelKind int

const (
	noPanel simPanelKind = iota
	completePanel
	packPanel
	noticePanel
)

func (k simPanelKind) String() string {
	return [...]string{"level", "complete", "pack complete", "notice"}[k]
}

// simPanelPlace is where a panel and what is on it lies.
type simPanelPlace struct {
	unit    float64
	box     simBox
	title   simBox
	close   simBox
	text    []float64 // baselines
	buttons []simBox
}

// panel lays out a panel over the middle of the content.
func (l *simLayout) panel(p simPanel) simPanelPlace {
	// In parts of the unit, from the top of the panel.
	const title, line, button, gap = 0.125, 0.065, 0.125, 0.035
	height := title + 0.11 + line*float64(len(p.lines)) + (button+gap)*float64(len(p.buttons)) + 0.02
	u := min(l.unit, l.content.height()/(height+0.02))
	cx, cy := l.content.centre()
	place := simPanelPlace{unit: u, box: boxAround(cx, cy, 0.4*u, height/2*u)}
	b := place.box
	place.title = simBox{b.x0, b.y0, b.x1, b.y0 + title*u}
	place.close = simBox{b.x1 - title*u, b.y0, b.x1, b.y0 + title*u}
	y := b.y0 + (title+0.03)*u
	for range p.lines {
		y += line * u
		place.text = append(place.text, y)
	}
	y += 0.06 * u
	for range p.buttons {
		place.buttons = append(place.buttons, simBox{cx - 0.32*u, y, cx + 0.32*u, y + button*u})
		y += (button + gap) * u
	}
	return place
}

// panel draws a panel over the level, which is dimmed.
func (d *simDrawing) panel(p simPanel) {
	look := d.app.look
	d.Rect(0, 0, float64(d.l.size.X), float64(d.l.size.Y), faded(black, 0.45))
	place := d.l.panel(p)
	u := place.unit
	border := max(2, math.Round(u/150))
	d.box(place.box, look.card)
	d.box(place.title, look.bar)
	d.frame(place.box, border, look.ink)
	x, _ := place.title.centre()
	y := place.title.y0 + 0.065*u
	d.Text(x, y+0.019*u, 0.06*u, 0.5, p.title, look.onBar)
	cx, _ := place.close.centre()
	d.cross(cx, y, 0.02*u, 0.007*u, look.onBar)
	for i, line := range p.lines {
		d.Text(x, place.text[i], 0.048*u, 0.5, line, look.ink)
	}
	for i, b := range place.buttons {
		ink := look.ink
		if i == 0 {
			gap := min(3*border, b.height()/2) // so that the outline stays a thin line
			d.Rect(b.x0+gap, b.y0+gap, b.x1-gap, b.y1-gap, look.accent)
			ink = look.onAccent
		}
		d.frame(b, border, look.ink)
		bx, by := b.centre()
		d.Text(bx, by+0.018*u, 0.053*u, 0.5, p.buttons[i], ink)
	}
}

// frame draws a box's outline, inside it.
func (d *simDrawing) frame(b simBox, width float64, c color.NRGBA) {
	width = min(width, b.width()/2, b.height()/2)
	d.Rect(b.x0, b.y0, b.x1, b.y0+width, c)
	d.Rect(b.x0, b.y1-width, b.x1, b.y1, c)
	d.Rect(b.x0, b.y0+width, b.x0+width, b.y1-width, c)
	d.Rect(b.x1-width, b.y0+width, b.x1, b.y1-width, c)
}

func (d *simDrawing) box(b simBox, c color.NRGBA) { d.Rect(b.x0, b.y0, b.x1, b.y1, c) }
