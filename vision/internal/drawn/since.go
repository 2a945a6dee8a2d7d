package drawn

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"
)

// Board is a board of square cells as it was seen first.
type Board struct {
	Rows, Cols int
	Pitch      float64       // the distance of neighbouring cells' centres, in pixels
	Centres    []image.Point // of the cells, row by row, in pixels
	Ends       []bool        // the cells that have an end
	Links      [][4]bool     // the pipes that left each cell to the north, east, south, west
}

// Cell is what a cell shows now.
type Cell struct {
	Links  [4]bool    // the pipes that leave it to the north, east, south, west
	Colour color.RGBA // of those pipes; not opaque where there is none
}

// The limits. Differences of colours are the greatest of the three channels, 0 to 255;
// lengths are in pitches; shares are of a cell's samples.
const (
	across        = 24   // samples across a cell, and as many down
	alike         = 18   // most that a colour lies outside what empty cells have there
	onePipe       = 30   // most that a pipe's colour varies across the border of two cells
	edged         = 24   // least that the ground on both sides of a pipe differs from it
	unchanged     = 24   // most that a colour varies from frame to frame by itself
	overBorder    = 0.03 // how far a pipe is followed to both sides of a border
	beside        = 0.44 // how far from a pipe's middle there is none of it,
	deeperIn      = 0.12 // and how far from the border that is looked at in both cells, as well as overBorder from it
	within        = 0.88 // of a cell that is looked at for what is drawn on it, in its width
	speck         = 0.03 // most of an empty cell that differs from the others
	ofPipe        = 0.5  // least of what is drawn on a pipe's cell that has the pipe's colour
	pipeColour    = 48   // most that a part of a pipe differs from its colour over the border
	restless      = 0.3  // most of an end without a pipe that may have changed
	middle        = 0.15 // how far from an end's middle it is looked at for a label
	endsLeft      = 0.3  // least of what is drawn on an end's cell that is still drawn on
	tintsDiffer   = 8    // most that a tint differs along the rim of a cell
	mostMoved     = 2.5  // how far a board may have moved up or down
	sameEnds      = 0.8  // least share of the samples in the middle of ends that are as before where the board is
	sameFit       = 0.01 // most that two places differ that fit as well, of 2
	leastAside    = 0.6  // share of the screen beside the board that looks as before
	lessElsewhere = 0.1  // least by which a board that has moved fits less well anywhere else, likewise
)

// steps are the directions, as Links has them.
var steps = [4]image.Point{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}

// Since finds what is now drawn on a board that was seen on an earlier frame: its cells, row by
// row, and how far the board has moved since, in pixels. The error says why the board is not
// the one seen before, or what on it is no pipe.
func Since(before, now *image.RGBA, b Board) (cells []Cell, moved image.Point, err error) {
	if n := b.Rows * b.Cols; n == 0 || len(b.Centres) != n || len(b.Ends) != n || len(b.Links) != n || !(b.Pitch >= 4) {
		return nil, moved, fmt.Errorf("drawn: a board of %d columns and %d rows that is not complete", b.Cols, b.Rows)
	}
	if before.Rect != now.Rect {
		return nil, moved, fmt.Errorf("drawn: a frame of %v, expected %v", now.Rect, before.Rect)
	}
	w := watcher{Board: b, before: before, now: now}
	if err := w.learnGrounds(); err != nil {
		return nil, moved, err
	}
	w.moved = w.findBoard()
	if err := w.aside(); err != nil {
		return nil, moved, err
	}
	w.measure()
	w.findLinks()
	for c := range w.cells {
		if err := w.explain(c); err != nil {
			return nil, w.moved, err
		}
	}
	return w.cells, w.moved, nil
}

// watcher looks at one board on two frames.
type watcher struct {
	Board
	before, now *image.RGBA
	moved       image.Point // the board on the later frame

	grounds [2]ground   // of cells whose row and column add up to an even and an odd number
	bare    [4][3]uint8 // the middle of a border without a pipe, to the east and the south
	cells   []Cell
	drawn   [][]bool // by cell: the samples that differ from its ground, without its tint
}

// ground is what empty cells of one kind look like, channel by channel: each sample's usual
// value, and the least and the greatest that it and its eight neighbours have.
type ground struct{ usual, least, most [across * across][3]uint8 }

func (w *watcher) parity(cell int) int { return (cell/w.Cols + cell%w.Cols) % 2 }

// at is the colour of a frame at an offset from a cell's centre, in pitches.
func (w *watcher) at(frame *image.RGBA, cell int, moved image.Point, x, y float64) [3]uint8 {
	p := w.Centres[cell].Add(moved)
	return pixel(frame, p.X+round(x*w.Pitch), p.Y+round(y*w.Pitch))
}

