package settings

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"tapwise/calibration"
)

// readFile reads a configuration file: the known keys, each once and with a single value,
// which is not checked, as maps within maps, and the line of each. As in viper, keys are
// compared in lower case and may be written joined by '.'. The error is all that is wrong;
// what is right comes with it.
func readFile(file string, text []byte, known []string) (values map[string]any, lines map[string]int, err error) {
	r := fileReader{file: file, known: known, lines: map[string]int{}, values: map[string]any{}}
	document, err := calibration.ParseYAML(file, text)
	if err == nil && document != nil {
		r.mapping("", document)
		err = errors.Join(r.found...)
	}
	return r.values, r.lines, err
}

// fileReader reads one configuration file.
type fileReader struct {
	file   string
	known  []string
	lines  map[string]int
	values map[string]any
	found  []error // that are wrong
}

func (r *fileReader) wrong(at *yaml.Node, format string, a ...any) {
	r.found = append(r.found, &calibration.FileError{File: r.file, Line: at.Line, Reason: fmt.Sprintf(format, a...)})
}

// mapping reads the keys and values below a path, which is empty for the file.
func (r *fileReader) mapping(path string, node *yaml.Node) {
	if node.Kind == yaml.ScalarNode && node.Tag == "!!null" {
		return // all of it is commented out
	}
	if node.Kind != yaml.MappingNode {
		r.wrong(node, "%s is %q, expected keys and values", cmp.Or(path, "the file"), cmp.Or(node.Value, "a list"))
		return
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
		switch {
		case r.lines[name] > 0:
			r.wrong(key, "%s is given twice, first in line %d", name, r.lines[name])
			continue
		case key.Kind == yaml.ScalarNode && slices.ContainsFunc(r.known, within):
			r.mapping(name, value)
		case key.Kind != yaml.ScalarNode || !slices.Contains(r.known, name):
			r.wrong(key, "unknown key %q, expected one of %s", name, strings.Join(r.known, ", "))
			continue
		default:
			r.value(name, value)
		}
		r.lines[name] = key.Line
	}
}

// value keeps the value of a key, in the maps that the key's parts name.
func (r *fileReader) value(name string, node *yaml.Node) {
	var value any
	if node.Kind != yaml.ScalarNode || node.Decode(&value) != nil {
		r.wrong(node, "%s is a list or a mapping, expected a single value", name)
		return
	}
	parts := strings.Split(name, ".")
	in := r.values
	for _, part := range parts[:len(parts)-1] {
		if in[part] == nil {
			in[part] = map[string]any{}
		}
		in = in[part].(map[string]any) // no known key begins with another
	}
	in[parts[len(parts)-1]] = value
}
