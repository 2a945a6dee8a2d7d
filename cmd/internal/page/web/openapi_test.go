package web

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/openapi3gen"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

var updateAPI = flag.Bool("update", false, "write openapi.json as the code has it; with other requests or answers than before, raise apiVersion")

// apiVersion is that of what is asked and answered. It changes with openapi.json.
const apiVersion = "2"

// exchange is a request and its answer, by example: of types, with nil for none.
type exchange struct {
	does         string
	body, answer any
}

type (
	touches struct {
		Touches []touch `json:"touches"`
	}
	gameName struct {
		Game string `json:"game"`
	}
	faultName struct {
		Fault string `json:"fault"`
	}
	fileName struct {
		File string `json:"file"`
	}
	runName struct {
		Run string `json:"run"`
	}
	nothing struct{}
	drained struct {
		Worker string `json:"worker"`
		Serial string `json:"serial"`
		Off    bool   `json:"off"`
	}
	failure struct {
		Error string `json:"error"`
	}
)

// exchanges are those of the page, by pattern.
func exchanges() map[string]exchange {
	return map[string]exchange{
		"GET /api/games":                    {"the games, with their notations and examples", nil, []gameInfo{}},
		"POST /api/parse":                   {"read a puzzle", puzzleRequest{}, puzzleAnswer{}},
		"POST /api/solve":                   {"solve a puzzle", puzzleRequest{}, puzzleAnswer{}},
		"POST /api/generate":                {"make a puzzle", generateRequest{}, puzzleAnswer{}},
		"POST /api/hint":                    {"tell a step of a solution", hintRequest{}, hintAnswer{}},
		"POST /api/play":                    {"play a puzzle from its beginning", playRequest{}, playAnswer{}},
		"POST /api/phones/{serial}/start":   {"play levels", startRequest{}, done{}},
		"POST /api/phones/{serial}/pause":   {"pause before the next stroke", nil, done{}},
		"POST /api/phones/{serial}/resume":  {"go on", nil, done{}},
		"POST /api/phones/{serial}/stop":    {"end what is played", nil, done{}},
		"POST /api/phones/{serial}/game":    {"choose the game to look for", gameName{}, done{}},
		"POST /api/phones/{serial}/wake":    {"wake the phone", nil, done{}},
		"POST /api/phones/{serial}/look":    {"look at the phone again", nil, done{}},
		"POST /api/phones/{serial}/fault":   {"give a simulated phone a fault", faultName{}, done{}},
		"POST /api/phones/{serial}/touch":   {"touch a simulated phone", touches{}, done{}},
		"POST /api/server":                  {"start the adb server", nil, done{}},
		"POST /api/demo":                    {"start the simulated phones", nil, done{}},
		"POST /api/phones/{serial}/picture": {"capture a picture to calibrate on", nil, pictureAnswer{}},
		"GET /api/history":                  {"what was played", nil, []Attempt{}},
		"GET /api/history/{id}":             {"an attempt, with its evidence", nil, attemptAnswer{}},
		"GET /api/fleet":                    {"what the fleet does", nil, FleetState{}},
		"POST /api/fleet/runs":              {"order a run of the fleet", fleetOrder{}, runName{}},
		"POST /api/fleet/runs/{run}/cancel": {"cancel a run of the fleet", nothing{}, nothing{}},
		"POST /api/fleet/drain":             {"give phones no more jobs", drained{}, nothing{}},
		"POST /api/pictures":                {"keep a picture to calibrate on", nil, pictureAnswer{}},
		"POST /api/pictures/{id}/read":      {"read a picture as a draft says", draftRequest{}, sightAnswer{}},
		"POST /api/pictures/{id}/save":      {"write a profile", draftRequest{}, fileName{}},
		"POST /api/pictures/{id}/puzzle":    {"find the puzzle on a picture", nil, puzzleAnswer{}},
	}
}

// described is the page's own API as the code has it.
func described(t *testing.T) *openapi3.T {
	t.Helper()
	doc := &openapi3.T{OpenAPI: "3.0.3", Info: &openapi3.Info{
		Title: "tapwise's page", Version: apiVersion,
		Description: "What the page of `tapwise serve` asks and is answered. It is for this page: it may change with any version, and its own version with it.",
	}, Paths: openapi3.NewPaths()}
	doc.Components = &openapi3.Components{Schemas: openapi3.Schemas{}}
	generator := openapi3gen.NewGenerator(openapi3gen.SchemaCustomizer(exactly), openapi3gen.CreateComponentSchemas(openapi3gen.ExportComponentSchemasOptions{ExportComponentSchemas: true}))
	of := func(value any) *openapi3.Content {
		schema, err := generator.NewSchemaRefForValue(value, doc.Components.Schemas)
		if err != nil {
			t.Fatal(err)
		}
		content := openapi3.NewContentWithJSONSchemaRef(schema)
		return &content
	}
	parameter := regexp.MustCompile(`\{(\w+)\}`)
	all := exchanges()
	for _, pattern := range slices.Sorted(maps.Keys(all)) {
		e := all[pattern]
		method, path, _ := strings.Cut(pattern, " ")
		op := &openapi3.Operation{Summary: e.does, OperationID: strings.ToLower(method) + strings.NewReplacer("/", "-", "{", "", "}", "").Replace(path), Responses: &openapi3.Responses{}}
		op.AddResponse(200, openapi3.NewResponse().WithDescription("done").WithContent(*of(e.answer)))
		op.AddResponse(0, openapi3.NewResponse().WithDescription("refused: why").WithContent(*of(failure{})))
		if e.body != nil {
			op.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).WithContent(*of(e.body))}
		}
		for _, m := range parameter.FindAllStringSubmatch(path, -1) {
			op.AddParameter(openapi3.NewPathParameter(m[1]).WithSchema(openapi3.NewStringSchema()))
		}
		doc.AddOperation(path, method, op)
	}
	return doc
}

