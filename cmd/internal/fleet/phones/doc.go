// Package phones is the shelf of a fleet's worker: the phones of an adb server, and
// simulated ones.
package phones
