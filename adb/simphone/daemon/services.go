package daemon

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tapwise/adb/simphone/shell"
)

// serviceFunc serves one stream and returns when it is done.
type serviceFunc func(ctx context.Context, s *stream)

// service finds the service that an OPEN asks for, or nil to refuse it: everything
// that would change the phone for good (remount, reboot, root).
func (d *Daemon) service(name string) serviceFunc {
	kind, rest, _ := strings.Cut(name, ":")
	switch {
	case kind == "shell":
		return d.plainShell(rest, true)
	case kind == "exec":
		return d.plainShell(rest, false)
	case kind == "sync" && rest == "":
		return d.sync
	case kind == "tcp":
		return d.port(rest)
	case kind == "reverse":
		return func(_ context.Context, s *stream) { _, _ = io.WriteString(s, d.reverse(rest)) } // whoever left does not want it
	case kind == "abb" && d.config.SDK >= 29:
		return func(ctx context.Context, s *stream) { d.framedShell(ctx, s, bridged(rest), false) }
	case kind == "abb_exec" && d.config.SDK >= 30:
		return d.plainShell(bridged(rest), false)
	case strings.HasPrefix(kind, "shell,"):
		options := strings.Split(kind, ",")[1:]
		pty := slices.Contains(options, "pty")
		if !slices.Contains(options, "v2") {
			return d.plainShell(rest, pty)
		}
		if !d.shellV2() {
			return nil
		}
		return func(ctx context.Context, s *stream) { d.framedShell(ctx, s, rest, pty) }
	}
	return nil
}

// bridged is the command that the Android Binder Bridge is asked for, by words with a NUL between
// them.
func bridged(words string) string {
	command := "cmd"
	for word := range strings.SplitSeq(words, "\x00") {
		command += " '" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return command
}

// port joins the stream to the program of the phone that listens on a TCP port. Like
// the real daemon it connects before it answers, and refuses the stream when none
// listens.
func (d *Daemon) port(text string) serviceFunc {
	number, err := strconv.Atoi(text)
	if err != nil {
		return nil // tcp:PORT:HOST would lead off the phone
	}
	conn, err := d.phone.Dial(number)
	if err != nil {
		return nil
	}
	return func(ctx context.Context, s *stream) {
		// Either side's end is the end of both.
		stop := context.AfterFunc(ctx, func() { conn.Close() })
		defer stop()
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			// A copy ends when its reader or its writer is gone, which is no error here.
			_, _ = io.Copy(conn, s)
			conn.Close()
		}()
		_, _ = io.Copy(s, conn)
		conn.Close()
		s.finish() // frees the copy of what the peer sends
		<-sent
	}
}

// plainShell runs a command with stdout and stderr mixed and no exit code.
// Phones up to Android 6 gave shell: (not exec:) a terminal, which turns LF
// into CR LF.
func (d *Daemon) plainShell(command string, old bool) serviceFunc {
	return func(ctx context.Context, s *stream) {
		var out io.Writer = s
		terminal := old && (command == "" || !d.shellV2())
		if terminal {
			out = &crlfWriter{w: s}
		}
		d.phone.Run(ctx, shell.Call{Command: command, Terminal: terminal, Stdin: s, Stdout: out, Stderr: out})
	}
}

// The ids of the framed shell's packets.
const (
	frameStdin      = 0
	frameStdout     = 1
	frameStderr     = 2
	frameExit       = 3
	frameCloseStdin = 4
)

const frameHeader = 5 // id and u32 length

// framedShell runs a command with stdin, stdout, stderr and the exit code in frames.
func (d *Daemon) framedShell(ctx context.Context, s *stream, command string, pty bool) {
	var mu sync.Mutex
	stdin, feed := io.Pipe()
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		feed.CloseWithError(readFrames(s, feed))
	}()
	var stdout, stderr io.Writer = &frameWriter{mu: &mu, w: s, id: frameStdout}, &frameWriter{mu: &mu, w: s, id: frameStderr}
	if pty {
		stdout = &crlfWriter{w: stdout}
		stderr = stdout
	}
	status := d.phone.Run(ctx, shell.Call{Command: command, Terminal: pty, Stdin: stdin, Stdout: stdout, Stderr: stderr})
	stdin.Close()
	// An error means that the peer left, and does not want the status.
	_, _ = s.Write([]byte{frameExit, 1, 0, 0, 0, byte(status)})
	s.finish() // ends the reading goroutine as well
	<-fed
}

// readFrames passes the stdin frames of a framed shell on to w, and returns nil
// when the peer has closed its stdin. Frames of other kinds are skipped.
func readFrames(r io.Reader, w io.Writer) error {
	var header [frameHeader]byte
	for {
		if _, err := io.ReadFull(r, header[:]); err != nil {
			return err
		}
		length := int64(binary.LittleEndian.Uint32(header[1:]))
		target := io.Discard
		switch header[0] {
		case frameStdin:
			target = w
		case frameCloseStdin:
			return nil
		}
		if _, err := io.CopyN(target, r, length); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
	}
}

// frameWriter writes each piece as frames that fit into a packet each.
type frameWriter struct {
	mu *sync.Mutex // keeps the frames of stdout and stderr apart
	w  *stream
	id byte
}

func (f *frameWriter) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.w.transport.mu.Lock()
	limit := f.w.transport.maxData - frameHeader
	f.w.transport.mu.Unlock()
	frame := make([]byte, 0, frameHeader+min(limit, len(p)))
	for written := 0; written < len(p); {
		chunk := p[written:min(len(p), written+limit)]
		frame = append(frame[:0], f.id)
		frame = binary.LittleEndian.AppendUint32(frame, uint32(len(chunk)))
		frame = append(frame, chunk...)
		if _, err := f.w.Write(frame); err != nil {
			return written, err
		}
		written += len(chunk)
	}
	return len(p), nil
}

// crlfWriter turns LF into CR LF, as a terminal does.
type crlfWriter struct{ w io.Writer }

func (c *crlfWriter) Write(p []byte) (int, error) {
	converted := make([]byte, 0, len(p)+len(p)/16)
	for _, b := range p {
		if b == '\n' {
			converted = append(converted, '\r')
		}
		converted = append(converted, b)
	}
	if _, err := c.w.Write(converted); err != nil {
		return 0, err
	}
	return len(p), nil
}
