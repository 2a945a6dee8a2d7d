// Package adb talks to an Android phone through a running adb server: it lists
// phones, takes frames, plays strokes and says exactly what went wrong.
//
//	client, err := adb.New(adb.Config{})
//	device, err := client.Open(ctx, "")        // the only phone
//	timings, err := device.Probe(ctx)          // pick the fastest way to capture
//	frame, err := device.Capture(ctx)          // opaque RGBA, size, rotation
//	err = device.Hand().Play(ctx, []hand.Stroke{{
//		Points: points, Size: frame.Size, Rotation: frame.Rotation,
//	}}, hand.Options{})
//
// # Concepts
//
// A [Client] is the address of an adb server. It kills no server, since every tool on the
// machine shares it, and starts none, except that a [Keeper] restarts one that was ended.
// A [Device] is one phone of that server, known by its serial or another of its names; it
// stays valid while the phone comes and goes. A [Frame] is one picture of the screen.
// [Device.Hand] is the finger on it: a [hand.Stroke] is one finger from
// down to up, and belongs to the screen size and rotation that it was planned on;
// the hand refuses it on any other.
//
// # Promises
//
// Every call takes a context and ends after [Config.Timeout] at the latest.
// Nothing that comes from the phone or the server is trusted: lengths are checked
// before memory is allocated, frames are accepted only if their length is exact, and a
// command counts as finished only when its end marker arrived. Errors name the
// phone and can be told apart with [errors.Is] ([ErrOffline], [ErrTimeout], …)
// and [errors.As] ([FrameError], [FrameSizeError],
// [ScreenChangedError]). Extra output beside an answer goes to
// [Config].Log.
//
// # How the server is reached
//
// Connecting, disconnecting and pulling go through the gadb package.
// gadb has no context, so such a call runs in a goroutine of its own that is
// abandoned when the context ends; gadb gives up on a silent server
// after a minute. Everything that gadb cannot do runs over a small protocol
// reader in this package: listing phones (gadb hides those without a product
// name and those that are unauthorized), exec: streams (gadb has none), and
// shell commands, because ending one has to close its connection at once: on an
// abandoned connection a finger would go on moving. gadb keeps the socket of
// a phone that refuses it open until the garbage collector finds it, so the
// phone is asked for its state over this package's reader first.
// gadb.DefaultAdbReadTimeout is global to the program and is left alone.
package adb
