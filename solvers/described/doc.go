// Package described makes games of descriptions: files of Starlark that say what a puzzle
// gives, what a solution decides and which rules hold. docs/described.md teaches the
// language.
//
// A description is evaluated on a board to terms (term.go) and to rules with code of their
// own (rules.go, shapes.go). Each knows two things: how it is told to the engine (post.go),
// and whether it holds on a full board (check.go), which do not share code. What a file may
// cost is bounded (guard.go).
//
// Look and touch (look.go) are data as well: read.go makes a request to the eyes of them and
// tells figures apart in what was seen, plan.go makes gestures, sim.go an app.
package described
