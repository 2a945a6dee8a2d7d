// Command tapwise reads the puzzle on the screen of an Android phone, solves
// it and plays the solution. `tapwise help` lists what it does.
//
// Each command has a file of its own, with its flags and what it prints; package
// run and its neighbours do the work. root.go reads the configuration, run.go turns
// it into what opens phones, exit.go decides exit codes, and package trouble what a person
// can do about an error.
//
// # Exit codes
//
//	0    done
//	1    internal error
//	2    usage or bad input
//	3    no solution exists
//	4    the screen could not be read
//	5    the phone failed
//	6    the level was played but not won
//	7    out of time: --timeout, or the configuration's solve-deadline
//	130  interrupted
//
// When several puzzles, pictures or phones end differently the code is that of
// the worst, from bad to worse: 6, 3, 7, 4, 5, 2, 1, 130.
package main
