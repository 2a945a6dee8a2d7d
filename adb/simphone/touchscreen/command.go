package touchscreen

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"tapwise/adb/simphone/shell"
)

// What uinput and hid have in common: objects one after the other on stdin, each
// with a device's id and a command.

// object is one object of the input, with what either command knows. Lists are nil
// when there are none.
type object struct {
	ID       int32   `json:"id"`
	Command  string  `json:"command"`
	Name     *string `json:"name"`
	Vendor   int32   `json:"vid"`
	Product  int32   `json:"pid"`
	Bus      string  `json:"bus"`
	Duration int32   `json:"duration"`

	// uinput's
	Events        numbers `json:"events"`
	Configuration []struct {
		Type int32   `json:"type"`
		Data numbers `json:"data"`
	} `json:"configuration"`
	Axes []struct {
		Code int32   `json:"code"`
		Info AbsInfo `json:"info"`
	} `json:"abs_info"`
	Port      string  `json:"port"`
	SyncToken *string `json:"syncToken"`

	// hid's
	Descriptor octets `json:"descriptor"`
	Report     octets `json:"report"`
}

// Exit codes of the two commands.
const (
	exitDone   = 0
	exitFailed = 1   // an exception that main caught
	exitKilled = 137 // an exception of another thread
)

// errArgument ends the process.
var errArgument = errors.New("illegal argument")

// readObject reads the next object. Like Android it answers a malformed one on stdout
// and goes on with the next, which a value that is no object ends. The error at the end
// of the input is io.EOF.
func readObject(in *bufio.Reader, stdout io.Writer) (*object, error) {
	for {
		first, err := skipBlanks(in)
		if err == nil {
			err = in.UnreadByte()
		}
		if err != nil {
			return nil, err
		}
		o := new(object)
		err = readJSON(in, o)
		switch {
		case err == nil && o.Bus != "" && o.busNumber() == 0:
			return nil, errArgument
		case !errors.Is(err, errState):
			return o, err
		}
		io.WriteString(stdout, "Error reading in object, ignoring.\n")
		if first != '{' {
			return nil, errArgument
		}
	}
}

// spec is the device that is registered, without what it can do.
func (o *object) spec() Spec {
	spec := Spec{Bus: o.busNumber(), Vendor: uint16(o.Vendor), Product: uint16(o.Product)}
	if o.Name != nil {
		spec.Name = *o.Name
	} else {
		spec.Name = fmt.Sprintf("%d:%d:%d", o.ID, o.Vendor, o.Product)
	}
	return spec
}

func (o *object) busNumber() uint16 {
	switch strings.ToLower(o.Bus) {
	case "usb":
		return busUSB
	case "bluetooth":
		return busBluetooth
	}
	return 0
}

// check finds what both commands take for the end.
func (o *object) check() error {
	switch {
	case o.Command == "":
		return errors.New("event does not contain a command")
	case o.Command == "delay" && o.Duration <= 0:
		return errors.New("delay has missing or invalid duration")
	}
	return nil
}

// schedule is when a device carries out what it is told.
type schedule struct {
	next     time.Time
	absolute bool // delays count from the registration, not from now
}

func (s *schedule) delay(d time.Duration) {
	if now := time.Now(); !s.absolute && s.next.Before(now) {
		s.next = now
	}
	s.next = s.next.Add(d)
}

// wait waits until the device may do the next thing.
func (s *schedule) wait(ctx context.Context) error { return shell.Sleep(ctx, time.Until(s.next)) }

// maxMade is a bound on the devices of one process.
const maxMade = 8

// commandDevice is a device that a command makes.
type commandDevice interface {
	run(ctx context.Context, o *object, stdout io.Writer) error // carries a command out; an error ends the process
	end(ctx context.Context) error                              // waits until everything is done
	made() *inputDevice                                         // nil when the kernel could not make it
}

// serve carries out the objects on stdin, and ends with them. A broken text, and the end of
// the input inside an object, are noted in the log only.
func (h *Hub) serve(ctx context.Context, stdin io.Reader, stdout io.Writer, tag string, check func(*object) error,
	register func(*object) (commandDevice, error)) (status int) {
	devices := make(map[int32]commandDevice)
	defer func() {
		for _, d := range devices {
			if d.made() != nil {
				h.destroy(d.made())
			}
		}
	}()
	in := bufio.NewReader(stdin)
	for {
		o, err := readObject(in, stdout)
		if err != nil && !errors.Is(err, errArgument) {
			if err != io.EOF {
				h.log(tag, "Error reading in events. "+err.Error())
			}
			for _, d := range devices {
				if d.end(ctx) != nil {
					return exitKilled
				}
			}
			return exitDone
		}
		if err == nil {
			err = check(o)
		}
		if err != nil {
			h.log(tag, "injection failed. "+err.Error())
			return exitFailed
		}
		d := devices[o.ID]
		switch {
		case d != nil && o.Command == "register":
			h.log(tag, fmt.Sprintf("Device id=%d is already registered. Ignoring event.", o.ID))
		case d != nil:
			if d.run(ctx, o, stdout) != nil {
				return exitKilled
			}
		case o.Command != "register" || len(devices) >= maxMade:
			h.log(tag, "Unknown device id specified. Ignoring event.")
		default:
			if d, err = register(o); err != nil {
				h.log(tag, "Couldn't create device, exiting. "+err.Error())
				return exitKilled
			}
			devices[o.ID] = d
		}
	}
}
