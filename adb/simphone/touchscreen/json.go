package touchscreen

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The ways that reading goes wrong. They differ in what Android's commands do then:
// after an errState the object is skipped; a syntax error or the end of the input
// inside an object ends the reading; an errArgument ends the process.
var (
	errState    = errors.New("illegal state")
	errNumber   = errors.New("not a number")
	errArgument = errors.New("illegal argument")
)

type token int

const (
	tokenNone token = iota // not yet looked at
	tokenBeginObject
	tokenEndObject
	tokenBeginArray
	tokenEndArray
	tokenName
	tokenString
	tokenNumber
	tokenWord // true, false, null
	tokenEnd  // of the input
)

func (t token) String() string {
	return [...]string{"nothing", "BEGIN_OBJECT", "END_OBJECT", "BEGIN_ARRAY", "END_ARRAY", "NAME", "STRING", "NUMBER", "BOOLEAN", "END_DOCUMENT"}[t]
}

// scope is where the reader is in the text.
type scope int

const (
	scopeTop scope = iota
	scopeEmptyArray
	scopeArray
	scopeEmptyObject
	scopeObject
	scopeName // a name was read, its value is next
)

// Bounds on JSON from a peer.
const (
	maxDepth   = 32      // objects and arrays in one another
	maxLiteral = 4 << 10 // bytes of a string or number
	maxNumbers = 4 << 10 // in an array
)

// jsonReader reads JSON values one after the other, token by token, as Android's
// android.util.JsonReader does in its lenient mode: with comments, with names and
// strings that have single quotes or none, with = and => for : and ; for a comma. It never
// reads beyond the token it was asked for.
type jsonReader struct {
	in    *bufio.Reader
	scope []scope
	token token
	text  string // of a name, string, number or word
}

func newJSONReader(r io.Reader) *jsonReader {
	return &jsonReader{in: bufio.NewReader(r), scope: []scope{scopeTop}}
}

func (r *jsonReader) top() *scope { return &r.scope[len(r.scope)-1] }

