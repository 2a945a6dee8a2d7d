// Package simphone is a simulated Android phone. It speaks the transport of the
// adb daemon over TCP, so that the real adb server and every ADB client can
// talk to it: adb connect, shell with exit codes, exec-out, push and pull.
//
//	phone, err := simphone.New(simphone.Config{Apps: []simphone.Installed{simphone.Instance(game)}})
//	...
//	err = phone.Listen(ctx, "127.0.0.1:0")
//	defer phone.Close()
//	// adb connect <phone.Addr()>
//
// The screen shows an [App], which draws on a [Canvas] and receives the touches
// that input injects. Apps need not know this package: both interfaces use only
// the standard library's types. [Render] draws an app without a phone.
//
// The phone pretends to be any Android from 4 to 16 ([Config].SDK) and follows the
// changes between them: the verbs and usage of input, the header of screencap,
// exit codes and separate stderr, packet sizes, line ends. Tests make it fail as
// phones do: drop connections, cut frames short, refuse input, turn the screen, answer
// commands in their makers' words ([Answer]).
//
// It has three parts. Package daemon talks to the computer and serves a
// daemon.Phone; package shell runs commands on files and asks a shell.System for
// those of Android; this package implements both: the screen, its apps and what touches
// them, Android's commands, and the faults. Each part knows the one behind it only through
// that small interface.
//
// Android's commands are screencap, screenrecord (frames as they change, without an
// encoder), input, wm, dumpsys (window, activity, display, input, package, power),
// getprop, setprop, settings, am, pm, cmd (another way to reach these), ime, monkey (to
// open an app, and for clients on a port), kill, pidof, ps and logcat (crashes of apps). Of
// the shell's there are those that tapwise and other clients use: cat, dd, echo, grep, gzip,
// ls, mkdir, pwd, readlink, rm, sleep, test, touch and whoami. sleep takes real time, but
// ends with the connection.
//
// The phone can be asleep, and locked with a swipe or a PIN ([Lock]); keys, swipes,
// wm dismiss-keyguard and the PIN wake and unlock it, and dumpsys shows its state
// in the fields of the pretended Android.
//
// A peer is not trusted. Packets, paths, commands and files have bounds; commands
// run in an interpreter of their own on files in memory, and nothing reaches the
// host. After [Phone.Close] none of its goroutines runs.
package simphone
