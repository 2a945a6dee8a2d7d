// Package subprocess has a command that this process runs end with this process,
// however that ends, together with whatever the command started. Only Linux can do
// that; elsewhere a command is interrupted and nothing more.
package subprocess
