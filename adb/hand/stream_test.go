package hand

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tapwise/adb/internal/fault"
)

// TestWhyItEnds closes the port of a command before the command has said why, which comes by
// another connection: the error is what it says.
func TestWhyItEnds(t *testing.T) {
	for said, want := range map[string]error{
		"Error: Injecting input events requires the caller to have the INJECT_EVENTS permission.\n": fault.ErrRefused,
		"":                                       fault.ErrClosed, // it says nothing, and does not end
		"** SysPropertyUtils: no such service\n": fault.ErrClosed,
	} {
		synctest.Test(t, func(t *testing.T) {
			ours, theirs := net.Pipe()
			says, out := io.Pipe()
			s := &stream{way: Monkey, line: ours, out: watch(says), answers: bufio.NewReader(ours), timeout: time.Minute}
			go func() {
				_ = theirs.Close()
				if said == "" {
					return
				}
				time.Sleep(100 * time.Millisecond)
				_, _ = io.WriteString(out, said)
				_ = out.Close()
			}()
			err := s.answer()
			if !errors.Is(err, want) || !strings.Contains(err.Error(), strings.TrimSuffix(fault.Shorten(said), "\n")) {
				t.Errorf("%q: %v, expected %v with those words", said, err, want)
			}
			_ = out.Close()
			synctest.Wait()
		})
	}
}
