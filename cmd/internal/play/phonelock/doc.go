// Package phonelock lets one process at a time play on a phone, whatever
// journal each of them writes.
//
// A lock is a file that a process holds with flock, one for each phone. The
// system releases the lock when the process ends, however it ends, so that
// nothing has to be cleaned up after kill -9. The text in the file is for people
// only: who holds the phone, and since when.
//
// A phone is identified by what it reports of itself (adb.Device.Identity), whatever names adb
// servers give it: by USB, by its address, as an emulator. If it reports nothing, its adb serial
// identifies it. Its identity changes when it restarts, which ends what was
// played on it.
package phonelock
