package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

const (
	summary    = "read, solve and play puzzles on an Android phone"
	maintainer = "The tapwise developers <tapwise@localhost>"
)

const description = summary + `
tapwise reads the puzzle on the screen of an Android phone over adb, solves it
with its own constraint engine and plays the solution, level after level.
Access to phones over USB needs the udev rules of the package
android-sdk-platform-tools-common, which is recommended.`

// deb writes the package.
func (r *release) deb(folder string) (string, error) {
	info := &nfpm.Info{
		Name: "tapwise", Arch: runtime.GOARCH, Platform: "linux", Version: r.version, Release: "1~" + r.system,
		Section: "games", Priority: "optional", Maintainer: maintainer, Description: description, License: "MIT", MTime: r.time,
	}
	info.Depends = r.depends()
	info.Recommends = []string{"android-sdk-platform-tools-common"}
	for _, f := range r.files {
		info.Contents = append(info.Contents, &files.Content{Source: f.source, Destination: f.target,
			FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: f.mode, MTime: r.time}})
	}
	info = nfpm.WithDefaults(info)
	if err := nfpm.PrepareForPackager(info, deb.Default.ConventionalExtension()[1:]); err != nil {
		return "", err
	}
	var packed bytes.Buffer
	if err := deb.Default.Package(info, &packed); err != nil {
		return "", err
	}
	name := r.name(".deb")
	return name, os.WriteFile(filepath.Join(folder, name), packed.Bytes(), 0o644)
}

// depends are the packages that the program needs: those of its libraries, and adb.
func (r *release) depends() []string {
	depends := []string{"adb"}
	for _, l := range r.packages {
		need := l.Package
		if l.Package == "libc6" {
			need += " (>= " + r.glibc + ")"
		}
		depends = append(depends, need)
	}
	return depends
}

// archive writes the same files as a tar archive, whose folders are those below /usr, and
// a launcher that names the packages that are missing.
func (r *release) archive(folder string) (string, error) {
	var plain bytes.Buffer
	w := tar.NewWriter(&plain)
	top := strings.TrimSuffix(r.name(""), "/")
	add := func(target string, mode os.FileMode, data []byte) error {
		err := w.WriteHeader(&tar.Header{Name: path.Join(top, strings.TrimPrefix(target, "/usr/")), Mode: int64(mode), Size: int64(len(data)), ModTime: r.time, Format: tar.FormatPAX})
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	for _, f := range r.files {
		data, err := os.ReadFile(f.source)
		if err == nil && f.target == programTarget {
			err = add(programTarget, f.mode, []byte(r.launcher()))
			f.target = behindTarget
		}
		if err == nil {
			err = add(f.target, f.mode, data)
		}
		if err != nil {
			return "", err
		}
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	packed, err := zipped(plain.Bytes())
	if err != nil {
		return "", err
	}
	name := r.name(".tar.gz")
	return name, os.WriteFile(filepath.Join(folder, name), packed, 0o644)
}

// zipped compresses data, without a name or a time.
func zipped(data []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close()) // which writes the rest
	return packed.Bytes(), err
}

// sbom writes what is in the program: the Go modules, and the packages of the libraries
// that it loads.
func (r *release) sbom(folder string) (string, error) {
	program := cdx.Component{BOMRef: "tapwise", Type: cdx.ComponentTypeApplication, Name: "tapwise", Version: r.version, Description: summary}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: r.time.UTC().Format("2006-01-02T15:04:05Z"), Component: &program,
		Properties: &[]cdx.Property{{Name: "commit", Value: r.commit}, {Name: "go", Value: r.build.GoVersion}, {Name: "system", Value: r.system}}}
	var parts []cdx.Component
	for _, m := range r.build.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, part("pkg:golang/"+m.Path+"@"+m.Version, m.Path, m.Version))
	}
	distribution := strings.TrimRight(r.system, ".0123456789")
	for _, l := range r.packages {
		parts = append(parts, part(fmt.Sprintf("pkg:deb/%s/%s@%s?arch=%s", distribution, l.Package, l.Version, runtime.GOARCH), l.Package, l.Version))
	}
	bom.Components = &parts
	var needs []string
	for _, p := range parts {
		needs = append(needs, p.BOMRef)
	}
	bom.Dependencies = &[]cdx.Dependency{{Ref: program.BOMRef, Dependencies: &needs}}
	var text bytes.Buffer
	if err := cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return "", err
	}
	name := r.name(".cdx.json")
	return name, os.WriteFile(filepath.Join(folder, name), text.Bytes(), 0o644)
}

func part(url, name, version string) cdx.Component {
	return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: name, Version: version, PackageURL: url}
}

// checksums writes the checksums of files, in the form that sha256sum -c reads.
func checksums(folder string, names []string) (string, error) {
	var text strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(data), name)
	}
	const sums = "SHA256SUMS"
	return sums, os.WriteFile(filepath.Join(folder, sums), []byte(text.String()), 0o644)
}
