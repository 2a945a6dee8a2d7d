package simphone

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// process is what a running command can see and reach.
type process struct {
	ctx            context.Context
	phone          *Phone
	args           []string // args[0] is the name it was called by
	dir            string
	stdin          io.Reader
	stdout, stderr io.Writer
	vars           map[string]string       // the environment
	run            func(args []string) int // runs another program in place of this one
}

// commandFunc is a command of the phone; it returns the exit code.
type commandFunc func(p *process) int

// commandTable lists all commands.
func (p *Phone) commandTable() map[string]commandFunc {
	return map[string]commandFunc{
		"am": runAm, "cmd": runCmd, "dumpsys": runDumpsys, "getprop": runGetprop, "ime": runIme, "input": runInput, "logcat": runLogcat,
		"monkey": runMonkey, "pm": runPm, "screencap": runScreencap, "setprop": runSetprop, "settings": runSettings,
		"wm": runWm,

		"[": runTest, "cat": runCat, "chmod": runChmod, "cut": runCut, "date": runDate, "echo": runEcho,
		"egrep": runGrep, "false": func(*process) int { return 1 }, "fgrep": runGrep, "find": runFind, "grep": runGrep,
		"gzip": runGzip, "head": runHead, "id": runID, "ln": runLn, "ls": runLs, "mkdir": runMkdir, "mv": runMv, "od": runOd,
		"pidof": runPidof, "printenv": runPrintenv, "printf": runPrintf, "ps": runPs, "pwd": runPwd, "readlink": runReadlink,
		"realpath": runRealpath, "rm": runRm, "sleep": runSleep, "stat": runStat, "tail": runTail, "test": runTest,
		"touch": runTouch, "true": func(*process) int { return 0 }, "uname": runUname, "wc": runWc,
		"whoami": func(p *process) int { return p.print("shell\n") }, ":": func(*process) int { return 0 },
	}
}

func (p *process) print(text string) int {
	if _, err := io.WriteString(p.stdout, text); err != nil {
		return 1
	}
	return 0
}

func (p *process) printf(format string, args ...any) int {
	return p.print(fmt.Sprintf(format, args...))
}

// fail prints an error with the command's name and returns status 1.
func (p *process) fail(format string, args ...any) int {
	fmt.Fprintf(p.stderr, "%s: %s\n", p.args[0], fmt.Sprintf(format, args...))
	return 1
}

func (p *process) errPrint(text string) { io.WriteString(p.stderr, text) }

func (p *process) readFile(name string) ([]byte, error) {
	clean, err := p.phone.files.resolve(p.dir, name)
	if err != nil {
		return nil, err
	}
	return p.phone.files.read(clean)
}

// flags splits one-letter flags off the arguments; an unknown one is an error.
func (p *process) flags(known string) (map[rune]bool, []string, error) {
	set := make(map[rune]bool)
	rest := p.args[1:]
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' {
		arg := rest[0]
		rest = rest[1:]
		if arg == "--" {
			break
		}
		for _, r := range arg[1:] {
			if !strings.ContainsRune(known, r) {
				return nil, nil, fmt.Errorf("unknown option '%c' (see \"%s --help\")", r, p.args[0])
			}
			set[r] = true
		}
	}
	return set, rest, nil
}

// eachInput calls f with each named file, or stdin, and returns the exit code.
func (p *process) eachInput(names []string, f func(name string, r io.Reader) error) int {
	if len(names) == 0 {
		names = []string{"-"}
	}
	status := 0
	for _, name := range names {
		r := p.stdin
		if name != "-" {
			data, err := p.readFile(name)
			if err != nil {
				status = p.fail("%s: %v", name, err)
				continue
			}
			r = bytes.NewReader(data)
		}
		if err := f(name, r); err != nil {
			return 1
		}
	}
	return status
}

func runEcho(p *process) int {
	args := p.args[1:]
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
	return p.print(text)
}

// runPrintf knows %s %d %x %c and %%, and repeats the format while arguments
// remain.
func runPrintf(p *process) int {
	if len(p.args) < 2 {
		return p.fail("usage: printf FORMAT [ARG...]")
	}
	format, args := unescape(p.args[1]), p.args[2:]
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
					return p.fail("%s: not a number", arg)
				}
				if verb == 'x' {
					fmt.Fprintf(&out, "%x", number)
				} else {
					fmt.Fprintf(&out, "%d", number)
				}
			default:
				return p.fail("bad format %%%c", verb)
			}
			if out.Len() > maxText {
				return p.fail("output too long")
			}
		}
		if len(args) == 0 || len(args) == before {
			return p.print(out.String())
		}
	}
}