// exactly has the schema of a struct demand the fields that it always has, and no others.
func exactly(_ string, t reflect.Type, _ reflect.StructTag, schema *openapi3.Schema) error {
	if t.Kind() != reflect.Struct {
		return nil
	}
	schema.AdditionalProperties = openapi3.AdditionalProperties{Has: openapi3.Ptr(false)}
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "" && name != "-" && !strings.Contains(options, "omit") {
			schema.Required = append(schema.Required, name)
		}
	}
	return nil
}

// written is a document, a line for each of its paths and schemas.
func written(t *testing.T, doc *openapi3.T) []byte {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		OpenAPI    string          `json:"openapi"`
		Info       json.RawMessage `json:"info"`
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
		Paths map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	list := func(of map[string]json.RawMessage) string {
		var lines []string
		for _, name := range slices.Sorted(maps.Keys(of)) {
			lines = append(lines, fmt.Sprintf("%q:%s", name, of[name]))
		}
		return "{\n" + strings.Join(lines, ",\n") + "\n}"
	}
	return fmt.Appendf(nil, "{\"openapi\":%q,\"info\":%s,\n\"components\":{\"schemas\":%s},\n\"paths\":%s}\n", all.OpenAPI, all.Info, list(all.Components.Schemas), list(all.Paths))
}

// TestOpenAPI wants openapi.json to be what the code asks and answers, every request to be in it, and
// answers to be as it says, by another program's validator.
func TestOpenAPI(t *testing.T) {
	doc := described(t)
	text := written(t, doc)
	if *updateAPI {
		if err := os.WriteFile("openapi.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(text, openAPI) {
		t.Fatal("openapi.json is not what the code asks and answers: raise apiVersion, and go test ./cmd/internal/page/web -run TestOpenAPI -update")
	}
	loaded, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := loaded.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := &Server{}
	var patterns, told []string
	for p := range s.api() {
		patterns = append(patterns, p)
	}
	for p := range exchanges() {
		told = append(told, p)
	}
	slices.Sort(patterns)
	slices.Sort(told)
	if !slices.Equal(patterns, told) {
		t.Errorf("the page answers %q, and openapi.json has %q", patterns, told)
	}
	router, err := gorillamux.NewRouter(loaded)
	if err != nil {
		t.Fatal(err)
	}
	page, _ := start(t, config())
	const board = `{"game":"flow","text":"A.\nA.","limit":0}`
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", "/api/games", "", 200},
		{"POST", "/api/parse", board, 200},
		{"POST", "/api/solve", board, 200},
		{"POST", "/api/hint", `{"game":"flow","text":"A.\nA.","limit":0,"told":[]}`, 200},
		{"POST", "/api/generate", `{"game":"flow","rows":4,"cols":4,"colours":0,"variant":"","seed":1}`, 200},
		{"POST", "/api/solve", `{"game":"chess","text":"","limit":0}`, 400},
		{"GET", "/api/history", "", 200},
		{"GET", "/api/history/7", "", 404},
		{"GET", "/api/fleet", "", 404},
		{"POST", "/api/phones/none/stop", "", 404},
	} {
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
		r.Host = "127.0.0.1"
		if c.body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		w := httptest.NewRecorder()
		page.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s %s: %d %.200s, expected %d", c.method, c.path, w.Code, w.Body, c.status)
			continue
		}
		r.URL.Scheme, r.URL.Host = "", ""
		route, parameters, err := router.FindRoute(r)
		if err != nil {
			t.Fatal(err)
		}
		input := &openapi3filter.ResponseValidationInput{
			RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: parameters, Route: route},
			Status:                 w.Code, Header: w.Header(),
			Options: &openapi3filter.Options{ExcludeRequestBody: true},
		}
		input.SetBodyBytes(w.Body.Bytes())
		if err := openapi3filter.ValidateResponse(context.Background(), input); err != nil {
			t.Errorf("%s %s is not answered as openapi.json says: %v", c.method, c.path, err)
		}
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/api/openapi.json", nil)
	r.Host = "127.0.0.1"
	if page.ServeHTTP(w, r); w.Code != 200 || !bytes.Equal(w.Body.Bytes(), openAPI) && !*updateAPI {
		t.Errorf("/api/openapi.json: %d", w.Code)
	}
}
