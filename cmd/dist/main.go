package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	root := flag.String("root", "../..", "the project's `folder`")
	out := flag.String("o", "../../dist", "the `folder` for what is built")
	flag.Parse()
	if err := run(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func run(root, out string) error {
	stage, err := os.MkdirTemp("", "tapwise-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	program := filepath.Join(stage, "tapwise")
	if err := command(root, "go", "build", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", program, "./cmd/tapwise"); err != nil {
		return err
	}
	r, err := read(program)
	if err != nil {
		return err
	}
	if err := r.stage(root, stage); err != nil {
		return err
	}
	var made []string
	for _, write := range []func(folder string) (string, error){r.deb, r.archive, r.sbom} {
		name, err := write(out)
		if err != nil {
			return err
		}
		made = append(made, name)
	}
	sums, err := checksums(out, made)
	if err != nil {
		return err
	}
	for _, name := range append(made, sums) {
		fmt.Println(filepath.Join(out, name))
	}
	return nil
}

// command runs a command in a folder and shows what it says only where it fails.
func command(folder, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir = folder
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, said)
	}
	return nil
}
