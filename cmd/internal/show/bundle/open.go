package bundle

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"tapwise/cmd/internal/console/cause"
)

// The bounds of a bundle from elsewhere. A level leaves some ten files of some megabytes.
const (
	maxBundle = 256 << 20 // bytes, packed
	maxFiles  = 1000
	maxFile   = 96 << 20  // bytes, of one file
	maxAll    = 768 << 20 // bytes, of all files
	maxText   = 16 << 20  // bytes, of an observation
)

// Is reports whether a name is that of a bundle.
func Is(name string) bool { return strings.EqualFold(filepath.Ext(name), ".zip") }

// Open unpacks the evidence in a bundle into a new folder, which the caller removes.
func Open(name string) (folder string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", cause.Input(err)
	}
	if info.Size() > maxBundle {
		return "", cause.Inputf("%s: %d bytes, expected at most %d", name, info.Size(), maxBundle)
	}
	archive, err := zip.OpenReader(name)
	if err != nil {
		return "", cause.Inputf("%s: %w", name, err)
	}
	defer archive.Close()
	if len(archive.File) > maxFiles {
		return "", cause.Inputf("%s: %d files, expected at most %d", name, len(archive.File), maxFiles)
	}
	into, err := os.MkdirTemp("", "tapwise-bundle-")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(into)
		}
	}()
	left, found := int64(maxAll), false
	for _, f := range archive.File {
		file := path.Base(f.Name)
		if path.Dir(f.Name) != evidenceFolder || strings.HasPrefix(file, ".") || strings.Contains(f.Name, `\`) || !f.Mode().IsRegular() {
			continue
		}
		n, err := unpack(f, filepath.Join(into, file), min(left, maxFile))
		if err != nil {
			return "", cause.Inputf("%s: %s: %w", name, f.Name, err)
		}
		left, found = left-n, true
	}
	if !found {
		return "", cause.Inputf("%s: no folder %q in it, expected a bundle with the evidence of a level", name, evidenceFolder)
	}
	return into, nil
}

// unpack writes one file, of at most limit bytes whatever the archive says of it.
func unpack(f *zip.File, to string, limit int64) (int64, error) {
	from, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer from.Close()
	data, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err != nil {
		return 0, err
	}
	if int64(len(data)) > limit {
		return 0, fmt.Errorf("more than %d bytes", limit)
	}
	return int64(len(data)), os.WriteFile(to, data, 0o600)
}
