package shell

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

var (
	errTooLong      = errors.New("expansion too long")
	errSubstitution = errors.New("bad substitution")
)

// expansion turns words into fields. Quoted and unquoted text are kept apart until
// the end: only unquoted text is split, and only in it is * special.
type expansion struct {
	sh     *interpreter
	last   int // $?
	size   int
	fields []field
	open   bool // the last field can still grow
}

// field is one argument being built.
type field struct {
	text    []byte
	pattern []byte // the text with quoted special characters escaped
	glob    bool   // the pattern has a special character
}

// fields expands words into arguments.
func (sh *interpreter) fields(words []*syntax.Word) ([]string, error) {
	return sh.fieldsWithStatus(words, sh.status)
}

func (sh *interpreter) fieldsWithStatus(words []*syntax.Word, last int) ([]string, error) {
	e := &expansion{sh: sh, last: last}
	for _, word := range words {
		e.open = false
		if err := e.parts(word.Parts, false); err != nil {
			return nil, err
		}
	}
	var list []string
	for i := range e.fields {
		if e.fields[i].glob {
			if names := sh.glob(string(e.fields[i].pattern)); len(names) > 0 {
				list = append(list, names...)
				continue
			}
		}
		list = append(list, string(e.fields[i].text))
	}
	return list, nil
}

// text expands a word into one string, as for an assignment or a file name.
func (sh *interpreter) text(word *syntax.Word) (string, error) {
	one, err := sh.single(word)
	if err != nil || one == nil {
		return "", err
	}
	return string(one.text), nil
}

// pattern expands a word into a pattern for matchPattern.
func (sh *interpreter) pattern(word *syntax.Word) (string, error) {
	one, err := sh.single(word)
	if err != nil || one == nil {
		return "", err
	}
	return string(one.pattern), nil
}

func (sh *interpreter) single(word *syntax.Word) (*field, error) {
	if word == nil {
		return nil, nil
	}
	e := &expansion{sh: sh, last: sh.status}
	e.grow()
	for _, part := range word.Parts {
		// Nothing is split here, and backslashes still quote.
		if lit, ok := part.(*syntax.Lit); ok {
			if err := e.literal(lit.Value, false); err != nil {
				return nil, err
			}
			continue
		}
		value, quoted, err := e.value(part)
		if err != nil {
			return nil, err
		}
		if quoted != nil {
			err = e.parts(quoted, true)
		} else {
			_, single := part.(*syntax.SglQuoted)
			err = e.add(value, single)
		}
		if err != nil {
			return nil, err
		}
	}
	return &e.fields[0], nil
}

// grow opens a field if none is open.
func (e *expansion) grow() *field {
	if !e.open {
		e.fields = append(e.fields, field{})
		e.open = true
	}
	return &e.fields[len(e.fields)-1]
}

// add appends text to the current field.
func (e *expansion) add(text string, quoted bool) error {
	if e.size += len(text); e.size > maxText {
		return errTooLong
	}
	f := e.grow()
	f.text = append(f.text, text...)
	for i := 0; i < len(text); i++ {
		c := text[i]
		special := c == '*' || c == '?' || c == '['
		if quoted && (special || c == ']' || c == '\\') || !quoted && c == '\\' {
			f.pattern = append(f.pattern, '\\')
		}
		if special && !quoted {
			f.glob = true
		}
		f.pattern = append(f.pattern, c)
	}
	return nil
}

