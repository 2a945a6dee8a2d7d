package adb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb/adbtest/await"
)

func TestParseDevices(t *testing.T) {
	data, err := os.ReadFile("testdata/devices/list.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list, want strings.Builder
	for line := range strings.Lines(string(data)) {
		if result, ok := strings.CutPrefix(line, "=> "); ok {
			want.WriteString(strings.TrimSpace(result) + "\n")
		} else if !strings.HasPrefix(line, "#") {
			list.WriteString(line)
		}
	}
	devices, err := parseDevices(list.String())
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, d := range devices {
		line := strings.Join([]string{d.Serial, string(d.State), d.Detail, d.Product, d.Model, d.Name, d.TransportID, d.USB}, "|")
		got.WriteString(line + "\n")
	}
	if wanted := strings.NewReplacer(" | ", "|", "| ", "|", " |", "|").Replace(want.String()); got.String() != wanted {
		t.Errorf("got:\n%swant:\n%s", got.String(), wanted)
	}
}

func TestDeviceErrNamesTheState(t *testing.T) {
	for state, want := range map[State]error{
		StateDevice: nil, StateOffline: ErrOffline, StateConnecting: ErrOffline, StateUnauthorized: ErrUnauthorized,
		StateAuthorizing: ErrUnauthorized, StateNoPermissions: ErrNoPermissions, StateRecovery: ErrNotReady, "": ErrNotReady,
	} {
		err := DeviceInfo{Serial: "R58M", State: state}.Err()
		if !errors.Is(err, want) {
			t.Errorf("state %q: %v, want %v", state, err, want)
		}
		if err != nil && !strings.Contains(err.Error(), "R58M") {
			t.Errorf("%v does not name the phone", err)
		}
	}
}

func TestParseDevicesRefusesALineItCannotRead(t *testing.T) {
	if devices, err := parseDevices("R58M device\nonlyaserial\n"); !errors.Is(err, ErrProtocol) {
		t.Errorf("%v, %v, want an ErrProtocol", devices, err)
	}
	if devices, err := parseDevices("\n \n"); err != nil || len(devices) != 0 {
		t.Errorf("%v, %v, want none", devices, err)
	}
}

func FuzzDevices(f *testing.F) {
	data, err := os.ReadFile("testdata/devices/list.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	for line := range strings.Lines(string(data)) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		devices, err := parseDevices(text)
		lines := 0
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		if err == nil && len(devices) != lines {
			t.Errorf("%d phones of %d lines", len(devices), lines)
		}
		for _, d := range devices {
			if d.Serial == "" || d.State == "" {
				t.Errorf("%+v", d)
			}
			_ = d.Err()
		}
	})
}

func FuzzProperties(f *testing.F) {
	f.Add("[ro.build.version.sdk]: [34]\n[a]: [b\nc]\n[]: []\n")
	f.Add("[a]: [" + strings.Repeat("b\n", 1000))
	f.Add(strings.Repeat("[a]: [\n", 1000))
	f.Fuzz(func(t *testing.T, text string) {
		properties := map[string]string{}
		atCost(t, text, func() { properties = parseProperties(text) })
		if len(properties) > maxProperties {
			t.Errorf("%d properties", len(properties))
		}
		for key, value := range properties {
			if !strings.Contains(text, key) || len(value) > min(len(text), maxPropertyBytes) {
				t.Errorf("%q: %q", key, value)
			}
		}
	})
}

// processorTime is what this process has spent.
func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // it has no way to fail
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// atCost expects a parser of a phone's text to take memory in proportion to the
// text, and linear time: the limit is generous for a linear parser, and a quadratic
// one would need a thousand times as long.
func atCost(t *testing.T, text string, parse func()) {
	t.Helper()
	// A map of short properties costs the most: some 100 bytes for 6 of text.
	const perByte, always = 64, 64 << 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := processorTime()
	parse()
	took := processorTime() - began
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(pooledAgain*(always+perByte*len(text))); got > most {
		t.Errorf("%d bytes were taken for %d of text, expected at most %d", got, len(text), most)
	}
	if most := 2*time.Second + time.Duration(len(text))*10*time.Microsecond; took > most {
		t.Errorf("%v for %d bytes, expected at most %v", took, len(text), most)
	}
}

