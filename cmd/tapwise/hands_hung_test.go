package main

import (
	"errors"
	"image"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb"
	"tapwise/adb/hand"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/run"
	"tapwise/cmd/internal/sim/simulation"
)

// TestHungPhone plays on phones whose screencap or input does not return from some
// moment on: the run ends within one deadline of the phone, in place of one for each
// attempt, and says what did not answer. What touches through a stream needs no input.
func TestHungPhone(t *testing.T) {
	levels := handsLevels(t, 1)
	for _, test := range []struct {
		fault, touch string
		says         string // in the error; empty: the level is won
	}{
		{"hung-frame@1", "", "screencap"},
		{"hung-frame@3", "", "screencap"},
		{"hung-input@1", hand.Input, "input"},
		{"hung-input@2", hand.Input, "input"},
		{"hung-input@1", "", ""},
	} {
		t.Run(test.fault+" "+test.touch, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m, err := simulation.ModelOf("new")
				if err != nil {
					t.Fatal(err)
				}
				m.Size = image.Pt(360, 800)
				phone, device := handsPhone(t, m, adb.Config{Touch: test.touch}, false, levels...)
				if _, err := device.Hand().Choose(t.Context()); err != nil {
					t.Fatal(err)
				}
				fault, err := simphone.ParseFault(test.fault)
				if err != nil {
					t.Fatal(err)
				}
				if err := phone.Inject([]simphone.Fault{fault}, 1); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				_, err = handsPlayer(t, run.Phone{Device: device}).Level(t.Context())
				took := time.Since(began)
				t.Logf("after %v: %v", took, err)
				// A touch may take some longer, and then the finger has to be lifted.
				if most := handsTimeout + 10*time.Second; took > most {
					t.Errorf("it took %v, expected less than %v", took, most)
				}
				if test.says == "" {
					if err != nil {
						t.Error(err)
					}
					return
				}
				if !errors.Is(err, player.ErrPhone) || !strings.Contains(err.Error(), "no answer in time") || !strings.Contains(err.Error(), test.says) {
					t.Errorf("%v, expected an ErrPhone that says that %s does not answer", err, test.says)
				}
			})
		})
	}
}
