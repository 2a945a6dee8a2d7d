package daemon

import (
	"fmt"
	"slices"
	"strings"
)

// reversed is a port of the phone that the computer asked to have for its own.
type reversed struct{ near, far string }

// maxReversed is the most ports that are reversed.
const maxReversed = 64

// reverse answers what asks for the phone's ports, as the real daemon does. No program of the phone
// connects to them, so that nothing has to listen.
func (d *Daemon) reverse(request string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	verb, rest, _ := strings.Cut(request, ":")
	switch verb {
	case "list-forward":
		text := ""
		for _, r := range d.reversed {
			text += "host-1 " + r.near + " " + r.far + "\n"
		}
		return counted(text) // without a status of its own
	case "killforward-all":
		d.reversed = nil
		return "OKAY"
	case "killforward":
		at := slices.IndexFunc(d.reversed, func(r reversed) bool { return r.near == rest })
		if at < 0 {
			return "FAIL" + counted(fmt.Sprintf("listener '%s' not found", rest))
		}
		d.reversed = slices.Delete(d.reversed, at, at+1)
		return "OKAY"
	case "forward":
		return d.reverseTo(strings.TrimPrefix(rest, "norebind:"), strings.HasPrefix(rest, "norebind:"))
	}
	return "FAIL" + counted("unknown reverse request")
}

// reverseTo takes "NEAR;FAR". The caller holds mu.
func (d *Daemon) reverseTo(pair string, keep bool) string {
	near, far, found := strings.Cut(pair, ";")
	port, isPort := strings.CutPrefix(near, "tcp:")
	at := slices.IndexFunc(d.reversed, func(r reversed) bool { return r.near == near })
	switch {
	case !found || !isPort || port == "" || strings.Trim(port, "0123456789") != "":
		return "FAIL" + counted(fmt.Sprintf("cannot listen on '%s'", near))
	case at >= 0 && keep:
		return "FAIL" + counted("cannot rebind existing socket")
	case at >= 0:
		d.reversed[at].far = far
	case len(d.reversed) >= maxReversed:
		return "FAIL" + counted("too many listeners")
	default:
		d.reversed = append(d.reversed, reversed{near, far})
	}
	return "OKAY" + counted(port)
}

// counted is a text behind its length in four hexadecimal digits.
func counted(text string) string { return fmt.Sprintf("%04x%s", len(text), text) }
