package shell

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// maxLine bounds the lines, in bytes, that commands take apart.
const maxLine = 1 << 20

// Options takes options off the arguments of a command, as getopt does: those in
// flags stand alone, those in valued take a value. Letters come in any order and
// may be joined. It is not ok, and the command's error printed, when they are wrong or
// fewer than least arguments are left.
func (p *Process) Options(flags, valued string, least int) (set map[byte]bool, values map[byte][]string, rest []string, ok bool) {
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

// errEnough ends a search that has found what it looks for.
var errEnough = errors.New("enough is found")

// runGrep searches lines. Of several files it names each.
func runGrep(p *Process) int {
	const failed = 2
	set, values, names, ok := p.Options("EFcinoqv", "em", 0)
	if !ok {
		return failed
	}
	patterns := values['e']
	if len(patterns) == 0 {
		if len(names) == 0 {
			p.Fail("no REGEX")
			return failed
		}
		patterns, names = strings.Split(names[0], "\n"), names[1:]
	}
	pattern, err := grepPattern(patterns, set['E'], set['F'], set['i'])
	if err != nil {
		p.Fail("bad REGEX '%s': %v", strings.Join(patterns, "\n"), err)
		return failed
	}
	most := -1 // lines to find in each file; -1: all
	if set['m'] {
		if most, err = strconv.Atoi(values['m'][0]); err != nil || most < 0 {
			p.Fail("not a number: '%s'", values['m'][0])
			return failed
		}
	}
	found := false
	status := p.eachInput(names, func(name string, r io.Reader) error {
		label := ""
		if len(names) > 1 {
			label = name + ":"
		}
		count := 0
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxLine)
		for number := 1; count != most && lines.Scan(); number++ {
			line := lines.Bytes()
			if pattern.Match(line) == set['v'] {
				continue
			}
			count++
			found = true
			if set['q'] {
				return errEnough
			}
			prefix := label
			if set['n'] {
				prefix += strconv.Itoa(number) + ":"
			}
			if err := p.showFound(prefix, line, pattern, set); err != nil {
				return err
			}
		}
		if set['c'] {
			p.Printf("%s%d\n", label, count)
		}
		return p.Ctx.Err()
	})
	switch {
	case found && (status == 0 || set['q']):
		return 0
	case status != 0:
		return failed
	}
	return 1
}

// showFound prints a line that was found, or with -o the parts that match.
func (p *Process) showFound(prefix string, line []byte, pattern *regexp.Regexp, set map[byte]bool) error {
	parts := [][]byte{line}
	switch {
	case set['c']:
		return nil
	case set['o'] && !set['v']:
		parts = pattern.FindAll(line, -1)
	}
	for _, part := range parts {
		if len(part) > 0 || !set['o'] {
			if _, err := fmt.Fprintf(p.Stdout, "%s%s\n", prefix, part); err != nil {
				return err
			}
		}
	}
	return nil
}

// grepPattern makes one expression of several patterns in one of the phone's
// notations: basic, extended or fixed text.
func grepPattern(patterns []string, extended, fixed, anyCase bool) (*regexp.Regexp, error) {
	var parts []string
	for _, pattern := range patterns {
		if fixed {
			pattern = regexp.QuoteMeta(pattern)
		} else {
			pattern = translatePattern(pattern, extended)
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
