// Package bundle packs what a maintainer needs of a screen that is not read, or of a
// level that went wrong, into one file: frames, observations, what each way of looking
// found, versions, what `doctor` says, and the last run's events. What is in it can be
// told before it is written, phones' names are left out, and all but the board can be
// made unreadable.
//
//	b, err := bundle.Collect(ctx, bundle.Source{From: folder}, bundle.Options{Blur: true})
//	err = b.Write("problem.zip")
//
// [Evidence] packs the evidence of one level alone, for who asks for it from elsewhere.
// [Open] unpacks the evidence in such a file, within bounds, for a replay.
package bundle
