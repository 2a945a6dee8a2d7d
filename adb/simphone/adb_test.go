package simphone_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/electricbubble/gadb"

	"tapwise/adb/adbtest"
	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
)

func open(t *testing.T, config simphone.Config) *simphone.Phone {
	t.Helper()
	if config.Size == (image.Point{}) {
		config.Size = image.Pt(240, 521)
	}
	return adbtest.StartPhone(t, config)
}

// connect opens a phone and connects a private adb server to it.
func connect(t *testing.T, config simphone.Config) (*adbtest.Server, *simphone.Phone) {
	t.Helper()
	server := adbtest.Start(t)
	phone := open(t, config)
	result := server.Run("connect", phone.Addr())
	if want := "connected to " + phone.Addr(); !strings.Contains(string(result.Stdout), want) {
		t.Fatalf("adb connect printed %q and %q, expected %q", result.Stdout, result.Stderr, want)
	}
	return server, phone
}

func expect(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s:\n got %q\nwant %q", what, fmt.Sprint(got), fmt.Sprint(want))
	}
}

func TestDevices(t *testing.T) {
	server, phone := connect(t, simphone.Config{Product: "flowphone", Model: "Flow_9", Device: "flow"})
	result := server.Run("devices", "-l")
	for _, want := range []string{phone.Addr(), " device ", "product:flowphone", "model:Flow_9", "device:flow"} {
		if !strings.Contains(string(result.Stdout), want) {
			t.Errorf("adb devices -l printed %q, expected %q in it", result.Stdout, want)
		}
	}
	// As a real daemon of Android 14 announces them.
	features := slices.Sorted(strings.FieldsSeq(string(server.Run("-s", phone.Addr(), "features").Stdout)))
	expect(t, "features", strings.Join(features, " "), "abb abb_exec apex cmd fixed_push_mkdir fixed_push_symlink_timestamp ls_v2 remount_shell shell_v2 stat_v2")
}

func TestShellCodesAndStreams(t *testing.T) {
	for _, packet := range []int{4096, 1 << 20} {
		t.Run(strconv.Itoa(packet), func(t *testing.T) {
			server, phone := connect(t, simphone.Config{MaxPacket: packet})
			for _, c := range []struct {
				command, stdout, stderr string
				code                    int
			}{
				{"exit 3", "", "", 3},
				{"echo out; echo err >&2; false", "out\n", "err\n", 1},
				{"echo a && echo b || echo c", "a\nb\n", "", 0},
				{"nosuch", "", "/system/bin/sh: nosuch: inaccessible or not found\n", 127},
				{"echo 'two  words' \"$HOME\" $?", "two  words / 0\n", "", 0},
				{"wm size", "Physical size: 240x521\n", "", 0},
				{"getprop ro.build.version.sdk", "34\n", "", 0},
				{"seq 3", "", "/system/bin/sh: seq: inaccessible or not found\n", 127},
			} {
				result := server.Run("-s", phone.Addr(), "shell", c.command)
				expect(t, c.command, fmt.Sprintf("%d|%s|%s", result.ExitCode, result.Stdout, result.Stderr), fmt.Sprintf("%d|%s|%s", c.code, c.stdout, c.stderr))
			}
		})
	}
}

