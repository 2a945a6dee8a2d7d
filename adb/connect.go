package adb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// The reasons for which a phone on the network cannot be connected or paired, for
// errors.Is.
var (
	// ErrConnectionRefused: the host is there, but nothing listens on that port.
	ErrConnectionRefused = errors.New("connection refused: nothing listens on that port")
	// ErrUnreachable: the host cannot be reached, or does not answer.
	ErrUnreachable = errors.New("host not reachable")
	// ErrUnknownHost: the host's name has no address.
	ErrUnknownHost = errors.New("unknown host")
	// ErrPairing: the phone is reached, but did not accept the pairing code.
	ErrPairing = errors.New("pairing failed: the code is wrong, or the phone has closed its dialog")
	// ErrNoPairing: the adb server is older than wireless debugging (adb 30.0, 2020).
	ErrNoPairing = errors.New("this adb server cannot pair")
	// ErrNoADB: there is no adb on the PATH to start a server with.
	ErrNoADB = errors.New("adb is not installed")
)

// Connection is a phone on the network that is connected and runs commands.
type Connection struct {
	Serial  string `json:"serial"` // HOST:PORT
	Model   string `json:"model,omitempty"`
	Already bool   `json:"already"` // it was connected before
}

// ConnectPhone is Connect for a person: it reports whether the phone was connected already, and
// its errors say why it cannot be: ErrConnectionRefused, ErrUnreachable, ErrUnknownHost,
// ErrUnauthorized.
func (c *Client) ConnectPhone(ctx context.Context, address string) (Connection, error) {
	serial, _, _, err := splitAddress(address)
	if err != nil {
		return Connection{}, fmt.Errorf("adb: connect: %w", err)
	}
	known, err := c.deviceNamed(ctx, serial)
	if err != nil {
		return Connection{}, err
	}
	found := Connection{Serial: serial, Model: known.Model}
	if known.State == StateDevice && c.answers(ctx, serial) == nil {
		found.Already = true
		return found, nil
	}
	if _, err := c.Connect(ctx, address); err != nil {
		if kind := networkKind(err.Error()); kind != nil {
			err = fmt.Errorf("adb: connect %s: %w", address, kind)
		}
		return Connection{}, err
	}
	if known, err = c.deviceNamed(ctx, serial); err != nil {
		return Connection{}, err
	}
	found.Model = known.Model
	return found, nil
}

// deviceNamed is what the server knows about a phone; of one that it does not know,
// nothing.
func (c *Client) deviceNamed(ctx context.Context, serial string) (DeviceInfo, error) {
	devices, err := c.Devices(ctx)
	if err != nil {
		return DeviceInfo{}, err
	}
	for _, d := range devices {
		if d.Serial == serial {
			return d, nil
		}
	}
	return DeviceInfo{}, nil
}

// networkReasons are the ends of the server's refusals, as strerror, getaddrinfo and adb
// itself word them.
var networkReasons = []struct {
	text string
	err  error
}{
	{"Connection refused", ErrConnectionRefused},
	{"No route to host", ErrUnreachable},
	{"Network is unreachable", ErrUnreachable},
	{"Host is down", ErrUnreachable},
	{"timed out", ErrUnreachable},
	{"failed to resolve", ErrUnknownHost},
	{"Name or service not known", ErrUnknownHost},
	{"nodename nor servname", ErrUnknownHost},
	{"Temporary failure in name resolution", ErrUnknownHost},
}

// networkKind is the kind of a refusal that the server words in a text, nil for none.
func networkKind(text string) error {
	for _, reason := range networkReasons {
		if strings.Contains(text, reason.text) {
			return reason.err
		}
	}
	return nil
}

// pairingDigits is the length of the codes that phones show.
const pairingDigits = 6

