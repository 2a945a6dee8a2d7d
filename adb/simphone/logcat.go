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
// tag and text.
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
	most   int    // lines of the log so far; -1: all
	silent bool   // tags that no filter names are not shown
	tag    string // the level in the filter for the crashes' tag
}

// runLogcat prints the crashes of apps; there is no other log. Without -d, -t or -c
// it goes on to print new ones until it is ended.
func runLogcat(p *process) int {
	set, values, filters, ok := p.Options("Bcdgs", "btv", 0)
	switch {
	case !ok:
		return 1
	case set['c']:
		p.phone.locked(func() { p.phone.crashLog = nil })
		return 0
	case set['g']:
		return p.Print("main: ring buffer is 256 KiB (0 B consumed, 0 B readable), max entry is 5120 B, max payload is 4068 B\n")
	}
	l := &logcat{process: p, format: longFormat, most: -1, silent: set['s']}
	if p.phone.config.SDK < 24 {
		l.format = logFormats["brief"]
	}
	for _, name := range values['v'] { // words such as color change nothing here
		l.format = cmp.Or(logFormats[name], l.format)
	}
	for _, text := range values['t'] {
		if n, err := strconv.Atoi(text); err == nil && n >= 0 {
			l.most = n
		}
	}
	for _, text := range filters {
		l.filter(text)
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
		if set['d'] || set['t'] {
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
	var crashes []crash
	l.phone.locked(func() { crashes = slices.Clone(l.phone.crashLog) })
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
