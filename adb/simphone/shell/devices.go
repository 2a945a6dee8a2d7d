package shell

import (
	"context"
	"io"
	"path"
	"strings"
)

// Device is a special file, such as /dev/input/event2: reading and writing it
// reaches a part of the phone, and not bytes that are kept.
type Device struct {
	Permissions  uint32 // such as 0o660
	Owner, Group string // such as "root" and "input"
	Major, Minor int
	// Open begins a use of the device, for writing or for reading. What it returns
	// is closed when the command that opened it ends; ctx ends with the command, or
	// with the connection, and must free a Read or a Write that waits. Each Write
	// holds the bytes of one write of the command. An error is a FileError, such as
	// ErrPermission.
	Open func(ctx context.Context, write bool) (io.ReadWriteCloser, error)
}

// AddDevice makes a special file, and the folders above it. A file that was there
// is replaced.
func (f *FileSystem) AddDevice(name string, device Device) error {
	return f.add(name, &fileNode{mode: modeCharacter | device.Permissions&0o777, device: &device})
}

// AddFile puts a file of the system there, which nobody can change, and makes the
// folders above it. A file that was there is replaced.
func (f *FileSystem) AddFile(name string, data []byte, permissions uint32) error {
	return f.add(name, &fileNode{mode: modeRegular | permissions&0o777, data: data})
}

func (f *FileSystem) add(name string, node *fileNode) error {
	clean := path.Clean("/" + name)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.makeAll(path.Dir(clean)); err != nil {
		return err
	}
	old := f.nodes[clean]
	switch {
	case old != nil && old.directory():
		return errIsDirectory
	case old == nil && len(f.nodes) >= maxFiles:
		return ErrNoSpace
	}
	f.forget(clean)
	f.used += int64(len(node.data))
	node.changed = f.clock()
	f.nodes[clean] = node
	return nil
}

// RemoveDevice takes a special file away. Those who have it open keep it.
func (f *FileSystem) RemoveDevice(name string) {
	clean := path.Clean("/" + name)
	f.mu.Lock()
	defer f.mu.Unlock()
	if node := f.nodes[clean]; node != nil && node.device != nil {
		f.forget(clean)
	}
}

// device returns the device that a special file leads to, nil for other files.
func (f *FileSystem) device(clean string) *Device {
	f.mu.Lock()
	defer f.mu.Unlock()
	if node := f.nodes[clean]; node != nil {
		return node.device
	}
	return nil
}

// Open opens a file for reading its current content, or a device until ctx ends.
func (f *FileSystem) Open(ctx context.Context, clean string) (io.ReadCloser, error) {
	if device := f.device(clean); device != nil {
		return device.Open(ctx, false)
	}
	data, err := f.Read(clean)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(strings.NewReader(string(data))), nil
}
