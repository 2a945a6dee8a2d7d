package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tapwise/adb/adbtest/await"
	"tapwise/cmd/internal/sim/webphone"
)

func TestMain(m *testing.M) {
	testscript.Main(waiting{m}, map[string]func(){"tapwise": main})
}

// waiting runs tests that mostly wait, for a phone's animations or a browser,
// and so more of them at once than there are processors, unless -parallel says
// how many or they are fuzzed. They run in folders that are nobody's.
type waiting struct{ *testing.M }

func (w waiting) Run() int {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" || f.Name == "test.fuzz" })
	folder, err := os.MkdirTemp("", "tapwise")
	if err == nil && !asked {
		err = flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0)))
	}
	for _, variable := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		if err == nil {
			err = os.Setenv(variable, filepath.Join(folder, variable))
		}
	}
	for variable, value := range patient() {
		if err == nil {
			err = os.Setenv(variable, value)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	return w.M.Run()
}

// patient is the configuration of programs that tests run. They touch as fast as the
// machine is, not as a game's frames; touch.txtar has the other ways. And whatever they
// wait for comes some day: none of their deadlines passes because the machine is slow.
func patient() map[string]string {
	const hang = "10m" // the longest that the configuration takes
	return map[string]string{"TAPWISE_TOUCH": "input", "TAPWISE_ADB_TIMEOUT": hang,
		"TAPWISE_PLAY_SETTLE_DEADLINE": hang, "TAPWISE_PLAY_SOLVE_DEADLINE": hang, "TAPWISE_PLAY_WIN_DEADLINE": hang, "TAPWISE_PLAY_NEXT_DEADLINE": hang}
}

// TestScripts runs whole-program scripts. Beside testscript's commands there
// are `exits CODE COMMAND ARGS…`, which wants that exit code, and `interrupted
// PATTERN ARGS…`, which runs tapwise, interrupts it when it works on what follows the
// line of its standard output that matches, and wants the exit code 130. `look FILE WIN
// [LOST]` serves the look in a JSON file as a page whose levels end in a way that package
// looks knows, or with another page (leave), and which loses the stroke of that number;
// $LOOK is its address, and `looked NUMBERS…` wants the levels of those numbers, from 0,
// to have been won on it, in that order. `started VARIABLE stdout|stderr PATTERN ARGS…`
// starts tapwise, waits for the line on that stream that matches, and sets the variable
// to the pattern's group; tapwise is interrupted when the script ends.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/config")
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/cache")
			env.Setenv("XDG_STATE_HOME", env.WorkDir+"/state")
			// Where tapwise lies, and nothing else.
			program, err := exec.LookPath("tapwise")
			if err != nil {
				return err
			}
			env.Setenv("BIN", filepath.Dir(program))
			pages, err := filepath.Abs("../internal/sim/webphone/testdata")
			if err != nil {
				return err
			}
			env.Setenv("PAGES", pages)
			for variable, value := range patient() {
				env.Setenv(variable, value)
			}
			await.Turn(env.T().(testing.TB))
			// Never the user's own adb server.
			env.Setenv("ANDROID_ADB_SERVER_PORT", "1")
			return nil
		},
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "adb":
				_, err := exec.LookPath("adb")
				return err == nil, nil
			case "chromium":
				_, err := webphone.Browser()
				return err == nil, nil
			case "pty": // a bare system in a chroot has none
				terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
				if err != nil {
					return false, nil
				}
				return true, terminal.Close()
			}
			return false, errors.New("unknown condition")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "interrupted": interrupted, "look": serveLook, "looked": wantLooked, "started": started},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil && !errors.Is(err, os.ErrProcessDone) {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, expected %d", got, want)
	}
}

func started(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: started VARIABLE stdout|stderr PATTERN ARGS…")
	}
	pattern, err := regexp.Compile(args[2])
	ts.Check(err)
	run := exec.Command(filepath.Join(ts.Getenv("BIN"), "tapwise"), args[3:]...)
	run.Dir = ts.MkAbs(".")
	run.Env = os.Environ()
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "ANDROID_ADB_SERVER_PORT"} {
		run.Env = append(run.Env, name+"="+ts.Getenv(name))
	}
	var from io.Reader
	if args[1] == "stderr" {
		from, err = run.StderrPipe()
	} else {
		from, err = run.StdoutPipe()
	}
	ts.Check(err)
	ts.Check(run.Start())
	ended := make(chan struct{})
	ts.Defer(func() {
		_ = run.Process.Signal(os.Interrupt) // it may have ended
		<-ended
	})
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		if found := pattern.FindStringSubmatch(lines.Text()); found != nil {
			ts.Setenv(args[0], found[len(found)-1])
			go func() {
				defer close(ended)
				_, _ = io.Copy(io.Discard, from) // until it ends
				_ = run.Wait()                   // however that is
			}()
			return
		}
	}
	close(ended)
	ts.Fatalf("%v, expected a line that matches %s", run.Wait(), args[2])
}

func interrupted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupted PATTERN ARGS…")
	}
	pattern, err := regexp.Compile(args[0])
	ts.Check(err)
	run := exec.Command(filepath.Join(ts.Getenv("BIN"), "tapwise"), args[1:]...)
	run.Dir = ts.MkAbs(".")
	run.Env = append(os.Environ(), "XDG_CONFIG_HOME="+ts.Getenv("XDG_CONFIG_HOME"), "XDG_CACHE_HOME="+ts.Getenv("XDG_CACHE_HOME"))
	run.Stderr = ts.Stderr()
	out, err := run.StdoutPipe()
	ts.Check(err)
	ts.Check(run.Start())
	sent := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Fprintln(ts.Stdout(), lines.Text())
		if !sent && pattern.MatchString(lines.Text()) {
			sent = true
			ts.Check(working(run.Process.Pid))
			ts.Check(run.Process.Signal(os.Interrupt))
		}
	}
	if err := run.Wait(); run.ProcessState.ExitCode() != 130 {
		ts.Fatalf("%v, expected exit code 130", err)
	}
}

// working waits until a process has spent another 0.3 s of processor time, however
// little of it the machine has to give.
func working(pid int) error {
	var begin int
	for i, hung := 0, time.Now().Add(await.Hang); time.Now().Before(hung); i++ {
		// Fields 14 and 15 of proc(5)'s stat, the time in user and in kernel mode in ticks
		// of 10 ms; the name before them, in parentheses, may have blanks.
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return err
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		fields := strings.Fields(rest)
		if len(fields) < 13 {
			return fmt.Errorf("/proc/%d/stat reads %q", pid, data)
		}
		user, err := strconv.Atoi(fields[11])
		if err != nil {
			return err
		}
		kernel, err := strconv.Atoi(fields[12])
		if err != nil {
			return err
		}
		switch spent := user + kernel; {
		case i == 0:
			begin = spent
		case spent >= begin+30:
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("process %d does nothing", pid)
}
