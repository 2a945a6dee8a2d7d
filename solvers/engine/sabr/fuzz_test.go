package sabr

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzParse expects an *Error or a program, whose results, if it is small, pass
// the check.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.tb")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(text) < 1500 { // longer ones take the fuzzer too long to shorten
			f.Add(string(text))
		}
	}
	f.Add(twoBits)
	f.Add("Sym{a b}Sym L{x y}Board{p q:L;.r...s}Start{a!x(a,b)v:(a,!b)}Req(0:0)N:Board{????}AllDif(0){p q} #( x )# # y")
	f.Add("Sym { 0 1 } Board { a b } Opt (1) X:O { v !v } DesObj N:O { a a } TransSim T:O { v w:(!v) => (w,0) ? } TransLock (0:3) Board { ? ? => 0 1 }")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("f.tb", text)
		var fault *Error
		if err != nil {
			if !errors.As(err, &fault) || fault.Line < 1 || fault.Column < 1 || fault.Reason == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		if len(p.board) > 10 || len(text) > 600 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		results := 0
		_, err = p.Enumerate(ctx, Options{Stages: 3}, func(r *Result) bool {
			if err := p.Check(r.String()); err != nil {
				t.Fatalf("%v\n%s\n%s", err, text, r)
			}
			results++
			return results < 5
		})
		if err != nil && !errors.Is(err, ErrUnsatisfiable) && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	})
}
