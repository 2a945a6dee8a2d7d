package await

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// turnsEach is how many tests have a turn at once, for each processor: most of them wait
// for a phone's animations half of the time.
const turnsEach = 2

// holding are the names of this process's tests that have a turn.
var holding sync.Map

// queue is held by the test of this process that waits for a turn.
var queue sync.Mutex

// Turn waits for the test's turn on this machine, and keeps it until the test ends. A
// test takes one before it starts what keeps the machine busy: a browser, an adb server
// and phones, a hub, a build. Few have a turn at once over all packages and processes, so
// that what a test waits for comes in a time that does not depend on how many tests run.
// One turn is enough for all that a test and its subtests start, so that no test waits for
// a turn while it holds one. A test calls it after t.Parallel, and not before its
// subtests do: one that is paused would keep its turn from others.
//
// A turn is a lock on a file, which ends with the process that holds it.
func Turn(t testing.TB) {
	t.Helper()
	for name := t.Name(); ; {
		if _, mine := holding.Load(name); mine {
			return
		}
		last := strings.LastIndex(name, "/")
		if last < 0 {
			break
		}
		name = name[:last]
	}
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("tapwise-turns-%d", os.Getuid()))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	// One test of this process at a time is in the queue of processes, so that a package
	// whose tests run one by one is served as often as one with many tests at once.
	queue.Lock()
	defer queue.Unlock()
	door, err := lock(filepath.Join(folder, "door"), syscall.LOCK_EX)
	if err != nil {
		t.Fatal(err)
	}
	defer door.Close()
	for i := os.Getpid(); ; i++ {
		file, err := lock(filepath.Join(folder, fmt.Sprint(i%(turnsEach*runtime.NumCPU()))), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != nil {
			t.Fatal(err)
		}
		if file != nil {
			holding.Store(t.Name(), true)
			t.Cleanup(func() {
				holding.Delete(t.Name())
				file.Close()
			})
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// lock locks a file. It is nil when somebody else has it, unless the lock is waited for.
func lock(path string, how int) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(file.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return file, nil
	}
	file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	return nil, fmt.Errorf("await: lock %s: %w", path, err)
}
