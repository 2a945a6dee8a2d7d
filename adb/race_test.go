//go:build race

package adb

// pooledAgain is the factor by which memory use may grow under the race detector,
// which makes a sync.Pool, such as those of regular expressions, forget at random.
const pooledAgain = 16
