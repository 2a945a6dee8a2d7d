// Package settings reads the configuration: a flag overrides an environment
// variable TAPWISE_*, that overrides adb's own variables, those the configuration
// file, and that the default. configs/default.yaml has the defaults and documents
// every key.
//
//	file, err := settings.File("")
//	c, err := settings.Read(file, map[string]settings.Flag{"adb.port": {Name: "adb-port", Value: "5037"}})
//	port, from := c.ADB.Port, c.Origin("adb.port").Place()
//
// A file is checked strictly: an unknown key, a duplicate key, and
// a value of the wrong kind or out of range are errors that name the line.
// Errors are about the input ([cause.InputError]).
package settings
