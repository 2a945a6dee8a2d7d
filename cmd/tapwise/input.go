package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tapwise/cmd/internal/recognise"
	"tapwise/configs/boundedfile"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

// maxInput is the most bytes read of one file of puzzles.
const maxInput = 64 << 20

// input is one puzzle of a file, or a whole picture.
type input struct {
	file  string
	index int // among the file's puzzles, from 0
	of    int // how many the file holds
	line  int // where it begins, from 1
	text  string
	image []byte // a picture instead of text
	// program says that the text is a SABR program.
	program bool
}

// name is the file, and which of its puzzles when there are several.
func (in input) name() string {
	if in.of > 1 {
		return fmt.Sprintf("%s#%d", in.file, in.index)
	}
	return in.file
}

// readInput reads a file whole; "-" is standard input. Where it waits for what
// writes to a pipe, the end of the context ends that.
func (a *app) readInput(ctx context.Context, name string) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() { // which a pipe that nobody writes to holds until the process ends
		var r result
		if name == "-" {
			r.data, r.err = boundedfile.ReadAll(a.in, name, maxInput)
		} else {
			r.data, r.err = boundedfile.ReadArgument(name, maxInput)
		}
		done <- r
	}()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case r := <-done:
		if errors.Is(r.err, boundedfile.ErrTooLarge) {
			return nil, badInputf("%s: larger than %d MiB, expected a file of puzzles or a picture", name, maxInput>>20)
		}
		return r.data, badInput(r.err)
	}
}

// inputs reads the puzzles of files, of the files in folders, and of "-".
func (a *app) inputs(ctx context.Context, names []string, game solvers.Game) ([]input, error) {
	var inputs []input
	for _, name := range names {
		files, err := filesBelow(name)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			data, err := a.readInput(ctx, file)
			if err != nil {
				return nil, err
			}
			found := []input{{file: file, of: 1, line: 1, text: textOf(data), program: true}}
			if filepath.Ext(file) != ".tb" {
				found = split(file, data, game)
			}
			if len(found) == 0 {
				return nil, badInputf("%s: no puzzle in it", file)
			}
			inputs = append(inputs, found...)
		}
	}
	return inputs, nil
}

// filesBelow is the file itself, or the files in a folder and its folders in
// the order of their names.
func filesBelow(name string) ([]string, error) {
	if name == "-" {
		return []string{name}, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, badInput(err)
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
	return files, badInput(err)
}

// isPicture tells a picture from text by its first bytes.
func isPicture(data []byte) bool {
	for _, magic := range []string{"\x89PNG", "\xff\xd8\xff", "RIFF", "GIF8", "BM"} {
		if bytes.HasPrefix(data, []byte(magic)) {
			return true
		}
	}
	return false
}

// split takes the puzzles of a file apart: blocks of lines between empty
// lines, less comments ("# " begins one).
func split(file string, data []byte, game solvers.Game) []input {
	if isPicture(data) {
		return []input{{file: file, of: 1, line: 1, image: data}}
	}
	var inputs []input
	var block []string
	first := 0
	flush := func() {
		if len(block) == 0 {
			return
		}
		line := first
		for _, part := range splitBlock(strings.Join(block, "\n"), game) {
			inputs = append(inputs, input{file: file, line: line, text: part})
			line += strings.Count(part, "\n") + 1
		}
		block = nil
	}
	for i, line := range strings.Split(textOf(data), "\n") {
		switch {
		case isComment(line):
			continue
		case line == "":
			flush()
			continue
		}
		if len(block) == 0 {
			first = i + 1
		}
		block = append(block, line)
	}
	flush()
	for i := range inputs {
		inputs[i].index, inputs[i].of = i, len(inputs)
	}
	return inputs
}

func isComment(line string) bool { return line == "#" || strings.HasPrefix(line, "# ") }

// textOf is the text of a file or of a stream, however it was saved: without
// byte order marks, of which there is another one at the beginning of each part
// where files were joined, and with lines that end in a line feed.
func textOf(data []byte) string {
	const byteOrderMark = "\ufeff"
	return strings.ReplaceAll(strings.ReplaceAll(string(data), byteOrderMark, ""), "\r\n", "\n")
}

// withoutComments is a file's text without comments and the empty lines around
// it.
func withoutComments(data []byte) string {
	lines := strings.Split(textOf(data), "\n")
	return strings.Trim(strings.Join(slices.DeleteFunc(lines, isComment), "\n"), "\n")
}

// trimRight is a text without the blanks at the ends of its lines. They mean
// something in some notations and are an accident in others.
func trimRight(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t")
	}
	return strings.Join(lines, "\n")
}

// splitBlock asks the games whether a block holds several puzzles. A line of
// blanks only is part of a puzzle or lies between two.
func splitBlock(block string, game solvers.Game) []string {
	if trimmed := trimRight(block); trimmed != block {
		if _, _, err := parse(block, game); err == nil {
			return []string{block}
		}
		var parts []string
		for _, part := range strings.Split(trimmed, "\n\n") {
			if part = strings.Trim(part, "\n"); part != "" {
				parts = append(parts, splitBlock(part, game)...)
			}
		}
		return parts
	}
	games := all.Games()
	if game != nil {
		games = []solvers.Game{game}
	}
	for _, g := range games {
		if s, ok := g.(solvers.Splitter); ok {
			if parts := s.Split(block); len(parts) > 1 {
				return parts
			}
		}
	}
	return []string{block}
}

// parse reads a puzzle's text, as the given game's or, when that is nil, as
// that of the first game whose notation it is.
func parse(text string, game solvers.Game) (solvers.Game, solvers.Puzzle, error) {
	if game != nil {
		p, err := game.Parse(text)
		return game, p, err
	}
	return recognise.Text(text, all.Games())
}

// parseSolution reads a solution's text, with or without the blanks at the
// ends of its lines.
func parseSolution(puzzle solvers.Puzzle, text string) (solvers.Solution, error) {
	solution, err := puzzle.ParseSolution(text)
	if err == nil {
		return solution, nil
	}
	if trimmed, trimErr := puzzle.ParseSolution(trimRight(text)); trimErr == nil {
		return trimmed, nil
	}
	return nil, err
}
