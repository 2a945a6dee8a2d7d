// Package overlay draws over a frame what was seen on it, which board was
// read, where the finger would go, and where reading failed. It knows no game:
// colours and labels come from [solvers.Painter] and [solvers.Annotator].
package overlay
