package puzzlefile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"tapwise/cmd/internal/console/cause"
	"tapwise/configs/boundedfile"
	"tapwise/solvers"
)

// maxBytes is the size of the largest file that is read.
const maxBytes = 64 << 20

// Reader reads files.
type Reader struct {
	Stdin io.Reader // read in place of a file named "-"
}

// File reads a whole file, or standard input for "-". If nobody writes to the pipe that it
// reads, it waits until the context ends.
func (r Reader) File(ctx context.Context, name string) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() { // a pipe to which nobody writes holds this goroutine until the process ends
		var read result
		if name == "-" {
			read.data, read.err = boundedfile.ReadAll(r.Stdin, name, maxBytes)
		} else {
			read.data, read.err = boundedfile.ReadArgument(name, maxBytes)
		}
		done <- read
	}()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case read := <-done:
		if errors.Is(read.err, boundedfile.ErrTooLarge) {
			return nil, cause.Inputf("%s: larger than %d MiB, expected a file of puzzles or a picture", name, maxBytes>>20)
		}
		return read.data, cause.Input(read.err)
	}
}

// Puzzles reads the puzzles of files, of the files in folders, and of "-". The
// game says how to split a file's text; with nil every game is asked. A file
// without a puzzle is an error.
func (r Reader) Puzzles(ctx context.Context, names []string, game solvers.Game) ([]Puzzle, error) {
	var puzzles []Puzzle
	for _, name := range names {
		files, err := Files(name)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			data, err := r.File(ctx, file)
			if err != nil {
				return nil, err
			}
			found := []Puzzle{{File: file, Of: 1, Line: 1, Text: Text(data), Program: true}}
			if filepath.Ext(file) != ".tb" {
				found = Split(file, data, game)
			}
			if len(found) == 0 {
				return nil, cause.Inputf("%s: no puzzle in it", file)
			}
			puzzles = append(puzzles, found...)
		}
	}
	return puzzles, nil
}

// Files lists the file itself or, for a folder, the regular files in it and in
// its subfolders, sorted by name. A folder without any is an error.
func Files(name string) ([]string, error) {
	if name == "-" {
		return []string{name}, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, cause.Input(err)
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	var files []string
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: an empty folder", name)
	}
	return files, cause.Input(err)
}
