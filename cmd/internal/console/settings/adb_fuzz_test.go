package settings

import (
	"net"
	"testing"
)

// FuzzSocket reads any text as adb's ADB_SERVER_SOCKET: what is accepted names a host and a
// port, which give the socket again.
func FuzzSocket(f *testing.F) {
	for _, text := range []string{"tcp:5037", "tcp:localhost:5037", "tcp:[::1]:5037", "tcp:[fe80::1%eth0]:1", "tcp:::1:5", "tcp:", "tcp:*:5037", "tcp:a:0", "localabstract:adb", "localfilesystem:/run/adb", "vsock:1:2", "5037"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		host, port, ok := parseSocket(text)
		if !ok {
			return
		}
		if again, same, ok := parseSocket("tcp:" + net.JoinHostPort(host, port)); again != host || same != port || !ok || !isHost(host) || !isPort(port) {
			t.Errorf("%q is %q and %q, and those %q and %q", text, host, port, again, same)
		}
	})
}
