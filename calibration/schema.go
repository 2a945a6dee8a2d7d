package calibration

import (
	"encoding/json"

	"go.yaml.in/yaml/v3"
)

// schema is a part of a JSON Schema.
type schema map[string]any

// Schema is the JSON Schema (draft 2020-12) of a profile's file, for editors. The readers of the
// file tell it: each of its keys, and the values that it takes.
func Schema() ([]byte, error) {
	r := &profileReader{profile: &Profile{}, telling: true}
	_ = r.read(nil) // there is no file that could be wrong
	all := r.told
	all["$schema"], all["title"] = "https://json-schema.org/draft/2020-12/schema", "a profile of tapwise"
	return json.MarshalIndent(all, "", "  ")
}

// tells reports whether what a reader expects is asked for, and tells it.
func (r *profileReader) tells(s schema) bool {
	if r.telling {
		r.told = s
	}
	return r.telling
}

// of is what a reader expects.
func (r *profileReader) of(read func(*yaml.Node) error) schema {
	r.told = nil
	_ = read(nil)
	return r.told
}

// several is a list of some things alike.
func several(items schema, least, most int) schema {
	return schema{"type": "array", "items": items, "minItems": least, "maxItems": most}
}
