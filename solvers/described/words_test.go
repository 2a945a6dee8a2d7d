package described

import (
	"slices"
	"testing"

	"tapwise/solvers"
)

// TestWords compares, for each word, the boards that the engine finds with those that plain
// evaluation keeps among all there are: each half tells what the other has wrong.
func TestWords(t *testing.T) {
	const shade, draw = "decide = shading()\n", "decide = line()\n"
	for name, c := range map[string]struct{ decide, rules, board string }{
		"count":        {shade, `"r": [count(b.shaded, c.beside) == c.clue for c in b.clues]`, "2..\n..1\n.0."},
		"bounds":       {shade, `"r": [count(b.shaded, r) <= 2 for r in b.rows] + [1 < count(b.shaded, b.cols[0])]`, "...\n...\n..."},
		"either":       {shade, `"r": (count(b.shaded) == 2) | (count(b.shaded) > 6)`, "...\n...\n..."},
		"counts alike": {shade, `"r": count(b.shaded, b.rows[0]) == count(b.shaded, b.cols[2]), "s": count(b.shaded, b.rows[0]) != count(b.shaded, b.rows[2])`, "...\n...\n..."},
		"connected":    {shade, `"r": connected(b.shaded), "s": connected(~b.shaded)`, "...\n...\n..."},
		"no loop":      {shade, `"r": no_loop(b.shaded)`, "....\n....\n...."},
		"apart":        {shade, `"r": apart(b.shaded), "s": no_block(~b.shaded)`, "...\n...\n..."},
		"sees":         {shade, `"r": [sees(b.shaded, c) == c.clue for c in b.clues], "s": sees(b.shaded, b.cells[0], "right") != 1`, "...\n.2.\n..."},
		"areas":        {shade, `"r": areas(~b.shaded, {c: c.clue for c in b.clues})`, "2..\n..?\n..."},
		"forms":        {shade, `"r": forms(b.shaded, b.cells, "##/#.") | forms(b.shaded, b.rows[0], "###")`, "...\n...\n..."},
		"runs":         {shade, `"r": runs(b.shaded, b.cells[4].around) == [2, "?"]`, "...\n...\n..."},
		"runs among":   {shade, `"r": runs(b.shaded, b.cells[0].around) in [[1], [3], []]`, "...\n...\n..."},
		"way":          {shade, `"r": [connected(b.shaded), no_loop(b.shaded), b.shaded[b.cells[0]], b.shaded[b.cells[8]]], "s": way_between(b.shaded, b.cells[0], b.cells[8])[b.cells[4]]`, "...\n...\n..."},
		"one loop":     {draw, `"r": one_loop(b.line)`, "...\n...\n..."},
		"joined":       {draw, `"r": joined(b.line), "s": count(b.line.turns) == 2`, "...\n...\n..."},
		"beams":        {draw, `"r": beams(b.line, {b.cells[0]: "right", b.cells[7]: "up"})[0], "s": beams(b.line, {b.cells[0]: "right", b.cells[7]: "up"}, most = 3)[1][b.cells[0]] == 2`, "...\n...\n..."},
		"fence":        {"decide = fence()\n", `"r": one_loop(b.fence), "s": [b.fence.number[c] == c.clue for c in b.clues]`, "3.\n.1"},
		"rectangles":   {"decide = walls()\n", `"r": divided_into(b.walls, rectangles, lambda a: a.size != 1)`, "...\n...\n..."},
		"ells":         {"decide = walls()\n", `"r": divided_into(b.walls, ells)`, "...\n..."},
		"twins":        {"decide = walls()\n", `"r": twins(b.walls, [b.cells[i] for i in [1, 3, 7, 9, 10, 11]])`, "....\n....\n...."},
		"twins' sizes": {"decide = walls()\n", `"r": twins(b.walls, [b.cells[i] for i in [0, 1, 2, 4, 5, 8]], {c: c.clue for c in b.clues})`, "3...\n..1.\n...."},
		"symbols":      {"decide = symbols(\".ab\")\n", `"r": [b.symbol[c] != b.symbol[d] for c, d in b.pairs], "s": b.symbol[b.cells[0]] in "ab"`, "...\n..."},
		"different":    {"decide = numbers(1, 3)\n", `"r": [all_different(b.number, l) for l in b.lines], "s": total(b.number, b.rows[0]) + b.number[b.cells[3]] >= 8`, "...\n..."},
		"implies":      {shade, `"r": [implies(b.shaded[c], b.shaded[d]) for c, d in b.pairs], "s": some(b.shaded), "t": none(b.shaded, b.rows[0])`, "...\n...\n..."},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := Load("x.star", []byte(c.decide+"notation = grid()\ndef rules(b):\n    return {"+c.rules+"}\n"))
			if err != nil {
				t.Fatal(err)
			}
			p, err := g.parse(c.board)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			if _, err := p.Enumerate(t.Context(), solvers.EnumerateOptions{}, func(s solvers.Solution) bool {
				found = append(found, s.String())
				return true
			}); err != nil {
				t.Fatal(err)
			}
			slices.Sort(found)
			var want []string
			everyBoard(p, func(s *Solution) {
				if s.Check() == nil {
					want = append(want, s.String())
				}
			})
			slices.Sort(want)
			if !slices.Equal(found, want) {
				t.Errorf("the engine finds %d boards, plain evaluation %d", len(found), len(want))
			}
			if len(want) == 0 {
				t.Error("no board keeps the rules, expected some")
			}
		})
	}
}

// everyBoard visits all there are.
func everyBoard(p *Puzzle, visit func(*Solution)) {
	l := p.givens.layout
	lo, hi := l.layers[0].bounds()
	values := slices.Repeat([]int{lo}, l.n)
	for {
		visit(&Solution{values, p})
		i := 0
		for ; i < l.n && values[i] == hi; i++ {
			values[i] = lo
		}
		if i == l.n {
			return
		}
		values[i]++
	}
}

// TestSolutionNotation reads back what each kind of layer writes.
func TestSolutionNotation(t *testing.T) {
	g, err := Load("x.star", []byte("decide = [walls(), numbers(1, 30), line(), fence(), symbols(\".ab\"), shading()]\nnotation = grid()\ndef rules(b):\n    return {\"r\": []}\n"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.parse("...\n..?")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		values := make([]int, p.givens.layout.n)
		for k := range values {
			values[k] = (k*k + i) % 2
		}
		for k := 7; k < 13; k++ {
			values[k] += 1 + i // the numbers
		}
		text := (&Solution{values, p}).String()
		again, err := p.ParseSolution(text)
		if err != nil || again.String() != text {
			t.Errorf("%v, read back from\n%s", err, text)
		}
	}
}
