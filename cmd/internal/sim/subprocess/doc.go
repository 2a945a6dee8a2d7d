// Package subprocess makes sure that a command ends with this process, however that ends,
// together with whatever the command started. Only Linux can do
// that; elsewhere the command is only interrupted.
package subprocess
