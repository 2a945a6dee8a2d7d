//go:build race

package adb

// pooledAgain is how many times as much memory may be taken under the race
// detector: it makes a sync.Pool, as regular expressions have one, forget at random.
const pooledAgain = 16
