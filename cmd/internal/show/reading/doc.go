// Package reading reads boards in picture files, or in observations kept as
// text, and shows how it got there: what was seen and would be played, drawn over the
// picture, and what each way of looking for the board found.
//
//	read, err := reading.Read(ctx, opener.Reader(), data, game)
//	accounts, err := read.Explain(ctx, opener.Reader())
//
// Errors that are about the picture or the text are marked by package cause.
package reading
