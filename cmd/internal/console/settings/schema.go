package settings

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"tapwise/adb"
	"tapwise/adb/hand"
	"tapwise/cmd/internal/console/tell"
	"tapwise/configs"
)

// Schema is the JSON Schema (draft 2020-12) of the configuration file, for editors: made of the
// defaults, whose comments describe the keys.
func Schema() ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(configs.Default, &document); err != nil {
		return nil, fmt.Errorf("the built-in configuration: %w", err)
	}
	all := schemaOf(document.Content[0], "")
	all["$schema"], all["title"] = "https://json-schema.org/draft/2020-12/schema", "tapwise's configuration"
	return json.MarshalIndent(all, "", "  ")
}

// choices are the values of settings that take one of a few, or nothing.
func choices(key string) []string {
	switch key {
	case "touch":
		return append(hand.Ways(), hand.Input, "")
	case "capture":
		return append(adb.Captures(), "")
	case "tell.form":
		return []string{tell.JSON, tell.Ntfy}
	}
	return nil
}

// schemaOf is the schema of the values below a path.
func schemaOf(node *yaml.Node, path string) map[string]any {
	properties := map[string]any{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		name := path + key.Value
		var s map[string]any
		if value.Kind == yaml.MappingNode {
			s = schemaOf(value, name+".")
		} else {
			s = kindOf(value.Value).schema()
			var byDefault any
			if value.Decode(&byDefault) == nil {
				s["default"] = byDefault
			}
			if few := choices(name); few != nil {
				s["enum"] = few
			}
		}
		// The first comment begins with one about the whole file.
		comment := strings.ReplaceAll(key.HeadComment[strings.LastIndex(key.HeadComment, "\n\n")+1:], "# ", "")
		if text := strings.Join(strings.Fields(comment), " "); text != "" {
			s["description"] = text
		}
		properties[key.Value] = s
	}
	return map[string]any{"type": []string{"object", "null"}, "additionalProperties": false, "properties": properties}
}

// schema is that of values of a kind.
func (k kind) schema() map[string]any {
	switch k {
	case wholeNumber:
		return map[string]any{"type": "integer"}
	case duration:
		return map[string]any{"type": "string", "pattern": `^(0|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$`}
	case yesOrNo:
		return map[string]any{"type": "boolean"}
	}
	return map[string]any{"type": "string"}
}
