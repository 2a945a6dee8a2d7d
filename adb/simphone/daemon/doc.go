// Package daemon is the part of a simulated phone that a computer talks to: the
// transport of adbd over TCP, with its packets, streams and services. It knows the
// phone behind it only as a [Phone].
//
// The facts about packets come from adb's protocol.txt: one packet in flight for each
// stream and direction, checksums up to Android 8, and the smaller maximum of both sides.
// Peers are not trusted: packets, streams and transports have bounds, and a peer that
// breaks the protocol loses its transport.
package daemon
