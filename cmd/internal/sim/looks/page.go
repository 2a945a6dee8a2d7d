package looks

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
)

//go:embed page.html
var page string

// HTML is the look as a page that can be played with a finger.
func (l Look) HTML() ([]byte, error) {
	t, err := template.New("page").Parse(page)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := t.Execute(&text, l); err != nil {
		return nil, fmt.Errorf("looks: seed %d: %w", l.Seed, err)
	}
	return text.Bytes(), nil
}

// Handler serves looks by their seeds: /17 is the look of seed 17, with three levels.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const levels = 3
		seed, err := strconv.ParseUint(strings.TrimPrefix(r.URL.Path, "/"), 10, 64)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		l, err := New(r.Context(), seed, levels)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		text, err := l.HTML()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(text) // a browser that has gone is no failure
	})
}
