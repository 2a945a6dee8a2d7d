package hand

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"time"
)

// A PaceNote is how fast an app was found to take the points of a stroke.
type PaceNote struct {
	Pace    time.Duration `json:"pace_ns"`               // from one point to the next
	TooFast time.Duration `json:"too_fast_ns,omitempty"` // points were lost at this pace; 0: at none
	Misses  int           `json:"misses,omitempty"`      // how often points were lost
	Whole   int           `json:"whole,omitempty"`       // plays in a row since then that lost none
}

// paces are the times from one point of a stroke to the next, in falling order of
// speed. An app that looks at the finger once a frame sees every point when they
// come a little more than a frame apart: 17 ms at 60 frames a second (a frame is
// 16.7), 12 at 90 (11.1), 9 at 120 (8.3).
var paces = []time.Duration{
	8 * time.Millisecond, 9 * time.Millisecond, 12 * time.Millisecond, 14 * time.Millisecond, firstPace,
	20 * time.Millisecond, 25 * time.Millisecond, 34 * time.Millisecond, 50 * time.Millisecond,
	75 * time.Millisecond, 100 * time.Millisecond,
}

const (
	firstPace = 17 * time.Millisecond
	// paceProof is the number of moves that a play must have had to tell anything
	// about the pace.
	paceProof = 8
	// paceRetry is the number of plays without a loss after which the pace that lost
	// points is tried again, doubled with each loss up to paceDoubled times: something
	// else, such as a notice over the board, may have taken the touches.
	paceRetry   = 16
	paceDoubled = 6
	// paceProofs is how many plays in a row have to lose nothing until that is believed of a
	// pace: a point is lost or not by chance.
	paceProofs = 3
	// tapPaces is how long a tap lasts: an app that looks once a frame sees it.
	tapPaces = 2
)

// pace is the time from one point of a stroke to the next in an app. The caller holds the
// mutex.
func (h *Hand) pace(app string) time.Duration {
	if known := h.note.Paces[app].Pace; slices.Contains(paces, known) {
		return known
	}
	return firstPace
}

// findsPace reports whether too few plays in an app were seen to lose nothing at that pace.
func (h *Hand) findsPace(app string, pace time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.app != app || h.proved != pace || h.proofs < paceProofs
}

// touches notes which app is touched. Nothing is known of its pace from another one. The caller
// holds the mutex.
func (h *Hand) touches(app string) {
	if h.app != app {
		h.app, h.moves, h.proved, h.lostInARow = app, 0, 0, 0
	}
}

// lostPoints makes the finger slower in an app that was seen to lose some of so many moves, and
// returns the pace.
func (h *Hand) lostPoints(app string, moves int) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.touches(app)
	h.moves, h.proved = moves, 0
	if h.adjustPace(false) {
		h.remember()
	}
	h.moves = 0
	return h.pace(app)
}

// adjustPace makes the finger faster after a play that the board showed whole, and
// slower after one that it did not. It reports whether anything changed that is to be
// kept. The caller holds the mutex.
func (h *Hand) adjustPace(whole bool) bool {
	known := h.note.Paces[h.app]
	now := h.pace(h.app)
	at := slices.Index(paces, now)
	switch {
	case !whole && h.moves > 0:
		known.TooFast = max(known.TooFast, now)
		known.Misses, known.Whole = known.Misses+1, 0
		at += 1 + h.lostInARow // one step after another takes long where an app is slow
		h.lostInARow++
		at = min(at, len(paces)-1)
	case whole && h.moves >= paceProof:
		h.lostInARow = 0
		if h.proved != now {
			h.proved, h.proofs = now, 0
		}
		h.proofs++
		if known.TooFast > 0 {
			known.Whole++
		}
		if known.Whole >= paceRetry<<max(0, min(known.Misses-1, paceDoubled)) {
			known.TooFast, known.Whole = 0, 0
		}
		if at > 0 && paces[at-1] > known.TooFast {
			at--
		}
	default:
		return false
	}
	known.Pace = paces[at]
	if known == h.note.Paces[h.app] {
		return false
	}
	if h.note.Paces = maps.Clone(h.note.Paces); h.note.Paces == nil { // the one before may be kept
		h.note.Paces = map[string]PaceNote{}
	}
	h.note.Paces[h.app] = known
	return true
}

// The longest way of the finger from one point to the next, as a share of the
// screen's shorter side, where the strokes tell no distance of cells; and the
// shortest that they are believed to tell.
const (
	longStep  = 12
	shortStep = 40
)

// stepOf is the longest way that the finger should make at once: the distance of
// the strokes' cells, in pixels.
func stepOf(strokes []Stroke, size image.Point) float64 {
	side := float64(min(size.X, size.Y))
	step := math.Inf(1)
	for _, s := range strokes {
		if len(s.Points) < 3 {
			continue
		}
		for i := 1; i < len(s.Points); i++ {
			if way := distance(s.Points[i-1], s.Points[i]); way > 0 {
				step = min(step, way)
			}
		}
	}
	if math.IsInf(step, 1) {
		return max(side/longStep, 1)
	}
	// Centres are rounded to pixels.
	return max(step+2, side/shortStep, 1)
}

// inSteps is the points of a stroke with others put between those that are farther
// apart than step.
func inSteps(points []image.Point, step float64) []image.Point {
	points = distinct(points)
	var all []image.Point
	for i, p := range points {
		if i > 0 {
			from := points[i-1]
			// A pixel more than a step is no reason for another point.
			parts := int(math.Ceil(distance(from, p)/step - 0.1))
			for k := 1; k < parts; k++ {
				all = append(all, from.Add(p.Sub(from).Mul(k).Div(parts)))
			}
		}
		all = append(all, p)
	}
	return all
}

// The limits of the rest between two commands of `input`.
const (
	leastRest = 40 * time.Millisecond
	mostRest  = 320 * time.Millisecond
)

// restBetween is what the phone's shell does before it moves the finger on by a command of `input`:
// it rests where strokes were lost in this run. Each command takes its time, mostly enough.
func (h *Hand) restBetween() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rest == 0 {
		return ""
	}
	return fmt.Sprintf("sleep %.2f%s", h.rest.Seconds(), between)
}
