package hub_test

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// disk is a file system in memory that knows what would be left of it after a power cut: what
// was synced, and of the rest a part, drawn by lot. What concerns names is written down in
// order, and any sync writes all of it down, as a journal of ext4, XFS or Btrfs does; data only
// the sync of its own file.
type disk struct {
	fuse.RawFileSystem

	mu      sync.Mutex
	nodes   map[uint64]*node
	last    uint64 // of the nodes' numbers
	changes queueOf[change]
	pauses  *rand.Rand    // of syncs
	left    int           // changes until the power is cut; negative: it is not
	cut     bool          // nothing is done any more
	dark    chan struct{} // closed then
	gone    chan struct{} // closed when who used it is gone
}

// node is a file or a folder: as it is, and as it is written down.
type node struct {
	mode           uint32
	names, written map[string]uint64 // of a folder
	data, synced   []byte            // of a file
	writes         queueOf[write]    // that are not written down
}

// write writes data, or without any gives the file a length.
type write struct {
	at   int64
	data []byte
}

func (w write) apply(data []byte) []byte {
	size := w.at + int64(len(w.data))
	if w.data == nil && size < int64(len(data)) {
		return data[:size]
	}
	if more := size - int64(len(data)); more > 0 {
		data = append(data, make([]byte, more)...)
	}
	copy(data[w.at:], w.data)
	return data
}

// change is names that change together; the node 0 is none.
type change []struct {
	folder uint64
	name   string
	node   uint64
}

// queueOf has what is not written down, and how much was before.
type queueOf[T any] struct {
	before  int
	waiting []T
}

func (q *queueOf[T]) end() int { return q.before + len(q.waiting) }

// until takes what comes before a number.
func (q *queueOf[T]) until(end int) []T {
	n := max(0, end-q.before)
	some := q.waiting[:n]
	q.waiting, q.before = q.waiting[n:], q.before+n
	return some
}

const rootNode = fuse.FUSE_ROOT_ID

// newDisk returns an empty disk.
func newDisk(pauses *rand.Rand) *disk {
	root := &node{mode: syscall.S_IFDIR | 0o755, names: map[string]uint64{}, written: map[string]uint64{}}
	return diskOf(pauses, map[uint64]*node{rootNode: root}, rootNode)
}

func diskOf(pauses *rand.Rand, nodes map[uint64]*node, last uint64) *disk {
	return &disk{RawFileSystem: fuse.NewDefaultRawFileSystem(), pauses: pauses, nodes: nodes, last: last, left: -1, dark: make(chan struct{}), gone: make(chan struct{})}
}

// mount mounts the disk until the function that is returned is called. It skips the test where
// that cannot be done.
func (d *disk) mount(t *testing.T, folder string) (unmount func()) {
	t.Helper()
	server, err := fuse.NewServer(d, folder, &fuse.MountOptions{FsName: "cut", Name: "cut", DirectMount: true, DisableXAttrs: true, DisableReadDirPlus: true, MaxWrite: 1 << 20})
	if err != nil {
		t.Skipf("a file system for tests cannot be mounted (%v), expected /dev/fuse and to be root, in a user namespace or to have fusermount3", err)
	}
	// Who is started has no part in it: it could not be killed while it waits for itself.
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if to, err := os.Readlink("/proc/self/fd/" + f.Name()); err == nil && to == "/dev/fuse" {
			if fd, err := strconv.Atoi(f.Name()); err == nil {
				syscall.CloseOnExec(fd)
			}
		}
	}
	go server.Serve()
	if err := server.WaitMount(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := server.Unmount(); err != nil {
			t.Error(err)
		}
		server.Wait()
	}
}

// cutAfter cuts the power when that many more changes were made.
func (d *disk) cutAfter(changes int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left = changes; changes == 0 {
		d.darken()
	}
}

func (d *disk) darken() {
	if !d.cut {
		d.cut = true
		close(d.dark)
	}
}

// enter begins something, unless the power is cut: that never ends then, as far as who asked
// can tell. What changes something counts.
func (d *disk) enter(changes bool) bool {
	d.mu.Lock()
	if changes && !d.cut && d.left >= 0 {
		if d.left == 0 {
			d.darken()
		}
		d.left--
	}
	if !d.cut {
		return true
	}
	gone := d.gone
	d.mu.Unlock()
	<-gone
	return false
}

// sync writes down what concerns names and, of a file, its data. That takes a moment, in which
// other things happen.
func (d *disk) sync(id uint64) fuse.Status {
	if !d.enter(true) {
		return fuse.EIO
	}
	n := d.nodes[id]
	changes, writes, pause := d.changes.end(), n.writes.end(), time.Duration(d.pauses.IntN(200))*time.Microsecond
	d.mu.Unlock()
	time.Sleep(pause)
	if !d.enter(true) {
		return fuse.EIO
	}
	defer d.mu.Unlock()
	d.commit(changes)
	n.commit(writes)
	return fuse.OK
}

