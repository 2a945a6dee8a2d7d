package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for _, test := range []struct{ text, want, cell string }{
		{"plain text, ¿größer? 漢字 👆", "plain text, ¿größer? 漢字 👆", "plain text, ¿größer? 漢字 👆"},
		{"AB\n.B\n", "AB\n.B\n", `AB\u000a.B\u000a`},
		{"a\tb", "a\tb", `a\u0009b`},
		{"\x1b[31mred\x1b]0;title\a", `\u001b[31mred\u001b]0;title\u0007`, `\u001b[31mred\u001b]0;title\u0007`},
		{"over\rwritten\b\v\f\x00\x7f", `over\u000dwritten\u0008\u000b\u000c\u0000\u007f`, `over\u000dwritten\u0008\u000b\u000c\u0000\u007f`},
		{"eight bits: \u009b31m", `eight bits: \u009b31m`, `eight bits: \u009b31m`},
		{"no UTF-8: \x9b31m\xff", `no UTF-8: \x9b31m\xff`, `no UTF-8: \x9b31m\xff`},
		{"\u202egnp.exe\u2066\u2069\u200f", `\u202egnp.exe\u2066\u2069\u200f`, `\u202egnp.exe\u2066\u2069\u200f`},
	} {
		if got := cleaned(t, []byte(test.text)); got != test.want {
			t.Errorf("%q is printed as %q, expected %q", test.text, got, test.want)
		}
		if got := OneLine(test.text); got != test.cell {
			t.Errorf("%q is the cell %q, expected %q", test.text, got, test.cell)
		}
	}
}

// cleaned is what comes out of an output for writes, cut as they are.
func cleaned(t *testing.T, writes ...[]byte) string {
	t.Helper()
	var printed bytes.Buffer
	o := NewOutput(&printed, nil)
	for _, text := range writes {
		if n, err := o.Write(text); n != len(text) || err != nil {
			t.Fatalf("wrote %d of %d bytes, %v", n, len(text), err)
		}
	}
	if err := o.Flush(); err != nil {
		t.Fatal(err)
	}
	return printed.String()
}

// FuzzClean prints arbitrary text in two writes: a terminal gets nothing to
// obey, where the text is cut does not matter, good text stays as it is, and a
// line of JSON still says the same.
func FuzzClean(f *testing.F) {
	f.Add("AB\n\x1b[2J\u009b\u202e\xff👆", 5)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		whole := cleaned(t, []byte(text))
		cut = min(max(cut, 0), len(text))
		if parts := cleaned(t, []byte(text[:cut]), []byte(text[cut:])); parts != whole {
			t.Errorf("%q cut at %d is printed as %q, in one as %q", text, cut, parts, whole)
		}
		if bad := obeyed(whole); bad != "" {
			t.Errorf("%q is printed with %s: %q", text, bad, whole)
		}
		if obeyed(text) == "" && whole != text {
			t.Errorf("%q is harmless, and printed as %q", text, whole)
		}
		line, err := json.Marshal(map[string]string{text: text})
		if err != nil {
			t.Fatal(err)
		}
		var want, got map[string]string
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		printed := cleaned(t, line)
		if err := json.Unmarshal([]byte(printed), &got); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the JSON %s is printed as %s: %v", line, printed, err)
		}
	})
}

// obeyed names the first thing in text that a terminal obeys, by code ranges of
// its own.
func obeyed(text string) string {
	if !utf8.ValidString(text) {
		return "what is no UTF-8"
	}
	for _, r := range text {
		switch {
		case r == '\n', r == '\t':
		case r < 0x20, r >= 0x7f && r <= 0x9f:
			return fmt.Sprintf("the control character U+%04X", r)
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
			return fmt.Sprintf("the direction mark U+%04X", r)
		}
	}
	return ""
}

// TestRaw wants what the program itself tells a terminal to arrive as it is.
func TestRaw(t *testing.T) {
	var printed bytes.Buffer
	o := NewOutput(&printed, nil)
	fmt.Fprintf(Raw(o), "\x1b[%dA", 2)
	fmt.Fprint(o, "\x1b")
	if want := "\x1b[2A\\u001b"; printed.String() != want {
		t.Errorf("printed %q, expected %q", printed.String(), want)
	}
	if Underlying(Raw(o)) != io.Writer(&printed) || Underlying(o) != io.Writer(&printed) {
		t.Error("what lies under an output is not what it prints to")
	}
}
