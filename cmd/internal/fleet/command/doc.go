// Package command is the fleet's commands: hub, worker and fleet.
package command
