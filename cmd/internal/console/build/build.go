package build

import (
	"reflect"
	"regexp"
	"runtime/debug"
	"strings"
	"time"
)

// Release is the version in CHANGELOG.md that the code is or leads to.
const Release = "0.1.0"

// Info is what is known of a build. What is not known is empty.
type Info struct {
	Version  string            // of a tagged module or the release, without a leading v
	Commit   string            // the commit's name, whole
	Time     time.Time         // when it was made
	Modified bool              // whether the tree was not as committed
	Modules  map[string]string // the versions of the modules in the program, by their paths
}

// tagged matches versions that somebody gave, unlike those that the go command makes of
// a commit's time and name.
var tagged = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(rc|beta|alpha)\.?\d*)?$`)

// Read returns what the go command put into the running program.
func Read() Info {
	b, _ := debug.ReadBuildInfo() // nil where there is none, as in some tests
	return of(b)
}

func of(b *debug.BuildInfo) Info {
	info := Info{Version: Release, Modules: map[string]string{}}
	if b == nil {
		return info
	}
	if tagged.MatchString(b.Main.Version) {
		info.Version = strings.TrimPrefix(b.Main.Version, "v")
	}
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			info.Commit = s.Value
		case "vcs.time":
			info.Time, _ = time.Parse(time.RFC3339, s.Value) // else it stays unknown
		case "vcs.modified":
			info.Modified = s.Value == "true"
		}
	}
	for _, m := range b.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		info.Modules[m.Path] = m.Version
	}
	return info
}

// shortCommit is how many digits of a commit's name are told.
const shortCommit = 12

// String is the version with the commit, its day, and whether the tree was changed.
func (i Info) String() string {
	var from []string
	if i.Commit != "" {
		from = append(from, "commit "+i.Commit[:min(len(i.Commit), shortCommit)])
	}
	if !i.Time.IsZero() {
		from = append(from, i.Time.UTC().Format(time.DateOnly))
	}
	if i.Modified {
		from = append(from, "modified")
	}
	if len(from) == 0 {
		return i.Version
	}
	return i.Version + " (" + strings.Join(from, ", ") + ")"
}

// Path is the path of tapwise's own module, which packages' paths begin with.
func Path() string {
	return strings.TrimSuffix(reflect.TypeFor[Info]().PkgPath(), "/cmd/internal/console/build")
}

// Module is the version of a module in the program, "unknown" where it is not known.
func (i Info) Module(path string) string {
	if v := i.Modules[path]; v != "" {
		return v
	}
	return "unknown"
}
