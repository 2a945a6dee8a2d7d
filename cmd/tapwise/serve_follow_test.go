package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/page/web"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/solvers/gametest"
)

// TestFollowIdlePhone: the page follows an idle phone that pushes its frames, gives way to who
// plays on it from another process and does not disturb that, and leaves nothing behind.
func TestFollowIdlePhone(t *testing.T) {
	gametest.Long(t)
	a, server := testApp(t), adbtest.Start(t)
	a.settings.ADB.Port = server.Port
	a.settings.Game = "flow"
	options := simOptions{Options: simulation.Usual()}
	options.Model, options.Given = "new", func(string) bool { return false }
	phone := connectedPhone(t, a, server, options)
	serial := phone.Addr()
	phones := a.pageSettings().Phones()
	if _, _, _, err := phones.Capture(t.Context(), serial); err != nil {
		t.Fatal(err)
	}
	follow := func(ctx context.Context) (rests chan struct{}, ended chan error) {
		rests, ended = make(chan struct{}), make(chan error, 1)
		go func() {
			shown, rested := false, false
			ended <- phones.Follow(ctx, serial, func(g web.Pushed) {
				shown = shown || g.Frame != nil && g.Frame.Rect.Dx() == 360 && g.Full == phone.FrameSize()
				if g.Rests && shown && !rested {
					rested = true
					close(rests)
				}
			})
		}()
		return rests, ended
	}
	rests, ended := follow(t.Context())
	await.From(t, "a pushed frame, and rest", rests)
	if n := len(phone.Recorders()); n != 1 {
		t.Errorf("%d recorders run while the phone is followed", n)
	}
	play := exec.CommandContext(t.Context(), "tapwise", "-v", "clear", "--game", "flow", "--levels", "2", "--serial", serial)
	play.Env = append(os.Environ(), fmt.Sprintf("ANDROID_ADB_SERVER_PORT=%d", server.Port))
	said, err := play.CombinedOutput()
	if err != nil || !strings.Contains(string(said), `way="stream, with stills by`) || strings.Contains(string(said), "not pushed any more") {
		t.Errorf("playing beside the page: %v\n%s", err, said)
	}
	select {
	case err = <-ended:
	case <-time.After(await.Hang):
		t.Fatal("the phone is still followed")
	}
	if err == nil {
		t.Error("following has ended without a reason")
	}
	if n := len(phone.Recorders()); n != 0 {
		t.Errorf("%d recorders run after that", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	rests, ended = follow(ctx)
	await.From(t, "a pushed frame, and rest, after somebody has played", rests)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || len(phone.Recorders()) != 0 {
		t.Errorf("%d recorders run at the end: %v", len(phone.Recorders()), err)
	}
}
