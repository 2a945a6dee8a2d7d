package settings

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/viper"

	"tapwise/calibration"
	"tapwise/configs"
)

// FuzzReadFile reads any text as a configuration file: a mistake is told with
// the file, and what is accepted has lines, which viper can read as well.
func FuzzReadFile(f *testing.F) {
	f.Add(string(configs.Default))
	for _, text := range []string{"", "adb:\n  port: 4\n", "\ufeffGame: flow\nplay:\nadb.port: 17\n", "game: &a flow\njournal: *a\n", "adb: &a {adb: *a}", "game: [", "- a",
		"game: flow\ngame: flow\n", "adb: 5\n", "a\n---\nb\n", "? [a]\n: b\n", "<<: {game: flow}\n", "\tgame: flow\n"} {
		f.Add(text)
	}
	known := []string{"adb.host", "adb.port", "game", "journal", "play.evidence"}
	f.Fuzz(func(t *testing.T, text string) {
		_, lines, err := readFile("some.yaml", []byte(text), known)
		if err != nil {
			var wrong *calibration.FileError
			if !errors.As(err, &wrong) || wrong.Line < 0 || wrong.Line > strings.Count(text, "\n")+2+strings.Count(text, "\r") || !strings.HasPrefix(err.Error(), "some.yaml:") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		v := viper.New()
		v.SetConfigType("yaml")
		if err := v.ReadConfig(strings.NewReader(text)); err != nil {
			t.Errorf("%q was accepted: %v", text, err)
		}
		for key := range lines {
			if !slices.Contains(known, key) && key != "adb" && key != "play" {
				t.Errorf("%q: key %q was accepted", text, key)
			}
		}
	})
}
