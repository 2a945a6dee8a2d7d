package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/play/player"
	"tapwise/solvers/gametest"
	"tapwise/vision"
)

// TestStream plays levels by frames that the phone pushes: one frame is captured for each
// level, to read it, and nothing is left on the phone. Who watches is shown each board as it was
// read and the frame that showed its end.
func TestStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStreamRig(t, shippedLevels(t, 4), simphone.Config{}, nil, 1)
		var reports []player.Report
		read, ended := map[int]bool{}, map[int]bool{} // by level
		r.player.Watch = func(e player.Event) {
			if e.Frame != nil && e.Seen != nil {
				read[e.Level] = read[e.Level] || e.Stage == "read"
				ended[e.Level] = ended[e.Level] || e.Stage == "verify"
			}
		}
		won, err := r.player.Clear(t.Context(), 4, func(report player.Report, err error) {
			reports = append(reports, report)
			if err != nil {
				t.Error(err)
			}
		})
		if err != nil || won != 4 {
			t.Fatalf("won %d of 4: %v", won, err)
		}
		for i, report := range reports {
			// The first one is looked at before its last stroke as well: how its end shows is
			// not known yet.
			if n := i + 1; !read[n] || !ended[n] {
				t.Errorf("level %d: told that it was read %t, how it ended %t", n, read[n], ended[n])
			}
			if i > 0 && report.Captures > 0 || report.Pushed == 0 {
				t.Errorf("level %d: %d frames captured, %d pushed, expected none captured after the first level", i+1, report.Captures, report.Pushed)
			}
		}
		if err := r.device.CloseEye(context.Background()); err != nil || len(r.phone.Recorders()) != 0 {
			t.Errorf("%v runs at the end: %v", r.phone.Recorders(), err)
		}
	})
}

// TestStreamOverlaid has something come over the board while its strokes are drawn: those that are
// left wait until it is gone.
func TestStreamOverlaid(t *testing.T) {
	for _, fault := range []string{"rating", "dialog", "ad"} {
		t.Run(fault, func(t *testing.T) {
			if testing.Short() && fault != "rating" {
				t.Skip("-short has one of them")
			}
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newStreamRig(t, shippedLevels(t, 2), simphone.Config{Size: image.Pt(360, 720)}, nil, 1)
				struck := false
				r.player.Watch = func(e player.Event) {
					if e.Level != 2 || e.State != player.StatePlay || e.Stroke != 1 || struck {
						return
					}
					struck = true
					if err := r.phone.Inject([]simphone.Fault{{Name: fault}}, 1); err != nil {
						t.Error(err)
					}
					if _, _, err := r.device.Picture(t.Context()); err != nil { // it comes with a frame
						t.Error(err)
					}
				}
				won, err := r.player.Clear(t.Context(), 2, func(player.Report, error) {})
				if err != nil || won != 2 || !struck {
					t.Errorf("won %d of 2, struck %t: %v", won, struck, err)
				}
				// The stroke under way when it comes may end on it; what is touched is counted as it begins.
				if stray := r.strayed(); len(stray) > 1 {
					t.Errorf("touched %q", stray)
				}
			})
		})
	}
}

// TestStreamFaults plays three levels by frames that are pushed, with something going wrong
// with them: each falls back to captures, says why, and nothing is left on the phone. The table
// of TestFaults has what else goes wrong.
func TestStreamFaults(t *testing.T) {
	for faults, says := range map[string]string{
		"no-recorder":     "not found",
		"odd-recorder":    "there is no header",
		"dying-recorder":  "the stream ended",
		"silent-recorder": "not what a still one",
		"rgba-recorder":   "",
		"half-frames@2":   "",
	} {
		t.Run(faults, func(t *testing.T) {
			if testing.Short() && faults == "half-frames@2" {
				t.Skip("a half of the smaller screen that -short has is not read")
			}
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newStreamRig(t, shippedLevels(t, 3), simphone.Config{}, strings.Fields(faults), 1)
				won, err := r.player.Clear(t.Context(), 3, func(player.Report, error) {})
				if err != nil || won != 3 {
					t.Errorf("won %d of 3: %v", won, err)
				}
				if why := r.device.StreamRefused(); !strings.Contains(why, says) || (why == "") != (says == "") {
					t.Errorf("frames are not pushed since %q, expected %q", why, says)
				}
				if err := r.device.CloseEye(context.Background()); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Second)
				if left := r.phone.Recorders(); len(left) != 0 {
					t.Errorf("%v runs at the end", left)
				}
				if name, _, at := strings.Cut(faults, "@"); at && r.phone.Struck()[name] == 0 {
					t.Error("it did not happen")
				}
				if stray := r.strayed(); len(stray) > 0 {
					t.Errorf("touched %q", stray)
				}
			})
		})
	}
}

