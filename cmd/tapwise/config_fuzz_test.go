package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tapwise/configs"
)

// FuzzConfiguration reads anything as the configuration file: it is in force or
// refused in one line that says so, and takes memory in proportion to its size.
func FuzzConfiguration(f *testing.F) {
	f.Add(string(configs.Default))
	for _, text := range []string{
		"", "adb:\n  port: 4\n", "colour: red\n", "adb: [", "play:\n  settle-interval: 1h\n", "a: 1\n---\nb: 2\n", "adb: &a {port: 1}\nplay: *a\n",
		"a: &a [*a]\n", "serial: [1, 2]\n", "adb.port: 3\n", "? [a]\n: b\n", "1: 2\n", "<<: {serial: x}\n", "adb:\n", "serial: 2026-11-22\n", "adb: {port: 0x10}\n",
		"a: [" + strings.Repeat("x,", 4000) + "]\n", strings.Repeat("- x\n", 80000),
		strings.Repeat("{a: ", 9000) + strings.Repeat("}", 9000), strings.Repeat("- ", 9000), strings.Repeat("? ", 300), "a" + strings.Repeat(".a", 5000) + ": 1\n",
		"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c]\n",
	} {
		f.Add(text)
	}
	file := filepath.Join(f.TempDir(), "config.yaml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, said bytes.Buffer
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code := execute(t.Context(), []string{"config", "show", "--config", file}, streams{strings.NewReader(""), &out, &said})
		runtime.ReadMemStats(&after)
		switch code {
		case exitDone:
			if out.Len() == 0 || said.Len() > 0 {
				t.Errorf("prints %q and says %q", &out, &said)
			}
		case exitUsage:
			if out.Len() > 0 || !strings.HasPrefix(said.String(), "tapwise: configuration") {
				t.Errorf("prints %q and says %q", &out, &said)
			}
		default:
			t.Errorf("exit code %d: %s", code, &said)
		}
		// The YAML library takes some 200 bytes for each value, and the text is read
		// four times; what aliases stand for is bounded on its own.
		const perByte, always = 4000, 64 << 20
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(always+perByte*len(text)); got > most {
			t.Errorf("%d bytes were taken for %d, expected at most %d", got, len(text), most)
		}
	})
}
