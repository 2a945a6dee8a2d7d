package sabr_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tapwise/solvers/engine/sabr"
)

// Two discs that stand in each other's place, and room for a third.
func Example() {
	p, err := sabr.Parse("discs.tb", `
		Sym { red blue - }
		Board { a b c }
		Start { red - blue }
		End { blue - red }
		Trans Slide:Pair { v - => - v }   # into the free place beside it
		Trans Jump:Triple { v w - => - w v }
		DesObj a-b:Pair { a b }  DesObj b-a:Pair { b a }
		DesObj b-c:Pair { b c }  DesObj c-b:Pair { c b }
		DesObj c-a:Triple { c b a }`)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := p.Solve(context.Background(), sabr.Options{})
	if errors.Is(err, sabr.ErrUnsatisfiable) {
		fmt.Println(sabr.Unsatisfiable)
		return
	}
	fmt.Print(strings.ReplaceAll(r.String(), " \n", "\n"))
	fmt.Println(r.Stages(), "stages, checked:", p.Check(r.String()))
	// Output:
	// red - blue
	//
	// Slide a-b
	//
	// - red blue
	//
	// Jump c-a
	//
	// blue red -
	//
	// Slide b-c
	//
	// blue - red
	//
	// 4 stages, checked: <nil>
}

// A fault in a program: which word, and where.
func ExampleError() {
	_, err := sabr.Parse("discs.tb", "Sym { red blue }\nBoard { a b }\nDesObj Pair { a c }")
	fmt.Println(err)
	var fault *sabr.Error
	if errors.As(err, &fault) {
		fmt.Println(fault.Line, fault.Column, fault.Word)
	}
	// Output:
	// discs.tb:3:17: there is no cell "c" on the Board
	// 3 17 c
}
