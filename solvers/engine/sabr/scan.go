package sabr

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A word is a token: a name, a run of dots, "=>", or one of { } ( ) : ; , ? !.
// At the end of the text it is empty.
type word struct {
	text   string
	line   int
	column int
}

func (w word) isName() bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return w.text != "" && isNameRune(r)
}

func (w word) isDots() bool { return strings.HasPrefix(w.text, ".") }

// quoted is the word as messages show it.
func (w word) quoted() string {
	if w.text == "" {
		return "the end of the program"
	}
	return fmt.Sprintf("%q", w.text)
}

func isNameRune(r rune) bool {
	return r == '-' || r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// isBlank reports whether a character is white space. Programs are pasted from web
// pages, so no-break spaces count, and so does a byte order mark.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }

// latin1NoBreakSpace is a no-break space in a file that is not UTF-8 but
// Latin-1. At the beginning of a character UTF-8 does not have this byte.
const latin1NoBreakSpace = 0xa0

// scanner cuts a text into words.
type scanner struct {
	file   string
	rest   string
	line   int
	column int
}

// take moves past the next n bytes, which must be whole characters.
func (s *scanner) take(n int) {
	for _, r := range s.rest[:n] {
		if r == '\n' {
			s.line++
			s.column = 1
		} else {
			s.column++
		}
	}
	s.rest = s.rest[n:]
}

// skip moves past white space and comments.
func (s *scanner) skip() error {
	for s.rest != "" {
		switch r, size := utf8.DecodeRuneInString(s.rest); {
		case strings.HasPrefix(s.rest, "#("):
			end := strings.Index(s.rest, ")#")
			if end < 0 {
				return &Error{s.file, s.line, s.column, "#(", `the comment "#(" has no ")#"`}
			}
			s.take(end + len(")#"))
		case r == '#':
			end := strings.IndexByte(s.rest, '\n')
			if end < 0 {
				end = len(s.rest)
			}
			s.take(end)
		case isBlank(r) || s.rest[0] == latin1NoBreakSpace:
			s.take(size)
		default:
			return nil
		}
	}
	return nil
}

// scan returns the words of a text, with an empty one at the end.
func scan(file, text string) ([]word, error) {
	s := scanner{file: file, rest: text, line: 1, column: 1}
	var words []word
	for {
		if err := s.skip(); err != nil {
			return nil, err
		}
		w := word{line: s.line, column: s.column}
		if s.rest == "" {
			return append(words, w), nil
		}
		r, size := utf8.DecodeRuneInString(s.rest)
		switch {
		case isNameRune(r):
			size = strings.IndexFunc(s.rest, func(r rune) bool { return !isNameRune(r) })
		case r == '.':
			size = strings.IndexFunc(s.rest, func(r rune) bool { return r != '.' })
		case strings.HasPrefix(s.rest, "=>"):
			size = len("=>")
		case !strings.ContainsRune("{}():;,?!", r) || r == utf8.RuneError:
			w.text = s.rest[:size]
			return nil, &Error{s.file, w.line, w.column, w.text, fmt.Sprintf("%q is not a character of the language", w.text)}
		}
		if size < 0 {
			size = len(s.rest)
		}
		w.text = s.rest[:size]
		words = append(words, w)
		s.take(size)
	}
}
