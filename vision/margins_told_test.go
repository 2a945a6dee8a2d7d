package vision

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// limitsOf are the names and the values of the limits in the finders' blocks, as
// docs/margins.md writes them, from this package's files.
func limitsOf(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	limits := map[string]string{}
	value := func(name string, at ast.Expr) {
		literal, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(at))
		if err != nil || literal.Value == nil {
			t.Errorf("%s: %s is no constant (%v)", name, types.ExprString(at), err)
			return
		}
		number, _ := constant.Float64Val(constant.ToFloat(literal.Value))
		limits[name] = fmt.Sprintf("%.4g", number)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 || !strings.HasSuffix(spec.Names[0].Name, "Limits") {
				return true
			}
			block := strings.TrimSuffix(spec.Names[0].Name, "Limits")
			for _, element := range spec.Values[0].(*ast.CompositeLit).Elts {
				field := element.(*ast.KeyValueExpr)
				name := block + "." + field.Key.(*ast.Ident).Name
				list, ok := field.Value.(*ast.CompositeLit)
				if !ok {
					value(name, field.Value)
					continue
				}
				for i, one := range list.Elts {
					value(fmt.Sprintf("%s[%d]", name, i), one)
				}
			}
			return false
		})
	}
	return limits
}

// TestMarginsTold expects each limit in the table of docs/margins.md, with the value
// that it has, and no other limit there.
func TestMarginsTold(t *testing.T) {
	const page = "../docs/margins.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "```\n")
	table, _, _ = strings.Cut(table, "```\n")
	limits := limitsOf(t)
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		fields := strings.Fields(line)
		name := fields[0]
		switch value, ok := limits[name]; {
		case !ok:
			t.Errorf("%s tells of %s, which is no limit", page, name)
		case len(fields) < 2 || fields[1] != value:
			t.Errorf("%s: %q, but %s is %s now", page, line, name, value)
		}
		delete(limits, name)
	}
	for name := range limits {
		t.Errorf("%s lacks %s: run make margins LIMIT=%s", page, name, name)
	}
}
