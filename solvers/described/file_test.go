package described

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// describe makes the text of a description of shaded cells with some rules.
func describe(rules string) string {
	return "decide = shading()\nnotation = grid()\ndef rules(b):\n    return {" + rules + "}\n"
}

// TestMistakes wants each mistake told with its line, what was expected, and what was
// likely meant.
func TestMistakes(t *testing.T) {
	for name, c := range map[string]struct{ source, line, want string }{
		"syntax":         {"decide = shading(\n", "2", "expected"},
		"unknown word":   {describe(`"r": cuont(b.shaded, b.cells) == 1`), "4", "did you mean count?"},
		"unknown part":   {describe(`"r": apart(b.shadde)`), "4", "did you mean .shaded?"},
		"missing":        {"decide = shading()\nnotaton = grid()\ndef rules(b):\n    return {}\n", "", "notation is missing (did you mean notaton?)"},
		"no function":    {"decide = shading()\nnotation = grid()\nrules = 3\n", "", "expected a function of a board"},
		"truth of term":  {describe(`"r": [1 for c in b.cells if b.shaded[c]]`), "4", "depends on the solution, expected something that is given"},
		"and of terms":   {describe(`"r": [b.shaded[c] and b.shaded[c] for c in b.cells]`), "4", "write & | ~ and implies"},
		"no dict":        {"decide = shading()\nnotation = grid()\ndef rules(b):\n    return [1]\n", "3", "expected a dict of names and conditions"},
		"number as rule": {describe(`"r": count(b.shaded)`), "3", "compare it, as in count(…) == 2"},
		"brackets":       {describe(`"r": [b.shaded[c] & count(b.shaded) == 1 for c in b.cells]`), "4", "perhaps brackets are missing"},
		"field":          {describe(`"r": [b.shaded & b.shaded[c] for c in b.cells]`), "4", "say of which cell, as in black[c]"},
		"way":            {describe(`"r": [b.shaded[c.step("donw")] for c in b.cells]`), "4", "did you mean down?"},
		"clue":           {describe(`"r": [count(b.shaded, c.beside) == c.clue for c in b.cells]`), "4", "c.clue != None"},
		"within not":     {describe(`"r": ~connected(b.shaded)`), "3", "by itself or in a list"},
		"file":           {`load("x", "y")` + "\n", "1", "a description is one file"},
		"encoding":       {"notation = url(\"x\", number17)\n", "1", "did you mean number16?"},
		"symbol":         {"decide = symbols(\".ab\")\nnotation = grid()\ndef rules(b):\n    return {\"r\": [b.symbol[c] == \"x\" for c in b.cells]}\n", "4", `expected one of ".ab"`},
		"two layers":     {"decide = [shading(), shading()]\nnotation = grid()\ndef rules(b):\n    return {}\n", "", "say name = "},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := Load("x.star", []byte(c.source))
			if err == nil {
				_, err = g.parse("..\n..")
			}
			var at *FileError
			if !errors.As(err, &at) {
				t.Fatalf("error %v, expected a *FileError", err)
			}
			start := "x.star:" + c.line + ": "
			if c.line == "" {
				start = "x.star: "
			}
			if text := err.Error(); !strings.HasPrefix(text, start) || !strings.Contains(text, c.want) {
				t.Errorf("error %q, expected %s…%s", text, start, c.want)
			}
		})
	}
}

