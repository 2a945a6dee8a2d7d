package screen

import (
	"image"
	"slices"
)

// Panel is a box over a screen with buttons in it, one below the other.
type Panel struct {
	Box
	Buttons []image.Point // their middles, from the top
}

// Panel finds the panel among an observation's boxes: the smallest box around
// the middle of the screen that holds buttons alike. It reports false where
// there is none.
func (o *Observation) Panel() (Panel, bool) {
	shorter := min(o.On.Size.X, o.On.Size.Y)
	isButton := func(b, panel image.Rectangle) bool {
		return b.In(panel) && b != panel && 5*b.Dx() >= shorter && 5*b.Dx() < 5*panel.Dx() && 5*b.Dx() >= 2*panel.Dx() &&
			b.Dx() >= 2*b.Dy() && 3*b.Dy() <= panel.Dy()
	}
	for _, box := range slices.Backward(o.Boxes) { // the smallest first
		r := box.Bounds
		if !o.On.Size.Div(2).In(r) || 2*r.Dx() < shorter {
			continue
		}
		var buttons []image.Rectangle
		for _, b := range o.Boxes {
			if isButton(b.Bounds, r) && !slices.ContainsFunc(buttons, b.Bounds.Overlaps) {
				buttons = append(buttons, b.Bounds)
			}
		}
		if len(buttons) == 0 {
			continue
		}
		slices.SortFunc(buttons, func(a, b image.Rectangle) int { return a.Min.Y - b.Min.Y })
		panel := Panel{Box: box}
		for _, b := range buttons {
			panel.Buttons = append(panel.Buttons, b.Min.Add(b.Max).Div(2))
		}
		return panel, true
	}
	return Panel{}, false
}
