package simphone

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tapwise/adb/simphone/shell"
)

// crash is an app's end by a panic, as the log reports it.
type crash struct {
	number int // from 1
	at     time.Time
	pid    int
	text   string
}

// crashTag is the tag of crashes in the log.
const crashTag = "AndroidRuntime"

// logFormats are the forms in which logcat -v writes a line of a crash: its time, process,
// tag and text. Words after them, such as color, change nothing here.
var logFormats = map[string]string{
	"brief":      "E/%[3]s(%5[2]d): %[4]s\n",
	"process":    "E(%5[2]d) %[4]s  (%[3]s)\n",
	"tag":        "E/%[3]s: %[4]s\n",
	"raw":        "%[4]s\n",
	"time":       "%[1]s E/%[3]s(%5[2]d): %[4]s\n",
	"long":       longFormat,
	"thread":     longFormat,
	"threadtime": longFormat,
}

const longFormat = "%[1]s %5[2]d %5[2]d E %[3]s: %[4]s\n"

// logcat is one call of the command.
type logcat struct {
	*process
	format string
	dump   bool   // print the log so far, and do not wait for more
	most   int    // lines of the log so far; -1: all
	silent bool   // tags that no filter names are not shown
	tag    string // the level in the filter for the crashes' tag
}

// runLogcat prints the crashes of apps; there is no other log. Without -d, -t or -c
// it goes on to print new ones until it is ended.
func runLogcat(p *process) int {
	l := &logcat{process: p, format: longFormat, most: -1}
	if p.phone.config.SDK < 24 {
		l.format = logFormats["brief"]
	}
	if status, done := l.read(p.Args[1:]); done {
		return status
	}
	const look = 50 * time.Millisecond // between two looks at the log
	last := 0
	if p.Print("--------- beginning of main\n") != 0 {
		return 1
	}
	for {
		var text string
		text, last = l.after(last)
		if p.Print(text) != 0 {
			return 1
		}
		if l.dump {
			return 0
		}
		if shell.Sleep(p.Ctx, look) != nil {
			return 130
		}
	}
}

// after returns the log after the crash of that number, and the number of the last
// crash.
func (l *logcat) after(last int) (string, int) {
	l.phone.mu.Lock()
	crashes := slices.Clone(l.phone.crashLog)
	l.phone.mu.Unlock()
	heading := ""
	if last == 0 {
		heading = "--------- beginning of crash\n"
	}
	var lines []string
	for _, c := range crashes {
		if c.number <= last {
			continue
		}
		last = c.number
		for _, line := range strings.Split(strings.TrimSpace(c.text), "\n") {
			at := c.at.UTC().Format("01-02 15:04:05.000")
			lines = append(lines, fmt.Sprintf(l.format, at, c.pid, crashTag, strings.ReplaceAll(line, "\t", "        ")))
		}
	}
	if l.most >= 0 { // applies to the log at the start only
		lines = lines[max(0, len(lines)-l.most):]
		l.most = -1
	}
	shown := !l.silent
	if l.tag != "" {
		shown = l.tag != "S"
	}
	if len(lines) == 0 || !shown {
		return "", last
	}
	return heading + strings.Join(lines, ""), last
}

// read reads the arguments; done reports that they left nothing else to do.
func (l *logcat) read(args []string) (status int, done bool) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		value := func() (string, bool) {
			if len(arg) > 2 && arg[1] != '-' {
				return arg[2:], true
			}
			if _, text, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(arg, "--") {
				return text, true
			}
			if len(args) == 0 {
				return "", false
			}
			text := args[0]
			args = args[1:]
			return text, true
		}
		if !strings.HasPrefix(arg, "-") { // TAG:LEVEL
			l.filter(arg)
			continue
		}
		text, ok := "", true
		switch {
		case arg == "-d", arg == "--dump":
			l.dump = true
		case arg == "-s":
			l.silent = true
		case arg == "-c", arg == "--clear":
			l.phone.mu.Lock()
			l.phone.crashLog = nil
			l.phone.mu.Unlock()
			return 0, true
		case arg == "-g", arg == "--buffer-size":
			return l.Print("main: ring buffer is 256 KiB (0 B consumed, 0 B readable), max entry is 5120 B, max payload is 4068 B\n"), true
		case strings.HasPrefix(arg, "-t"), strings.HasPrefix(arg, "-T"):
			l.dump = l.dump || arg[1] == 't'
			if text, ok = value(); ok {
				if n, err := strconv.Atoi(text); err == nil && n >= 0 {
					l.most = n
				}
			}
		case strings.HasPrefix(arg, "-v"), strings.HasPrefix(arg, "--format"):
			if text, ok = value(); logFormats[text] != "" {
				l.format = logFormats[text]
			}
		case slices.ContainsFunc([]string{"-b", "--buffer", "-e", "--regex", "-m", "--pid", "-r", "-n", "-G", "--uid"},
			func(option string) bool { return strings.HasPrefix(arg, option) }):
			_, ok = value()
		case arg == "-B", arg == "-D", arg == "-S", arg == "-L", arg == "-p", arg == "--":
		default:
			l.ErrPrint("logcat: Unknown option '" + arg + "'\n")
			return 1, true
		}
		if !ok {
			l.ErrPrint("logcat: option requires an argument -- '" + arg[1:2] + "'\n")
			return 1, true
		}
	}
	return 0, false
}

// filter adds a filter such as *:S or AndroidRuntime:E.
func (l *logcat) filter(text string) {
	tag, level, _ := strings.Cut(text, ":")
	level = strings.ToUpper(level)
	if level == "F" { // crashes are errors
		level = "S"
	}
	switch tag {
	case "*":
		l.silent = level == "S"
	case crashTag:
		l.tag = cmp.Or(level, "V")
	}
}
