// Package phonelock lets one process at a time play on a phone, whatever
// journal each of them writes.
//
// A lock is a file that a process holds with flock, one for each phone. The
// system takes the lock from a process that ends, however it ends, so that
// nothing has to be cleaned up after kill -9. The text in the file is for people
// only: who holds the phone, and since when.
//
// A phone is known by its adb serial. Two adb servers may give one phone
// different names, and a phone connected both by USB and by network has two
// serials: those count as two phones here.
package phonelock
