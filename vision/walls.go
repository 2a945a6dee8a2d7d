package vision

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// A walled board is one of squares whose sides are walls, dotted lines between
// two cells, or gaps in the rim between two posts. Dots and walls together are
// a comb in each direction; which of its lines are the rim, and what each side
// is, is then looked at closely.

// Where a side is looked at, in pitches: along it from its middle, so that
// neither what leads through it nor crossing walls are in the way; and across.
const (
	alongFrom, alongTo = 0.18, 0.42
	acrossLine         = 0.03 // the middle of a line is not further from where it should be
	besideFrom         = 0.09 // no wall is as wide to either side
	besideTo           = 0.15
)

// findWalled looks for a walled board. It writes what it thinks of it into
// seen, as findLattice does.
func findWalled(v *view, m *masks, spec screen.Spec, seen *screen.Observation) (lattice, error) {
	type candidate struct {
		lattice
		fit                  float64
		horizontal, vertical []screen.Line
	}
	var best candidate
	for _, part := range []int{80, 36, 20, 12} { // of the frame's shorter side, wider than a wall
		guesses, err := m.combs(min(m.size.X, m.size.Y)/part|1, spec.MaxSide)
		if err != nil {
			return lattice{}, err
		}
		for _, l := range guesses {
			scale := float64(m.factor)
			l.x0, l.y0 = (l.x0+0.5)*scale-0.5, (l.y0+0.5)*scale-0.5
			l.px, l.py = l.px*scale, l.py*scale
			l, ok := v.outermost(l, spec)
			if !ok {
				continue
			}
			c := candidate{lattice: l}
			c.horizontal, c.vertical = v.sides(l)
			c.fit = decided(c.horizontal, c.vertical, l)
			if c.fit > best.fit && !v.halved(l) {
				best = c
			}
			if best.fit > 0.95 {
				break
			}
		}
		if best.fit > 0.95 {
			break
		}
	}
	if !best.ok() || best.fit < 0.5 {
		return lattice{}, nil
	}
	seen.Confidence = best.fit
	for _, side := range v.goesOn(best.lattice) {
		seen.Confidence *= 0.3
		seen.Doubts = append(seen.Doubts, "the lattice goes on beyond its "+side+" side")
	}
	seen.Horizontal, seen.Vertical = best.horizontal, best.vertical
	return best.lattice, nil
}

// combs guesses the lattice from what is thinner than thick, in pixels of the
// masks, along columns and rows. Something drawn through the middle of the
// cells may make it guess half the pitch: the last guesses have twice that.
func (m *masks) combs(thick, maxSide int) ([]lattice, error) {
	thin := [2]gocv.Mat{gocv.NewMat(), gocv.NewMat()}
	for i, size := range [2]image.Point{{X: thick, Y: 1}, {X: 1, Y: thick}} {
		defer thin[i].Close()
		kernel := gocv.GetStructuringElement(gocv.MorphRect, size)
		gocv.MorphologyEx(m.level, &thin[i], gocv.MorphTophat, kernel)
		kernel.Close()
		gocv.Threshold(thin[i], &thin[i], fullContrast, 0, gocv.ThresholdTrunc)
	}
	// What is above and below the board blurs the combs; once it is known
	// about where the board is, that is left out.
	var l lattice
	region := image.Rectangle{Max: m.size}
	for range 2 {
		var peaks [2][]peak
		for i := range thin {
			sums, err := profile(thin[i], region, i)
			if err != nil {
				return nil, err
			}
			raise(sums, 2*thick)
			origin := region.Min.X
			if i == 1 {
				origin = region.Min.Y
			}
			peaks[i] = clearest(findPeaks(sums, origin), maxSide+4)
		}
		found, _ := fitLattice(peaks[0], peaks[1], 2, maxSide)
		if !found.ok() {
			break
		}
		l = found
		region = l.bounds().Inset(-round(1.3 * l.pitch())).Intersect(image.Rectangle{Max: m.size})
	}
	if !l.ok() {
		return nil, nil
	}
	guesses := []lattice{l}
	for i := range 4 {
		double := l
		double.x0, double.y0 = l.x(float64(i%2)), l.y(float64(i/2))
		double.px, double.py = 2*l.px, 2*l.py
		double.cols, double.rows = l.cols/2, l.rows/2
		if double.cols > 0 && double.rows > 0 {
			guesses = append(guesses, double)
		}
	}
	return guesses, nil
}

