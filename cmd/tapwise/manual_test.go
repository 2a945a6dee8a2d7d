package main

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var writePages = flag.Bool("write-pages", false, "TestCommandPages writes docs/commands")

// pagesFolder has a page for each command, made of its help.
const pagesFolder = "../../docs/commands"

// TestCommandPages wants the pages about the commands to be what the help says. `make
// pages` writes them.
func TestCommandPages(t *testing.T) {
	made := t.TempDir()
	if *writePages {
		if err := os.RemoveAll(pagesFolder); err != nil {
			t.Fatal(err)
		}
		made = pagesFolder
	}
	if code := execute(t.Context(), []string{"manual", "--markdown", made}, streams{strings.NewReader(""), io.Discard, os.Stderr}); code != exitDone {
		t.Fatalf("exit code %d, expected %d", code, exitDone)
	}
	names := func(folder string) []string {
		files, err := filepath.Glob(filepath.Join(folder, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range files {
			files[i] = filepath.Base(files[i])
		}
		return files
	}
	if want, got := names(made), names(pagesFolder); !slices.Equal(want, got) {
		t.Fatalf("docs/commands has %v, expected %v: run make pages", got, want)
	}
	for _, name := range names(made) {
		want, err := os.ReadFile(filepath.Join(made, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(pagesFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("docs/commands/%s is not what the help says: run make pages", name)
		}
	}
}

// TestManualPages wants a page for man of each command that is not hidden.
func TestManualPages(t *testing.T) {
	folder := t.TempDir()
	if code := execute(t.Context(), []string{"manual", folder}, streams{strings.NewReader(""), io.Discard, os.Stderr}); code != exitDone {
		t.Fatalf("exit code %d, expected %d", code, exitDone)
	}
	page, err := os.ReadFile(filepath.Join(folder, "tapwise-config-show.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`.TH "TAPWISE-CONFIG-SHOW" "1"`, "Show prints every setting in force"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("tapwise-config-show.1 has no %q", want)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "tapwise-manual.1")); err == nil {
		t.Error("the hidden command manual has a page, expected none")
	}
}
