// Package phonelock lets one process at a time play on a phone, whatever
// journal each of them writes.
//
// A lock is a file of the phone's own that a process holds with flock. The
// system takes the lock from a process that ends, however it ends, so that
// nothing has to be cleaned up after kill -9. What the file says is only for
// people: who holds the phone, and since when.
//
// A phone is its adb serial. Two adb servers may name one phone differently,
// and a phone that is connected both by USB and by network has two serials:
// those are two phones here.
package phonelock
