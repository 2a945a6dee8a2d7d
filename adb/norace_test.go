//go:build !race

package adb

const pooledAgain = 1 // the bound as measured
