package vision

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"gocv.io/x/gocv"

	"tapwise/solvers/screen"
)

// slantLimits bound the search for a board that is not upright.
var slantLimits = struct {
	contrast                            int
	sidePart, figures                   int
	outlineFrom, outlineTo, outlineStep float64
	hull, fit, supported                float64
	parts                               [4]float64
}{
	contrast:    18,                              // brightness levels: the outline of the board stands out by more than this
	sidePart:    4,                               // 1/n of the masks' shorter side: the board is at least this wide and high
	figures:     3,                               // four-sided figures: at most this many are looked at, the largest first
	outlineFrom: 0.01,                            // share of its length: an outline is simplified to within this distance,
	outlineStep: 0.01,                            // share of its length: and, while it has more than four corners, to within this much more,
	outlineTo:   0.06,                            // share of its length: to less than this
	hull:        0.9,                             // share of the outline's area: the four-sided figure has more than this
	fit:         0.5,                             // fit: the lines of a board fit equal spaces better than this
	parts:       [4]float64{0.98, 0.99, 1, 1.01}, // pitches: lengths to be tried as the pitch, since the corners are not found exactly
	supported:   0.8,                             // share of the cells' sides: lines are seen on at least this many
}

// bySlanted is the finder of boards that are not upright.
const bySlanted = "a board that is not upright"

// slanted looks for a board that is not upright, as on a photograph of a screen.
// It straightens each four-sided figure of lines, and looks at it like at a frame
// of its own, until one is a board.
func (s *search) slanted() ([]hypothesis, error) {
	figures, err := quadrilaterals(s.masks)
	if err != nil {
		return nil, err
	}
	none := lacking(bySlanted, fmt.Sprintf("%d four-sided outlines, none around rows and columns of lines", len(figures)))
	for _, corners := range figures {
		none.figures = append(none.figures, screen.Figure{Name: "four-sided outline", Points: append(corners[:], corners[0])})
	}
	for i, corners := range figures {
		h, err := s.straighten(corners)
		if err != nil {
			return nil, err
		}
		if h.ok() {
			h.figures = none.figures[i : i+1]
			return []hypothesis{h}, nil
		}
	}
	return []hypothesis{none}, nil
}

// quadrilaterals are the corners of the four-sided figures of lines that are large
// enough to be a board, the largest first. The corners go clockwise from the upper
// left one, in pixels of the frame.
func quadrilaterals(m *masks) ([][4]image.Point, error) {
	any, err := m.thin()
	if err != nil {
		return nil, err
	}
	thin := gocv.NewMat()
	defer thin.Close()
	gocv.Threshold(any, &thin, float32(slantLimits.contrast), 255, gocv.ThresholdBinary)
	least := float64(min(m.size.X, m.size.Y)) / float64(slantLimits.sidePart)
	// Following the contours of everything small, as noise is, would take long.
	solid, err := solidOf(thin)
	if err != nil {
		return nil, err
	}
	defer solid.release()
	small := make([]bool, solid.count)
	for area, b := range solid.bounds() {
		small[area] = float64(min(b.Dx(), b.Dy())) < least
	}
	if !slices.Contains(small, false) {
		return nil, nil
	}
	if err := solid.paint(thin, small, 0); err != nil {
		return nil, err
	}
	contours := gocv.FindContours(thin, gocv.RetrievalExternal, gocv.ChainApproxSimple)
	defer contours.Close()
	type figure struct {
		corners [4]image.Point
		area    float64
	}
	var figures []figure
	for i := range contours.Size() {
		corners, area, ok := fourCorners(contours.At(i))
		if ok && area >= least*least {
			for k := range corners {
				corners[k] = corners[k].Mul(m.factor)
			}
			figures = append(figures, figure{corners, area})
		}
	}
	slices.SortStableFunc(figures, func(a, b figure) int { return cmp.Compare(b.area, a.area) })
	var all [][4]image.Point
	for _, f := range figures[:min(len(figures), slantLimits.figures)] {
		all = append(all, f.corners)
	}
	return all, nil
}

// fourCorners are the corners and the area of a contour's convex hull. It reports
// whether the hull is four-sided.
func fourCorners(contour gocv.PointVector) (corners [4]image.Point, area float64, ok bool) {
	hull := gocv.NewMat()
	defer hull.Close()
	gocv.ConvexHull(contour, &hull, true, true)
	points := gocv.NewPointVectorFromMat(hull)
	defer points.Close()
	around := gocv.ArcLength(points, true)
	for part := slantLimits.outlineFrom; part < slantLimits.outlineTo; part += slantLimits.outlineStep {
		few := gocv.ApproxPolyDP(points, part*around, true)
		n := few.Size()
		if n == 4 {
			area = gocv.ContourArea(few)
			for k := range 4 {
				corners[k] = few.At(k)
			}
		}
		few.Close()
		if n <= 4 {
			ok = n == 4 && area > slantLimits.hull*gocv.ContourArea(points)
			break
		}
	}
	if !ok {
		return corners, 0, false
	}
	// Clockwise around the middle, from the corner nearest to the upper left.
	var middle image.Point
	for _, p := range corners {
		middle = middle.Add(p)
	}
	middle = middle.Div(4)
	angle := func(p image.Point) float64 {
		return math.Atan2(float64(p.Y-middle.Y), float64(p.X-middle.X))
	}
	slices.SortFunc(corners[:], func(a, b image.Point) int { return cmp.Compare(angle(a), angle(b)) })
	// Angles begin at the left, so that the upper left corner is the first unless
	// the figure is turned further than any photograph is.
	return corners, area, corners[0].X < middle.X && corners[0].Y < middle.Y
}

