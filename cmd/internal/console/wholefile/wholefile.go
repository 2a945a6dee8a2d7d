package wholefile

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"

	"tapwise/calibration"
	"tapwise/cmd/internal/console/cause"
)

// Write replaces a file. It writes a temporary file in the same folder, which
// must be there, and renames it.
func Write(name string, data []byte) error { return write(name, data, 0o644) }

// WritePrivate is Write for a file that only its user may read.
func WritePrivate(name string, data []byte) error { return write(name, data, 0o600) }

func write(name string, data []byte, mode os.FileMode) (err error) {
	defer func() { err = cause.Input(calibration.Naming(name, err)) }()
	temporary, err := os.CreateTemp(filepath.Dir(name), ".tapwise-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // finds nothing once the file was renamed
	_, err = temporary.Write(data)
	err = errors.Join(err, temporary.Chmod(mode), temporary.Close())
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), name)
}

// Encode replaces a file with what a function writes.
func Encode(name string, encode func(io.Writer) error) error {
	return encoded(name, encode, Write)
}

// EncodePrivate is Encode for a file that only its user may read.
func EncodePrivate(name string, encode func(io.Writer) error) error {
	return encoded(name, encode, WritePrivate)
}

func encoded(name string, encode func(io.Writer) error, write func(string, []byte) error) error {
	var data bytes.Buffer
	if err := encode(&data); err != nil {
		return err
	}
	return write(name, data.Bytes())
}

// WritePNG replaces a file with a picture as PNG.
func WritePNG(name string, picture image.Image) error {
	return Encode(name, func(to io.Writer) error { return png.Encode(to, picture) })
}
