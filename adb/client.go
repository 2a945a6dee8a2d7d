package adb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/electricbubble/gadb"

	"tapwise/adb/hand"
)

// Config says how to reach the adb server and how to use its phones. The zero
// value is the local server with the defaults named at each field.
type Config struct {
	// Host of the adb server; default 127.0.0.1.
	Host string
	// Port of the adb server; default DefaultPort.
	Port int
	// Timeout bounds every single operation, in addition to its context; default 15 s. Commands
	// that play strokes get more, by the number of events in them. Parts of operations have
	// shorter limits, which grow with a Timeout over 20 s.
	Timeout time.Duration
	// MaxPixels bounds the frames that are decoded; default 16 million, twice what 4K has.
	MaxPixels int
	// Method is the capture method until Probe chooses one; default Raw.
	Method Method
	// Capture is the only way to look that is used, one of Methods or Stream, which needs one
	// of them besides; empty for the best that the phone has.
	Capture string
	// RotationAge is how old the rotation noted on a frame may be; default 1 s. An
	// older one is read again at the same time as the frame.
	RotationAge time.Duration
	// Display is the display to use, by either id (see Device.Displays); empty for the default
	// one. It sets both of the following fields, which are for phones that do not list their
	// displays.
	Display string
	// CaptureDisplay is given to screencap as -d: a physical display id (a long
	// number, see dumpsys SurfaceFlinger --display-id). Empty for the default
	// display.
	CaptureDisplay string
	// TouchDisplay is given to input as -d: a logical display id, not the one
	// above. Empty for the default display.
	TouchDisplay string
	// Touch is the only way to touch that may be used, one of hand.Ways or hand.Input; empty
	// for the best that the phone accepts.
	Touch string
	// TouchStore keeps what was found out about touching each phone; nil keeps
	// nothing.
	TouchStore TouchStore
	// Dial connects to the server; default TCP to Host and Port. Connecting phones and copying
	// files go through gadb, which always dials these.
	Dial func(ctx context.Context) (net.Conn, error)
	// Keeper, when set, starts the server again that was ended.
	Keeper *Keeper
	// Now is the clock; default time.Now.
	Now func() time.Time
	// Log is told what phones say that is no answer; default none.
	Log *slog.Logger
}

// DefaultPort is where adb servers listen.
const DefaultPort = gadb.AdbServerPort

// A Client speaks to one adb server. It is safe for concurrent use.
type Client struct {
	config  Config
	host    string
	port    int
	address string
	traffic *traffic

	identities *identities
}

// New checks config and fills in its defaults. It does not contact the server.
func New(config Config) (*Client, error) {
	if config.Host == "" {
		config.Host = "127.0.0.1"
	}
	if config.Port == 0 {
		config.Port = DefaultPort
	}
	if config.Port < 1 || config.Port > 65535 {
		return nil, fmt.Errorf("adb: server port %d, expected 1 to 65535", config.Port)
	}
	for _, id := range []string{config.Display, config.CaptureDisplay, config.TouchDisplay} {
		if strings.Trim(id, "0123456789") != "" {
			return nil, fmt.Errorf("adb: display id %q, expected digits", id)
		}
	}
	if config.Touch != "" && config.Touch != hand.Input && !slices.Contains(hand.Ways(), config.Touch) {
		return nil, fmt.Errorf("adb: touch by %q, expected %s or one of %v", config.Touch, hand.Input, hand.Ways())
	}
	if config.Timeout <= 0 {
		config.Timeout = 15 * time.Second
	}
	if config.MaxPixels <= 0 {
		config.MaxPixels = 16 << 20
	}
	if config.Method == "" {
		config.Method = Raw
	}
	if config.Method.command("", "") == "" {
		return nil, fmt.Errorf("adb: capture method %q, expected one of %v", config.Method, Methods())
	}
	if config.Capture != "" && !slices.Contains(Captures(), config.Capture) {
		return nil, fmt.Errorf("adb: capture by %q, expected one of %v", config.Capture, Captures())
	}
	if config.RotationAge == 0 {
		config.RotationAge = time.Second
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	address := net.JoinHostPort(config.Host, strconv.Itoa(config.Port))
	if config.Dial == nil {
		config.Dial = func(ctx context.Context) (net.Conn, error) {
			var dialer net.Dialer
			return dialer.DialContext(ctx, "tcp", address)
		}
	}
	return &Client{config: config, host: config.Host, port: config.Port, address: address, traffic: &traffic{}, identities: &identities{}}, nil
}

// Address is the server's host:port.
func (c *Client) Address() string { return c.address }

// limit bounds one operation by the configured timeout.
func (c *Client) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return limit(ctx, c.config.Timeout)
}

// usualTimeout is the longest Config.Timeout that leaves the shorter limits as they are.
const usualTimeout = 20 * time.Second

