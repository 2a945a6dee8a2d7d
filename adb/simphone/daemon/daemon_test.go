package daemon

import (
	"io"
	"log/slog"
	"testing"
	"time"

	"tapwise/adb/simphone/shell"
)

const frameBytes = 16 + 4*270*585 // of the test phone's frame

// bare is a phone with a shell and two programs of its own: frame, which prints as
// much as screencap does, and serve, which listens on a port and answers each
// connection with what it sent.
type bare struct {
	*shell.Shell
	config Config
}

func (b *bare) SDK() int                                            { return b.config.SDK }
func (b *bare) Name() string                                        { return b.config.Device }
func (b *bare) Reachable() bool                                     { return true }
func (b *bare) Adapt(_ string, program shell.Program) shell.Program { return program }
func (b *bare) Program(name string) shell.Program {
	switch name {
	case "frame":
		return func(p *shell.Process) int { return p.Print(string(make([]byte, frameBytes))) }
	case "serve":
		return func(p *shell.Process) int {
			connections, free, err := p.Ports.Listen(1080)
			if err != nil {
				return p.Fail("%v", err)
			}
			defer free()
			for p.Print("listening\n") == 0 {
				select {
				case conn := <-connections:
					io.Copy(conn, conn)
					conn.Close()
				case <-p.Ctx.Done():
					return 130
				}
			}
			return 1
		}
	}
	return nil
}

func newDaemon(config Config) *Daemon {
	if config.SDK == 0 {
		config.SDK = 34
	}
	if config.MaxPacket == 0 {
		config.MaxPacket = PacketSize(config.SDK)
	}
	config.Log = slog.New(slog.DiscardHandler)
	phone := &bare{config: config}
	phone.Shell = shell.New(phone, shell.NewFileSystem(1<<20, time.Now), config.Log)
	return New(config, phone)
}

// serve starts a daemon on a port of the loopback interface.
func serve(t testing.TB, config Config) *Daemon {
	t.Helper()
	daemon := newDaemon(config)
	if err := daemon.Listen(t.Context(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { daemon.Close() })
	return daemon
}
