// Package configs holds what tapwise ships as configuration: the defaults,
// each key commented, for `tapwise` to start from and for people to copy.
package configs