// TestPropertiesAreLinear gives parseProperties the output of a broken phone, up to
// the limit of shell output. The cost grows in proportion to the text: putting a
// value together line by line took 67 s and 40 GB for a twentieth of it.
func TestPropertiesAreLinear(t *testing.T) {
	for name, line := range map[string]string{
		"a value that does not end": "x\n", "values that do not end": "[a]: [\n", "no line ends": "x", "brackets": "[]: []: [\n",
		"one key": "[a]: [b]\n", "empty lines": "\n", "carriage returns": "\r",
	} {
		text := "[a]: [" + strings.Repeat(line, maxShellOutput/len(line))
		t.Run(name, func(t *testing.T) { atCost(t, text, func() { parseProperties(text) }) })
	}
	var many strings.Builder
	for i := range 2 * maxProperties {
		fmt.Fprintf(&many, "[%d]: [%d]\n", i, i)
	}
	if got := len(parseProperties(many.String())); got != maxProperties {
		t.Errorf("%d properties, expected %d", got, maxProperties)
	}
	long := strings.Repeat("x", maxPropertyBytes)
	got := parseProperties("[long]: [" + long + "]\n[open]: [" + long + "\n" + long + "\n[next]: [1]\n")
	if len(got) != 1 || got["next"] != "1" {
		t.Errorf("%d properties, expected next alone", len(got))
	}
}

func TestParseProperties(t *testing.T) {
	got := parseProperties("* daemon started\r\n[ro.product.model]: [SM-G973F]\r\n[multi]: [one\r\ntwo]\r\n[empty]: []\n[last]: [x]")
	want := map[string]string{"ro.product.model": "SM-G973F", "multi": "one\ntwo", "empty": "", "last": "x"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestNewChecksItsConfig(t *testing.T) {
	t.Setenv("ANDROID_ADB_SERVER_PORT", "5099") // which is for whoever makes the config
	client, err := New(Config{})
	if err != nil || client.Address() != "127.0.0.1:5037" {
		t.Errorf("%v, %v, want adb's usual port", client, err)
	}
	if client, err = New(Config{Port: 6000}); err != nil || client.Address() != "127.0.0.1:6000" {
		t.Errorf("%v, %v, want the port of the config", client, err)
	}
	for name, config := range map[string]Config{
		"port": {Port: 70000}, "method": {Port: 1, Method: "jpeg"},
		"capture display": {Port: 1, CaptureDisplay: "0;reboot"}, "touch display": {Port: 1, TouchDisplay: "a"},
	} {
		if _, err := New(config); err == nil {
			t.Errorf("a bad %s was taken", name)
		}
	}
}

func TestSplitAddress(t *testing.T) {
	for address, want := range map[string]string{
		"192.168.1.5":         "192.168.1.5:5555 192.168.1.5 5555",
		"192.168.1.5:41234":   "192.168.1.5:41234 192.168.1.5 41234",
		"phone.local:5556":    "phone.local:5556 phone.local 5556",
		"[fe80::1%eth0]:5555": "[fe80::1%eth0]:5555 [fe80::1%eth0] 5555",
		"::1":                 "[::1]:5555 [::1] 5555",
	} {
		serial, host, port, err := splitAddress(address)
		if got := fmt.Sprint(serial, " ", host, " ", port); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", address, got, err, want)
		}
	}
	for _, address := range []string{"", ":5555", ":", "host:", "host:0", "host:99999", "host:port", "a b", "a;b:5", "[]:5"} {
		if serial, _, _, err := splitAddress(address); err == nil {
			t.Errorf("%q is taken for %s", address, serial)
		}
	}
}

func TestServerFailuresAreTold(t *testing.T) {
	for text, want := range map[string]error{
		"device 'R58M' not found":    ErrNoDevice,
		"no devices/emulators found": ErrNoDevice,
		"device offline":             ErrOffline,
		"device still connecting":    ErrOffline,
		"device still authorizing":   ErrUnauthorized,
		"device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if that seems wrong.\nOtherwise check for a confirmation dialog on your device.": ErrUnauthorized,
		"insufficient permissions for device: user in plugdev group": ErrNoPermissions,
		"more than one device/emulator":                              ErrManyDevices,
		"closed":                                                     ErrClosed,
	} {
		err := serverFailure(text)
		if !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
		if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "kill-server") {
			t.Errorf("%q: advice is left in %q", text, err)
		}
	}
	if err := serverFailure("cannot open jdwp"); !strings.Contains(err.Error(), "cannot open jdwp") {
		t.Errorf("%v does not say what the server said", err)
	}
}

