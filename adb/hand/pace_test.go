package hand

import (
	"errors"
	"fmt"
	"image"
	"reflect"
	"strings"
	"testing"
	"time"

	"tapwise/adb/hand/pointer"
	"tapwise/adb/internal/fault"
)

func TestPaceFollowsTheBoard(t *testing.T) {
	h := &Hand{way: Uinput, app: "a"}
	tell := func(arrived, moves int) time.Duration {
		h.moves = moves
		h.Seen(9, arrived)
		return h.pace("a")
	}
	if got := tell(9, 50); got != firstPace || !h.trusted() {
		t.Errorf("the play that proves the way changes the pace to %v", got)
	}
	var got []time.Duration
	for _, arrived := range []int{9, 9, 8, 9, 9, 9, 3, 9, 9, 9} {
		got = append(got, tell(arrived, 50)/time.Millisecond)
	}
	// 12 ms lost a point: it is not tried again soon. At 14 another one was lost.
	if want := []time.Duration{14, 12, 14, 14, 14, 14, 17, 17, 17, 17}; !reflect.DeepEqual(got, want) {
		t.Errorf("paces %v, expected %v", got, want)
	}
	if other := h.pace("b"); other != firstPace {
		t.Errorf("another app begins with %v", other)
	}
	for i := range 2*paceRetry - 4 { // three were whole since the second loss
		if now := tell(9, 50); now != firstPace {
			t.Fatalf("%v after %d plays that lost nothing", now, i+4)
		}
	}
	if now := tell(9, 50); now != 14*time.Millisecond {
		t.Errorf("%v, expected the pace that lost points long ago to be tried again", now)
	}
	if now := tell(9, 3); now != 14*time.Millisecond {
		t.Errorf("%v after three moves, which tell too little to go faster", now)
	}
	if now := tell(8, 3); now != firstPace {
		t.Errorf("%v after a loss in three moves", now)
	}
	if now := tell(8, 0); now != firstPace {
		t.Errorf("%v after a tap without effect, which has no pace", now)
	}
}

func TestInSteps(t *testing.T) {
	for _, test := range []struct {
		path []image.Point
		step float64
		want []image.Point
	}{
		{points(5, 5), 10, points(5, 5)},
		{points(0, 0, 10, 0, 21, 0), 10, points(0, 0, 10, 0, 21, 0)},
		{points(0, 0, 30, 0, 30, 10), 10, points(0, 0, 10, 0, 20, 0, 30, 0, 30, 10)},
		{points(7, 7, 7, 7), 10, points(7, 7)},
	} {
		if got := inSteps(test.path, test.step); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v in steps of %v is %v, expected %v", test.path, test.step, got, test.want)
		}
	}
	screen := image.Pt(1080, 2340)
	for want, strokes := range map[float64][]Stroke{
		90:  {{Points: points(0, 0, 500, 0)}},
		122: {{Points: points(0, 0, 120, 0, 240, 0, 500, 0)}, {Points: points(0, 0, 60, 0)}},
		27:  {{Points: points(0, 0, 3, 0, 240, 0)}},
	} {
		if got := stepOf(strokes, screen); got != want {
			t.Errorf("the step of %v is %v, expected %v", strokes, got, want)
		}
	}
}

// TestEveryWayRefused: where every way is refused, the error is each of the refusals.
func TestEveryWayRefused(t *testing.T) {
	all := error(&noWayError{"none", []error{fault.ErrRefused, fmt.Errorf("%w: %w", fault.ErrRefused, ErrNoMonkey)}})
	if !errors.Is(all, fault.ErrRefused) || !errors.Is(all, ErrNoMonkey) || errors.Is(all, pointer.ErrOverridden) {
		t.Errorf("%v is not the refusals that it is of", all)
	}
}

// TestPaceOfASlowApp: the more plays in a row lose points, the slower the finger becomes, down to
// the slowest pace; another app begins anew.
func TestPaceOfASlowApp(t *testing.T) {
	h := &Hand{way: Uinput, app: "a", seen: true}
	var got []time.Duration
	for range 5 {
		got = append(got, h.lostPoints("a", 50)/time.Millisecond)
	}
	if want := []time.Duration{20, 34, 100, 100, 100}; !reflect.DeepEqual(got, want) {
		t.Errorf("paces %v, expected %v", got, want)
	}
	if other := h.lostPoints("b", 50); other != 20*time.Millisecond {
		t.Errorf("another app's first loss leads to %v, expected one step", other)
	}
}

// TestRestOfInput: where `input` loses strokes, the phone rests longer and longer between two of its
// commands that move the finger.
func TestRestOfInput(t *testing.T) {
	h := &Hand{way: Motion}
	moves := func() string {
		return h.events(Method{Motion: true}, Stroke{Points: []image.Point{{10, 10}, {20, 10}}})[1].marked
	}
	var got []string
	for _, arrived := range []int{3, 2, 0, 3, 1, 1, 1} {
		h.Seen(3, arrived)
		rest, _, slept := strings.Cut(moves(), between+"input")
		if !slept {
			rest = ""
		}
		got = append(got, rest)
	}
	if want := []string{"", "sleep 0.04", "sleep 0.08", "sleep 0.08", "sleep 0.16", "sleep 0.32", "sleep 0.32"}; !reflect.DeepEqual(got, want) {
		t.Errorf("rests %q, expected %q", got, want)
	}
}
