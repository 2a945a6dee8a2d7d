package shell

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/md5"
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
	Vars           map[string]string // the environment
	Files          *FileSystem
	Ports          *Ports

	system System
}

// Program is a program of the phone; it returns the exit code.
type Program func(p *Process) int

// programs are those that a phone's shell has without the phone.
var programs = map[string]Program{
	"[": runTest, "cat": runCat, "chmod": runChmod, "cut": runCut, "date": runDate, "dd": runDD, "echo": runEcho,
	"egrep": runGrep, "false": func(*Process) int { return 1 }, "fgrep": runGrep, "grep": runGrep,
	"gzip": runGzip, "head": runHead, "id": runID, "ln": runLn, "ls": runLs, "md5sum": runMD5, "mkdir": runMkdir, "mv": runMv,
	"printenv": runPrintenv, "printf": runPrintf, "pwd": runPwd, "readlink": runReadlink,
	"realpath": runRealpath, "rm": runRm, "sleep": runSleep, "stat": runStat, "tail": runTail, "test": runTest,
	"touch": runTouch, "true": func(*Process) int { return 0 }, "uname": runUname, "wc": runWc,
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

func (p *Process) readFile(name string) ([]byte, error) {
	clean, err := p.Files.Resolve(p.Dir, name)
	if err != nil {
		return nil, err
	}
	return p.Files.Read(clean)
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

// runPrintf knows %s %d %x %c and %%, and repeats the format while arguments
// remain.
func runPrintf(p *Process) int {
	if len(p.Args) < 2 {
		return p.Fail("usage: printf FORMAT [ARG...]")
	}
	format, args := unescape(p.Args[1]), p.Args[2:]
	var out strings.Builder
	for {
		before := len(args)
		for i := 0; i < len(format); i++ {
			if format[i] != '%' || i == len(format)-1 {
				out.WriteByte(format[i])
				continue
			}
			i++
			verb := format[i]
			if verb == '%' {
				out.WriteByte('%')
				continue
			}
			arg := ""
			if len(args) > 0 {
				arg, args = args[0], args[1:]
			}
			switch verb {
			case 's':
				out.WriteString(arg)
			case 'c':
				out.WriteString(arg[:min(1, len(arg))])
			case 'd', 'i', 'u', 'x':
				number, err := strconv.ParseInt(arg, 0, 64)
				if err != nil && arg != "" {
					return p.Fail("%s: not a number", arg)
				}
				if verb == 'x' {
					fmt.Fprintf(&out, "%x", number)
				} else {
					fmt.Fprintf(&out, "%d", number)
				}
			default:
				return p.Fail("bad format %%%c", verb)
			}
			if out.Len() > maxText {
				return p.Fail("output too long")
			}
		}
		if len(args) == 0 || len(args) == before {
			return p.Print(out.String())
		}
	}
}

func runPwd(p *Process) int { return p.Print(p.Dir + "\n") }

func runPrintenv(p *Process) int {
	names := p.Args[1:]
	if len(names) == 1 {
		value, ok := p.Vars[names[0]]
		if !ok {
			return 1
		}
		return p.Print(value + "\n")
	}
	var lines []string
	for name, value := range p.Vars {
		if name != "IFS" {
			lines = append(lines, name+"="+value+"\n")
		}
	}
	slices.Sort(lines)
	return p.Print(strings.Join(lines, ""))
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

func runDate(p *Process) int {
	now := p.system.Time().UTC()
	if len(p.Args) == 2 {
		switch p.Args[1] {
		case "+%s":
			return p.Printf("%d\n", now.Unix())
		case "+%s%3N":
			return p.Printf("%d\n", now.UnixMilli())
		case "+%s%N":
			return p.Printf("%d\n", now.UnixNano())
		case "+%Y-%m-%d":
			return p.Print(now.Format("2006-01-02\n"))
		}
	}
	if len(p.Args) > 1 {
		return p.Fail("only +%%s, +%%s%%3N, +%%s%%N and +%%Y-%%m-%%d are supported")
	}
	return p.Print(now.Format("Mon Jan _2 15:04:05 UTC 2006\n"))
}

func runUname(p *Process) int {
	flags, _, _, ok := p.options("asnrmo", "", 0)
	if !ok {
		return 1
	}
	parts := []struct {
		flag byte
		text string
	}{{'s', "Linux"}, {'n', "localhost"}, {'r', "5.10.0-simphone"}, {'m', "aarch64"}, {'o', "Toybox"}}
	var out []string
	for _, part := range parts {
		if flags['a'] || flags[part.flag] || len(flags) == 0 && part.flag == 's' {
			out = append(out, part.text)
		}
	}
	return p.Print(strings.Join(out, " ") + "\n")
}

func runID(p *Process) int {
	flags, _, _, ok := p.options("un", "", 0)
	switch {
	case !ok:
		return 1
	case flags['u'] && flags['n']:
		return p.Print("shell\n")
	case flags['u']:
		return p.Print("2000\n")
	}
	return p.Print("uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1015(sdcard_rw)," +
		"3001(net_bt_admin),3002(net_bt),3003(inet) context=u:r:shell:s0\n")
}

func runCat(p *Process) int {
	_, _, names, ok := p.options("u", "", 0)
	if !ok {
		return 1
	}
	return p.eachInput(names, func(_ string, r io.Reader) error {
		_, err := io.Copy(p.Stdout, r)
		return err
	})
}

func runWc(p *Process) int {
	flags, _, names, ok := p.options("lwcm", "", 0)
	if !ok {
		return 1
	}
	return p.eachInput(names, func(name string, r io.Reader) error {
		counts := map[byte]int64{}
		inWord := false
		buffer := make([]byte, 64<<10)
		for {
			n, err := r.Read(buffer)
			for _, b := range buffer[:n] {
				blank := b == ' ' || b >= '\t' && b <= '\r'
				if b == '\n' {
					counts['l']++
				}
				if !blank && !inWord {
					counts['w']++
				}
				inWord = !blank
			}
			counts['c'] += int64(n)
			if err != nil {
				break
			}
		}
		counts['m'] = counts['c']
		var out []string
		for _, flag := range []byte("lwcm") {
			if flags[flag] || len(flags) == 0 && flag != 'm' {
				out = append(out, strconv.FormatInt(counts[flag], 10))
			}
		}
		if name != "-" {
			out = append(out, name)
		}
		_, err := io.WriteString(p.Stdout, strings.Join(out, " ")+"\n")
		return err
	})
}

// lineCount takes "-n N" or "-N" off the arguments of head and tail; the default is
// 10.
func (p *Process) lineCount() (int, []string, error) {
	args := p.Args[1:]
	if len(args) == 0 || len(args[0]) < 2 || args[0][0] != '-' {
		return 10, args, nil
	}
	text, args := args[0][1:], args[1:]
	text = strings.TrimPrefix(text, "n")
	if text == "" && len(args) > 0 {
		text, args = args[0], args[1:]
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, nil, fmt.Errorf("not a number of lines: %q", text)
	}
	return n, args, nil
}

func runHead(p *Process) int {
	if len(p.Args) > 2 && p.Args[1] == "-c" {
		n, err := strconv.ParseInt(p.Args[2], 10, 64)
		if err != nil || n < 0 {
			return p.Fail("not a number of bytes: %q", p.Args[2])
		}
		return p.eachInput(p.Args[3:], func(_ string, r io.Reader) error {
			_, err := io.Copy(p.Stdout, io.LimitReader(r, n))
			return err
		})
	}
	n, names, err := p.lineCount()
	if err != nil {
		return p.Fail("%v", err)
	}
	return p.eachInput(names, func(_ string, r io.Reader) error {
		in := bufio.NewReader(r)
		for range n {
			for { // a line may be longer than the reader's buffer
				piece, err := in.ReadSlice('\n')
				if _, err := p.Stdout.Write(piece); err != nil {
					return err
				}
				if err == nil {
					break
				}
				if err != bufio.ErrBufferFull {
					return nil
				}
			}
		}
		return nil
	})
}

// tailBytes is tail -c N, the last N bytes, or tail -c +N, those from byte N on.
func (p *Process) tailBytes(text string, names []string) int {
	n, err := strconv.ParseInt(strings.TrimPrefix(text, "+"), 10, 64)
	if err != nil || n < 0 || n > maxTail && text[0] != '+' {
		return p.Fail("not a number of bytes: %q", text)
	}
	return p.eachInput(names, func(_ string, r io.Reader) error {
		if text[0] == '+' {
			if _, err := io.CopyN(io.Discard, r, max(n, 1)-1); err != nil {
				return nil // it is shorter
			}
			_, err := io.Copy(p.Stdout, r)
			return err
		}
		last := make([]byte, 0, 2*n+tailBuffer)
		for {
			from := len(last)
			read, err := r.Read(last[from : from+tailBuffer])
			last = last[:from+read]
			if excess := len(last) - int(n); excess > 0 && (err != nil || len(last)+tailBuffer > cap(last)) {
				last = append(last[:0], last[excess:]...)
			}
			if err != nil {
				break
			}
		}
		_, err := p.Stdout.Write(last)
		return err
	})
}

const (
	maxTail    = 16 << 20 // bytes that tail keeps
	tailBuffer = 64 << 10
)

// runMD5 prints the sums of files, or of stdin.
func runMD5(p *Process) int {
	flags, _, names, ok := p.options("b", "", 0)
	if !ok {
		return 1
	}
	return p.eachInput(names, func(name string, r io.Reader) error {
		sum := md5.New()
		if _, err := io.Copy(sum, r); err != nil {
			return err
		}
		if flags['b'] {
			p.Printf("%x\n", sum.Sum(nil))
		} else {
			p.Printf("%x  %s\n", sum.Sum(nil), name)
		}
		return nil
	})
}

// runDD copies stdin to stdout, count= blocks at most. As on phones a block is what one
// read gives; without bs= it is put together again in blocks of obs= bytes.
func runDD(p *Process) int {
	sizes := map[string]int64{"ibs": 512, "obs": 512, "bs": 0, "count": -1}
	for _, arg := range p.Args[1:] {
		name, text, _ := strings.Cut(arg, "=")
		n, err := strconv.ParseInt(text, 10, 32)
		_, known := sizes[name]
		if err != nil || n < 0 || !known || name != "count" && (n == 0 || n > maxLine) {
			return p.Fail("unknown operand %q", arg)
		}
		sizes[name] = n
	}
	in, out, count, asRead := sizes["ibs"], sizes["obs"], sizes["count"], sizes["bs"] > 0
	if asRead {
		in, out = sizes["bs"], sizes["bs"]
	}
	block, held := make([]byte, in), []byte(nil)
	var read, wrote [2]int64 // whole blocks and others
	record := func(records *[2]int64, n int, size int64) {
		if int64(n) == size {
			records[0]++
		} else {
			records[1]++
		}
	}
	// write writes whole blocks, and with all what is left after them.
	write := func(all bool) error {
		for len(held) > 0 && (all || int64(len(held)) >= out) {
			piece := held[:min(int64(len(held)), out)]
			if _, err := p.Stdout.Write(piece); err != nil {
				return err
			}
			record(&wrote, len(piece), out)
			held = held[len(piece):]
		}
		return nil
	}
	status := 0
	for status == 0 && (count < 0 || read[0]+read[1] < count) {
		n, err := p.Stdin.Read(block)
		if n > 0 {
			record(&read, n, in)
			held = append(held, block[:n]...)
			if err := write(asRead); err != nil {
				status = p.Fail("stdout: write error: %v", err)
			}
		}
		if err != nil {
			break
		}
	}
	if status == 0 && write(true) != nil {
		status = 1
	}
	p.ErrPrint(fmt.Sprintf("%d+%d records in\n%d+%d records out\n", read[0], read[1], wrote[0], wrote[1]))
	return status
}

func runTail(p *Process) int {
	if len(p.Args) > 1 && strings.HasPrefix(p.Args[1], "-c") {
		text, names := p.Args[1][2:], p.Args[2:]
		if text == "" && len(names) > 0 {
			text, names = names[0], names[1:]
		}
		if text == "" {
			return p.Fail("Missing argument to -c")
		}
		return p.tailBytes(text, names)
	}
	n, names, err := p.lineCount()
	if err != nil {
		return p.Fail("%v", err)
	}
	return p.eachInput(names, func(_ string, r io.Reader) error {
		var text bytes.Buffer
		if _, err := io.Copy(&text, io.LimitReader(r, 16*maxText)); err != nil {
			return err
		}
		lines := bytes.SplitAfter(text.Bytes(), []byte("\n"))
		if len(lines[len(lines)-1]) == 0 {
			lines = lines[:len(lines)-1]
		}
		_, err := p.Stdout.Write(bytes.Join(lines[max(0, len(lines)-n):], nil))
		return err
	})
}

// runGzip compresses stdin, or a file with -c; it does not replace files.
func runGzip(p *Process) int {
	flags, _, names, ok := p.options("cdfn123456789", "", 0)
	if !ok {
		return 1
	}
	if len(names) > 0 && !flags['c'] {
		return p.Fail("only -c is supported for files")
	}
	level := 6
	for i := 1; i <= 9; i++ {
		if flags[byte('0'+i)] {
			level = i
		}
	}
	return p.eachInput(names, func(name string, r io.Reader) error {
		out := bufio.NewWriterSize(p.Stdout, 64<<10)
		var err error
		if flags['d'] {
			err = decompress(out, r)
		} else {
			err = compress(out, r, level)
		}
		if err == nil {
			err = out.Flush()
		}
		if err != nil {
			p.Fail("%s: %v", name, err)
		}
		return err
	})
}

func compress(w io.Writer, r io.Reader, level int) error {
	z, err := gzip.NewWriterLevel(w, level)
	if err != nil {
		return err
	}
	if _, err := io.Copy(z, r); err != nil {
		return err
	}
	return z.Close()
}

func decompress(w io.Writer, r io.Reader) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, z)
	return err
}

func runRm(p *Process) int {
	flags, _, names, ok := p.options("rRf", "", 0)
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
		if flags['f'] && err == errNotExist {
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
	flags, _, names, ok := p.options("p", "", 0)
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
