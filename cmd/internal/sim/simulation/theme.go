package simulation

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"io"
	"time"

	"go.yaml.in/yaml/v3"

	"tapwise/calibration"
	"tapwise/configs/boundedyaml"
	simapp "tapwise/solvers/app"
)

// ReadTheme reads a theme of a simulated app; the name is the file's name, for
// messages. An unknown key or an invalid value is an error.
func ReadTheme(name string, text []byte) (*simapp.Theme, error) {
	var file struct {
		Background string        `yaml:"background"`
		Ground     string        `yaml:"ground"`
		Text       string        `yaml:"text"`
		Line       string        `yaml:"line"`
		LineWidth  float64       `yaml:"line-width"`
		Colours    []string      `yaml:"colours"`
		Mark       string        `yaml:"mark"`
		MarkRadius float64       `yaml:"mark-radius"`
		MarkInside float64       `yaml:"mark-inside"`
		PipeWidth  float64       `yaml:"pipe-width"`
		NextButton int           `yaml:"next-button"`
		Pulse      time.Duration `yaml:"pulse"`
	}
	if _, err := boundedyaml.Parse(text); err != nil {
		return nil, calibration.YAMLError(name, err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: an empty file, expected a theme", name)
		}
		return nil, calibration.YAMLError(name, err)
	}
	theme := &simapp.Theme{LineWidth: file.LineWidth, Mark: file.Mark, MarkRadius: file.MarkRadius, MarkInside: file.MarkInside, PipeWidth: file.PipeWidth, NextButton: file.NextButton, Pulse: file.Pulse}
	var err error
	colour := func(key, text string) color.NRGBA {
		var c color.NRGBA
		if err == nil {
			if c, err = parseColour(text); err != nil {
				err = fmt.Errorf("%s: %s: %w", name, key, err)
			}
		}
		return c
	}
	theme.Background, theme.Ground = colour("background", file.Background), colour("ground", file.Ground)
	theme.Text, theme.Line = colour("text", file.Text), colour("line", file.Line)
	for _, c := range file.Colours {
		theme.Colours = append(theme.Colours, colour("colours", c))
	}
	if err != nil {
		return nil, err
	}
	if err := theme.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return theme, nil
}

func parseColour(text string) (color.NRGBA, error) {
	var r, g, b uint8
	if n, err := fmt.Sscanf(text, "#%02x%02x%02x", &r, &g, &b); n != 3 || err != nil || len(text) != 7 {
		return color.NRGBA{}, fmt.Errorf("colour %q, expected one such as #1a2b3c", text)
	}
	return color.NRGBA{r, g, b, 255}, nil
}
