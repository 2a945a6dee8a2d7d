// Package configs holds the configuration that tapwise ships: the defaults,
// each key commented, for `tapwise` to start from and for people to copy.
package configs
