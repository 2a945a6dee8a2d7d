// Command tapwise reads the puzzle on the screen of an Android phone, solves
// it and plays the solution. `tapwise help` lists what it does.
//
// Each command has a file of its own; root.go reads the configuration, exit.go
// decides exit codes and hints, phone.go joins the player to package adb and
// eyes.go to package vision.
package main
