package player

import (
	"image"
	"slices"
	"time"

	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// sight is one look at the screen.
type sight struct {
	frame           *image.RGBA // nil in the zero value, which is no look at all
	on              screen.Frame
	begun           time.Time // when capturing it began; it shows the screen as it was then, or later
	at              time.Time // when it was captured
	recognise.Sight           // its zero value when the frame was captured but not looked at
	// factor is by how much the sides of the frame, which the phone pushed, are shorter than those
	// of what was seen on it; 0 of a still one.
	factor int
}

// empty reports whether there was no look.
func (s sight) empty() bool { return s.frame == nil }

// whole is the frame in the pixels of what was seen on it. It is made anew for a frame that was
// pushed, which takes several milliseconds.
func (s sight) whole() *image.RGBA {
	if s.factor > 1 {
		return recognise.Enlarged(s.frame, s.factor)
	}
	return s.frame
}

// bounds are those of the whole frame.
func (s sight) bounds() image.Rectangle {
	return image.Rectangle{Max: s.frame.Rect.Size().Mul(max(1, s.factor))}
}

// same reports whether two looks agree in a region except for one in oneIn of its pixels.
func (s sight) same(o sight, region image.Rectangle, oneIn int) bool {
	return vision.Same(s.whole(), o.whole(), region, oneIn)
}

// describe says for people what was on the screen.
func (s sight) describe() string {
	text := s.Place.Kind.String()
	if s.Place.Reason != "" {
		text += " (" + s.Place.Reason + ")"
	}
	if s.Seen != nil {
		for _, doubt := range s.Seen.Doubts {
			text += "; " + doubt
		}
	}
	return text
}

// The share of the pixels compared that may differ between two frames of one
// screen, as the n of 1/n.
const (
	oneInStill     = 1000    // the screen stands still: only noise differs
	oneInIdentical = 100_000 // nothing new can be read
	oneInPatch     = 4       // a part of a cell looks as it did
)

// sameFrame reports whether two looks agree all over the frame.
func (s sight) sameFrame(o sight) bool {
	return !s.empty() && !o.empty() && s.same(o, o.bounds(), oneInStill)
}

// memory is what a player has seen in a run and in the level under way.
type memory struct {
	carried     sight           // how the last level or step left the screen, standing still
	wonBoards   map[string]bool // the notation of each board won
	celebration time.Duration   // the shortest time from the last stroke to the panel; 0: unknown
	noPanelYet  time.Duration   // the longest time after the last stroke at which there was none, below that
	ahead       *solved         // the solution of the last board that was solved while waiting; nil: none
	lookTook    time.Duration   // how long it took to find out what is on the last frame
	own         *ownPanel       // the app's panel of a won level, if it differs from the game's; nil: unknown
	// bare is how the last level was left that was won without a panel; nil: there was
	// none, or another level was found since.
	bare     *bareEnd
	stood    bool // the screen stood still when it was looked at last, by frames that are pushed
	glimpsed int  // the number of the last frame that was pushed and looked at
	// neverStill: the app's screen was seen to change for longer than is waited for.
	neverStill bool
	// drawsAlong is the most that a cell changed, 0 to 255, while the finger drew over it.
	drawsAlong int
	drawsLines bool // from cell to cell
	pushed     pushedReads
	endsBare   bool // levels end without a panel in this app: another level was found after one
	levelMemory
}

// levelMemory is what was seen in one level, or on the way to the next one.
type levelMemory struct {
	frames []sight         // the last frames captured, the newest last, for the evidence
	last   sight           // the last frame captured since the screen was touched
	moving int             // the number of frames in a row that differed
	looked sight           // the last frame that was looked at
	since  time.Time       // when capturing the first of the last frames that agree began
	board  image.Rectangle // the place of the board on it, empty when there is none
	read   sight           // the frame that the puzzle was read from
	left   sight           // the level whose own button was tapped to leave it

	readPatches []vision.Patch // of the frame that was read; nil until they are needed
	stranger    *stranger      // nil when none was met
	beforeLast  bool           // the board was seen with all strokes but the last
	base        *sight         // as level.base has it, if that had to look again; empty: in vain
	// shownBeforeLast is the screen before the last stroke; empty when it was not looked at.
	shownBeforeLast sight
	early           []sight // the first frames after the last stroke
	complete        bool    // the whole solution was seen on the screen
}

const (
	// keptFrames is the number of frames that the evidence holds, beside the one
	// that was read.
	keptFrames = 4
	// carriedAge is the greatest age of a look taken over from the step before.
	carriedAge = time.Second
	// restlessFrames is the number of frames in a row that differ after which it
	// is worth finding out where the board is: something beside it may be moving.
	restlessFrames = 4
)

// begin forgets the level before, but not how it left the screen.
func (m *memory) begin() { m.levelMemory = levelMemory{} }

// forget forgets what the screen looked like: the next look is taken anew.
func (m *memory) forget() {
	m.carried, m.looked = sight{}, sight{}
	m.disturb()
}

// disturb notes that the screen may change now: the next frame has none before it
// to agree with.
func (m *memory) disturb() { m.last, m.moving = sight{}, 0 }

// captured notes a frame, and reports whether it agrees with the one before
// where the board is.
func (m *memory) captured(s sight) (steady bool) {
	region := m.board
	if region.Empty() || m.last.on != s.on {
		region = middle(s.bounds())
	}
	steady = !m.last.empty() && s.on == m.last.on && m.last.same(s, region, oneInStill)
	if steady {
		m.moving = 0
	} else {
		m.moving++
		m.since = s.begun
	}
	m.last = s
	m.frames = append(m.frames, s)
	if len(m.frames) > keptFrames {
		m.frames = m.frames[1:]
	}
	return steady
}

// middle is the part of a screen without its bars and banners.
func middle(r image.Rectangle) image.Rectangle {
	r.Min.Y += r.Dy() / 8
	r.Max.Y -= r.Dy() / 8
	return r
}

// restless reports whether the screen has been moving for so long that it should
// be looked at all the same. Then counting begins anew.
func (m *memory) restless() bool {
	if m.moving < restlessFrames {
		return false
	}
	m.moving = 1
	return true
}

// takeCarried returns how the last level or step left the screen, and forgets
// it. It reports false when that is unknown or too old.
func (m *memory) takeCarried(now time.Time) (s sight, ok bool) {
	s, m.carried = m.carried, sight{}
	if s.empty() || now.Sub(s.at) > carriedAge {
		return sight{}, false
	}
	m.frames = append(m.frames, s)
	m.looked = s
	return s, true
}

// recall reports whether a frame is the same as the last one that was looked at.
// If it is, it gets the observation and the place of that one.
func (m *memory) recall(s *sight) bool {
	if m.looked.empty() || s.on != m.looked.on || !m.looked.same(*s, s.bounds(), oneInIdentical) {
		return false
	}
	s.Sight = m.looked.Sight
	return true
}

// note keeps what was seen on a frame.
func (m *memory) note(s sight) {
	m.looked = s
	m.board = image.Rectangle{}
	if s.Seen.Layout.Rows > 0 {
		m.board = s.Seen.Layout.Board
	}
	for i := range m.frames {
		if m.frames[i].frame == s.frame {
			m.frames[i] = s
		}
	}
}

// noteWon keeps the board of a won level.
func (m *memory) noteWon(board string) {
	if m.wonBoards == nil {
		m.wonBoards = map[string]bool{}
	}
	m.wonBoards[board] = true
}

// notePanel keeps the time from the last stroke to the panel, if it is the
// shortest so far.
func (m *memory) notePanel(since time.Duration) {
	if m.celebration == 0 || since < m.celebration {
		m.celebration = max(since, time.Millisecond)
	}
	if m.noPanelYet >= m.celebration { // it does not always take as long
		m.noPanelYet = m.celebration * 4 / 5
	}
}

// noteNoPanel keeps the time after the last stroke at which there was no panel yet.
func (m *memory) noteNoPanel(since time.Duration) {
	if since < m.celebration || m.celebration == 0 {
		m.noPanelYet = max(m.noPanelYet, since)
	}
}

// seenWon reports whether a frame shows the panel of a won level that was seen on the
// frame before.
func (m *memory) seenWon(s sight) bool {
	return m.looked.Place.Kind == screen.Won && m.looked.on == s.on && m.looked.sameFrame(s)
}

// panelDue is how long after the last stroke the panel is looked for first: when it was
// seen at the earliest, or halfway between then and when it was not, until the two are
// near each other.
func (m *memory) panelDue(near time.Duration) time.Duration {
	least := max(m.noPanelYet, m.celebration/2)
	if m.celebration-least <= near {
		return m.celebration
	}
	return (m.celebration + least) / 2
}

// endingKnown reports whether it is known how the app says that a level is
// complete.
func (m *memory) endingKnown() bool { return m.own != nil || m.celebration > 0 }

// forEvidence returns the last frames, the one that was read among them.
func (m *memory) forEvidence() []sight {
	if m.read.empty() || slices.ContainsFunc(m.frames, func(s sight) bool { return s.frame == m.read.frame }) {
		return m.frames
	}
	return append([]sight{m.read}, m.frames...)
}
