package sabr

import (
	"context"
	"testing"
)

func BenchmarkSolve(b *testing.B) {
	for _, name := range []string{"cube", "eight-puzzle", "eight-puzzle-31", "einstein", "sudoku-hard", "sudoku-17", "hanoi", "river", "lights-out", "queens"} {
		b.Run(name, func(b *testing.B) {
			p := parseFile(b, "testdata/"+name+".tb")
			for b.Loop() {
				if _, err := p.Solve(context.Background(), Options{Stages: 40}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	p := parseFile(b, "testdata/queens.tb")
	for b.Loop() {
		if parseFile(b, "testdata/"+p.File()) == nil {
			b.Fatal("no program")
		}
	}
}