// pixel is the colour of a pixel; outside a frame, of the nearest one.
func pixel(frame *image.RGBA, x, y int) [3]uint8 {
	x, y = min(max(x, frame.Rect.Min.X), frame.Rect.Max.X-1), min(max(y, frame.Rect.Min.Y), frame.Rect.Max.Y-1)
	i := frame.PixOffset(x, y)
	return [3]uint8(frame.Pix[i : i+3])
}

// offset is where a sample of a cell lies, from its centre, in pitches.
func offset(i int) float64 { return (float64(i)+0.5)/across - 0.5 }

// learnGrounds finds out what empty cells look like.
func (w *watcher) learnGrounds() error {
	var empty [2][]int
	for c, links := range w.Links {
		if !w.Ends[c] && links == [4]bool{} {
			empty[w.parity(c)] = append(empty[w.parity(c)], c)
		}
	}
	for parity := range empty {
		if len(empty[parity]) == 0 { // then all cells are taken to be alike
			empty[parity] = empty[1-parity]
		}
		if len(empty[parity]) == 0 {
			return errors.New("drawn: the board had no empty cell, so that nothing tells what is drawn")
		}
		w.grounds[parity] = w.groundOf(empty[parity])
	}
	for d := 1; d <= 2; d++ {
		w.bare[d] = w.bareBorder(d)
	}
	return nil
}

// bareBorder is the middle of the border without a pipe between a cell and the next one
// in a direction, as most look.
func (w *watcher) bareBorder(d int) [3]uint8 {
	var values [3][]uint8
	for c, links := range w.Links {
		if links[d] || c%w.Cols+steps[d].X >= w.Cols || c/w.Cols+steps[d].Y >= w.Rows {
			continue
		}
		colour := w.at(w.before, c, image.Point{}, 0.5*float64(steps[d].X), 0.5*float64(steps[d].Y))
		for k := range colour {
			values[k] = append(values[k], colour[k])
		}
	}
	var bare [3]uint8
	for k := range values {
		if n := len(values[k]); n > 0 {
			slices.Sort(values[k])
			bare[k] = values[k][n/2]
		}
	}
	return bare
}

// groundOf is what some empty cells look like. Samples at a board's rim lie on its frame
// in some cells and on a line in others: the middle half of the cells counts.
func (w *watcher) groundOf(cells []int) ground {
	var plain ground
	for i := range across * across {
		var values [3][]uint8
		for _, c := range cells {
			colour := w.at(w.before, c, image.Point{}, offset(i%across), offset(i/across))
			for k := range colour {
				values[k] = append(values[k], colour[k])
			}
		}
		for k := range values {
			slices.Sort(values[k])
			n := len(values[k])
			plain.usual[i][k], plain.least[i][k], plain.most[i][k] = values[k][n/2], values[k][n/4], values[k][n-1-n/4]
		}
	}
	g := ground{usual: plain.usual}
	for i := range across * across {
		g.least[i], g.most[i] = plain.least[i], plain.most[i]
		for y := max(0, i/across-1); y <= min(across-1, i/across+1); y++ {
			for x := max(0, i%across-1); x <= min(across-1, i%across+1); x++ {
				for k := range 3 {
					g.least[i][k] = min(g.least[i][k], plain.least[y*across+x][k])
					g.most[i][k] = max(g.most[i][k], plain.most[y*across+x][k])
				}
			}
		}
	}
	return g
}

// outside is how far a colour lies outside what a sample of the ground may be.
func (g *ground) outside(sample int, colour [3]uint8) int {
	most := 0
	for k, value := range colour {
		most = max(most, int(value)-int(g.most[sample][k]), int(g.least[sample][k])-int(value))
	}
	return most
}

// sampleAt is the sample of a cell that lies at an offset from its centre, in pitches.
func sampleAt(x, y float64) int {
	i := min(max(int((x+0.5)*across), 0), across-1)
	j := min(max(int((y+0.5)*across), 0), across-1)
	return j*across + i
}

