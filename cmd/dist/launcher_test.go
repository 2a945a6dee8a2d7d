package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLauncher starts a program by the launcher, with an ldd that says what is given: that
// all is there, and that something is missing.
func TestLauncher(t *testing.T) {
	here, err := system("/etc/os-release")
	if err != nil {
		t.Skip(err)
	}
	r := release{system: here, packages: []library{
		{Package: "libopencv-core406", Files: []string{"libopencv_core.so.406"}},
		{Package: "libopencv-imgproc406", Files: []string{"libopencv_imgproc.so.406"}},
	}}
	run := func(r release, ldd string) (said string, code int) {
		t.Helper()
		root := t.TempDir()
		for name, text := range map[string]string{
			"bin/tapwise":         r.launcher(),
			"lib/tapwise/tapwise": "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 7\n",
			"path/ldd":            "#!/bin/sh\ncat <<'END'\n" + ldd + "END\n",
		} {
			name = filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		// A link to it starts it as well.
		link := filepath.Join(root, "link")
		if err := os.Symlink("bin/tapwise", link); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(link, "one", "two words")
		c.Env = append(os.Environ(), "PATH="+filepath.Join(root, "path")+":"+os.Getenv("PATH"))
		out, _ := c.CombinedOutput() // its exit code tells
		return string(out), c.ProcessState.ExitCode()
	}
	const lacking = "\tlibc.so.6 => /lib/libc.so.6 (0x1)\n\tlibopencv_imgproc.so.406 => not found\n\tlibopencv_core.so.406 => not found\n"
	other := r
	other.system = "debian99"
	for name, test := range map[string]struct {
		release release
		ldd     string
		code    int
		want    []string
	}{
		"complete":          {r, "\tlibc.so.6 => /lib/libc.so.6 (0x1)\n", 7, []string{"one|two words|"}},
		"lacking":           {r, lacking, 127, []string{"libopencv_core.so.406 libopencv_imgproc.so.406 not found", "sudo apt-get install libopencv-core406 libopencv-imgproc406\n"}},
		"of another system": {other, lacking, 127, []string{"libopencv_core.so.406", "this archive is for debian99, not for " + here, "libopencv-dev"}},
		"an old C library":  {r, "/x/tapwise: /lib/libc.so.6: version `GLIBC_2.99' not found (required by /x/tapwise)\n\tlibc.so.6 => /lib/libc.so.6 (0x1)\n", 127, []string{"GLIBC_2.99 not found", "take your system's"}},
	} {
		t.Run(name, func(t *testing.T) {
			said, code := run(test.release, test.ldd)
			if code != test.code || strings.Count(said, "\n") > 1 {
				t.Errorf("exit code %d after %q, expected %d after at most one line", code, said, test.code)
			}
			for _, want := range test.want {
				if !strings.Contains(said, want) {
					t.Errorf("said %q, expected %q in it", said, want)
				}
			}
		})
	}
}