// slow is a limit shorter than Config.Timeout, for a part of an operation. It grows with
// a Timeout that says that the phone, or this machine, is slow.
func (c *Client) slow(usual time.Duration) time.Duration {
	return time.Duration(float64(usual) * max(1, float64(c.config.Timeout)/float64(usualTimeout)))
}

// ServerVersion returns the server's protocol version (41 for adb 1.0.41). It is
// the cheapest proof that a server answers.
func (c *Client) ServerVersion(ctx context.Context) (int, error) {
	ctx, cancel := c.limit(ctx)
	defer cancel()
	version, err := c.version(ctx)
	if err != nil {
		return 0, fmt.Errorf("adb: server version: %w", err)
	}
	return version, nil
}

func (c *Client) version(ctx context.Context) (int, error) {
	text, err := c.query(ctx, "host:version")
	if err != nil {
		return 0, err
	}
	version, err := strconv.ParseUint(text, 16, 31)
	if err != nil {
		return 0, fmt.Errorf("%w: version %q", ErrProtocol, shorten(text))
	}
	return int(version), nil
}

// gadb returns a gadb client for a server that has just answered.
func (c *Client) gadb(ctx context.Context) (gadb.Client, error) {
	// gadb dials without a time limit and trusts whatever answers, so ask first.
	if _, err := c.version(ctx); err != nil {
		return gadb.Client{}, err
	}
	host := c.host
	if strings.Contains(host, ":") {
		host = "[" + host + "]" // gadb joins host and port without brackets
	}
	return abandonable(ctx, func() (gadb.Client, error) { return gadb.NewClientWith(host, c.port) })
}

// A State is a phone's state in the server's words; StateDevice is the only one
// in which it can be used.
type State string

// The states that call for different advice; the server knows a few more.
const (
	StateDevice        State = "device"
	StateOffline       State = "offline"
	StateUnauthorized  State = "unauthorized"
	StateAuthorizing   State = "authorizing"
	StateConnecting    State = "connecting"
	StateNoPermissions State = "no permissions"
	StateRecovery      State = "recovery"
	StateBootloader    State = "bootloader"
)

// knownState reports whether a word is one that servers use for a state.
func knownState(word string) bool {
	switch State(word) {
	case StateDevice, StateOffline, StateUnauthorized, StateAuthorizing, StateConnecting,
		StateRecovery, StateBootloader, "sideload", "rescue", "host", "detached", "unknown":
		return true
	}
	return false
}

// err is nil for a phone that can be used, else the reason why not.
func (s State) err() error {
	switch s {
	case StateDevice:
		return nil
	case StateOffline, StateConnecting:
		return ErrOffline
	case StateUnauthorized, StateAuthorizing:
		return ErrUnauthorized
	case StateNoPermissions:
		return ErrNoPermissions
	}
	return fmt.Errorf("%w: it is in state %q", ErrNotReady, string(s))
}

// DeviceInfo is one line of the server's list of phones.
type DeviceInfo struct {
	Serial      string `json:"serial"`
	State       State  `json:"state"`
	Detail      string `json:"detail,omitempty"` // what the server adds to "no permissions"
	Product     string `json:"product,omitempty"`
	Model       string `json:"model,omitempty"`
	Name        string `json:"device,omitempty"` // the code name, ro.product.device
	TransportID string `json:"transport_id,omitempty"`
	USB         string `json:"usb,omitempty"` // the USB path; empty over the network
}

// Err is nil for a phone that can be used, else one of ErrOffline,
// ErrUnauthorized, ErrNoPermissions, ErrNotReady with the serial.
func (i DeviceInfo) Err() error {
	if err := i.State.err(); err != nil {
		return fmt.Errorf("adb: %s: %w", i.Serial, err)
	}
	return nil
}

// String is the serial, the state and the model: `R58M20 device (Pixel_7)`.
func (i DeviceInfo) String() string {
	text := i.Serial + " " + string(i.State)
	if i.Model != "" {
		text += " (" + i.Model + ")"
	}
	return text
}

// Devices lists every phone the server knows, whatever its state. The list is
// empty, not an error, when there is none.
func (c *Client) Devices(ctx context.Context) ([]DeviceInfo, error) {
	ctx, cancel := c.limit(ctx)
	defer cancel()
	return c.devices(ctx)
}

func (c *Client) devices(ctx context.Context) ([]DeviceInfo, error) {
	text, err := c.query(ctx, "host:devices-l")
	if err != nil {
		return nil, fmt.Errorf("adb: list devices: %w", err)
	}
	devices, err := parseDevices(text)
	if err != nil {
		return nil, fmt.Errorf("adb: list devices: %w", err)
	}
	c.config.Keeper.listed(devices)
	return devices, nil
}

