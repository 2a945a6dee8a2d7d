package configs

import (
	"embed"
	"fmt"
	"strings"
)

// Default is the configuration in force where no file, environment variable or
// flag says otherwise, in YAML.
//
//go:embed default.yaml
var Default []byte

//go:embed themes
var themes embed.FS

// Theme is a look for simulated apps that comes with tapwise, in YAML.
func Theme(name string) ([]byte, error) {
	text, err := themes.ReadFile("themes/" + name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("configs: no theme %q comes with tapwise, expected one of %v", name, Themes())
	}
	return text, nil
}

// Themes are the names of the themes that come with tapwise.
func Themes() []string {
	entries, err := themes.ReadDir("themes")
	if err != nil {
		return nil // the folder is embedded
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

//go:embed profiles
var profiles embed.FS

// File is a file that comes with tapwise.
type File struct {
	Name string
	Text []byte
}

// Profiles are the calibrations that come with tapwise, in YAML.
func Profiles() ([]File, error) {
	entries, err := profiles.ReadDir("profiles")
	if err != nil {
		return nil, fmt.Errorf("configs: %w", err)
	}
	var files []File
	for _, e := range entries {
		text, err := profiles.ReadFile("profiles/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("configs: %w", err)
		}
		files = append(files, File{e.Name(), text})
	}
	return files, nil
}
