// Package hub is the fleet's hub within a process: a NATS server with JetStream, and
// the clerk that books what was played.
//
//	h, err := hub.Start(ctx, hub.Config{Listen: "127.0.0.1:4222", Folder: folder})
//	…
//	defer h.Close()
//	err = h.Run(ctx)
package hub
