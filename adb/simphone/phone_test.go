package simphone

import (
	"image"
	"strings"
	"sync"
	"testing"
)

func TestConfig(t *testing.T) {
	board := Instance(&boardApp{name: boardPackage})
	for want, config := range map[string]Config{
		"SDK 9":                     {SDK: 9},
		"screen of 8 x 8":           {Size: image.Pt(8, 8)},
		"screen of 9000 x 100":      {Size: image.Pt(9000, 100)},
		"packets of 100 bytes":      {MaxPacket: 100},
		"rotation 4":                {Rotation: 4},
		"density 7":                 {Density: 7},
		"negative":                  {InputDelay: -1},
		"expected at most 64":       {Model: "a;b"},
		"is installed twice":        {Apps: []Installed{board, board}},
		"has no Start":              {Apps: []Installed{{Package: "a.b"}}},
		"expected a name such as":   {Apps: []Installed{{Package: "a/b", Start: board.Start}}},
		"com.none is not installed": {Foreground: "com.none"},
		"unknown auth mode":         {Auth: 9},
	} {
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, expected %q", err, want)
		}
	}
	phone, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := phone.FrameSize(); got != image.Pt(1080, 2340) {
		t.Errorf("the default screen is %v", got)
	}
	if got := phone.Foreground(); got != homePackage {
		t.Errorf("%s is open, expected the home screen", got)
	}
}

// The frame turns with the screen; wm size does not.
func TestRotation(t *testing.T) {
	phone, _ := boardPhone(t, Config{})
	for _, step := range []struct {
		do    func()
		frame image.Point
		line  string
		wm    string
	}{
		{func() {}, image.Pt(270, 585), "DisplayFrames w=270 h=585 r=0", "Physical size: 270x585\n"},
		{func() { phone.SetRotation(1) }, image.Pt(585, 270), "DisplayFrames w=585 h=270 r=1", "Physical size: 270x585\n"},
		{func() { lines(phone, "wm size 100x200") }, image.Pt(200, 100), "DisplayFrames w=200 h=100 r=1", "Physical size: 270x585\nOverride size: 100x200\n"},
		{func() { lines(phone, "settings put system user_rotation 2") }, image.Pt(100, 200), "DisplayFrames w=100 h=200 r=2", "Physical size: 270x585\nOverride size: 100x200\n"},
		{func() { phone.SetOverrideSize(image.Point{}) }, image.Pt(270, 585), "DisplayFrames w=270 h=585 r=2", "Physical size: 270x585\n"},
	} {
		step.do()
		if got := phone.Frame().Bounds().Size(); got != step.frame {
			t.Errorf("the frame is %v, expected %v", got, step.frame)
		}
		if got := lines(phone, "dumpsys window displays"); !strings.Contains(got, step.line) {
			t.Errorf("dumpsys printed %q, expected %q in it", got, step.line)
		}
		if got := lines(phone, "wm size"); got != step.wm {
			t.Errorf("wm size printed %q, expected %q", got, step.wm)
		}
	}
}

func TestApps(t *testing.T) {
	starts := 0
	phone, err := New(Config{Size: image.Pt(400, 800), Apps: []Installed{
		{Package: "com.a", Start: func() App { starts++; return &boardApp{name: "com.a"} }},
		{Package: "com.b", Start: func() App { return &boardApp{name: "com.b"} }},
	}})
	if err != nil {
		t.Fatal(err)
	}
	focus := func() string {
		for _, line := range strings.Split(lines(phone, "dumpsys window displays"), "\n") {
			if strings.Contains(line, "mCurrentFocus") {
				return strings.TrimSpace(line)
			}
		}
		return ""
	}
	for _, step := range []struct{ command, front string }{
		{"true", homePackage},
		{"am start -n com.a/.MainActivity", "com.a"},
		{"am start -n com.b/.MainActivity", "com.b"},
		{"am start -n com.a/com.a.MainActivity", "com.a"},
		{"am force-stop com.a", "com.b"},
		{"input keyevent HOME", homePackage},
		{"input tap 50 150", "com.a"}, // the app's icon
		{"am force-stop com.a; am force-stop com.b; am force-stop " + homePackage, homePackage},
	} {
		lines(phone, step.command)
		if got := phone.Foreground(); got != step.front {
			t.Errorf("after %s %s is in front, expected %s", step.command, got, step.front)
		}
		if got := focus(); !strings.Contains(got, " "+step.front+"/") {
			t.Errorf("after %s dumpsys has %q, expected %s", step.command, got, step.front)
		}
		if got := lines(phone, "dumpsys activity activities"); !strings.Contains(got, "esumedActivity") || !strings.Contains(got, step.front) {
			t.Errorf("after %s dumpsys activity printed %q", step.command, got)
		}
		phone.Frame()
	}
	if starts != 2 {
		t.Errorf("com.a was started %d times, expected 2", starts)
	}
}

// A gesture stays with the app it began on.
func TestGestureTarget(t *testing.T) {
	phone, board := boardPhone(t, Config{})
	phone.Touch(EventDown, 1, 1)
	lines(phone, "input keyevent HOME")
	phone.Touch(EventMove, 2, 2)
	phone.Touch(EventUp, 900, 900)
	if got := strings.Join(board.touches(), "; "); got != "down 1,1; move 2,2; up 900,900" {
		t.Errorf("the board got %s", got)
	}
	phone.Launch(boardPackage)
	phone.Touch(EventDown, 1, 1)
	phone.ForceStop(boardPackage)
	phone.Touch(EventUp, 1, 1)
	if events := phone.Events(); events[len(events)-1].Package != "" {
		t.Errorf("a touch went to an app that was stopped: %+v", events)
	}
}

func TestCrash(t *testing.T) {
	phone, board := boardPhone(t, Config{})
	board.panic = true
	phone.Frame()
	if got := phone.Foreground(); got != homePackage {
		t.Errorf("%s is in front of a crash, expected the home screen", got)
	}
	if got := lines(phone, "logcat -d"); !strings.Contains(got, "board fell over") {
		t.Errorf("logcat printed %q", got)
	}
	if got := phone.crashLog; len(got) != 1 {
		t.Errorf("%d crashes", len(got))
	}
}

// Everything at the same time, for the race detector.
func TestConcurrentUse(t *testing.T) {
	phone, _ := newPhone(t, Config{})
	var wg sync.WaitGroup
	for _, f := range []func(){
		func() { phone.Frame() },
		func() { lines(phone, "input swipe 1 1 50 50 20") },
		func() { lines(phone, "screencap > /sdcard/a; wm size; dumpsys window; getprop; ps") },
		func() { phone.SetRotation(int(phone.now())); phone.SetOverrideSize(image.Pt(100, 200)) },
		func() { phone.SetBlackFrames(true); phone.ScreenOff(); phone.ScreenOn(); phone.SetBlackFrames(false) },
		func() { phone.ForceStop(boardPackage); phone.Launch(boardPackage) },
		func() { phone.Events(); phone.ClearEvents(); phone.Disconnect(); phone.SetAuth(AuthAllow) },
		func() {
			lines(phone, "settings put system user_rotation 1; settings list global; am start -n com.example.board/.x")
		},
	} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 20 {
				f()
			}
		}()
	}
	wg.Wait()
}
