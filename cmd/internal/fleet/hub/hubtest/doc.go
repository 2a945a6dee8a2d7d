// Package hubtest starts hubs with keys for tests, and reaches them as their workers and
// their operator do.
package hubtest