func (d *disk) commit(end int) {
	for _, c := range d.changes.until(end) {
		for _, one := range c {
			if one.node == 0 {
				delete(d.nodes[one.folder].written, one.name)
			} else {
				d.nodes[one.folder].written[one.name] = one.node
			}
		}
	}
}

func (n *node) commit(end int) {
	for _, w := range n.writes.until(end) {
		n.synced = w.apply(n.synced)
	}
}

// remains returns the disk that a power cut leaves, once who used it is killed. Of what was
// not synced there may be nothing, all, or for names and each file what was first, the last of
// it torn or with zeros in place of data.
func (d *disk) remains(random *rand.Rand) *disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.gone)
	part := func(n int) int { return n }
	switch random.IntN(4) {
	case 0:
		part = func(int) int { return 0 }
	case 1:
	default:
		part = func(n int) int { return random.IntN(n + 1) }
	}
	d.commit(d.changes.before + part(len(d.changes.waiting)))
	kept := map[uint64]*node{}
	for ids := []uint64{rootNode}; len(ids) > 0; ids = ids[1:] {
		n := d.nodes[ids[0]]
		kept[ids[0]] = n
		n.names = map[string]uint64{}
		for _, name := range sortedNames(n.written) {
			n.names[name] = n.written[name]
			ids = append(ids, n.written[name])
		}
		n.commit(n.writes.before + part(len(n.writes.waiting)))
		if len(n.writes.waiting) > 0 {
			switch w := n.writes.waiting[0]; {
			case len(w.data) == 0 || part(1) == 0:
			case random.IntN(3) == 0:
				n.synced = write{w.at, make([]byte, len(w.data))}.apply(n.synced)
			default:
				n.synced = write{w.at, w.data[:random.IntN(len(w.data))]}.apply(n.synced)
			}
		}
		n.data, n.writes = append([]byte(nil), n.synced...), queueOf[write]{}
	}
	return diskOf(d.pauses, kept, d.last)
}

// sortedNames returns the names of a folder by the numbers of what they name.
func sortedNames(names map[string]uint64) []string {
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int { return cmp.Compare(names[a], names[b]) })
}

// change changes names together.
func (d *disk) change(c change) {
	for _, one := range c {
		if one.node == 0 {
			delete(d.nodes[one.folder].names, one.name)
		} else {
			d.nodes[one.folder].names[one.name] = one.node
		}
	}
	d.changes.waiting = append(d.changes.waiting, c)
}

func (d *disk) write(n *node, w write) {
	n.data = w.apply(n.data)
	n.writes.waiting = append(n.writes.waiting, w)
}

const longTime = 1 << 20 // seconds for which the kernel may know names: only it changes them

func (d *disk) attributes(id uint64, a *fuse.Attr) {
	n := d.nodes[id]
	*a = fuse.Attr{Ino: id, Mode: n.mode, Nlink: 1, Size: uint64(len(n.data)), Owner: fuse.Owner{Uid: uint32(os.Getuid()), Gid: uint32(os.Getgid())}}
}

func (d *disk) entry(id uint64, out *fuse.EntryOut) {
	out.NodeId, out.Generation, out.EntryValid, out.AttrValid = id, 1, longTime, longTime
	d.attributes(id, &out.Attr)
}

func (d *disk) Lookup(_ <-chan struct{}, h *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	if !d.enter(false) {
		return fuse.EIO
	}
	defer d.mu.Unlock()
	id := d.nodes[h.NodeId].names[name]
	if id == 0 {
		return fuse.ENOENT
	}
	d.entry(id, out)
	return fuse.OK
}

func (d *disk) GetAttr(_ <-chan struct{}, in *fuse.GetAttrIn, out *fuse.AttrOut) fuse.Status {
	if !d.enter(false) {
		return fuse.EIO
	}
	defer d.mu.Unlock()
	out.AttrValid = longTime
	d.attributes(in.NodeId, &out.Attr)
	return fuse.OK
}

func (d *disk) SetAttr(_ <-chan struct{}, in *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	if !d.enter(true) {
		return fuse.EIO
	}
	defer d.mu.Unlock()
	if size, ok := in.GetSize(); ok {
		d.write(d.nodes[in.NodeId], write{at: int64(size)})
	}
	out.AttrValid = longTime
	d.attributes(in.NodeId, &out.Attr)
	return fuse.OK
}

// add makes a node with a name.
func (d *disk) add(folder uint64, name string, n *node) uint64 {
	d.last++
	d.nodes[d.last] = n
	d.change(change{{folder, name, d.last}})
	return d.last
}

func (d *disk) Mkdir(_ <-chan struct{}, in *fuse.MkdirIn, name string, out *fuse.EntryOut) fuse.Status {
	if !d.enter(true) {
		return fuse.EIO
	}
	defer d.mu.Unlock()
	d.entry(d.add(in.NodeId, name, &node{mode: syscall.S_IFDIR | in.Mode&0o777, names: map[string]uint64{}, written: map[string]uint64{}}), out)
	return fuse.OK
}

