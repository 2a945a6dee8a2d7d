package described

import (
	"strings"
	"testing"
)

// TestCarried opens a description that arrived, and refuses one that is not whole.
func TestCarried(t *testing.T) {
	g := shipped(t, "kurodoko")
	c := Carry(g)
	again, err := c.Open(g.Name())
	if err != nil {
		t.Fatal(err)
	}
	if again.Source() != g.Source() || again.Name() != g.Name() {
		t.Errorf("%s arrives as %s", g.Name(), again.Name())
	}
	for text, want := range map[string]string{
		strings.Replace(c.Text, "number white", "number  white", 1): "digest",
		strings.Repeat("#", maxSource+1):                            "bytes",
	} {
		if _, err := (&Carried{text, c.Digest}).Open("x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes: %v, expected its %s", len(text), err, want)
		}
	}
	var none *Carried
	if err := none.Check(); err != nil {
		t.Error(err)
	}
}
