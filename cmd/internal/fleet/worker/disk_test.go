package worker_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/fleet"
	"tapwise/cmd/internal/fleet/hub"
	"tapwise/cmd/internal/fleet/worker"
	"tapwise/cmd/internal/journal"
)

// fullDisk is an outbox on a disk that is full at times.
type fullDisk struct {
	worker.Outbox
	full atomic.Bool
}

func (d *fullDisk) Add(ctx context.Context, p journal.Parcel) error {
	if d.full.Load() {
		return syscall.ENOSPC
	}
	return d.Outbox.Add(ctx, p)
}

func (d *fullDisk) Remove(ctx context.Context, id string) error {
	if d.full.Load() {
		return syscall.ENOSPC
	}
	return d.Outbox.Remove(ctx, id)
}

// TestFullDisk: a worker whose disk is full says so and begins nothing. What it has won is
// booked and not played again, and when there is room it goes on.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk := &fullDisk{}
	playFullDisk(t, t.TempDir(), func(o worker.Outbox) worker.Outbox { disk.Outbox = o; return disk },
		func() { disk.full.Store(true) }, func() { disk.full.Store(false) })
}

// TestFullTmpfs is TestFullDisk with a file system that is full.
func TestFullTmpfs(t *testing.T) {
	if !*chaosFull {
		t.Skip("runs with -chaos")
	}
	t.Parallel()
	folder := t.TempDir()
	if err := syscall.Mount("tapwise", folder, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("no file system can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	filler := filepath.Join(folder, "filler")
	playFullDisk(t, folder, func(o worker.Outbox) worker.Outbox { return o }, func() {
		file, err := os.Create(filler)
		if err != nil {
			t.Error(err)
			return
		}
		defer file.Close()
		for err == nil {
			_, err = file.Write(make([]byte, 4096))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("the file system ended with %v, expected it to be full", err)
		}
	}, func() {
		if err := os.Remove(filler); err != nil {
			t.Error(err)
		}
	})
}

// playFullDisk plays an order during which the disk of the only worker becomes full.
func playFullDisk(t *testing.T, folder string, through func(worker.Outbox) worker.Outbox, fill, empty func()) {
	h := startHub(t, hub.UsualLease)
	const n, at = 12, 4
	a := &glass{serials: []string{"a1", "a2"}, fails: func(_ string, level int) error {
		if level == at {
			fill()
		}
		return nil
	}}
	startWorkerOn(t, h, "a", a, folder, through)
	operator := operatorOf(t, h.URL())
	order, err := operator.Submit(t.Context(), fleet.Order{Game: "game"}, levels(n), n, 3)
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(await.Hang)
	for {
		booked, err := operator.Booked(t.Context(), order.ID)
		if err != nil {
			t.Fatal(err)
		}
		phones, err := operator.Phones(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		told := len(phones) == 2
		for _, p := range phones {
			told = told && p.State == fleet.Failing && strings.Contains(p.Why, "cannot be remembered")
		}
		has := false
		for _, b := range booked {
			has = has || b.Level == at
		}
		if told && has {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("on a full disk the phones are %+v and %+v is booked, expected the reason and level %d", phones, booked, at)
		}
		time.Sleep(20 * time.Millisecond)
	}
	empty()
	progress, err := operator.Follow(t.Context(), order.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if progress.Won != n {
		t.Errorf("%d levels are won, expected %d: %+v", progress.Won, n, progress.Booked)
	}
	for level := 1; level <= n; level++ {
		if a.played[level] != 1 {
			t.Errorf("level %d was played %d times, expected once", level, a.played[level])
		}
	}
}
