// Package solving solves many puzzles, several at once: it finds as many
// solutions as are wanted, checks each with code that the solver does not share,
// and gathers what there is to tell of each puzzle.
//
//	job := solving.Job{Listing: solving.Listing{Count: true}, Workers: 4, Timeout: time.Minute}
//	progress := solving.NewProgress(len(puzzles), job.Timeout)
//	for _, end := range job.Solve(ctx, puzzles, progress) {
//		result, begun := <-end
//		…
//	}
//
// A [Result] marshals to the JSON that `tapwise solve --json` prints. Its Err is
// marked by package cause where it is about the input or the time; others come
// from the solver, or from the Job's Picture as they are. [Program] does for one
// SABR program what a job does for puzzles.
package solving