// everyCall lists the operations that talk to the server.
func everyCall(client *Client) map[string]func(context.Context) error {
	d := phoneOf(client, "R58M")
	return map[string]func(context.Context) error{
		"ServerVersion": func(ctx context.Context) error { _, err := client.ServerVersion(ctx); return err },
		"Devices":       func(ctx context.Context) error { _, err := client.Devices(ctx); return err },
		"Open":          func(ctx context.Context) error { _, err := client.Open(ctx, ""); return err },
		"Connect":       func(ctx context.Context) error { _, err := client.Connect(ctx, "127.0.0.1:9"); return err },
		"Disconnect":    func(ctx context.Context) error { return client.Disconnect(ctx, "127.0.0.1:9") },
		"Reconnect":     d.Reconnect,
		"State":         func(ctx context.Context) error { _, err := d.State(ctx); return err },
		"Shell":         func(ctx context.Context) error { _, _, err := d.Shell(ctx, "true"); return err },
		"Capture":       func(ctx context.Context) error { _, err := d.Capture(ctx); return err },
		"Pull capture":  func(ctx context.Context) error { _, err := d.CaptureWith(ctx, Pull); return err },
		"Probe":         func(ctx context.Context) error { _, err := d.Probe(ctx); return err },
		"Screen":        func(ctx context.Context) error { _, err := d.Screen(ctx); return err },
		"Foreground":    func(ctx context.Context) error { _, err := d.Foreground(ctx); return err },
		"hand.Method":   func(ctx context.Context) error { _, err := d.Hand().Method(ctx); return err },
		"Key":           func(ctx context.Context) error { return d.Key(ctx, "BACK") },
		"Start":         func(ctx context.Context) error { return d.Start(ctx, "com.example.game") },
		"ForceStop":     func(ctx context.Context) error { return d.ForceStop(ctx, "com.example.game") },
	}
}

func TestNoServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close() // nobody listens on this port now
	for name, call := range everyCall(clientFor(t, address, Config{})) {
		err := call(t.Context())
		if !errors.Is(err, ErrNoServer) || !strings.HasPrefix(err.Error(), "adb: ") {
			t.Errorf("%s: %v, want an ErrNoServer that starts with adb:", name, err)
		}
	}
}

func TestServerThatHangsUp(t *testing.T) {
	client := fakeServer(t, func(c net.Conn) { request(c) })
	for name, call := range everyCall(client) {
		if err := call(t.Context()); !errors.Is(err, ErrNoServer) {
			t.Errorf("%s: %v, want an ErrNoServer", name, err)
		}
	}
}

func TestServerThatAnswersGarbage(t *testing.T) {
	for _, garbage := range []string{
		"HTTP/1.1 400 Bad Request\r\n\r\n", "OKAYzzzz", "OKAY-001", "FAIL-001", "FAILffffshort", "OKAYffff", "OK", "\x00\x00\x00\x00\x00\x00\x00\x00",
	} {
		client := fakeServer(t, func(c net.Conn) {
			request(c)
			_, _ = c.Write([]byte(garbage))
		})
		for _, name := range []string{"ServerVersion", "Devices", "Open", "Connect", "Disconnect", "State"} {
			if err := everyCall(client)[name](t.Context()); !errors.Is(err, ErrProtocol) {
				t.Errorf("%q to %s: %v, want an ErrProtocol", garbage, name, err)
			}
		}
		if _, err := phoneOf(client, "R58M").pull(t.Context(), "/data/x", 1); !errors.Is(err, ErrProtocol) {
			t.Errorf("%q to a pull: %v, want an ErrProtocol", garbage, err)
		}
	}
}

func TestServerThatAnswersNothing(t *testing.T) {
	var names []string
	for name := range everyCall(clientFor(t, "127.0.0.1:1", Config{})) {
		names = append(names, name)
	}
	for _, name := range names {
		synctest.Test(t, func(t *testing.T) {
			call := everyCall(pipedServer(t, hang))[name]
			if err := call(t.Context()); !errors.Is(err, ErrTimeout) || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v, want an ErrTimeout of our own", name, err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			if err := call(ctx); !errors.Is(err, ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v, want an ErrTimeout of the context", name, err)
			}
		})
	}
}

