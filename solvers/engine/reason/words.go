package reason

import (
	"fmt"
	"slices"
	"strings"
)

// mostNamed is the most rules, and the most things that are known, that a sentence names.
const mostNamed = 6

// Words says that a step follows: which conditions leave nothing else, and what is known. where
// names the cells of a condition that is not about all of them, says what is known of a variable.
// The rule is the first condition's; empty when there is none.
func Words(step string, why []Ground, where func(Ground) string, says func(v int) string) (rule, text string) {
	var rules, known []string
	for _, g := range why {
		if g.Known() && says(g.Scope[0]) != step {
			known = append(known, says(g.Scope[0]))
			continue
		}
		if rule == "" {
			rule = g.Rule
		}
		said := fmt.Sprintf("%q", g.Rule)
		if g.Scope != nil {
			said += " at " + where(g)
		}
		rules = append(rules, said)
	}
	text = step + ": "
	if len(rules) > 0 {
		text += listed(rules, " and ") + " "
	}
	text += map[bool]string{true: "leave", false: "leaves"}[len(rules) > 1] + " nothing else"
	if len(known) > 0 {
		slices.Sort(known)
		text += ", with " + listed(slices.Compact(known), ", ")
	}
	return rule, text
}

// listed joins the first of some texts, and says how many more there are.
func listed(texts []string, between string) string {
	if more := len(texts) - mostNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(texts[:mostNamed], between), more)
	}
	return strings.Join(texts, between)
}
