package touchscreen

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Bounds on the input of uinput and hid.
const (
	maxObject  = 256 << 10 // bytes of an object
	maxNumbers = 4 << 10   // in a list
)

// errState is the error of an object that makes no sense, which is skipped; any other
// error of reading ends it.
var errState = errors.New("illegal state")

// readJSON reads the next value into target, and nothing beyond it. Like Android's
// reader it knows comments, and numbers that are hexadecimal or octal, which Android's
// own scripts have; of its other liberties, such as names without quotes, it knows none.
func readJSON(in *bufio.Reader, target any) error {
	text, err := strictJSON(in)
	if err != nil {
		return err
	}
	err = json.Unmarshal(text, target)
	var mistaken *json.UnmarshalTypeError
	if errors.As(err, &mistaken) {
		return fmt.Errorf("%w: %v", errState, err)
	}
	return err
}

// strictJSON is the text of the next value, in JSON. The error is io.EOF only before it.
func strictJSON(in *bufio.Reader) (text []byte, err error) {
	depth := 0
	for err == nil && (len(text) == 0 || depth > 0) {
		var c byte
		if c, err = skipBlanks(in); err != nil {
			break
		}
		switch c {
		case '{', '[':
			depth++
			text = append(text, c)
		case '}', ']':
			depth--
			text = append(text, c)
		case ',', ':':
			text = append(text, c)
		case '"':
			text, err = appendString(in, append(text, c))
		default:
			text, err = appendLiteral(in, text, c)
		}
		if len(text) > maxObject {
			return nil, fmt.Errorf("object of more than %d bytes", maxObject)
		}
	}
	if err == io.EOF && len(text) > 0 {
		err = io.ErrUnexpectedEOF
	}
	return text, err
}

// skipBlanks returns the next byte that is neither blank nor in a comment.
func skipBlanks(in *bufio.Reader) (byte, error) {
	for {
		c, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		end := ""
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		case '#':
			end = "\n"
		case '/':
			second, err := in.ReadByte()
			switch {
			case err != nil:
				return 0, err
			case second == '/':
				end = "\n"
			case second == '*':
				end = "*/"
			default:
				return 0, fmt.Errorf("unexpected '/' before %q", second)
			}
		default:
			return c, nil
		}
		if err := skipPast(in, end); err != nil {
			return 0, err
		}
	}
}

// skipPast skips everything up to and with a text of one or two bytes.
func skipPast(in *bufio.Reader, end string) error {
	for before := byte(0); ; {
		c, err := in.ReadByte()
		if err != nil || c == end[len(end)-1] && (len(end) == 1 || before == end[0]) {
			return err
		}
		before = c
	}
}

// appendString adds the rest of a string, up to its closing quote.
func appendString(in *bufio.Reader, text []byte) ([]byte, error) {
	for escaped := false; len(text) <= maxObject; {
		c, err := in.ReadByte()
		if err != nil {
			return text, err
		}
		text = append(text, c)
		if c == '"' && !escaped {
			break
		}
		escaped = c == '\\' && !escaped
	}
	return text, nil
}

// appendLiteral adds a word that begins with c, whose end stays unread. A number becomes
// decimal.
func appendLiteral(in *bufio.Reader, text []byte, c byte) ([]byte, error) {
	word, err := []byte{c}, error(nil)
	for len(word) <= maxObject {
		if c, err = in.ReadByte(); err != nil || bytes.IndexByte([]byte("/#{}[],:\" \t\f\r\n"), c) >= 0 {
			break
		}
		word = append(word, c)
	}
	if err == nil {
		err = in.UnreadByte()
	}
	if err == io.EOF { // the next read finds it again
		err = nil
	}
	if number, failure := strconv.ParseInt(string(word), 0, 64); failure == nil && !strings.ContainsRune(string(word), '_') {
		word = strconv.AppendInt(nil, number, 10)
	}
	return append(text, word...), err
}

// numbers is a list of integers.
type numbers []int32

func (n *numbers) UnmarshalJSON(text []byte) error {
	var list []int32
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	if len(list) > maxNumbers {
		return fmt.Errorf("array of more than %d numbers", maxNumbers)
	}
	*n = list
	return nil
}

// octets is a list of numbers from 0 to 255.
type octets []byte

func (o *octets) UnmarshalJSON(text []byte) error {
	var list numbers
	if err := json.Unmarshal(text, &list); err != nil || list == nil {
		return err
	}
	*o = make([]byte, len(list))
	for i, value := range list {
		if value&0xff != value {
			return fmt.Errorf("%w: invalid data, all values must be byte-sized", errState)
		}
		(*o)[i] = byte(value)
	}
	return nil
}