// parts expands the parts of a word; with quoted, those between double quotes.
func (e *expansion) parts(parts []syntax.WordPart, quoted bool) error {
	e.sh.depth++
	defer func() { e.sh.depth-- }()
	if e.sh.depth > maxDepth {
		return errors.New("too deeply nested")
	}
	if quoted && !(len(parts) == 1 && isAll(parts[0]) && len(e.sh.params) == 0) {
		e.grow() // "" is a field
	}
	for _, part := range parts {
		if quoted && isAll(part) { // "$@" keeps the parameters apart
			for i, param := range e.sh.params {
				if i > 0 {
					e.open = false
				}
				if e.grow(); e.add(param, true) != nil {
					return errTooLong
				}
			}
			continue
		}
		if lit, ok := part.(*syntax.Lit); ok {
			if err := e.literal(lit.Value, quoted); err != nil {
				return err
			}
			continue
		}
		value, inner, err := e.value(part)
		if err != nil {
			return err
		}
		_, single := part.(*syntax.SglQuoted)
		switch {
		case inner != nil:
			err = e.parts(inner, true)
		case single:
			e.grow() // '' is a field
			err = e.add(value, true)
		case quoted:
			err = e.add(value, true)
		default:
			err = e.split(value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isAll reports whether a part is $@.
func isAll(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	return ok && p.Param != nil && p.Param.Value == "@" && !p.Length && p.Exp == nil
}

// literal adds program text, where a backslash quotes the next character.
func (e *expansion) literal(text string, quoted bool) error {
	for text != "" {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i == len(text)-1 {
			return e.add(text, quoted)
		}
		if i > 0 {
			if err := e.add(text[:i], quoted); err != nil {
				return err
			}
		}
		_, width := utf8.DecodeRuneInString(text[i+1:])
		next := text[i+1 : i+1+width]
		text = text[i+1+width:]
		if next == "\n" { // a continued line
			continue
		}
		if quoted && !strings.Contains("$`\"\\", next) {
			next = "\\" + next
		}
		if err := e.add(next, true); err != nil {
			return err
		}
	}
	return nil
}

// split adds an unquoted value: blanks in it end a field.
func (e *expansion) split(value string) error {
	for value != "" {
		i := strings.IndexAny(value, " \t\n")
		if i < 0 {
			return e.add(value, false)
		}
		if i > 0 {
			if err := e.add(value[:i], false); err != nil {
				return err
			}
		}
		e.open = false
		value = strings.TrimLeft(value[i:], " \t\n")
	}
	return nil
}

// value returns what a part expands to; for double quotes, the parts inside.
func (e *expansion) value(part syntax.WordPart) (value string, inner []syntax.WordPart, err error) {
	switch part := part.(type) {
	case *syntax.SglQuoted:
		if part.Dollar {
			return unescape(part.Value), nil, nil
		}
		return part.Value, nil, nil
	case *syntax.DblQuoted:
		if part.Parts == nil {
			return "", []syntax.WordPart{}, nil
		}
		return "", part.Parts, nil
	case *syntax.ParamExp:
		value, err = e.parameter(part)
	case *syntax.CmdSubst:
		value, err = e.substitute(part)
	case *syntax.ArithmExp:
		var number int64
		number, err = e.sh.arithmetic(part.X)
		value = strconv.FormatInt(number, 10)
	default:
		err = fmt.Errorf("%s is not supported", strings.TrimPrefix(fmt.Sprintf("%T", part), "*syntax."))
	}
	return value, nil, err
}

// substitute runs $(…) and returns its output without the newlines at its end.
func (e *expansion) substitute(part *syntax.CmdSubst) (string, error) {
	if part.TempFile || part.ReplyVar {
		return "", errSubstitution
	}
	var out limitedBuffer
	child := e.sh.fork()
	child.status = e.last
	child.stdout = &out
	child.stmts(part.Stmts)
	e.sh.status = child.status
	if out.full {
		return "", errTooLong
	}
	return strings.TrimRight(out.text.String(), "\n"), nil
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

// lookUp returns the value of a variable or of a special parameter.
func (e *expansion) lookUp(name string) (value string, set bool) {
	switch name {
	case "?":
		return strconv.Itoa(e.last), true
	case "$":
		return strconv.Itoa(e.sh.pid), true
	case "#":
		return strconv.Itoa(len(e.sh.params)), true
	case "@", "*":
		return strings.Join(e.sh.params, " "), len(e.sh.params) > 0
	case "0":
		return e.sh.name, true
	}
	if n, err := strconv.Atoi(name); err == nil && n > 0 && n <= len(e.sh.params) {
		return e.sh.params[n-1], true
	}
	value, set = e.sh.vars[name]
	return value, set
}

// parameter returns the value of $NAME, ${#NAME} or ${NAME OPERATOR WORD}.
func (e *expansion) parameter(p *syntax.ParamExp) (string, error) {
	if p.Excl || p.Width || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Names != 0 {
		return "", errSubstitution
	}
	value, set := e.lookUp(p.Param.Value)
	switch {
	case len(value) > maxText:
		return "", errTooLong
	case p.Length:
		return strconv.Itoa(utf8.RuneCountInString(value)), nil
	case p.Exp == nil:
		return value, nil
	}
	switch p.Exp.Op {
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		pattern, err := e.sh.pattern(p.Exp.Word)
		if err != nil {
			return "", err
		}
		return trimPattern(value, pattern, p.Exp.Op), nil
	}
	return e.conditional(p.Param.Value, value, set, p.Exp)
}

// conditional expands the operators that test whether a parameter is set, or those
// with a colon, whether it is set and not empty: ${NAME+WORD} is the word if it is,
// ${NAME-WORD}, ${NAME=WORD} and ${NAME?WORD} are the value if it is, else the word,
// which = also assigns and ? makes an error.
func (e *expansion) conditional(name, value string, set bool, expression *syntax.Expansion) (string, error) {
	switch expression.Op {
	case syntax.AlternateUnsetOrNull, syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull, syntax.ErrorUnsetOrNull:
		set = set && value != ""
	}
	switch expression.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if !set {
			return "", nil
		}
		return e.sh.text(expression.Word)
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull,
		syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if set {
			return value, nil
		}
	default:
		return "", errSubstitution
	}
	word, err := e.sh.text(expression.Word)
	if err != nil {
		return "", err
	}
	switch expression.Op {
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if !syntax.ValidName(name) {
			return "", errSubstitution
		}
		return word, e.sh.set(name, word)
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if word == "" {
			word = "parameter null or not set"
		}
		e.sh.exited = true
		return "", fmt.Errorf("%s: %s", name, word)
	}
	return word, nil
}

// maxMatched bounds the text, in bytes, that patterns are tried on, since each
// prefix or suffix of it is tried.
const maxMatched = 4096

// trimPattern takes the shortest or longest match off one end of value.
func trimPattern(value, pattern string, op syntax.ParExpOperator) string {
	if len(value) > maxMatched {
		return value
	}
	suffix := op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix
	long := op == syntax.RemLargeSuffix || op == syntax.RemLargePrefix
	best := value
	for i := 0; i <= len(value); i++ {
		cut, rest := value[:i], value[i:]
		if suffix {
			cut, rest = value[len(value)-i:], value[:len(value)-i]
		}
		if matchPattern(pattern, cut) {
			best = rest
			if !long {
				break
			}
		}
	}
	return best
}

// matchPattern reports whether a shell pattern matches all of s; unlike in file
// names, * also matches slashes. A malformed pattern matches only itself.
func matchPattern(pattern, s string) bool {
	const slash = "\x00" // path.Match stops * only at /
	if len(pattern) > maxMatched || len(s) > maxMatched {
		return pattern == s
	}
	pattern = strings.ReplaceAll(strings.ReplaceAll(pattern, "[!", "[^"), "/", slash)
	ok, err := path.Match(pattern, strings.ReplaceAll(s, "/", slash))
	if err != nil {
		return pattern == s
	}
	return ok
}

// glob lists the files that a pattern matches, in order; when there are none, the
// pattern stays as it is.
func (sh *interpreter) glob(pattern string) []string {
	if len(pattern) > MaxPath {
		return nil
	}
	absolute := path.IsAbs(pattern)
	names := []string{""}
	if absolute {
		names = []string{"/"}
	}
	for _, element := range strings.Split(strings.Trim(pattern, "/"), "/") {
		var next []string
		for _, dir := range names {
			clean, err := sh.host.files.Resolve(sh.dir, dir+".")
			if err != nil {
				continue
			}
			entries, err := sh.host.files.List(clean)
			if err != nil {
				continue
			}
			for _, entry := range entries {
				if strings.HasPrefix(entry.Name, ".") != strings.HasPrefix(element, ".") {
					continue
				}
				if matchPattern(element, entry.Name) {
					next = append(next, dir+entry.Name+"/")
				}
			}
		}
		names = next
	}
	for i := range names {
		names[i] = strings.TrimSuffix(names[i], "/")
	}
	return names
}

var errArithmetic = errors.New("bad arithmetic expression")

// arithmetic evaluates $((…)) in 64 bits. A variable that is not a number is 0.
func (sh *interpreter) arithmetic(x syntax.ArithmExpr) (int64, error) {
	sh.depth++
	defer func() { sh.depth-- }()
	if sh.depth > maxDepth {
		return 0, errors.New("too deeply nested")
	}
	switch x := x.(type) {
	case *syntax.Word:
		text, err := sh.text(x)
		if err != nil {
			return 0, err
		}
		if syntax.ValidName(text) {
			text = sh.vars[text]
		}
		text = strings.TrimSpace(text)
		if text == "" {
			return 0, nil
		}
		number, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", strconv.Quote(text), errArithmetic)
		}
		return number, nil
	case *syntax.ParenArithm:
		return sh.arithmetic(x.X)
	case *syntax.UnaryArithm:
		return sh.unary(x)
	case *syntax.BinaryArithm:
		return sh.binaryArithmetic(x)
	}
	return 0, errArithmetic
}

func (sh *interpreter) unary(x *syntax.UnaryArithm) (int64, error) {
	value, err := sh.arithmetic(x.X)
	if err != nil {
		return 0, err
	}
	switch x.Op {
	case syntax.Plus:
		return value, nil
	case syntax.Minus:
		return -value, nil
	case syntax.Not:
		return truth(value == 0), nil
	case syntax.BitNegation:
		return ^value, nil
	case syntax.Inc, syntax.Dec:
		word, ok := x.X.(*syntax.Word)
		if !ok || !syntax.ValidName(word.Lit()) {
			return 0, errArithmetic
		}
		changed := value + 1
		if x.Op == syntax.Dec {
			changed = value - 1
		}
		if err := sh.set(word.Lit(), strconv.FormatInt(changed, 10)); err != nil {
			return 0, err
		}
		if x.Post {
			return value, nil
		}
		return changed, nil
	}
	return 0, errArithmetic
}

func (sh *interpreter) binaryArithmetic(x *syntax.BinaryArithm) (int64, error) {
	if x.Op == syntax.Assgn {
		return sh.assignArithmetic(x)
	}
	a, err := sh.arithmetic(x.X)
	if err != nil {
		return 0, err
	}
	b, err := sh.arithmetic(x.Y)
	if err != nil {
		return 0, err
	}
	switch x.Op {
	case syntax.Quo, syntax.Rem:
		if b == 0 {
			return 0, errors.New("divisor zero")
		}
		if x.Op == syntax.Rem {
			return a % b, nil
		}
		return a / b, nil
	case syntax.Eql, syntax.Neq, syntax.Lss, syntax.Gtr, syntax.Leq, syntax.Geq:
		return truth(compares(x.Op, a, b)), nil
	}
	return calculate(x.Op, a, b)
}

// assignArithmetic is NAME=EXPRESSION.
func (sh *interpreter) assignArithmetic(x *syntax.BinaryArithm) (int64, error) {
	word, ok := x.X.(*syntax.Word)
	if !ok || !syntax.ValidName(word.Lit()) {
		return 0, errArithmetic
	}
	value, err := sh.arithmetic(x.Y)
	if err != nil {
		return 0, err
	}
	return value, sh.set(word.Lit(), strconv.FormatInt(value, 10))
}

func compares(operator syntax.BinAritOperator, a, b int64) bool {
	switch operator {
	case syntax.Eql:
		return a == b
	case syntax.Neq:
		return a != b
	case syntax.Lss:
		return a < b
	case syntax.Gtr:
		return a > b
	case syntax.Leq:
		return a <= b
	}
	return a >= b
}

// calculate applies the operators that are defined for any two numbers.
func calculate(operator syntax.BinAritOperator, a, b int64) (int64, error) {
	switch operator {
	case syntax.Add:
		return a + b, nil
	case syntax.Sub:
		return a - b, nil
	case syntax.Mul:
		return a * b, nil
	case syntax.And:
		return a & b, nil
	case syntax.Or:
		return a | b, nil
	case syntax.Xor:
		return a ^ b, nil
	case syntax.Shl:
		return a << (uint64(b) & 63), nil
	case syntax.Shr:
		return a >> (uint64(b) & 63), nil
	case syntax.AndArit:
		return truth(a != 0 && b != 0), nil
	case syntax.OrArit:
		return truth(a != 0 || b != 0), nil
	}
	return 0, errArithmetic
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// unescape replaces the backslash sequences of echo and printf by their meaning.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i == len(s)-1 {
			out.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			out.WriteByte('\n')
		case 't':
			out.WriteByte('\t')
		case 'r':
			out.WriteByte('\r')
		case 'a':
			out.WriteByte(7)
		case 'b':
			out.WriteByte(8)
		case 'e':
			out.WriteByte(27)
		case '\\', '\'', '"':
			out.WriteByte(c)
		case '0', 'x':
			base, digits := 8, 3
			if c == 'x' {
				base, digits = 16, 2
			}
			end := i + 1
			for end < len(s) && end <= i+digits {
				if _, err := strconv.ParseUint(s[end:end+1], base, 8); err != nil {
					break
				}
				end++
			}
			number, err := strconv.ParseUint("0"+s[i+1:end], base, 16)
			if err != nil || c == 'x' && end == i+1 {
				out.WriteString(s[i-1 : end])
			} else {
				out.WriteByte(byte(number))
			}
			i = end - 1
		default:
			out.WriteByte('\\')
			out.WriteByte(c)
		}
	}
	return out.String()
}
