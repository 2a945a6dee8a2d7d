// Package generating makes many new puzzles of a game and sorts them by how
// hard they are.
//
//	order := generating.Order{Generator: game, Count: 10, Grade: "hard", Seed: 1}
//	puzzles, err := order.Make(ctx, func() {})
//
// The same order makes the same puzzles.
package generating
