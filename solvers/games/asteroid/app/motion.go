package app

import (
	"math"
	"time"

	"tapwise/solvers/board"
)

// How long motions take.
const (
	slideTime  = 200 * time.Millisecond
	bumpTime   = 240 * time.Millisecond
	escapeTime = 600 * time.Millisecond
)

// motion is how a tile moved last. The board is already as it is afterwards: a
// motion only shows.
type motion struct {
	kind  motionKind
	cell  board.Cell // where the tile is now
	dir   board.Dir
	reach float64 // how far a bump goes, in pitches
	start time.Duration
}

type motionKind int

const (
	noMotion motionKind = iota
	slide
	bump
	escape
)

// offset is how far a tile is from its place at a time, in pitches.
func (m motion) offset(c board.Cell, now time.Duration) (x, y float64) {
	if m.kind == noMotion || m.cell != c {
		return 0, 0
	}
	part := func(whole time.Duration) float64 { return min(max(float64(now-m.start)/float64(whole), 0), 1) }
	distance := 0.0
	switch m.kind {
	case slide:
		t := part(slideTime)
		distance = t*t*(3-2*t) - 1
	case bump:
		distance = m.reach * math.Sin(math.Pi*part(bumpTime))
	case escape:
		t := part(escapeTime)
		distance = 8 * t * t // off any screen
	}
	row, col := m.dir.Step()
	return distance * float64(col), distance * float64(row)
}