func runPwd(p *process) int { return p.print(p.dir + "\n") }

func runPrintenv(p *process) int {
	names := p.args[1:]
	if len(names) == 1 {
		value, ok := p.vars[names[0]]
		if !ok {
			return 1
		}
		return p.print(value + "\n")
	}
	var lines []string
	for name, value := range p.vars {
		if name != "IFS" {
			lines = append(lines, name+"="+value+"\n")
		}
	}
	slices.Sort(lines)
	return p.print(strings.Join(lines, ""))
}

func runSleep(p *process) int {
	if len(p.args) != 2 {
		return p.fail("Needs 1 argument (see \"sleep --help\")")
	}
	text, unit := p.args[1], time.Second
	for suffix, d := range map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour} {
		if cut, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = cut, d
		}
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || !(number >= 0) {
		return p.fail("bad time '%s'", p.args[1])
	}
	// Real time, whatever the time scale: whoever sleeps counts on it. The
	// connection bounds it.
	const longest = 1e9 // seconds
	if wait(p.ctx, time.Duration(min(number*unit.Seconds(), longest)*float64(time.Second))) != nil {
		return 130
	}
	return 0
}

func runDate(p *process) int {
	now := p.phone.config.Clock().Add(time.Duration(p.phone.skipped.Load())).UTC()
	if len(p.args) == 2 {
		switch p.args[1] {
		case "+%s":
			return p.printf("%d\n", now.Unix())
		case "+%s%3N":
			return p.printf("%d\n", now.UnixMilli())
		case "+%s%N":
			return p.printf("%d\n", now.UnixNano())
		case "+%Y-%m-%d":
			return p.print(now.Format("2006-01-02\n"))
		}
	}
	if len(p.args) > 1 {
		return p.fail("only +%%s, +%%s%%3N, +%%s%%N and +%%Y-%%m-%%d are supported")
	}
	return p.print(now.Format("Mon Jan _2 15:04:05 UTC 2006\n"))
}

func runUname(p *process) int {
	flags, _, err := p.flags("asnrmo")
	if err != nil {
		return p.fail("%v", err)
	}
	parts := []struct {
		flag rune
		text string
	}{{'s', "Linux"}, {'n', "localhost"}, {'r', "5.10.0-simphone"}, {'m', "aarch64"}, {'o', "Toybox"}}
	var out []string
	for _, part := range parts {
		if flags['a'] || flags[part.flag] || len(flags) == 0 && part.flag == 's' {
			out = append(out, part.text)
		}
	}
	return p.print(strings.Join(out, " ") + "\n")
}

func runID(p *process) int {
	flags, _, err := p.flags("un")
	switch {
	case err != nil:
		return p.fail("%v", err)
	case flags['u'] && flags['n']:
		return p.print("shell\n")
	case flags['u']:
		return p.print("2000\n")
	}
	return p.print("uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1015(sdcard_rw)," +
		"3001(net_bt_admin),3002(net_bt),3003(inet) context=u:r:shell:s0\n")
}

func runCat(p *process) int {
	_, names, err := p.flags("u")
	if err != nil {
		return p.fail("%v", err)
	}
	return p.eachInput(names, func(_ string, r io.Reader) error {
		_, err := io.Copy(p.stdout, r)
		return err
	})
}

func runWc(p *process) int {
	flags, names, err := p.flags("lwcm")
	if err != nil {
		return p.fail("%v", err)
	}
	return p.eachInput(names, func(name string, r io.Reader) error {
		counts := map[rune]int64{}
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
		for _, flag := range "lwcm" {
			if flags[flag] || len(flags) == 0 && flag != 'm' {
				out = append(out, strconv.FormatInt(counts[flag], 10))
			}
		}
		if name != "-" {
			out = append(out, name)
		}
		_, err := io.WriteString(p.stdout, strings.Join(out, " ")+"\n")
		return err
	})
}