// A lateContext is over a while after its deadline, as every context is on a busy machine.
type lateContext struct {
	context.Context
	deadline time.Time
	done     chan struct{}
}

func (c *lateContext) Deadline() (time.Time, bool) { return c.deadline, true }

func (c *lateContext) Done() <-chan struct{} { return c.done }

func (c *lateContext) Err() error {
	select {
	case <-c.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// TestDialEndsBeforeItsContext has connecting end at the deadline, before the context says so.
func TestDialEndsBeforeItsContext(t *testing.T) {
	client := clientFor(t, "127.0.0.1:9", Config{Dial: func(context.Context) (net.Conn, error) {
		return nil, fmt.Errorf("dial tcp: %w", os.ErrDeadlineExceeded)
	}})
	ctx := &lateContext{t.Context(), time.Now(), make(chan struct{})}
	time.AfterFunc(20*time.Millisecond, func() { close(ctx.done) })
	if _, err := client.ServerVersion(ctx); !errors.Is(err, ErrTimeout) || !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrNoServer) {
		t.Errorf("%v, want an ErrTimeout of the context", err)
	}
}

func TestCancellationReturnsAtOnce(t *testing.T) {
	asked := make(chan struct{}, 100)
	client := fakeServer(t, func(c net.Conn) {
		request(c)
		asked <- struct{}{}
		hang(c)
	})
	for name, call := range everyCall(client) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- call(ctx) }()
		<-asked
		cancel()
		if err := await.From(t, name+" ends with its context", done); !errors.Is(err, context.Canceled) || errors.Is(err, ErrTimeout) {
			t.Errorf("%s: %v, want context.Canceled", name, err)
		}
		if err := call(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a cancelled context: %v", name, err)
		}
		for len(asked) > 0 {
			<-asked
		}
	}
}

