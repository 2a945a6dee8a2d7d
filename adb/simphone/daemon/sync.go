package daemon

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"
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
	case "STAT":
		return s.stat(string(argument))
	case "STA2", "LST2":
		return s.statTwo(name, string(argument))
	case "LIST", "LIS2":
		return s.list(string(argument), name == "LIS2")
	case "RECV":
		return s.receive(string(argument))
	case "SEND":
		return s.send(string(argument))
	}
	return errors.Join(s.fail(errors.New("unknown command "+strconv.Quote(name))), fmt.Errorf("simphone: unknown sync request %q", name))
}

func (s *syncSession) fail(reason error) error {
	text := reason.Error()
	message := binary.LittleEndian.AppendUint32([]byte("FAIL"), uint32(len(text)))
	_, err := s.out.Write(append(message, text...))
	return err
}

func (s *syncSession) stat(name string) error {
	var entry shell.Entry                                         // all zero when the file does not exist
	if clean, err := s.files.ResolveLink("/", name); err == nil { // the daemon's first STAT is lstat
		entry, _ = s.files.Stat(clean)
	}
	message := binary.LittleEndian.AppendUint32([]byte("STAT"), entry.Mode)
	message = appendSizeTime(message, entry)
	_, err := s.out.Write(message)
	return err
}

func appendSizeTime(message []byte, entry shell.Entry) []byte {
	changed := uint32(0)
	if !entry.Changed.IsZero() {
		changed = uint32(entry.Changed.Unix())
	}
	message = binary.LittleEndian.AppendUint32(message, uint32(entry.Size))
	return binary.LittleEndian.AppendUint32(message, changed)
}

// missing is the number of the error that there is no such file.
const missing = 2

// statTwo answers with all of struct stat, of the file itself or of what it links to.
func (s *syncSession) statTwo(request, name string) error {
	resolve := s.files.Resolve
	if request == "LST2" {
		resolve = s.files.ResolveLink
	}
	message := []byte(request)
	clean, err := resolve("/", name)
	var entry shell.Entry
	if err == nil {
		entry, err = s.files.Stat(clean)
	}
	if err != nil {
		message = append(binary.LittleEndian.AppendUint32(message, missing), make([]byte, statTwoSize)...)
	} else {
		message = appendStatTwo(message, entry)
	}
	_, err = s.out.Write(message)
	return err
}

// statTwoSize is the bytes of what appendStatTwo adds after the error's number.
const statTwoSize = 64

// appendStatTwo adds error, device, inode, mode, links, owner, group, size, and the times of
// access and of both kinds of change.
func appendStatTwo(message []byte, entry shell.Entry) []byte {
	message = append(message, make([]byte, 4+8+8)...)
	for _, word := range []uint32{entry.Mode, 1, 0, 0} {
		message = binary.LittleEndian.AppendUint32(message, word)
	}
	message = binary.LittleEndian.AppendUint64(message, uint64(entry.Size))
	changed := uint64(0)
	if !entry.Changed.IsZero() {
		changed = uint64(entry.Changed.Unix())
	}
	for range 3 {
		message = binary.LittleEndian.AppendUint64(message, changed)
	}
	return message
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
				message = appendStatTwo(append(message, "DNT2"...), entry)
			} else {
				message = binary.LittleEndian.AppendUint32(append(message, "DENT"...), entry.Mode)
				message = appendSizeTime(message, entry)
			}
			message = binary.LittleEndian.AppendUint32(message, uint32(len(entry.Name)))
			message = append(message, entry.Name...)
		}
	}
	rest := 16
	if two {
		rest = 4 + statTwoSize + 4
	}
	message = append(append(message, "DONE"...), make([]byte, rest)...)
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
	message := make([]byte, 0, 8+maxSyncData)
	for len(data) > 0 {
		chunk := data[:min(len(data), maxSyncData)]
		data = data[len(chunk):]
		message = binary.LittleEndian.AppendUint32(append(message[:0], "DATA"...), uint32(len(chunk)))
		if _, err := s.out.Write(append(message, chunk...)); err != nil {
			return err
		}
	}
	_, err = s.out.Write([]byte("DONE\x00\x00\x00\x00"))
	return err
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
			_, err := s.out.Write([]byte("OKAY\x00\x00\x00\x00"))
			return err
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
	name, text, found := cutLast(argument, ",")
	mode, err := strconv.ParseUint(text, 10, 32)
	if !found || err != nil {
		return nil, 0, errors.New("invalid mode")
	}
	const types, regular = 0o170000, 0o100000 // as in struct stat
	if kind := uint32(mode) & types; kind != 0 && kind != regular {
		return nil, 0, shell.FileError("Operation not permitted")
	}
	clean, err := s.files.Resolve("/", name)
	if err != nil {
		return nil, 0, err
	}
	file, err := s.files.StartUpload(clean)
	return file, uint32(mode), err
}

func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}