// clearest are the strongest peaks, in their order: noise has very many.
func clearest(peaks []peak, most int) []peak {
	if len(peaks) <= most {
		return peaks
	}
	least := strongest(peaks, most)[most-1].weight
	return slices.DeleteFunc(peaks, func(p peak) bool { return p.weight < least })
}

// raise takes the median of its surroundings off each value, at least 0.
func raise(values []float64, reach int) {
	base := make([]float64, len(values))
	var window []float64 // sorted
	next := 0
	for i := range values {
		for ; next < min(len(values), i+reach+1); next++ {
			at, _ := slices.BinarySearch(window, values[next])
			window = slices.Insert(window, at, values[next])
		}
		if old := i - reach - 1; old >= 0 {
			at, _ := slices.BinarySearch(window, values[old])
			window = slices.Delete(window, at, at+1)
		}
		base[i] = window[len(window)/2]
	}
	for i := range values {
		values[i] = max(0, values[i]-base[i])
	}
}

// across adds up how a side of a cell stands out, pixel by pixel across it: the
// vertical one left of cell r,c or the horizontal one above it. The middle of
// sum is where the side should be. It returns the number of places added, 0
// where the side is not wholly on the frame.
func (v *view) across(l lattice, r, c int, vertical bool, sum []int) int {
	x, y := round(l.x(float64(c))), round(l.y(float64(r)))
	length := l.px
	step, stride := 4, v.pixels.Stride // across and along, in bytes
	along, from := &x, y
	size := v.size()
	if vertical {
		along, from = &y, y
		length = l.py
	} else {
		from = x
		step, stride = stride, step
	}
	half := len(sum) / 2
	every := max(1, int(2*(alongTo-alongFrom)*length)/56)
	n := 0
	for _, part := range [2]float64{0.5 - alongTo, 0.5 + alongFrom} {
		first := from + round(part*length)
		last := from + round((part+alongTo-alongFrom)*length)
		for at := first; at <= last; at += every {
			*along = at
			if vertical && (x-half < 0 || x+half >= size.X || y < 0 || y >= size.Y) ||
				!vertical && (y-half < 0 || y+half >= size.Y || x < 0 || x >= size.X) {
				return 0
			}
			i := y*v.pixels.Stride + 4*x - half*step
			for k := range sum {
				sum[k] += v.levelAt(i)
				i += step
			}
			n++
		}
	}
	return n
}

// reach is how many pixels to either side of a line are looked at.
func (l lattice) reach() int { return max(3, int(math.Ceil(besideTo*l.pitch()))) }

// stand is how much the middle of a profile stands out from both sides, and
// where it does most, in pixels from the middle.
func stand(sum []int, n int, pitch float64) (contrast float64, at int) {
	half := len(sum) / 2
	beside, count := 0, 0
	for k := max(2, int(besideFrom*pitch)+1); k <= half; k++ {
		beside += sum[half-k] + sum[half+k]
		count += 2
	}
	base := float64(beside) / float64(count*n)
	near := max(1, int(acrossLine*pitch))
	at = -near
	for k := -near; k <= near; k++ {
		if sum[half+k] > sum[half+at] {
			at = k
		}
	}
	return float64(sum[half+at])/float64(n) - base, at
}

