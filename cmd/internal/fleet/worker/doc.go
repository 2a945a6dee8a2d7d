// Package worker plays a fleet's jobs on the phones of one host.
//
//	w := &worker.Worker{Name: "shelf-1", Client: client, Shelf: shelf, Outbox: outbox, Log: log}
//	err := w.Run(ctx)
//
// A phone is played on as long as its lease lasts. Events first go into the outbox of
// the worker's journal, and from there to the hub: at once, or when the
// hub is back. A job is done when all its events have arrived.
package worker
