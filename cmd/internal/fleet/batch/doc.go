// Package batch has puzzles solved and made by the cores that a fleet's workers offer.
//
//	offer := batch.Offer{Client: client, Worker: "shelf-1", Cores: 2, Log: log}
//	err := offer.Run(ctx) // a worker's end
//
//	fleet := batch.Fleet{Client: client, Log: log}
//	results, err := fleet.Solve(ctx, job, puzzles, progress)
//	puzzles, err := fleet.Make(ctx, order, progress)
//
// A batch is cut into chunks that take about the same time, by what those before took.
// What comes back is put in the order of what was asked, and solutions are checked again:
// so the results are those that this process alone would have, but for the times in them.
// What others cannot do, such as reading pictures, is done here.
package batch
