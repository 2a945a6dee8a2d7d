// Relay runs the command of its own name on the simulated phone, for a real adbd in a chroot
// whose Android it is: see real.sh beside it. Its links in the chroot's /system/bin are named
// as Android's commands; what is not among them is the chroot's own.
//
// The file /relay.conf names the port of the adb server that has the simulated phone, and its serial.
package main
