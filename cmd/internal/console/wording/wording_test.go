package wording

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestOf makes errors as the libraries do, and wants none of their words.
func TestOf(t *testing.T) {
	folder := t.TempDir()
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	failing := func(_ any, err error) error { return err }
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := closed.Addr().String()
	defer closed.Close()
	taken := failing(net.Listen("tcp", address))
	var number struct{ N int }
	for _, test := range []struct {
		err  error
		want string
	}{
		{failing(os.Open("/none/a")), "/none/a: no such file or directory"},
		{failing(os.Stat("/none/a")), "/none/a: no such file or directory"},
		{fmt.Errorf("configuration: %w", failing(os.ReadDir("/none"))), "configuration: /none: no such file or directory"},
		{fmt.Errorf("/none/a: %w", failing(os.Open("/none/a"))), "/none/a: no such file or directory"},
		{failing(root.Open("evidence.json")), "evidence.json: no such file or directory"},
		{failing(root.Stat("evidence.json")), "evidence.json: no such file or directory"},
		{root.Mkdir("a/b", 0o700), "a/b: no such file or directory"},
		{os.Rename(filepath.Join(folder, "a"), "/none/b"), "/none/b: no such file or directory"},
		{os.Mkdir("/proc/a", 0o700), "/proc/a: no such file or directory"},
		{failing(strconv.Atoi("x")), `"x" is no number`},
		{fmt.Errorf("--run: %v", failing(strconv.Atoi("99999999999999999999"))), `--run: "99999999999999999999" is too large a number`},
		{exec.Command("/none/a").Run(), "/none/a: no such file or directory"},
		{exec.Command("none-such").Run(), "none-such: no such program on the PATH"},
		{failing(net.Dial("tcp", "127.0.0.1:1")), "127.0.0.1:1: connection refused"},
		{fmt.Errorf("no adb server answers on 127.0.0.1:1: %w", failing(net.Dial("tcp", "127.0.0.1:1"))), "no adb server answers on 127.0.0.1:1: connection refused"},
		{fmt.Errorf("no adb server answers on 127.0.0.1:1: %v", failing(net.Dial("tcp", "127.0.0.1:1"))), "no adb server answers on 127.0.0.1:1: connection refused"},
		{taken, "cannot listen on " + address + ": address already in use"},
		{failing(net.Listen("tcp", "x")), `"x" is no address, expected HOST:PORT`},
		{failing(net.Listen("tcp", ":99999999")), `"99999999" is no address, expected HOST:PORT`},
		{&net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "h.invalid", Server: "1.2.3.4:53", IsNotFound: true}}, "no host is called h.invalid"},
		{errors.New("read tcp 127.0.0.1:38250->127.0.0.1:1: i/o timeout"), "no answer in time"},
		{fmt.Errorf("a: %w", json.Unmarshal([]byte("{"), &number)), "a: it ends too early"},
		{fmt.Errorf("a: %w", json.Unmarshal([]byte("{]"), &number)), "a: no JSON at byte 2"},
		{fmt.Errorf("a: %w", json.Unmarshal([]byte(`{"N":"x"}`), &number)), "a: string at byte 8 does not belong there"},
		{fmt.Errorf("gif: reading header: %w", io.ErrUnexpectedEOF), "reading header: it ends too early"},
		{fmt.Errorf("adb: %w", io.EOF), "adb: it ended"},
		{fmt.Errorf("solve: %w", context.DeadlineExceeded), "solve: out of time"},
		{fmt.Errorf("a: %w", os.ErrDeadlineExceeded), "a: no answer in time"},
		{errors.New("database is locked (5) (SQLITE_BUSY)"), "database is locked"},
		{errors.New("the hub does not answer: nats: no servers available for connection"), "the hub does not answer: no servers available for connection"},
		{errors.Join(failing(os.Open("/none/a")), failing(os.Open("/none/b"))), "/none/a: no such file or directory\n/none/b: no such file or directory"},
		{errors.New("open the app again"), "open the app again"}, // the word alone is nobody's
	} {
		if got := Of(test.err); got != test.want {
			t.Errorf("%v reads %q, expected %q", test.err, got, test.want)
		}
	}
}

// TestCut wants long values cut, whatever they consist of, and what stands around them
// kept.
func TestCut(t *testing.T) {
	for name, value := range map[string]string{
		"letters": strings.Repeat("x", 100_000), "umlauts": strings.Repeat("ö", 50_000), "escapes": strings.Repeat("\x1b\xff", 50_000), "quotes": strings.Repeat(`"`, 100_000),
		"lines": strings.Repeat("x\n", 50_000), "backslashes": strings.Repeat(`\`, 99_999), "wide": strings.Repeat("界", 40_000), "planes": strings.Repeat("\U000e0001", 30_000),
	} {
		for _, format := range []string{"--size is %q, expected a number", "a.txt: %s: expected a number"} {
			if format[0] == 'a' && (name == "lines" || name == "quotes") {
				continue // text of many lines is printed quoted, and quotes end each other
			}
			text := fmt.Sprintf(format, value)
			got := Cut(text)
			before, after, _ := strings.Cut(format, "%")
			if len(got) > 1100 || !utf8.ValidString(got) && utf8.ValidString(value) || !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after[1:]) || !strings.Contains(got, " characters)") {
				t.Errorf("%s in %q is cut to %q", name, format, got)
			}
		}
	}
	for _, whole := range []string{"", `on Xiaomi switch on "USB debugging (Security settings)" in the developer options`, "a.txt: " + strings.Repeat("x", 199), strings.Repeat("word ", 390), strings.Repeat(strings.Repeat("word ", 390)+"\n", 10)} {
		if got := Cut(whole); got != whole {
			t.Errorf("%q is cut to %q", whole, got)
		}
	}
	if got := Cut(strings.Repeat("word ", 10_000)); len(got) > 2000 {
		t.Errorf("a line of 50,000 characters is cut to %d", len(got))
	}
}

// FuzzOf wants messages of any text to be short and to keep what is UTF-8.
func FuzzOf(f *testing.F) {
	f.Add(`flag "x" is y`)
	f.Add(strings.Repeat(`"\`, 200))
	f.Add(strings.Repeat("ö", 300) + "\n\"")
	f.Fuzz(func(t *testing.T, text string) {
		got := Of(errors.New(text))
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q reads %q, which is no UTF-8", text, got)
		}
		for line := range bytes.SplitSeq([]byte(got), []byte("\n")) {
			if n := utf8.RuneCount(line); n > mostLine {
				t.Errorf("a line of %d characters", n)
			}
		}
	})
}
