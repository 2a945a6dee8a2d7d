package sabr

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// sections cuts a file of cases: each begins with a line "= HEAD".
func sections(t *testing.T, file string) (cases [][2]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split("\n"+string(text), "\n= ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		cases = append(cases, [2]string{head, body})
	}
	if len(cases) == 0 {
		t.Fatalf("%s has no cases", file)
	}
	return cases
}

func TestErrors(t *testing.T) {
	for _, c := range sections(t, "testdata/errors.txt") {
		_, err := Parse("x.tb", c[1])
		if err == nil {
			t.Errorf("no error, expected %q, for:\n%s", c[0], c[1])
			continue
		}
		if got := err.Error(); got != "x.tb:"+c[0] {
			t.Errorf("error\n%s\nexpected\nx.tb:%s\nfor:\n%s", got, c[0], c[1])
		}
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("%T, expected *Error", err)
		}
		// The word stands where the error says.
		line := (strings.Split(c[1], "\n"))[e.Line-1]
		if !strings.HasPrefix(line[min(len(line), e.Column-1):], e.Word) {
			t.Errorf("%v: the word %q is not at %d:%d of:\n%s", err, e.Word, e.Line, e.Column, c[1])
		}
	}
}

func TestErrorPlaces(t *testing.T) {
	for _, test := range []struct{ text, expected string }{
		{"Sym { \xff }", `1:7: "\xff" is not a character of the language`},
		{"Sym { \ufffd }", "1:7: \"\ufffd\" is not a character of the language"},
		{"Sym {\r\n\t§ }", `2:2: "§" is not a character of the language`},
		{"Sym\xa0{\xa00\u00a0\u202f@ }", `1:10: "@" is not a character of the language`}, // blanks of pages
		{"Sym { ä ö @", `1:11: "@" is not a character of the language`},                  // columns are characters
	} {
		if _, err := Parse("", test.text); err == nil || err.Error() != test.expected {
			t.Errorf("%q: %v, expected %s", test.text, err, test.expected)
		}
	}
}

// White space is free, and so is where it is left out.
func TestSpacing(t *testing.T) {
	for _, text := range []string{
		"Sym{a b}Sym L{x y}Board{p q:L;.r...s}Start{a!x(a,b)v:(a,!b)}Req(0:0)N:Board{????}AllDif(0){p q}",
		"\ufeffSym { a b } #( one\ntwo #)# Sym L { x ; y ; } # three\nBoard { p q : L ; . r ... s ; } Start { a ; ! x ; ( a , b ) v : ( a , ! b ) ; }" +
			" Req ( 0 : 0 ) N : Board { ? ? ; ? ? } AllDif ( 0 ) { p q ; } # the end",
		"Sym{a\r\nb}\r\nSym\tL{x\vy}Board{p q:L;.r...s;}Start{a!x(a,b)v:(a,!b)}#",
	} {
		list := printed(t, parseText(t, text), Options{}, 0)
		expected := "a y \n. a ... a \n\n|a y \n. b ... a \n\n"
		if got := strings.Join(list, "|"); got != expected {
			t.Errorf("%q prints %q, expected %q", text, got, expected)
		}
	}
}

func TestWarnings(t *testing.T) {
	p, err := Parse("w.tb", `Sym { red blue } Sym L { x }
Board { a b c:L }
Req Board { reed ? red }
Opt Board { v !v ? }  Opt Board { (red,w) ? x }
DesObj Pair { a b }  DesObj Pair { b a }
Trans Pair { v ? => !u v }
Req Pear { red red }  Opt Pear { blue blue }  Obj Pie { p }  Opt Pie { red }`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range p.Warnings() {
		got = append(got, w.Error())
	}
	expected := `w.tb:3:13: "reed" is no symbol, and as a variable it stands in one place only
w.tb:3:20: the cell c can never hold "red": it holds the symbols L
w.tb:4:40: "w" is no symbol, and as a variable it stands in one place only
w.tb:6:22: "u" is no symbol, and as a variable it stands in one place only
w.tb:7:5: no DesObj makes the object "Pear": its rules say nothing
w.tb:7:66: no DesObj makes the object "Pie": its rules say nothing`
	if strings.Join(got, "\n") != expected {
		t.Errorf("warnings:\n%s\nexpected:\n%s", strings.Join(got, "\n"), expected)
	}
}
