// Package report writes one HTML page about the attempts in a
// journal: what was played, how long everything took, and a picture of each
// failure. The page needs no other file.
//
//	err := report.Write(ctx, file, attempts, time.Now())
//
// report.html is the page's template; [Write] fills it with a page value
// (page.go), whose lines come from tables.go, failures.go and plots.go.
package report
