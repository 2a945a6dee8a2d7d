package boundedyaml

import (
	"fmt"
	"strings"
	"testing"
)

// bomb is a document in which every list names the list before it several times.
func bomb(lists, times int) string {
	text := "l0: &l0 [x]\n"
	for i := 1; i <= lists; i++ {
		text += fmt.Sprintf("l%d: &l%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*l%d, ", i-1), times), ", "))
	}
	return text
}

func TestParse(t *testing.T) {
	const deep = "values nested deeper than 32 levels"
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"comments", "# nothing\n", ""},
		{"a mapping", "a: {b: [1, 2]}\n", ""},
		{"as deep as may be", strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), ""},
		{"a level more", strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1), deep},
		{"9000 lists", strings.Repeat("[", 9000) + strings.Repeat("]", 9000), deep},
		{"9000 mappings", strings.Repeat("{a: ", 9000) + strings.Repeat("}", 9000), deep},
		{"9000 dashes", strings.Repeat("- ", 9000) + "x", deep},
		{"9000 keys", strings.Repeat("? ", 9000) + "x", deep},
		{"more than the library allows", strings.Repeat("[", 20000), "exceeded max depth"},
		{"an alias", "a: &a [1]\nb: *a\n", ""},
		{"a chain of aliases", bomb(40, 1), deep},
		{"a deep value that holds a deep alias", bomb(28, 1) + "y: [[[*l28]]]\n", deep},
		{"laughs", bomb(9, 10), "more than 4096 values with aliases expanded"},
		{"many values", strings.Repeat("- x\n", maxValues), "more than 4096 values"},
		{"a value that contains itself", "a: &a [*a]\n", "contains itself"},
		{"two documents", "a: 1\n---\nb: 2\n", "more than one document"},
		{"a document and its end", "a: 1\n...\n", ""},
		{"broken", "a: [", "line 1"},
		{"large", strings.Repeat("#\n", MaxBytes/2) + "#", "larger than 1024 KiB"},
	} {
		_, err := Parse([]byte(test.text))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, expected %q", test.name, err, test.want)
		}
	}
}