// findBoard tells how far the board has moved: to where its ends look most as before, and
// its cells' corners, which no pipe reaches, most as those of empty cells. Ends that are
// marks without a ground of their own change when a pipe comes: where nothing tells of a
// move, there was none, and what is drawn must be explained there.
func (w *watcher) findBoard() image.Point {
	most := int(mostMoved * w.Pitch)
	fits := map[int]float64{}
	best := 0
	try := func(down int) {
		if _, ok := fits[down]; ok || down < -most || down > most {
			return
		}
		if fits[down] = w.fit(down); fits[down] > fits[best] {
			best = down
		}
	}
	const coarse = 3 // pixels
	for down := 0; down <= most; down += coarse {
		try(down)
		try(-down)
	}
	for near, to := best-2*coarse, best+2*coarse; near <= to; near++ {
		try(near)
	}
	if fits[0] >= fits[best]-sameFit {
		return image.Point{}
	}
	// Where several places fit as well, the board is in the middle of them.
	first, last := best, best
	elsewhere := 0.0
	for down, fit := range fits {
		switch {
		case abs(down-best) > int(w.Pitch/4):
			elsewhere = max(elsewhere, fit)
		case fit >= fits[best]-sameFit:
			first, last = min(first, down), max(last, down)
		}
	}
	moved := (first + last) / 2
	if fits[best] < elsewhere+lessElsewhere || w.sameEnds(moved, 2, 0.05) < sameEnds {
		return image.Point{}
	}
	return image.Pt(0, moved)
}

// fit tells how well the board lies where it has moved down by some pixels, 0 to 2.
func (w *watcher) fit(down int) float64 {
	same, all := 0, 0
	for c := range w.Centres {
		g := &w.grounds[w.parity(c)]
		for _, at := range corners {
			all++
			if g.outside(sampleAt(at[0], at[1]), w.at(w.now, c, image.Pt(0, down), at[0], at[1])) <= alike {
				same++
			}
		}
	}
	return float64(same)/float64(all) + w.sameEnds(down, 4, 0.1)
}

// corners are offsets from a cell's centre, in pitches.
var corners = [...][2]float64{{-0.48, -0.48}, {-0.42, -0.42}, {0.48, -0.48}, {0.42, -0.42}, {-0.48, 0.48}, {-0.42, 0.42}, {0.48, 0.48}, {0.42, 0.42}}

// sameEnds is the share of some samples on the board's ends that look as before where the
// board has moved down by some pixels: so many on each side of the middle, so far apart,
// in pitches.
func (w *watcher) sameEnds(down, count int, step float64) float64 {
	same, all := 0, 0
	for c, is := range w.Ends {
		if !is {
			continue
		}
		for j := -count; j <= count; j++ {
			for i := -count; i <= count; i++ {
				x, y := step*float64(i), step*float64(j)
				all++
				if difference(w.at(w.before, c, image.Point{}, x, y), w.at(w.now, c, image.Pt(0, down), x, y)) <= unchanged {
					same++
				}
			}
		}
	}
	return float64(same) / float64(max(1, all))
}

// aside makes sure that the screen beside the board is as it was, in the main: nothing
// shades it, and it is no other page.
func (w *watcher) aside() error {
	const samples = 40 // in a row and in a column
	first, last := w.Centres[0], w.Centres[len(w.Centres)-1]
	half := round(w.Pitch / 2)
	board := image.Rectangle{Min: first.Sub(image.Pt(half, half)), Max: last.Add(image.Pt(half, half))}
	board = board.Union(board.Add(w.moved))
	size := w.now.Rect.Size()
	same, all := 0, 0
	for i := range samples * samples {
		at := w.now.Rect.Min.Add(image.Pt(size.X*(2*(i%samples)+1)/(2*samples), size.Y*(2*(i/samples)+1)/(2*samples)))
		if at.In(board) {
			continue
		}
		all++
		if difference(pixel(w.before, at.X, at.Y), pixel(w.now, at.X, at.Y)) <= unchanged {
			same++
		}
	}
	if part := float64(same) / float64(max(1, all)); all > 0 && part < leastAside {
		return fmt.Errorf("drawn: %.0f %% of the screen beside the board looks as before, expected at least %.0f %%", 100*part, 100*leastAside)
	}
	return nil
}

// measure finds out which samples of each cell are drawn on.
func (w *watcher) measure() {
	w.cells = make([]Cell, w.Rows*w.Cols)
	w.drawn = make([][]bool, len(w.cells))
	for c := range w.cells {
		w.drawn[c] = w.drawnOn(w.now, c, w.moved)
	}
}

func (w *watcher) drawnOn(frame *image.RGBA, cell int, moved image.Point) []bool {
	g := &w.grounds[w.parity(cell)]
	tint := w.tintOf(frame, cell, moved)
	mask := make([]bool, across*across)
	for i := range mask {
		x, y := offset(i%across), offset(i/across)
		if max(x, -x, y, -y) > within/2 {
			continue
		}
		colour := w.at(frame, cell, moved, x, y)
		for k := range colour {
			colour[k] = uint8(min(255, max(0, int(colour[k])-tint[k])))
		}
		mask[i] = g.outside(i, colour) > alike
	}
	return mask
}

