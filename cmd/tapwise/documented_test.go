package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/syntax"
)

var (
	inlineCode = regexp.MustCompile("`([^`]+)`")
	fence      = regexp.MustCompile("(?ms)^ *```[a-z]*\n(.*?)^ *```")
	// whole matches a line that is typed as it stands, of a shell that runs the program.
	whole = regexp.MustCompile(`^(\$ )?([A-Z_]+=\S+ )*tapwise [^…\[\]\x60]*$`)
	// inProse matches a command line in a sentence, up to what is no command and no flag.
	inProse = regexp.MustCompile(`\btapwise(?:\s+(?:--?[a-z][a-z-]*(?:=\S+)?|[a-z][a-z-]*))+`)
)

// TestDocumentedCommands wants each command line in the documents and in the help to be one
// that there is, with flags that it has.
func TestDocumentedCommands(t *testing.T) {
	root := (&app{printer: printer{streams: streams{strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}}}}).rootCommand()
	units, err := filepath.Glob("../dist/systemd/*.service")
	if err != nil || len(units) == 0 {
		t.Fatalf("%d units, %v", len(units), err)
	}
	texts := documents(t, units...)
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		texts["help of "+c.CommandPath()] = c.Short + "\n" + c.Long + "\n" + c.Example
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { texts["help of "+c.CommandPath()+" --"+f.Name] = f.Usage })
		for _, sub := range c.Commands() {
			if sub.Name() != "completion" { // which is cobra's
				walk(sub)
			}
		}
	}
	walk(root)
	found, begun := 0, 0
	for name, text := range texts {
		for _, words := range commandLines(root, text) {
			found++
			if wrong := wrongCommand(root, words); wrong != "" {
				t.Errorf("%s: tapwise %s: %s", name, strings.Join(words, " "), wrong)
			}
		}
		for _, line := range blocks(text) {
			if !isTyped(line) {
				continue
			}
			for _, words := range calls(line) {
				begun++
				if err := beginning(words); err != nil {
					t.Errorf("%s: %s: %v", name, line, err)
				}
			}
		}
	}
	if found < 300 || begun < 70 {
		t.Errorf("%d command lines are found, %d of them as they are typed, expected some hundreds and 70", found, begun)
	}
	for line, right := range map[string]bool{
		"`tapwise replay --overlay`": false, "`replay --overlay`": false, "see tapwise play --dry-runs.": false, "    tapwise sim -- tapwise palys\n": false, "```\ntapwise solve -Z x | cat\n```\n": false, "`tapwise soolve x`": false,
		"`tapwise replay --overlays DIR`": true, "    tapwise sim --game flow -- tapwise play --dry-run # comment\n": true, "tapwise reads the puzzle": true,
	} {
		lines := commandLines(root, line)
		ok := true
		for _, words := range lines {
			ok = ok && wrongCommand(root, words) == ""
		}
		if ok != right {
			t.Errorf("%q is read as %q, of which all is right: %v", line, lines, ok)
		}
	}
}

// TestUnits has systemd look at the units that the package brings.
func TestUnits(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is missing (Debian package systemd)")
	}
	units, err := filepath.Glob("../dist/systemd/*.service")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, unit := range units {
		text, err := os.ReadFile(unit)
		if err != nil {
			t.Fatal(err)
		}
		// The program and its manual need not be installed here.
		text = bytes.ReplaceAll(text, []byte("/usr/bin/tapwise "), []byte("/bin/true "))
		text = regexp.MustCompile(`(?m)^Documentation=.*\n`).ReplaceAll(text, nil)
		name := filepath.Join(folder, filepath.Base(unit))
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
		verify := exec.CommandContext(t.Context(), analyze, "--user", "verify", name)
		verify.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+folder)
		if said, err := verify.CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("%s: %v\n%s", unit, err, said)
		}
	}
}

