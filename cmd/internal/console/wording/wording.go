// Package wording words errors for people: without the jargon of the libraries that they come
// from, and with values from elsewhere cut to a readable length.
//
//	fmt.Fprintf(os.Stderr, "tapwise: %s\n", wording.Of(err))
package wording

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// Of words an error for a person or for the "error" of a line of JSON.
func Of(err error) string {
	text := err.Error()
	for e := range all(err) {
		// Also what was made a text on the way is found so.
		if before, after, found := strings.Cut(text, e.Error()); found && e.Error() != "" {
			if words, known := ofLibrary(e, before); known {
				text = before + words + after
			}
		}
	}
	for _, r := range remains {
		text = r.pattern.ReplaceAllString(text, r.words)
	}
	return Cut(text)
}

// Attr tells the errors among the attributes of a line of the log, for
// [slog.HandlerOptions].
func Attr(_ []string, a slog.Attr) slog.Attr {
	switch value := a.Value.Any().(type) {
	case error:
		a.Value = slog.StringValue(Of(value))
	case string:
		a.Value = slog.StringValue(Cut(value))
	}
	return a
}

// all yields an error and those that it wraps, an error before what it wraps.
func all(err error) func(yield func(error) bool) {
	return func(yield func(error) bool) { walk(err, yield) }
}

// walk calls yield until that returns false.
func walk(err error, yield func(error) bool) bool {
	if err == nil {
		return true
	}
	if !yield(err) {
		return false
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return walk(e.Unwrap(), yield)
	case interface{ Unwrap() []error }:
		for _, wrapped := range e.Unwrap() {
			if !walk(wrapped, yield) {
				return false
			}
		}
	}
	return true
}

// ofLibrary tells an error of Go's libraries, where it is one that says more than its
// cause; before is what the message says until then.
func ofLibrary(err error, before string) (words string, known bool) {
	about := func(what string, cause error) string {
		if what == "" || strings.Contains(before, what) {
			return cause.Error()
		}
		return what + ": " + cause.Error()
	}
	switch e := err.(type) {
	case *fs.PathError:
		return about(e.Path, e.Err), true
	case *os.LinkError:
		return about(e.New, e.Err), true
	case *os.SyscallError:
		return e.Err.Error(), true
	case *exec.Error:
		return fmt.Sprintf("%s: no such program on the PATH", e.Name), errors.Is(e.Err, exec.ErrNotFound)
	case *url.Error:
		return about(e.URL, e.Err), true
	case *net.OpError:
		switch {
		case e.Op == "listen" && e.Addr != nil:
			return fmt.Sprintf("cannot listen on %s: %v", e.Addr, e.Err), true
		case e.Addr == nil:
			return e.Err.Error(), true
		}
		return about(e.Addr.String(), e.Err), true
	case *net.DNSError:
		if e.IsNotFound {
			return fmt.Sprintf("no host is called %s", e.Name), true
		}
		return fmt.Sprintf("the address of %s cannot be found out", e.Name), true
	case *net.AddrError:
		return fmt.Sprintf("%q is no address, expected HOST:PORT", e.Addr), true
	case *json.UnmarshalTypeError:
		return fmt.Sprintf("%s at byte %d does not belong there", e.Value, e.Offset), true
	case *json.SyntaxError:
		if strings.HasSuffix(e.Error(), "end of JSON input") {
			return "it ends too early", true
		}
		return fmt.Sprintf("no JSON at byte %d", e.Offset), true
	}
	switch err {
	case io.ErrUnexpectedEOF:
		return "it ends too early", true
	case io.EOF:
		return "it ended", true
	case context.DeadlineExceeded:
		return "out of time", true
	case os.ErrDeadlineExceeded:
		return "no answer in time", true
	}
	return "", false
}

// remains are words of libraries in messages whose error is no value any more, and what is
// said in their place.
var remains = []struct {
	pattern *regexp.Regexp
	words   string
}{
	{regexp.MustCompile(`strconv\.\w+: parsing ("(?:[^"\\]|\\.)*"): invalid syntax`), "$1 is no number"},
	{regexp.MustCompile(`strconv\.\w+: parsing ("(?:[^"\\]|\\.)*"): value out of range`), "$1 is too large a number"},
	{regexp.MustCompile(`\b(?:dial|read|write) (?:tcp|udp|unix)\d?(?: \S+->\S+| \S+:\d+)?: (?:connect: |read: |write: )?`), ""},
	{regexp.MustCompile(`\blookup (\S+?)(?: on \S+)?: (?:no such host|server misbehaving|i/o timeout)`), "no host is called $1"},
	{regexp.MustCompile(`(?: \(\d+\))? \(SQLITE_\w+\)`), ""},
	{regexp.MustCompile(`(^|: )(?:nats|yaml|json|nkeys|tls|x509|http|net/http|png|jpeg|gif|image|[gz]z?ip|zlib|flate|base64|encoding/hex): `), "$1"},
	{regexp.MustCompile(`\bi/o timeout\b`), "no answer in time"},
	{regexp.MustCompile(`\bcontext deadline exceeded\b`), "out of time"},
	{regexp.MustCompile(`\bcontext canceled\b`), "interrupted"},
	{regexp.MustCompile(`\bunexpected EOF\b`), "it ends too early"},
	{regexp.MustCompile(`(^|: )EOF$`), "${1}it ended"},
}

// How much is shown of a value in quotes, of a word, and of a line, in characters.
const (
	mostQuoted = 80
	mostWord   = 240
	mostLine   = 2000
)

// Cut shortens long parts of a message: values in quotes, words such as names of files, and
// lines. It says how long they were.
func Cut(text string) string {
	if len(text) <= mostQuoted {
		return text
	}
	text = quoted.ReplaceAllStringFunc(text, func(value string) string {
		inside := []rune(value[1 : len(value)-1])
		if len(inside) <= mostQuoted {
			return value
		}
		return `"` + cutEscape.ReplaceAllString(string(inside[:mostQuoted-20]), "") + fmt.Sprintf(`…" (%d characters)`, len(inside))
	})
	text = longWord.ReplaceAllStringFunc(text, func(value string) string { return middle(value, mostWord) })
	if len(text) <= mostLine {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = middle(line, mostLine)
	}
	return strings.Join(lines, "\n")
}

// middle leaves the middle of a long text out.
func middle(text string, most int) string {
	all := []rune(text)
	if len(all) <= most {
		return text
	}
	return string(all[:most/2]) + fmt.Sprintf("…(%d characters)…", len(all)-most/2-most/4) + string(all[len(all)-most/4:])
}

var (
	quoted    = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)                            // a value as %q writes it
	cutEscape = regexp.MustCompile(`\\(x[0-9a-f]?|u[0-9a-f]{0,3}|U[0-9a-f]{0,7})?$`) // the beginning of an escape sequence in it
	longWord  = regexp.MustCompile(`\S{200,}`)
)