// tintOf is how much lighter or darker than the ground a cell is along its rim, in each
// channel; zero where the rim is not of one tint. Eight places beside pipes are looked at;
// a pipe, a gap or a rounded corner may hide two.
func (w *watcher) tintOf(frame *image.RGBA, cell int, moved image.Point) [3]int {
	const far, near = 0.4, 0.32
	g := &w.grounds[w.parity(cell)]
	var tints [][3]int
	for _, at := range [8][2]float64{{-near, -far}, {near, -far}, {far, -near}, {far, near}, {near, far}, {-near, far}, {-far, near}, {-far, -near}} {
		colour, i := w.at(frame, cell, moved, at[0], at[1]), sampleAt(at[0], at[1])
		var tint [3]int
		for k := range tint {
			tint[k] = int(colour[k]) - int(g.usual[i][k]) // beside a rounded corner, neighbours are no ground
		}
		tints = append(tints, tint)
	}
	var tint [3]int
	for k := range tint {
		values := make([]int, len(tints))
		for i, t := range tints {
			values[i] = t[k]
		}
		slices.Sort(values)
		tint[k] = values[len(values)/2]
	}
	agree := 0
	for _, t := range tints {
		if max(distance(t[0], tint[0]), distance(t[1], tint[1]), distance(t[2], tint[2])) <= tintsDiffer {
			agree++
		}
	}
	if agree < len(tints)-2 {
		return [3]int{}
	}
	return tint
}

// findLinks finds the pipes over the borders of cells.
func (w *watcher) findLinks() {
	sums, counts := make([][3]int, len(w.cells)), make([]int, len(w.cells))
	for c := range w.cells {
		for d := 1; d <= 2; d++ { // east and south; the others are these, seen from the other cell
			row, col := c/w.Cols+steps[d].Y, c%w.Cols+steps[d].X
			if row >= w.Rows || col >= w.Cols {
				continue
			}
			other := row*w.Cols + col
			colour, ok := w.crosses(c, d)
			if !ok {
				continue
			}
			w.cells[c].Links[d], w.cells[other].Links[(d+2)%4] = true, true
			for _, end := range []int{c, other} {
				counts[end]++
				for k := range colour {
					sums[end][k] += int(colour[k])
				}
			}
		}
	}
	for c, n := range counts {
		if n > 0 {
			w.cells[c].Colour = color.RGBA{uint8(sums[c][0] / n), uint8(sums[c][1] / n), uint8(sums[c][2] / n), 255}
		}
	}
}

// crosses reports whether a pipe leads from a cell over its border in a direction, and
// in which colour.
func (w *watcher) crosses(cell, d int) (colour [3]uint8, ok bool) {
	to := steps[d]
	// along and across the pipe, in pitches from the middle of the border
	look := func(frame *image.RGBA, moved image.Point, along, aside float64) [3]uint8 {
		along += 0.5
		return w.at(frame, cell, moved, along*float64(to.X)+aside*float64(to.Y), along*float64(to.Y)+aside*float64(to.X))
	}
	now := func(along, aside float64) [3]uint8 { return look(w.now, w.moved, along, aside) }
	changed := func(along float64) bool {
		return difference(look(w.before, image.Point{}, along, 0), now(along, 0)) > unchanged
	}
	bare, linked := difference(w.bare[d], now(0, 0)) <= unchanged, w.Links[cell][d]
	colour, ok = now(0, 0), oneColour(now, 0, -overBorder, -overBorder/2, overBorder/2, overBorder)
	for _, into := range []float64{-1, 1} {
		if !ok && (linked || changed(0)) && !bare { // an end's shadow may lie over the border
			colour, ok = now(2*into*overBorder, 0), oneColour(now, 2*into*overBorder, 3*into*overBorder, into*deeperIn)
		}
	}
	// Lines may have a pipe's colour.
	if !ok || !linked && !changed(-2*overBorder) && !changed(0) && !changed(2*overBorder) {
		return colour, false
	}
	// What separates cells may have the pipe's colour, and a tint the other cell's pipe's.
	for _, into := range []float64{-deeperIn, deeperIn} {
		if bare && difference(now(into, 0), colour) > onePipe {
			return colour, false
		}
	}
	for _, aside := range []float64{-beside, beside} {
		for _, into := range []float64{-1, 1} {
			if max(difference(now(into*overBorder, aside), colour), difference(now(into*deeperIn, aside), colour)) < edged {
				return colour, false
			}
		}
	}
	return colour, true
}

