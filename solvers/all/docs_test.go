package all_test

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the module's folder, seen from this package's.
const root = "../.."

var (
	markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	codeSpan     = regexp.MustCompile("`([^`\n]+)`")
	// sourcePath is what is meant as a file or folder of the project: a path
	// from the root, or from the page's folder.
	sourcePath = regexp.MustCompile(`^(\.\./)*[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+/?$`)
	heading    = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	makeTarget = regexp.MustCompile(`^make ([a-z-]+)`)
	notSlug    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// pages lists the project's Markdown files, as paths from the root.
func pages(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "out" || entry.Name() == "bin" || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if filepath.Ext(name) == ".md" {
			name, err = filepath.Rel(root, name)
			found = append(found, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 8 {
		t.Fatalf("only %d pages of Markdown found: %q", len(found), found)
	}
	return found
}

// TestPagesNameWhatExists follows the links of the project's Markdown, and looks
// for the files and make targets that its code spans name: a page that names
// what has moved sends its reader astray.
func TestPagesNameWhatExists(t *testing.T) {
	targets := makeTargets(t)
	for _, page := range pages(t) {
		data, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		text := withoutBlocks(string(data))
		for _, m := range markdownLink.FindAllStringSubmatch(text, -1) {
			checkLink(t, page, m[1])
		}
		for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
			switch span := strings.TrimSuffix(m[1], "/..."); { // a package and those below it
			case makeTarget.MatchString(span):
				if name := makeTarget.FindStringSubmatch(span)[1]; !slices.Contains(targets, name) {
					t.Errorf("%s: `%s`: the Makefile has no target %q", page, span, name)
				}
			case sourcePath.MatchString(span) && ours(span) && !exists(span) && !exists(path.Join(path.Dir(page), span)):
				t.Errorf("%s: `%s`: no such file in the project", page, span)
			}
		}
	}
}

func checkLink(t *testing.T, page, link string) {
	t.Helper()
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return
	}
	file, anchor, _ := strings.Cut(link, "#")
	to := page
	if file != "" {
		to = path.Join(path.Dir(page), file)
	}
	if !exists(to) {
		t.Errorf("%s: link to %s: no such file in the project", page, link)
		return
	}
	if anchor == "" || path.Ext(to) != ".md" {
		return
	}
	data, err := os.ReadFile(filepath.Join(root, to))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range heading.FindAllStringSubmatch(withoutBlocks(string(data)), -1) {
		if slug(m[1]) == anchor {
			return
		}
	}
	t.Errorf("%s: link to %s: %s has no such heading", page, link, to)
}

// slug is a heading's anchor, as GitHub makes it.
func slug(title string) string {
	return strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), ""), " ", "-")
}

// withoutBlocks is a page without its fenced and indented code.
func withoutBlocks(text string) string {
	var kept []string
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if !fenced && !strings.HasPrefix(line, "    ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// ours reports whether a path begins with a folder of the project.
func ours(span string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(span, "./"), "/")
	return slices.Contains([]string{"adb", "calibration", "ci", "cmd", "configs", "docs", "github", "solvers", "vision"}, first)
}

func exists(name string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil
}

func makeTargets(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z-]*):`).FindAllStringSubmatch(string(data), -1) {
		targets = append(targets, m[1])
	}
	return targets
}

// TestNothingStrayIsTracked keeps builds, pictures of runs and other people's
// data out of the repository.
func TestNothingStrayIsTracked(t *testing.T) {
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skip("no git repository here: what is tracked cannot be told")
	}
	top := []string{".ci", ".envrc", ".github", ".gitignore", "adb", "ARCHITECTURE.md", "calibration", "CHANGELOG.md", "cmd", "configs",
		"CONTRIBUTING.md", "docs", "go.mod", "go.sum", "LICENSE", "Makefile", "README.md", "solvers", "staticcheck.conf", "vision"}
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		first, _, _ := strings.Cut(name, "/")
		if !slices.Contains(top, first) {
			t.Errorf("%s lies at the top of the tree, where only %q belong", name, top)
		}
		if slices.Contains([]string{".exe", ".so", ".o", ".test", ".prof", ".db", ".sqlite"}, path.Ext(name)) {
			t.Errorf("%s is made by a build or a run and is not tracked", name)
		}
	}
}
