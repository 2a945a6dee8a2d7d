// Package bars draws progress bars on a terminal, one below the other, and keeps them
// below the lines that are printed meanwhile.
package bars