// oneColour reports whether a pipe has the colour of the first of some places along it in
// all others.
func oneColour(now func(along, aside float64) [3]uint8, first float64, others ...float64) bool {
	return !slices.ContainsFunc(others, func(along float64) bool { return difference(now(along, 0), now(first, 0)) > onePipe })
}

// explain makes sure that everything drawn on a cell belongs to an end or a pipe.
func (w *watcher) explain(cell int) error {
	degree := 0
	for _, is := range w.cells[cell].Links {
		if is {
			degree++
		}
	}
	drawn := share(w.drawn[cell])
	switch {
	case w.Ends[cell]:
		if was := share(w.drawnOn(w.before, cell, image.Point{})); drawn < endsLeft*was {
			return fmt.Errorf("%s: an end is gone", w.name(cell))
		}
		switch part := w.changed(cell); {
		case degree > 0 && !w.sameMiddle(cell) && !w.ownColour(cell):
			return fmt.Errorf("%s: an end has changed, and the pipe that leads to it has another colour", w.name(cell))
		case degree == 0 && (part > restless && w.Links[cell] == [4]bool{} || !w.sameMiddle(cell)):
			return fmt.Errorf("%s: %.0f %% of an end that no pipe leads to has changed, expected at most %.0f %%", w.name(cell), 100*part, 100*restless)
		}
	case degree == 0:
		if drawn > speck {
			return fmt.Errorf("%s: something is drawn on %.0f %% of it that is no pipe", w.name(cell), 100*drawn)
		}
	default:
		if part := w.ofPipe(cell); part < ofPipe {
			return fmt.Errorf("%s: %.0f %% of what is drawn on it has the colour of its pipe, expected at least %.0f %%", w.name(cell), 100*part, 100*ofPipe)
		}
	}
	return nil
}

// changed is the share of what was drawn on a cell that differs from the earlier frame.
func (w *watcher) changed(cell int) float64 {
	changed, all := 0, 0
	for i, is := range w.drawnOn(w.before, cell, image.Point{}) {
		if !is {
			continue
		}
		all++
		if x, y := offset(i%across), offset(i/across); difference(w.at(w.before, cell, image.Point{}, x, y), w.at(w.now, cell, w.moved, x, y)) > unchanged {
			changed++
		}
	}
	return float64(changed) / float64(max(1, all))
}

// sameMiddle reports whether the middle of an end looks as before: on it may be a label in
// a colour of its own.
func (w *watcher) sameMiddle(cell int) bool {
	same, all := 0, 0
	for i := range across * across {
		x, y := offset(i%across), offset(i/across)
		if max(x, -x, y, -y) > middle {
			continue
		}
		all++
		if difference(w.at(w.before, cell, image.Point{}, x, y), w.at(w.now, cell, w.moved, x, y)) <= unchanged {
			same++
		}
	}
	return 2*same > all
}

// ownColour reports whether the pipe that leads to an end has a colour that the end had.
func (w *watcher) ownColour(cell int) bool {
	c := w.cells[cell].Colour
	for i, is := range w.drawnOn(w.before, cell, image.Point{}) {
		if is && difference(w.at(w.before, cell, image.Point{}, offset(i%across), offset(i/across)), [3]uint8{c.R, c.G, c.B}) <= pipeColour {
			return true
		}
	}
	return false
}

// ofPipe is the share of what is drawn on a cell that has its pipe's colour.
func (w *watcher) ofPipe(cell int) float64 {
	c := w.cells[cell].Colour
	of, all := 0, 0
	for i, is := range w.drawn[cell] {
		if !is {
			continue
		}
		all++
		if difference(w.at(w.now, cell, w.moved, offset(i%across), offset(i/across)), [3]uint8{c.R, c.G, c.B}) <= pipeColour {
			of++
		}
	}
	return float64(of) / float64(max(1, all))
}

// name is a cell's place in words, counted from 1.
func (w *watcher) name(cell int) string {
	return fmt.Sprintf("drawn: row %d, column %d", cell/w.Cols+1, cell%w.Cols+1)
}

// share is the share of a cell's samples that a mask has.
func share(mask []bool) float64 {
	n := 0
	for _, is := range mask {
		if is {
			n++
		}
	}
	return float64(n) / float64(len(mask))
}

func difference(a, b [3]uint8) int {
	most := 0
	for k := range a {
		most = max(most, distance(int(a[k]), int(b[k])))
	}
	return most
}

func abs(x int) int { return max(x, -x) }

func distance(a, b int) int { return max(a-b, b-a) }

func round(x float64) int {
	if x < 0 {
		return -int(0.5 - x)
	}
	return int(x + 0.5)
}
