package await

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestTurn lets more tests begin than may have a turn: no more than that have one at
// once, a subtest of one that has it waits for none, and all get theirs.
func TestTurn(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // the turns of this test are no other test's
	const tests = 20
	limit := int32(turnsEach * runtime.NumCPU())
	var at, most, had atomic.Int32
	t.Run("all", func(t *testing.T) {
		for i := range tests {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				Turn(t)
				now := at.Add(1)
				t.Cleanup(func() { at.Add(-1) }) // before the turn ends
				for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
				}
				t.Run("part", func(t *testing.T) { Turn(t) })
				had.Add(1)
				runtime.Gosched()
			})
		}
	})
	if had.Load() != tests || most.Load() > limit {
		t.Errorf("%d of %d tests had a turn, %d at once, expected at most %d", had.Load(), tests, most.Load(), limit)
	}
}

// TestTurnOfAnother holds every turn in another process: the test waits until that
// process ends, however it ends.
func TestTurnOfAnother(t *testing.T) {
	folder := os.Getenv("AWAIT_TEST_TURNS")
	if folder != "" { // the other process
		var held []any // a file that is collected is closed, and its lock let go
		defer func() { runtime.KeepAlive(held) }()
		for i := range turnsEach * runtime.NumCPU() {
			file, err := lock(filepath.Join(folder, fmt.Sprint(i)), syscall.LOCK_EX|syscall.LOCK_NB)
			if err != nil || file == nil {
				t.Fatal(file, err)
			}
			held = append(held, file)
		}
		fmt.Println("held")
		select {}
	}
	t.Setenv("TMPDIR", t.TempDir())
	folder = filepath.Join(os.TempDir(), fmt.Sprintf("tapwise-turns-%d", os.Getuid()))
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	other := exec.Command(os.Args[0], "-test.run", "^TestTurnOfAnother$")
	other.Env = append(os.Environ(), "AWAIT_TEST_TURNS="+folder)
	said, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := said.Read(make([]byte, 16)); err != nil {
		t.Fatal(err)
	}
	for i := range turnsEach * runtime.NumCPU() {
		if file, err := lock(filepath.Join(folder, fmt.Sprint(i)), syscall.LOCK_EX|syscall.LOCK_NB); err != nil || file != nil {
			t.Errorf("turn %d of another process was taken: %v", i, err)
		}
	}
	got := make(chan bool)
	go func() {
		t.Run("waits", func(t *testing.T) { Turn(t) })
		close(got)
	}()
	select {
	case <-got:
		t.Error("a turn was had while another process has them all")
	default:
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait()
	From(t, "a turn", got)
}