// Pair makes a phone with wireless debugging (Android 11 and later) accept this computer. The
// address, HOST:PORT, and the code of six digits are those of the phone's dialog "Pair device
// with pairing code", whose port is not the one for connecting. It returns the server's words,
// which name the phone.
func (c *Client) Pair(ctx context.Context, address, code string) (string, error) {
	if err := errors.Join(CheckPairingAddress(address), CheckPairingCode(code)); err != nil {
		return "", err
	}
	ctx, cancel := c.limit(ctx)
	defer cancel()
	answer, err := c.query(ctx, "host:pair:"+code+":"+address)
	if err != nil {
		if strings.Contains(err.Error(), "unknown host service") {
			err = ErrNoPairing
		}
		return "", fmt.Errorf("adb: pair with %s: %w", address, err)
	}
	if answer = strings.TrimSpace(answer); !strings.HasPrefix(answer, "Successfully paired") {
		return "", fmt.Errorf("adb: pair with %s: %w", address, pairingError(answer))
	}
	return answer, nil
}

// CheckAddress refuses what is no address of a phone, HOST or HOST:PORT.
func CheckAddress(address string) error {
	if _, _, _, err := splitAddress(address); err != nil {
		return fmt.Errorf("adb: %w", err)
	}
	return nil
}

// CheckPairingAddress refuses what is no address to pair with: it needs a port.
func CheckPairingAddress(address string) error {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return fmt.Errorf("adb: bad address %q, expected HOST:PORT as the phone's dialog shows them", address)
	}
	return CheckAddress(address)
}

// CheckPairingCode refuses what is no pairing code of a phone. It does not repeat it.
func CheckPairingCode(code string) error {
	if len(code) != pairingDigits || strings.Trim(code, "0123456789") != "" {
		return fmt.Errorf("adb: bad pairing code, expected the %d digits that the phone's dialog shows", pairingDigits)
	}
	return nil
}

// pairingError is the kind of an answer that is not success. The server tries to reach
// the phone before the code matters.
func pairingError(answer string) error {
	said := fmt.Errorf("the adb server says %q", shorten(answer))
	kind := networkKind(answer)
	switch {
	case kind != nil:
	case strings.Contains(answer, "Wrong password"), strings.Contains(answer, "connection was dropped"):
		kind = ErrPairing
	case strings.Contains(answer, "Unable to start pairing client"):
		kind = ErrUnreachable
	default:
		return said
	}
	return fmt.Errorf("%w: %w", kind, said)
}

// startPatience is how long `adb start-server` may take, which generates a key first
// where there is none.
const startPatience = 30 * time.Second

// StartServer starts the adb server if none answers, as the adb client does: by `adb
// start-server` of the adb on the PATH. The server stays when this program ends. It reports
// whether it started one. A server on another machine is not started.
func (c *Client) StartServer(ctx context.Context) (started bool, err error) {
	if _, err = c.ServerVersion(ctx); !errors.Is(err, ErrNoServer) {
		return false, err
	}
	if !c.local() {
		return false, err
	}
	binary, lookErr := exec.LookPath("adb")
	if lookErr != nil {
		return false, fmt.Errorf("%w, and there is no other to start: %w", err, ErrNoADB)
	}
	ctx, cancel := limit(ctx, c.slow(startPatience))
	defer cancel()
	command := exec.CommandContext(ctx, binary, "-H", "localhost", "-P", strconv.Itoa(c.port), "start-server") // whatever host the environment names
	command.WaitDelay = time.Second                                                                            // the server may keep the output open
	output, runErr := command.CombinedOutput()
	if _, err = c.ServerVersion(ctx); err != nil {
		if runErr != nil && !errors.Is(runErr, exec.ErrWaitDelay) {
			err = fmt.Errorf("%w: %w", err, runErr)
		}
		return false, fmt.Errorf("`adb start-server` says %q: %w", shorten(strings.TrimSpace(string(output))), err)
	}
	return true, nil
}

// local reports whether the server is on this machine.
func (c *Client) local() bool {
	ip := net.ParseIP(c.host)
	return c.host == "localhost" || ip != nil && ip.IsLoopback()
}
