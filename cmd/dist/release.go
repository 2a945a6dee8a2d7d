package main

import (
	"bufio"
	"cmp"
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// release is a build of the program for one system.
type release struct {
	version  string
	system   string // such as debian12
	commit   string
	time     time.Time // of the commit
	build    *buildinfo.BuildInfo
	packages []library // Debian's, in which the libraries are that the program loads
	glibc    string    // the oldest version of the C library that has all that is called
	files    []file
}

// library is a package of Debian's, and the libraries in it that the program loads.
type library struct {
	Package, Version string
	Files            []string
}

// file is one of the files to install.
type file struct {
	source string // on this machine
	target string // below the root of a system
	mode   os.FileMode
}

// read tells what the program is and what it needs.
func read(program string) (*release, error) {
	r := &release{}
	var err error
	if r.build, err = buildinfo.ReadFile(program); err != nil {
		return nil, err
	}
	for _, s := range r.build.Settings {
		switch s.Key {
		case "vcs.revision":
			r.commit = s.Value
		case "vcs.time":
			if r.time, err = time.Parse(time.RFC3339, s.Value); err != nil {
				return nil, fmt.Errorf("the commit's time: %w", err)
			}
		case "vcs.modified":
			if s.Value == "true" {
				fmt.Fprintln(os.Stderr, "dist: the tree is not as committed: nobody can build this again")
			}
		}
	}
	if r.commit == "" {
		return nil, errors.New("the program does not tell its commit, expected a clone of the project with git")
	}
	said, err := exec.Command(program, "version", "--json").Output()
	if err != nil {
		return nil, fmt.Errorf("tapwise version: %w", err)
	}
	var told struct{ Tapwise string }
	if err := json.Unmarshal(said, &told); err != nil || told.Tapwise == "" {
		return nil, fmt.Errorf("tapwise version --json printed %s: %w", said, cmp.Or(err, errors.New("no version")))
	}
	r.version = told.Tapwise
	if r.system, err = system("/etc/os-release"); err != nil {
		return nil, err
	}
	return r, r.libraries(program)
}

// system names the system that a file like /etc/os-release tells.
func system(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	told := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), "=")
		told[key] = strings.Trim(value, `"`)
	}
	if err := lines.Err(); err != nil {
		return "", err
	}
	if told["ID"] == "" || told["VERSION_ID"] == "" {
		return "", fmt.Errorf("%s has no ID and VERSION_ID, expected a release of Debian or Ubuntu", name)
	}
	return told["ID"] + told["VERSION_ID"], nil
}

// libraries finds the packages of the libraries that the program itself names; those
// name what they need in turn.
func (r *release) libraries(program string) error {
	e, err := elf.Open(program)
	if err != nil {
		return err
	}
	defer e.Close()
	names, err := e.ImportedLibraries()
	if err != nil {
		return err
	}
	of := map[string]*library{}
	for _, name := range names {
		said, err := exec.Command("dpkg-query", "-S", "*/"+name).Output()
		if err != nil {
			return fmt.Errorf("no package has %s: %w", name, err)
		}
		line, _, _ := strings.Cut(string(said), "\n")
		owner, _, _ := strings.Cut(line, ":")
		if of[owner] == nil {
			version, err := exec.Command("dpkg-query", "-W", "-f", "${Version}\n", owner).Output()
			if err != nil {
				return fmt.Errorf("the version of %s: %w", owner, err)
			}
			first, _, _ := strings.Cut(string(version), "\n")
			of[owner] = &library{Package: owner, Version: first}
		}
		of[owner].Files = append(of[owner].Files, name)
	}
	for _, l := range of {
		r.packages = append(r.packages, *l)
	}
	slices.SortFunc(r.packages, func(a, b library) int { return strings.Compare(a.Package, b.Package) })
	symbols, err := e.ImportedSymbols()
	if err != nil {
		return err
	}
	for _, s := range symbols {
		if v, ok := strings.CutPrefix(s.Version, "GLIBC_"); ok && older(r.glibc, v) {
			r.glibc = v
		}
	}
	return nil
}

