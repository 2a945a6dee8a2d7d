package journal

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"modernc.org/sqlite" // also the driver of that name
)

// The reasons why a file cannot be used as a journal, or a row not be written.
var (
	ErrForeign     = errors.New("a database of another program, expected a journal of tapwise")
	ErrNotDatabase = errors.New("not a database, expected a journal of tapwise")
	ErrNotFile     = errors.New("not a file, expected a journal of tapwise")
	ErrDamaged     = errors.New("damaged or cut off, expected a whole journal of tapwise")
	ErrWonTwice    = errors.New("the level is won already in this run, expected once: another tapwise plays the run")
	ErrReadOnly    = errors.New("the file or its folder may not be written, expected a journal that may be")
	ErrLocked      = fmt.Errorf("another process has had it locked for %v, expected it to be free", patience)
	ErrFull        = errors.New("no space is left on its disk, expected room to write")
	ErrDisk        = errors.New("its disk cannot be read or written, expected one that can")
)

// The offsets of the numbers in a database's header, all of them big-endian:
// https://www.sqlite.org/fileformat2.html.
const (
	headerBytes       = 100
	headerPageSize    = 16 // 2 bytes; 1 is 65536
	headerChanges     = 24
	headerPages       = 28
	headerApplication = 68
	headerValidFor    = 92 // headerPages holds if this equals headerChanges
	magic             = "SQLite format 3\x00"
)

// The write-ahead log beside it (FILE-wal) is a header, then frames, each with a
// header of its own and a page.
const (
	walHeaderBytes = 32
	walPageSize    = 8
	walSalts       = 16 // 8 bytes; frames with other salts are left over from before
	frameBytes     = 24 // of a frame's header
	framePage      = 0
	frameCommit    = 4 // not 0: the transaction ends with this frame
	frameSalts     = 8
)

// identify reports whether a file is a journal. SQLite does not open it for
// writing meanwhile, since opening alone may change it and the files beside it.
// It reports false when there is none yet: no file, or one that holds nothing.
func identify(ctx context.Context, file string) (exists bool, err error) {
	// Another process may be making the journal meanwhile, and what was read of
	// its two files may not belong together.
	const looks = 5
	for look := 1; ; look++ {
		before, err := readHeader(file)
		if err != nil || before == nil {
			return false, err
		}
		exists, err = identifyHeader(ctx, file, before)
		if !errors.Is(err, ErrForeign) && !errors.Is(err, ErrDamaged) || look == looks {
			return exists, err
		}
		after, readErr := readHeader(file)
		if readErr == nil && bytes.Equal(before, after) {
			return exists, err
		}
	}
}

// writable reports whether a file may be written.
func writable(file string) bool {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	return err == nil && f.Close() == nil
}

// readHeader reads a database's header, which is nil when there is none yet.
func readHeader(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("a folder, %w", ErrNotFile)
	case !info.Mode().IsRegular(): // reading a pipe would wait for ever
		return nil, ErrNotFile
	case info.Size() == 0:
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	header := make([]byte, headerBytes)
	if n, err := io.ReadFull(f, header); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	} else if n < headerBytes || !bytes.HasPrefix(header, []byte(magic)) {
		if bytes.HasPrefix(header, []byte(magic)) {
			return nil, ErrDamaged
		}
		return nil, ErrNotDatabase
	}
	return header, nil
}

// identifyHeader is identify for a database with the given header.
func identifyHeader(ctx context.Context, file string, header []byte) (exists bool, err error) {
	newest, err := walFirstPage(file + "-wal")
	if err != nil {
		return false, err
	}
	application := func(header []byte) uint32 { return binary.BigEndian.Uint32(header[headerApplication:]) }
	if newest != nil && application(newest) == applicationID {
		return true, nil
	}
	switch application(header) {
	case applicationID:
		if newest == nil {
			return true, whole(file, header)
		}
		return false, ErrForeign // another program has taken it over
	case 0:
	default:
		return false, ErrForeign
	}
	names, err := tables(ctx, file)
	switch {
	case err != nil:
		return false, err
	case slices.Equal(names, []string{"attempts", "runs"}):
		return true, nil // from before they were marked
	case len(names) > 0 || newest != nil:
		return false, ErrForeign
	}
	return false, nil // the process that makes it has not got further, or died
}

