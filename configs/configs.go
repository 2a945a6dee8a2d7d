package configs

import (
	"embed"
	"fmt"
)

// Default is the configuration in force where no file, environment variable or
// flag says otherwise, in YAML.
//
//go:embed default.yaml
var Default []byte

//go:embed packs
var packs embed.FS

// Pack is the pack of levels that comes with tapwise for a game, and its name.
// All of them were made by the game's own generator.
func Pack(game string) (levels []byte, name string, err error) {
	name = "packs/" + game + ".txt"
	levels, err = packs.ReadFile(name)
	if err != nil {
		return nil, "", fmt.Errorf("configs: no pack of levels comes with tapwise for %s", game)
	}
	return levels, name, nil
}
