package described

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// FileError says what is wrong with a description, and where.
type FileError struct {
	File string
	Line int // 0: the file as a whole
	Msg  string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

//go:embed games
var shippedFiles embed.FS

// Shipped are the names of the descriptions that come along.
func Shipped() (names []string) {
	entries, _ := shippedFiles.ReadDir("games") // embedded: it is there
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), Extension))
	}
	return names
}

// In are the names of the descriptions in a folder; none if it is empty or cannot be read.
func In(folder string) (names []string) {
	if folder == "" {
		return nil
	}
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if filepath.Ext(e.Name()) == Extension {
			names = append(names, NameOf(e.Name()))
		}
	}
	return names
}

// OpenShipped makes a game of a description that comes along.
func OpenShipped(name string) (*Game, error) {
	source, err := shippedFiles.ReadFile("games/" + name + Extension)
	if err != nil {
		return nil, err
	}
	return Load(name+Extension, source)
}

// Open makes a game of the description in a file.
func Open(file string) (*Game, error) {
	info, err := os.Stat(file) // before it is opened: a pipe would be waited for
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", file)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	source, err := io.ReadAll(io.LimitReader(f, maxSource+1))
	if err != nil {
		return nil, err
	}
	return Load(file, source)
}

// NameOf is the name of the game that a file describes.
func NameOf(file string) string { return strings.TrimSuffix(filepath.Base(file), Extension) }

// Load makes a game of a description. The file's name without its folder and its end is the
// game's name. The error is a *FileError.
func Load(file string, source []byte) (*Game, error) {
	g := &Game{file: file, name: NameOf(file), source: string(source)}
	if len(source) > maxSource {
		return nil, &FileError{File: file, Msg: fmt.Sprintf("%d bytes, expected a description of at most %d", len(source), maxSource)}
	}
	options := syntax.FileOptions{TopLevelControl: true}
	tree, err := options.Parse(file, source, 0)
	if err == nil {
		err = guard(tree)
	}
	environment := environment()
	var program *starlark.Program
	if err == nil {
		program, err = starlark.FileProgram(tree, environment.Has)
	}
	if err != nil {
		return nil, g.located(err, environment)
	}
	globals, err := program.Init(boundedThread(), environment)
	if err != nil {
		return nil, g.located(err, environment)
	}
	globals.Freeze()
	if err := g.take(globals); err != nil {
		return nil, g.located(err, environment)
	}
	return g, nil
}

// Extension is that of descriptions.
const Extension = ".star"

// environment are the names that a description may use.
func environment() starlark.StringDict {
	d := guards()
	for name, v := range words() {
		d[name] = v
	}
	for name, v := range notationWords() {
		d[name] = v
	}
	for name, v := range lookWords() {
		d[name] = v
	}
	counted := func(name string) {
		f := starlark.Universe[name].(*starlark.Builtin)
		d[name] = starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			for _, a := range args {
				if err := charge(thread, a); err != nil {
					return nil, err
				}
				if name == "len" || name == "range" {
					continue
				}
				if list, ok := a.(starlark.Iterable); ok && name != "list" && name != "tuple" && name != "zip" && name != "enumerate" && name != "reversed" {
					if err := each(list, known); err != nil {
						return nil, fmt.Errorf("%s: %w", name, err)
					}
				}
			}
			if len(kwargs) > 0 {
				return nil, fmt.Errorf("%s: no argument is called %v", name, kwargs[0][0])
			}
			v, err := f.CallInternal(thread, args, nil)
			if err == nil {
				err = charge(thread, v)
			}
			return v, err
		})
	}
	for name := range starlark.Universe {
		switch name {
		case "None", "True", "False", "type", "fail":
		case "abs", "any", "all", "bool", "enumerate", "int", "len", "list", "max", "min", "range", "reversed", "tuple", "zip":
			counted(name)
		default:
			d[name] = starlark.NewBuiltin(name, func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
				return nil, fmt.Errorf("%s is not there: a description needs numbers, lists, dicts and the words of docs/described.md only", name)
			})
		}
	}
	return d
}

