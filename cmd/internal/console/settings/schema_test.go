package settings_test

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"tapwise/cmd/internal/console/settings"
	"tapwise/configs"
)

// TestSchema has another program's validator judge configurations by the schema.
func TestSchema(t *testing.T) {
	text, err := settings.Schema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("tapwise.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("tapwise.json")
	if err != nil {
		t.Fatal(err)
	}
	for text, good := range map[string]bool{
		string(configs.Default):              true,
		"serial: R58M\nadb:\n  port: 5038\n": true,
		"play:\n  win-deadline: 1m30s\n":     true,
		"play:\n":                            true,
		"touch: motion\n":                    true,
		"tell:\n  desktop: true\n":           true,
		"serail: R58M\n":                     false,
		"adb:\n  port: many\n":               false,
		"play:\n  win-deadline: 8\n":         false,
		"play:\n  win-deadline: eight\n":     false,
		"touch: nose\n":                      false,
		"tell:\n  form: xml\n":               false,
		"tell:\n  desktop: perhaps\n":        false,
		"tell:\n  on-end: [paplay, a.wav]\n": false,
	} {
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != good {
			t.Errorf("%s: %v, expected it to be good: %v", text, err, good)
		}
	}
	properties := document.(map[string]any)["properties"].(map[string]any)
	for key, p := range properties {
		if p.(map[string]any)["description"] == nil && p.(map[string]any)["properties"] == nil {
			t.Errorf("%s has no description", key)
		}
	}
}
