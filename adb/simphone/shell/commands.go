package shell

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Process is what a running program can see and reach. It may run for as long as it
// likes, reading Stdin as it arrives: over exec: a stream stays open until the peer
// closes it, which ends both Stdin and Ctx.
type Process struct {
	Ctx            context.Context // ends with the connection, or by Ctrl-C
	PID            int
	Args           []string // Args[0] is the name it was called by
	Dir            string   // the current folder
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Files          *FileSystem
	Ports          *Ports
}

// Program is a program of the phone; it returns the exit code.
type Program func(p *Process) int

// programs are those that a phone's shell has without the phone.
var programs = map[string]Program{
	"[": runTest, "cat": runCat, "dd": runDD, "echo": runEcho, "false": func(*Process) int { return 1 },
	"grep": runGrep, "gzip": runGzip, "ls": runLs, "mkdir": runMkdir,
	"pwd": func(p *Process) int { return p.Print(p.Dir + "\n") }, "readlink": runReadlink, "rm": runRm, "sleep": runSleep, "test": runTest,
	"touch": runTouch, "true": func(*Process) int { return 0 },
	"whoami": func(p *Process) int { return p.Print("shell\n") }, ":": func(*Process) int { return 0 },
}

// Print writes to stdout and returns the exit code: 1 when nobody reads it.
func (p *Process) Print(text string) int {
	if _, err := io.WriteString(p.Stdout, text); err != nil {
		return 1
	}
	return 0
}

// Printf is Print with a format.
func (p *Process) Printf(format string, args ...any) int {
	return p.Print(fmt.Sprintf(format, args...))
}

// Fail prints an error with the command's name and returns status 1.
func (p *Process) Fail(format string, args ...any) int {
	fmt.Fprintf(p.Stderr, "%s: %s\n", p.Args[0], fmt.Sprintf(format, args...))
	return 1
}

// ErrPrint writes to stderr.
func (p *Process) ErrPrint(text string) { io.WriteString(p.Stderr, text) }

// openFile opens a file for reading.
func (p *Process) openFile(name string) (io.ReadCloser, error) {
	clean, err := p.Files.Resolve(p.Dir, name)
	if err != nil {
		return nil, err
	}
	return p.Files.Open(p.Ctx, clean)
}

// Sleep waits for d of real time; the error is that of a ctx that ended first.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// eachInput calls f with each named file, or stdin, and returns the exit code.
func (p *Process) eachInput(names []string, f func(name string, r io.Reader) error) int {
	if len(names) == 0 {
		names = []string{"-"}
	}
	status := 0
	for _, name := range names {
		r := p.Stdin
		if name != "-" {
			file, err := p.openFile(name)
			if err != nil {
				status = p.Fail("%s: %v", name, err)
				continue
			}
			defer file.Close()
			r = file
		}
		if err := f(name, r); err != nil {
			return 1
		}
	}
	return status
}

func runEcho(p *Process) int {
	args := p.Args[1:]
	newline, escapes := true, true
	for len(args) > 0 && len(args[0]) > 1 && strings.Trim(args[0][1:], "neE") == "" && args[0][0] == '-' {
		newline = newline && !strings.Contains(args[0], "n")
		escapes = !strings.Contains(args[0], "E")
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if escapes {
		text = unescape(text)
	}
	if newline {
		text += "\n"
	}
	return p.Print(text)
}

func runSleep(p *Process) int {
	if len(p.Args) != 2 {
		return p.Fail("Needs 1 argument (see \"sleep --help\")")
	}
	text, unit := p.Args[1], time.Second
	for suffix, d := range map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour} {
		if cut, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = cut, d
		}
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || !(number >= 0) {
		return p.Fail("bad time '%s'", p.Args[1])
	}
	// Real time, whatever the time scale: whoever sleeps counts on it. The
	// connection bounds it.
	const longest = 1e9 // seconds
	if Sleep(p.Ctx, time.Duration(min(number*unit.Seconds(), longest)*float64(time.Second))) != nil {
		return 130
	}
	return 0
}

func runCat(p *Process) int {
	_, _, names, ok := p.Options("u", "", 0)
	if !ok {
		return 1
	}
	return p.eachInput(names, func(_ string, r io.Reader) error {
		_, err := io.Copy(p.Stdout, r)
		return err
	})
}

// runDD copies stdin. As on phones a block is what one read gives, and is put together
// again in blocks of obs= bytes.
func runDD(p *Process) int {
	const size = 512 // of a block that is read
	out := size
	for _, arg := range p.Args[1:] {
		text, known := strings.CutPrefix(arg, "obs=")
		n, err := strconv.Atoi(text)
		if err != nil || !known || n < 1 || n > maxLine {
			return p.Fail("unknown operand %q", arg)
		}
		out = n
	}
	block, held := make([]byte, size), []byte(nil)
	var read, wrote [2]int64 // whole blocks and others
	record := func(records *[2]int64, n, whole int) {
		if n == whole {
			records[0]++
		} else {
			records[1]++
		}
	}
	status := 0
	for ended := false; !ended && status == 0; {
		n, err := p.Stdin.Read(block)
		ended = err != nil
		if n > 0 {
			record(&read, n, size)
			held = append(held, block[:n]...)
		}
		for len(held) >= out || ended && len(held) > 0 {
			piece := held[:min(len(held), out)]
			if _, err := p.Stdout.Write(piece); err != nil {
				status = p.Fail("stdout: write error: %v", err)
				break
			}
			record(&wrote, len(piece), out)
			held = held[len(piece):]
		}
	}
	p.ErrPrint(fmt.Sprintf("%d+%d records in\n%d+%d records out\n", read[0], read[1], wrote[0], wrote[1]))
	return status
}

