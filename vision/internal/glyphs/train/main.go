// Command train makes the model of package glyphs from the fonts of scenes.Train. It
// needs the Debian packages of scenes.Packages, and some minutes. Its numbers come from
// a seed, so that the same fonts make the same model.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"tapwise/vision/internal/glyphs"
	"tapwise/vision/internal/glyphs/scenes"
)

func main() {
	out := flag.String("o", "model.bin", "file to write the model to")
	fonts := flag.String("fonts", "/usr/share/fonts", "folder with the fonts")
	count := flag.Int("scenes", 70000, "number of cells to draw")
	epochs := flag.Int("epochs", 6, "number of times that the networks see all of them")
	flag.Parse()
	if err := run(*out, *fonts, *count, *epochs); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// chunkScenes is how many cells are drawn from one seed.
const chunkScenes = 2000

func run(out, fonts string, count, epochs int) error {
	families, err := load(fonts)
	if err != nil {
		return err
	}
	var samples []sample
	for chunk := range uint64(count / chunkScenes) {
		samples = append(samples, draw(rand.New(rand.NewPCG(1, chunk)), families, chunkScenes)...)
	}
	fmt.Printf("%d families, %d shapes\n", len(families), len(samples))
	var m glyphs.Model
	for seed := range uint64(2) {
		m = append(m, trainNet(rand.New(rand.NewPCG(2, seed)), samples, epochs))
	}
	if err := os.WriteFile(out, m.Pack(), 0o644); err != nil {
		return fmt.Errorf("write the model: %w", err)
	}
	return nil
}

// load loads the fonts of the families to train with, family by family. Every family has
// to be there.
func load(folder string) ([][]scenes.Font, error) {
	fonts, err := scenes.Load(folder, scenes.Train)
	if err != nil {
		return nil, err
	}
	byName := map[string][]scenes.Font{}
	for _, f := range fonts {
		byName[f.Family] = append(byName[f.Family], f)
	}
	var families [][]scenes.Font
	for _, family := range strings.Fields(scenes.Families[scenes.Train]) {
		if byName[family] == nil {
			return nil, fmt.Errorf("no fonts %s… below %s: apt-get install %s", family, folder, scenes.Packages)
		}
		families = append(families, byName[family])
	}
	return families, nil
}
