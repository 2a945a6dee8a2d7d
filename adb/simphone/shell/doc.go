// Package shell is the shell of a simulated phone, with its files and the commands
// that work on text and files. It knows no screen: it finds what belongs to Android
// through [System].
//
// The shell has the parts of mksh that programs for a phone use: lists, pipes,
// redirections, variables, parameters, $(…), $((…)), if, for, while, case, patterns,
// exec, sh; no functions and no arrays. On a terminal a line can be edited,
// Ctrl-C ends the foreground, and Ctrl-D its input or, at the prompt, the shell.
// Programs, paths and files have bounds, and nothing reaches the host.
//
// # Programs and devices of a phone
//
// A phone adds its own in three ways.
//
// A program is a function on a [Process] that returns the exit code. [System].Program
// finds it by its name. It may run for as long as it likes: `uinput -` reads
// Process.Stdin line by line as the peer writes. Over exec: the stream stays open
// until the peer closes it; then Stdin ends with io.EOF, and Process.Ctx is done. A
// program has to return when either happens, and lift its finger first.
//
//	func runUinput(p *shell.Process) int {
//		defer device.Lift()
//		in := bufio.NewScanner(p.Stdin)
//		for in.Scan() {
//			…
//		}
//		return 0
//	}
//
// A special file is a [Device]: after
//
//	files.AddDevice("/dev/input/event2", shell.Device{Permissions: 0o660, Owner: "root",
//		Group: "input", Major: 13, Minor: 66, Open: open})
//
// `cat >/dev/input/event2` calls Open, then Write with each piece that arrives, and
// Close at the end, however it ends. Open may refuse, with [ErrPermission] or
// another [FileError], which cat prints. Reading works in the same way. A device
// can be added and removed while the phone runs.
//
// A port is taken with Process.Ports.Listen, as by `monkey --port 1080`, which the
// program frees when it ends. Computers reach it through the daemon's service tcp:1080,
// which is what `adb forward tcp:X tcp:1080` and a connection opened through the adb
// server use.
package shell
