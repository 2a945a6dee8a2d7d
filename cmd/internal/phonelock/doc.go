// Package phonelock lets one process at a time play on a phone, whatever
// journal each of them writes.
//
// A lock is a file that a process holds with flock, one for each phone. The
// system takes the lock from a process that ends, however it ends, so that
// nothing has to be cleaned up after kill -9. The text in the file is for people
// only: who holds the phone, and since when.
//
// A phone is known by what it tells of itself (adb.Device.Identity), whatever names adb
// servers give it: by USB, by its address, as an emulator. One that tells nothing is known
// by its adb serial. What it tells changes when it is started again, which ends what was
// played on it.
package phonelock
