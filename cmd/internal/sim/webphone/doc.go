// Package webphone puts a web page on the simulated phone's screen, so that
// games that are web pages can be read and played like apps.
//
//	page, err := webphone.Open(ctx, webphone.Config{URL: "http://127.0.0.1:8000/"})
//	defer page.Close()
//	phone, err := simphone.New(simphone.Config{Apps: []simphone.Installed{simphone.Instance(page)}, …})
//
// The page runs in Chromium without a window, which pretends to be a phone: its
// viewport has the screen's size and density, and a finger. The phone's screen
// shows the page pixel by pixel, and touches reach the page as the browser's own
// touch events. The browser has a profile of its own that is thrown away, listens
// on the loopback interface only and ends with Close.
//
// A page fails when it does not load, when its frames do not come in time, when it
// goes to another site, or when it crashes: then Failed is closed, Err says why,
// and from then on the screen shows the reason instead of the page.
package webphone
