package glyphs

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// TestModel unpacks the model that comes along and packs it again.
func TestModel(t *testing.T) {
	m, err := Unpack(modelData)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Unpack(m.Pack())
	if err != nil {
		t.Fatal(err)
	}
	var s Shape
	for i := range s.Grid {
		s.Grid[i] = float32(i % 7)
	}
	for i := range m {
		for c, p := range again[i].Run(&s).Likely {
			if math.Abs(p-m[i].Run(&s).Likely[c]) > 1e-4 {
				t.Errorf("network %d, class %d: %g after it was packed again", i, c, p)
			}
		}
	}
	if len(modelData) > 60_000 {
		t.Errorf("%d bytes, expected at most 60,000", len(modelData))
	}
}

func TestModelRefused(t *testing.T) {
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"empty":   {nil, "no network"},
		"columns": {[]byte{10, 0, 7, 0}, "network 1, layer 1: 10 rows and 7 columns, expected 10"},
		"rows":    {[]byte{0, 0, 10, 0}, "0 rows"},
		"end":     {modelData[:len(modelData)-1], "network 2, layer 4: unexpected EOF"},
		"more":    {append(bytes.Clone(modelData), 0), "network 3, layer 1: unexpected EOF"},
	} {
		if _, err := Unpack(test.data); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, expected one with %q", name, err, test.want)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{1, 0, 10, 0, 0, 0, 128, 63, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Unpack(data)
		if err != nil {
			return
		}
		if again, err := Unpack(m.Pack()); err != nil || len(again) != len(m) {
			t.Fatalf("%v from %q", err, data)
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
		"begun":   {[]string{"..#####..", ".#######.", "#########", "#########", "#########", ".#######.", "..#####..", "...####..", "......#.."}, false},
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
