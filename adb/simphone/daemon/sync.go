package daemon

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"tapwise/adb/simphone/shell"
)

// maxSyncData is the most bytes that a DATA message carries in either direction.
const maxSyncData = 64 << 10

// sync serves file transfers: messages of a four-letter name, a little-endian u32, and what the
// name calls for. Of the protocol's second version it serves what a file and a folder are.
func (d *Daemon) sync(_ context.Context, s *stream) {
	session := &syncSession{files: d.phone.Files(), in: bufio.NewReaderSize(s, maxSyncData), out: s}
	for {
		if err := session.request(); err != nil {
			if !errors.Is(err, io.EOF) {
				d.log.Debug("sync ended", "error", err)
			}
			return
		}
	}
}

type syncSession struct {
	files *shell.FileSystem
	in    *bufio.Reader
	out   io.Writer
}

// message reads a message's name and number.
func (s *syncSession) message() (string, uint32, error) {
	var header [8]byte
	if _, err := io.ReadFull(s.in, header[:]); err != nil {
		return "", 0, err
	}
	return string(header[:4]), binary.LittleEndian.Uint32(header[4:]), nil
}

// request serves one request; an error ends the session, io.EOF when all is well.
func (s *syncSession) request() error {
	name, length, err := s.message()
	if err != nil {
		return err
	}
	if name == "QUIT" {
		return io.EOF
	}
	if length > shell.MaxPath {
		return errors.Join(s.fail(shell.FileError("File name too long")), fmt.Errorf("simphone: %s with a path of %d bytes", name, length))
	}
	argument := make([]byte, length)
	if _, err := io.ReadFull(s.in, argument); err != nil {
		return err
	}
	switch name {
	case "STAT", "STA2", "LST2":
		return s.stat(name, string(argument))
	case "LIST", "LIS2":
		return s.list(string(argument), name == "LIS2")
	case "RECV":
		return s.receive(string(argument))
	case "SEND":
		return s.send(string(argument))
	}
	return errors.Join(s.fail(errors.New("unknown command "+strconv.Quote(name))), fmt.Errorf("simphone: unknown sync request %q", name))
}

// reply sends a message: a name, and fields of fixed size behind it.
func (s *syncSession) reply(name string, fields ...any) error {
	_, err := s.out.Write(appendFields([]byte(name), fields...))
	return err
}

func appendFields(message []byte, fields ...any) []byte {
	for _, field := range fields {
		// It fails only on what has no fixed size.
		message, _ = binary.Append(message, binary.LittleEndian, field)
	}
	return message
}

func (s *syncSession) fail(reason error) error {
	text := []byte(reason.Error())
	return s.reply("FAIL", uint32(len(text)), text)
}

// statOne is what the first version says of a file; all is zero when it does not exist.
type statOne struct{ Mode, Size, Changed uint32 }

// statTwo is what the second version says.
type statTwo struct {
	Error                       uint32
	Device, Inode               uint64
	Mode, Links, Owner, Group   uint32
	Size                        uint64
	Accessed, Modified, Changed uint64
}

// noSuchFile is the number of the error that there is no such file.
const noSuchFile = 2

// seconds is the Unix time of a file's last change.
func seconds(entry shell.Entry) uint64 {
	if entry.Changed.IsZero() {
		return 0
	}
	return uint64(entry.Changed.Unix())
}

func describeOne(entry shell.Entry) statOne {
	return statOne{entry.Mode, uint32(entry.Size), uint32(seconds(entry))}
}

func describeTwo(entry shell.Entry) statTwo {
	changed := seconds(entry)
	return statTwo{Mode: entry.Mode, Links: 1, Size: uint64(entry.Size), Accessed: changed, Modified: changed, Changed: changed}
}

