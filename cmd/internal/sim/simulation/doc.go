// Package simulation builds a simulated phone from options as a user gives them:
// its app is a game's, with a pack of levels and a look, or a web page. It also
// runs a separate adb server with the phone connected to it.
//
//	app, err := simulation.GameApp{Game: game, Style: "dark"}.Open(ctx)
//	phone, err := simulation.Phone{App: app, Config: simphone.Config{SDK: 34}}.New()
//	err = phone.Listen(ctx, "127.0.0.1:0")
//	var server simulation.Server
//	err = server.Start(ctx, phone, false)
//	defer server.Close()
//
// Errors are marked by package cause: they are about the input or the phone.
package simulation
