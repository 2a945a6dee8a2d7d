package calibration_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"tapwise/calibration"
)

// TestSchema has another program's validator judge profiles by the schema.
func TestSchema(t *testing.T) {
	text, err := calibration.Schema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("profile.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("profile.json")
	if err != nil {
		t.Fatal(err)
	}
	good := func(text string) bool {
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		return schema.Validate(value) == nil
	}
	files, err := filepath.Glob("../configs/profiles/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d profiles, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !good(string(text)) {
			t.Errorf("%s is not by the schema: %v", file, string(text))
		}
	}
	const least = "version: 1\ngame: flow\nphone:\n  frame: 1080x2340\n"
	for _, more := range []string{
		"", "settle: 80ms\n", "cover: false\n", "buttons:\n  next: [0.5, 0.8]\n", "reading: signs\nalike:\n  - [\"#000000\", \"#ffffff\"]\n",
		"touch:\n  - {rotation: 0, offset: [0, 0], scale: [1, 1]}\n", "input: motion\n",
		"settel: 80ms\n", "settle: 80\n", "cover: perhaps\n", "buttons:\n  next: [0.5]\n", "alike:\n  - [\"#000000\", black]\n",
		"touch:\n  - {rotation: 5, offset: [0, 0], scale: [1, 1]}\n", "input: nose\n", "board: {left: 0}\n", "palette:\n  ground:\n    - {colour: \"#000000\"}\n",
	} {
		_, err := calibration.Parse("profile", []byte(least+more))
		if good(least+more) != (err == nil) {
			t.Errorf("%sis by the schema: %v, and read with %v", more, good(least+more), err)
		}
	}
	for _, missing := range []string{"version: 1\n", "game: flow\n", "phone:\n  frame: 1080x2340\n"} {
		if good(strings.Replace(least, missing, "", 1)) {
			t.Errorf("a profile without %sis by the schema", missing)
		}
	}
}