// parseDevices reads the long device list (host:devices-l, the lines of `adb
// devices -l` below its title). A line that cannot be understood is an ErrProtocol,
// never left out.
func parseDevices(text string) ([]DeviceInfo, error) {
	var devices []DeviceInfo
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		info, ok := parseDevice(line)
		if !ok {
			return nil, fmt.Errorf("%w: device line %q", ErrProtocol, shorten(line))
		}
		devices = append(devices, info)
	}
	return devices, nil
}

func parseDevice(line string) (DeviceInfo, bool) {
	// Serials of phones found over mDNS, and "(no serial number)", contain spaces,
	// so the state is found by its word; when no word is known, the second one is
	// the state.
	words := strings.Fields(line)
	at := 0
	for i := 1; i < len(words) && at == 0; i++ {
		if knownState(words[i]) || noPermissions(words[i:]) {
			at = i
		}
	}
	if at == 0 {
		at = 1
	}
	if len(words) < 2 {
		return DeviceInfo{}, false
	}
	info := DeviceInfo{Serial: strings.Join(words[:at], " "), State: State(words[at])}
	rest := words[at+1:]
	if noPermissions(words[at:]) {
		info.State, rest = StateNoPermissions, rest[1:]
	}
	var detail []string
	for _, word := range rest {
		key, value, _ := strings.Cut(word, ":")
		switch key {
		case "usb", "devpath":
			info.USB = strings.TrimPrefix(value, usbPrefix) // old servers print devpath:usb:1-2
		case "product":
			info.Product = value
		case "model":
			info.Model = value
		case "device":
			info.Name = value
		case "transport_id":
			info.TransportID = value
		case "features":
		default:
			detail = append(detail, word)
		}
	}
	info.Detail = strings.Join(detail, " ")
	return info, true
}

// noPermissions reports whether the words begin with `no permissions`, which a
// semicolon or a reason may follow.
func noPermissions(words []string) bool {
	return len(words) > 1 && words[0] == "no" && strings.TrimSuffix(words[1], ";") == "permissions"
}

// state asks for one phone's state; a phone that is not ready is no error here.
func (c *Client) state(ctx context.Context, serial string) (State, error) {
	transport, err := c.transport(ctx, serial)
	if err != nil {
		return "", err
	}
	service := "host-serial:" + serial
	if strings.HasPrefix(transport, "transport-id:") {
		service = "host-" + transport
	}
	text, err := c.query(ctx, service+":get-state")
	switch {
	case err == nil:
		return State(strings.TrimSpace(text)), nil
	case errors.Is(err, ErrUnauthorized): // the server fails instead of naming these states
		return StateUnauthorized, nil
	case errors.Is(err, ErrOffline):
		return StateOffline, nil
	case errors.Is(err, ErrNoPermissions):
		return StateNoPermissions, nil
	}
	return "", err
}

// Connect connects the server to a phone over the network, "HOST" or "HOST:PORT"
// (default port 5555), and returns its serial. It succeeds only if the phone then
// actually runs a command. A connection that the server still holds but that does
// not work is cut and made again: the server alone would answer "already
// connected".
func (c *Client) Connect(ctx context.Context, address string) (serial string, err error) {
	ctx, cancel := c.limit(ctx)
	defer cancel()
	serial, host, port, err := splitAddress(address)
	if err == nil {
		err = c.connect(ctx, serial, host, port)
	}
	if err != nil {
		return "", fmt.Errorf("adb: connect %s: %w", address, err)
	}
	return serial, nil
}

func (c *Client) connect(ctx context.Context, serial, host string, port int) error {
	server, err := c.gadb(ctx)
	if err != nil {
		return err
	}
	for {
		state, err := c.state(ctx, serial)
		switch {
		case errors.Is(err, ErrNoDevice):
		case err != nil:
			return err
		case state == StateDevice && c.answers(ctx, serial) == nil:
			return nil
		default:
			// The answer does not matter: what counts is whether connecting works.
			_, _ = abandonable(ctx, func() (struct{}, error) { return struct{}{}, server.Disconnect(host, port) })
		}
		_, err = abandonable(ctx, func() (struct{}, error) { return struct{}{}, server.Connect(host, port) })
		if ctx.Err() != nil {
			return contextError(ctx)
		}
		refusal := gadbError(err)
		if refusal != nil && !errors.Is(refusal, ErrUnauthorized) {
			return refusal
		}
		// Neither answer is final. The server says "failed to authenticate" of
		// phones that are about to accept the key. gadb takes "already connected"
		// for success, but the server also says that of connections that it is
		// about to drop: then the phone is offline or not listed, and connecting
		// again helps.
		err = c.waitReady(ctx, serial, time.Second)
		if err == nil {
			err = c.answers(ctx, serial)
		}
		if err != nil && refusal != nil {
			return refusal
		}
		if !Reconnectable(err) {
			return err
		}
		if waitErr := pause(ctx); waitErr != nil {
			return fmt.Errorf("%w: %w", err, waitErr)
		}
	}
}

