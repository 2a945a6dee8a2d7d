package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"tapwise/calibration"
)

// setting is one value of the configuration in force.
type setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"`           // a flag, an environment variable, a file, or default
	Line  int    `json:"line,omitempty"` // of the file, from 1

	kind kind // that its value has to be of
}

// place is where a setting can be changed.
func (s setting) place() string {
	if s.Line > 0 {
		return fmt.Sprintf("%s:%d", s.From, s.Line)
	}
	return s.From
}

// wrong says where a setting stands that makes no sense, and what it is.
func (s setting) wrong(expected string) error {
	return badInputf("%s: %s is %q, expected %s", s.place(), s.Key, s.Value, expected)
}

// check wants a value of the setting's kind.
func (s setting) check() error {
	var err error
	switch s.kind {
	case wholeNumber:
		_, err = strconv.Atoi(s.Value)
	case duration:
		_, err = time.ParseDuration(s.Value)
	}
	if err != nil {
		return s.wrong(s.kind.String())
	}
	return nil
}

// kind is what a setting's value has to be.
type kind int

const (
	words kind = iota
	wholeNumber
	duration
)

func (k kind) String() string {
	return [...]string{"a text", "a whole number", "a time with its unit, such as 80ms or 15s"}[k]
}

// kindOf is the kind of a setting with that default.
func kindOf(value string) kind {
	if _, err := strconv.Atoi(value); err == nil {
		return wholeNumber
	}
	if _, err := time.ParseDuration(value); err == nil {
		return duration
	}
	return words
}

// configLines checks a configuration file and gives the line of each of its
// keys. It wants the keys that are known, each once, with a single value; what
// that is worth is not its business. Keys are compared in lower case, and may be
// written joined by '.', as viper has it.
func configLines(file string, text []byte, known []string) (map[string]int, error) {
	r := configReader{file: file, known: known, lines: map[string]int{}}
	document, err := calibration.ParseYAML(file, text)
	if err != nil || document == nil {
		return r.lines, err
	}
	return r.lines, r.mapping("", document)
}

// configReader reads one configuration file.
type configReader struct {
	file  string
	known []string
	lines map[string]int
}

func (r configReader) wrong(at *yaml.Node, format string, a ...any) error {
	return &calibration.FileError{File: r.file, Line: at.Line, Reason: fmt.Sprintf(format, a...)}
}

func (r configReader) mapping(path string, node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode && node.Tag == "!!null" {
		return nil // all of it is commented out
	}
	if node.Kind != yaml.MappingNode {
		return r.wrong(node, "%s is %q, expected keys and values", cmp.Or(path, "the file"), cmp.Or(node.Value, "a list"))
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		name := strings.ToLower(key.Value)
		if path != "" {
			name = path + "." + name
		}
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		within := func(k string) bool { return strings.HasPrefix(k, name+".") }
		var err error
		switch {
		case r.lines[name] > 0:
			err = r.wrong(key, "%s stands there twice, first in line %d", name, r.lines[name])
		case key.Kind == yaml.ScalarNode && slices.ContainsFunc(r.known, within):
			err = r.mapping(name, value)
		case key.Kind != yaml.ScalarNode || !slices.Contains(r.known, name):
			return r.wrong(key, "unknown key %q, expected one of %s", name, strings.Join(r.known, ", "))
		case value.Kind != yaml.ScalarNode:
			err = r.wrong(value, "%s is a list or a mapping, expected a single value", name)
		}
		if err != nil {
			return err
		}
		r.lines[name] = key.Line
	}
	return nil
}