// align moves the lattice to where its lines are: the place of a line is the
// median of those of the sides on it that stand out, the lattice the least
// squares of its lines.
func (v *view) align(l lattice) lattice {
	beside, search := max(3, round(0.1*l.pitch())), max(2, round(0.05*l.pitch()))
	half := 2*beside + search
	sum := make([]int, 2*half+1)
	// What stands out from both sides: the rim is also a step.
	ridge := func(k int) int { return sum[k] - max(sum[k-beside], sum[k+beside]) }
	fitted := l
	for axis, count := range [2]int{l.cols, l.rows} {
		var index, place []float64
		for i := range count + 1 {
			expected := l.x(float64(i))
			if axis == 1 {
				expected = l.y(float64(i))
			}
			var places []float64
			for k := range l.rows + l.cols - count {
				clear(sum)
				r, c := k, i
				if axis == 1 {
					r, c = i, k
				}
				n := v.across(l, r, c, axis == 0, sum)
				if n == 0 {
					continue
				}
				peak := half
				for k := half - search; k <= half+search; k++ {
					if ridge(k) > ridge(peak) {
						peak = k
					}
				}
				if ridge(peak) < 8*n {
					continue
				}
				var weight, moment float64
				for k := max(peak-beside, beside); k <= min(peak+beside, len(sum)-1-beside); k++ {
					if w := float64(ridge(k)) - float64(ridge(peak))/3; w > 0 {
						weight += w
						moment += w * float64(k-half)
					}
				}
				places = append(places, math.Round(expected)+moment/weight)
			}
			if len(places) > 0 {
				index = append(index, float64(i))
				place = append(place, medianFloat(places))
			}
		}
		if len(index) < 2 {
			continue
		}
		origin, pitch := fitMost(index, place)
		if axis == 0 && math.Abs(pitch-l.px) < 0.1*l.px {
			fitted.x0, fitted.px = origin, pitch
		}
		if axis == 1 && math.Abs(pitch-l.py) < 0.1*l.py {
			fitted.y0, fitted.py = origin, pitch
		}
	}
	return fitted
}

// fitMost is the line nearest to most of the points: through two of them, then
// by least squares of those that are near it.
func fitMost(x, y []float64) (origin, slope float64) {
	best := math.Inf(1)
	for i := range x {
		for k := range i {
			m := (y[i] - y[k]) / (x[i] - x[k])
			var off []float64
			for j := range x {
				off = append(off, math.Abs(y[j]-y[i]-m*(x[j]-x[i])))
			}
			if typical := medianFloat(off); typical < best {
				best, origin, slope = typical, y[i]-m*x[i], m
			}
		}
	}
	var nearX, nearY []float64
	for j := range x {
		if math.Abs(y[j]-origin-slope*x[j]) <= 2*best+1 {
			nearX, nearY = append(nearX, x[j]), append(nearY, y[j])
		}
	}
	if len(nearX) < 2 {
		return origin, slope
	}
	return fitLine(nearX, nearY)
}

// post is how much the crossing of two lines stands out from the four cells.
func (v *view) post(l lattice, row, col int) (float64, bool) {
	x, y := l.x(float64(col)), l.y(float64(row))
	out := 0.2 * l.pitch()
	size := v.size()
	if x-out < 0 || y-out < 0 || x+out >= float64(size.X-2) || y+out >= float64(size.Y-2) {
		return 0, false
	}
	half := max(0.5, 0.015*l.pitch())
	sum, n := 0, 0
	for py := int(math.Ceil(y - half)); float64(py) <= y+half; py++ {
		for px := int(math.Ceil(x - half)); float64(px) <= x+half; px++ {
			sum += v.level(px, py)
			n++
		}
	}
	// The board's own cells are floor; beyond the rim there may be more.
	inside := row >= 0 && col >= 0 && row <= l.rows && col <= l.cols
	var around []int
	for _, sign := range [4][2]int{{-1, -1}, {0, -1}, {-1, 0}, {0, 0}} {
		if r, c := row+sign[1], col+sign[0]; inside && (r < 0 || c < 0 || r >= l.rows || c >= l.cols) {
			continue
		}
		px, py := round(x+float64(2*sign[0]+1)*out), round(y+float64(2*sign[1]+1)*out)
		around = append(around, (v.level(px, py)+v.level(px+1, py)+v.level(px, py+1)+v.level(px+1, py+1))/4)
	}
	slices.Sort(around)
	return float64(sum)/float64(n) - float64(around[(len(around)-1)/2]+around[len(around)/2])/2, true
}

