package described

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"tapwise/solvers"
)

// Carried is a description on its way to another machine, where the file may be another one or
// none.
type Carried struct {
	Text   string `json:"text"`
	Digest string `json:"sha256"` // of the text, in hexadecimal
}

// Carry is a game's description; nil for a game that is programmed.
func Carry(g solvers.Game) *Carried {
	described, ok := g.(*Game)
	if !ok {
		return nil
	}
	return &Carried{described.source, digest(described.source)}
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Check fails if the text is too long, or not the one whose digest this is. Nil is right.
func (c *Carried) Check() error {
	switch {
	case c == nil:
		return nil
	case len(c.Text) > maxSource:
		return fmt.Errorf("a description of %d bytes, expected at most %d", len(c.Text), maxSource)
	case c.Digest != digest(c.Text):
		return fmt.Errorf("a description with the digest %s, expected %.80q as was said", digest(c.Text), c.Digest)
	}
	return nil
}

// Open makes the game of that name.
func (c *Carried) Open(name string) (*Game, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	return Load(name+Extension, []byte(c.Text))
}