// commandLines are the command lines in a text, without the program's name: in code, and of
// sentences those that name a command and its flags.
func commandLines(root *cobra.Command, text string) (lines [][]string) {
	code := blocks(text)
	for _, m := range inlineCode.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		words := strings.Fields(m[1])
		if len(words) > 1 && strings.HasPrefix(words[1], "--") && known(root, words[0]) {
			words = append([]string{"tapwise"}, words...)
		}
		code = append(code, strings.Join(words, " "))
	}
	for _, line := range code {
		lines = append(lines, calls(line)...)
	}
	for _, m := range inProse.FindAllString(text, -1) {
		words := strings.Fields(m)[1:]
		if c, _, err := root.Find(words[:1]); err == nil && c != root {
			lines = append(lines, words)
		}
	}
	return lines
}

// documents are the texts of the documents, and of other files, by file.
func documents(t *testing.T, more ...string) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, file := range append(append(files, more...), "../../README.md", "../../ARCHITECTURE.md", "../../CONTRIBUTING.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimPrefix(file, "../../")] = string(text)
	}
	return texts
}

// isTyped reports whether a line of a block is typed as it stands, and does not begin or go on
// elsewhere.
func isTyped(line string) bool { return whole.MatchString(line) && strings.Count(line, "'")%2 == 0 }

// blocks are the lines of a text's blocks of code, those that go on in one piece.
func blocks(text string) (code []string) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		code = append(code, strings.Split(m[1], "\n")...)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
			code = append(code, strings.TrimSpace(line))
		}
	}
	return code
}

func known(root *cobra.Command, word string) bool {
	c, _, err := root.Find([]string{word})
	return err == nil && c != root
}

// calls are the calls of the program in a line of a shell.
func calls(line string) (found [][]string) {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil { // such as a usage with <…>
		line, _, _ = strings.Cut(line, " #")
		if words := strings.Fields(line); len(words) > 1 && words[0] == "tapwise" {
			found = append(found, words[1:])
		}
		return found
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		call, ok := node.(*syntax.CallExpr)
		if !ok {
			return true
		}
		var words []string
		for _, w := range call.Args {
			word := w.Lit()
			if word == "" {
				word = "QUOTED"
			}
			words = append(words, word)
		}
		for i, word := range words {
			if filepath.Base(word) == "tapwise" && i+1 < len(words) {
				found = append(found, words[i+1:])
				break // what comes behind -- is looked at with it
			}
		}
		return true
	})
	return found
}

// beginning is a command line brought to where its command would begin: its flags have values that
// they take, and its arguments are as many as there may be.
func beginning(words []string) error {
	root := (&app{printer: printer{streams: streams{strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}}}}).rootCommand()
	var stop func(c *cobra.Command)
	stop = func(c *cobra.Command) {
		c.PersistentPreRun, c.PersistentPreRunE, c.PreRun, c.PreRunE, c.Run = nil, nil, nil, nil, nil
		c.RunE = func(*cobra.Command, []string) error { return nil }
		for _, sub := range c.Commands() {
			stop(sub)
		}
	}
	stop(root)
	root.SetArgs(words)
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	return root.Execute()
}

// wrongCommand says what there is not of a command line; empty is nothing.
func wrongCommand(root *cobra.Command, words []string) string {
	command, rest, err := root.Find(words)
	if err != nil || command == root {
		for _, word := range words {
			if !strings.HasPrefix(word, "-") {
				if regexp.MustCompile(`^[a-z][a-z-]*$`).MatchString(word) && len(words) > 0 && words[0] == word {
					return "no such command"
				}
				break
			}
		}
	}
	command.InitDefaultHelpFlag()
	for i, word := range rest {
		word = strings.Trim(word, "[](),.;:…")
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch {
		case word == "&&", word == "||", word == "|", word == ">":
			return "" // within quotes, for another shell
		case word == "--":
			if i+1 < len(rest) && filepath.Base(rest[i+1]) == "tapwise" {
				return wrongCommand(root, rest[i+2:])
			}
			return ""
		case strings.HasPrefix(word, "--"):
			if command.Flags().Lookup(name) == nil && command.InheritedFlags().Lookup(name) == nil {
				return "no flag --" + name
			}
		case len(word) == 2 && word[0] == '-' && word[1] >= 'A':
			if command.Flags().ShorthandLookup(name) == nil && command.InheritedFlags().ShorthandLookup(name) == nil {
				return "no flag -" + name
			}
		}
	}
	return ""
}
