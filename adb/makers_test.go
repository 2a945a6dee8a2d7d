package adb

import (
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"testing"
	"testing/synctest"

	"tapwise/adb/hand"
	"tapwise/adb/simphone"
)

// TestSettingsOfMakers: a setting that the phone does not change is an error that says so,
// in one line, however it says it; words of its own are none.
func TestSettingsOfMakers(t *testing.T) {
	const trace = "\nException occurred while executing 'put':\njava.lang.SecurityException: Permission denial: writing to settings requires:android.permission.WRITE_SECURE_SETTINGS\n\tat com.android.A.b(A.java:1)\n"
	for _, test := range []struct {
		name    string
		sdk     int
		answers []simphone.Answer
		refused bool   // an ErrSettingRefused
		says    string // in the error; empty: there is none
	}{
		{name: "as AOSP has it", sdk: 34},
		{name: "before Android 8", sdk: 24},
		{name: "a trace", sdk: 34, answers: []simphone.Answer{{Command: "settings put", Before: trace, Instead: true, Status: 255}}, refused: true, says: "WRITE_SECURE_SETTINGS"},
		{name: "a trace and no status", sdk: 24, answers: []simphone.Answer{{Command: "settings put", Before: trace, Instead: true}}, refused: true, says: "WRITE_SECURE_SETTINGS"},
		{name: "of a work profile", sdk: 33, answers: []simphone.Answer{{Command: "settings put", Before: "java.lang.SecurityException: Shell does not have permission to access user 10\n", Instead: true, Status: 255}}, refused: true, says: "user 10"},
		{name: "other words", sdk: 34, answers: []simphone.Answer{{Command: "settings put", Before: "operation forbidden by policy\n", Instead: true}}, refused: true, says: "forbidden by policy"},
		{name: "other words and a status", sdk: 29, answers: []simphone.Answer{{Command: "settings put", Before: "operation forbidden by policy\n", Instead: true, Status: 1}}, refused: true, says: "status 1"},
		{name: "without a word", sdk: 34, answers: []simphone.Answer{{Command: "settings put", Instead: true}}, refused: true, says: "it stays 0"},
		{name: "missing", sdk: 34, answers: []simphone.Answer{{Command: "settings", Before: "/system/bin/sh: settings: inaccessible or not found\n", Instead: true, Status: 127}}, says: "not found"},
		{name: "words of its own", sdk: 34, answers: ownWords("[XposedBridge] 0 modules")},
		{name: "words of its own before Android 8", sdk: 24, answers: ownWords("[XposedBridge] 0 modules")},
		{name: "a trace that is no refusal", sdk: 34, answers: ownWords("java.lang.ClassNotFoundException: de.robv.android.xposed.A")},
	} {
		phone, d := linked(t, simphone.Config{SDK: test.sdk}, Config{})
		phone.AddAnswers(test.answers...)
		err := d.SetStayAwake(t.Context(), AwakeWhilePlugged)
		if (err != nil) != (test.says != "") || errors.Is(err, ErrSettingRefused) != test.refused ||
			err != nil && (!strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v, expected %q", test.name, err, test.says)
		}
		phone.ClearAnswers()
		if value, err := d.StayAwake(t.Context()); err != nil || (value == AwakeWhilePlugged) != (test.says == "") {
			t.Errorf("%s: it is %q now, %v", test.name, value, err)
		}
	}
	for name, test := range map[string]struct {
		answer  simphone.Answer
		refused bool
	}{
		"refused": {simphone.Answer{Command: "settings get", Before: "java.lang.SecurityException: Permission denial: reading\n", Instead: true, Status: 255}, true},
		"garbage": {simphone.Answer{Command: "settings get", Before: "\x00\xff{}\n", Instead: true}, false},
		"empty":   {simphone.Answer{Command: "settings get", Instead: true}, false},
	} {
		phone, d := linked(t, simphone.Config{}, Config{})
		phone.AddAnswers(test.answer)
		if value, err := d.StayAwake(t.Context()); err == nil || errors.Is(err, ErrSettingRefused) != test.refused {
			t.Errorf("%s: %q, %v", name, value, err)
		}
	}
}

