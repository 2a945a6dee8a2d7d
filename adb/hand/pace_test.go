package adb

import (
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

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

// lostPoints plays a stroke at a pace on a phone that shows apps one move a frame, and
// counts the points that no event is at.
func lostPoints(t *testing.T, d *Device, phone *simphone.Phone, app string, way []image.Point) int {
	t.Helper()
	phone.ClearEvents()
	if err := d.PlayWith(t.Context(), []Stroke{{Points: way, Rotation: -1}}, PlayOptions{App: app}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // for the last events, and for another part of a frame to begin the next stroke at
	events := phone.Events()
	lost := 0
	for _, p := range way {
		at := slices.IndexFunc(events, func(e simphone.Event) bool { return distance(image.Pt(int(e.X+0.5), int(e.Y+0.5)), p) <= 2 })
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
	all := paces
	t.Cleanup(func() { paces = all })
	paces = append(slices.Clone(all), 16*time.Millisecond)
	for _, hz := range []int{60, 90, 120} {
		t.Run(fmt.Sprintf("%d frames a second", hz), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				frame := time.Second / time.Duration(hz)
				phone, d := linkedPhone(t, simphone.Config{SDK: 34, Size: image.Pt(1080, 2340), Hands: simphone.Hands{Frame: frame}}, Config{Touch: TouchUinput})
				app := phone.Foreground()
				d.hands.note.Paces = map[string]PaceNote{}
				d.hands.loaded = true
				for _, pace := range slices.Sorted(slices.Values(paces)) {
					random := rand.New(rand.NewPCG(2, uint64(hz)))
					d.hands.note.Paces[app] = PaceNote{Pace: pace}
					lost, points := 0, 0
					for range strokes {
						way := walk(random, 100)
						points += len(way)
						lost += lostPoints(t, d, phone, app, way)
					}
					t.Logf("at %v %d of %d points are lost", pace, lost, points)
					if (lost == 0) != (pace >= frame) {
						t.Errorf("at %v, with frames of %v, %d of %d points are lost", pace, frame, lost, points)
					}
				}
				if err := d.CloseTouch(t.Context()); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}
