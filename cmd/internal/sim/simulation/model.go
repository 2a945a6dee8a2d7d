package simulation

import (
	"image"
	"maps"
	"slices"
	"strings"
	"time"

	"tapwise/adb/simphone"
	"tapwise/adb/simphone/touchscreen"
	"tapwise/cmd/internal/console/cause"
)

// Model is a kind of phone: its Android, its screen, how it takes touches, and what things cost
// on it. docs/hands.md names the source of each figure.
type Model struct {
	Name, Help   string
	SDK, Density int
	Size         image.Point
	Hands        simphone.Hands
	Costs        simphone.Costs
	Input        time.Duration // what each input costs beside the start of a Java process
	Capture      time.Duration // what each screencap costs before its bytes travel
	Rate         int           // bytes a second of the connection, from the phone
	Latency      time.Duration // of each packet
}

// The connections of phones. USB 2.0 carries 480 Mbit/s, of which adb moves some 35
// MB/s; a busy Wi-Fi some 12 MB/s, with 3 ms for each packet.
const (
	usb2Rate    = 35_000_000
	usb2Latency = 300 * time.Microsecond
	wifiRate    = 12_000_000
	wifiLatency = 3 * time.Millisecond
)

const ms = time.Millisecond

// What gzip -1 takes in, in bytes a second. Nobody published it: these are guesses from
// the speed of one core, to be replaced when somebody measures.
const (
	oldGzip = 15_000_000
	midGzip = 25_000_000
	newGzip = 50_000_000
)

// What glReadPixels takes in, in bytes a second of four for each pixel: some milliseconds for a
// frame of 540 by 1200, which are guesses as well.
const (
	oldReadBack = 150_000_000
	midReadBack = 400_000_000
	newReadBack = 1_000_000_000
)

// Models lists the kinds of phones.
func Models() []Model {
	const frame60, frame120 = 16667 * time.Microsecond, 8333 * time.Microsecond
	old := Model{
		Name: "old", Help: "Android 5.0: a Java process for each input, 32-bit programs, contacts without slots, packets of 4 KiB",
		SDK: 21, Size: image.Pt(720, 1280), Density: 320, Capture: 150 * ms, Rate: usb2Rate, Latency: usb2Latency,
		Costs: simphone.Costs{JavaStart: 1200 * ms, PNG: 1850 * ms, GzipRate: oldGzip, ReadBack: oldReadBack},
		Hands: simphone.Hands{CatBits: 32, Opening: 300 * ms, Frame: frame60, Panel: touchscreen.Panel{ProtocolA: true, Pressure: true}},
	}
	mid := Model{
		Name: "mid", Help: "Android 9: a Java process for each input, 64-bit programs, a touch screen with axes of its own",
		SDK: 28, Size: image.Pt(1080, 2160), Density: 440, Capture: 150 * ms, Rate: usb2Rate, Latency: usb2Latency,
		Costs: simphone.Costs{JavaStart: 600 * ms, PNG: 1000 * ms, GzipRate: midGzip, ReadBack: midReadBack},
		Hands: simphone.Hands{Opening: 200 * ms, Frame: frame60, Panel: touchscreen.Panel{MaxX: 4095, MaxY: 8191}},
	}
	fresh := Model{
		Name: "new", Help: "Android 14: input within the system, uinput, 120 frames a second",
		SDK: 34, Size: image.Pt(1080, 2400), Density: 440, Input: 20 * ms, Capture: 60 * ms, Rate: usb2Rate, Latency: usb2Latency,
		Costs: simphone.Costs{JavaStart: 300 * ms, PNG: 700 * ms, GzipRate: newGzip, ReadBack: newReadBack},
		Hands: simphone.Hands{Opening: 100 * ms, Frame: frame120},
	}
	wifi := fresh
	wifi.Name, wifi.Help = "wifi", "the new phone over Wi-Fi"
	wifi.Rate, wifi.Latency = wifiRate, wifiLatency
	slow := fresh
	slow.Name, slow.Help = "slow", "the new phone where a capture takes 1.5 s, as somebody measured on a Pixel 10 Pro XL"
	slow.SDK, slow.Capture = 36, 1200*ms
	ten := mid
	ten.Name, ten.Help, ten.SDK = "ten", "Android 10: event nodes can only be read, hid and monkey are there", 29
	redmi := mid
	redmi.Name, redmi.Help, redmi.SDK = "redmi", "Android 8.1 whose event nodes belong to another group", 27
	redmi.Hands.Nodes = touchscreen.ReadOnly
	samsung := ten
	samsung.Name, samsung.Help = "no-hid", "Android 10 whose maker closed /dev/uhid: monkey and input are left"
	samsung.Hands.Uhid = touchscreen.ReadOnly
	bare := fresh
	bare.Name, bare.Help = "bare", "Android 14 without uinput and hid"
	bare.Hands.Without = []string{"uinput", "hid"}
	desk := fresh
	desk.Name, desk.Help = "desk", "Android 14 with a second display, which takes the touches of devices on USB"
	desk.Hands.SecondDisplay = true
	return []Model{old, mid, fresh, wifi, slow, ten, redmi, samsung, bare, desk}
}

// ModelNames lists the kinds of phones, sorted.
func ModelNames() []string {
	names := make(map[string]bool)
	for _, m := range Models() {
		names[m.Name] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// ModelOf finds a kind of phone by its name.
func ModelOf(name string) (Model, error) {
	for _, m := range Models() {
		if m.Name == name {
			return m, nil
		}
	}
	return Model{}, cause.Inputf("sim: --phone %s, expected one of %s", name, strings.Join(ModelNames(), ", "))
}

// Configure sets what the kind of phone decides.
func (m Model) Configure(c *simphone.Config) {
	c.SDK, c.Size, c.Density, c.Hands, c.Costs = m.SDK, m.Size, m.Density, m.Hands, m.Costs
	c.InputDelay, c.CaptureDelay, c.Rate, c.Latency = m.Input, m.Capture, m.Rate, m.Latency
	c.TimeScale = 1
	c.Model = "Sim_" + strings.ReplaceAll(m.Name, "-", "_")
}