// older reports whether version a, such as 2.9, is older than b, such as 2.34.
func older(a, b string) bool {
	var numbers [2][3]int
	for i, text := range []string{a, b} {
		_, _ = fmt.Sscanf(text, "%d.%d.%d", &numbers[i][0], &numbers[i][1], &numbers[i][2]) // what is not there is 0
	}
	return slices.Compare(numbers[0][:], numbers[1][:]) < 0
}

// stage makes the files to install besides the program: completions of the shells,
// manual pages, units of systemd's, and documents.
func (r *release) stage(root, stage string) error {
	r.files = []file{{filepath.Join(stage, "tapwise"), programTarget, 0o755}}
	for shell, target := range map[string]string{
		"bash": "/usr/share/bash-completion/completions/tapwise",
		"zsh":  "/usr/share/zsh/vendor-completions/_tapwise",
		"fish": "/usr/share/fish/vendor_completions.d/tapwise.fish",
	} {
		text, err := exec.Command(filepath.Join(stage, "tapwise"), "completion", shell).Output()
		if err != nil {
			return fmt.Errorf("tapwise completion %s: %w", shell, err)
		}
		if err := r.add(filepath.Join(stage, "completion."+shell), target, text); err != nil {
			return err
		}
	}
	pages := filepath.Join(stage, "man")
	if err := command(".", filepath.Join(stage, "tapwise"), "manual", pages); err != nil {
		return err
	}
	entries, err := os.ReadDir(pages)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(pages, entry.Name()))
		if err != nil {
			return err
		}
		packed, err := zipped(text)
		if err != nil {
			return err
		}
		if err := r.add(filepath.Join(stage, entry.Name()+".gz"), "/usr/share/man/man1/"+entry.Name()+".gz", packed); err != nil {
			return err
		}
	}
	if err := r.add(filepath.Join(stage, "tapwise.desktop"), "/usr/share/applications/tapwise.desktop", []byte(desktopEntry)); err != nil {
		return err
	}
	licences, err := exec.Command(filepath.Join(stage, "tapwise"), "version", "--licences").Output()
	if err != nil {
		return fmt.Errorf("tapwise version --licences: %w", err)
	}
	if err := r.add(filepath.Join(stage, "copyright"), "/usr/share/doc/tapwise/copyright", licences); err != nil {
		return err
	}
	for source, target := range map[string]string{
		"README.md": "/usr/share/doc/tapwise/README.md", "CHANGELOG.md": "/usr/share/doc/tapwise/CHANGELOG.md",
		"configs/grafana-dashboard.json": "/usr/share/doc/tapwise/grafana-dashboard.json", "configs/prometheus-alerts.yml": "/usr/share/doc/tapwise/prometheus-alerts.yml",
		"cmd/dist/systemd/tapwise-hub.service":    "/usr/lib/systemd/user/tapwise-hub.service",
		"cmd/dist/systemd/tapwise-serve.service":  "/usr/lib/systemd/user/tapwise-serve.service",
		"cmd/dist/systemd/tapwise-worker.service": "/usr/lib/systemd/user/tapwise-worker.service",
	} {
		r.files = append(r.files, file{filepath.Join(root, source), target, 0o644})
	}
	slices.SortFunc(r.files, func(a, b file) int { return strings.Compare(a.target, b.target) })
	return nil
}

// desktopEntry opens the page; the terminal shows its address and ends it.
const desktopEntry = `[Desktop Entry]
Type=Application
Name=tapwise
Comment=Read, solve and play puzzles on an Android phone
Exec=tapwise serve
Terminal=true
Categories=Game;LogicGame;
Keywords=android;adb;puzzle;
`

// add writes a file into the stage and lists it.
func (r *release) add(source, target string, text []byte) error {
	r.files = append(r.files, file{source, target, 0o644})
	return os.WriteFile(source, text, 0o644)
}

// name is a name for what is made of the release.
func (r *release) name(ending string) string {
	return fmt.Sprintf("tapwise_%s_%s_%s%s", r.version, r.system, runtime.GOARCH, ending)
}
