// Package run joins everything needed to play on one phone: the phone, its profile, the
// eyes, the game, the player and the journal.
//
//	opener := run.Opener{ADB: adb.Config{Port: 5037}, Timing: timing, Log: log}
//	r, err := opener.Open(ctx, run.Target{Serial: "R58M123", Game: game})
//	…
//	defer r.Close()
//	err = r.Hold(ctx, true) // nobody else plays on the phone meanwhile
//	…
//	err = r.Clear(ctx, j, run.Order{Levels: 10}, progress)
//
// An [Opener] holds settings as plain values and may be used from several
// goroutines; a [Run] belongs to one. Nothing is printed: a [Progress], Player.Watch
// and the log get what happens, and package cause marks errors with what they are about.
package run
