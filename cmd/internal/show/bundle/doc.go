// Package bundle packs what a maintainer needs to know about a screen that is not read, or a
// level that went wrong, into one file: frames, observations, what each way of looking
// found, versions, what `doctor` says, and the last run's events. Its contents can be
// listed before it is written, phones' names are left out, and everything except the board
// can be made unreadable.
//
//	b, err := bundle.Collect(ctx, bundle.Source{From: folder}, bundle.Options{Blur: true})
//	err = b.Write("problem.zip")
//
// [Evidence] packs the evidence of one level alone, for someone on another host.
// [Open] unpacks the evidence in such a file, within bounds, for a replay.
package bundle
