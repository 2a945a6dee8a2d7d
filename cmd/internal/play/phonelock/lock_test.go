package phonelock

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// folderVariable makes a copy of the test take a lock, say so, and keep it.
const folderVariable = "PHONELOCK_TEST_FOLDER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(folderVariable); folder != "" {
		lock, err := Take(folder, Holder{Serial: "R58M", Process: os.Getpid(), Command: "tapwise clear", Since: time.Now()})
		fmt.Println(err)
		time.Sleep(time.Hour) // it is killed; with select the runtime would end it, as everything in it waits
		runtime.KeepAlive(lock)
	}
	os.Exit(m.Run())
}

// holder starts a process that holds R58M.
func holder(t *testing.T, folder string) *exec.Cmd {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), folderVariable+"="+folder)
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = child.Process.Kill() // it may have ended
		_ = child.Wait()
	})
	if line, err := bufio.NewReader(output).ReadString('\n'); line != "<nil>\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	return child
}

func take(folder, serial string) (*Lock, error) {
	return Take(folder, Holder{Serial: serial, Process: os.Getpid(), Command: "tapwise play", Since: time.Now()})
}

// TestHeld expects a phone that another process holds to be refused, with the name
// of that process, and to be free once that process is killed.
func TestHeld(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "not", "there", "yet")
	child := holder(t, folder)
	if !Held(folder, Holder{Serial: "R58M"}) || Held(folder, Holder{Serial: "127.0.0.1:5555"}) {
		t.Error("R58M is not the only phone that is held")
	}
	_, err := take(folder, "R58M")
	var held *HeldError
	if !errors.As(err, &held) || held.Holder == nil || held.Holder.Process != child.Process.Pid {
		t.Fatalf("%v, expected that process %d holds it", err, child.Process.Pid)
	}
	for _, part := range []string{"R58M", "tapwise clear", fmt.Sprint(child.Process.Pid), "since " + held.Holder.Since.Local().Format(time.DateTime)} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not tell %q", err, part)
		}
	}
	other, err := take(folder, "127.0.0.1:5555")
	if err != nil {
		t.Fatalf("another phone: %v", err)
	}
	defer other.Release()
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	if Held(folder, Holder{Serial: "R58M"}) {
		t.Error("R58M is held after its holder was killed")
	}
	l, err := take(folder, "R58M")
	if err != nil {
		t.Fatalf("after its holder was killed: %v", err)
	}
	if _, err := take(folder, "R58M"); !errors.As(err, &held) || held.Holder.Process != os.Getpid() {
		t.Errorf("twice in one process: %v", err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if l, err = take(folder, "R58M"); err != nil {
		t.Fatalf("after it was released: %v", err)
	}
	l.Release()
	if Held(folder, Holder{Serial: "R58M"}) {
		t.Error("R58M is held after it was released")
	}
}

// TestOtherNames expects a phone to be held under all its names, and two phones of one name
// to be two.
func TestOtherNames(t *testing.T) {
	folder := t.TempDir()
	take := func(serial, phone string) error {
		_, err := Take(folder, Holder{Serial: serial, Phone: phone, Process: os.Getpid(), Command: "tapwise play", Since: time.Now()})
		return err
	}
	if err := take("R58M", "one"); err != nil {
		t.Fatal(err)
	}
	if err := take("10.0.0.5:5555", "one"); err == nil || !strings.Contains(err.Error(), "phone 10.0.0.5:5555: ") || !strings.Contains(err.Error(), " as R58M since ") {
		t.Errorf("by its other name: %v, expected that it is held as R58M", err)
	}
	if err := take("R58M", "another"); err != nil {
		t.Errorf("another phone of the same name: %v", err)
	}
}

// TestFileName expects names that stay in the folder, are short, and differ from
// those of other phones.
func TestFileName(t *testing.T) {
	seen := map[string]string{}
	for _, serial := range []string{"", "R58M", "r58m", "127.0.0.1:5555", "127_0_0_1_5555", "../../etc/passwd", "a/b", "a\\b", "..", "\x00\x1b[2J",
		"adb-R58M12345-AbCdEf._adb-tls-connect._tcp", strings.Repeat("long", 100)} {
		name := fileName(serial)
		if !regexp.MustCompile(`^\w{0,40}-[0-9a-f]{16}\.lock$`).MatchString(name) {
			t.Errorf("the file of %q is %q", serial, name)
		}
		folded := strings.ToLower(name) // some file systems do
		if other, ok := seen[folded]; ok {
			t.Errorf("%q and %q have the same file", serial, other)
		}
		seen[folded] = serial
	}
}

// TestUnnamed expects a phone to be refused even if the holder of its lock does
// not say who it is.
func TestUnnamed(t *testing.T) {
	folder := t.TempDir()
	l, err := take(folder, "R58M")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if err := os.WriteFile(filepath.Join(folder, fileName("R58M")), []byte("{nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	var held *HeldError
	if _, err := take(folder, "R58M"); !errors.As(err, &held) || held.Holder != nil {
		t.Errorf("%v, expected that another holds it", err)
	}
}