func (d *disk) Unlink(_ <-chan struct{}, h *fuse.InHeader, name string) fuse.Status {
	if !d.enter(true) {
		return fuse.EIO
	}
	defer d.mu.Unlock()
	d.change(change{{h.NodeId, name, 0}})
	return fuse.OK
}

func (d *disk) Rmdir(_ <-chan struct{}, h *fuse.InHeader, name string) fuse.Status {
	if !d.enter(true) {
		return fuse.EIO
	}
	defer d.mu.Unlock()
	if len(d.nodes[d.nodes[h.NodeId].names[name]].names) > 0 {
		return fuse.Status(syscall.ENOTEMPTY)
	}
	d.change(change{{h.NodeId, name, 0}})
	return fuse.OK
}

func (d *disk) Rename(_ <-chan struct{}, in *fuse.RenameIn, from, to string) fuse.Status {
	if !d.enter(true) {
		return fuse.EIO
	}
	defer d.mu.Unlock()
	if in.Flags != 0 {
		return fuse.EINVAL
	}
	id := d.nodes[in.NodeId].names[from]
	if there := d.nodes[d.nodes[in.Newdir].names[to]]; there != nil && len(there.names) > 0 {
		return fuse.Status(syscall.ENOTEMPTY)
	}
	d.change(change{{in.NodeId, from, 0}, {in.Newdir, to, id}})
	return fuse.OK
}

// handle is the number of an open file: the node's, and whether each write is to be synced.
func handle(id uint64, flags uint32) uint64 {
	if flags&syscall.O_DSYNC != 0 {
		return id<<1 | 1
	}
	return id << 1
}

func (d *disk) Create(_ <-chan struct{}, in *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	if !d.enter(true) {
		return fuse.EIO
	}
	defer d.mu.Unlock()
	id := d.add(in.NodeId, name, &node{mode: syscall.S_IFREG | in.Mode&0o777})
	d.entry(id, &out.EntryOut)
	out.Fh = handle(id, in.Flags)
	return fuse.OK
}

func (d *disk) Open(_ <-chan struct{}, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	if !d.enter(in.Flags&syscall.O_TRUNC != 0) {
		return fuse.EIO
	}
	defer d.mu.Unlock()
	if in.Flags&syscall.O_TRUNC != 0 {
		d.write(d.nodes[in.NodeId], write{})
	}
	out.Fh = handle(in.NodeId, in.Flags)
	return fuse.OK
}

func (d *disk) Read(_ <-chan struct{}, in *fuse.ReadIn, _ []byte) (fuse.ReadResult, fuse.Status) {
	if !d.enter(false) {
		return nil, fuse.EIO
	}
	defer d.mu.Unlock()
	data := d.nodes[in.NodeId].data
	data = data[min(in.Offset, uint64(len(data))):]
	return fuse.ReadResultData(append([]byte(nil), data[:min(int(in.Size), len(data))]...)), fuse.OK
}

func (d *disk) Write(_ <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	if !d.enter(true) {
		return 0, fuse.EIO
	}
	d.write(d.nodes[in.NodeId], write{int64(in.Offset), append([]byte{}, data...)})
	d.mu.Unlock()
	if in.Fh&1 != 0 {
		if status := d.sync(in.NodeId); status != fuse.OK {
			return 0, status
		}
	}
	return uint32(len(data)), fuse.OK
}

func (d *disk) Flush(<-chan struct{}, *fuse.FlushIn) fuse.Status { return fuse.OK }

func (d *disk) Fsync(_ <-chan struct{}, in *fuse.FsyncIn) fuse.Status { return d.sync(in.NodeId) }

func (d *disk) FsyncDir(_ <-chan struct{}, in *fuse.FsyncIn) fuse.Status { return d.sync(in.NodeId) }

func (d *disk) OpenDir(<-chan struct{}, *fuse.OpenIn, *fuse.OpenOut) fuse.Status { return fuse.OK }

func (d *disk) ReadDir(_ <-chan struct{}, in *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	if !d.enter(false) {
		return fuse.EIO
	}
	defer d.mu.Unlock()
	// By number, so that what is removed between two calls does not have others left out.
	names := d.nodes[in.NodeId].names
	for _, name := range sortedNames(names) {
		id := names[name]
		if id > in.Offset && !out.AddDirEntry(fuse.DirEntry{Name: name, Ino: id, Mode: d.nodes[id].mode, Off: id}) {
			break
		}
	}
	return fuse.OK
}

func (d *disk) StatFs(_ <-chan struct{}, _ *fuse.InHeader, out *fuse.StatfsOut) fuse.Status {
	const blocks = 1 << 24
	*out = fuse.StatfsOut{Bsize: 4096, Frsize: 4096, NameLen: 255, Blocks: blocks, Bfree: blocks, Bavail: blocks, Files: blocks, Ffree: blocks}
	return fuse.OK
}
