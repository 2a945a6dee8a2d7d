// Package webphone puts a web page on the simulated phone's screen, so that
// games that are web pages can be read and played like apps.
//
//	page, err := webphone.Open(ctx, webphone.Config{URL: "http://127.0.0.1:8000/"})
//	defer page.Close()
//	phone, err := simphone.New(simphone.Config{Apps: []simphone.Installed{simphone.Instance(page)}, …})
//
// The page runs in Chromium without a window, which believes to be a phone: its
// viewport has the screen's size and density, and a finger. What the page shows
// is the phone's screen, pixel by pixel, and touches reach the page as touch
// events of the browser itself. The browser has a profile of its own that is
// thrown away, listens on the loopback interface only and ends with Close.
//
// A page that does not load, whose frames do not come in time, that goes to
// another site or crashes, has failed: Failed is closed and Err says why. From
// then on the screen shows the reason instead of the page.
package webphone
