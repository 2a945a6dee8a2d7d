package wholefile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/wholefile"
)

// TestWrite names the file that could not be written, never the temporary one,
// and leaves nothing behind.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	taken := filepath.Join(folder, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "by a folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		is   error
	}{
		{filepath.Join(folder, "missing", "a.png"), fs.ErrNotExist},
		{taken, fs.ErrExist},
	} {
		err := wholefile.Write(test.name, []byte("text"))
		var input cause.InputError
		if !errors.Is(err, test.is) || !strings.HasPrefix(err.Error(), test.name+": ") || strings.Contains(err.Error(), ".tapwise-") || !errors.As(err, &input) {
			t.Errorf("%v, expected one of %s: %v", err, test.name, test.is)
		}
	}
	if left, err := filepath.Glob(filepath.Join(folder, ".tapwise-*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left behind, %v", left, err)
	}
}
