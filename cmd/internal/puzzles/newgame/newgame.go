package newgame

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"tapwise/cmd/internal/console/build"
)

//go:embed all:skeleton
var skeleton embed.FS

// ending is that of the skeleton's files, which are no Go of this module.
const ending = ".tmpl"

// nameOf is what a game may be called: its package and its folder.
var nameOf = regexp.MustCompile(`^[a-z]+$`)

// Module is the folder of the tapwise module that a folder lies in.
func Module(folder string) (string, error) {
	at, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(at, "go.mod"))
		switch {
		case err == nil && bytes.HasPrefix(text, []byte("module "+build.Path()+"\n")):
			return at, nil
		case err == nil:
			return "", fmt.Errorf("%s is another module, expected the source of tapwise", at)
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		case filepath.Dir(at) == at:
			return "", fmt.Errorf("%s lies in no module, expected the source of tapwise", folder)
		}
		at = filepath.Dir(at)
	}
}

func checkTitle(title string) error {
	if strings.TrimSpace(title) == "" || strings.ContainsAny(title, "\"\\\n\r`") {
		return fmt.Errorf("a title of %q, expected words without quotes and backslashes", title)
	}
	return nil
}

// Write writes the folder of a game and its line in the list of games of a module. Title
// is the game's name for people. It returns the files, as paths from the module's
// folder, and overwrites none.
func Write(module, name, title string) ([]string, error) {
	if !nameOf.MatchString(name) || token.IsKeyword(name) || name == "main" {
		return nil, fmt.Errorf("a game called %q, expected lower case letters that can name a package", name)
	}
	if err := checkTitle(title); err != nil {
		return nil, err
	}
	folder := filepath.Join(module, "solvers", "games", name)
	if _, err := os.Lstat(folder); err == nil {
		return nil, fmt.Errorf("%s is there already", folder)
	}
	const list = "solvers/all/all.go"
	listed, err := withLine(filepath.Join(module, list), name)
	if err != nil {
		return nil, err
	}
	var files []string
	err = fs.WalkDir(skeleton, "skeleton", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := skeleton.ReadFile(file)
		if err != nil {
			return err
		}
		to := path.Join("solvers", "games", name, strings.TrimSuffix(strings.TrimPrefix(file, "skeleton/"), ending))
		files = append(files, to)
		text = filled(text, name, title)
		if path.Ext(to) == ".go" { // the imports are sorted by the game's name
			if text, err = format.Source(text); err != nil {
				return err
			}
		}
		return write(filepath.Join(module, filepath.FromSlash(to)), text)
	})
	if err != nil {
		return files, err
	}
	return append(files, list), os.WriteFile(filepath.Join(module, list), listed, 0o644)
}

func write(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// filled is a file of the skeleton with the game's names.
func filled(text []byte, name, title string) []byte {
	text = bytes.ReplaceAll(text, []byte("TITLE"), []byte(title))
	text = bytes.ReplaceAll(text, []byte(`"MODULE/`), []byte(`"`+build.Path()+"/"))
	return bytes.ReplaceAll(text, []byte("NAME"), []byte(name))
}

// withLine is the list of games with one more at its end.
func withLine(file, name string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, 0)
	if err != nil {
		return nil, err
	}
	end := -1 // of the list
	ast.Inspect(parsed, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && end < 0 {
			if array, ok := lit.Type.(*ast.ArrayType); ok && fmt.Sprint(array.Elt) == "listed" {
				end = files.Position(lit.Rbrace).Offset
			}
		}
		return true
	})
	last := len(parsed.Imports) - 1
	if end < 0 || last < 0 {
		return nil, fmt.Errorf("%s: no list of games found in it, expected a literal []listed{…}", file)
	}
	imports := files.Position(parsed.Imports[last].End()).Offset
	lines := fmt.Sprintf("\n\t\"%[1]s/solvers/games/%[2]s\"\n\t%[2]sapp \"%[1]s/solvers/games/%[2]s/app\"", build.Path(), name)
	if shared := fmt.Sprintf("\n\t\"%s/solvers/grid\"", build.Path()); !bytes.Contains(text, []byte(shared)) {
		lines += shared
	}
	changed := string(text[:imports]) + lines +
		string(text[imports:end]) +
		fmt.Sprintf("\t{%[1]s.Game, (*grid.Puzzle)(nil), (*grid.Solution)(nil), %[1]sapp.New},\n\t", name) +
		string(text[end:])
	return format.Source([]byte(changed))
}