// The size of a straightened board, in pixels.
const (
	straightSide   = 640               // its width and height, before its rows and columns are counted
	straightPitch  = 64                // its pitch, afterwards
	straightMargin = straightPitch / 4 // of the frame around it
)

// straighten looks at a four-sided part of the frame as if it were upright. What it
// returns has no rows where no board is there.
func (s *search) straighten(corners [4]image.Point) (hypothesis, error) {
	v, spec := s.view, s.spec
	// Lines tell how many rows and columns there are; until then it is a square.
	square, err := v.warp(corners, image.Pt(straightSide, straightSide), 0)
	if err != nil {
		return hypothesis{}, err
	}
	w := &view{pixels: square.pixels, dark: v.dark}
	m, err := newMasks(w, 1, false)
	if err != nil {
		return hypothesis{}, err
	}
	defer m.close()
	x, y, err := m.peaks(image.Rect(0, 0, straightSide, straightSide))
	if err != nil {
		return hypothesis{}, err
	}
	cols, okX := spaces(x, straightSide, spec)
	rows, okY := spaces(y, straightSide, spec)
	if !okX || !okY {
		return hypothesis{}, nil
	}
	straight, err := v.warp(corners, image.Pt(cols*straightPitch, rows*straightPitch), straightMargin)
	if err != nil {
		return hypothesis{}, err
	}
	w = &view{pixels: straight.pixels, dark: v.dark}
	l := w.refine(lattice{x0: straightMargin, y0: straightMargin, px: straightPitch, py: straightPitch, rows: rows, cols: cols})
	horizontal, vertical := w.lines(l)
	confidence := supported(horizontal, vertical)
	if confidence < slantLimits.supported || len(w.openSides(l, false)) > 0 {
		return hypothesis{}, nil
	}
	flat := l.layout(screen.Frame{Size: straight.pixels.Rect.Size()})
	readings := w.measure(flat, spec.Measures)
	layout := flat
	layout.On = s.on
	layout.Board = image.Rectangle{}
	for i, p := range flat.Centres {
		layout.Centres[i] = straight.back(p)
	}
	for _, p := range []image.Point{flat.Board.Min, flat.Board.Max, {X: flat.Board.Max.X, Y: flat.Board.Min.Y}, {X: flat.Board.Min.X, Y: flat.Board.Max.Y}} {
		at := straight.back(p)
		layout.Board = layout.Board.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
	}
	layout.Pitch = (float64(layout.Board.Dx())/float64(cols) + float64(layout.Board.Dy())/float64(rows)) / 2
	return hypothesis{finder: bySlanted, layout: layout, confidence: confidence, horizontal: horizontal, vertical: vertical, readings: readings}, nil
}

// spaces is the number of equal spaces into which lines divide a length. It reports
// whether the lines fit that number well.
func spaces(peaks []peak, length int, spec screen.Spec) (int, bool) {
	if len(peaks) < spec.MinSide || len(peaks) > latticeLimits.peaks {
		return 0, false
	}
	best, most := 0, 0.0
	c := newCombs(peaks, spec.MaxSide)
	for n := spec.MinSide; n <= spec.MaxSide; n++ {
		for _, part := range slantLimits.parts {
			if comb := c.fit(part*float64(length)/float64(n), most); comb.score > most && comb.n >= n-1 && comb.n <= n {
				best, most = n, comb.score
			}
		}
	}
	return best, most > slantLimits.fit
}

// straight is a straightened part of a frame.
type straight struct {
	pixels *image.RGBA
	matrix [9]float64 // from its pixels to the frame's
}

// warp straightens the part of the frame within four corners to a size, with a
// margin of pixels around it.
func (v *view) warp(corners [4]image.Point, size image.Point, margin int) (straight, error) {
	upright := []image.Point{{X: margin, Y: margin}, {X: margin + size.X - 1, Y: margin}, {X: margin + size.X - 1, Y: margin + size.Y - 1}, {X: margin, Y: margin + size.Y - 1}}
	from, to := gocv.NewPointVectorFromPoints(corners[:]), gocv.NewPointVectorFromPoints(upright)
	defer from.Close()
	defer to.Close()
	forth, back := gocv.GetPerspectiveTransform(from, to), gocv.GetPerspectiveTransform(to, from)
	defer forth.Close()
	defer back.Close()
	whole, err := gocv.NewMatFromBytes(v.size().Y, v.size().X, gocv.MatTypeCV8UC4, v.pixels.Pix)
	if err != nil {
		return straight{}, fmt.Errorf("vision: %w", err)
	}
	defer whole.Close()
	out := gocv.NewMat()
	defer out.Close()
	full := size.Add(image.Pt(2*margin, 2*margin))
	gocv.WarpPerspective(whole, &out, forth, full)
	data, err := out.DataPtrUint8()
	if err != nil {
		return straight{}, fmt.Errorf("vision: %w", err)
	}
	s := straight{pixels: image.NewRGBA(image.Rectangle{Max: full})}
	copy(s.pixels.Pix, data)
	for i := range s.matrix {
		s.matrix[i] = back.GetDoubleAt(i/3, i%3)
	}
	return s, nil
}

// back is where a pixel of the straightened part lies on the frame.
func (s straight) back(p image.Point) image.Point {
	x, y := float64(p.X), float64(p.Y)
	m := s.matrix
	w := m[6]*x + m[7]*y + m[8]
	return image.Pt(round((m[0]*x+m[1]*y+m[2])/w), round((m[3]*x+m[4]*y+m[5])/w))
}