// whole fails for a file that is shorter than its header says. It leaves a file
// with a log beside it to SQLite.
func whole(file string, header []byte) error {
	if binary.BigEndian.Uint32(header[headerChanges:]) != binary.BigEndian.Uint32(header[headerValidFor:]) {
		return nil
	}
	if log, err := os.Stat(file + "-wal"); err == nil && log.Size() > 0 {
		return nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	page := int64(binary.BigEndian.Uint16(header[headerPageSize:]))
	if page == 1 {
		page = 1 << 16
	}
	if want := page * int64(binary.BigEndian.Uint32(header[headerPages:])); info.Size() < want {
		return fmt.Errorf("%w: %d of %d bytes are there", ErrDamaged, info.Size(), want)
	}
	return nil
}

// walFirstPage returns the header of a database as the newest transaction in its
// log left it, nil if the log has none.
func walFirstPage(file string) ([]byte, error) {
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	log := make([]byte, walHeaderBytes)
	if _, err := io.ReadFull(f, log); err != nil {
		return nil, nil // nothing was written yet
	}
	page := int64(binary.BigEndian.Uint32(log[walPageSize:]))
	if page < 512 || page > 1<<16 { // which no database has
		return nil, nil
	}
	var first, committed []byte
	frame := make([]byte, frameBytes)
	for at := int64(walHeaderBytes); ; at += frameBytes + page {
		if _, err := f.ReadAt(frame, at); err != nil {
			return committed, nil // the end of the log
		}
		if !bytes.Equal(frame[frameSalts:frameSalts+8], log[walSalts:walSalts+8]) {
			return committed, nil
		}
		if binary.BigEndian.Uint32(frame[framePage:]) == 1 {
			first = make([]byte, headerBytes)
			if _, err := f.ReadAt(first, at+frameBytes); err != nil {
				return committed, nil
			}
		}
		if binary.BigEndian.Uint32(frame[frameCommit:]) != 0 && first != nil {
			committed = first
		}
	}
}

// tables returns the names of a database's tables, sorted. It opens the database
// as one that nobody changes, so that SQLite makes no files beside it and leaves
// a log alone.
func tables(ctx context.Context, file string) (names []string, err error) {
	name, err := address(file, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
	if err != nil {
		return nil, explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, explain(err)
		}
		names = append(names, name)
	}
	return names, explain(rows.Err())
}

// address is a file's name in the form that SQLite takes, with settings.
func address(file string, settings url.Values) (string, error) {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	path := filepath.ToSlash(absolute)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/…
	}
	name := url.URL{Scheme: "file", Path: path, RawQuery: settings.Encode()}
	return name.String(), nil
}

// The result codes of SQLite that say what is wrong with a file; the bits above
// the lowest eight say more.
const (
	codeLogic       = 1 // of a statement; ours fit a whole schema
	codePermission  = 3
	codeBusy        = 5
	codeReadOnly    = 8
	codeDisk        = 10
	codeCorrupt     = 11
	codeFull        = 13
	codeCannotOpen  = 14
	codeNotDatabase = 26
)

// codeUnique is the full code, all bits, for a row that a unique index refuses.
// There is one such index: no level is won twice.
const codeUnique = 2067

// The full codes for the file of shared memory beside a journal (FILE-shm), which is the
// first to find a disk full, and does not say so.
const (
	codeSharedOpen = 4618
	codeSharedSize = 4874
)

// code is the result code of an error of SQLite, 0 for others.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// explained is an error of SQLite, put as an error of this package.
type explained struct{ is, cause error }

func (e explained) Error() string   { return e.is.Error() }
func (e explained) Unwrap() []error { return []error{e.is, e.cause} }

// explain translates an error of SQLite into what it means for a journal.
func explain(err error) error {
	var said explained
	if errors.As(err, &said) {
		return err
	}
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() {
		case codeUnique:
			return explained{ErrWonTwice, err}
		case codeSharedOpen, codeSharedSize:
			return explained{ErrFull, err}
		}
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return explained{ErrFull, err}
	}
	switch code(err) {
	case codeBusy:
		return explained{ErrLocked, err}
	case codeFull:
		return explained{ErrFull, err}
	case codeDisk:
		return explained{ErrDisk, err}
	case codeNotDatabase:
		return explained{ErrNotDatabase, err}
	case codeCorrupt, codeLogic:
		return explained{ErrDamaged, err}
	case codeReadOnly, codeCannotOpen, codePermission:
		return explained{ErrReadOnly, err}
	}
	return err
}

// prepare makes what is not there of a journal's folder and its file, which is empty then,
// closed to other users. What it returns takes away again what it made and nobody has
// written to.
func prepare(ctx context.Context, file string) (undo func(), err error) {
	var made []string // folders, the innermost first
	for folder := filepath.Dir(file); ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
			break
		}
		made = append(made, folder)
	}
	created := false
	undo = func() {
		if created {
			// Another process may have made a journal of it meanwhile.
			if exists, err := identify(context.WithoutCancel(ctx), file); err == nil && !exists {
				for _, name := range []string{file + "-wal", file + "-shm", file} {
					_ = os.Remove(name)
				}
			}
		}
		for _, folder := range made {
			_ = os.Remove(folder) // unless something lies in it
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		undo()
		return nil, err
	}
	empty, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, os.ErrExist), errors.Is(err, os.ErrPermission):
		return undo, nil // identify looks at what is there
	case err != nil:
		undo()
		return nil, err
	}
	created = true
	return undo, empty.Close()
}

// copyJournal copies a journal that may only be read, with its log, into a new
// folder: SQLite needs to write beside a journal to read it, and an old schema is
// brought up to date first.
func copyJournal(file string) (folder, name string, err error) {
	folder, err = os.MkdirTemp("", "tapwise-journal-")
	if err != nil {
		return "", "", err
	}
	name = filepath.Join(folder, "journal.db")
	// A process that plays may take the log into the file between the two copies.
	const tries = 5
	for range tries {
		before := stamp(file)
		if err = errors.Join(copyFile(name, file), copyFile(name+"-wal", file+"-wal")); err != nil || stamp(file) == before {
			break
		}
	}
	if err != nil {
		return "", "", errors.Join(err, os.RemoveAll(folder))
	}
	return folder, name, nil
}

// stamp changes when a journal or its log does.
func stamp(file string) string {
	var text string
	for _, name := range []string{file, file + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			text += fmt.Sprintln(info.Size(), info.ModTime().UnixNano())
		}
	}
	return text
}

// copyFile copies a file. If there is none, it removes the copy.
func copyFile(to, from string) error {
	source, err := os.Open(from)
	if errors.Is(err, os.ErrNotExist) {
		if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}
