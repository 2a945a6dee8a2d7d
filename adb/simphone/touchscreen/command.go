package touchscreen

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"
)

// What uinput and hid have in common: objects one after the other on stdin, each
// with a device's id and a command.

// object is one object of the input, with what either command knows.
type object struct {
	id       int32
	command  string
	named    bool // it has a command
	name     string
	unnamed  bool
	vendor   int32
	product  int32
	bus      string
	duration int32

	// uinput's
	events        []int32 // nil when there are none
	configuration map[int32][]int32
	axes          map[int32]AbsInfo
	port          string
	syncToken     string
	synced        bool

	// hid's
	descriptor []byte
	report     []byte
}

// Exit codes of the two commands.
const (
	exitDone   = 0
	exitFailed = 1   // an exception that main caught
	exitKilled = 137 // an exception of another thread
)

// readObject reads the next object. Fields that do not concern both commands are
// f's; it returns false for those that it skips. Like Android it answers a malformed
// object on stdout and goes on with the next. The error at the end of the input is
// io.EOF.
func readObject(r *jsonReader, stdout io.Writer, f func(o *object, name string) (bool, error)) (*object, error) {
	for {
		t, err := r.peek()
		if err != nil {
			return nil, err
		}
		if t == tokenEnd {
			return nil, io.EOF
		}
		o := &object{unnamed: true}
		err = readFields(r, o, f)
		if err == nil {
			return o, nil
		}
		if !errors.Is(err, errState) {
			return nil, err
		}
		io.WriteString(stdout, "Error reading in object, ignoring.\n")
		// What goes wrong from here on is not caught: it ends the process.
		if err = r.skipRest(); err == nil {
			err = r.take(tokenEndObject)
		}
		if errors.Is(err, errState) {
			return nil, errArgument
		}
		if err != nil {
			return nil, err
		}
	}
}

func readFields(r *jsonReader, o *object, f func(o *object, name string) (bool, error)) error {
	return r.members(func(name string) (err error) {
		switch name {
		case "id":
			o.id, err = r.nextInt()
		case "command":
			o.command, err = r.nextString()
			o.named = true
		case "name":
			o.name, err = r.nextString()
			o.unnamed = false
		case "vid":
			o.vendor, err = r.nextInt()
		case "pid":
			o.product, err = r.nextInt()
		case "duration":
			o.duration, err = r.nextInt()
		case "bus":
			o.bus, err = r.nextString()
			if bus := strings.ToLower(o.bus); err == nil && bus != "usb" && bus != "bluetooth" {
				err = errArgument
			}
		default:
			var known bool
			if known, err = f(o, name); err == nil && !known {
				err = r.skipValue()
			}
		}
		if errors.Is(err, errNumber) {
			return errArgument // a number outside an array: nobody catches it
		}
		return err
	})
}

func (o *object) busNumber() uint16 {
	switch strings.ToLower(o.bus) {
	case "usb":
		return busUSB
	case "bluetooth":
		return busBluetooth
	}
	return 0
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
func (s *schedule) wait(ctx context.Context) error { return sleep(ctx, time.Until(s.next)) }

// endOfReading is the exit code after an error of reading: a broken text and the end
// of the input inside an object are noted in the log, and that is all.
func (h *Hub) endOfReading(tag string, err error) int {
	switch {
	case errors.Is(err, errArgument), errors.Is(err, errState), errors.Is(err, errNumber):
		h.log(tag, "injection failed. "+err.Error())
		return exitFailed
	case err != io.EOF:
		h.log(tag, "Error reading in events. "+err.Error())
	}
	return exitDone
}