// TestStreamEvidence fails a level that was read from a frame that was pushed: its evidence has that
// frame, of which the same is read again.
func TestStreamEvidence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newStreamRig(t, shippedLevels(t, 3), simphone.Config{Size: image.Pt(720, 1440)}, nil, 1)
		r.player.Watch = func(e player.Event) {
			if e.Level == 3 && e.State == player.StatePlay && e.Stroke == 1 {
				r.phone.LockNow(simphone.LockPIN)
			}
		}
		won, err := r.player.Clear(t.Context(), 3, func(player.Report, error) {})
		var f *player.Failure
		if won != 2 || !errors.As(err, &f) {
			t.Fatalf("won %d, %v, expected 2 and a failure", won, err)
		}
		e, err := player.LoadEvidence(f.Evidence)
		if err != nil {
			t.Fatal(err)
		}
		factor := 2
		if testing.Short() { // on a smaller screen
			factor = 1
		}
		pushed := slices.ContainsFunc(e.Frames, func(f player.EvidenceFrame) bool { return f.Read && f.Factor == factor })
		again, err := r.player.Replay(t.Context(), f.Evidence, e, vision.Decode)
		if err != nil || !pushed {
			t.Fatalf("frames %+v, %v, expected one that was pushed and read", e.Frames, err)
		}
		for _, frame := range again {
			if frame.Differs != "" {
				t.Errorf("%s %s", frame.File, frame.Differs)
			}
		}
	})
}

// TestMoments lets something come over the screen at each moment of the first levels, by both
// ways of looking: nothing of it is touched, no level is won twice, and none is claimed that was
// not won.
func TestMoments(t *testing.T) {
	gametest.Long(t)
	for way, moments := range map[string][]int{string(adb.Raw): {2, 3, 4, 5, 6, 7}, adb.Stream: {2, 5, 9, 14, 20, 27}} {
		for _, fault := range []string{"dialog", "rating", "rating-panel", "ad", "hint", "stuck-animation"} {
			for _, at := range moments {
				t.Run(fmt.Sprintf("%s/%s@%d", way, fault, at), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { playMoment(t, way, fault, at) })
				})
			}
		}
	}
}

func playMoment(t *testing.T, way, fault string, at int) {
	r := linkedRigBy(t, way, shippedLevels(t, 3), simphone.Config{Size: image.Pt(360, 720)}, []string{fmt.Sprintf("%s@%d", fault, at)}, 1)
	if fault == "hint" {
		r.player.Timing.RecoverWait = time.Second
	}
	won, err := r.player.Clear(t.Context(), 0, func(player.Report, error) {})
	really := 0
	for _, n := range r.app.Wins() {
		really += n
	}
	// Between two strokes of a stream it may come just before the second is seen to be stopped.
	most := 0
	if way == adb.Stream {
		most = 1
	}
	if stray := r.strayed(); len(stray) > most || slices.Max(r.app.Wins()) > 1 || won > really {
		t.Errorf("touched %q, won %d, in the app %v: %v", stray, won, r.app.Wins(), err)
	}
	// An animation that ends only with the app may hide how a level ended.
	if (won != 3 || err != nil) && fault != "stuck-animation" {
		t.Errorf("won %d, %v", won, err)
	}
}