// TestRotationIsNoCondition: a phone that does not tell how its screen turns is touched by
// monkey where that was asked for, and otherwise in another way.
func TestRotationIsNoCondition(t *testing.T) {
	for way, want := range map[string]string{hand.Monkey: hand.Monkey, "": hand.Motion} {
		config := simphone.Config{SDK: 30, Hands: simphone.Hands{Without: []string{"hid", "uinput"}}}
		phone, d := linked(t, config, Config{Touch: way})
		phone.AddAnswers(simphone.Answer{Command: "settings", Before: "operation forbidden by policy\n", Instead: true, Status: 1})
		if err := tapAt(t.Context(), d, image.Pt(60, 100)); err != nil {
			t.Errorf("%q: %v", way, err)
		}
		if choice := d.Hand().Choice(); choice.Rung != want {
			t.Errorf("%q: %v, expected %s", way, choice, want)
		}
		if err := d.Hand().Close(t.Context()); err != nil {
			t.Errorf("%q: closing: %v", way, err)
		}
	}
	// A phone whose settings hang is touched, too.
	synctest.Test(t, func(t *testing.T) {
		phone, d := linked(t, simphone.Config{SDK: 30, Hands: simphone.Hands{Without: []string{"hid", "uinput"}}}, Config{})
		phone.Hang("settings")
		if choice, err := d.Hand().Choose(t.Context()); err != nil || choice.Rung != hand.Motion {
			t.Errorf("%v, %v, expected motion", choice, err)
		}
	})
}

// TestStartPastTheChooser: where the phone names the system's chooser as an app's entry,
// the app's own entry is opened, as its package's list or monkey does.
func TestStartPastTheChooser(t *testing.T) {
	for _, chooser := range []string{
		"android/com.android.internal.app.ResolverActivity",
		"com.android.intentresolver/.ResolverActivity",
		"com.huawei.android.internal.app/.HwResolverActivity",
		"com.miui.resolver/miui.app.ResolverActivity",
		"com.lenovo.app.resolver/.AppChooserActivity",
	} {
		for _, test := range []struct {
			name    string
			sdk     int
			answers []simphone.Answer
			open    bool // the chooser is open already
		}{
			{name: "listed", sdk: 34},
			{name: "not listed", sdk: 34, answers: []simphone.Answer{{Command: "package query-activities", Before: "Unknown command: query-activities\n", Instead: true, Status: 255}}},
			{name: "before Android 7", sdk: 23, open: true},
		} {
			phone, d := linked(t, simphone.Config{SDK: test.sdk}, Config{})
			phone.SetChooser(chooser)
			phone.AddAnswers(test.answers...)
			phone.Key("HOME")
			if test.open {
				if _, _, err := d.Shell(t.Context(), "am start -p "+plainPackage); err != nil || phone.Foreground() == plainPackage {
					t.Fatalf("%s: %v, %s is in front, expected the chooser", test.name, err, phone.Foreground())
				}
			}
			if err := d.Start(t.Context(), plainPackage); err != nil || phone.Foreground() != plainPackage {
				t.Errorf("%s, %s: %v, %s is in front", test.name, chooser, err, phone.Foreground())
			}
			text, _, err := d.Shell(t.Context(), "settings get system accelerometer_rotation")
			if err != nil || text != "0\n" {
				t.Errorf("%s: the screen turns by itself: %q, %v", test.name, text, err)
			}
		}
	}
}

// TestCopiesOfUsers: the copy of another user is the app once it was in front. User 0's
// copy is another app, which is neither touched nor started in its place.
func TestCopiesOfUsers(t *testing.T) {
	for _, user := range []int{10, 95, 128, 999} {
		for _, sdk := range []int{23, 28, 34} {
			phone, d := linked(t, simphone.Config{SDK: sdk}, Config{Touch: hand.Input})
			phone.SetUser(user)
			ctx := t.Context()
			inFront := func() int {
				t.Helper()
				front, err := d.Foreground(ctx)
				if err != nil || front.Package != plainPackage {
					t.Fatalf("SDK %d: %+v, %v is in front", sdk, front, err)
				}
				return front.User
			}
			start := func() {
				t.Helper()
				if err := d.Start(ctx, plainPackage); err != nil {
					t.Errorf("SDK %d, user %d: %v", sdk, user, err)
				}
				if got := inFront(); got != user {
					t.Errorf("SDK %d: the copy of user %d is in front, expected that of %d", sdk, got, user)
				}
			}
			inFront() // seen, and not touched yet
			phone.Key("HOME")
			start()
			play := func() error {
				return d.Hand().Play(ctx, []hand.Stroke{{Points: points(60, 100), Size: image.Pt(240, 520)}}, hand.Options{App: plainPackage})
			}
			if err := play(); err != nil {
				t.Error(err)
			}
			if err := phone.Launch(plainPackage); err != nil {
				t.Fatal(err)
			}
			phone.ClearEvents()
			if err := play(); !errors.Is(err, ErrNotInFront) || !strings.Contains(err.Error(), fmt.Sprintf("user %d", user)) || len(phone.Events()) > 0 {
				t.Errorf("SDK %d: user 0's copy in front: %v, %s", sdk, err, trace(phone))
			}
			if front, err := d.Foreground(ctx); err != nil || d.InFront(front, plainPackage) {
				t.Errorf("SDK %d: %v, user 0's copy is the app", sdk, err)
			}
			start()
			if err := d.ForceStop(ctx, plainPackage); err != nil {
				t.Error(err)
			}
			if got := inFront(); got != 0 {
				t.Errorf("SDK %d: stopping the copy of user %d left that of %d in front", sdk, user, got)
			}
			start()
		}
	}
}