// TestBounds has descriptions that would go on, or grow, without bound end with a place.
func TestBounds(t *testing.T) {
	deep := "x = 1\nfor i in range(60):\n    x = (x, x)\n"
	for name, source := range map[string]string{
		"loop":         "for i in range(1000000):\n    for k in range(1000000):\n        pass\n",
		"doubling":     "x = [1]\nfor i in range(60):\n    x = x + x\n",
		"in place":     "x = [1]\nfor i in range(60):\n    x += x\n",
		"text":         "x = \"a\"\nfor i in range(60):\n    x += x\n",
		"times":        "x = [0] * 1000000000\n",
		"text times":   "x = \"a\" * 1000000000\n",
		"power":        "x = 3\nfor i in range(60):\n    x = x * x\n",
		"list":         "x = list(range(1000000000))\n",
		"copies":       "x = list(range(100000))\ny = [list(x) for i in range(100000)]\n",
		"slices":       "x = list(range(100000))\ny = [x[:] for i in range(100000)]\n",
		"join":         "x = \"a\".join([\"b\"])\n",
		"splat":        "def f(*a):\n    return 1\nx = [f(*[1]) for i in range(3)]\n",
		"key":          deep + "y = {x: 1}\n",
		"look up":      deep + "y = {}\nz = y.get(x)\n",
		"equal":        deep + "y = x\nx = 1\nfor i in range(60):\n    x = (x, x)\nz = x == y\n",
		"member":       deep + "y = 1\nfor i in range(60):\n    y = (y, y)\nz = x in [y]\n",
		"while":        "while True:\n    pass\n",
		"recursion":    "def f():\n    return f()\nx = f()\n",
		"pairs":        "x = pairs(range(100000))\n",
		"text of":      "x = str([1])\n",
		"layers":       "decide = numbers(0, 1000000)\n",
		"long":         strings.Repeat("#", maxSource) + "\n",
		"nested":       "x = " + strings.Repeat("(", 30000) + strings.Repeat(")", 30000) + "\n",
		"board":        describe(`"r": [count(b.shaded, c.to(w)) == 1 for a in b.cells for c in b.cells for w in ways for d in b.cells for e in b.cells]`),
		"fits forever": "decide = walls()\nnotation = grid()\ndef fits(a):\n    for i in range(1000000):\n        for k in range(1000000):\n            pass\ndef rules(b):\n    return {\"r\": divided_into(b.walls, rectangles, fits)}\n",
	} {
		t.Run(name, func(t *testing.T) {
			g, err := Load("x.star", []byte(source))
			if err == nil {
				_, err = g.parse(strings.TrimSpace(strings.Repeat(strings.Repeat(".", 20)+"\n", 20)))
			}
			var at *FileError
			if !errors.As(err, &at) {
				t.Fatalf("error %v, expected a *FileError", err)
			}
			if at.Line == 0 && name != "long" {
				t.Errorf("error %q, expected a line", err)
			}
		})
	}
}

// FuzzLoad has whatever a file holds end with a game or a *FileError.
func FuzzLoad(f *testing.F) {
	f.Add(describe(`"r": [count(b.shaded, c.beside) == 1 for c in b.cells]`))
	f.Add(describe(`"r": connected(~b.shaded), "s": [runs(b.shaded, c.around) == [1, "?"] for c in b.cells]`))
	f.Add("decide = [walls(), numbers(1, 3), line(), fence(), symbols(\".ab\")]\nnotation = grid(rooms = True)\ndef rules(b):\n    return {\"x\": divided_into(b.walls, ells), \"y\": one_loop(b.line), \"z\": b.symbol[b.cells[0]] in \"ab\"}\n")
	f.Fuzz(func(t *testing.T, source string) {
		g, err := Load("x.star", []byte(source))
		if err == nil {
			_, err = g.parse("1.\n?.")
			if err != nil && strings.HasPrefix(err.Error(), "x: ") {
				return // the notation's
			}
		}
		var at *FileError
		if err != nil && !errors.As(err, &at) {
			t.Errorf("error %v, expected a *FileError", err)
		}
	})
}

// TestDidYouMean leaves the names that it looks through as they are: the ways have an order.
func TestDidYouMean(t *testing.T) {
	if said := didYouMean("dwon", ways); said != " (did you mean down?)" || !slices.Equal(ways, []string{"up", "right", "down", "left"}) {
		t.Errorf("%q, and the ways are %q", said, ways)
	}
}
