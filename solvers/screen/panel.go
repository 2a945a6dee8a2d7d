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

// PanelLook is the colours of a panel.
type PanelLook struct {
	Bar    color.RGBA // of the title; not opaque when there is none
	Fill   color.RGBA // of what is below it
	Button color.RGBA // inside the first button
}

// Panel finds the smallest panel among the boxes whose buttons are outlined,
// all of one width, and take at least half of the panel's. Of several it is the
// one with the most buttons: parts of a board behind it may look like one.
func (o *Observation) Panel() (Panel, bool) {
	shorter := min(o.On.Size.X, o.On.Size.Y)
	var buttons []Box
	for _, b := range o.Boxes {
		w, h := b.Bounds.Dx(), b.Bounds.Dy()
		if 5*w >= shorter && w >= 2*h && 3*h <= shorter {
			buttons = append(buttons, b)
		}
	}
	slices.SortStableFunc(buttons, func(a, b Box) int { return a.Bounds.Min.Y - b.Bounds.Min.Y })
	near := func(a, b, slack int) bool { return a-b <= slack && b-a <= slack }
	var best Panel
	for i, top := range buttons {
		first := top.Bounds
		slack := first.Dx() / 20
		column, all := first, []image.Rectangle{first}
		for _, below := range buttons[i+1:] {
			b := below.Bounds
			if near(b.Min.X, column.Min.X, slack) && near(b.Max.X, column.Max.X, slack) && b.Min.Y >= column.Max.Y-slack {
				column = column.Union(b)
				all = append(all, b)
			}
		}
		for _, panel := range slices.Backward(o.Boxes) { // the smallest first
			if column.In(panel.Bounds) && 2*column.Dx() >= panel.Bounds.Dx() && 4*column.Dy() <= 3*panel.Bounds.Dy() {
				if len(all) > len(best.Buttons) {
					look := PanelLook{Bar: panel.Bar, Fill: panel.Fill, Button: top.Fill}
					best = Panel{Bounds: panel.Bounds, Title: panel.Title, Buttons: all, Look: look}
				}
				break
			}
		}
	}
	return best, len(best.Buttons) > 0
}

// Place is where in an app the phone is when a panel shows: one of two or more
// buttons that looks as the game's own does says that the level is complete,
// and the first of them leads on; one of a single button is a message. What
// another one says, nobody knows.
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
	if bar := p.Title; !bar.Empty() && place.Kind == Won {
		place.Buttons = append(place.Buttons, Button{Name: "close", At: image.Pt(bar.Max.X-bar.Dy()/2, (bar.Min.Y+bar.Max.Y)/2)})
	}
	return place
}

// Like reports whether what was seen looks like a panel of the game, on a
// screen that may be dimmed and of other colours than most.
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