// TestOrdinaryCommands runs commands that people type, with the real adb.
func TestOrdinaryCommands(t *testing.T) {
	server, phone := connect(t, simphone.Config{})
	file := filepath.Join(t.TempDir(), "a.apk")
	if err := os.WriteFile(file, []byte("not a package"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, stdout, stderr string
		code                 int
	}{
		{"logcat -d", "--------- beginning of main\n", "", 0},
		{"exec-out echo bytes", "bytes\n", "", 0},
		{"push " + file + " /sdcard", "", "", 0},
		{"push " + file + " /sdcard/Download/", "", "", 0},
		{"shell cat /storage/emulated/0/a.apk /mnt/sdcard/Download/a.apk", "not a packagenot a package", "", 0},
		{"pull /sdcard/a.apk " + file, "", "", 0},
		{"shell cat /sdcard/a.apk/", "", "cat: /sdcard/a.apk/: Not a directory\n", 1},
		{"install " + file, "Performing Streamed Install\n", "Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]", 1},
		{"uninstall com.example.none", "Failure [DELETE_FAILED_INTERNAL_ERROR]\n", "", 1},
		{"shell monkey -p com.example.stripes -c android.intent.category.LAUNCHER 1", "Events injected: 1\n", "", 0},
		{"shell sh -c 'exit 3'", "", "", 3},
	} {
		result := server.Run(append([]string{"-s", phone.Addr()}, strings.SplitN(c.args, " ", strings.Count(c.args, " ")+1)...)...)
		if !strings.Contains(string(result.Stdout), c.stdout) || !strings.Contains(string(result.Stderr), c.stderr) || result.ExitCode != c.code {
			t.Errorf("adb %s: %q, %q, code %d, expected %q, %q, code %d", c.args, result.Stdout, result.Stderr, result.ExitCode, c.stdout, c.stderr, c.code)
		}
	}
	// A terminal whose keys come through a pipe.
	cmd := server.Command(t.Context(), "-s", phone.Addr(), "shell", "-t", "-t")
	keys, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	screen, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := ""
	wait := func(text string) {
		t.Helper()
		limit := time.AfterFunc(await.Hang, func() { cmd.Process.Kill() })
		defer limit.Stop()
		buffer := make([]byte, 1024)
		for !strings.Contains(seen, text) {
			n, err := screen.Read(buffer)
			seen += string(buffer[:n])
			if err != nil {
				t.Fatalf("the screen shows %q and then %v, expected %q", seen, err, text)
			}
		}
		_, seen, _ = strings.Cut(seen, text)
	}
	for _, step := range []struct{ see, press string }{
		{"$ ", "sleep 1000\r"}, {"1000\r\n", "\x03"}, {"^C\r\n", ""}, {"$ ", "echo $?\r"}, {"\r\n130\r\n", "cat\r"}, {"cat\r\n", "\x04"}, {"$ ", "exit 6\r"},
	} {
		wait(step.see)
		io.WriteString(keys, step.press)
	}
	cmd.Wait()
	expect(t, "the terminal's exit code", cmd.ProcessState.ExitCode(), 6)
}

func TestShellStdin(t *testing.T) {
	server, phone := connect(t, simphone.Config{})
	cmd := server.Command(t.Context(), "-s", phone.Addr(), "shell", "grep -c x; echo done")
	cmd.Stdin = strings.NewReader(strings.Repeat(strings.Repeat("x", 99)+"\n", 3000))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	expect(t, "lines", string(out), "3000\ndone\n")

	cmd = server.Command(t.Context(), "-s", phone.Addr(), "shell")
	cmd.Stdin = strings.NewReader("echo one\ncd /sdcard\npwd\nexit 4\necho never\n")
	out, err = cmd.Output()
	expect(t, "interactive", fmt.Sprintf("%s|%v", out, err), "one\n/sdcard\n|exit status 4")
}

// frameOf splits a raw frame.
func frameOf(t *testing.T, raw []byte, header int) *image.RGBA {
	t.Helper()
	if len(raw) < header {
		t.Fatalf("frame of %d bytes", len(raw))
	}
	w, h := int(binary.LittleEndian.Uint32(raw)), int(binary.LittleEndian.Uint32(raw[4:]))
	if len(raw) != header+4*w*h {
		t.Fatalf("frame of %d bytes for %d x %d, expected %d", len(raw), w, h, header+4*w*h)
	}
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	copy(m.Pix, raw[header:])
	return m
}

func TestScreencap(t *testing.T) {
	for _, c := range []struct{ sdk, header int }{{25, 12}, {26, 16}, {34, 16}} {
		t.Run(fmt.Sprintf("sdk %d", c.sdk), func(t *testing.T) {
			server, phone := connect(t, simphone.Config{SDK: c.sdk})
			want := phone.Frame()
			raw := server.Run("-s", phone.Addr(), "exec-out", "screencap").Stdout
			if !bytes.Equal(frameOf(t, raw, c.header).Pix, want.Pix) {
				t.Error("the raw frame differs from the screen")
			}
			expect(t, "format", binary.LittleEndian.Uint32(raw[8:]), 1)
			picture := server.Run("-s", phone.Addr(), "exec-out", "screencap", "-p").Stdout
			decoded, err := png.Decode(bytes.NewReader(picture))
			if err != nil {
				t.Fatal(err)
			}
			for y := range want.Rect.Dy() {
				for x := range want.Rect.Dx() {
					if got, want := color.RGBAModel.Convert(decoded.At(x, y)), want.At(x, y); got != want {
						t.Fatalf("pixel %d,%d of the PNG is %v, expected %v", x, y, got, want)
					}
				}
			}
			zipped := server.Run("-s", phone.Addr(), "exec-out", "screencap | gzip -1").Stdout
			if len(zipped) >= len(raw) || zipped[0] != 0x1f {
				t.Errorf("gzip gave %d bytes for %d", len(zipped), len(raw))
			}
			server.Run("-s", phone.Addr(), "shell", "screencap /sdcard/shot.png")
			stored := server.Run("-s", phone.Addr(), "exec-out", "cat /sdcard/shot.png").Stdout
			if !bytes.Equal(stored, picture) {
				t.Errorf("the stored PNG has %d bytes and differs from the printed one of %d", len(stored), len(picture))
			}
		})
	}
}

// A terminal on an old phone turns LF into CR LF; nothing else does.
func TestOldLineEnds(t *testing.T) {
	server, phone := connect(t, simphone.Config{SDK: 22})
	expect(t, "shell", string(server.Run("-s", phone.Addr(), "shell", "echo a").Stdout), "a\r\n")
	expect(t, "exec", string(server.Run("-s", phone.Addr(), "exec-out", "echo a").Stdout), "a\n")
	expect(t, "exit code", server.Run("-s", phone.Addr(), "shell", "exit 3").ExitCode, 0)
	raw := server.Run("-s", phone.Addr(), "shell", "screencap").Stdout
	fixed := bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	if want := phone.Frame(); !bytes.Equal(frameOf(t, fixed, 12).Pix, want.Pix) {
		t.Error("the frame without the added CRs differs from the screen")
	}
}

func TestPushPull(t *testing.T) {
	for _, packet := range []int{4096, 1 << 20} {
		server, phone := connect(t, simphone.Config{MaxPacket: packet})
		dir := t.TempDir()
		for _, size := range []int{0, 1, 64<<10 + 1, 5 << 20} {
			t.Run(fmt.Sprintf("packet %d, %d bytes", packet, size), func(t *testing.T) {
				want := make([]byte, size)
				rand.Read(want)
				local := filepath.Join(dir, "local")
				if err := os.WriteFile(local, want, 0o600); err != nil {
					t.Fatal(err)
				}
				push := server.Run("-s", phone.Addr(), "push", local, "/sdcard/Download/there")
				if push.ExitCode != 0 {
					t.Fatalf("push: %s%s", push.Stdout, push.Stderr)
				}
				pull := server.Run("-s", phone.Addr(), "pull", "/sdcard/Download/there", local+".back")
				if pull.ExitCode != 0 {
					t.Fatalf("pull: %s%s", pull.Stdout, pull.Stderr)
				}
				got, err := os.ReadFile(local + ".back")
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%d bytes came back of %d (%v)", len(got), len(want), err)
				}
				listed := string(server.Run("-s", phone.Addr(), "shell", "ls -l /sdcard/Download/there").Stdout)
				if !strings.Contains(listed, fmt.Sprintf(" %d ", size)) {
					t.Errorf("ls printed %q, expected %d bytes", listed, size)
				}
			})
		}
		listing := string(server.Run("-s", phone.Addr(), "ls", "/sdcard/Download").Stdout)
		if !strings.Contains(listing, " there\n") || !strings.Contains(listing, "00500000") {
			t.Errorf("adb ls printed %q, expected a file there of 0x500000 bytes", listing)
		}
		for _, c := range [][]string{
			{"push", filepath.Join(dir, "local"), "/system/app"},
			{"pull", "/sdcard/missing", filepath.Join(dir, "x")},
		} {
			if result := server.Run(append([]string{"-s", phone.Addr()}, c...)...); result.ExitCode == 0 {
				t.Errorf("adb %v succeeded: %s%s", c, result.Stdout, result.Stderr)
			}
		}
	}
}

