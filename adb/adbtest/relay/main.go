package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"tapwise/adb"
)

func main() {
	status, err := run(filepath.Base(os.Args[0]), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "relay:", err)
		status = 97
	}
	os.Exit(status)
}

func run(name string, args []string) (status int, err error) {
	switch name {
	case "uinput", "hid":
		return 0, stream(name, args)
	case "monkey":
		if at := slices.Index(args, "--port"); at >= 0 && at+1 < len(args) {
			return 0, ports(name, args, args[at+1])
		}
	case "screenrecord":
		return 0, record(args)
	case "screencap":
		if n := len(args); n > 0 && strings.HasPrefix(args[n-1], "/") {
			return toFile(args[n-1], name, args[:n-1])
		}
	}
	return command(name, args, os.Stdout)
}

// open asks the simulated phone for a service.
func open(service string) (*net.TCPConn, error) {
	text, err := os.ReadFile("/relay.conf")
	if err != nil {
		return nil, err
	}
	var port, serial string
	if _, err := fmt.Sscan(string(text), &port, &serial); err != nil {
		return nil, fmt.Errorf("/relay.conf: %w", err)
	}
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		return nil, err
	}
	for _, request := range []string{"host:transport:" + serial, service} {
		if _, err := fmt.Fprintf(conn, "%04x%s", len(request), request); err != nil {
			return nil, err
		}
		var answer [4]byte
		if _, err := io.ReadFull(conn, answer[:]); err != nil {
			return nil, fmt.Errorf("%s: %w", request, err)
		}
		if string(answer[:]) != "OKAY" {
			return nil, fmt.Errorf("%s: %s", request, answer[:])
		}
	}
	return conn.(*net.TCPConn), nil
}

// line is a command line for the phone's shell.
func line(name string, args []string) string { return adb.Quote(append([]string{name}, args...)...) }

// command runs a command to its end, and returns its exit status.
func command(name string, args []string, stdout io.Writer) (status int, err error) {
	conn, err := open("shell,v2,raw:" + line(name, args))
	if err != nil {
		return 0, err
	}
	const toStdout, toStderr, exit = 1, 2, 3
	for {
		var head [5]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		to, length := io.Discard, int64(binary.LittleEndian.Uint32(head[1:]))
		switch head[0] {
		case toStdout:
			to = stdout
		case toStderr:
			to = os.Stderr
		case exit:
			var code [1]byte
			_, err := io.ReadFull(conn, code[:])
			return int(code[0]), err
		}
		if _, err := io.CopyN(to, conn, length); err != nil {
			return 0, err
		}
	}
}

// toFile runs a command whose output becomes a file here.
func toFile(path, name string, args []string) (status int, err error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	if status, err = command(name, args, file); err != nil {
		return status, err
	}
	return status, file.Close()
}

// stream runs a command that reads what comes, until that ends.
func stream(name string, args []string) error {
	conn, err := open("exec:" + line(name, args))
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(conn, os.Stdin)
		os.Exit(0) // and the phone's command ends with the connection
	}()
	_, err = io.Copy(os.Stdout, conn)
	return err
}

// ports runs a command that listens on a port, which is passed on.
func ports(name string, args []string, port string) error {
	conn, err := open("exec:" + line(name, args))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		return err
	}
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := open("tcp:" + port)
			if err != nil {
				_ = near.Close()
				continue
			}
			go func() {
				_, _ = io.Copy(far, near)
				_ = far.CloseWrite()
			}()
			go func() {
				_, _ = io.Copy(near, far)
				_ = near.Close()
			}()
		}
	}()
	_, err = io.Copy(os.Stdout, conn)
	return err
}

// record runs a recorder, which is ended by SIGINT like this one.
func record(args []string) error {
	conn, err := open("exec:echo $$; exec " + line("screenrecord", args))
	if err != nil {
		return err
	}
	from := bufio.NewReader(conn)
	said, err := from.ReadString('\n')
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(said))
	if err != nil {
		return err
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGINT)
	signal.Ignore(syscall.SIGPIPE) // as screenrecord does
	go func() {
		<-asked
		_, _ = command("kill", []string{"-INT", strconv.Itoa(pid)}, io.Discard)
		os.Exit(0)
	}()
	_, err = io.Copy(os.Stdout, from)
	return err
}