// known refuses what depends on the solution, or is no number, text or truth.
func known(v starlark.Value) error {
	switch v := v.(type) {
	case *term:
		return fmt.Errorf("a %s depends on the solution, expected known values: count, some, every and none take such", v.Type())
	case *starlark.List, starlark.Tuple, *starlark.Dict:
		return fmt.Errorf("got %s, expected numbers, strings or truths", kindOf(v))
	}
	return nil
}

// located is an error with its place in the file, and what was likely meant.
func (g *Game) located(err error, environment starlark.StringDict) *FileError {
	to := &FileError{File: g.file, Msg: err.Error()}
	var syntaxErr syntax.Error
	var unresolved resolve.ErrorList
	var evaluation *starlark.EvalError
	var already *FileError
	switch {
	case errors.As(err, &already):
		return already
	case errors.As(err, &syntaxErr):
		to.Line, to.Msg = int(syntaxErr.Pos.Line), syntaxErr.Msg
		if i := strings.Index(to.Msg, "got "); i >= 0 && strings.Contains(to.Msg, "want") {
			to.Msg = strings.Replace(to.Msg, ", want", ", expected", 1)
		}
	case errors.As(err, &unresolved):
		to.Line, to.Msg = int(unresolved[0].Pos.Line), unresolved[0].Msg
		if name, ok := strings.CutPrefix(to.Msg, "undefined: "); ok {
			name, _, _ = strings.Cut(name, " ")
			var names []string
			for n := range environment {
				if !strings.Contains(n, " ") {
					names = append(names, n)
				}
			}
			to.Msg = fmt.Sprintf("%s is not known, expected a word of the language or a name of the file%s", name, didYouMean(name, names))
		}
	case errors.As(err, &evaluation):
		to.Msg = evaluation.Msg
		for _, frame := range slices.Backward([]starlark.CallFrame(evaluation.CallStack)) {
			if frame.Pos.Line > 0 && frame.Pos.Filename() == g.file {
				to.Line = int(frame.Pos.Line)
				break
			}
		}
		to.Msg = strings.TrimPrefix(to.Msg, "Starlark computation cancelled: ")
	}
	return to
}

// didYouMean names the one of some names that is nearest to a name that is none of them.
func didYouMean(name string, names []string) string {
	best, least := "", 3
	for _, n := range slices.Sorted(slices.Values(names)) {
		if d := distance(name, n); d < least && d < len(name) {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}

// distance is the number of characters to change, add or leave out, two neighbours that are
// exchanged counting once.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for k := range rows[i] {
			switch {
			case i == 0:
				rows[i][k] = k
			case k == 0:
				rows[i][k] = i
			default:
				rows[i][k] = min(rows[i-1][k]+1, rows[i][k-1]+1, rows[i-1][k-1]+number(a[i-1] != b[k-1]))
				if i > 1 && k > 1 && a[i-1] == b[k-2] && a[i-2] == b[k-1] {
					rows[i][k] = min(rows[i][k], rows[i-2][k-2]+1)
				}
			}
		}
	}
	return rows[len(a)][len(b)]
}

