package shell

import (
	"context"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// FileError is an error of the file system in the words of the phone's C library.
type FileError string

func (e FileError) Error() string { return string(e) }

const (
	ErrPermission  = FileError("Permission denied")
	ErrNotExist    = FileError("No such file or directory")
	errExist       = FileError("File exists")
	errReadOnly    = FileError("Read-only file system")
	errIsDirectory = FileError("Is a directory")
	errNotDir      = FileError("Not a directory")
	errNotEmpty    = FileError("Directory not empty")
	ErrNoSpace     = FileError("No space left on device")
	errNameLength  = FileError("File name too long")
	ErrInvalid     = FileError("Invalid argument")
)

const (
	// MaxPath is the length of the longest path, in bytes.
	MaxPath  = 1024
	maxFiles = 4096

	modeDirectory = 0o040000
	modeRegular   = 0o100000
	modeLink      = 0o120000
	modeCharacter = 0o020000
	modeTypes     = 0o170000
)

// FileSystem keeps the phone's files in memory, within bounds.
type FileSystem struct {
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
	device  *Device // of a special file
	gone    bool    // removed or replaced: writes to it are lost
}

func (n *fileNode) directory() bool { return n.mode&modeTypes == modeDirectory }
func (n *fileNode) link() bool      { return n.mode&modeTypes == modeLink }

// Entry describes a file: it is one entry of a listing.
type Entry struct {
	Name    string
	Mode    uint32 // type and permissions, as in struct stat
	Size    int64  // bytes
	Changed time.Time
	Target  string  // of a link
	Device  *Device // what a special file leads to; nil for all others
}

// Directory reports whether the file is a directory.
func (e Entry) Directory() bool { return e.Mode&modeTypes == modeDirectory }

// Link reports whether the file is a symbolic link.
func (e Entry) Link() bool { return e.Mode&modeTypes == modeLink }

// sharedStorage is the real location of the files in /sdcard.
const sharedStorage = "/storage/emulated/0"

// NewFileSystem makes the folders of a phone. The files together hold at most limit
// bytes; clock dates them.
func NewFileSystem(limit int64, clock func() time.Time) *FileSystem {
	f := &FileSystem{clock: clock, limit: limit, nodes: make(map[string]*fileNode)}
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
	f.nodes["/dev/null"] = &fileNode{mode: modeCharacter | 0o666, changed: clock(), device: &Device{Owner: "root", Group: "root", Major: 1, Minor: 3,
		Open: func(context.Context, bool) (io.ReadWriteCloser, error) { return nullFile{}, nil }}}
	return f
}

// Usage is the number of bytes in use and of files, which tests compare with their bounds.
func (f *FileSystem) Usage() (used int64, files int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.used, len(f.nodes)
}

// Resolve makes a path absolute and clean, and follows every link in it. The result
// need not exist.
func (f *FileSystem) Resolve(dir, name string) (string, error) {
	return f.walk(dir, name, true)
}

// ResolveLink is Resolve for operations on a link itself, not on its target. A path
// with a slash at the end still leads to the target.
func (f *FileSystem) ResolveLink(dir, name string) (string, error) {
	return f.walk(dir, name, false)
}

// ResolveFile is Resolve for a file that is created if it does not exist: a slash
// at the end then asks for a directory.
func (f *FileSystem) ResolveFile(dir, name string) (string, error) {
	clean, err := f.Resolve(dir, name)
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
func (f *FileSystem) walk(dir, name string, follow bool) (string, error) {
	if name == "" {
		return "", ErrNotExist
	}
	if len(name) > MaxPath {
		return "", errNameLength
	}
	if !path.IsAbs(name) {
		name = dir + "/" + name
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	at := "/"
	for rest := strings.Split(name, "/"); len(rest) > 0; {
		element := rest[0]
		rest = rest[1:]
		node := f.nodes[at]
		switch {
		case node != nil && !node.directory():
			return "", errNotDir
		case node == nil && element == "..":
			return "", ErrNotExist
		}
		switch element {
		case "", ".":
			continue
		case "..":
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, element)
		if len(next) > MaxPath {
			return "", errNameLength
		}
		node = f.nodes[next]
		if node == nil || !node.link() || len(rest) == 0 && !follow {
			at = next
			continue
		}
		// Links are the phone's own: they lead from the root, and in no circle.
		at, rest = "/", append(strings.Split(string(node.data), "/"), rest...)
	}
	return at, nil
}

func writable(clean string) bool {
	return strings.HasPrefix(clean, sharedStorage+"/") || strings.HasPrefix(clean, "/data/local/tmp/")
}

// Stat describes one file. Like all methods it takes a path from Resolve.
func (f *FileSystem) Stat(clean string) (Entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	node := f.nodes[clean]
	if node == nil {
		return Entry{}, f.missing(clean)
	}
	return entryOf(path.Base(clean), node), nil
}

// missing explains why there is no node: a parent may be a file.
func (f *FileSystem) missing(clean string) error {
	for dir := path.Dir(clean); dir != "/"; dir = path.Dir(dir) {
		if node := f.nodes[dir]; node != nil && !node.directory() {
			return errNotDir
		}
	}
	return ErrNotExist
}

func entryOf(name string, node *fileNode) Entry {
	entry := Entry{Name: name, Mode: node.mode, Size: int64(len(node.data)), Changed: node.changed, Device: node.device}
	switch {
	case node.directory():
		entry.Size = 4096
	case node.link():
		entry.Target = string(node.data)
	}
	return entry
}

// List returns the entries of a directory, sorted by name.
func (f *FileSystem) List(clean string) ([]Entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	node := f.nodes[clean]
	switch {
	case node == nil:
		return nil, f.missing(clean)
	case !node.directory():
		return nil, errNotDir
	}
	var entries []Entry
	for name, node := range f.nodes {
		if name != "/" && path.Dir(name) == clean {
			entries = append(entries, entryOf(path.Base(name), node))
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, nil
}

// Read returns a file's current content; the caller must not change it.
func (f *FileSystem) Read(clean string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	node := f.nodes[clean]
	switch {
	case node == nil:
		return nil, f.missing(clean)
	case node.directory():
		return nil, errIsDirectory
	case node.device != nil: // it has no content of its own, only streams
		return nil, ErrInvalid
	}
	return node.data[:len(node.data):len(node.data)], nil
}

// remove deletes a file or an empty directory.
func (f *FileSystem) remove(clean string) error {
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
func (f *FileSystem) forget(clean string) {
	if node := f.nodes[clean]; node != nil {
		node.gone = true
		f.used -= int64(len(node.data))
		delete(f.nodes, clean)
	}
}

// touch dates a file's last change now.
func (f *FileSystem) touch(clean string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	node := f.nodes[clean]
	switch {
	case node == nil:
		return f.missing(clean)
	case !writable(clean):
		return errReadOnly
	}
	node.changed = f.clock()
	return nil
}

// makeDirectory makes a directory; with parents, also those above it.
func (f *FileSystem) makeDirectory(clean string, parents bool) error {
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
func (f *FileSystem) makeAll(clean string) error {
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
		return ErrNoSpace
	}
	f.nodes[clean] = &fileNode{mode: modeDirectory | 0o771, changed: f.clock()}
	return nil
}

// Create opens a file for writing from its start, or with keep from its end. The
// file exists at once; without keep, or where there was none, it is empty.
// A device is opened instead, until ctx ends or the writer is closed.
func (f *FileSystem) Create(ctx context.Context, clean string, keep bool) (io.WriteCloser, error) {
	if device := f.device(clean); device != nil {
		return device.Open(ctx, true)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	node, parent := f.nodes[clean], f.nodes[path.Dir(clean)]
	switch {
	case node != nil && node.directory():
		return nil, errIsDirectory
	case !writable(clean):
		return nil, errReadOnly
	case parent == nil:
		return nil, f.missing(clean)
	case !parent.directory():
		return nil, errNotDir
	case node == nil && len(f.nodes) >= maxFiles:
		return nil, ErrNoSpace
	case node != nil && keep:
		return &fileWriter{files: f, node: node}, nil
	}
	f.forget(clean)
	node = &fileNode{mode: modeRegular | 0o660, changed: f.clock()}
	f.nodes[clean] = node
	return &fileWriter{files: f, node: node}, nil
}

// fileWriter appends to a node.
type fileWriter struct {
	files *FileSystem
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
		return 0, ErrNoSpace
	}
	f.used += int64(len(p))
	w.node.data = append(w.node.data, p...)
	w.node.changed = f.clock()
	return len(p), nil
}

func (w *fileWriter) Close() error { return nil }

// nullFile is /dev/null.
type nullFile struct{}

func (nullFile) Read([]byte) (int, error)    { return 0, io.EOF }
func (nullFile) Write(p []byte) (int, error) { return len(p), nil }
func (nullFile) Close() error                { return nil }

// Upload is a file that is being pushed: it is seen to grow, as with the real daemon.
type Upload struct {
	fileWriter
	clean string
}

// StartUpload begins a file in place of what is there, and makes the directories above it.
func (f *FileSystem) StartUpload(clean string) (*Upload, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch node := f.nodes[clean]; {
	case node != nil && node.directory():
		return nil, errIsDirectory
	case !writable(clean):
		return nil, errReadOnly
	}
	if err := f.makeAll(path.Dir(clean)); err != nil {
		return nil, err
	}
	f.forget(clean)
	if len(f.nodes) >= maxFiles {
		return nil, ErrNoSpace
	}
	node := &fileNode{mode: modeRegular | 0o600, changed: f.clock()}
	f.nodes[clean] = node
	return &Upload{fileWriter: fileWriter{files: f, node: node}, clean: clean}, nil
}

// Commit ends the file. Group and others get what its owner may do, as the real daemon has it.
func (u *Upload) Commit(permissions uint32, changed time.Time) {
	f := u.files
	f.mu.Lock()
	defer f.mu.Unlock()
	permissions |= permissions >> 3 & 0o070
	permissions |= permissions >> 3 & 0o007
	u.node.mode = modeRegular | permissions&0o777
	u.node.changed = changed
	u.node = nil
}

// Abort removes an upload that was not committed.
func (u *Upload) Abort() {
	f := u.files
	f.mu.Lock()
	defer f.mu.Unlock()
	if u.node != nil && f.nodes[u.clean] == u.node {
		f.forget(u.clean)
	}
	u.node = nil
}
