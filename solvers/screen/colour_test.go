package screen

import (
	"image/color"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGroupColours joins colours by chains of small steps, and names two that are
// neither alike nor apart.
func TestGroupColours(t *testing.T) {
	grey := func(levels ...uint8) (colours []color.RGBA) {
		for _, v := range levels {
			colours = append(colours, color.RGBA{v, v, v, 255})
		}
		return colours
	}
	for _, c := range []struct {
		colours []color.RGBA
		group   []int
		a, b    int
	}{
		{nil, []int{}, -1, -1},
		{grey(10, 100, 14, 18, 104), []int{0, 1, 0, 0, 1}, -1, -1},
		{grey(10, 20), []int{0, 1}, 0, 1},
		{grey(10, 50, 100, 60), []int{0, 1, 2, 3}, 1, 3},
	} {
		group, groups, a, b := GroupColours(c.colours, 8, 30)
		if !slices.Equal(group, c.group) || len(group) > 0 && groups != slices.Max(group)+1 || a != c.a || b != c.b {
			t.Errorf("%v: groups %v (%d), unsure about %d and %d, expected %v, %d and %d", c.colours, group, groups, a, b, c.group, c.a, c.b)
		}
	}
}

// TestMedianColour compares the medians of few colours, which are sorted, with those of
// counted ones.
func TestMedianColour(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		for _, levels := range []int{1, 3, 256} {
			var colours []color.RGBA
			var counted ColourHistogram
			for range n {
				c := color.RGBA{uint8(r.IntN(levels)), uint8(r.IntN(levels)), uint8(r.IntN(levels)), 255}
				colours = append(colours, c)
				counted.Add(c)
			}
			if got, want := MedianColour(colours), counted.Median(); got != want {
				t.Errorf("%d colours of %d levels: %v, expected %v", n, levels, got, want)
			}
		}
	}
}