// runGzip compresses stdin.
func runGzip(p *Process) int {
	flags, _, names, ok := p.Options("f123456789", "", 0)
	if !ok {
		return 1
	}
	if len(names) > 0 {
		return p.Fail("only stdin is supported")
	}
	level := 6
	for i := 1; i <= 9; i++ {
		if flags[byte('0'+i)] {
			level = i
		}
	}
	out := bufio.NewWriterSize(p.Stdout, 64<<10)
	z, err := gzip.NewWriterLevel(out, level)
	if err == nil {
		_, err = io.Copy(z, p.Stdin)
	}
	if err == nil {
		err = errors.Join(z.Close(), out.Flush())
	}
	if err != nil {
		return p.Fail("-: %v", err)
	}
	return 0
}

func runRm(p *Process) int {
	flags, _, names, ok := p.Options("rRf", "", 0)
	if !ok {
		return 1
	}
	if len(names) == 0 && !flags['f'] {
		return p.Fail("Needs 1 argument (see \"rm --help\")")
	}
	return p.each(names, "%s: %v", func(name string) error {
		clean, err := p.Files.ResolveLink(p.Dir, name)
		if err == nil {
			err = p.removeTree(clean, flags['r'] || flags['R'])
		}
		if flags['f'] && err == ErrNotExist {
			return nil
		}
		return err
	})
}

func (p *Process) removeTree(clean string, recursive bool) error {
	entry, err := p.Files.Stat(clean)
	if err != nil {
		return err
	}
	if entry.Directory() {
		if !recursive {
			return errIsDirectory
		}
		entries, err := p.Files.List(clean)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if err := p.removeTree(path.Join(clean, entry.Name), true); err != nil {
				return err
			}
		}
	}
	return p.Files.remove(clean)
}

func runMkdir(p *Process) int {
	flags, _, names, ok := p.Options("p", "", 0)
	if !ok {
		return 1
	}
	return p.each(names, "'%s': %v", func(name string) error {
		clean, err := p.Files.Resolve(p.Dir, name)
		if err == nil {
			err = p.Files.makeDirectory(clean, flags['p'])
		}
		return err
	})
}

// runTest is test and [, for strings, numbers and files.
func runTest(p *Process) int {
	args := p.Args[1:]
	if p.Args[0] == "[" {
		if len(args) == 0 || args[len(args)-1] != "]" {
			p.Fail("missing ]")
			return 2
		}
		args = args[:len(args)-1]
	}
	negate := false
	for len(args) > 1 && args[0] == "!" {
		negate, args = !negate, args[1:]
	}
	result, err := p.test(args)
	if err != nil {
		p.Fail("%v", err)
		return 2
	}
	if result != negate {
		return 0
	}
	return 1
}

// comparisons are the results of cmp.Compare for which a comparison of numbers holds.
var comparisons = map[string][]int{"-eq": {0}, "-ne": {-1, 1}, "-lt": {-1}, "-le": {-1, 0}, "-gt": {1}, "-ge": {0, 1}}

func (p *Process) test(args []string) (bool, error) {
	switch len(args) {
	case 0:
		return false, nil
	case 1:
		return args[0] != "", nil
	case 2:
		switch args[0] {
		case "-n":
			return args[1] != "", nil
		case "-z":
			return args[1] == "", nil
		case "-e", "-f", "-d", "-s", "-r", "-w", "-x", "-h", "-L":
			clean, entry, err := p.look(args[1], args[0] != "-h" && args[0] != "-L")
			switch {
			case err != nil:
				return false, nil
			case args[0] == "-f":
				return !entry.Directory(), nil
			case args[0] == "-d":
				return entry.Directory(), nil
			case args[0] == "-h", args[0] == "-L":
				return entry.Link(), nil
			case args[0] == "-s":
				return entry.Size > 0, nil
			case args[0] == "-w":
				return writable(clean), nil
			}
			return true, nil
		}
	case 3:
		switch args[1] {
		case "=", "==":
			return args[0] == args[2], nil
		case "!=":
			return args[0] != args[2], nil
		}
		a, errA := strconv.ParseInt(args[0], 10, 64)
		b, errB := strconv.ParseInt(args[2], 10, 64)
		if errA != nil || errB != nil {
			return false, fmt.Errorf("%s %s %s: expected numbers", args[0], args[1], args[2])
		}
		if wanted, known := comparisons[args[1]]; known {
			return slices.Contains(wanted, cmp.Compare(a, b)), nil
		}
	}
	return false, fmt.Errorf("%s: unexpected operator", strings.Join(args, " "))
}
