// Package web is the local page of `tapwise serve`: it shows what the program
// sees and does on each phone, makes calibrating a matter of dragging corners,
// looks back at what was played and solves puzzles.
//
//	page, err := web.New(web.Config{Games: all.Games(), Phones: …, Eyes: …})
//	server := http.Server{Handler: page}
//
// The front end is plain HTML, CSS and JavaScript modules below static, part of
// the binary, with no address outside of it. A [Server] is an http.Handler; it
// opens no port itself.
//
// # Pages never hold up the play
//
// What happens on a phone is kept as one state per phone, which the newest
// replaces. A page holds a stream of server-sent events open on which it is told
// that a state changed; what it was not told in time it never hears of. Frames
// are fetched apart, encoded when the first page asks. So a page that is slow, or
// gone, costs a pointer, and the goroutine that plays waits for no page. While
// nothing is played, frames are captured only as long as somebody looks.
//
// # Safety
//
// Whoever reaches the page can touch the phone. So requests must name a host that
// is this machine by its address (a name could be anybody's: DNS rebinding), must
// not come from another site's page, and, where the page listens for other
// machines, must show the token that the command printed. Bodies are bounded in
// bytes, pictures in pixels before they are decoded, and files are opened below
// their folder only.
package web
