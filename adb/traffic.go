package adb

import "sync/atomic"

// traffic counts what went over a client's connections to the adb server. Files that
// are pulled through gadb are not in it.
type traffic struct{ received, sent atomic.Int64 }

// Traffic returns how many bytes in all the client that opened the phone received from the adb
// server and sent to it, without files that were pulled.
func (d *Device) Traffic() (received, sent int64) {
	return d.client.traffic.received.Load(), d.client.traffic.sent.Load()
}