// outermost finds the outermost lines along which there is a post at each crossing.
func (v *view) outermost(l lattice, spec screen.Spec) (lattice, bool) {
	if l.pitch() < 8 {
		return l, false
	}
	l = v.align(v.align(l))
	const beyond = 2 // so many lines may have been missed on each side
	const most = 7   // and so many, with these, be too many
	rows, cols := l.rows+1+2*beyond, l.cols+1+2*beyond
	posts := make([]float64, rows*cols)
	for r := range rows {
		for c := range cols {
			posts[r*cols+c], _ = v.post(l, r-beyond, c-beyond)
		}
	}
	sorted := slices.Clone(posts)
	slices.Sort(sorted)
	clear := 0.5 * sorted[max(0, len(sorted)-l.rows-l.cols)]
	if clear < 10 {
		return l, false
	}
	share := func(line, from, to int, vertical bool) float64 {
		n := 0
		from, to = from+1, to-1 // there may be more at the board's corners than posts
		for k := from; k <= to; k++ {
			r, c := line, k
			if vertical {
				r, c = k, line
			}
			if posts[r*cols+c] >= clear {
				n++
			}
		}
		return float64(n) / float64(max(1, to-from+1))
	}
	// The largest board with posts all around it.
	var top, bottom, left, right int
	for t := range min(rows, most) {
		for b := rows - 1; b >= max(0, rows-most); b-- {
			if b-t < spec.MinSide || b-t > spec.MaxSide {
				continue
			}
			for x := range min(cols, most) {
				for y := cols - 1; y >= max(0, cols-most); y-- {
					if y-x < spec.MinSide || y-x > spec.MaxSide || (b-t)*(y-x) <= (bottom-top)*(right-left) {
						continue
					}
					if min(share(t, x, y, false), share(b, x, y, false), share(x, t, b, true), share(y, t, b, true)) >= 0.85 {
						top, bottom, left, right = t, b, x, y
					}
				}
			}
		}
	}
	if bottom == top {
		return l, false
	}
	l.x0, l.y0 = l.x(float64(left-beyond)), l.y(float64(top-beyond))
	l.cols, l.rows = right-left, bottom-top
	var rim []int
	for c := left; c <= right; c++ {
		rim = append(rim, round(posts[top*cols+c]), round(posts[bottom*cols+c]))
	}
	for r := top; r <= bottom; r++ {
		rim = append(rim, round(posts[r*cols+left]), round(posts[r*cols+right]))
	}
	l = v.align(l)
	l.contrast = median(rim)
	return l, true
}

// sides looks at every side of every cell. How much one stands out is measured
// by what walls do, at least what the posts in the rim do.
func (v *view) sides(l lattice) (horizontal, vertical []screen.Line) {
	sum := make([]int, 2*l.reach()+1)
	type look struct {
		contrast float64
		at, wide int
	}
	var looks []look
	var places [][3]int
	for r := range l.rows + 1 {
		for c := range l.cols {
			places = append(places, [3]int{r, c, 0})
		}
	}
	for r := range l.rows {
		for c := range l.cols + 1 {
			places = append(places, [3]int{r, c, 1})
		}
	}
	var walls []int
	for _, place := range places {
		clear(sum)
		n := v.across(l, place[0], place[1], place[2] == 1, sum)
		if n == 0 {
			looks = append(looks, look{})
			continue
		}
		k := look{}
		k.contrast, k.at = stand(sum, n, l.pitch())
		least := sum[len(sum)/2+k.at] - round(k.contrast*float64(n)/2)
		for o := len(sum)/2 + k.at; o < len(sum) && sum[o] >= least; o++ {
			k.wide++
		}
		for o := len(sum)/2 + k.at - 1; o >= 0 && sum[o] >= least; o-- {
			k.wide++
		}
		looks = append(looks, k)
		if k.contrast >= 0.7*float64(l.contrast) {
			walls = append(walls, round(k.contrast))
		}
	}
	full := float64(l.contrast)
	if len(walls) > 0 {
		full = max(full, float64(median(walls)))
	}
	posts := make([]float64, (l.rows+1)*(l.cols+1))
	for i := range posts {
		contrast, _ := v.post(l, i/(l.cols+1), i%(l.cols+1))
		posts[i] = share(contrast, full)
	}
	for i, k := range looks {
		line := screen.Line{Colour: color.RGBA{A: 255}}
		line.Support = share(k.contrast, full)
		end := places[i][0]*(l.cols+1) + places[i][1]
		line.Ends = min(posts[end], posts[end+1])
		if places[i][2] == 1 {
			line.Ends = min(posts[end], posts[end+l.cols+1])
		}
		if line.Support > 0 {
			line.Width = float64(k.wide)
			line.Colour = v.sideColour(l, places[i], k.at)
		}
		if places[i][2] == 0 {
			horizontal = append(horizontal, line)
		} else {
			vertical = append(vertical, line)
		}
	}
	return horizontal, vertical
}

