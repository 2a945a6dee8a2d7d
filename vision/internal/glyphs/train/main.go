// Command train makes the model of package glyphs from the fonts of scenes.Train. It
// needs the Debian packages of scenes.Packages, and some minutes. Its numbers come from
// a seed, so that the same fonts make the same model.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"

	"tapwise/vision/internal/glyphs"
	"tapwise/vision/internal/glyphs/scenes"
)

func main() {
	out := flag.String("o", "model.txt", "file to write the model to")
	fonts := flag.String("fonts", "/usr/share/fonts", "folder with the fonts")
	count := flag.Int("scenes", 90000, "number of cells to draw")
	epochs := flag.Int("epochs", 16, "number of times that the networks see all of them")
	flag.Parse()
	if err := run(*out, *fonts, *count, *epochs); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(out, fonts string, count, epochs int) error {
	families, err := load(fonts)
	if err != nil {
		return err
	}
	samples := draw(rand.New(rand.NewPCG(1, 1)), families, count)
	fmt.Printf("%d families, %d shapes\n", len(families), len(samples))
	m := &glyphs.Model{}
	for seed := range uint64(2) {
		m.Nets = append(m.Nets, trainNet(rand.New(rand.NewPCG(2, seed)), samples, epochs))
	}
	keep(rand.New(rand.NewPCG(3, 1)), m, samples)
	if err := os.WriteFile(out, []byte(m.String()), 0o644); err != nil {
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
	for _, f := range scenes.Families {
		if f.Set != scenes.Train {
			continue
		}
		if byName[f.Name] == nil {
			return nil, fmt.Errorf("no fonts of %s below %s: apt-get install %s", f.Name, folder, scenes.Packages)
		}
		families = append(families, byName[f.Name])
	}
	return families, nil
}
