// Package boundedyaml reads YAML that comes from elsewhere: configuration, profiles, themes.
// Such files are flat, and programs that process them get slow with depth: on 9,000 levels,
// which the YAML library allows, viper takes longer than anybody waits.
package boundedyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	// MaxBytes bounds the text; the largest profile has a hundredth of that.
	MaxBytes = 1 << 20
	// maxDepth bounds the depth of values; a profile has 5 levels.
	maxDepth = 32
	// maxValues bounds the number of keys and values with every alias expanded; the
	// largest profile has a thousand. Viper's time grows with the square of this
	// number.
	maxValues = 1 << 12
)

// Parse reads the one document in a text. The node is nil when the text has none.
// Size and nesting are bounded, with aliases expanded. Errors come from the YAML
// parser or name the bound.
func Parse(text []byte) (*yaml.Node, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("larger than %d KiB", MaxBytes>>10)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one document, expected one")
	}
	if len(document.Content) != 1 {
		return nil, nil
	}
	m := measurer{known: map[*yaml.Node]extent{}}
	if _, err := m.measure(document.Content[0], 1); err != nil {
		return nil, err
	}
	return document.Content[0], nil
}

// extent is the size of a node with its aliases expanded.
type extent struct {
	depth  int // number of levels in it; 0 while it is being measured
	values int
}

// measurer measures each node once, however often aliases name it.
type measurer struct{ known map[*yaml.Node]extent }

// measure measures a node at the given level, counted from 1.
func (m *measurer) measure(node *yaml.Node, level int) (extent, error) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	e, known := m.known[node]
	switch {
	case known && e.depth == 0:
		return e, fmt.Errorf("line %d: a value that contains itself", node.Line)
	case level+max(0, e.depth-1) > maxDepth:
		return e, fmt.Errorf("line %d: values nested deeper than %d levels", node.Line, maxDepth)
	case known:
		return e, nil
	}
	m.known[node] = extent{}
	e = extent{depth: 1, values: 1}
	for _, part := range node.Content {
		in, err := m.measure(part, level+1)
		if err != nil {
			return e, err
		}
		e.depth = max(e.depth, in.depth+1)
		if e.values += in.values; e.values > maxValues {
			return e, fmt.Errorf("line %d: more than %d values with aliases expanded", node.Line, maxValues)
		}
	}
	m.known[node] = e
	return e, nil
}
