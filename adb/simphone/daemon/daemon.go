package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"tapwise/adb/simphone/shell"
)

// Auth says how the phone treats a computer it has not seen before.
type Auth int

const (
	AuthOff   Auth = iota // no question asked
	AuthAllow             // the phone asks for a key, and allows it at once
	AuthNever             // nobody allows the key: adb shows "unauthorized"
)

// Phone is what a daemon serves.
type Phone interface {
	Run(ctx context.Context, call shell.Call) int // runs a command and returns the exit code
	Files() *shell.FileSystem                     // for file transfers
	Dial(port int) (net.Conn, error)              // connects to a program that listens on the phone
	Reachable() bool                              // whether the phone takes connections now
}

// Config says how a daemon presents its phone.
type Config struct {
	Product, Model, Device string // ro.product.name, .model and .device, for the banner
	SDK                    int    // decides on checksums and on the framed shell
	// MaxPacket is the largest packet, in bytes, that it takes: MinPacket to
	// MaxPacket.
	MaxPacket int
	Auth      Auth
	Log       *slog.Logger
	// Rate is the bytes that the connection carries from the phone in a second, 0 for
	// no bound. Latency is what each packet of data takes in addition.
	Rate    int
	Latency time.Duration
}

// The bounds of Config.MaxPacket.
const (
	MinPacket = minPacket
	MaxPacket = maxPacket
)

// PacketSize is the largest packet, in bytes, that adbd takes on an Android.
func PacketSize(sdk int) int {
	switch {
	case sdk < 24:
		return minPacket
	case sdk < 28:
		return 256 << 10
	}
	return maxPacket
}

const maxTransports = 32

// Daemon is the adbd of one phone. Its methods may be called from any goroutine.
type Daemon struct {
	config Config
	phone  Phone
	log    *slog.Logger

	link chan struct{} // holds a token while a packet is on its way

	mu         sync.Mutex
	authMode   Auth
	listener   net.Listener
	transports map[*transport]struct{}
	stop       context.CancelFunc
	serving    *sync.WaitGroup
	reversed   []reversed // ports
}

// New makes a daemon that is not reachable yet: see Listen.
func New(config Config, phone Phone) *Daemon {
	return &Daemon{config: config, phone: phone, log: config.Log, authMode: config.Auth, link: make(chan struct{}, 1), transports: make(map[*transport]struct{})}
}

// Listen makes the phone reachable on a TCP address such as "127.0.0.1:0" and
// serves until ctx ends or Close is called. Close it in either case; after that it
// may be called again. Nothing controls who may connect: keep to the loopback
// interface.
func (d *Daemon) Listen(ctx context.Context, address string) error {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("simphone: listen: %w", err)
	}
	return d.Serve(ctx, listener)
}

// Serve makes the phone reachable through a listener, which it closes in the end, as
// Listen does on an address.
func (d *Daemon) Serve(ctx context.Context, listener net.Listener) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.listener != nil {
		listener.Close()
		return fmt.Errorf("simphone: already listening on %s", d.listener.Addr())
	}
	ctx, cancel := context.WithCancel(ctx)
	serving := new(sync.WaitGroup)
	d.listener, d.stop, d.serving = listener, cancel, serving
	serving.Add(1)
	go func() {
		defer serving.Done()
		d.accept(ctx, listener, serving)
	}()
	return nil
}

func (d *Daemon) accept(ctx context.Context, listener net.Listener, serving *sync.WaitGroup) {
	stop := context.AfterFunc(ctx, func() { listener.Close() })
	defer stop()
	for {
		conn, err := listener.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			d.log.Warn("accept", "error", err)
			select { // out of file descriptors, most likely: give it time
			case <-ctx.Done():
				return
			case <-time.After(50 * time.Millisecond):
			}
			continue
		}
		t := newTransport(ctx, d, conn)
		d.mu.Lock()
		full := len(d.transports) >= maxTransports || !d.phone.Reachable()
		if !full {
			d.transports[t] = struct{}{}
		}
		d.mu.Unlock()
		if full {
			t.drop()
			conn.Close()
			continue
		}
		serving.Add(1)
		go func() {
			defer serving.Done()
			t.run()
			d.mu.Lock()
			delete(d.transports, t)
			d.mu.Unlock()
		}()
	}
}

// Addr is the address the phone listens on, in the form that adb connect takes;
// empty when it does not listen.
func (d *Daemon) Addr() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.listener == nil {
		return ""
	}
	return d.listener.Addr().String()
}

// Close makes the phone unreachable and waits until everything it served has ended.
// Apps, files and settings stay.
func (d *Daemon) Close() error {
	d.mu.Lock()
	listener, stop, serving := d.listener, d.stop, d.serving
	d.mu.Unlock()
	if listener == nil {
		return nil
	}
	stop()
	listener.Close()
	serving.Wait()
	d.mu.Lock()
	if d.listener == listener {
		d.listener = nil
	}
	d.mu.Unlock()
	return nil
}

// Disconnect drops every connection now, as when Wi-Fi goes; the phone keeps
// listening.
func (d *Daemon) Disconnect() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for t := range d.transports {
		t.drop()
	}
}

// SetAuth changes how new computers are treated. Leaving AuthNever also allows
// those that wait, like the owner's finger on "Allow USB debugging".
func (d *Daemon) SetAuth(mode Auth) {
	d.mu.Lock()
	d.authMode = mode
	var waiting []*transport
	if mode != AuthNever {
		for t := range d.transports {
			waiting = append(waiting, t)
		}
	}
	d.mu.Unlock()
	for _, t := range waiting {
		t.allow()
	}
}

func (d *Daemon) auth() Auth {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.authMode
}

// version is the transport's version: checksums were dropped in Android 9.
func (d *Daemon) version() uint32 {
	if d.config.SDK < 28 {
		return versionChecksum
	}
	return versionSkipChecksum
}

// banner is how the phone describes itself in CNXN, with the features that its version of the
// daemon has.
func (d *Daemon) banner() string {
	banner := fmt.Sprintf("device::ro.product.name=%s;ro.product.model=%s;ro.product.device=%s;",
		d.config.Product, d.config.Model, d.config.Device)
	var features []string
	for _, f := range []struct {
		since int // the level of the API
		names string
	}{{24, "shell_v2,cmd"}, {26, "stat_v2"}, {29, "fixed_push_mkdir,apex,abb"}, {30, "ls_v2,fixed_push_symlink_timestamp,abb_exec,remount_shell"}} {
		if d.config.SDK >= f.since {
			features = append(features, f.names)
		}
	}
	if len(features) > 0 {
		banner += "features=" + strings.Join(features, ",")
	}
	return banner
}

// shellV2 reports whether the phone can separate stderr and exit codes: from
// Android 7.
func (d *Daemon) shellV2() bool { return d.config.SDK >= 24 }
