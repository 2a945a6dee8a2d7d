package shell

import (
	"errors"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"
)

var (
	errTooLong      = errors.New("expansion too long")
	errTooDeep      = errors.New("too deeply nested")
	errSubstitution = errors.New("bad substitution")
)

const (
	// maxMatched bounds patterns, and the text that they are tried on, in bytes.
	maxMatched = 4096
	// maxListed bounds the files that one word's patterns look at: those that go up and
	// down again, as in /*/../*, could look at the same ones without end.
	maxListed = 16 * maxFiles
)

// expansion is the expansion of one word by package expand, which asks it for
// variables, for the output of commands and for files, and so keeps its bounds here.
type expansion struct {
	sh     *interpreter
	config *expand.Config
	last   int   // $?
	most   int   // bytes that values may have together
	size   int   // bytes of the values so far
	listed int   // files looked at
	err    error // why the result is not complete
}

// expanded expands a word, an expression or a document by f, a function of package
// expand.
func expanded[T any](sh *interpreter, node syntax.Node, last int, f func(*expand.Config) (T, error)) (result T, err error) {
	e := &expansion{sh: sh, last: last, most: maxText}
	if err := e.check(node); err != nil {
		return result, err
	}
	e.config = &expand.Config{Env: e, CmdSubst: e.substitute, ReadDir2: e.list}
	defer func() {
		if recover() != nil { // it panics on forms that it does not know
			err = errSubstitution
		}
	}()
	result, err = f(e.config)
	var unset expand.UnsetParameterError
	switch {
	case e.err != nil:
		return result, e.err
	case errors.As(err, &unset): // ${NAME?MESSAGE} ends the shell
		sh.exited = true
		if unset.Message == "" {
			unset.Message = "parameter null or not set"
		}
		return result, unset
	case err != nil && err.Error() == "division by zero":
		return result, errors.New("divisor zero")
	}
	return result, err
}

// check refuses what the phone's shell does not know or what could grow without a
// bound. It leaves the commands of $(…) to the shell that runs them.
func (e *expansion) check(node syntax.Node) (err error) {
	if node == nil {
		return errSubstitution
	}
	depth := 0
	syntax.Walk(node, func(node syntax.Node) bool {
		if node == nil {
			depth--
			return true
		}
		if depth++; depth > maxDepth && err == nil {
			err = errTooDeep
		}
		switch node := node.(type) {
		case *syntax.CmdSubst:
			if node.TempFile || node.ReplyVar {
				err = errSubstitution
			}
			depth--
			return false
		case *syntax.ParamExp:
			if node.Excl || node.Width || node.Index != nil || node.Repl != nil || node.Names != 0 {
				err = errSubstitution
			}
			if node.Exp != nil {
				err = errors.Join(err, e.checkOperator(node))
			}
		}
		return err == nil
	})
	return err
}

// checkOperator knows the operators of ${NAME OPERATOR WORD}.
func (e *expansion) checkOperator(p *syntax.ParamExp) error {
	switch p.Exp.Op {
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		e.most = maxMatched
		if p.End().Offset()-p.Pos().Offset() > maxMatched {
			return errTooLong
		}
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
		syntax.AssignUnset, syntax.AssignUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
	default:
		return errSubstitution
	}
	return nil
}

