package screen

import (
	"fmt"
	"image"
	"image/color"
	"slices"
)

// Panel is an outlined box with buttons on it, one below the other.
type Panel struct {
	Bounds  image.Rectangle
	Title   image.Rectangle // the bar at its top; empty when none was seen
	Buttons []image.Rectangle
	Look    PanelLook
}

// PanelLook is the colours of a panel: opaque, except for a missing title's.
type PanelLook struct {
	Bar    color.RGBA // of the title; not opaque when there is none
	Fill   color.RGBA // of what is below it
	Button color.RGBA // inside the first button
}

// OpaquePanel is the look of a panel that is drawn in opaque colours.
func OpaquePanel(bar, fill, button color.NRGBA) PanelLook {
	return PanelLook{Bar: color.RGBA(bar), Fill: color.RGBA(fill), Button: color.RGBA(button)}
}

// Column is outlined boxes that may be the buttons of a panel: all of one width,
// one below the other.
type Column struct {
	Bounds  image.Rectangle
	Buttons []Box // from top to bottom
}

// Columns finds the columns of boxes that may be buttons and are accepted as such:
// one for each of those boxes, with that box at its top, in the order of their
// upper edges.
func (o *Observation) Columns(accept func(Box) bool) []Column {
	shorter := min(o.On.Size.X, o.On.Size.Y)
	var buttons []Box
	for _, b := range o.Boxes {
		w, h := b.Bounds.Dx(), b.Bounds.Dy()
		if 5*w >= shorter && w >= 2*h && 3*h <= shorter && accept(b) {
			buttons = append(buttons, b)
		}
	}
	slices.SortStableFunc(buttons, func(a, b Box) int { return a.Bounds.Min.Y - b.Bounds.Min.Y })
	near := func(a, b, slack int) bool { return a-b <= slack && b-a <= slack }
	columns := make([]Column, len(buttons))
	for i, top := range buttons {
		slack := top.Bounds.Dx() / 20
		column := Column{Bounds: top.Bounds, Buttons: []Box{top}}
		for _, below := range buttons[i+1:] {
			b := below.Bounds
			if near(b.Min.X, column.Bounds.Min.X, slack) && near(b.Max.X, column.Bounds.Max.X, slack) && b.Min.Y >= column.Bounds.Max.Y-slack {
				column.Bounds = column.Bounds.Union(b)
				column.Buttons = append(column.Buttons, below)
			}
		}
		columns[i] = column
	}
	return columns
}

// Panel finds a panel among the boxes: the smallest box around a column of buttons
// that take at least half of its width. Of several panels it is the one with the most
// buttons, since parts of a board behind it may look like one.
func (o *Observation) Panel() (Panel, bool) {
	return o.PanelOf(func(Box) bool { return true })
}

// PanelOf is Panel for buttons that a game accepts as its own.
func (o *Observation) PanelOf(accept func(Box) bool) (Panel, bool) {
	var best Panel
	for _, column := range o.Columns(accept) {
		// The last ones may be parts of the board below the panel.
		for n := len(column.Buttons); n > len(best.Buttons); n-- {
			if panel, ok := o.panelOf(column.first(n)); ok {
				best = panel
			}
		}
	}
	return best, len(best.Buttons) > 0
}

// first is the upper n buttons of the column.
func (c Column) first(n int) Column {
	upper := Column{Buttons: c.Buttons[:n]}
	for _, b := range upper.Buttons {
		upper.Bounds = upper.Bounds.Union(b.Bounds)
	}
	return upper
}

// panelOf is the smallest box that a column of buttons may be on.
func (o *Observation) panelOf(c Column) (Panel, bool) {
	for _, box := range slices.Backward(o.Boxes) { // the smallest first
		if !c.Bounds.In(box.Bounds) || 2*c.Bounds.Dx() < box.Bounds.Dx() || 4*c.Bounds.Dy() > 3*box.Bounds.Dy() {
			continue
		}
		first := c.Buttons[0]
		panel := Panel{Bounds: box.Bounds, Title: box.Title, Look: PanelLook{Bar: box.Bar, Fill: box.Fill, Button: first.Fill}}
		for _, button := range c.Buttons {
			panel.Buttons = append(panel.Buttons, button.Bounds)
		}
		return panel, true
	}
	return Panel{}, false
}

// Place is the place in an app where a panel shows. A panel of two or more buttons
// that looks like one of the game's own says that the level is complete, and the
// first of them leads on; one of a single button is a message. The meaning of a panel
// with another look is not known.
func (p Panel) Place(own ...PanelLook) Place {
	first := p.Buttons[0].Min.Add(p.Buttons[0].Max).Div(2)
	place := Place{Kind: Popup, Reason: "a panel with one button"}
	if n := len(p.Buttons); n > 1 {
		place.Reason = fmt.Sprintf("a panel with %d buttons", n)
	}
	switch {
	case !slices.ContainsFunc(own, p.Look.Like):
		place.Reason += ", in colours that are not the game's"
		return place
	case len(p.Buttons) == 1:
		place.Buttons = []Button{{Name: "close", At: first}}
	default:
		place.Kind = Won
		place.Buttons = []Button{{Name: "next", At: first}}
		place.Reason += ", as when a level is complete"
	}
	if cross, ok := p.Cross(); ok && place.Kind == Won {
		place.Buttons = append(place.Buttons, cross)
	}
	return place
}

// Cross is the button that closes the panel, at the right end of its title, if it
// has one.
func (p Panel) Cross() (Button, bool) {
	bar := p.Title
	return Button{Name: "close", At: image.Pt(bar.Max.X-bar.Dy()/2, (bar.Min.Y+bar.Max.Y)/2)}, !bar.Empty()
}

// Like reports whether a panel with the look l may be one of the game's own, on a
// screen that may be dimmed or tinted.
func (l PanelLook) Like(own PanelLook) bool {
	if (l.Bar.A == 0) != (own.Bar.A == 0) {
		return false
	}
	seen, want := l.channels(), own.channels()
	var product, square float64
	for i := range want {
		product += seen[i] * want[i]
		square += want[i] * want[i]
	}
	if square == 0 {
		return false
	}
	const dimmest, brightest = 0.5, 1.1
	dimming := min(max(product/square, dimmest), brightest)
	for part := 0; part < len(want); part += 3 {
		// The brighter a colour, the more screens differ.
		slack := min(34, 14+0.25*dimming*max(want[part], want[part+1], want[part+2]))
		for i := part; i < part+3; i++ {
			if d := seen[i] - dimming*want[i]; d > slack || d < -slack {
				return false
			}
		}
	}
	return true
}

func (l PanelLook) channels() [9]float64 {
	var all [9]float64
	for i, c := range []color.RGBA{l.Bar, l.Fill, l.Button} {
		all[3*i], all[3*i+1], all[3*i+2] = float64(c.R), float64(c.G), float64(c.B)
	}
	return all
}
