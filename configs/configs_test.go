package configs

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/viper"
)

// TestDefaultIsCommented expects a comment before every key, for people who copy
// the file.
func TestDefaultIsCommented(t *testing.T) {
	key := regexp.MustCompile(`^\s*[a-z-]+: \S`)
	commented := false
	for i, line := range strings.Split(string(Default), "\n") {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "#"):
			commented = true
		case strings.TrimSpace(line) == "":
			commented = false
		case key.MatchString(line) && !commented:
			// Keys with a common comment may follow each other: host and port.
			if previous := strings.Split(string(Default), "\n")[i-1]; !key.MatchString(previous) {
				t.Errorf("default.yaml line %d: %q has no comment", i+1, line)
			}
		}
	}
	v := viper.New()
	v.SetConfigType("yaml")
	if err := v.ReadConfig(bytes.NewReader(Default)); err != nil {
		t.Fatal(err)
	}
	if len(v.AllKeys()) < 8 {
		t.Errorf("default.yaml has the keys %v only", v.AllKeys())
	}
}

// TestThemesAndProfiles expects the themes and profiles that come along to be found
// by name.
func TestThemesAndProfiles(t *testing.T) {
	if names := Themes(); len(names) < 3 {
		t.Errorf("themes %v, expected at least 3", names)
	}
	for _, name := range Themes() {
		if text, err := Theme(name); err != nil || len(text) == 0 {
			t.Errorf("theme %s: %d bytes, %v", name, len(text), err)
		}
	}
	if _, err := Theme("../default"); err == nil {
		t.Error("a theme outside the folder was found")
	}
	files, err := Profiles()
	if err != nil || len(files) == 0 || len(files[0].Text) == 0 {
		t.Errorf("profiles %v, %v", files, err)
	}
}

// TestAlerts has Prometheus check the alerts, and try each as the file says: when it fires and
// what it says then. Each is tried.
func TestAlerts(t *testing.T) {
	cases, err := os.ReadFile("testdata/prometheus-alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := os.ReadFile("prometheus-alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, alert := range regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(string(rules), -1) {
		if !regexp.MustCompile(`alertname: ` + alert[1] + `\s+eval_time: \w+\s+exp_alerts:`).Match(cases) {
			t.Errorf("no case has %s fire", alert[1])
		}
	}
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is missing (Debian package prometheus)")
	}
	for _, args := range [][]string{{"check", "rules", "prometheus-alerts.yml"}, {"test", "rules", "testdata/prometheus-alerts.yml"}} {
		if said, err := exec.CommandContext(t.Context(), promtool, args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, said)
		}
	}
}