// fields expands words into arguments.
func (sh *interpreter) fields(words []*syntax.Word) ([]string, error) {
	var list []string
	size, last := 0, sh.status
	for _, word := range words {
		if plain := word.Lit(); plain != "" && !strings.ContainsAny(plain, `\*?[~{`) { // nearly every word
			list = append(list, plain)
			continue
		}
		_, err := expanded(sh, word, last, func(config *expand.Config) (struct{}, error) {
			for field, err := range expand.FieldsSeq(config, withoutBraces(word)) {
				if err == nil {
					err = sh.ctx.Err()
				}
				if size += len(field); size > maxText {
					err = errTooLong
				}
				if err != nil {
					return struct{}{}, err
				}
				list = append(list, field)
			}
			return struct{}{}, nil
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// withoutBraces quotes the braces of {a,b}, of which few could make very many words.
func withoutBraces(word *syntax.Word) *syntax.Word {
	plain := *word
	plain.Parts = slices.Clone(word.Parts)
	for i, part := range plain.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			quoted := *lit
			quoted.Value = strings.NewReplacer(`\\`, `\\`, `\{`, `\{`, "{", `\{`).Replace(lit.Value)
			plain.Parts[i] = &quoted
		}
	}
	return &plain
}

// text expands a word into one string, as for an assignment or a file name.
func (sh *interpreter) text(word *syntax.Word) (string, error) {
	if word == nil {
		return "", nil
	}
	return expanded(sh, word, sh.status, func(config *expand.Config) (string, error) { return expand.Literal(config, word) })
}

// document expands the text of a here-document.
func (sh *interpreter) document(word *syntax.Word) (string, error) {
	return expanded(sh, word, sh.status, func(config *expand.Config) (string, error) { return expand.Document(config, word) })
}

// pattern expands a word into a pattern for matchPattern.
func (sh *interpreter) pattern(word *syntax.Word) (string, error) {
	return expanded(sh, word, sh.status, func(config *expand.Config) (string, error) { return expand.Pattern(config, word) })
}

// arithmetic evaluates $((…)) in 64 bits. What is not a number is 0.
func (sh *interpreter) arithmetic(x syntax.ArithmExpr) (int, error) {
	return expanded(sh, x, sh.status, func(config *expand.Config) (int, error) { return expand.Arithm(config, x) })
}

// Get is the value of a variable or of a special parameter.
func (e *expansion) Get(name string) expand.Variable {
	if e.err == nil {
		e.err = e.sh.ctx.Err()
	}
	if e.err != nil {
		return expand.Variable{}
	}
	if name == "@" || name == "*" {
		e.count(len(strings.Join(e.sh.params, " ")))
		return expand.Variable{Set: len(e.sh.params) > 0, Kind: expand.Indexed, List: append([]string{}, e.sh.params...)}
	}
	value, set := e.lookUp(name)
	if e.count(len(value)); e.err != nil {
		return expand.Variable{}
	}
	return expand.Variable{Set: set, Kind: expand.String, Str: value}
}

func (e *expansion) lookUp(name string) (value string, set bool) {
	switch name {
	case "?":
		return strconv.Itoa(e.last), true
	case "$":
		return strconv.Itoa(e.sh.pid), true
	case "#":
		return strconv.Itoa(len(e.sh.params)), true
	case "0":
		return e.sh.name, true
	case "PWD": // where patterns look for files
		return e.sh.dir, true
	}
	if user, ok := strings.CutPrefix(name, "HOME "); ok { // of ~USER, of whom a phone has none
		return "~" + user, true
	}
	if n, err := strconv.Atoi(name); err == nil && n > 0 && n <= len(e.sh.params) {
		return e.sh.params[n-1], true
	}
	value, set = e.sh.vars[name]
	return value, set
}

// count counts the bytes that a value adds to the word.
func (e *expansion) count(bytes int) {
	e.size += bytes
	if e.size > e.most && e.err == nil {
		e.err = errTooLong
	}
	if e.size > MaxPath { // no file's name is that long
		e.config.ReadDir2 = nil
	}
}

// Each names no variables: what lists them is refused.
func (e *expansion) Each(func(name string, v expand.Variable) bool) {}

// Set is ${NAME=WORD}, and NAME=EXPRESSION in $((…)).
func (e *expansion) Set(name string, v expand.Variable) error {
	if !syntax.ValidName(name) {
		return errSubstitution
	}
	return e.sh.set(name, v.Str)
}

// substitute runs $(…) and writes its output.
func (e *expansion) substitute(w io.Writer, part *syntax.CmdSubst) error {
	var out limitedBuffer
	child := e.sh.fork()
	child.status = e.last
	child.stdout = &out
	child.stmts(part.Stmts)
	e.sh.status, e.sh.substituted = child.status, true
	if e.count(out.text.Len()); out.full || e.err != nil {
		return errTooLong
	}
	_, err := io.WriteString(w, out.text.String())
	return err
}

// limitedBuffer collects up to maxText bytes.
type limitedBuffer struct {
	text strings.Builder
	full bool
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > maxText {
		b.full = true
		return 0, errTooLong
	}
	return b.text.Write(p)
}

// list lists a folder for the patterns of file names.
func (e *expansion) list(name string) ([]fs.DirEntry, error) {
	clean, err := e.sh.host.files.Resolve("/", name)
	var entries []Entry
	if err == nil {
		entries, err = e.sh.host.files.List(clean)
	}
	if e.listed += 1 + len(entries); e.listed > maxListed {
		return nil, errTooLong
	}
	switch err {
	case nil:
	case errNotDir:
		return nil, syscall.ENOTDIR
	default:
		return nil, fs.ErrNotExist
	}
	list := make([]fs.DirEntry, len(entries))
	for i, entry := range entries {
		list[i] = listed{entry}
	}
	return list, nil
}

// listed is an entry in the form in which patterns look at it.
type listed struct{ Entry }

func (l listed) Name() string               { return l.Entry.Name }
func (l listed) IsDir() bool                { return l.Directory() }
func (l listed) Info() (fs.FileInfo, error) { return nil, fs.ErrInvalid } // nobody asks

func (l listed) Type() fs.FileMode {
	switch {
	case l.Directory():
		return fs.ModeDir
	case l.Link():
		return fs.ModeSymlink
	}
	return 0
}

// matchPattern reports whether a shell pattern matches all of s; unlike in file
// names, * also matches slashes. A malformed pattern matches only itself.
func matchPattern(text, s string) bool {
	if len(text) <= maxMatched && len(s) <= maxMatched {
		if expression, err := pattern.Regexp(text, pattern.EntireString); err == nil {
			if matches, err := regexp.MatchString(expression, s); err == nil {
				return matches
			}
		}
	}
	return text == s
}

// unescape replaces the backslash sequences of echo by their meaning.
func unescape(s string) string {
	text, _, err := expand.Format(new(expand.Config), s, nil)
	if err != nil { // without arguments there is none
		return s
	}
	return text
}
