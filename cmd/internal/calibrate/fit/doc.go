// Package fit makes a profile from pictures of levels and from trial touches on a phone, and
// proves that the eyes read those levels with it.
package fit
