package adb

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"tapwise/adb/adbtest/await"
	"tapwise/adb/hand"
)

// fakeServer listens on a port of its own and hands every connection to handle;
// connections are cut at the end of the test.
func fakeServer(t testing.TB, handle func(net.Conn)) *Client {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var open []net.Conn
	var serving sync.WaitGroup
	serving.Add(1)
	go func() {
		defer serving.Done()
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			serving.Add(1)
			go func() {
				defer serving.Done()
				defer c.Close()
				handle(c)
			}()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		mu.Lock()
		for _, c := range open {
			c.Close()
		}
		mu.Unlock()
		serving.Wait()
	})
	return clientFor(t, listener.Addr().String(), Config{})
}

// pipedServer is fakeServer with pipes for connections: in a bubble of package synctest, who
// waits for it waits no time. Phones are not connected through it, and no files copied.
func pipedServer(t testing.TB, handle func(net.Conn)) *Client {
	t.Helper()
	var serving sync.WaitGroup
	ended, end := context.WithCancel(context.Background())
	t.Cleanup(func() {
		end()
		serving.Wait()
	})
	return clientFor(t, "127.0.0.1:1", Config{Dial: func(context.Context) (net.Conn, error) {
		here, there := net.Pipe()
		context.AfterFunc(ended, func() { there.Close() })
		serving.Go(func() {
			defer there.Close()
			handle(there)
		})
		return here, nil
	}})
}

// inBubble runs a test in a bubble of package synctest.
func inBubble(t *testing.T, name string, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

func clientFor(t testing.TB, address string, config Config) *Client {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	config.Host = host
	if config.Port, err = strconv.Atoi(port); err != nil {
		t.Fatal(err)
	}
	config.Timeout = cmp.Or(config.Timeout, soon)
	client, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// request reads one service name; "" at the end of the connection.
func request(c net.Conn) string {
	var digits [4]byte
	if _, err := io.ReadFull(c, digits[:]); err != nil {
		return ""
	}
	size, err := strconv.ParseUint(string(digits[:]), 16, 16)
	if err != nil {
		return ""
	}
	name := make([]byte, size)
	if _, err := io.ReadFull(c, name); err != nil {
		return ""
	}
	return string(name)
}

func okay(c net.Conn) { _, _ = io.WriteString(c, "OKAY") }

func answer(c net.Conn, text string) { fmt.Fprintf(c, "OKAY%04x%s", len(text), text) }

func failWith(c net.Conn, text string) { fmt.Fprintf(c, "FAIL%04x%s", len(text), text) }

// scripted answers each service with the function of that name; "*" gets all
// others.
func scripted(t testing.TB, script map[string]func(net.Conn)) *Client {
	return fakeServer(t, func(c net.Conn) {
		for {
			name := request(c)
			if name == "" {
				return
			}
			step := script[name]
			if step == nil {
				step = script["*"]
			}
			if step == nil {
				failWith(c, "unknown host service")
				return
			}
			step(c)
		}
	})
}

// hang keeps the connection open and silent until the other side gives up.
func hang(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// phoneOf is a device of the fake server; it is not asked anything.
func phoneOf(client *Client, serial string) *Device {
	client.config.Touch = hand.Input // what chooses a way to touch has tests of its own
	return &Device{Serial: serial, client: client, method: Raw}
}

// motionUsage is what `input` says of itself that knows motion events.
const motionUsage = "tap <x> <y>\nmotionevent <DOWN|UP|MOVE> <x> <y>\n__RC0\n"

// openSockets counts this program's sockets.
func openSockets(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("there is no /proc to count sockets in")
	}
	count := 0
	for _, entry := range entries {
		if target, err := os.Readlink("/proc/self/fd/" + entry.Name()); err == nil && len(target) > 7 && target[:7] == "socket:" {
			count++
		}
	}
	return count
}

// soon is the limit of operations that are expected to end by themselves, however slow
// the machine is.
const soon = await.Hang

// play, tapAt and strokeThrough touch a phone as its screen is at the moment.
func play(ctx context.Context, d *Device, strokes []hand.Stroke) error {
	return d.Hand().Play(ctx, strokes, hand.Options{})
}

func tapAt(ctx context.Context, d *Device, at image.Point) error {
	return strokeThrough(ctx, d, []image.Point{at})
}

func strokeThrough(ctx context.Context, d *Device, points []image.Point) error {
	return play(ctx, d, []hand.Stroke{{Points: points, Rotation: -1}})
}

// execute runs a command by exec: and returns exactly what it printed.
func execute(ctx context.Context, d *Device, command string, most int64) ([]byte, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	k, err := d.exec(ctx, command)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	return readAll(k, most)
}