// stat answers with what a file is: STA2 with what it links to, the others with the link.
func (s *syncSession) stat(request, name string) error {
	resolve := s.files.ResolveLink
	if request == "STA2" {
		resolve = s.files.Resolve
	}
	clean, err := resolve("/", name)
	var entry shell.Entry
	if err == nil {
		entry, err = s.files.Stat(clean)
	}
	switch {
	case request == "STAT":
		return s.reply(request, describeOne(entry))
	case err != nil:
		return s.reply(request, statTwo{Error: noSuchFile})
	}
	return s.reply(request, describeTwo(entry))
}

func (s *syncSession) list(name string, two bool) error {
	var message []byte
	if clean, err := s.files.Resolve("/", name); err == nil {
		entries, err := s.files.List(clean)
		if err == nil { // a folder that cannot be listed is sent as an empty list
			for _, special := range []string{".", ".."} {
				if dir, err := s.files.Stat(path.Join(clean, special)); err == nil {
					dir.Name = special
					entries = append(entries, dir)
				}
			}
		}
		for _, entry := range entries {
			if two {
				message = appendFields(append(message, "DNT2"...), describeTwo(entry))
			} else {
				message = appendFields(append(message, "DENT"...), describeOne(entry))
			}
			message = appendFields(message, uint32(len(entry.Name)), []byte(entry.Name))
		}
	}
	message = append(message, "DONE"...)
	if two {
		message = appendFields(message, statTwo{}, uint32(0))
	} else {
		message = appendFields(message, statOne{}, uint32(0))
	}
	_, err := s.out.Write(message)
	return err
}

func (s *syncSession) receive(name string) error {
	clean, err := s.files.Resolve("/", name)
	if err != nil {
		return s.fail(err)
	}
	data, err := s.files.Read(clean)
	if err != nil {
		return s.fail(errors.New("open failed: " + err.Error()))
	}
	for chunk := range slices.Chunk(data, maxSyncData) {
		if err := s.reply("DATA", uint32(len(chunk)), chunk); err != nil {
			return err
		}
	}
	return s.reply("DONE", uint32(0))
}

// send receives a file. After a failure it reads and drops the rest, so that a
// client that only writes gets to read the reason, and ends the session.
func (s *syncSession) send(argument string) error {
	file, permissions, failure := s.startSend(argument)
	if failure == nil {
		defer file.Abort()
	} else if err := s.fail(failure); err != nil {
		return err
	}
	buffer := make([]byte, maxSyncData)
	for {
		name, number, err := s.message()
		if err != nil {
			return err
		}
		switch name {
		case "DONE":
			if failure != nil {
				return io.EOF
			}
			file.Commit(permissions, time.Unix(int64(number), 0))
			return s.reply("OKAY", uint32(0))
		case "DATA":
			if number > maxSyncData {
				return errors.Join(s.fail(errors.New("oversize data message")), fmt.Errorf("simphone: DATA of %d bytes, expected at most %d", number, maxSyncData))
			}
			if _, err := io.ReadFull(s.in, buffer[:number]); err != nil {
				return err
			}
			if failure != nil {
				continue
			}
			if _, failure = file.Write(buffer[:number]); failure != nil {
				if err := s.fail(failure); err != nil {
					return err
				}
			}
		default:
			return errors.Join(s.fail(errors.New("invalid data message")), fmt.Errorf("simphone: %q inside a file", name))
		}
	}
}

// startSend takes "PATH,MODE"; the mode is the one of struct stat, in decimal.
func (s *syncSession) startSend(argument string) (*shell.Upload, uint32, error) {
	comma := strings.LastIndex(argument, ",")
	mode, err := strconv.ParseUint(argument[comma+1:], 10, 32)
	if comma < 0 || err != nil {
		return nil, 0, errors.New("invalid mode")
	}
	const types, regular = 0o170000, 0o100000 // as in struct stat
	if kind := uint32(mode) & types; kind != 0 && kind != regular {
		return nil, 0, shell.FileError("Operation not permitted")
	}
	clean, err := s.files.Resolve("/", argument[:comma])
	if err != nil {
		return nil, 0, err
	}
	file, err := s.files.StartUpload(clean)
	return file, uint32(mode), err
}
