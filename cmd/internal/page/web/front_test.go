package web

import (
	"embed"
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tapwise/cmd/internal/console/pages"
	"tapwise/solvers/all"
)

// front returns the files of the front end that are our own, with the games' drawings.
func front(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, from := range []embed.FS{static, pages.Files} {
		err := fs.WalkDir(from, ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.HasPrefix(path, "vendored/") {
				var data []byte
				data, err = from.ReadFile(path)
				files[strings.TrimPrefix(path, "static/")] = string(data)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, g := range all.Games() {
		if page := g.About().Page; page != "" {
			files[strings.TrimPrefix(boardPath, "/")+g.Name()+".js"] = page
		}
	}
	return files
}

func TestFrontEndIsSmallAndAlone(t *testing.T) {
	const most = 200_000
	size := 0
	address := regexp.MustCompile(`(?i)(https?:)?//[a-z0-9.-]+\.[a-z]{2,}`)
	inline := regexp.MustCompile(`(?i)<script(?: [^>]*)?>[^<]|<style|\son[a-z]+\s*=\s*["']|\sstyle\s*=|javascript:`)
	for name, text := range front(t) {
		size += len(text)
		for _, found := range address.FindAllString(text, -1) {
			if found != "http://www.w3.org" { // SVG's name, which nobody fetches
				t.Errorf("%s speaks of %s, expected no address outside of the page", name, found)
			}
		}
		if strings.HasSuffix(name, ".html") {
			if found := inline.FindString(text); found != "" {
				t.Errorf("%s has %q, which the policy forbids", name, found)
			}
		}
		for _, forbidden := range []string{"eval(", "new Function", "innerHTML", "outerHTML =", "insertAdjacentHTML", "document.write"} {
			if strings.Contains(text, forbidden) {
				t.Errorf("%s uses %s", name, forbidden)
			}
		}
	}
	if size > most {
		t.Errorf("the front end has %d bytes, expected at most %d", size, most)
	}
	t.Logf("the front end has %d bytes", size)
}

// TestModulesAreThere follows the imports of the modules.
func TestModulesAreThere(t *testing.T) {
	files := front(t)
	found := map[string]bool{"index.html": true, "style.css": true, "icon.svg": true, "app.js": true}
	imports := regexp.MustCompile(`(?:from |import\()'\.?/([a-z]+\.js)'`)
	for name, text := range files {
		for _, m := range imports.FindAllStringSubmatch(text, -1) {
			if _, err := pages.Files.ReadFile("vendored/" + m[1]); err != nil && files[m[1]] == "" {
				t.Errorf("%s imports %s, which is not there", name, m[1])
			}
			found[m[1]] = true
		}
	}
	for name := range files {
		if !found[name] && !strings.HasPrefix("/"+name, boardPath) {
			t.Errorf("%s is used by nothing", name)
		}
	}
}

// TestLabels expects a name for every control and every view.
func TestLabels(t *testing.T) {
	html := front(t)["index.html"]
	for _, want := range []string{`<html lang="en">`, `name="viewport"`, `<title>`, `aria-label="Views"`} {
		if !strings.Contains(html, want) {
			t.Errorf("index.html lacks %s", want)
		}
	}
	control := regexp.MustCompile(`<(input|select|textarea|button)[^>]*>`)
	for _, at := range control.FindAllStringIndex(html, -1) {
		tag := html[at[0]:at[1]]
		before := html[:at[0]]
		labelled := strings.LastIndex(before, "<label") > strings.LastIndex(before, "</label")
		if strings.HasPrefix(tag, "<button") {
			text, _, _ := strings.Cut(html[at[1]:], "</button>")
			labelled = strings.TrimSpace(text) != ""
		}
		if !labelled && !strings.Contains(tag, "aria-label") {
			t.Errorf("%s has no label", tag)
		}
	}
	for _, m := range regexp.MustCompile(`<template id="(\w+)">\s*<(\w+)`).FindAllStringSubmatch(html, -1) {
		if m[2] != "h1" && m[1] != "phone" {
			t.Errorf("view %s begins with <%s>, expected its heading", m[1], m[2])
		}
	}
}

// TestContrast computes the contrast of each pair of text and ground colours, light
// and dark, as WCAG does: at least 4.5, and at least 3 for marks of a boundary.
func TestContrast(t *testing.T) {
	css := front(t)["style.css"]
	light, rest, ok := strings.Cut(css, "@media (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("style.css has no dark colours")
	}
	dark, _, _ := strings.Cut(rest, "}\n}")
	property := regexp.MustCompile(`--([a-z-]+):\s*#([0-9a-f]{6});`)
	colours := func(text string) map[string]string {
		found := map[string]string{}
		for _, m := range property.FindAllStringSubmatch(text, -1) {
			found[m[1]] = m[2]
		}
		return found
	}
	pairs := []struct {
		ink, ground string
		least       float64
	}{
		{"ink", "ground", 4.5}, {"ink", "panel", 4.5}, {"ink", "field", 4.5}, {"soft", "ground", 4.5}, {"soft", "panel", 4.5}, {"soft", "field", 4.5},
		{"accent-ink", "accent", 4.5}, {"good", "ground", 4.5}, {"good", "panel", 4.5}, {"bad", "ground", 4.5}, {"bad", "panel", 4.5},
		{"accent", "ground", 3}, {"accent", "panel", 3}, {"accent", "board", 3}, {"edge", "field", 3}, {"edge", "panel", 3}, {"ink", "board", 4.5},
	}
	for name, theme := range map[string]map[string]string{"light": colours(light), "dark": colours(dark)} {
		for _, p := range pairs {
			a, b := theme[p.ink], theme[p.ground]
			if a == "" || b == "" {
				t.Errorf("%s: --%s is %q and --%s is %q, expected colours", name, p.ink, a, p.ground, b)
				continue
			}
			if got := contrast(a, b); got < p.least {
				t.Errorf("%s: --%s on --%s has a contrast of %.2f, expected %.1f", name, p.ink, p.ground, got, p.least)
			}
		}
	}
	if !strings.Contains(css, "prefers-reduced-motion") {
		t.Error("style.css does not honour prefers-reduced-motion")
	}
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(hex string) float64 {
	v, _ := strconv.ParseUint(hex, 16, 32) // the pattern matched only such numbers
	channel := func(shift uint) float64 {
		c := float64(v>>shift&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}

func TestContrastOfKnownColours(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want string
	}{{"000000", "ffffff", "21.00"}, {"ffffff", "ffffff", "1.00"}, {"777777", "ffffff", "4.48"}} {
		if got := fmt.Sprintf("%.2f", contrast(test.a, test.b)); got != test.want {
			t.Errorf("contrast of %s and %s: %s, expected %s", test.a, test.b, got, test.want)
		}
	}
}
