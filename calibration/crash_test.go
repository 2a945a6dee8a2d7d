package calibration

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// versions are two different profiles, long enough that writing one takes a moment.
func versions(t *testing.T) [2][]byte {
	t.Helper()
	var texts [2][]byte
	for i := range texts {
		text := fmt.Sprintf("version: 1\ngame: flow\napp: \"%d\"\nphone: {frame: 1080x2340}\n", i)
		texts[i] = append([]byte(text), bytes.Repeat([]byte("# a comment that fills the file\n"), 8000)...)
		if _, err := Parse("", texts[i]); err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// crashFile names the variable that tells a process of this test which file to
// write over and over.
const crashFile = "TAPWISE_CRASH_FILE"

// TestWriteForever is the process that TestWriteCrash kills.
func TestWriteForever(t *testing.T) {
	file := os.Getenv(crashFile)
	if file == "" {
		t.Skip("runs as a process of TestWriteCrash")
	}
	texts := versions(t)
	for i := 0; ; i++ {
		if err := Write(file, texts[i%2]); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			fmt.Println("begun")
		}
	}
}

// TestWriteCrash kills a process that writes a profile, at random moments, and
// expects the old profile or the new one, complete, every time.
func TestWriteCrash(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	texts := versions(t)
	file := filepath.Join(t.TempDir(), "profile.yaml")
	seen := [2]int{}
	midway := 0
	for range 40 {
		process := exec.Command(os.Args[0], "-test.run=^TestWriteForever$")
		process.Env = append(os.Environ(), crashFile+"="+file)
		out, err := process.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		_, readErr := io.ReadFull(out, make([]byte, len("begun")))
		time.Sleep(time.Duration(random.Int64N(int64(20 * time.Millisecond))))
		if err := errors.Join(readErr, process.Process.Kill()); err != nil {
			t.Fatal(err)
		}
		_ = process.Wait() // it was killed

		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case bytes.Equal(got, texts[0]):
			seen[0]++
		case bytes.Equal(got, texts[1]):
			seen[1]++
		default:
			t.Fatalf("a file of %d bytes, neither the profile before nor the one after, of %d", len(got), len(texts[0]))
		}
		// A file that was cut short is not taken for a profile.
		found, err := Load(filepath.Dir(file))
		if err != nil || len(found) != 1 {
			t.Fatalf("%d profiles, %v, expected the one", len(found), err)
		}
		left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".tapwise-*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range left {
			midway++
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if midway == 0 || seen[0] == 0 || seen[1] == 0 {
		t.Errorf("%d kills before the file was in place, versions seen %v: the kills show nothing", midway, seen)
	}
	t.Logf("%d of 40 kills before the file was in place, versions seen %v", midway, seen)
}
