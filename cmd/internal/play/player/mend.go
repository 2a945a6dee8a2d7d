package player

import (
	"context"
	"image"
	"slices"
	"time"

	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// A Mender is a Keeper that asks, before the finger of a stroke goes up, which point of the
// stroke the screen lacks, and draws from there again.
type Mender interface {
	Keeper
	// PlayMending is PlayOn that may call missed with the index of a gesture before its finger
	// goes up. It returns the index of the first of the gesture's points that is to be drawn
	// again; 0 is none. Before each gesture it may call stop, which ends it.
	PlayMending(ctx context.Context, app string, gestures []screen.Gesture, began func(int), stop func(int) bool, missed func(int) int) error
}

const (
	// landWithin is how long the end of a stroke may take to show on a frame that is pushed,
	// besides the way of so many frames.
	landWithin = 300 * time.Millisecond
	landFrames = 3
	// landSlow is the way of a frame from which on only so many of a level's first cells are
	// waited for: what is missed later costs less than waiting for all.
	landSlow   = 40 * time.Millisecond
	landSample = 24
	// landedColour is the least that a channel's mean about a cell's middle moves, 0 to 255, when
	// a stroke is drawn over it.
	landedColour = 32
)

// playMending makes gestures on a phone that pushes frames, and looks at them while a finger
// draws. It reports false where that cannot be.
func (l *level) playMending(ctx context.Context, gestures []screen.Gesture, began func(int)) (ok bool, err error) {
	m, mends := l.Device.(Mender)
	w, watches := l.Device.(Watcher)
	if !mends || !watches || l.state != StatePlay || l.memory.glimpsed == 0 {
		return false, nil
	}
	var before Glimpse
	var unseen error
	waited := 0 // cells in a row that were seen to be drawn
	return true, m.PlayMending(ctx, l.App, gestures, func(i int) {
		began(i)
		before, unseen = w.Glimpse(ctx, 0, time.Nanosecond)
	}, func(i int) bool {
		now, err := w.Glimpse(ctx, 0, time.Nanosecond)
		if err != nil || !l.overlaid(l.memory.read, now, untouched(gestures, i)) {
			return false
		}
		l.log().Warn("something came over the screen; the strokes that are left wait", "stroke", i, "of", len(gestures))
		return true
	}, func(i int) int {
		if unseen != nil || before.Frame == nil || before.Took >= landSlow && waited >= landSample {
			return 0
		}
		from := l.missed(ctx, w, before, gestures[i])
		if waited += len(gestures[i].Points); from > 0 {
			waited = 0
		}
		return from
	})
}

const (
	// coveredColour is how much a pixel beside the board changes, 0 to 255, when a dialog dims the
	// screen or something fills it.
	coveredColour = 24
	// coveredStep is the distance of the pixels that are looked at.
	coveredStep = 8
)

// overlaid reports whether a frame that was pushed looks so different from one of the board that
// something has come over it before a stroke: what is touched then might be anything. Strokes change
// the board and a few words, but not the cells that are still to be drawn over. Where pieces are moved,
// and where a tap may be meant for what the tap before it opened, that tells nothing.
func (l *level) overlaid(board sight, now Glimpse, free []image.Point) bool {
	_, paths := l.solution.(solvers.Pather)
	if !paths || len(free) == 0 || board.frame == nil || now.Frame == nil || board.on != now.Full {
		return false // whether the screen is another one is found out elsewhere
	}
	small, read, full := now.Frame.Rect.Size(), board.frame.Rect.Size(), board.on.Size
	pitch := board.Seen.Layout.Pitch
	for _, at := range free {
		if distance(meanAround(board.frame, at, full, pitch), meanAround(now.Frame, at, full, pitch)) >= landedColour {
			return true
		}
	}
	changed, all := 0, 0
	for y := 0; y < small.Y; y += coveredStep {
		for x := 0; x < small.X; x += coveredStep {
			on := image.Pt((2*x+1)*full.X/(2*small.X), (2*y+1)*full.Y/(2*small.Y))
			if on.In(board.Seen.Layout.Board) {
				continue
			}
			all++
			then := image.Pt(on.X*read.X/full.X, on.Y*read.Y/full.Y)
			if distance(colourAt(board.frame, then), colourAt(now.Frame, image.Pt(x, y))) >= coveredColour {
				changed++
			}
		}
	}
	return 2*changed > all
}

// untouched are the points of a stroke that no stroke before it touched.
func untouched(gestures []screen.Gesture, i int) (points []image.Point) {
	if len(gestures[i].Points) < 2 {
		return nil
	}
	for _, at := range gestures[i].Points {
		if !slices.ContainsFunc(gestures[:i], func(g screen.Gesture) bool { return slices.Contains(g.Points, at) }) {
			points = append(points, at)
		}
	}
	return points
}

func colourAt(frame *image.RGBA, at image.Point) [3]int {
	pix := frame.Pix[frame.PixOffset(at.X, at.Y):]
	return [3]int{int(pix[0]), int(pix[1]), int(pix[2])}
}

// missed is the first point of a stroke under the finger, between its ends, whose cell still
// looks as it did before; 0 where there is none, or where the app does not draw along.
func (l *level) missed(ctx context.Context, w Watcher, before Glimpse, g screen.Gesture) int {
	within, cancel := context.WithTimeout(ctx, landWithin+landFrames*before.Took)
	defer cancel()
	first := 0
	for after := before.Number; ; {
		now, err := w.Glimpse(within, after, leastQuiet)
		if err != nil {
			return 0 // what is not known is seen once the finger is up
		}
		if now.Frame != nil {
			if now.Full != before.Full {
				return 0
			}
			if first = l.firstMissing(before, now, g); first == 0 {
				return 0
			}
		}
		switch {
		case now.Quiet && l.memory.drawsAlong < landedColour:
			return 0
		case now.Quiet:
			return first
		}
		after = now.Number
	}
}

// firstMissing is missed on one frame. Its last point is an end, which looks no different; where
// the app draws lines from cell to cell, the one that leads there tells. A light around the
// finger changes what is near it, but less than a line does.
func (l *level) firstMissing(before, now Glimpse, g screen.Gesture) int {
	full, pitch := now.Full.Size, l.memory.read.Seen.Layout.Pitch
	change := func(at image.Point) int {
		return distance(meanAround(before.Frame, at, full, pitch), meanAround(now.Frame, at, full, pitch))
	}
	last := len(g.Points) - 1
	changes, most := make([]int, last), 0
	for i := 1; i < last; i++ {
		changes[i] = change(g.Points[i])
		most = max(most, changes[i])
	}
	l.memory.drawsAlong = max(l.memory.drawsAlong, most)
	enough := max(landedColour, most/2)
	if most < landedColour {
		enough = max(landedColour, l.memory.drawsAlong/2)
	}
	for i := 1; i < last; i++ {
		if changes[i] < enough {
			return i
		}
	}
	line := func(to int) bool { return change(g.Points[to-1].Add(g.Points[to]).Div(2)) >= enough }
	l.memory.drawsLines = l.memory.drawsLines || last > 1 && line(last-1)
	if l.memory.drawsLines && !line(last) {
		return last
	}
	return 0
}

// meanAround is the mean colour about the middle of a cell on a frame of any scale; the place, the
// size of the screen and the pitch of cells are at full size.
func meanAround(frame *image.RGBA, at, full image.Point, pitch float64) [3]int {
	size := frame.Rect.Size()
	at = image.Pt(at.X*size.X/full.X, at.Y*size.Y/full.Y)
	radius := max(1, int(pitch)*size.X/(6*full.X))
	return meanOf(frame, image.Rectangle{Min: at.Sub(image.Pt(radius, radius)), Max: at.Add(image.Pt(radius+1, radius+1))}.Intersect(frame.Rect))
}

// meanOf is the mean colour of a part of a frame.
func meanOf(frame *image.RGBA, part image.Rectangle) (mean [3]int) {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			for k := range mean {
				mean[k] += int(frame.Pix[frame.PixOffset(x, y)+k])
			}
		}
	}
	for k := range mean {
		mean[k] /= max(1, part.Dx()*part.Dy())
	}
	return mean
}

// distance is how far two colours are apart in the channel in which they differ most.
func distance(a, b [3]int) (most int) {
	for k := range a {
		most = max(most, a[k]-b[k], b[k]-a[k])
	}
	return most
}
