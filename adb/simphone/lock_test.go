package simphone

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"

	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone/shell"
)

// TestLogcatFollows: the log goes on with new crashes.
func TestLogcatFollows(t *testing.T) {
	phone, _ := boardPhone(t, Config{Apps: nil})
	log := &lockedWriter{mu: new(sync.Mutex), w: new(bytes.Buffer)}
	shows := func(text string) {
		t.Helper()
		await.Until(t, "the log says "+text, func() bool { return strings.Contains(log.String(), text) })
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int)
	go func() {
		done <- phone.shell.Run(ctx, shell.Call{Command: "logcat -v brief AndroidRuntime:E '*:S'", Stdin: strings.NewReader(""), Stdout: log, Stderr: log})
	}()
	shows("beginning of main")
	for _, reason := range []string{"first", "second"} {
		phone.callApp(&runningApp{name: "com.example.crash", pid: 77, app: phone.front().app}, func() { panic(reason) })
		shows("E/AndroidRuntime(   77): " + reason)
	}
	cancel()
	if status := <-done; status != 130 {
		t.Errorf("it ends with %d", status)
	}
	if got := lines(phone, "logcat -d -v raw -t 1 | grep -c .; logcat -c; logcat -d"); !regexp.MustCompile(`^3\n--------- beginning of main\n$`).MatchString(got) {
		t.Errorf("afterwards: %q", got)
	}
}

// TestLock locks and unlocks a phone in every way, on each Android.
func TestLock(t *testing.T) {
	for _, sdk := range []int{16, 19, 21, 23, 26, 28, 30, 34} {
		phone, board := boardPhone(t, Config{SDK: sdk, Lock: LockPIN, PIN: "4711"})
		do := func(command string) string { return strings.TrimSpace(lines(phone, command)) }
		locked := func(want bool) {
			t.Helper()
			if phone.screen.locked != want {
				t.Fatalf("SDK %d: locked is %t", sdk, !want)
			}
		}
		locked(false)
		do("input keyevent 223")
		locked(true)
		if got := do("dumpsys window policy | grep -c 'howing.*=true'"); got == "0" {
			t.Errorf("SDK %d: the policy does not show the lock:\n%s", sdk, do("dumpsys window policy"))
		}
		do("input keyevent 224; input tap 100 100; input keyevent BACK; input keyevent HOME; input text 4711; input keyevent 66")
		locked(true) // the PIN was not asked for yet
		do("input swipe 100 500 100 100; input text 4712; input keyevent 66")
		locked(true)
		do("input keyevent 11; input keyevent KEYCODE_7; input keyevent 8; input keyevent 8; input keyevent 66")
		locked(false)
		if len(board.calls) != 0 || phone.Foreground() != boardPackage {
			t.Errorf("SDK %d: the app behind the lock got %q, and %s is in front", sdk, board.calls, phone.Foreground())
		}
		phone.LockNow(LockSwipe)
		do("input keyevent 82")
		locked(false)
		phone.LockNow(LockSwipe)
		do("wm dismiss-keyguard")
		locked(false)
		phone.LockNow(LockSwipe)
		do("input swipe 100 100 100 500")
		locked(true)
		do("input swipe 100 500 100 100")
		locked(false)
		if got := do("dumpsys window | grep -c mCurrentFocus.*" + boardPackage); got == "0" {
			t.Errorf("SDK %d: the app is not in front after unlocking", sdk)
		}
	}
}