// share is a part of a whole, 0 to 1, to two digits.
func share(part, whole float64) float64 { return math.Round(100*min(1, max(0, part/whole))) / 100 }

// sideColour is the median colour along a side, at some pixels from it.
func (v *view) sideColour(l lattice, place [3]int, at int) color.RGBA {
	x, y := round(l.x(float64(place[1]))), round(l.y(float64(place[0])))
	var colours []color.RGBA
	for _, along := range samplesAlong {
		px, py := x+round((0.5+along)*l.px), y+at
		if place[2] == 1 {
			px, py = x+at, y+round((0.5+along)*l.py)
		}
		if p := image.Pt(px, py); p.In(v.pixels.Rect) {
			colours = append(colours, v.pixels.RGBAAt(px, py))
		}
	}
	return screen.MedianColour(colours)
}

// decided is the share of the sides that look like a wall, a dotted line or an
// opening.
func decided(horizontal, vertical []screen.Line, l lattice) float64 {
	n := 0
	for i, line := range horizontal {
		n += sideDecided(line, i < l.cols || i >= l.rows*l.cols)
	}
	for i, line := range vertical {
		n += sideDecided(line, i%(l.cols+1) == 0 || i%(l.cols+1) == l.cols)
	}
	return float64(n) / float64(len(horizontal)+len(vertical))
}

func sideDecided(line screen.Line, rim bool) int {
	if line.Support >= 0.65 || rim && line.Support <= 0.3 || !rim && line.Support >= 0.02 && line.Support <= 0.5 {
		return 1
	}
	return 0
}

// goesOn are the sides of a walled board beyond which its lines go on.
func (v *view) goesOn(l lattice) []string {
	var sides []string
	for side, name := range sideNames {
		count := l.cols
		if side >= 2 {
			count = l.rows
		}
		n, on := 0, 0
		for k := 1; k < count; k++ {
			outer := lattice{x0: l.x(float64(k)), y0: l.y(float64(k)), px: 0.35 * l.px, py: 0.35 * l.py}
			// A piece of the line, from 0.25 to 0.6 pitches beyond the rim.
			switch side {
			case 0:
				outer.y0 = l.y(0) - 0.6*l.py
			case 1:
				outer.y0 = l.y(float64(l.rows)) + 0.25*l.py
			case 2:
				outer.x0 = l.x(0) - 0.6*l.px
			case 3:
				outer.x0 = l.x(float64(l.cols)) + 0.25*l.px
			}
			sum := make([]int, 2*l.reach()+1)
			places := v.across(outer, 0, 0, side < 2, sum)
			if places == 0 {
				continue
			}
			n++
			if contrast, _ := stand(sum, places, l.pitch()); contrast > 0.06*float64(l.contrast) {
				on++
			}
		}
		if 2*on > n {
			sides = append(sides, name)
		}
	}
	return sides
}

// halved reports whether there are lines halfway between the lines of a walled
// board: then its pitch is only half of what was taken for it. Something drawn
// from side to side through each cell is on half of them.
func (v *view) halved(l lattice) bool {
	half := lattice{x0: l.x0, y0: l.y0, px: l.px / 2, py: l.py / 2, rows: 2 * l.rows, cols: 2 * l.cols}
	sum := make([]int, 2*half.reach()+1)
	n, on := 0, 0
	for r := range half.rows {
		for c := range half.cols {
			for side, odd := range [2]bool{r%2 == 1, c%2 == 1} {
				if !odd {
					continue
				}
				clear(sum)
				if places := v.across(half, r, c, side == 1, sum); places > 0 {
					n++
					if contrast, _ := stand(sum, places, half.pitch()); contrast > 0.05*float64(l.contrast) {
						on++
					}
				}
			}
		}
	}
	return 10*on > 7*n
}
