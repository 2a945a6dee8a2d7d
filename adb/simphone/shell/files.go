package simphone

import (
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// fileError is an error of the file system in the words of the phone's C library.
type fileError string

func (e fileError) Error() string { return string(e) }

const (
	errNotExist    = fileError("No such file or directory")
	errExist       = fileError("File exists")
	errReadOnly    = fileError("Read-only file system")
	errIsDirectory = fileError("Is a directory")
	errNotDir      = fileError("Not a directory")
	errNotEmpty    = fileError("Directory not empty")
	errNoSpace     = fileError("No space left on device")
	errNameLength  = fileError("File name too long")
	errUnsupported = fileError("Operation not permitted")
	errLinkLoop    = fileError("Too many symbolic links encountered")
	errInvalid     = fileError("Invalid argument")
)

const (
	maxPath  = 1024
	maxFiles = 4096
	maxLinks = 40 // links followed on the way to one file, the kernel's limit

	modeDirectory = 0o040000
	modeRegular   = 0o100000
	modeLink      = 0o120000
	modeTypes     = 0o170000

	nullDevice = "/dev/null"
)

// fileSystem keeps the phone's files in memory, within bounds.
type fileSystem struct {
	clock func() time.Time
	limit int64

	mu    sync.Mutex
	used  int64
	nodes map[string]*fileNode // by clean absolute path
}

// fileNode is a file, a directory, or a link, whose data is its target. Data is
// only ever appended to, so a reader may keep the slice it saw.
type fileNode struct {
	mode    uint32 // type and permissions, as in struct stat
	data    []byte
	changed time.Time
	gone    bool // removed or replaced: writes to it are lost
}

func (n *fileNode) directory() bool { return n.mode&modeTypes == modeDirectory }
func (n *fileNode) link() bool      { return n.mode&modeTypes == modeLink }

// fileEntry is one entry of a listing.
type fileEntry struct {
	name    string
	mode    uint32
	size    int64
	changed time.Time
	target  string // of a link
}

func (e fileEntry) directory() bool { return e.mode&modeTypes == modeDirectory }
func (e fileEntry) link() bool      { return e.mode&modeTypes == modeLink }

// sharedStorage is the real location of the files in /sdcard.
const sharedStorage = "/storage/emulated/0"

func newFileSystem(limit int64, clock func() time.Time) *fileSystem {
	f := &fileSystem{clock: clock, limit: limit, nodes: make(map[string]*fileNode)}
	for _, dir := range []string{"/", "/data", "/data/local", "/data/local/tmp", "/dev", "/mnt", "/proc", "/storage",
		"/storage/emulated", sharedStorage, sharedStorage + "/DCIM", sharedStorage + "/Download", sharedStorage + "/Pictures",
		"/storage/self", "/system", "/system/bin", "/system/etc", "/vendor"} {
		f.nodes[dir] = &fileNode{mode: modeDirectory | 0o771, changed: clock()}
	}
	for link, target := range map[string]string{
		"/sdcard": "/storage/self/primary", "/storage/self/primary": sharedStorage, "/mnt/sdcard": "/storage/self/primary",
		"/bin": "/system/bin", "/etc": "/system/etc",
	} {
		f.nodes[link] = &fileNode{mode: modeLink | 0o777, data: []byte(target), changed: clock()}
	}
	return f
}

// resolve makes a path absolute and clean, and follows every link in it. The result
// need not exist.
func (f *fileSystem) resolve(dir, name string) (string, error) {
	return f.walk(dir, name, true)
}

// resolveLink is resolve for operations on a link itself, not on its target. A path
// with a slash at the end still leads to the target.
func (f *fileSystem) resolveLink(dir, name string) (string, error) {
	return f.walk(dir, name, false)
}

// resolveFile is resolve for a file that is created if it does not exist: a slash
// at the end then asks for a directory.
func (f *fileSystem) resolveFile(dir, name string) (string, error) {
	clean, err := f.resolve(dir, name)
	if err == nil && strings.HasSuffix(name, "/") {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.nodes[clean] == nil {
			return "", errIsDirectory
		}
	}
	return clean, err
}

// walk goes from element to element, as the kernel does: every element before the
// last has to be a directory, and also the last if a slash follows it.
func (f *fileSystem) walk(dir, name string, follow bool) (string, error) {
	if name == "" {
		return "", errNotExist
	}
	if len(name) > maxPath {
		return "", errNameLength
	}
	if !path.IsAbs(name) {
		name = dir + "/" + name
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	at, links := "/", 0
	for rest := strings.Split(name, "/"); len(rest) > 0; {
		element := rest[0]
		rest = rest[1:]
		node := f.nodes[at]
		switch {
		case node != nil && !node.directory():
			return "", errNotDir
		case node == nil && element == "..":
			return "", errNotExist
		}
		switch element {
		case "", ".":
			continue
		case "..":
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, element)
		if len(next) > maxPath {
			return "", errNameLength
		}
		node = f.nodes[next]
		if node == nil || !node.link() || len(rest) == 0 && !follow {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", errLinkLoop
		}
		target := string(node.data)
		if path.IsAbs(target) {
			at = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return at, nil
}

// linkable is where links can be made; shared storage has none.
const linkable = "/data/local/tmp/"

func writable(clean string) bool {
	return strings.HasPrefix(clean, sharedStorage+"/") || strings.HasPrefix(clean, linkable)
}

// stat describes one file. Like all methods it takes a path from resolve.
func (f *fileSystem) stat(clean string) (fileEntry, error) {
	if clean == nullDevice {
		return fileEntry{name: clean, mode: 0o020666, changed: f.clock()}, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	node := f.nodes[clean]
	if node == nil {
		return fileEntry{}, f.missing(clean)
	}
	return entryOf(path.Base(clean), node), nil
}

// missing explains why there is no node: a parent may be a file.
func (f *fileSystem) missing(clean string) error {
	for dir := path.Dir(clean); dir != "/"; dir = path.Dir(dir) {
		if node := f.nodes[dir]; node != nil && !node.directory() {
			return errNotDir
		}
	}
	return errNotExist
}

func entryOf(name string, node *fileNode) fileEntry {
	entry := fileEntry{name: name, mode: node.mode, size: int64(len(node.data)), changed: node.changed}
	switch {
	case node.directory():
		entry.size = 4096
	case node.link():
		entry.target = string(node.data)
	}
	return entry
}

// list returns the entries of a directory, sorted by name.
func (f *fileSystem) list(clean string) ([]fileEntry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	node := f.nodes[clean]
	switch {
	case node == nil:
		return nil, f.missing(clean)
	case !node.directory():
		return nil, errNotDir
	}
	var entries []fileEntry
	for name, node := range f.nodes {
		if name != "/" && path.Dir(name) == clean {
			entries = append(entries, entryOf(path.Base(name), node))
		}
	}
	slices.SortFunc(entries, func(a, b fileEntry) int { return strings.Compare(a.name, b.name) })
	return entries, nil
}

// read returns a file's current content; the caller must not change it.
func (f *fileSystem) read(clean string) ([]byte, error) {
	if clean == nullDevice {
		return nil, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	node := f.nodes[clean]
	switch {
	case node == nil:
		return nil, f.missing(clean)
	case node.directory():
		return nil, errIsDirectory
	}
	return node.data[:len(node.data):len(node.data)], nil
}

// remove deletes a file or an empty directory.
func (f *fileSystem) remove(clean string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	node := f.nodes[clean]
	if node == nil {
		return f.missing(clean)
	}
	if !writable(clean) {
		return errReadOnly
	}
	if node.directory() {
		for name := range f.nodes {
			if path.Dir(name) == clean {
				return errNotEmpty
			}
		}
	}
	f.forget(clean)
	return nil
}

// forget takes a node out of the tree and frees its bytes.
func (f *fileSystem) forget(clean string) {
	if node := f.nodes[clean]; node != nil {
		node.gone = true
		f.used -= int64(len(node.data))
		delete(f.nodes, clean)
	}
}

// setMode changes the permissions of a file. Those on shared storage are fixed, and
// trying to change them is no error.
func (f *fileSystem) setMode(clean string, permissions uint32) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	node, err := f.changeable(clean)
	if err == nil && strings.HasPrefix(clean, linkable) {
		node.mode = node.mode&modeTypes | permissions&0o7777
	}
	return err
}

// setChanged sets the time of a file's last change.
func (f *fileSystem) setChanged(clean string, at time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	node, err := f.changeable(clean)
	if err == nil {
		node.changed = at
	}
	return err
}

// changeable finds a node whose properties may be changed; the caller holds mu.
func (f *fileSystem) changeable(clean string) (*fileNode, error) {
	found := f.nodes[clean]
	switch {
	case found == nil:
		return nil, f.missing(clean)
	case !writable(clean):
		return nil, errReadOnly
	}
	return found, nil
}

// move renames a file, a link, or a folder with everything in it.
func (f *fileSystem) move(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	node, old, parent := f.nodes[from], f.nodes[to], f.nodes[path.Dir(to)]
	switch {
	case node == nil:
		return f.missing(from)
	case from == to:
		return nil
	case !writable(from) || !writable(to):
		return errReadOnly
	case parent == nil:
		return f.missing(to)
	case !parent.directory():
		return errNotDir
	case strings.HasPrefix(to, from+"/"):
		return errInvalid
	case node.link() && !strings.HasPrefix(to, linkable):
		return errUnsupported
	case old != nil && old.directory() && !node.directory():
		return errIsDirectory
	case old != nil && node.directory():
		return errExist
	}
	f.forget(to)
	for name, moved := range maps.Clone(f.nodes) {
		if name == from || strings.HasPrefix(name, from+"/") {
			delete(f.nodes, name)
			f.nodes[to+name[len(from):]] = moved
		}
	}
	return nil
}

// makeLink makes a symbolic link; with force, it replaces a file.
func (f *fileSystem) makeLink(target, clean string, force bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	old, parent := f.nodes[clean], f.nodes[path.Dir(clean)]
	switch {
	case old != nil && (!force || old.directory()):
		return errExist
	case parent == nil:
		return f.missing(clean)
	case !parent.directory():
		return errNotDir
	case !writable(clean):
		return errReadOnly
	case !strings.HasPrefix(clean, linkable):
		return errUnsupported
	case len(target) > maxPath:
		return errNameLength
	case old == nil && len(f.nodes) >= maxFiles, f.used+int64(len(target)) > f.limit:
		return errNoSpace
	}
	f.forget(clean)
	f.used += int64(len(target))
	f.nodes[clean] = &fileNode{mode: modeLink | 0o777, data: []byte(target), changed: f.clock()}
	return nil
}

// makeDirectory makes a directory; with parents, also those above it.
func (f *fileSystem) makeDirectory(clean string, parents bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.nodes[clean] != nil {
		if parents && f.nodes[clean].directory() {
			return nil
		}
		return errExist
	}
	if !writable(clean) {
		return errReadOnly
	}
	if !parents && f.nodes[path.Dir(clean)] == nil {
		return f.missing(clean)
	}
	return f.makeAll(clean)
}

// makeAll makes a directory and those above it; the caller holds mu.
func (f *fileSystem) makeAll(clean string) error {
	if node := f.nodes[clean]; node != nil {
		if !node.directory() {
			return errNotDir
		}
		return nil
	}
	if err := f.makeAll(path.Dir(clean)); err != nil {
		return err
	}
	if len(f.nodes) >= maxFiles {
		return errNoSpace
	}
	f.nodes[clean] = &fileNode{mode: modeDirectory | 0o771, changed: f.clock()}
	return nil
}

// create opens a file for writing from its start, or with keep from its end. The
// file exists at once; without keep, or where there was none, it is empty.
func (f *fileSystem) create(clean string, keep bool) (io.WriteCloser, error) {
	if clean == nullDevice {
		return nullWriter{}, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	node := f.nodes[clean]
	switch {
	case node != nil && node.directory():
		return nil, errIsDirectory
	case !writable(clean):
		return nil, errReadOnly
	case node != nil && keep:
		return &fileWriter{files: f, node: node}, nil
	case f.nodes[path.Dir(clean)] == nil:
		return nil, f.missing(clean)
	case !f.nodes[path.Dir(clean)].directory():
		return nil, errNotDir
	case node == nil && len(f.nodes) >= maxFiles:
		return nil, errNoSpace
	}
	f.forget(clean)
	node = &fileNode{mode: modeRegular | 0o660, changed: f.clock()}
	f.nodes[clean] = node
	return &fileWriter{files: f, node: node}, nil
}

// fileWriter appends to a node.
type fileWriter struct {
	files *fileSystem
	node  *fileNode
}

func (w *fileWriter) Write(p []byte) (int, error) {
	f := w.files
	f.mu.Lock()
	defer f.mu.Unlock()
	if w.node.gone {
		return len(p), nil
	}
	if f.used+int64(len(p)) > f.limit {
		return 0, errNoSpace
	}
	f.used += int64(len(p))
	w.node.data = append(w.node.data, p...)
	w.node.changed = f.clock()
	return len(p), nil
}

func (w *fileWriter) Close() error { return nil }

type nullWriter struct{}

func (nullWriter) Write(p []byte) (int, error) { return len(p), nil }
func (nullWriter) Close() error                { return nil }

// upload collects a file that appears only when it is complete.
type upload struct {
	fileWriter
	clean string
}

// startUpload begins a file; its bytes count towards the bound from now on.
func (f *fileSystem) startUpload(clean string) (*upload, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch node := f.nodes[clean]; {
	case node != nil && node.directory():
		return nil, errIsDirectory
	case !writable(clean):
		return nil, errReadOnly
	}
	return &upload{fileWriter: fileWriter{files: f, node: &fileNode{}}, clean: clean}, nil
}

// commit puts the file in its place, and makes the directories above it.
func (u *upload) commit(permissions uint32, changed time.Time) error {
	f := u.files
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.makeAll(path.Dir(u.clean))
	old := f.nodes[u.clean]
	switch {
	case err != nil:
	case old != nil && old.directory():
		err = errIsDirectory
	case old == nil && len(f.nodes) >= maxFiles:
		err = errNoSpace
	}
	if err != nil {
		return err
	}
	f.forget(u.clean)
	u.node.mode = modeRegular | permissions&0o777
	u.node.changed = changed
	f.nodes[u.clean] = u.node
	u.node = nil
	return nil
}

// abort frees an upload that was not committed.
func (u *upload) abort() {
	f := u.files
	f.mu.Lock()
	defer f.mu.Unlock()
	if u.node != nil {
		f.used -= int64(len(u.node.data))
		u.node = nil
	}
}
