package newgame

import (
	_ "embed" // the description that one begins with
	"errors"
	"fmt"
	"os"

	"tapwise/solvers/described"
)

//go:embed described.star
var description []byte

// Describe writes a file that describes a game, which is whole: it solves, reads and plays a game
// that is to be changed. It overwrites none.
func Describe(file, title string) error {
	if name := described.NameOf(file); !nameOf.MatchString(name) {
		return fmt.Errorf("a game called %q, expected lower case letters", name)
	}
	if err := checkTitle(title); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(filled(description, "", title))
	return errors.Join(err, f.Close())
}