// take takes what the file says.
func (g *Game) take(globals starlark.StringDict) error {
	for _, name := range []string{"decide", "notation", "rules"} {
		if !globals.Has(name) {
			return fmt.Errorf("%s is missing%s: a description says what a solution decides (decide), how a puzzle is written (notation) and what holds (rules)", name, didYouMean(name, globals.Keys()))
		}
	}
	if err := oneOrMore(globals["decide"], "decide", "a layer, such as shading()", &g.layers); err != nil {
		return err
	}
	for i, l := range g.layers {
		if slices.ContainsFunc(g.layers[:i], func(o *layer) bool { return o.name == l.name }) {
			return fmt.Errorf("decide: two layers are called %s, expected different names: say name = …", l.name)
		}
	}
	if err := oneOrMore(globals["notation"], "notation", "a notation, such as grid() or url(…)", &g.notations); err != nil {
		return err
	}
	rules, ok := globals["rules"].(*starlark.Function)
	if !ok {
		return fmt.Errorf("rules is %s, expected a function of a board: def rules(b): return {\"name\": …}", kindOf(globals["rules"]))
	}
	if rules.NumParams() != 1 {
		return &FileError{g.file, int(rules.Position().Line), fmt.Sprintf("rules takes %d arguments, expected one, the board: def rules(b)", rules.NumParams())}
	}
	g.rules = rules
	if v := globals["title"]; v != nil {
		if g.title, ok = starlark.AsString(v); !ok {
			return fmt.Errorf("title is %s, expected a string", kindOf(v))
		}
	}
	if v := globals["sizes"]; v != nil {
		if err := each(v, func(v starlark.Value) error {
			t, _ := v.(starlark.Tuple)
			if len(t) != 2 {
				return fmt.Errorf("got %s, expected columns and rows, as in (6, 6)", kindOf(v))
			}
			cols, _ := t[0].(starlark.Int)
			rows, _ := t[1].(starlark.Int)
			c, _ := smallInt(cols)
			r, _ := smallInt(rows)
			if c < 1 || r < 1 || c*r > maxCells {
				return fmt.Errorf("got %v, expected columns and rows from 1 on, at most %d cells", t, maxCells)
			}
			g.sizes = append(g.sizes, [2]int{c, r})
			return nil
		}); err != nil {
			return fmt.Errorf("sizes: %w", err)
		}
	}
	if v := globals["levels"]; v != nil {
		if err := each(v, func(v starlark.Value) error {
			text, ok := starlark.AsString(v)
			if !ok {
				return fmt.Errorf("got %s, expected puzzles as strings", kindOf(v))
			}
			g.levels = append(g.levels, strings.Trim(text, "\n"))
			return nil
		}); err != nil {
			return fmt.Errorf("levels: %w", err)
		}
	}
	if err := g.takeLook(globals); err != nil {
		return err
	}
	return g.takeExamples(globals["examples"])
}

// oneOrMore takes a value of a kind or a list of them.
func oneOrMore[V starlark.Value](v starlark.Value, name, expected string, to *[]V) error {
	if one, ok := v.(V); ok {
		*to = []V{one}
		return nil
	}
	err := each(v, func(v starlark.Value) error {
		one, ok := v.(V)
		if !ok {
			return fmt.Errorf("got %s, expected %s", kindOf(v), expected)
		}
		*to = append(*to, one)
		return nil
	})
	if err == nil && len(*to) == 0 {
		err = fmt.Errorf("got an empty list, expected %s", expected)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Example is a puzzle with its solution, and wrong ones by the rules that they break.
type Example struct {
	Puzzle, Solution string
	Rules            []string // in order
	Wrong            []string // by rule
}

func (g *Game) takeExamples(v starlark.Value) error {
	if v == nil {
		return nil
	}
	var examples []*example
	if err := oneOrMore(v, "examples", "example(puzzle, solution, wrong = {rule: solution})", &examples); err != nil {
		return err
	}
	for _, e := range examples {
		g.examples = append(g.examples, e.Example)
	}
	return nil
}

// example is one in a file.
type example struct {
	value
	Example
}

func (*example) String() string { return "<example>" }

// Type is "example".
func (*example) Type() string { return "example" }

func exampleWord(_ *starlark.Thread, a *arguments) (starlark.Value, error) {
	e := &example{}
	var err error
	if e.Puzzle, err = a.text("puzzle", ""); err != nil {
		return nil, err
	}
	if e.Solution, err = a.text("solution", ""); err != nil {
		return nil, err
	}
	e.Puzzle, e.Solution = strings.Trim(e.Puzzle, "\n"), strings.Trim(e.Solution, "\n")
	if v := a.optional("wrong"); v != nil {
		wrong, ok := v.(*starlark.Dict)
		if !ok {
			return nil, fmt.Errorf("wrong: got %s, expected a dict of rules and solutions that break them", kindOf(v))
		}
		for _, item := range wrong.Items() {
			rule, ok := starlark.AsString(item[0])
			text, also := starlark.AsString(item[1])
			if !ok || !also {
				return nil, fmt.Errorf("wrong: got %s and %s, expected a rule's name and a solution", kindOf(item[0]), kindOf(item[1]))
			}
			e.Rules, e.Wrong = append(e.Rules, rule), append(e.Wrong, strings.Trim(text, "\n"))
		}
	}
	return e, nil
}
