package described

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tapwise/solvers"
)

// Examine tries a description on its own examples and levels: each has exactly one solution,
// an example's is the one that it says, and each named rule has a wrong solution that breaks
// it. The error names the first that is not so.
func (g *Game) Examine(ctx context.Context) error {
	if len(g.examples) == 0 {
		return &FileError{File: g.file, Msg: "no example, expected examples = [example(puzzle, solution, wrong = {rule: solution})]"}
	}
	wrong := func(what string, format string, a ...any) error {
		return &FileError{File: g.file, Msg: what + ": " + fmt.Sprintf(format, a...)}
	}
	var rules, broken []string
	for i, e := range g.examples {
		what := fmt.Sprintf("example %d", i+1)
		p, err := g.only(ctx, what, e.Puzzle, e.Solution)
		if err != nil {
			return err
		}
		for _, name := range p.Rules() {
			if !slices.Contains(rules, name) {
				rules = append(rules, name)
			}
		}
		for k, name := range e.Rules {
			if !slices.Contains(p.Rules(), name) {
				return wrong(what, "a wrong solution is of the rule %q, expected one of %q%s", name, p.Rules(), didYouMean(name, p.Rules()))
			}
			s, err := p.ParseSolution(e.Wrong[k])
			if err != nil {
				return wrong(what, "the wrong solution of rule %q: %v", name, err)
			}
			var told *solvers.RuleError
			if err := s.Check(); !errors.As(err, &told) || told.Rule != name {
				return wrong(what, "the wrong solution of rule %q: the check says %v, expected that this rule is broken", name, err)
			}
			broken = append(broken, name)
		}
	}
	for _, name := range rules {
		if !slices.Contains(broken, name) {
			return wrong("rule \""+name+"\"", "no example has a wrong solution that breaks it")
		}
	}
	for i, level := range g.levels {
		if _, err := g.only(ctx, fmt.Sprintf("level %d", i+1), level, ""); err != nil {
			return err
		}
	}
	return nil
}

// only is a puzzle that has exactly one solution: the one that is said, if any is.
func (g *Game) only(ctx context.Context, what, text, said string) (*Puzzle, error) {
	wrong := func(format string, a ...any) error {
		return &FileError{File: g.file, Msg: what + ": " + fmt.Sprintf(format, a...)}
	}
	p, err := g.parse(text)
	if err != nil {
		return nil, wrong("%v", err)
	}
	var found []solvers.Solution
	if _, err := p.Enumerate(ctx, solvers.EnumerateOptions{}, func(s solvers.Solution) bool {
		found = append(found, s)
		return len(found) < 2
	}); err != nil {
		return nil, err
	}
	switch {
	case len(found) == 0:
		return nil, wrong("no solution, expected one")
	case len(found) > 1:
		return nil, wrong("more than one solution, expected one:\n%s\n\n%s", found[0], found[1])
	case said != "" && found[0].String() != said:
		return nil, wrong("its only solution is\n%s\nexpected\n%s", found[0], said)
	}
	if err := found[0].Check(); err != nil {
		return nil, wrong("the solution that was found is wrong: %v", err)
	}
	return p, nil
}
