package app

import (
	"image/color"
	"math"

	"tapwise/solvers/screen"
)

// Panel is a box over the level; the zero value is none.
type Panel struct {
	Kind    PanelKind
	Title   string
	Lines   []string
	Buttons []string
}

// PanelKind is what a panel is for.
type PanelKind int

// The kinds of panels.
const (
	NoPanel PanelKind = iota
	CompletePanel
	PackPanel
	NoticePanel
)

// String names the screen that a panel makes.
func (k PanelKind) String() string {
	return [...]string{"level", "complete", "pack complete", "notice"}[k]
}

// Completed is the usual panel of a completed level.
func Completed(lines ...string) Panel {
	return Panel{Kind: CompletePanel, Title: "Level complete!", Lines: lines, Buttons: []string{"next level", "play again"}}
}

// Ended is the usual panel after the last level. It has one button, so that it
// cannot be taken for that of a completed level.
func Ended(lines ...string) Panel {
	return Panel{Kind: PackPanel, Title: "The end", Lines: lines, Buttons: []string{"ok"}}
}

// PanelPlace is where a panel and everything on it lies.
type PanelPlace struct {
	Unit    float64
	Box     Box
	Title   Box
	Close   Box
	Text    []float64 // the baselines of the lines
	Buttons []Box
}

// PanelLook is the colours of a panel. The first button has the accent.
type PanelLook struct {
	Ink, Card, Bar, OnBar, Accent, OnAccent color.NRGBA
}

// Panel lays out a panel over the middle of the content.
func (l *Layout) Panel(p Panel) PanelPlace {
	// In parts of the unit, from the top of the panel.
	const title, line, button, gap = 0.125, 0.065, 0.125, 0.035
	height := title + 0.11 + line*float64(len(p.Lines)) + (button+gap)*float64(len(p.Buttons)) + 0.02
	u := min(l.Unit, l.Content.Height()/(height+0.02))
	cx, cy := l.Content.Centre()
	place := PanelPlace{Unit: u, Box: BoxAround(cx, cy, 0.4*u, height/2*u)}
	b := place.Box
	place.Title = Box{b.X0, b.Y0, b.X1, b.Y0 + title*u}
	place.Close = Box{b.X1 - title*u, b.Y0, b.X1, b.Y0 + title*u}
	y := b.Y0 + (title+0.03)*u
	for range p.Lines {
		y += line * u
		place.Text = append(place.Text, y)
	}
	y += 0.06 * u
	for range p.Buttons {
		place.Buttons = append(place.Buttons, Box{cx - 0.32*u, y, cx + 0.32*u, y + button*u})
		y += (button + gap) * u
	}
	return place
}

// SmallPanel lays out a panel over the middle of the content that reaches so many units up
// and down, without its lines and buttons.
func (l *Layout) SmallPanel(half float64) PanelPlace {
	const title = 0.11 // in units
	u := l.Unit
	x, y := l.Content.Centre()
	b := BoxAround(x, y, 0.39*u, half*u)
	return PanelPlace{Unit: u, Box: b, Title: Box{b.X0, b.Y0, b.X1, b.Y0 + title*u}, Close: Box{b.X1 - title*u, b.Y0, b.X1, b.Y0 + title*u}}
}

// DrawPanel draws a panel over the level, which is dimmed.
func (l *Layout) DrawPanel(c screen.Canvas, p Panel, look PanelLook) {
	c.Rect(0, 0, float64(l.Size.X), float64(l.Size.Y), Faded(color.NRGBA{A: 255}, 0.45))
	place := l.Panel(p)
	u := place.Unit
	border := max(2, math.Round(u/150))
	place.Box.Fill(c, look.Card)
	place.Title.Fill(c, look.Bar)
	place.Box.Frame(c, border, look.Ink)
	x, _ := place.Title.Centre()
	y := place.Title.Y0 + 0.065*u
	c.Text(x, y+0.019*u, 0.06*u, 0.5, p.Title, look.OnBar)
	cx, _ := place.Close.Centre()
	Cross(c, cx, y, 0.02*u, 0.007*u, look.OnBar)
	for i, line := range p.Lines {
		c.Text(x, place.Text[i], 0.048*u, 0.5, line, look.Ink)
	}
	for i, b := range place.Buttons {
		ink := look.Ink
		if i == 0 {
			gap := min(3*border, b.Height()/2) // so that the outline stays a thin line
			c.Rect(b.X0+gap, b.Y0+gap, b.X1-gap, b.Y1-gap, look.Accent)
			ink = look.OnAccent
		}
		b.Frame(c, border, look.Ink)
		bx, by := b.Centre()
		c.Text(bx, by+0.018*u, 0.053*u, 0.5, p.Buttons[i], ink)
	}
}

// DrawPlain draws a panel without colours of its own: its outlines, and a bar with the title.
func (l *Layout) DrawPlain(c screen.Canvas, place PanelPlace, p Panel, ground, ink, bar, onBar color.NRGBA) {
	u := l.Unit
	width := max(2, math.Round(u/360))
	place.Box.Fill(c, ground)
	place.Title.Fill(c, bar)
	x, _ := place.Box.Centre()
	c.Text(x, place.Title.Y1-0.037*u, 0.052*u, 0.5, p.Title, onBar)
	cx, cy := place.Close.Centre()
	Cross(c, cx, cy, 0.02*u, 0.007*u, onBar)
	for i, line := range p.Lines {
		c.Text(x, place.Text[i], 0.045*u, 0.5, line, ink)
	}
	place.Box.Frame(c, width, ink)
	for i, b := range place.Buttons {
		b.Frame(c, width, ink)
		bx, by := b.Centre()
		c.Text(bx, by+0.018*u, 0.052*u, 0.5, p.Buttons[i], ink)
	}
}

// DrawStart draws a start page: the game's name, the pack's, and a button to play with a word, or a
// triangle without one.
func (l *Layout) DrawStart(c screen.Canvas, game, pack, word string, play Box, ink color.NRGBA) {
	u := l.Unit
	x, y := play.Centre()
	c.Text(x, y-0.3*u, 0.12*u, 0.5, game, ink)
	if pack != "" {
		c.Text(x, y-0.2*u, 0.05*u, 0.5, pack, ink)
	}
	play.Frame(c, max(2, math.Round(u/300)), ink)
	if word == "" {
		Triangle(c, x, y, 0.05*u, ink)
	} else {
		c.Text(x, y+0.02*u, 0.06*u, 0.5, word, ink)
	}
}
