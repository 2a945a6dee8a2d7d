package licences

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var write = flag.Bool("write-licences", false, "TestText writes licences.txt")

// licenceFile matches the names of files that have to be passed on.
var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice|patents)`)

// TestText wants the text to have each licence of each module in the program, also of its
// parts that have one of their own, and no other.
func TestText(t *testing.T) {
	want := made(t)
	if *write {
		if err := os.WriteFile("licences.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if Text != want {
		t.Error("licences.txt is not what the modules in the program say: run make licences")
	}
	for _, part := range []string{"MIT License", "Apache License\n                           Version 2.0", "Redistributions in binary form", "modernc.org/sqlite v", "gocv.io/x/gocv v", "OpenCV", "The Go standard library", "SQLite", "Patents"} {
		if !strings.Contains(Text, part) {
			t.Errorf("licences.txt has no %q", part)
		}
	}
}

// made is the text for the modules that are linked now.
func made(t *testing.T) string {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "../../../tapwise")
	said, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	users := map[string][]string{} // of each text
	licensed := map[string]bool{}
	for line := range strings.Lines(string(said)) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		module, root := fields[0], fields[1]
		for folder := fields[2]; ; folder = filepath.Dir(folder) {
			for _, text := range textsIn(t, folder) {
				name := module
				if folder != root {
					name += ", in " + strings.TrimPrefix(folder, root+"/")
				}
				licensed[module] = true
				if !slices.Contains(users[text], name) {
					users[text] = append(users[text], name)
				}
			}
			if folder == root {
				break
			}
		}
		if !licensed[module] {
			t.Errorf("%s has no licence", module)
		}
	}
	for _, name := range []string{"htm", "preact", "uplot"} { // files of the page's
		for _, text := range textsIn(t, filepath.Join("..", "pages", "vendored", name)) {
			users[text] = append(users[text], name+", which the page uses")
		}
	}
	for text, names := range users {
		for _, name := range names {
			switch module, _, _ := strings.Cut(name, " "); {
			case module == "golang.org/x/sys":
				users[text] = append(users[text], "The Go standard library and its runtime")
			case module == "golang.org/x/image" && !strings.Contains(text, "Patent"):
				users[text] = append(users[text], "The Go fonts, Copyright (c) 2016 Bigelow & Holmes Inc.")
			case module == "github.com/nats-io/nats.go":
				users[text] = append(users[text], "OpenCV, whose headers are compiled into the program and whose libraries it loads")
			}
		}
	}
	own, err := os.ReadFile("../../../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	out := "tapwise is under this licence:\n\n" + tidy(own) + "\nIt contains works of others, under the licences below. SQLite, which modernc.org/sqlite\ntranslates, is in the public domain.\n"
	texts := make([]string, 0, len(users))
	for text := range users {
		slices.Sort(users[text])
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(strings.Compare(users[a][0], users[b][0]), strings.Compare(a, b)) })
	for _, text := range texts {
		out += fmt.Sprintf("\n%s\n%s\n\n%s", strings.Repeat("=", 80), strings.Join(users[text], "\n"), text)
	}
	return out
}

// textsIn are the texts of a folder's licences.
func textsIn(t *testing.T, folder string) (texts []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if ending := filepath.Ext(entry.Name()); entry.Type().IsRegular() && licenceFile.MatchString(entry.Name()) && ending != ".go" && ending != ".c" && ending != ".h" {
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, tidy(text))
		}
	}
	return texts
}

// tidy has texts that differ only in blanks at the ends of lines be one.
func tidy(text []byte) string {
	lines := strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n") + "\n"
}
