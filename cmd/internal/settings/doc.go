// Package settings reads the configuration: a flag counts before an environment
// variable TAPWISE_*, that before adb's own variables, those before the configuration
// file, and that before the default. configs/default.yaml has the defaults and documents
// every key.
//
//	file, err := settings.File("")
//	c, err := settings.Read(file, map[string]settings.Flag{"adb.port": {Name: "adb-port", Value: "5037"}})
//	port, from := c.ADB.Port, c.Origin("adb.port").Place()
//
// A file is checked strictly: an unknown key, a key that is given twice, and
// a value of the wrong kind or out of its range are errors that name the line.
// Errors are about the input ([cause.InputError]).
package settings