// pause keeps a loop that polls the server from running hot.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return contextError(ctx)
	case <-time.After(50 * time.Millisecond):
		return nil
	}
}

// answers runs a command on the phone: a state of "device" may be out of date.
func (c *Client) answers(ctx context.Context, serial string) error {
	ctx, cancel := limit(ctx, min(c.config.Timeout, c.slow(5*time.Second)))
	defer cancel()
	_, _, err := c.shell(ctx, serial, "echo")
	return err
}

// waitReady waits until the phone is usable, but no longer than most. A phone that
// asks its owner for permission is reported early, or nobody would know what the
// wait is for.
func (c *Client) waitReady(ctx context.Context, serial string, most time.Duration) error {
	ctx, cancel := limit(ctx, most)
	defer cancel()
	var last error
	for patience := 15; ; patience-- {
		state, err := c.state(ctx, serial)
		if err == nil {
			err = state.err()
		}
		switch {
		case err == nil, errors.Is(err, ErrNoPermissions):
			return err
		case errors.Is(err, ErrUnauthorized):
			if patience <= 0 {
				return err
			}
			last = err
		case errors.Is(err, ErrOffline), errors.Is(err, ErrNoDevice):
			last = err
		case ctx.Err() == nil:
			return err
		}
		if waitErr := pause(ctx); waitErr != nil {
			if last == nil {
				return waitErr
			}
			if errors.Is(last, ErrUnauthorized) {
				return last
			}
			return fmt.Errorf("%w: %w", last, waitErr)
		}
	}
}

// Disconnect cuts the connection to one phone, "HOST" or "HOST:PORT". There is no way to cut
// all connections: some may be somebody else's.
func (c *Client) Disconnect(ctx context.Context, address string) error {
	ctx, cancel := c.limit(ctx)
	defer cancel()
	_, host, port, err := splitAddress(address)
	if err == nil {
		var server gadb.Client
		if server, err = c.gadb(ctx); err == nil {
			_, err = abandonable(ctx, func() (struct{}, error) { return struct{}{}, server.Disconnect(host, port) })
			err = gadbError(err)
		}
	}
	if err != nil {
		return fmt.Errorf("adb: disconnect %s: %w", address, err)
	}
	return nil
}

// Reconnect gets a phone back: one on the network is disconnected and connected
// again, one on USB is waited for until ctx or Config.Timeout ends.
func (c *Client) Reconnect(ctx context.Context, serial string) error {
	if isAddress(serial) {
		_, err := c.Connect(ctx, serial)
		return err
	}
	ctx, cancel := c.limit(ctx)
	defer cancel()
	if err := c.waitReady(ctx, serial, c.config.Timeout); err != nil {
		return fmt.Errorf("adb: wait for %s: %w", serial, err)
	}
	return nil
}

// isAddress reports whether a name is the address of a phone on the network.
func isAddress(name string) bool {
	_, _, err := net.SplitHostPort(name)
	return err == nil && !strings.HasPrefix(name, usbPrefix) && !strings.HasPrefix(name, transportPrefix)
}

// splitAddress returns the serial that the server gives to a network address, and
// the host (in brackets for IPv6, as gadb needs it) and the port in it.
func splitAddress(address string) (serial, host string, port int, err error) {
	host, digits, splitErr := net.SplitHostPort(address)
	if splitErr != nil {
		host, digits = strings.Trim(address, "[]"), strconv.Itoa(gadb.AdbDaemonPort)
	}
	port, err = strconv.Atoi(digits)
	if err != nil || port < 1 || port > 65535 || host == "" || strings.ContainsAny(host, " \t\n;[]") {
		// An empty host must never get through: the server takes it for all phones.
		return "", "", 0, fmt.Errorf("bad address %q, expected HOST or HOST:PORT", address)
	}
	serial = net.JoinHostPort(host, digits)
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return serial, host, port, nil
}

// gadbError turns gadb's error texts into errors of a known kind.
func gadbError(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if after, ok := strings.CutPrefix(text, "command failed: "); ok {
		return serverFailure(after)
	}
	for _, refusal := range []string{"adb connect: ", "adb disconnect: "} {
		after, ok := strings.CutPrefix(text, refusal)
		if !ok {
			continue
		}
		kind := failureKind(after)
		if kind == nil {
			kind = ErrNoDevice // "failed to connect to …", "no such device …": nobody is there
		}
		return fmt.Errorf("%w (%s)", kind, shorten(strings.TrimSpace(after)))
	}
	return fmt.Errorf("gadb: %w", err)
}
