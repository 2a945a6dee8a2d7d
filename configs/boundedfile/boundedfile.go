// Package boundedfile reads files that come from elsewhere: a user's
// configuration and profiles, pictures, folders of evidence that somebody sent.
// What it reads is bounded, and never waits for a writer, unless the caller
// says that it may.
//
//	text, err := boundedfile.Read(name, 1<<20)           // a regular file or a link to one
//	data, err := boundedfile.ReadIn(folder, name, limit) // a file of an untrusted folder: no links
//	data, err := boundedfile.ReadArgument(name, limit)   // from the command line: <(…) works
package boundedfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

var (
	// ErrTooLarge is the error for more bytes than allowed.
	ErrTooLarge = errors.New("too large")
	// ErrNotRegular is the error for a folder, pipe, device or link where a regular
	// file was expected.
	ErrNotRegular = errors.New("not a regular file")
)

// Read reads a whole regular file, or the one that a link leads to: at most limit
// bytes. Errors name the file.
func Read(name string, limit int64) ([]byte, error) {
	if err := checkRegular(name); err != nil {
		return nil, err
	}
	// Since the check, the file may have been exchanged for a pipe: opening must
	// not wait, and the opened file is checked again.
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readRegular(file, name, limit)
}

// checkRegular returns an error unless a name leads to a regular file. It opens
// nothing, since opening is enough to set some devices off.
func checkRegular(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return regular(name, info)
}

// ReadIn reads a whole regular file in a folder: at most limit bytes. The name
// cannot lead out of the folder, and a link in it is not followed.
func ReadIn(folder, name string, limit int64) ([]byte, error) {
	file, err := OpenIn(folder, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readRegular(file, file.Name(), limit)
}

// OpenIn opens a regular file as ReadIn does. The caller closes it.
func OpenIn(folder, name string) (*os.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	expected, err := root.Lstat(name)
	if err != nil {
		return nil, within(folder, err)
	}
	if err := regular(name, expected); err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, within(folder, err)
	}
	// Between the check and opening, a link may have taken its place.
	opened, err := file.Stat()
	if err == nil && !os.SameFile(expected, opened) {
		err = fmt.Errorf("%s: %s was exchanged while it was opened", folder, name)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// within has an error name the file with its folder.
func within(folder string, err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return &fs.PathError{Op: of.Op, Path: filepath.Join(folder, of.Path), Err: of.Err}
	}
	return err
}

// ReadArgument reads the file that a name on the command line leads to: at most
// limit bytes. It may be a pipe, such as the shell's <(…): whoever names one means
// to wait for its writer.
func ReadArgument(name string, limit int64) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadAll(file, name, limit)
}

// ReadAll reads a stream to its end: at most limit bytes. The name is for messages.
func ReadAll(r io.Reader, name string, limit int64) ([]byte, error) {
	var data bytes.Buffer
	if file, ok := r.(*os.File); ok { // taken in one piece where its size is known
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			data.Grow(int(min(info.Size(), limit)) + bytes.MinRead)
		}
	}
	if _, err := data.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, err
	}
	if int64(data.Len()) > limit {
		return nil, tooLarge(name, limit)
	}
	return data.Bytes(), nil
}

// readRegular checks the type and the size of an open file before it reads it. The
// size may be wrong: files in /proc have size 0.
func readRegular(file *os.File, name string, limit int64) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if err := regular(name, info); err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, tooLarge(name, limit)
	}
	return ReadAll(file, name, limit)
}

func regular(name string, info fs.FileInfo) error {
	mode := info.Mode()
	what := ""
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSymlink != 0:
		what = "a link"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	default:
		what = "a device"
	}
	return fmt.Errorf("%s is %s: %w", name, what, ErrNotRegular)
}

func tooLarge(name string, limit int64) error {
	return fmt.Errorf("%s: %w, expected at most %d bytes", name, ErrTooLarge, limit)
}