func TestParallelShells(t *testing.T) {
	server, phone := connect(t, simphone.Config{})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			result, err := server.Server.Run(t.Context(), "-s", phone.Addr(), "shell", fmt.Sprintf("sleep 1; echo %d; exit %d", i, i))
			if err != nil || string(result.Stdout) != fmt.Sprintf("%d\n", i) || result.ExitCode != i {
				t.Errorf("shell %d: %q, code %d, error %v", i, result.Stdout, result.ExitCode, err)
			}
		}()
	}
	wg.Wait()
}

func TestLongExecOut(t *testing.T) {
	server, phone := connect(t, simphone.Config{Size: image.Pt(1440, 3200)})
	want := phone.Frame()
	for range 3 {
		raw := server.Run("-s", phone.Addr(), "exec-out", "screencap; screencap").Stdout
		if len(raw)%2 != 0 {
			t.Fatalf("two frames of %d bytes", len(raw))
		}
		for _, half := range [][]byte{raw[:len(raw)/2], raw[len(raw)/2:]} {
			if !bytes.Equal(frameOf(t, half, 16).Pix, want.Pix) {
				t.Fatal("a frame differs from the screen")
			}
		}
	}
}

// A client that is killed in the middle of a transfer leaves the phone working.
func TestKilledClient(t *testing.T) {
	server, phone := connect(t, simphone.Config{})
	local := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(local, make([]byte, 64<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"shell", "while true; do echo line; done"},
		{"exec-out", "while true; do screencap; done"},
		{"shell", "cat"},
		{"push", local, "/sdcard/big"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		cmd := server.Command(ctx, append([]string{"-s", phone.Addr()}, args...)...)
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if args[0] != "push" && args[1] != "cat" {
			io.CopyN(io.Discard, stdout, 1000)
		}
		cancel()
		cmd.Wait()
		stdin.Close()
		expect(t, "shell after "+strings.Join(args, " "), string(server.Run("-s", phone.Addr(), "shell", "echo alive").Stdout), "alive\n")
	}
}

// reconnect connects again after a lost connection. The server drops the old one
// some time after disconnect returns; until then connect would answer "already
// connected", and the phone would be gone a moment later.
func reconnect(t *testing.T, server *adbtest.Server, address string) {
	t.Helper()
	server.Run("disconnect", address)
	await.Until(t, "adb lets go of "+address, func() bool { return !strings.Contains(string(server.Run("devices").Stdout), address) })
	expect(t, "connect", string(server.Run("connect", address).Stdout), "connected to "+address+"\n")
}

func TestReconnect(t *testing.T) {
	server, phone := connect(t, simphone.Config{})
	address := phone.Addr()
	phone.Close()
	if conn, err := net.Dial("tcp", address); err == nil {
		conn.Close()
		t.Fatal("the phone still listens after Close")
	}
	if err := phone.Listen(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	reconnect(t, server, address)
	expect(t, "shell", string(server.Run("-s", address, "shell", "echo back").Stdout), "back\n")

	phone.Disconnect()
	reconnect(t, server, address)
	expect(t, "shell after Disconnect", string(server.Run("-s", address, "shell", "echo again").Stdout), "again\n")
}

func TestAuth(t *testing.T) {
	server := adbtest.Start(t)
	phone := open(t, simphone.Config{Auth: simphone.AuthNever})
	server.Run("connect", phone.Addr())
	state := func() string { return string(server.Run("devices").Stdout) }
	if got := state(); !strings.Contains(got, phone.Addr()+"\tunauthorized") {
		t.Errorf("adb devices printed %q, expected unauthorized", got)
	}
	result := server.Run("-s", phone.Addr(), "shell", "echo in")
	if result.ExitCode == 0 || len(result.Stdout) > 0 {
		t.Errorf("a shell ran: %q, code %d", result.Stdout, result.ExitCode)
	}
	phone.SetAuth(simphone.AuthAllow)
	waiting := server.Run("-s", phone.Addr(), "wait-for-device", "shell", "echo in")
	expect(t, "shell after allowing", string(waiting.Stdout), "in\n")

	asking := open(t, simphone.Config{Auth: simphone.AuthAllow})
	server.Run("connect", asking.Addr())
	expect(t, "shell of a phone that asks", string(server.Run("-s", asking.Addr(), "wait-for-device", "shell", "echo in").Stdout), "in\n")
}

func TestFaults(t *testing.T) {
	server, phone := connect(t, simphone.Config{})
	exec := func(command string) []byte { return server.Run("-s", phone.Addr(), "exec-out", command).Stdout }
	whole := exec("screencap")

	phone.TruncateNextFrame(1000)
	if got := exec("screencap"); !bytes.Equal(got, whole[:1000]) {
		t.Errorf("a frame cut after 1000 bytes had %d", len(got))
	}
	if got := exec("screencap"); !bytes.Equal(got, whole) {
		t.Errorf("the next frame had %d bytes, expected %d", len(got), len(whole))
	}

	phone.SetFramePrefix("WARNING: linker\n", true)
	expect(t, "prefix on stderr", string(exec("screencap")[:16]), "WARNING: linker\n")
	if got := exec("screencap 2>/dev/null"); !bytes.Equal(got, whole) {
		t.Errorf("stderr was not dropped: %q", got[:16])
	}
	phone.SetFramePrefix("", false)

	phone.SetBlackFrames(true)
	for i, b := range exec("screencap")[16:] {
		if want := byte(0); i%4 < 3 && b != want || i%4 == 3 && b != 255 {
			t.Fatalf("byte %d of a black frame is %d", i, b)
		}
	}
	phone.SetBlackFrames(false)

	phone.RefuseInput(true)
	result := server.Run("-s", phone.Addr(), "shell", "input tap 1 1")
	if !strings.Contains(string(result.Stderr), "INJECT_EVENTS") || result.ExitCode != 255 {
		t.Errorf("refused input: %q, code %d", result.Stderr, result.ExitCode)
	}

	phone.DisconnectInNextFrame(5000)
	if got := exec("screencap"); len(got) > 5000 {
		t.Errorf("a frame cut by a lost connection had %d bytes", len(got))
	}
}

func TestGadb(t *testing.T) {
	server, phone := connect(t, simphone.Config{})
	client, err := gadb.NewClientWith("127.0.0.1", server.Port)
	if err != nil {
		t.Fatal(err)
	}
	devices, err := client.DeviceList()
	if err != nil || len(devices) != 1 {
		t.Fatalf("%d devices, error %v", len(devices), err)
	}
	device := devices[0]
	expect(t, "serial", device.Serial(), phone.Addr())
	state, err := device.State()
	expect(t, "state", fmt.Sprintf("%v %v", state, err), "online <nil>")
	output, err := device.RunShellCommand("echo hello; exit 5; echo never")
	expect(t, "shell", fmt.Sprintf("%q %v", output, err), `"hello\n" <nil>`)
	output, err = device.RunShellCommand("false; echo __RC$?")
	expect(t, "status", fmt.Sprintf("%q %v", output, err), `"__RC1\n" <nil>`)
	raw, err := device.RunShellCommandWithBytes("screencap")
	if err != nil || !bytes.Equal(frameOf(t, raw, 16).Pix, phone.Frame().Pix) {
		t.Errorf("the frame of %d bytes differs from the screen (%v)", len(raw), err)
	}
	for _, size := range []int{0, 1, 64<<10 + 1, 5 << 20} {
		want := make([]byte, size)
		rand.Read(want)
		if err := device.Push(bytes.NewReader(want), "/data/local/tmp/there", time.Unix(1_700_000_000, 0)); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := device.Pull("/data/local/tmp/there", &got); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%d bytes came back of %d (%v)", got.Len(), size, err)
		}
	}
	entries, err := device.List("/data/local/tmp")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, fmt.Sprintf("%s:%t", entry.Name, entry.IsDir()))
	}
	expect(t, "list", strings.Join(names, " "), "there:false .:true ..:true")
	if err := device.Push(strings.NewReader("x"), "/system/x", time.Now()); err == nil {
		t.Error("a push to /system succeeded")
	}
}