// lineCount takes "-n N" or "-N" off the arguments of head and tail; the default is
// 10.
func (p *process) lineCount() (int, []string, error) {
	args := p.args[1:]
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

func runHead(p *process) int {
	if len(p.args) > 2 && p.args[1] == "-c" {
		n, err := strconv.ParseInt(p.args[2], 10, 64)
		if err != nil || n < 0 {
			return p.fail("not a number of bytes: %q", p.args[2])
		}
		return p.eachInput(p.args[3:], func(_ string, r io.Reader) error {
			_, err := io.Copy(p.stdout, io.LimitReader(r, n))
			return err
		})
	}
	n, names, err := p.lineCount()
	if err != nil {
		return p.fail("%v", err)
	}
	return p.eachInput(names, func(_ string, r io.Reader) error {
		in := bufio.NewReader(r)
		for range n {
			for { // a line may be longer than the reader's buffer
				piece, err := in.ReadSlice('\n')
				if _, err := p.stdout.Write(piece); err != nil {
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

func runTail(p *process) int {
	n, names, err := p.lineCount()
	if err != nil {
		return p.fail("%v", err)
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
		_, err := p.stdout.Write(bytes.Join(lines[max(0, len(lines)-n):], nil))
		return err
	})
}

// runGzip compresses stdin, or a file with -c; it does not replace files.
func runGzip(p *process) int {
	flags, names, err := p.flags("cdfn123456789")
	if err != nil {
		return p.fail("%v", err)
	}
	if len(names) > 0 && !flags['c'] {
		return p.fail("only -c is supported for files")
	}
	level := 6
	for i := 1; i <= 9; i++ {
		if flags[rune('0'+i)] {
			level = i
		}
	}
	return p.eachInput(names, func(name string, r io.Reader) error {
		out := bufio.NewWriterSize(p.stdout, 64<<10)
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
			p.fail("%s: %v", name, err)
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

func runRm(p *process) int {
	flags, names, err := p.flags("rRf")
	if err != nil {
		return p.fail("%v", err)
	}
	if len(names) == 0 && !flags['f'] {
		return p.fail("Needs 1 argument (see \"rm --help\")")
	}
	status := 0
	for _, name := range names {
		clean, err := p.phone.files.resolveLink(p.dir, name)
		if err == nil {
			err = p.removeTree(clean, flags['r'] || flags['R'])
		}
		if err != nil && !(flags['f'] && err == errNotExist) {
			status = p.fail("%s: %v", name, err)
		}
	}
	return status
}

func (p *process) removeTree(clean string, recursive bool) error {
	entry, err := p.phone.files.stat(clean)
	if err != nil {
		return err
	}
	if entry.directory() {
		if !recursive {
			return errIsDirectory
		}
		entries, err := p.phone.files.list(clean)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if err := p.removeTree(path.Join(clean, entry.name), true); err != nil {
				return err
			}
		}
	}
	return p.phone.files.remove(clean)
}

func runMkdir(p *process) int {
	flags, names, err := p.flags("p")
	if err != nil {
		return p.fail("%v", err)
	}
	status := 0
	for _, name := range names {
		clean, err := p.phone.files.resolve(p.dir, name)
		if err == nil {
			err = p.phone.files.makeDirectory(clean, flags['p'])
		}
		if err != nil {
			status = p.fail("'%s': %v", name, err)
		}
	}
	return status
}

// runTest is test and [, for strings, numbers and files.
func runTest(p *process) int {
	args := p.args[1:]
	if p.args[0] == "[" {
		if len(args) == 0 || args[len(args)-1] != "]" {
			p.fail("missing ]")
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
		p.fail("%v", err)
		return 2
	}
	if result != negate {
		return 0
	}
	return 1
}

func (p *process) test(args []string) (bool, error) {
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
				return !entry.directory(), nil
			case args[0] == "-d":
				return entry.directory(), nil
			case args[0] == "-h", args[0] == "-L":
				return entry.link(), nil
			case args[0] == "-s":
				return entry.size > 0, nil
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
		switch args[1] {
		case "-eq":
			return a == b, nil
		case "-ne":
			return a != b, nil
		case "-lt":
			return a < b, nil
		case "-le":
			return a <= b, nil
		case "-gt":
			return a > b, nil
		case "-ge":
			return a >= b, nil
		}
	}
	return false, fmt.Errorf("%s: unexpected operator", strings.Join(args, " "))
}
