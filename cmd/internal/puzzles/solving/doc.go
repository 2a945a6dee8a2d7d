// Package solving solves many puzzles, several at once: it finds as many
// solutions as are wanted, checks each with code that shares nothing with the solver,
// and gathers what is to be reported of each puzzle.
//
//	job := solving.Job{Listing: solving.Listing{Count: true}, Workers: 4, Timeout: time.Minute}
//	progress := solving.NewProgress(len(puzzles), job.Timeout)
//	for _, end := range job.Solve(ctx, puzzles, progress) {
//		result, begun := <-end
//		…
//	}
//
// A [Result] marshals to the JSON that `tapwise solve --json` prints. If its Err
// is about the input or the time, package cause marks it; other errors come unchanged
// from the solver or from the Job's Picture. [Program] does for one
// SABR program what a job does for puzzles.
package solving
