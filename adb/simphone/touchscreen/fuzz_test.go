package touchscreen

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"math"
	"strings"
	"testing"
)

// balance counts fingers, and watches where they are.
type balance struct {
	t          testing.TB
	down, up   int
	moved, bad int
}

func (b *balance) at(x, y float64) {
	if math.IsNaN(x+y) || math.IsInf(x+y, 0) {
		b.bad++
	}
}

func (b *balance) Down(_ int, x, y float64) { b.down++; b.at(x, y) }
func (b *balance) Move(_ int, x, y float64) { b.moved++; b.at(x, y) }
func (b *balance) Up(_ int, x, y float64)   { b.up++; b.at(x, y) }

func (b *balance) check(left int) {
	b.t.Helper()
	if b.down != b.up+left || b.bad > 0 || b.moved > 0 && b.down == 0 {
		b.t.Errorf("%d downs, %d moves, %d ups, %d fingers left, %d places that are no numbers", b.down, b.moved, b.up, left, b.bad)
	}
}

func seeds(f *testing.F, folder, section string) {
	for _, fixture := range fixtures(f, folder) {
		f.Add(fixture.sections[section])
	}
}

// fuzzCommand feeds a command with any input. Whatever it is, the command ends with
// it, no finger and no device stays, and delays are not waited for.
func fuzzCommand(f *testing.F, command string) {
	seeds(f, command, "input")
	f.Fuzz(func(t *testing.T, input string) {
		if strings.Contains(input, "delay") {
			t.Skip("would wait")
		}
		glass := &balance{t: t}
		hub, err := New(Config{Width: 1080, Height: 2340, Glass: glass})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		run := hub.Uinput
		if command == "hid" {
			run = hub.HID
			cancel() // a device that is never opened is not waited for
		}
		defer cancel()
		status := run(ctx, strings.NewReader(input), io.Discard)
		if status != exitDone && status != exitFailed && status != exitKilled {
			t.Errorf("exit code %d", status)
		}
		glass.check(0)
		if n := len(hub.Nodes()); n != 4 {
			t.Errorf("%d devices are left", n)
		}
	})
}

func FuzzUinput(f *testing.F) { fuzzCommand(f, "uinput") }
func FuzzHID(f *testing.F)    { fuzzCommand(f, "hid") }

// FuzzNode writes any bytes to the touch screen, split anywhere.
func FuzzNode(f *testing.F) {
	for _, fixture := range fixtures(f, "node") {
		var text strings.Builder
		for line := range strings.Lines(fixture.sections["writes"]) {
			line, _, _ = strings.Cut(line, "#")
			text.WriteString(strings.Join(strings.Fields(line), ""))
		}
		data, err := hex.DecodeString(text.String())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint16(24), false)
		f.Add(data, uint16(16), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, cut uint16, protocolA bool) {
		glass := &balance{t: t}
		devices := BuiltIn(Panel{Width: 1080, Height: 2340, ProtocolA: protocolA, NoButton: protocolA})
		hub, err := New(Config{SDK: 28, Width: 1080, Height: 2340, Glass: glass, Devices: devices})
		if err != nil {
			t.Fatal(err)
		}
		size := eventBytes64
		if protocolA {
			size = eventBytes32
		}
		node, err := hub.Open("/dev/input/event3", size)
		if err != nil {
			t.Fatal(err)
		}
		for len(data) > 0 {
			part := data[:min(len(data), int(cut)+1)]
			data = data[len(part):]
			n, err := node.Write(part)
			if n != len(part)/size*size || (err == nil) != (n == len(part)) {
				t.Errorf("%d of %d bytes taken, error %v", n, len(part), err)
			}
		}
		glass.check(fingers(hub))
	})
}

// FuzzDescriptor reads any report descriptor, and a report by it.
func FuzzDescriptor(f *testing.F) {
	descriptor, err := hex.DecodeString("050d0904a1010922a1020942150025017501950181029507810309512" +
		"57f750895018102050126ff7f751095010930810209318102c0050d0954257f750895018102c0")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(descriptor, []byte{1, 0, 0, 64, 0, 32, 1})
	f.Fuzz(func(t *testing.T, descriptor, report []byte) {
		parsed, err := parseDescriptor(descriptor)
		if err != nil {
			return
		}
		for _, field := range parsed.fields {
			if field.offset < 0 || field.size < 1 || field.size > 32 || field.offset+field.size > parsed.bits[field.report] {
				t.Errorf("field %+v of a report of %d bits", field, parsed.bits[field.report])
			}
		}
		if touch, err := newHIDTouch(parsed); err == nil {
			touch.events(report)
			touch.events(bytes.Repeat(report, 2))
		}
	})
}

// FuzzMonkey talks to monkey. Every answer begins with OK or ERROR, and there are
// not more of them than lines.
func FuzzMonkey(f *testing.F) {
	seeds(f, "monkey", "client")
	f.Fuzz(func(t *testing.T, talk string) {
		if strings.Contains(talk, "sleep") {
			t.Skip("would wait")
		}
		client := &conversation{Reader: strings.NewReader(talk)}
		if _, err := Monkey(context.Background(), client, new(monkeyScreen)); err != nil {
			t.Errorf("ended with %v", err)
		}
		answers := 0
		for line := range strings.Lines(client.answers.String()) {
			answers++
			if !strings.HasPrefix(line, "OK") && !strings.HasPrefix(line, "ERROR") {
				t.Errorf("answer %q", line)
			}
		}
		if lines := strings.Count(talk, "\n") + 1; answers > lines {
			t.Errorf("%d answers to %d lines", answers, lines)
		}
	})
}

// FuzzGetevent gives getevent any arguments.
func FuzzGetevent(f *testing.F) {
	seeds(f, "getevent", "arguments")
	f.Fuzz(func(t *testing.T, arguments string) {
		hub, err := New(Config{Width: 1080, Height: 2340, Glass: &balance{t: t}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		hub.Getevent(ctx, strings.Fields(arguments), io.Discard, io.Discard)
	})
}
