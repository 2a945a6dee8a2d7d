package daemon

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"path"
	"strings"
	"testing"
	"time"

	"tapwise/adb/simphone/shell"
)

// message builds a sync message whose number is the length of its argument.
func message(name, argument string) string {
	return string(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(argument)))) + argument
}

func number(name string, n uint32) string {
	return string(binary.LittleEndian.AppendUint32([]byte(name), n))
}

// talk runs a sync session on the peer's input and returns the answers.
func talk(files *shell.FileSystem, sent string) string {
	var out bytes.Buffer
	session := &syncSession{files: files, in: bufio.NewReader(strings.NewReader(sent)), out: &out}
	for session.request() == nil {
	}
	return out.String()
}

func TestSync(t *testing.T) {
	clock := func() time.Time { return time.Unix(1000, 0) }
	for name, c := range map[string]struct{ sent, want string }{
		"stat nothing":   {message("STAT", "/none"), number("STAT", 0) + "\x00\x00\x00\x00\x00\x00\x00\x00"},
		"stat link":      {message("STAT", "/sdcard"), number("STAT", 0o120000|0o777) + "\x15\x00\x00\x00\xe8\x03\x00\x00"},
		"stat directory": {message("STAT", "/sdcard/"), number("STAT", 0o040000|0o771) + "\x00\x10\x00\x00\xe8\x03\x00\x00"},
		"send and get": {
			message("SEND", "/sdcard/a,33206") + message("DATA", "hello") + number("DONE", 5) + message("STAT", "/sdcard/a") + message("RECV", "/sdcard/a"),
			number("OKAY", 0) + number("STAT", 0o100000|0o666) + "\x05\x00\x00\x00\x05\x00\x00\x00" + message("DATA", "hello") + number("DONE", 0),
		},
		"makes folders": {message("SEND", "/sdcard/x/y/z,420") + number("DONE", 5), number("OKAY", 0)},
		"read-only":     {message("SEND", "/system/a,420") + message("DATA", "x") + number("DONE", 5) + message("RECV", "/none"), message("FAIL", "Read-only file system")},
		"directory":     {message("SEND", "/sdcard/DCIM,420") + number("DONE", 5), message("FAIL", "Is a directory")},
		"bad mode":      {message("SEND", "/sdcard/a,rw") + number("DONE", 5), message("FAIL", "invalid mode")},
		"link":          {message("SEND", "/sdcard/a,41471") + number("DONE", 5), message("FAIL", "Operation not permitted")},
		"too big":       {message("SEND", "/sdcard/a,420") + message("DATA", strings.Repeat("x", 40000)) + message("DATA", strings.Repeat("x", 40000)) + number("DONE", 5), message("FAIL", "No space left on device")},
		"oversize data": {message("SEND", "/sdcard/a,420") + number("DATA", 1<<30), message("FAIL", "oversize data message")},
		"long path":     {number("STAT", 5000), message("FAIL", "File name too long")},
		"unknown":       {message("JUMP", "/x"), message("FAIL", `unknown command "JUMP"`)},
		"inside a file": {message("SEND", "/sdcard/a,420") + message("STAT", "/"), message("FAIL", "invalid data message")},
		"quit":          {number("QUIT", 0) + message("STAT", "/"), ""},
		"cut off":       {"STA", ""},
		"stat2 nothing": {message("STA2", "/none"), number("STA2", 2) + strings.Repeat("\x00", 64)},
		// error, dev, ino | mode, nlink, uid, gid | size | atime, mtime, ctime
		"stat2 link": {message("LST2", "/sdcard"), "LST2" + strings.Repeat("\x00", 20) + "\xff\xa1\x00\x00" + "\x01\x00\x00\x00" + strings.Repeat("\x00", 8) +
			"\x15\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("\xe8\x03\x00\x00\x00\x00\x00\x00", 3)},
		"stat2 what it links to": {message("STA2", "/sdcard"), "STA2" + strings.Repeat("\x00", 20) + "\xf9\x41\x00\x00" + "\x01\x00\x00\x00" + strings.Repeat("\x00", 8) +
			"\x00\x10\x00\x00\x00\x00\x00\x00" + strings.Repeat("\xe8\x03\x00\x00\x00\x00\x00\x00", 3)},
		"list2 of nothing": {message("LIS2", "/none"), "DONE" + strings.Repeat("\x00", 72)},
		"list of nothing":  {message("LIST", "/none"), "DONE" + strings.Repeat("\x00", 16)},
	} {
		files := shell.NewFileSystem(64<<10, clock)
		if got := talk(files, c.sent); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
		if used, _ := files.Usage(); name != "send and get" && used != 0 {
			t.Errorf("%s: %d bytes are in use", name, used)
		}
	}
}

// content adds up the files below a folder, and the bytes in them.
func content(t *testing.T, files *shell.FileSystem, dir string) (held int64, count int) {
	entries, err := files.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name)
		if entry.Name == "." || entry.Name == ".." || path.Dir(name) != dir {
			t.Errorf("a file %q", entry.Name)
		}
		count++
		switch {
		case entry.Directory():
			below, n := content(t, files, name)
			held, count = held+below, count+n
		case !entry.Link(): // sync makes no links, and the phone's own do not count
			held += entry.Size
		}
	}
	return held, count
}

// FuzzSync feeds a session anything; the files stay within their bound.
func FuzzSync(f *testing.F) {
	f.Add([]byte(message("SEND", "/sdcard/a,33206") + message("DATA", "hello") + number("DONE", 5) + message("RECV", "/sdcard/a")))
	f.Add([]byte(message("LIST", "/sdcard") + message("STAT", "../..//sdcard") + number("QUIT", 0)))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := shell.NewFileSystem(1<<10, time.Now)
		talk(files, string(data))
		held, seen := content(t, files, "/")
		if used, count := files.Usage(); used != held || held > 1<<10 || count != seen+1 {
			t.Errorf("%d bytes counted, %d held, %d files, %d seen", used, held, count, seen)
		}
	})
}
