package settings

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/viper"

	"tapwise/adb"
	"tapwise/adb/hand"
	"tapwise/calibration"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/places"
	"tapwise/cmd/internal/console/tell"
	"tapwise/configs"
	"tapwise/configs/boundedfile"
	"tapwise/configs/boundedyaml"
)

// Settings are the values in force.
type Settings struct {
	Serial string `mapstructure:"serial"`
	// Display is one of the phone's displays, by either id; empty: its own.
	Display string `mapstructure:"display"`
	Game    string `mapstructure:"game"`
	// Profile is a calibration's name or file; empty: the one that fits; "none": none.
	Profile string `mapstructure:"profile"`
	Journal string `mapstructure:"journal"` // a file; empty: the usual one
	// Touch is the only way to touch that is used; empty: the best that the phone takes.
	Touch string `mapstructure:"touch"`
	// Capture is the only way to look at the screen that is used; empty: the best.
	Capture string `mapstructure:"capture"`
	// Profiles is the folder of the user's calibrations; empty: the usual one.
	Profiles string `mapstructure:"profiles"`
	ADB      struct {
		Host    string        `mapstructure:"host"`
		Port    int           `mapstructure:"port"`
		Timeout time.Duration `mapstructure:"timeout"`
	} `mapstructure:"adb"`
	Play struct {
		calibration.Timing `mapstructure:",squash"`
		Evidence           string `mapstructure:"evidence"` // a folder; empty: the usual one
	} `mapstructure:"play"`
	Tell tell.Settings `mapstructure:"tell"`
}

// Configuration is the settings in force, with where each came from.
type Configuration struct {
	Settings
	Origins []Setting // sorted by key
	// Unusable is why the environment names no usable adb server; nil if it names one, or does
	// not matter. Commands that use no server ignore it.
	Unusable error
}

// Flag is a flag that was given on the command line.
type Flag struct {
	Name, Value string
}

// File finds the configuration file to read: the one asked for or, if that is
// empty, the user's. Empty means that there is none.
func File(asked string) (string, error) {
	if asked != "" {
		return asked, nil
	}
	folder, err := places.Config()
	if err != nil {
		return "", nil // without a home there is nothing to read
	}
	file := filepath.Join(folder, "config.yaml")
	if _, err := os.Stat(file); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return "", nil
		}
		return "", cause.Inputf("configuration: %w", err)
	}
	return file, nil
}

// environment is the name of the variable that sets a key.
func environment(key string) string { return prefix + "_" + strings.ToUpper(separators().Replace(key)) }

const prefix = "TAPWISE"

func separators() *strings.Replacer { return strings.NewReplacer(".", "_", "-", "_") }

// Read reads the configuration. File is empty when there is none; flags are those that were
// given, by the key that each sets. Its error joins all mistakes; the settings that come with
// it have the defaults in place of wrong values.
func Read(file string, flags map[string]Flag) (Configuration, error) {
	var c Configuration
	v := viper.New()
	v.SetConfigType("yaml")
	if err := v.ReadConfig(bytes.NewReader(configs.Default)); err != nil {
		return c, fmt.Errorf("the built-in configuration: %w", err)
	}
	defaults := map[string]string{}
	for _, key := range v.AllKeys() {
		defaults[key] = v.GetString(key)
	}
	keys := slices.Sorted(maps.Keys(defaults))
	lines, wrong := merge(v, file, keys)
	for key, value := range defaults {
		if v.Get(key) == nil { // the file has the key without a value
			v.SetDefault(key, value)
			delete(lines, key)
		}
	}
	v.SetEnvPrefix(prefix)
	v.SetEnvKeyReplacer(separators())
	v.AutomaticEnv()
	for key, flag := range flags {
		v.Set(key, flag.Value)
	}
	var foreign map[string]borrowed
	foreign, c.Unusable = fromADB(func(key string) bool { return flags[key].Name != "" || os.Getenv(environment(key)) != "" })
	for key, b := range foreign {
		v.Set(key, b.value)
	}
	for _, key := range keys {
		s := Setting{Key: key, Value: v.GetString(key), kind: kindOf(defaults[key])}
		s.From, s.Line = origin(key, flags, foreign, file, lines)
		if err := s.check(); err != nil {
			wrong = append(wrong, err)
			v.Set(key, defaults[key])
		}
		c.Origins = append(c.Origins, s)
	}
	if err := v.UnmarshalExact(&c.Settings, viper.DecodeHook(mapstructure.StringToTimeDurationHookFunc())); err != nil {
		wrong = append(wrong, err)
	}
	wrong = append(wrong, c.checkRanges()...)
	for i, err := range wrong {
		wrong[i] = cause.Inputf("configuration: %w", err)
	}
	return c, errors.Join(wrong...)
}

// All are the errors that a joined one joins, or the error alone; none for nil.
func All(err error) (all []error) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || reflect.TypeOf(err) != reflect.TypeOf(errors.Join(err)) {
		if err != nil {
			all = append(all, err)
		}
		return all
	}
	for _, each := range joined.Unwrap() {
		all = append(all, All(each)...)
	}
	return all
}

// merge adds a configuration file to the defaults and gives the line of each key
// in it. The file is a regular one or a link to one, which home folders that are
// kept elsewhere have.
func merge(v *viper.Viper, file string, known []string) (lines map[string]int, wrong []error) {
	if file == "" {
		return nil, nil
	}
	text, err := boundedfile.Read(file, boundedyaml.MaxBytes)
	if err != nil {
		return nil, []error{err}
	}
	values, lines, err := readFile(file, text, known)
	wrong = All(err)
	if err := v.MergeConfigMap(values); err != nil {
		wrong = append(wrong, err)
	}
	return lines, wrong
}

// origin tells where the value of a key came from, and on which line of the file.
func origin(key string, flags map[string]Flag, foreign map[string]borrowed, file string, lines map[string]int) (from string, line int) {
	flag, given := flags[key]
	switch variable := environment(key); {
	case given:
		return "flag --" + flag.Name, 0
	case os.Getenv(variable) != "":
		return "environment " + variable, 0
	case foreign[key].variable != "":
		return "environment " + foreign[key].variable, 0
	case lines[key] > 0:
		return file, lines[key]
	}
	return "default", 0
}

// checkRanges finds values that make no sense.
func (c Configuration) checkRanges() (found []error) {
	wrong := func(key, expected string) { found = append(found, c.Origin(key).wrong(expected)) }
	for _, err := range All(c.Play.Validate()) {
		var timing *calibration.TimingError
		if errors.As(err, &timing) {
			wrong("play."+timing.Name, fmt.Sprintf("%v to %v", timing.Least, timing.Most))
		}
	}
	for key, expected := range c.Tell.Validate() {
		wrong("tell."+key, expected)
	}
	if c.ADB.Port < 0 || c.ADB.Port > 65535 {
		wrong("adb.port", "0 to 65535")
	}
	if !slices.Contains(choices("touch"), c.Touch) {
		wrong("touch", "one of "+strings.Join(hand.Ways(), ", ")+" or "+hand.Input+", or nothing for the best that the phone takes")
	}
	if !slices.Contains(choices("capture"), c.Capture) {
		wrong("capture", "one of "+strings.Join(adb.Captures(), ", ")+", or nothing for the best")
	}
	if c.ADB.Timeout <= 0 {
		wrong("adb.timeout", "more than 0s")
	}
	return found
}

// Origin is the setting of a key, with where it came from.
func (c Configuration) Origin(key string) Setting {
	for _, s := range c.Origins {
		if s.Key == key {
			return s
		}
	}
	return Setting{Key: key}
}