// peek looks at the next token. Its errors end the reading for good.
func (r *jsonReader) peek() (token, error) {
	if r.token != tokenNone {
		return r.token, nil
	}
	var err error
	switch *r.top() {
	case scopeTop:
		var c byte
		if c, err = r.skipBlanks(); err == io.EOF {
			r.token = tokenEnd
			return r.token, nil
		}
		if err == nil {
			err = r.value(c)
		}
	case scopeEmptyArray, scopeArray:
		err = r.element()
	case scopeEmptyObject, scopeObject:
		err = r.name()
	case scopeName:
		err = r.nameValue()
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return r.token, err
}

// element finds the next token of an array.
func (r *jsonReader) element() error {
	c, err := r.skipBlanks()
	if err != nil {
		return err
	}
	if c == ']' {
		r.token = tokenEndArray
		return nil
	}
	if *r.top() == scopeArray {
		if c != ',' && c != ';' {
			return fmt.Errorf("unterminated array before %q", c)
		}
		if c, err = r.skipBlanks(); err != nil {
			return err
		}
	}
	*r.top() = scopeArray
	if c == ',' || c == ';' || c == ']' { // lenient: a value that is left out is null
		r.in.UnreadByte()
		r.token, r.text = tokenWord, "null"
		return nil
	}
	return r.value(c)
}

// name finds the next name of an object.
func (r *jsonReader) name() error {
	c, err := r.skipBlanks()
	if err != nil {
		return err
	}
	if c == '}' {
		r.token = tokenEndObject
		return nil
	}
	if *r.top() == scopeObject {
		if c != ',' && c != ';' {
			return fmt.Errorf("unterminated object before %q", c)
		}
		if c, err = r.skipBlanks(); err != nil {
			return err
		}
	}
	if c == '"' || c == '\'' {
		r.text, err = r.quoted(c)
	} else {
		r.text, err = r.literal(c)
	}
	if err == nil && r.text == "" {
		err = errors.New("expected name")
	}
	if err != nil {
		return err
	}
	*r.top() = scopeName
	r.token = tokenName
	return nil
}

// nameValue finds the value after a name.
func (r *jsonReader) nameValue() error {
	c, err := r.skipBlanks()
	if err != nil {
		return err
	}
	if c != ':' && c != '=' {
		return fmt.Errorf("expected ':' before %q", c)
	}
	if next, err := r.in.Peek(1); c == '=' && err == nil && next[0] == '>' {
		r.in.ReadByte()
	}
	if c, err = r.skipBlanks(); err != nil {
		return err
	}
	*r.top() = scopeObject
	return r.value(c)
}

// value finds the token of a value that begins with c.
func (r *jsonReader) value(c byte) (err error) {
	switch c {
	case '{', '[':
		if len(r.scope) > maxDepth {
			return fmt.Errorf("more than %d levels", maxDepth)
		}
		if c == '{' {
			r.token, r.scope = tokenBeginObject, append(r.scope, scopeEmptyObject)
		} else {
			r.token, r.scope = tokenBeginArray, append(r.scope, scopeEmptyArray)
		}
		return nil
	case '"', '\'':
		r.token = tokenString
		r.text, err = r.quoted(c)
		return err
	}
	if r.text, err = r.literal(c); err != nil {
		return err
	}
	switch strings.ToLower(r.text) {
	case "":
		return fmt.Errorf("expected literal value before %q", c)
	case "null", "true", "false":
		r.token = tokenWord
		return nil
	}
	r.token = tokenString
	if _, err := strconv.ParseFloat(r.text, 64); err == nil && strings.Trim(r.text, "+-.0123456789eE") == "" {
		r.token = tokenNumber
	}
	return nil
}

// skipBlanks returns the next byte that is neither blank nor in a comment.
func (r *jsonReader) skipBlanks() (byte, error) {
	for {
		c, err := r.in.ReadByte()
		if err != nil {
			return 0, err
		}
		switch c {
		case ' ', '\t', '\r', '\n':
		case '#':
			if _, err := r.until("\n"); err != nil {
				return 0, err
			}
		case '/':
			if err := r.comment(); err != nil {
				return 0, err
			}
		default:
			return c, nil
		}
	}
}

// comment skips the rest of a comment that began with a slash.
func (r *jsonReader) comment() error {
	c, err := r.in.ReadByte()
	if err != nil {
		return err
	}
	switch c {
	case '/':
		_, err = r.until("\n")
		return err
	case '*':
		_, err = r.until("*/")
		return err
	}
	return fmt.Errorf("unexpected '/' before %q", c)
}

// until skips everything up to and with a text.
func (r *jsonReader) until(end string) (skipped int, err error) {
	matched := 0
	for matched < len(end) {
		c, err := r.in.ReadByte()
		if err != nil {
			return skipped, err
		}
		skipped++
		switch {
		case c == end[matched]:
			matched++
		case c == end[0]:
			matched = 1
		default:
			matched = 0
		}
	}
	return skipped, nil
}

// quoted reads a string up to its closing quote.
func (r *jsonReader) quoted(quote byte) (string, error) {
	var text []byte
	for {
		c, err := r.in.ReadByte()
		if err != nil {
			return "", err
		}
		switch {
		case c == quote:
			return string(text), nil
		case len(text) >= maxLiteral:
			return "", fmt.Errorf("string of more than %d bytes", maxLiteral)
		case c == '\\':
			if text, err = r.escape(text); err != nil {
				return "", err
			}
		default:
			text = append(text, c)
		}
	}
}

// escape reads what follows a backslash.
func (r *jsonReader) escape(text []byte) ([]byte, error) {
	c, err := r.in.ReadByte()
	if err != nil {
		return text, err
	}
	switch c {
	case 'u':
		var hex [4]byte
		if _, err := io.ReadFull(r.in, hex[:]); err != nil {
			return text, err
		}
		value, err := strconv.ParseUint(string(hex[:]), 16, 16)
		if err != nil {
			return text, fmt.Errorf("\\u%s: not a number", hex[:])
		}
		return append(text, string(rune(value))...), nil
	case 't':
		c = '\t'
	case 'b':
		c = '\b'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 'f':
		c = '\f'
	}
	return append(text, c), nil
}

// literal reads a value or a name without quotes that begins with c. What ends it
// stays unread.
func (r *jsonReader) literal(c byte) (string, error) {
	var text []byte
	for {
		if strings.IndexByte("/\\;#={}[]:, \t\f\r\n", c) >= 0 {
			r.in.UnreadByte()
			return string(text), nil
		}
		if len(text) >= maxLiteral {
			return "", fmt.Errorf("literal of more than %d bytes", maxLiteral)
		}
		text = append(text, c)
		var err error
		if c, err = r.in.ReadByte(); err == io.EOF {
			return string(text), nil
		} else if err != nil {
			return "", err
		}
	}
}

// take consumes the next token, which has to be the one expected.
func (r *jsonReader) take(expected token) error {
	got, err := r.peek()
	if err != nil {
		return err
	}
	if got != expected {
		return fmt.Errorf("%w: expected %v but was %v", errState, expected, got)
	}
	r.advance()
	return nil
}

// advance consumes the token that was looked at.
func (r *jsonReader) advance() {
	if r.token == tokenEndObject || r.token == tokenEndArray {
		r.scope = r.scope[:len(r.scope)-1]
	}
	r.token = tokenNone
}

// more reports whether the object or array goes on.
func (r *jsonReader) more() (bool, error) {
	t, err := r.peek()
	return t != tokenEndObject && t != tokenEndArray, err
}

func (r *jsonReader) nextName() (string, error) {
	if err := r.take(tokenName); err != nil {
		return "", err
	}
	return r.text, nil
}

// nextString takes a string or a number.
func (r *jsonReader) nextString() (string, error) {
	t, err := r.peek()
	if err != nil {
		return "", err
	}
	if t != tokenString && t != tokenNumber {
		return "", fmt.Errorf("%w: expected a string but was %v", errState, t)
	}
	r.advance()
	return r.text, nil
}

// nextInt takes an integer of 32 bits, decimal, hexadecimal after 0x or #, or octal
// after 0.
func (r *jsonReader) nextInt() (int32, error) {
	text, err := r.nextString()
	if err != nil {
		return 0, err
	}
	return decodeInteger(text)
}

func decodeInteger(text string) (int32, error) {
	rest, negative := text, false
	switch {
	case strings.HasPrefix(rest, "-"):
		rest, negative = rest[1:], true
	case strings.HasPrefix(rest, "+"):
		rest = rest[1:]
	}
	base := 10
	switch {
	case strings.HasPrefix(rest, "0x"), strings.HasPrefix(rest, "0X"):
		rest, base = rest[2:], 16
	case strings.HasPrefix(rest, "#"):
		rest, base = rest[1:], 16
	case strings.HasPrefix(rest, "0") && len(rest) > 1:
		rest, base = rest[1:], 8
	}
	if negative {
		rest = "-" + rest
	} else if strings.HasPrefix(rest, "-") {
		return 0, fmt.Errorf("%w: %q", errNumber, text)
	}
	value, err := strconv.ParseInt(rest, base, 32)
	if err != nil {
		return 0, fmt.Errorf("%w: %q", errNumber, text)
	}
	return int32(value), nil
}

// skipValue skips a value with everything in it.
func (r *jsonReader) skipValue() error {
	depth := 0
	for {
		t, err := r.peek()
		if err != nil {
			return err
		}
		if t == tokenEnd || depth == 0 && (t == tokenEndObject || t == tokenEndArray) {
			return fmt.Errorf("%w: no element left to skip", errState)
		}
		switch t {
		case tokenBeginObject, tokenBeginArray:
			depth++
		case tokenEndObject, tokenEndArray:
			depth--
		}
		r.advance()
		if depth == 0 && t != tokenName {
			return nil
		}
	}
}

// skipRest skips what is left of the object or array that the reader is in.
func (r *jsonReader) skipRest() error {
	for {
		more, err := r.more()
		if err != nil || !more {
			return err
		}
		if err := r.skipValue(); err != nil {
			return err
		}
	}
}

// leave mends a failure inside an object or array, as Android does: what is left is
// skipped, the end is taken, and the failure becomes an errState. When the reader is
// in another kind of value than the end belongs to, that is the failure.
func (r *jsonReader) leave(end token, failure error) error {
	if !errors.Is(failure, errState) && !errors.Is(failure, errNumber) {
		return failure
	}
	if err := r.skipRest(); err != nil {
		return err
	}
	if err := r.take(end); err != nil {
		return err
	}
	return fmt.Errorf("%w: encountered malformed data: %v", errState, failure)
}

// array reads an array, whose elements f takes.
func (r *jsonReader) array(f func() error) error {
	err := r.take(tokenBeginArray)
	for err == nil {
		var more bool
		if more, err = r.more(); err == nil && !more {
			if err = r.take(tokenEndArray); err == nil {
				return nil
			}
		}
		if err == nil {
			err = f()
		}
	}
	return r.leave(tokenEndArray, err)
}

// members reads an object, whose values f takes by their names.
func (r *jsonReader) members(f func(name string) error) error {
	if err := r.take(tokenBeginObject); err != nil {
		return err
	}
	for {
		more, err := r.more()
		if err != nil {
			return err
		}
		if !more {
			return r.take(tokenEndObject)
		}
		name, err := r.nextName()
		if err != nil {
			return err
		}
		if err := f(name); err != nil {
			return err
		}
	}
}

// fields is members for an object that must have no others. f returns false for a name
// that it does not know.
func (r *jsonReader) fields(f func(name string) (bool, error)) error {
	return r.members(func(name string) error {
		known, err := f(name)
		if err != nil || known {
			return err
		}
		if err := r.skipRest(); err != nil {
			return err
		}
		if err := r.take(tokenEndObject); err != nil {
			return err
		}
		return fmt.Errorf("%w: invalid key %q", errState, name)
	})
}

// numbers reads an array of integers.
func (r *jsonReader) numbers() ([]int32, error) {
	list := []int32{}
	err := r.array(func() error {
		value, err := r.nextInt()
		if len(list) >= maxNumbers {
			return fmt.Errorf("array of more than %d numbers", maxNumbers)
		}
		list = append(list, value)
		return err
	})
	return list, err
}
