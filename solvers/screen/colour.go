package screen

import (
	"image/color"
	"math"
	"slices"
)

// Contrast is the greatest difference of two colours in a channel, 0 to 255.
func Contrast(a, b color.RGBA) int {
	d := func(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
	return max(d(a.R, b.R), d(a.G, b.G), d(a.B, b.B))
}

// Distance is the Euclidean distance of two colours.
func Distance(a, b color.RGBA) float64 {
	r, g, bl := float64(a.R)-float64(b.R), float64(a.G)-float64(b.G), float64(a.B)-float64(b.B)
	return math.Sqrt(r*r + g*g + bl*bl)
}

// NearestColour finds the colour of a list that is nearest to the i-th, and the
// distances of that one and of the next nearest: -1 and infinite when there are
// none.
func NearestColour(colours []color.RGBA, i int) (mate int, nearest, next float64) {
	mate, nearest, next = -1, math.Inf(1), math.Inf(1)
	for k, c := range colours {
		if k == i {
			continue
		}
		d := Distance(colours[i], c)
		if d < nearest {
			mate, nearest, next = k, d, nearest
		} else if d < next {
			next = d
		}
	}
	return mate, nearest, next
}

// Value is a colour's brightest channel, as in HSV: a saturated colour is as
// bright as white.
func Value(c color.RGBA) uint8 { return max(c.R, c.G, c.B) }

// Intensity is the mean of a colour's channels, 0 to 255, as in HSI: a
// saturated colour is darker than white.
func Intensity(c color.RGBA) float64 {
	return (float64(c.R) + float64(c.G) + float64(c.B)) / 3
}

// Light reports whether a colour's luma is in the upper half: dark marks stand
// out from it better than light ones. The weights are BT.601's, rounded to tenths.
//
// [Shade] says whether a whole frame is dark or light.
func Light(c color.RGBA) bool {
	return 3*int(c.R)+6*int(c.G)+int(c.B) > 10*255/2
}

// Shade measures how light some pixels of a frame are. Its two measures answer two questions: a
// light frame that a panel dims has no light colour any more, yet a median intensity above that
// of dark ones.
type Shade struct {
	Intensity int     // median of the pixels' intensities, 0 to 255
	Light     float64 // share of the pixels whose colours are light, 0 to 1
}

// ShadeOf is the shade of some pixels; without any it is black.
func ShadeOf(pixels []color.RGBA) Shade {
	var counts [256]int
	light := 0
	for _, c := range pixels {
		counts[int(Intensity(c))]++
		if Light(c) {
			light++
		}
	}
	s := Shade{Light: float64(light) / float64(max(1, len(pixels)))}
	left := len(pixels) / 2
	for value, count := range counts {
		if left -= count; left < 0 {
			s.Intensity = value
			break
		}
	}
	return s
}

// MedianColour is the median of each channel, black when there are no colours.
func MedianColour(colours []color.RGBA) color.RGBA {
	if n := len(colours); 0 < n && n <= fewColours {
		return medianOfFew(colours)
	}
	var h ColourHistogram
	for _, c := range colours {
		h.Add(c)
	}
	return h.Median()
}

// fewColours is the most colours whose median sorting finds sooner than counting.
const fewColours = 32

// medianOfFew is the median of each channel of 1 to fewColours colours.
func medianOfFew(colours []color.RGBA) color.RGBA {
	first := colours[0]
	if !slices.ContainsFunc(colours, func(c color.RGBA) bool { return c != first }) {
		return color.RGBA{first.R, first.G, first.B, 255}
	}
	var channels [3][fewColours]uint8
	n := len(colours)
	for i, c := range colours {
		channels[0][i], channels[1][i], channels[2][i] = c.R, c.G, c.B
	}
	for i := range channels {
		slices.Sort(channels[i][:n])
	}
	return color.RGBA{channels[0][n/2], channels[1][n/2], channels[2][n/2], 255}
}

// ColourHistogram counts the values of each channel. Its zero value is empty.
// It finds the median of many pixels faster than sorting them does.
type ColourHistogram struct {
	counts [3][256]int32
	n      int32
}

// Add counts a colour. A histogram holds less than 2³¹ colours.
func (h *ColourHistogram) Add(c color.RGBA) {
	h.counts[0][c.R]++
	h.counts[1][c.G]++
	h.counts[2][c.B]++
	h.n++
}

// Median is the median of each channel, black when nothing was added.
func (h *ColourHistogram) Median() color.RGBA {
	var channels [3]uint8
	for i := range channels {
		left := h.n / 2
		for value, count := range h.counts[i] {
			if left -= count; left < 0 {
				channels[i] = uint8(value)
				break
			}
		}
	}
	return color.RGBA{channels[0], channels[1], channels[2], 255}
}

// GroupColours numbers the groups of alike colours, in the order in which they first
// appear. Colours are alike that a chain of steps of at most same joins; the groups are
// told apart when no two colours of different groups are nearer than apart. Both are
// distances as [Distance] measures them. Where groups are not apart, a and b are two
// colours, by index, that are neither alike nor different.
func GroupColours(colours []color.RGBA, same, apart float64) (group []int, groups, a, b int) {
	group = make([]int, len(colours))
	for i := range group {
		group[i] = -1
	}
	for first := range colours {
		if group[first] >= 0 {
			continue
		}
		group[first] = groups
		for chain := []int{first}; len(chain) > 0; {
			last := chain[len(chain)-1]
			chain = chain[:len(chain)-1]
			for i, c := range colours {
				if group[i] < 0 && Distance(colours[last], c) <= same {
					group[i] = groups
					chain = append(chain, i)
				}
			}
		}
		groups++
	}
	for i := range colours {
		for k := range i {
			if group[i] != group[k] && Distance(colours[i], colours[k]) < apart {
				return group, groups, k, i
			}
		}
	}
	return group, groups, -1, -1
}