func TestRefusedServices(t *testing.T) {
	server, phone := connect(t, simphone.Config{})
	for _, args := range [][]string{{"root"}, {"remount"}, {"reboot"}, {"tcpip", "5555"}, {"reverse", "localabstract:x", "tcp:2"}, {"reverse", "--remove", "tcp:7"}, {"jdwp"}} {
		result := server.Run(append([]string{"-s", phone.Addr()}, args...)...)
		if args[0] != "jdwp" && result.ExitCode == 0 {
			t.Errorf("adb %v succeeded: %q %q", args, result.Stdout, result.Stderr)
		}
	}
	expect(t, "shell afterwards", string(server.Run("-s", phone.Addr(), "shell", "echo alive").Stdout), "alive\n")
}

// The phone's ports are reversed as a real daemon has it, seen by adb beside Debian's adbd 34.
func TestReverse(t *testing.T) {
	server, phone := connect(t, simphone.Config{})
	run := func(args ...string) string {
		result := server.Run(append([]string{"-s", phone.Addr(), "reverse"}, args...)...)
		return string(result.Stdout)
	}
	expect(t, "reverse", run("tcp:9999", "tcp:9998"), "9999\n")
	run("tcp:9999", "tcp:9997")
	run("tcp:7", "tcp:8")
	if result := server.Run("-s", phone.Addr(), "reverse", "--no-rebind", "tcp:7", "tcp:1"); result.ExitCode == 0 {
		t.Error("a port that is reversed already is reversed anew with --no-rebind")
	}
	expect(t, "the list", strings.TrimSpace(run("--list")), "host-1 tcp:9999 tcp:9997\nhost-1 tcp:7 tcp:8")
	run("--remove", "tcp:9999")
	expect(t, "the list after one is removed", strings.TrimSpace(run("--list")), "host-1 tcp:7 tcp:8")
	run("--remove-all")
	expect(t, "the list after all are removed", strings.TrimSpace(run("--list")), "")
}
