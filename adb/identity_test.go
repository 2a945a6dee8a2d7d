package adb

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
)

// listing is an adb server with a list of phones, each of which tells who it is.
type listing struct {
	lines string
	// who is what each transport tells: the boot id, serial and time of the first start; a
	// transport that is not there does not answer.
	who   map[string][3]string
	asked atomic.Int64
}

func (l *listing) serve(c net.Conn) {
	var who [3]string
	for {
		service := request(c)
		target, isID := strings.CutPrefix(service, "host:transport-id:")
		if target, named := strings.CutPrefix(service, "host:transport:"); named {
			for line := range strings.Lines(l.lines) { // real servers find the first
				if strings.HasPrefix(line, target+" ") {
					_, id, _ := strings.Cut(line, "transport_id:")
					who = l.who[strings.TrimSpace(id)]
					okay(c)
					break
				}
			}
			continue
		}
		switch {
		case service == "":
			return
		case service == "host:devices-l":
			answer(c, l.lines)
			return
		case isID:
			found, ok := l.who[target]
			if !ok {
				failWith(c, "no device with transport id '"+target+"'")
				return
			}
			who = found
			okay(c)
		case strings.HasPrefix(service, "shell:getprop"):
			l.asked.Add(1)
			okay(c)
			fmt.Fprintf(c, "[ro.serialno]: [%s]\n", who[1])
			if who[2] != "" {
				fmt.Fprintf(c, "[ro.runtime.firstboot]: [%s]\n", who[2])
			}
			_, _ = io.WriteString(c, "__RC0\n")
			return
		case strings.HasPrefix(service, "shell:cat /proc"):
			okay(c)
			if who[0] == "" {
				_, _ = io.WriteString(c, "cat: /proc/sys/kernel/random/boot_id: Permission denied\n__RC1\n")
			} else {
				fmt.Fprintf(c, "a line of the shell's own\n%s\n__RC0\n", who[0])
			}
			return
		default:
			failWith(c, "unknown host service")
			return
		}
	}
}

// TestPhones lists phones that have several names, and names that several phones have; see
// the file.
func TestPhones(t *testing.T) {
	file, err := os.Open("testdata/devices/phones.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	boots := map[string]string{"-": ""}
	for n, word := range []string{"one", "other", "third"} {
		boots[word] = fmt.Sprintf("0f0f0f0f-1111-4222-8333-44444444444%d", n)
	}
	var title string
	server := &listing{who: map[string][3]string{}}
	var want []string
	check := func() {
		if title == "" {
			return
		}
		t.Run(title, func(t *testing.T) {
			client := fakeServer(t, server.serve)
			phones, err := client.Phones(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range phones {
				got = append(got, p.String())
			}
			for _, w := range want {
				name, found, opens := strings.Cut(w, " opens ")
				if !opens {
					if len(got) == 0 || got[0] != w {
						t.Errorf("listed are %q, expected %q next", got, w)
					}
					got = got[min(1, len(got)):]
					continue
				}
				device, err := client.Open(t.Context(), strings.Trim(name, `"`))
				switch {
				case err == nil && device.Serial == found, found == "several" && errors.Is(err, ErrManyDevices), found == "nothing" && errors.Is(err, ErrNoDevice):
				default:
					t.Errorf("%s opens %v, %v; expected %s", name, device, err, found)
				}
			}
			if len(got) > 0 {
				t.Errorf("listed are %q as well", got)
			}
		})
	}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "# "):
			check()
			title = line[2:]
			server, want = &listing{who: map[string][3]string{}}, nil
		case strings.HasPrefix(line, "=> "):
			want = append(want, line[3:])
		case line != "":
			said, tells, told := strings.Cut(line, " | ")
			server.lines += said + "\n"
			if told {
				words := strings.Fields(tells)
				_, id, _ := strings.Cut(said, "transport_id:")
				first := ""
				if len(words) > 2 {
					first = words[2]
				}
				server.who[id] = [3]string{boots[words[0]], strings.Trim(words[1], "-"), first}
			}
		}
	}
	check()
}

// TestPhonesRemembered: phones are asked once while they stay ready, and keep their name when
// a better one comes; a phone that was away is asked again.
func TestPhonesRemembered(t *testing.T) {
	who := [3]string{"0f0f0f0f-1111-4222-8333-444444444444", "R58M"}
	server := &listing{lines: "10.0.0.5:5555 device transport_id:1\n", who: map[string][3]string{"1": who, "2": who}}
	client := fakeServer(t, server.serve)
	list := func(lines, want string, asked int64) {
		t.Helper()
		server.lines = lines
		phones, err := client.Phones(t.Context())
		if err != nil || len(phones) != 1 || phones[0].String() != want || server.asked.Load() != asked {
			t.Errorf("%v, %v after %d questions; expected %s after %d", phones, err, server.asked.Load(), want, asked)
		}
	}
	list("10.0.0.5:5555 device transport_id:1\n", "10.0.0.5:5555 device", 1)
	list("10.0.0.5:5555 device transport_id:1\n", "10.0.0.5:5555 device", 1)
	list("10.0.0.5:5555 device transport_id:1\nR58M device usb:1-2 transport_id:2\n", "10.0.0.5:5555 device (also R58M)", 2)
	list("R58M device usb:1-2 transport_id:2\n", "R58M device", 2)
	list("10.0.0.5:5555 device transport_id:1\nR58M device usb:1-2 transport_id:2\n", "R58M device (also 10.0.0.5:5555)", 3)
	list("R58M offline usb:1-2 transport_id:2\n", "R58M offline", 3)
	list("R58M device usb:1-2 transport_id:2\n", "R58M device", 4)
}

// FuzzIdentity: whatever a phone prints, an identity is none or a short name, and the same of
// the same.
func FuzzIdentity(f *testing.F) {
	f.Add("0f0f0f0f-1111-4222-8333-444444444444\npid:[4026531836]\n", "R58M", "1700000000000")
	f.Add("cat: /proc/sys/kernel/random/boot_id: Permission denied\n", "0123456789ABCDEF", "")
	f.Fuzz(func(t *testing.T, output, serial, first string) {
		properties := map[string]string{"ro.serialno": serial, "ro.runtime.firstboot": first}
		identity := identityOf(output, properties)
		if again := identityOf(output, properties); again != identity || identity != "" && len(identity) != 32 {
			t.Errorf("%q and %q", identity, again)
		}
	})
}
