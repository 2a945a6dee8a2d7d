package screen

import (
	"fmt"
	"image"
	"slices"
)

// Panel is an outlined box with buttons on it, one below the other.
type Panel struct {
	Bounds  image.Rectangle
	Title   image.Rectangle // the bar at its top; empty when none was seen
	Buttons []image.Rectangle
}

// Panel finds the smallest panel among the boxes whose buttons are outlined,
// all of one width, and take at least half of the panel's.
func (o *Observation) Panel() (Panel, bool) {
	shorter := min(o.On.Size.X, o.On.Size.Y)
	var buttons []image.Rectangle
	for _, b := range o.Boxes {
		w, h := b.Bounds.Dx(), b.Bounds.Dy()
		if 5*w >= shorter && w >= 2*h && 3*h <= shorter {
			buttons = append(buttons, b.Bounds)
		}
	}
	slices.SortStableFunc(buttons, func(a, b image.Rectangle) int { return a.Min.Y - b.Min.Y })
	near := func(a, b, slack int) bool { return a-b <= slack && b-a <= slack }
	for i, first := range buttons {
		slack := first.Dx() / 20
		column, all := first, []image.Rectangle{first}
		for _, b := range buttons[i+1:] {
			if near(b.Min.X, column.Min.X, slack) && near(b.Max.X, column.Max.X, slack) && b.Min.Y >= column.Max.Y-slack {
				column = column.Union(b)
				all = append(all, b)
			}
		}
		for _, panel := range slices.Backward(o.Boxes) { // the smallest first
			if column.In(panel.Bounds) && 2*column.Dx() >= panel.Bounds.Dx() && 4*column.Dy() <= 3*panel.Bounds.Dy() {
				return Panel{Bounds: panel.Bounds, Title: panel.Title, Buttons: all}, true
			}
		}
	}
	return Panel{}, false
}

// Place is where in an app the phone is when a panel shows: one of two or more
// buttons says that the level is complete, and the first of them leads on; one
// of a single button is a message.
func (p Panel) Place() Place {
	first := p.Buttons[0].Min.Add(p.Buttons[0].Max).Div(2)
	place := Place{Kind: Popup, Reason: "a panel with one button"}
	if n := len(p.Buttons); n > 1 {
		place.Kind = Won
		place.Buttons = []Button{{Name: "next", At: first}}
		place.Reason = fmt.Sprintf("a panel with %d buttons, as when a level is complete", n)
	} else {
		place.Buttons = []Button{{Name: "close", At: first}}
	}
	if bar := p.Title; !bar.Empty() && place.Kind == Won {
		place.Buttons = append(place.Buttons, Button{Name: "close", At: image.Pt(bar.Max.X-bar.Dy()/2, (bar.Min.Y+bar.Max.Y)/2)})
	}
	return place
}
