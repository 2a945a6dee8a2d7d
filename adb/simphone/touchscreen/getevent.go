package touchscreen

import (
	"context"
	_ "embed" // for the usage
	"fmt"
	"io"
	"slices"
	"strings"
)

//go:embed getevent.txt
var geteventUsage string

// Getevent is the command getevent, whose arguments do not include its name, with
// the texts of Android. It lists the devices, with -p also what they can report and with -l
// that by its names; the events that it would wait for without -p are not printed. It
// returns the exit code.
func (h *Hub) Getevent(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	letters := ""
	for _, arg := range args {
		letter, option := strings.CutPrefix(arg, "-")
		if !option || strings.Trim(letter, "pl") != "" {
			io.WriteString(stderr, geteventUsage)
			return 1
		}
		letters += letter
	}
	possible := strings.Contains(letters, "p")
	h.mu.Lock()
	text := ""
	for i, d := range h.devices {
		if h.config.Nodes != Missing {
			text += d.describe(i+1, possible, strings.Contains(letters, "l"))
		}
	}
	h.mu.Unlock()
	if _, err := io.WriteString(stdout, text); err != nil {
		return 1
	}
	if !possible {
		<-ctx.Done()
		return 130
	}
	return 0
}

// describe is what getevent prints of a device.
func (d *inputDevice) describe(number int, possible, named bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "add device %d: %s\n  name:     \"%s\"\n", number, d.path(), d.Name)
	if possible {
		b.WriteString("  events:\n")
		d.describeCodes(&b, evKey, named)
		d.describeCodes(&b, evAbs, named)
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
