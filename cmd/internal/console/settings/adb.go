package settings

import (
	"net"
	"os"
	"strconv"
	"strings"

	"tapwise/cmd/internal/console/cause"
)

// adb's own environment variables, as its client reads them.
const (
	adbSerial  = "ANDROID_SERIAL"
	adbSocket  = "ADB_SERVER_SOCKET"
	adbAddress = "ANDROID_ADB_SERVER_ADDRESS"
	adbPort    = "ANDROID_ADB_SERVER_PORT"
)

// borrowed is a value of a variable that is not tapwise's own.
type borrowed struct{ variable, value string }

// fromADB gives the values that adb's own environment has for keys that neither a flag nor
// tapwise's own environment has set. As in adb, a socket counts before an address and a port,
// and nothing of it where one of the two is given. The error says what of it names no
// server; then the values are what the variables have.
func fromADB(given func(key string) bool) (values map[string]borrowed, err error) {
	values = map[string]borrowed{}
	take := func(key, variable string) {
		if value := os.Getenv(variable); value != "" && !given(key) {
			values[key] = borrowed{variable, value}
		}
	}
	take("serial", adbSerial)
	if socket := os.Getenv(adbSocket); socket != "" && !given("adb.host") && !given("adb.port") {
		host, port, ok := parseSocket(socket)
		if !ok {
			values["adb.host"] = borrowed{adbSocket, socket}
			return values, cause.Inputf("configuration: environment %s is %q, expected tcp:HOST:PORT or tcp:PORT, the only sockets that tapwise speaks to", adbSocket, socket)
		}
		values["adb.host"], values["adb.port"] = borrowed{adbSocket, host}, borrowed{adbSocket, port}
		return values, nil
	}
	take("adb.host", adbAddress)
	take("adb.port", adbPort)
	if host, ok := values["adb.host"]; ok && !isHost(host.value) {
		return values, cause.Inputf("configuration: environment %s is %q, expected a host or its address, without a port", adbAddress, host.value)
	}
	if port, ok := values["adb.port"]; ok && !isPort(port.value) {
		delete(values, "adb.port") // it is a number everywhere else
		return values, cause.Inputf("configuration: environment %s is %q, expected a port from 1 to 65535", adbPort, port.value)
	}
	return values, nil
}

// parseSocket reads the sockets of adb that are reached by TCP.
func parseSocket(text string) (host, port string, ok bool) {
	address, found := strings.CutPrefix(text, "tcp:")
	if !found {
		return "", "", false
	}
	if isPort(address) {
		return "127.0.0.1", address, true
	}
	host, port, err := net.SplitHostPort(address)
	return host, port, err == nil && isHost(host) && isPort(port)
}

func isPort(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 1 && n <= 65535
}

// isHost reports whether a text is a name, or an address, without brackets.
func isHost(text string) bool {
	return text != "" && (!strings.ContainsAny(text, ":/*[] \t") || net.ParseIP(strings.Split(text, "%")[0]) != nil)
}

// OwnSerial is the serial that tapwise itself was given: adb's variable says which phone gets
// commands, not which phone is to be shown.
func (c Configuration) OwnSerial() string {
	if c.Origin("serial").From == "environment "+adbSerial {
		return ""
	}
	return c.Serial
}
