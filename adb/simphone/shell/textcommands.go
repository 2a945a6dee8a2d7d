package shell

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxLine bounds the lines, in bytes, that commands take apart; a longer one is cut
// into several.
const maxLine = 1 << 20

// eachLine calls f with each line of r, its end cut off, until f returns false.
func eachLine(r io.Reader, f func(line []byte) bool) {
	in := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	for {
		piece, err := in.ReadSlice('\n')
		line = append(line, piece...)
		if err == bufio.ErrBufferFull && len(line) < maxLine {
			continue
		}
		if len(line) > 0 {
			if !f(bytes.TrimSuffix(line, []byte("\n"))) {
				return
			}
		}
		line = line[:0]
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
	}
}

// options takes options off the arguments of a command, as getopt does: those in
// flags stand alone, those in valued take a value. Letters come in any order and
// may be joined. It is not ok, and the command's error printed, when they are wrong or
// fewer than least arguments are left.
func (p *Process) options(flags, valued string, least int) (set map[byte]bool, values map[byte][]string, rest []string, ok bool) {
	set, values = map[byte]bool{}, map[byte][]string{}
	for args := p.Args[1:]; len(args) > 0; {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			rest = append(rest, args...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		for i := 1; i < len(arg); i++ {
			letter := arg[i]
			if strings.IndexByte(valued, letter) >= 0 {
				value := arg[i+1:]
				if value == "" {
					if len(args) == 0 {
						p.Fail("Missing argument to -%c", letter)
						return set, values, rest, false
					}
					value, args = args[0], args[1:]
				}
				values[letter] = append(values[letter], value)
				i = len(arg)
			} else if strings.IndexByte(flags, letter) < 0 {
				p.Fail("Unknown option '%s' (see \"%s --help\")", arg[i:], p.Args[0])
				return set, values, rest, false
			}
			set[letter] = true
		}
	}
	if len(rest) < least {
		p.Fail("Needs %d argument%s (see \"%s --help\")", least, map[bool]string{true: "s"}[least > 1], p.Args[0])
	}
	return set, values, rest, len(rest) >= least
}

// each calls f with each name, prints its errors in a form, and returns the exit code.
func (p *Process) each(names []string, form string, f func(name string) error) int {
	status := 0
	for _, name := range names {
		if err := f(name); err != nil {
			status = p.Fail(form, name, err)
		}
	}
	return status
}

// grep is a search under way.
type grep struct {
	*Process
	pattern       *regexp.Regexp
	set           map[byte]bool
	most          int // lines to find in each file; -1: all
	before, after int
	named         bool // lines are printed with the name of their file
	found         bool
	failed        bool
}

func runGrep(p *Process) int {
	g := &grep{Process: p, most: -1}
	p.Args = slices.DeleteFunc(slices.Clone(p.Args), func(arg string) bool { return strings.HasPrefix(arg, "--color") })
	set, values, names, ok := p.options("EFGHLachiloqnrRsvwxz", "efmABC", 0)
	if !ok {
		return 2
	}
	g.set = set
	var err error
	if names, err = g.compile(values, names); err != nil {
		p.Fail("%v", err)
		return 2
	}
	for letter, number := range map[byte]*int{'m': &g.most, 'A': &g.after, 'B': &g.before, 'C': &g.after} {
		if len(values[letter]) == 0 {
			continue
		}
		if *number, err = strconv.Atoi(values[letter][0]); err != nil || *number < 0 {
			p.Fail("not a number: '%s'", values[letter][0])
			return 2
		}
		if letter == 'C' {
			g.before = g.after
		}
	}
	recursive := set['r'] || set['R']
	if len(names) == 0 {
		names = []string{"-"}
		if recursive {
			names = []string{"."}
		}
	}
	g.named = (len(names) > 1 || recursive || set['H']) && !set['h']
	for _, name := range names {
		g.file(name, recursive)
		if g.found && set['q'] {
			return 0
		}
	}
	switch {
	case g.failed:
		return 2
	case g.found:
		return 0
	}
	return 1
}

// compile takes the expression from the options, or off the names.
func (g *grep) compile(values map[byte][]string, names []string) ([]string, error) {
	patterns := values['e']
	for _, name := range values['f'] {
		data, err := g.readFile(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		patterns = append(patterns, strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")...)
	}
	if len(values['e'])+len(values['f']) == 0 {
		if len(names) == 0 {
			return nil, errors.New("no REGEX")
		}
		patterns, names = strings.Split(names[0], "\n"), names[1:]
	}
	extended := g.set['E'] || programName(g.Args[0]) == "egrep"
	fixed := g.set['F'] || programName(g.Args[0]) == "fgrep"
	var err error
	if g.pattern, err = grepPattern(patterns, extended, fixed, g.set['i'], g.set['w'], g.set['x']); err != nil {
		return nil, fmt.Errorf("bad REGEX '%s': %w", strings.Join(patterns, "\n"), err)
	}
	return names, nil
}

// file searches a file, or with recursive everything below a folder.
func (g *grep) file(name string, recursive bool) {
	if name == "-" {
		g.search("(standard input)", g.Stdin)
		return
	}
	if recursive {
		if clean, err := g.Files.Resolve(g.Dir, name); err == nil {
			if entries, err := g.Files.List(clean); err == nil {
				for _, entry := range entries {
					if g.Ctx.Err() == nil && !entry.Link() {
						g.file(path.Join(name, entry.Name), true)
					}
				}
				return
			}
		}
	}
	data, err := g.readFile(name)
	if err != nil {
		if !g.set['s'] {
			g.Fail("%s: %v", name, err)
		}
		g.failed = true
		return
	}
	g.search(name, bytes.NewReader(data))
}

// search searches one input.
func (g *grep) search(name string, r io.Reader) {
	s := &grepSearch{grep: g, name: name, silent: g.set['c'] || g.set['l'] || g.set['L'] || g.set['q']}
	eachLine(r, func(line []byte) bool {
		s.number++
		switch {
		case g.Ctx.Err() != nil:
			return false
		case g.pattern.Match(line) == g.set['v']:
			return s.other(string(line))
		}
		return s.hit(line) && !g.set['q'] && !g.set['l'] && (g.most < 0 || s.count < g.most)
	})
	label := ""
	if g.named {
		label = name + ":"
	}
	switch {
	case g.set['q']:
	case g.set['l'] && s.count > 0, g.set['L'] && s.count == 0:
		g.Print(name + "\n")
	case g.set['c'] && !g.set['l'] && !g.set['L']:
		g.Printf("%s%d\n", label, s.count)
	}
}

// grepSearch is the search of one input.
type grepSearch struct {
	*grep
	name    string
	silent  bool // no lines are printed
	number  int  // of the current line
	count   int  // lines found
	printed int  // the number of the last line printed
	context []string
	left    int // lines of context still to print
}

// show prints a line after its file name and number, where these are asked for.
func (s *grepSearch) show(separator string, number int, text string) bool {
	prefix := ""
	if s.named {
		prefix = s.name + separator
	}
	if s.set['n'] {
		prefix += strconv.Itoa(number) + separator
	}
	if s.before+s.after > 0 && s.printed > 0 && number > s.printed+1 {
		prefix = "--\n" + prefix
	}
	s.printed = number
	return s.Print(prefix+text+"\n") == 0
}

// other handles a line that does not match: it may be near one that does.
func (s *grepSearch) other(text string) bool {
	if s.left > 0 {
		s.left--
		return s.show("-", s.number, text)
	}
	if s.before > 0 && !s.silent {
		s.context = append(s.context, text)
		s.context = s.context[max(0, len(s.context)-min(s.before, maxFiles)):]
	}
	return true
}

// hit handles a line that matches.
func (s *grepSearch) hit(line []byte) bool {
	s.count++
	s.found = true
	if s.silent {
		return true
	}
	ok := true
	if s.set['o'] && !s.set['v'] {
		for _, match := range s.pattern.FindAll(line, -1) {
			if len(match) > 0 {
				s.printed = 0
				ok = ok && s.show(":", s.number, string(match))
			}
		}
		return ok
	}
	for i, text := range s.context {
		ok = ok && s.show("-", s.number-len(s.context)+i, text)
	}
	s.context, s.left = nil, s.after
	return ok && s.show(":", s.number, string(line))
}

// grepPattern makes one expression of several patterns in one of the phone's
// notations: basic, extended or fixed text.
func grepPattern(patterns []string, extended, fixed, anyCase, word, whole bool) (*regexp.Regexp, error) {
	var parts []string
	for _, pattern := range patterns {
		switch {
		case fixed:
			pattern = regexp.QuoteMeta(pattern)
		default:
			pattern = translatePattern(pattern, extended)
		}
		if word {
			pattern = `(?:^|\b)(?:` + pattern + `)(?:$|\b)`
		}
		if whole {
			pattern = `^(?:` + pattern + `)$`
		}
		parts = append(parts, "(?:"+pattern+")")
	}
	text := strings.Join(parts, "|")
	if anyCase {
		text = "(?i)" + text
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return compiled, nil
}

// translatePattern writes a POSIX expression in Go's syntax. In a basic one a
// backslash turns characters into operators; in an extended one it is the other way
// round.
func translatePattern(pattern string, extended bool) string {
	var out strings.Builder
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '[':
			end := bracketEnd(pattern, i)
			if end < 0 {
				out.WriteString(`\[`)
				continue
			}
			// Inside brackets, a backslash is an ordinary character.
			inside := strings.ReplaceAll(pattern[i+1:end], `\`, `\\`)
			negated := strings.HasPrefix(inside, "^")
			inside = strings.TrimPrefix(inside, "^")
			if strings.HasPrefix(inside, "]") {
				inside = `\]` + inside[1:]
			}
			out.WriteByte('[')
			if negated {
				out.WriteByte('^')
			}
			out.WriteString(inside)
			out.WriteByte(']')
			i = end
		case c == '\\' && i+1 < len(pattern):
			i++
			next := pattern[i]
			switch {
			case next == '<' || next == '>':
				out.WriteString(`\b`)
			case strings.IndexByte("(){}|+?", next) >= 0:
				if extended {
					out.WriteByte('\\')
				}
				out.WriteByte(next)
			case strings.IndexByte("bBwWsSdD", next) >= 0:
				out.WriteString(`\` + string(next))
			default:
				out.WriteString(regexp.QuoteMeta(string(next)))
			}
		case !extended && strings.IndexByte("(){}|+?", c) >= 0:
			out.WriteString(`\` + string(c))
		case c == '*' && (out.Len() == 0 || !extended && strings.HasSuffix(out.String(), "^")):
			out.WriteString(`\*`)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// bracketEnd is where the bracket expression that begins at i ends, -1 if it does
// not.
func bracketEnd(pattern string, i int) int {
	j := i + 1
	if j < len(pattern) && pattern[j] == '^' {
		j++
	}
	if j < len(pattern) && pattern[j] == ']' {
		j++
	}
	for ; j < len(pattern); j++ {
		if strings.HasPrefix(pattern[j:], "[:") {
			if end := strings.Index(pattern[j:], ":]"); end >= 0 {
				j += end + 1
				continue
			}
		}
		if pattern[j] == ']' {
			return j
		}
	}
	return -1
}

// span is a range of columns, counted from 1; an end of 0 is the end of the line.
type span struct{ from, to int }

func runCut(p *Process) int {
	set, values, names, ok := p.options("sn", "bcfdDO", 0)
	if !ok {
		return 1
	}
	kind := byte(0)
	for _, letter := range []byte("bcf") {
		if set[letter] {
			if kind != 0 {
				return p.Fail("Needs just one of -b, -c and -f")
			}
			kind = letter
		}
	}
	if kind == 0 {
		return p.Fail("Needs -bcf (see \"cut --help\")")
	}
	spans, err := parseSpans(values[kind][0])
	if err != nil {
		return p.Fail("%v", err)
	}
	delimiter := "\t"
	if set['d'] {
		delimiter = values['d'][0]
	}
	if len(delimiter) != 1 {
		return p.Fail("-d: expected one character, got '%s'", delimiter)
	}
	return p.eachInput(names, func(_ string, r io.Reader) error {
		var failure error
		eachLine(r, func(line []byte) bool {
			text := string(line)
			var parts []string
			separator := ""
			switch kind {
			case 'f':
				if !strings.Contains(text, delimiter) {
					if !set['s'] {
						_, failure = io.WriteString(p.Stdout, text+"\n")
					}
					return failure == nil
				}
				parts, separator = strings.Split(text, delimiter), delimiter
			case 'c':
				parts = strings.Split(text, "")
			default:
				for i := range text {
					parts = append(parts, text[i:i+1])
				}
			}
			var out []string
			for i, part := range parts {
				if inSpans(spans, i+1) {
					out = append(out, part)
				}
			}
			_, failure = io.WriteString(p.Stdout, strings.Join(out, separator)+"\n")
			return failure == nil && p.Ctx.Err() == nil
		})
		return failure
	})
}

// parseSpans reads a list such as 1,3-5,7-.
func parseSpans(text string) ([]span, error) {
	var spans []span
	for _, part := range strings.Split(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		s := span{from: 1}
		var err error
		if first != "" {
			s.from, err = strconv.Atoi(first)
		}
		if err == nil && last != "" {
			s.to, err = strconv.Atoi(last)
		}
		if !ranged {
			s.to = s.from
		}
		if err != nil || part == "" || part == "-" || s.from < 1 || s.to != 0 && s.to < s.from {
			return nil, fmt.Errorf("bad range '%s'", part)
		}
		spans = append(spans, s)
	}
	return spans, nil
}

func inSpans(spans []span, n int) bool {
	for _, s := range spans {
		if n >= s.from && (s.to == 0 || n <= s.to) {
			return true
		}
	}
	return false
}
