package settings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"tapwise/calibration"
)

// fileLines checks a configuration file and gives the line of each of its keys.
// It accepts the known keys, each once and with a single value, which is not
// checked. As in viper, keys are compared in lower case and may be written joined
// by '.'.
func fileLines(file string, text []byte, known []string) (map[string]int, error) {
	r := fileReader{file: file, known: known, lines: map[string]int{}}
	document, err := calibration.ParseYAML(file, text)
	if err != nil || document == nil {
		return r.lines, err
	}
	return r.lines, r.mapping("", document)
}

// fileReader reads one configuration file.
type fileReader struct {
	file  string
	known []string
	lines map[string]int
}

func (r fileReader) wrong(at *yaml.Node, format string, a ...any) error {
	return &calibration.FileError{File: r.file, Line: at.Line, Reason: fmt.Sprintf(format, a...)}
}

// mapping reads the keys and values below a path, which is empty for the file.
func (r fileReader) mapping(path string, node *yaml.Node) error {
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
			err = r.wrong(key, "%s is given twice, first in line %d", name, r.lines[name])
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
