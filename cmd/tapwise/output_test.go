package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tapwise/adb/adbtest"
	"tapwise/adb/simphone"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/journal/attempt"
	"tapwise/solvers/gametest"
)

// obeyed names the first thing in text that a terminal obeys, by code ranges of
// its own.
func obeyed(text string) string {
	if !utf8.ValidString(text) {
		return "what is no UTF-8"
	}
	for _, r := range text {
		switch {
		case r == '\n', r == '\t':
		case r < 0x20, r >= 0x7f && r <= 0x9f:
			return fmt.Sprintf("the control character U+%04X", r)
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
			return fmt.Sprintf("the direction mark U+%04X", r)
		}
	}
	return ""
}

// hostile is text that redraws the screen, rings, and forges a line.
const hostile = "evil\x1b[2J\a\u009b31m\u202e"

// wantHarmless runs a command line and wants what it prints, on both streams,
// to hold the hostile text written out, and nothing that a terminal obeys.
func wantHarmless(t *testing.T, code int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if got := execute(t.Context(), args, streams{strings.NewReader(""), &out, &errs}); got != code {
		t.Errorf("%q: exit code %d, expected %d\n%s%s", args, got, code, &out, &errs)
	}
	printed := out.String() + errs.String()
	if bad := obeyed(printed); bad != "" {
		t.Errorf("%q prints %s: %q", args, bad, printed)
	}
	if !strings.Contains(printed, `evil\`) { // some messages quote it in their own way
		t.Errorf("%q does not print the hostile text written out: %q", args, printed)
	}
	return printed
}

// TestHostileFiles has the hostile text in names of files, in a configuration
// and in the journal.
func TestHostileFiles(t *testing.T) {
	folder := t.TempDir()
	config := filepath.Join(folder, "config.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "%q: 1\n", hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	board := filepath.Join(folder, hostile+".txt")
	if err := os.WriteFile(board, []byte("AA\nBB\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "journal.db")
	j, err := journal.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	r := journal.Run{Started: time.Now(), Serial: hostile, Model: hostile, Game: hostile + "\n\t"}
	if err := j.SaveRun(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	a := journal.Attempt{Run: r.ID, Level: 1, Started: r.Started, Ended: time.Now(), Verdict: journal.Failed, Error: hostile, Record: attempt.Record{Board: hostile}}
	if err := j.SaveAttempt(t.Context(), &a); err != nil {
		t.Fatal(err)
	}
	j.Close()

	wantHarmless(t, exitUsage, "solve", filepath.Join(folder, hostile))
	wantHarmless(t, exitUsage, "read", filepath.Join(folder, hostile))
	wantHarmless(t, exitDone, "solve", "-q", board)
	wantHarmless(t, exitUsage, "games", "--config", config)
	wantHarmless(t, exitUsage, "games", hostile)
	wantHarmless(t, exitDone, "config", "show", "--serial", hostile)
	wantHarmless(t, exitDone, "history", "--journal", file, "--csv")
	wantHarmless(t, exitDone, "report", "--journal", file, "-o", "-")
	if lines := wantHarmless(t, exitDone, "history", "--journal", file); strings.Count(lines, "\n") != 1 {
		t.Errorf("one attempt is listed as %q, expected one line", lines)
	}
	line := wantHarmless(t, exitDone, "history", "--journal", file, "--json")
	var got journal.Attempt
	if err := json.Unmarshal([]byte(line), &got); err != nil || got.Serial != hostile || got.Error != hostile {
		t.Errorf("the JSON is %s: %v", line, err)
	}
}

// TestHostileServer has an adb server that lists a phone with the hostile text
// in its name, and fails with it.
func TestHostileServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answer(conn)
		}
	}()
	port := fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)
	wantHarmless(t, exitDone, "devices", "--adb-port", port)
	wantHarmless(t, exitDone, "devices", "--adb-port", port, "--json")
	wantHarmless(t, exitPhone, "screenshot", "--adb-port", port)
	wantHarmless(t, exitPhone, "doctor", "--adb-port", port)
	wantHarmless(t, exitPhone, "clear", "--adb-port", port, "--journal", filepath.Join(t.TempDir(), "journal.db"), "--serial", hostile, "--serial", "other", "--game", "flow")
}

// answer answers one request as an adb server does.
func answer(conn net.Conn) {
	defer conn.Close()
	var length int
	digits := make([]byte, 4)
	if _, err := io.ReadFull(conn, digits); err != nil {
		return
	}
	if _, err := fmt.Sscanf(string(digits), "%04x", &length); err != nil {
		return
	}
	request := make([]byte, length)
	if _, err := io.ReadFull(conn, request); err != nil {
		return
	}
	reply := func(kind, text string) { fmt.Fprintf(conn, "%s%04x%s", kind, len(text), text) }
	switch string(request) {
	case "host:devices-l", "host:devices":
		reply("OKAY", hostile+"  device product:x model:"+hostile+" device:x transport_id:1\n")
	case "host:version":
		reply("OKAY", "0029")
	default:
		reply("FAIL", hostile)
	}
}

// TestHostilePhone has the hostile text in a phone's properties, which come
// through the real adb server.
func TestHostilePhone(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	server := adbtest.Start(t)
	phone, err := simphone.New(simphone.Config{Size: image.Pt(240, 480), Model: hostile})
	if err != nil {
		t.Fatal(err)
	}
	if err := phone.Listen(t.Context(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { phone.Close() })
	server.Run("connect", phone.Addr())
	port := fmt.Sprint(server.Port)
	wantHarmless(t, exitDone, "doctor", "--adb-port", port, "--serial", phone.Addr())
	wantHarmless(t, exitDone, "doctor", "--adb-port", port, "--serial", phone.Addr(), "--json")
}
