package simphone_test

import (
	"context"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tapwise/adb/adbtest/await"
	"tapwise/adb/simphone"
)

// clientsFolder is the environment variable that names a folder with the packages of
// testdata/clients/package.json; `make clients` makes one.
const clientsFolder = "TAPWISE_CLIENTS"

// TestClients runs other people's ADB clients against the phone, verb by verb.
func TestClients(t *testing.T) {
	folder := os.Getenv(clientsFolder)
	if folder == "" {
		t.Skipf("%s names no folder with the clients: run `make clients`", clientsFolder)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	// Modules are found from where the script lies.
	script, err := os.ReadFile("testdata/clients/clients.mjs")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "clients.mjs")
	if err := os.WriteFile(file, script, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, client := range []string{"adbkit", "appium", "yume"} {
		t.Run(client, func(t *testing.T) {
			server, phone := connect(t, simphone.Config{Size: image.Pt(270, 585)})
			tool, err := exec.LookPath("adb")
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), await.Hang)
			defer cancel()
			cmd := exec.CommandContext(ctx, node, file, client, strconv.Itoa(server.Port), phone.Addr(), tool)
			cmd.Dir = folder
			// Nothing of the user's own is used: neither the home folder nor a server.
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "ANDROID_ADB_SERVER_PORT=" + strconv.Itoa(server.Port)}
			out, err := cmd.CombinedOutput()
			t.Logf("%s", out)
			if err != nil || strings.Count(string(out), "ok ") < 15 {
				t.Errorf("%s: %v", client, err)
			}
		})
	}
}
