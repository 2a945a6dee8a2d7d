//go:build !race

package adb

const pooledAgain = 1 // as measured
