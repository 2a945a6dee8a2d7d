package glyphs

import (
	"strings"
	"testing"
)

// TestModelText reads the model that comes along and prints it again.
func TestModelText(t *testing.T) {
	m, err := ParseModel(modelText)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseModel(m.String())
	if err != nil {
		t.Fatal(err)
	}
	if again.String() != m.String() {
		t.Error("the model is printed in two ways")
	}
	if len(modelText) > 100_000 {
		t.Errorf("%d bytes, expected at most 100,000", len(modelText))
	}
	for figure, far := range m.Far {
		kept := 0
		for _, k := range m.Kept {
			if k.Figure == figure {
				kept++
			}
		}
		if kept == 0 || far <= 0 {
			t.Errorf("figure %d: %d kept shapes, limit %g, expected some and a limit", figure, kept, far)
		}
	}
}

func TestModelRefused(t *testing.T) {
	first, _, _ := strings.Cut(modelText, "\n")
	for _, test := range []struct{ name, old, new, want string }{
		{"empty", modelText, "", "0 networks"},
		{"name", "hidden", "seen", `line 1: "seen`},
		{"columns", first, "hidden 56 7", "56 rows and 7 columns"},
		{"rows", first, "hidden 100000 226", "1 to 4096"},
		{"fewer rows", first, "hidden 55 226", "expected base64"},
		{"more rows", first, "hidden 57 226", "expected base64"},
		{"base64", first + "\n", first + "\n!", "expected base64"},
		{"figure", "far 9 ", "far 10 ", "expected hidden or far"},
		{"end", modelText[len(modelText)-200:], "", "bytes, expected"},
	} {
		_, err := ParseModel(strings.Replace(modelText, test.old, test.new, 1))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, expected one with %q", test.name, err, test.want)
		}
	}
}

func FuzzParseModel(f *testing.F) {
	f.Add("hidden 1 226\nAAAA\n")
	f.Add("far 0 1\nkept 1 225\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseModel(text)
		if err != nil {
			return
		}
		again, err := ParseModel(m.String())
		if err != nil || len(again.Kept) != len(m.Kept) || len(again.Nets) != len(m.Nets) {
			t.Fatalf("%v from %q", err, text)
		}
	})
}

// TestBitten draws plates: what reaches in from the rim is told from what does not.
func TestBitten(t *testing.T) {
	for name, test := range map[string]struct {
		rows []string
		want bool
	}{
		"square":  {[]string{"#####", "#####", "#####", "#####"}, false},
		"disc":    {[]string{"..###..", ".#####.", "#######", "#######", ".#####.", "..###.."}, false},
		"gap":     {[]string{"##########", "##..######", "##..######", "##########"}, true},
		"side":    {[]string{"########", "####....", "####....", "########"}, true},
		"nothing": {[]string{"####", "....", "####"}, true},
	} {
		var mask []uint8
		for _, row := range test.rows {
			for _, c := range row {
				mask = append(mask, map[rune]uint8{'#': set}[c])
			}
		}
		if got := bitten(mask, len(test.rows[0]), 1.5); got != test.want {
			t.Errorf("%s: %v, expected %v", name, got, test.want)
		}
	}
}