// gadb has no context: a call to it that hangs has to be abandoned.
func TestCancellationLeavesGadbBehind(t *testing.T) {
	connecting := make(chan struct{})
	client := scripted(t, map[string]func(net.Conn){
		"host:version":                      func(c net.Conn) { answer(c, "0029") },
		"host-serial:127.0.0.1:9:get-state": func(c net.Conn) { failWith(c, "device '127.0.0.1:9' not found") },
		"host:connect:127.0.0.1:9":          func(c net.Conn) { close(connecting); hang(c) },
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { _, err := client.Connect(ctx, "127.0.0.1:9"); done <- err }()
	<-connecting
	cancel()
	if err := await.From(t, "Connect ends with its context", done); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
}

// gadb panics on a negative length in an answer.
func TestPanicInGadbIsAnError(t *testing.T) {
	client := scripted(t, map[string]func(net.Conn){
		"host:version":                      func(c net.Conn) { answer(c, "0029") },
		"host-serial:127.0.0.1:9:get-state": func(c net.Conn) { failWith(c, "device '127.0.0.1:9' not found") },
		"host:connect:127.0.0.1:9":          func(c net.Conn) { fmt.Fprint(c, "FAIL-001") },
	})
	if _, err := client.Connect(t.Context(), "127.0.0.1:9"); !errors.Is(err, ErrProtocol) {
		t.Errorf("%v, want an ErrProtocol", err)
	}
}

func TestConnectCutsAConnectionThatDoesNotWork(t *testing.T) {
	const serial = "127.0.0.1:9"
	for name, first := range map[string]func(net.Conn){
		"offline":      func(c net.Conn) { answer(c, "offline") },
		"unauthorized": func(c net.Conn) { failWith(c, "device unauthorized.\nThis adb server's …") },
	} {
		t.Run(name, func(t *testing.T) {
			var order []string
			note := func(what string, text string) func(net.Conn) {
				return func(c net.Conn) { order = append(order, what); answer(c, text) }
			}
			state := first
			client := scripted(t, map[string]func(net.Conn){
				"host:version":                         func(c net.Conn) { answer(c, "0029") },
				"host-serial:" + serial + ":get-state": func(c net.Conn) { state(c) },
				"host:disconnect:" + serial:            note("disconnect", "disconnected "+serial),
				"host:connect:" + serial: func(c net.Conn) {
					state = func(c net.Conn) { answer(c, "device") }
					note("connect", "connected to "+serial)(c)
				},
				"host:transport:" + serial: okay,
				"shell:echo; echo __RC$?":  func(c net.Conn) { okay(c); fmt.Fprint(c, "\n__RC0\n"); c.Close() },
			})
			got, err := client.Connect(t.Context(), serial)
			if err != nil || got != serial || strings.Join(order, " ") != "disconnect connect" {
				t.Errorf("%q, %v after %q, want disconnect, then connect", got, err, order)
			}
		})
	}
}

func TestConnectRefused(t *testing.T) {
	for text, want := range map[string]error{
		"failed to connect to '127.0.0.1:9': Connection refused": ErrNoDevice,
		"failed to authenticate to 127.0.0.1:9: unauthorized":    ErrUnauthorized,
	} {
		client := scripted(t, map[string]func(net.Conn){
			"host:version":                      func(c net.Conn) { answer(c, "0029") },
			"host-serial:127.0.0.1:9:get-state": func(c net.Conn) { failWith(c, "device '127.0.0.1:9' not found") },
			"host:connect:127.0.0.1:9":          func(c net.Conn) { answer(c, text) },
		})
		if _, err := client.Connect(t.Context(), "127.0.0.1:9"); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

func TestOpenChooses(t *testing.T) {
	for _, test := range []struct {
		name, list, serial string
		want               error
		text               string
	}{
		{"none", "", "", ErrNoDevice, "no phone is connected"},
		{"none of that name", "", "R58M", ErrNoDevice, "R58M"},
		{"another name", "A1 device product:p model:m device:d\n", "R58M", ErrNoDevice, "A1 device (m)"},
		{"several", "A1 device\nB2 offline\n", "", ErrManyDevices, "A1 device, B2 offline"},
		{"offline", "B2 offline transport_id:1\n", "", ErrOffline, "B2"},
		{"unauthorized, named", "A1 device\nB2 unauthorized\n", "B2", ErrUnauthorized, "accept the USB debugging dialog"},
		{"no permissions", "B2 no permissions; see [http://x]\n", "", ErrNoPermissions, "udev"},
		{"recovery", "B2 recovery\n", "", ErrNotReady, "recovery"},
	} {
		client := scripted(t, map[string]func(net.Conn){"host:devices-l": func(c net.Conn) { answer(c, test.list) }})
		_, err := client.Open(t.Context(), test.serial)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v, want %v with %q", test.name, err, test.want, test.text)
		}
	}
}

// A phone whose banner names no product is hidden by gadb, but not here.
func TestPhoneWithoutProductIsListed(t *testing.T) {
	client := scripted(t, map[string]func(net.Conn){
		"host:devices-l":      func(c net.Conn) { answer(c, "bare                   device\n") },
		"host:transport:bare": okay,
		"shell:getprop; echo __RC$?": func(c net.Conn) {
			okay(c)
			fmt.Fprint(c, "[ro.build.version.sdk]: [34]\r\n__RC0\r\n")
			c.Close()
		},
		"host-serial:bare:get-state": func(c net.Conn) { answer(c, "device") },
		"host:version":               func(c net.Conn) { answer(c, "0029") },
		"sync:": func(c net.Conn) {
			okay(c)
			_, _ = c.Read(make([]byte, 100))
			_, _ = c.Write([]byte("STAT\xa4\x81\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00"))
		},
	})
	d, err := client.Open(t.Context(), "")
	if err != nil || d.Serial != "bare" || d.SDK != 34 {
		t.Fatalf("%+v, %v", d, err)
	}
	if _, err := d.pull(t.Context(), "/x", 1<<30); err == nil || !strings.Contains(err.Error(), "names no product") {
		t.Errorf("%v, want the reason why gadb cannot", err)
	}
}

func TestReconnectable(t *testing.T) {
	for err, want := range map[error]bool{
		fmt.Errorf("x: %w", ErrOffline): true, fmt.Errorf("x: %w", ErrClosed): true, ErrNoDevice: true, ErrTimeout: true,
		ErrUnauthorized: false, ErrNoServer: false, ErrInputRefused: false, ErrScreenChanged: false, context.Canceled: false,
	} {
		if got := Reconnectable(err); got != want {
			t.Errorf("Reconnectable(%v) = %v", err, got)
		}
	}
}
