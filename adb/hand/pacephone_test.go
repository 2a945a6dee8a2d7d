package hand_test

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb"
	"tapwise/adb/adbtest"
	"tapwise/adb/hand"
	"tapwise/adb/simphone"
)

// walk is a random way over cells of a 9x9 board that crosses itself nowhere, from a
// random cell until there is no free neighbour or it is long enough, at least three
// cells long.
func walk(random *rand.Rand, pitch int) []image.Point {
	const side, longest = 9, 18
	for {
		free := [side][side]bool{}
		for r := range free {
			for c := range free[r] {
				free[r][c] = true
			}
		}
		at := image.Pt(random.IntN(side), random.IntN(side))
		var way []image.Point
		for len(way) < longest {
			free[at.Y][at.X] = false
			way = append(way, image.Pt(pitch/2+at.X*pitch, 2*pitch+at.Y*pitch))
			var next []image.Point
			for _, step := range []image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
				p := at.Add(step)
				if p.In(image.Rect(0, 0, side, side)) && free[p.Y][p.X] {
					next = append(next, p)
				}
			}
			if len(next) == 0 {
				break
			}
			at = next[random.IntN(len(next))]
		}
		if len(way) >= 3 {
			return way
		}
	}
}

// paced remembers of every phone that apps take points at a pace.
type paced struct{ pace time.Duration }

func (p paced) Load(string) (adb.TouchNote, bool, error) {
	return adb.TouchNote{Note: hand.Note{Paces: map[string]hand.PaceNote{adbtest.Stripes{}.Package(): {Pace: p.pace}}}}, true, nil
}

func (p paced) Save(string, adb.TouchNote) error { return nil }

// pacedPhone is a phone that shows apps one move a frame, and a hand that moves at a pace.
func pacedPhone(t *testing.T, frame, pace time.Duration) (*simphone.Phone, *hand.Hand) {
	t.Helper()
	phone, err := simphone.New(simphone.Config{SDK: 34, Size: image.Pt(1080, 2340), Hands: simphone.Hands{Frame: frame},
		Apps: []simphone.Installed{simphone.Instance(adbtest.Stripes{})}, Foreground: adbtest.Stripes{}.Package()})
	if err != nil {
		t.Fatal(err)
	}
	client, err := adb.New(adb.Config{Touch: hand.Uinput, TouchStore: paced{pace}, Dial: adbtest.NewLink(t, phone).Dial})
	if err != nil {
		t.Fatal(err)
	}
	d, err := client.Open(t.Context(), adbtest.LinkSerial)
	if err != nil {
		t.Fatal(err)
	}
	d.Model, d.Properties = "", nil // as the note has them
	return phone, d.Hand()
}

// lostPoints plays a stroke at a pace on a phone that shows apps one move a frame, and
// counts the points that no event is at.
func lostPoints(t *testing.T, h *hand.Hand, phone *simphone.Phone, app string, way []image.Point) int {
	t.Helper()
	phone.ClearEvents()
	if err := h.Play(t.Context(), []hand.Stroke{{Points: way, Rotation: -1}}, hand.Options{App: app}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // for the last events, and for another part of a frame to begin the next stroke at
	events := phone.Events()
	lost := 0
	for _, p := range way {
		at := slices.IndexFunc(events, func(e simphone.Event) bool { return math.Hypot(e.X-float64(p.X), e.Y-float64(p.Y)) <= 2 })
		if at < 0 {
			lost++
			continue
		}
		events = events[at:]
	}
	return lost
}

// TestPacesThatLoseNothing moves a finger over a hundred random ways at each pace, on
// displays that show apps one move a frame: nothing is lost from the length of a frame
// on, and something below it. So 16 ms is too fast for 60 frames a second.
func TestPacesThatLoseNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("too long for -short, runs without it")
	}
	const strokes = 100
	all := *hand.Paces
	t.Cleanup(func() { *hand.Paces = all })
	*hand.Paces = append(slices.Clone(all), 16*time.Millisecond)
	for _, hz := range []int{60, 90, 120} {
		t.Run(fmt.Sprintf("%d frames a second", hz), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				frame := time.Second / time.Duration(hz)
				for _, pace := range slices.Sorted(slices.Values(*hand.Paces)) {
					phone, h := pacedPhone(t, frame, pace)
					app := phone.Foreground()
					random := rand.New(rand.NewPCG(2, uint64(hz)))
					lost, points := 0, 0
					for range strokes {
						way := walk(random, 100)
						points += len(way)
						lost += lostPoints(t, h, phone, app, way)
					}
					t.Logf("at %v %d of %d points are lost", pace, lost, points)
					if (lost == 0) != (pace >= frame) {
						t.Errorf("at %v, with frames of %v, %d of %d points are lost", pace, frame, lost, points)
					}
					if err := h.Close(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			})
		})
	}
}
