// Package web is the local page of `tapwise serve`: it shows what the program sees
// and does on each phone, lets you calibrate by dragging corners, looks back at
// played levels, and solves puzzles.
//
//	page, err := web.New(web.Config{Games: all.Games(), Phones: …, Eyes: …})
//	server := http.Server{Handler: page}
//
// The front end is plain HTML, CSS and JavaScript modules below static, part of the
// binary; it loads nothing from elsewhere. A [Server] is an http.Handler; it opens
// no port itself.
//
// # Pages never hold up the play
//
// Each phone has one state, and a new one replaces the old. A page keeps a stream
// of server-sent events open, which reports that a state has changed; it never gets
// states that were replaced before it took them. Frames are fetched separately,
// and encoded when the first page asks. So a page that is slow, or gone, costs a
// pointer, and the goroutine that plays waits for no page. While nothing is played,
// frames after the first are captured only as long as somebody looks; while levels are
// played, only when the player takes none and the phone is quick.
//
// # Safety
//
// Whoever reaches the page can touch the phone. So requests must name as their host
// an address of this machine (a name could be anybody's: DNS rebinding), must not
// come from another site's page, and, if the page listens for other machines,
// must show the token that the command printed. Bodies are bounded in bytes,
// pictures in pixels before they are decoded, and files are opened only below their
// folder.
package web
