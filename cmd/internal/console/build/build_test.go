package build

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// TestOf takes the version from a tag, but not from what the go command makes of a
// commit.
func TestOf(t *testing.T) {
	vcs := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.time", Value: "2026-02-03T23:30:00-02:00"}, {Key: "vcs.modified", Value: "true"}}
	for _, c := range []struct {
		name  string
		build *debug.BuildInfo
		want  string
	}{
		{"none", nil, Release},
		{"a clone", &debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20260203232323-0123456789ab+dirty"}, Settings: vcs}, Release + " (commit 0123456789ab, 2026-02-04, modified)"},
		{"a clone past a tag", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.4-0.20260203232323-0123456789ab"}, Settings: vcs[:1]}, Release + " (commit 0123456789ab)"},
		{"go install of a tag", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "1.2.3"},
		{"a candidate", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3-rc.1"}}, "1.2.3-rc.1"},
		{"without a repository", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, Release},
	} {
		if got := of(c.build).String(); got != c.want {
			t.Errorf("%s: got %q, expected %q", c.name, got, c.want)
		}
	}
}

// TestModule tells the versions of modules, also of replaced ones.
func TestModule(t *testing.T) {
	info := of(&debug.BuildInfo{Deps: []*debug.Module{{Path: "a", Version: "v1.0.0"}, {Path: "b", Version: "v1.0.0", Replace: &debug.Module{Path: "b", Version: "v2.0.0"}}}})
	for path, want := range map[string]string{"a": "v1.0.0", "b": "v2.0.0", "c": "unknown"} {
		if got := info.Module(path); got != want {
			t.Errorf("%s: got %s, expected %s", path, got, want)
		}
	}
}

// TestRelease wants the release in the changelog, unless it is still to come.
func TestRelease(t *testing.T) {
	data, err := os.ReadFile("../../../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if version, ok := strings.CutPrefix(line, "## "); ok {
			newest, _, _ := strings.Cut(strings.TrimSpace(version), " ")
			if newest != Release {
				t.Errorf("the newest section of CHANGELOG.md is %s, the release %s", newest, Release)
			}
			return
		}
	}
	// Nothing is released yet: the release is the first.
}
