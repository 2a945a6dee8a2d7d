// Package privateserver runs an adb server separate from the one that a user may have on port
// 5037: on a free loopback port, with its own home folder, and without looking for phones.
package privateserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Server is a running adb server.
type Server struct {
	Port int
	Addr string // "127.0.0.1:PORT"

	binary string
	home   string
	output *tail

	mu     sync.Mutex
	cmd    *exec.Cmd
	done   chan struct{} // closed when the process has ended
	closed bool
}

// ErrNoADB is the error when there is no adb on the PATH.
var ErrNoADB = errors.New("privateserver: adb is not installed")

const (
	startAttempts = 5
	startTimeout  = 5 * time.Minute // ends a server that hangs; one that fails ends by itself
	stopTimeout   = 5 * time.Second
)

// Start starts a server whose home folder, with its keys, is dir. It ends with
// Close or when ctx does.
func Start(ctx context.Context, dir string) (*Server, error) {
	binary, err := exec.LookPath("adb")
	if err != nil {
		return nil, ErrNoADB
	}
	// Between choosing a port and adb taking it, another process may take it: then
	// adb ends at once, and another port is tried.
	var failure error
	for range startAttempts {
		s, err := start(ctx, binary, dir)
		if err == nil {
			return s, nil
		}
		failure = err
		if ctx.Err() != nil {
			break
		}
	}
	return nil, failure
}

func start(ctx context.Context, binary, dir string) (*Server, error) {
	port, err := freePort(ctx)
	if err != nil {
		return nil, fmt.Errorf("privateserver: no free port: %w", err)
	}
	s := &Server{
		Port: port, Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		binary: binary, home: dir, output: new(tail),
	}
	return s, s.launch(ctx)
}

// launch starts the process and waits until it answers. It ends with ctx.
func (s *Server) launch(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, s.binary, "-L", "tcp:localhost:"+strconv.Itoa(s.Port), "nodaemon", "server")
	cmd.Env = s.environment()
	cmd.Stdout, cmd.Stderr = s.output, s.output
	dieWithParent(cmd)
	done := make(chan struct{})
	started := make(chan error, 1)
	go func() {
		// "Parent" means the thread that starts it, so it is kept until the end.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(done)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // it is always killed
		}
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("privateserver: %w", err)
	}
	s.cmd, s.done = cmd, done
	deadline, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if s.answers(deadline) {
			select {
			case <-done: // another server answered
			default:
				return nil
			}
		}
		select {
		case <-done:
			return fmt.Errorf("privateserver: adb ended: %s", s.output)
		case <-deadline.Done():
			s.kill()
			return fmt.Errorf("privateserver: adb does not answer on %s: %s", s.Addr, s.output)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Restart ends the server and starts another on the same port, as can happen to a
// shared server: every connection breaks, and no phone is connected.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.New("privateserver: closed")
	}
	s.kill()
	err := s.launch(ctx)
	if err != nil && s.answers(ctx) { // a client was faster
		return nil
	}
	return err
}

// kill ends the process and waits for it, or, where it has ended by itself, a server that a
// client has started in its place. The caller holds mu, or is the only one who knows the
// server.
func (s *Server) kill() {
	select {
	case <-s.done:
		s.killSuccessor()
	default:
		// An error means that it has ended meanwhile.
		_ = s.cmd.Process.Kill()
		<-s.done
	}
}

// killSuccessor asks whatever server has the port, which is this one's own, to end.
func (s *Server) killSuccessor() {
	conn, err := net.DialTimeout("tcp", s.Addr, stopTimeout)
	if err != nil {
		return // there is none
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(stopTimeout)) // an error shows in the next call
	if _, err := io.WriteString(conn, "0009host:kill"); err == nil {
		_, _ = io.Copy(io.Discard, conn) // until it has ended
	}
}

func freePort(ctx context.Context) (int, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// environment leaves out variables that would lead adb to other servers and phones.
func (s *Server) environment() []string {
	env := []string{"HOME=" + s.home, "TMPDIR=" + s.home, "ADB_LOCAL_TRANSPORT_MAX_PORT=0", "ADB_MDNS=0"}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		switch {
		case name == "HOME", name == "TMPDIR", strings.HasPrefix(name, "ADB"), strings.HasPrefix(name, "ANDROID"):
		default:
			env = append(env, variable)
		}
	}
	return env
}

// answers asks the server for its version.
func (s *Server) answers(ctx context.Context) bool {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", s.Addr)
	if err != nil {
		return false
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline) // an error shows in the next call
	}
	if _, err := io.WriteString(conn, "000chost:version"); err != nil {
		return false
	}
	answer := make([]byte, 4)
	_, err = io.ReadFull(conn, answer)
	return err == nil && string(answer) == "OKAY"
}

// PID is the process id of the server.
func (s *Server) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cmd.Process.Pid
}

// Command is an adb client command for this server, ready to be run.
func (s *Server) Command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.binary, append([]string{"-L", "tcp:localhost:" + strconv.Itoa(s.Port)}, args...)...)
	cmd.Env = s.environment()
	cmd.WaitDelay = stopTimeout
	return cmd
}

// Result is the outcome of an adb client command.
type Result struct {
	Stdout, Stderr []byte
	ExitCode       int
}

// Run runs an adb client. A client that fails gives an exit code and no error.
func (s *Server) Run(ctx context.Context, args ...string) (Result, error) {
	var stdout, stderr bytes.Buffer
	cmd := s.Command(ctx, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	result := Result{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), ExitCode: cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("adb %s: %w", strings.Join(args, " "), err)
	}
	return result, err
}

// Close ends the server, and waits for it.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.kill()
	return nil
}

// tail keeps the end of the server's output.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 4096
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-most):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
