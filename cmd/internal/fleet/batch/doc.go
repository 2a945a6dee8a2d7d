// Package batch solves and makes puzzles on the cores that a fleet's workers offer.
//
//	offer := batch.Offer{Client: client, Worker: "shelf-1", Cores: 2, Log: log}
//	err := offer.Run(ctx) // a worker's end
//
//	fleet := batch.Fleet{Client: client, Log: log}
//	results, err := fleet.Solve(ctx, job, puzzles, progress)
//	puzzles, err := fleet.Make(ctx, order, progress)
//
// A batch is cut into chunks that take about the same time, judged by earlier chunks.
// Results are put in the order of the request, and solutions are checked again, so
// except for the times in them, they are what this process alone would produce.
// Work that others cannot do, such as reading pictures, is done here.
package batch