// TestFramesOfAnotherSize: frames that are not of the screen that the window manager has
// are named with both sizes and what helps, and touches on them are refused so.
func TestFramesOfAnotherSize(t *testing.T) {
	for _, test := range []struct {
		fault    string
		rotation int
		frame    image.Point
		advice   string // empty: they agree
	}{
		{"", 0, image.Pt(240, 520), ""},
		{"", 1, image.Pt(520, 240), ""},
		{"squashed-frames", 0, image.Pt(240, 520), ""},
		{"squashed-frames", 1, image.Pt(240, 520), "turn the phone by a quarter"},
		{"squashed-frames", 3, image.Pt(240, 520), "turn the phone by a quarter"},
		{"sideways-frames", 0, image.Pt(520, 240), "turn the phone by a quarter"},
		{"sideways-frames", 1, image.Pt(240, 520), "turn the phone by a quarter"},
		{"wrong-aspect", 0, image.Pt(240, 520), "wm size reset"},
		{"half-frames", 0, image.Pt(120, 260), ""},
		{"half-frames", 1, image.Pt(260, 120), ""},
	} {
		phone, d := linked(t, simphone.Config{Rotation: test.rotation}, Config{Touch: hand.Input})
		if test.fault != "" {
			if err := phone.Inject([]simphone.Fault{{Name: test.fault}}, 1); err != nil {
				t.Fatal(err)
			}
		}
		frame, err := d.Capture(t.Context())
		if err != nil || frame.Size != test.frame {
			t.Fatalf("%s: %+v, %v, expected a frame of %v", test.fault, frame, err, test.frame)
		}
		tap := hand.Stroke{Points: points(60, 60), Size: frame.Size, Rotation: frame.Rotation}
		if test.advice == "" {
			if err := d.Agrees(frame); err != nil || frame.Rotation != test.rotation {
				t.Errorf("%s, rotation %d: %v, noted is rotation %d", test.fault, test.rotation, err, frame.Rotation)
			}
			if err := play(t.Context(), d, []hand.Stroke{tap}); err != nil {
				t.Errorf("%s: %v", test.fault, err)
			}
			want := "down 60,60; up 60,60"
			if test.fault == "half-frames" {
				want = "down 121,121; up 121,121"
			}
			if got := trace(phone); got != want {
				t.Errorf("%s: %s, expected %s", test.fault, got, want)
			}
			continue
		}
		for what, err := range map[string]error{"the frame": d.Agrees(frame), "a touch": play(t.Context(), d, []hand.Stroke{tap})} {
			var size *FrameSizeError
			if !errors.As(err, &size) || errors.Is(err, ErrScreenChanged) || !strings.Contains(size.Advice(), test.advice) ||
				!strings.Contains(err.Error(), "frames are "+sizeText(test.frame)+", the window manager says "+sizeText(size.Screen.Current)) {
				t.Errorf("%s, rotation %d: %s: %v, expected that the sizes disagree, and %q", test.fault, test.rotation, what, err, test.advice)
			}
		}
		if len(phone.Events()) > 0 {
			t.Errorf("%s: it was touched: %s", test.fault, trace(phone))
		}
	}
}

// TestTurningIsNoDisagreement: a screen that turns between two frames agrees with the
// second, and touches planned on the first find it changed.
func TestTurningIsNoDisagreement(t *testing.T) {
	phone, d := linked(t, simphone.Config{}, Config{Touch: hand.Input})
	for _, rotation := range []int{0, 1, 0, 1} {
		phone.SetRotation(rotation)
		frame, err := d.Capture(context.Background())
		if err != nil || d.Agrees(frame) != nil || frame.Rotation != rotation {
			t.Errorf("%v, %v, noted is rotation %d, expected %d", err, d.Agrees(frame), frame.Rotation, rotation)
		}
		phone.SetRotation(rotation ^ 1)
		err = play(t.Context(), d, []hand.Stroke{{Points: points(60, 60), Size: frame.Size, Rotation: frame.Rotation}})
		if !errors.Is(err, ErrScreenChanged) || errors.Is(err, ErrFrameSize) {
			t.Errorf("turned from %d: %v, expected an ErrScreenChanged", rotation, err)
		}
	}
}
