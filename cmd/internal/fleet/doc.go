// Package fleet joins phones on many hosts by NATS JetStream: what the hub, its workers
// and the commands send each other, and where it is kept.
//
// The hub keeps the work. It is the servers of JetStream, within `tapwise hub` or in a
// cluster elsewhere, and the clerk of package hub, which books what was played. A worker is
// a host with phones (package worker). An [Order] is a run of levels that somebody asked
// for; it is cut into jobs ([Job]), which phones take one at a time. An [Event] records
// what a phone did.
//
//	client, err := fleet.Open(ctx, connection)
//	order, err := client.Submit(ctx, fleet.Order{Game: game.Name()}, levels)
//	…
//	err = client.Follow(ctx, order.ID, func(p fleet.Progress) {…})
//
// Work is kept in a work-queue stream, with a subject and a consumer for each order; what
// was played in an append-only stream, with a subject for each phone; booked
// levels, orders, phones, leases and drains in key-value buckets. docs/fleet.md says which
// guarantee rests on which of them. No decision depends on a clock that two machines
// would have to agree on: leases and deliveries run out by the server's.
//
// Messages are JSON, bounded in size and checked when they are read: data of levels and
// phones, never commands, paths or addresses.
package fleet
