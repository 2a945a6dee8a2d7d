package touchscreen

import (
	"context"
	_ "embed" // for the usage
	"fmt"
	"io"
	"slices"
	"strings"
)

// getevent's flags, by what they print.
type geteventFlags struct {
	list     bool // the devices and their names
	info     bool // bus, vendor, location, version
	possible bool // events and properties
	labels   bool
	quit     bool // do not wait for events
	path     string
}

//go:embed getevent.txt
var geteventUsage string

// Getevent is the command getevent, whose arguments do not include its name, with
// the texts of Android. It lists devices; the events that it would then wait for
// are not printed. It returns the exit code.
func (h *Hub) Getevent(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags, ok := parseGetevent(args)
	if !ok {
		io.WriteString(stderr, geteventUsage)
		return 1
	}
	h.mu.Lock()
	text, problem, number := "", "", 0
	for _, d := range h.devices {
		if flags.path != "" && flags.path != d.path() {
			continue
		}
		if h.config.Nodes == Missing {
			continue
		}
		number++
		text += d.describe(number, flags)
	}
	h.mu.Unlock()
	if flags.path != "" && number == 0 {
		problem = fmt.Sprintf("could not open %s, %v\n", flags.path, ErrNotExist)
	}
	if _, err := io.WriteString(stdout, text); err != nil {
		return 1
	}
	if problem != "" {
		io.WriteString(stderr, problem)
		return 1
	}
	if !flags.quit {
		<-ctx.Done()
		return 130
	}
	return 0
}

func parseGetevent(args []string) (f geteventFlags, ok bool) {
	quiet := false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		for i, letter := range args[0][1:] {
			switch letter {
			case 'p':
				f.list, f.possible, f.quit = true, true, true
			case 'i':
				f.list, f.info, f.possible, f.quit = true, true, true, true
			case 'l':
				f.labels = true
			case 'S':
				f.quit = true
			case 'q':
				quiet = true
			case 't', 'n', 'd', 'r', 'v':
			case 'c', 's':
				if i+2 == len(args[0]) && len(args) > 1 { // its value is the next argument
					args = args[1:]
				}
			default:
				return f, false
			}
			if letter == 'c' || letter == 's' {
				break // the rest is its value
			}
		}
		args = args[1:]
	}
	if len(args) > 1 {
		return f, false
	}
	if len(args) == 1 {
		f.path = args[0]
	}
	f.list = f.list || !quiet && f.path == ""
	return f, true
}

// describe is what getevent prints of a device.
func (d *inputDevice) describe(number int, flags geteventFlags) string {
	if !flags.list {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "add device %d: %s\n", number, d.path())
	if flags.info {
		fmt.Fprintf(&b, "  bus:      %04x\n  vendor    %04x\n  product   %04x\n  version   %04x\n", d.Bus, d.Vendor, d.Product, d.Version)
	}
	fmt.Fprintf(&b, "  name:     \"%s\"\n", d.Name)
	if flags.info {
		fmt.Fprintf(&b, "  location: \"%s\"\n  id:       \"\"\n  version:  1.0.1\n", d.Location)
	}
	if flags.possible {
		b.WriteString("  events:\n")
		d.describeCodes(&b, evKey, flags.labels)
		d.describeCodes(&b, evAbs, flags.labels)
		b.WriteString("  input props:\n")
		for _, property := range slices.Sorted(slices.Values(d.Properties)) {
			if label, ok := propertyLabels[property]; ok {
				fmt.Fprintf(&b, "    %s\n", label)
			} else {
				fmt.Fprintf(&b, "    %04x\n", property)
			}
		}
		if len(d.Properties) == 0 {
			b.WriteString("    <none>\n")
		}
	}
	return b.String()
}

// describeCodes lists the codes of a type: keys four or eight a line, axes one.
func (d *inputDevice) describeCodes(b *strings.Builder, kind uint16, named bool) {
	perLine := 8
	if named {
		perLine = 4
	}
	codes := d.codes(kind)
	for i, code := range codes {
		switch {
		case i == 0:
			fmt.Fprintf(b, "    %s (%04x):", typeNames[kind], kind)
		case kind == evAbs || i%perLine == 0:
			b.WriteString("\n               ")
		}
		down := ' '
		if kind == evKey && d.down[code] {
			down = '*'
		}
		label := labels[kind][code]
		switch {
		case named && label != "":
			fmt.Fprintf(b, " %s%c%s", label, down, strings.Repeat(" ", max(0, 20-len(label))))
		case named:
			fmt.Fprintf(b, " %04x%c                ", code, down)
		default:
			fmt.Fprintf(b, " %04x%c", code, down)
		}
		if kind == evAbs {
			axis := d.Axes[code]
			fmt.Fprintf(b, " : value %d, min %d, max %d, fuzz %d, flat %d, resolution %d",
				d.axisValue(code), axis.Minimum, axis.Maximum, axis.Fuzz, axis.Flat, axis.Resolution)
		}
	}
	if len(codes) > 0 {
		b.WriteString("\n")
	}
}

// axisValue is the value that EVIOCGABS tells: of a contact's axis it is what the
// axis was made with.
func (d *inputDevice) axisValue(code uint16) int32 {
	if code == absMTSlot {
		return int32(d.told)
	}
	return d.Axes[code].Value
}
