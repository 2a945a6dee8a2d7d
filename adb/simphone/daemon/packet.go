package daemon

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
)

// The commands of the transport: four letters, little endian.
const (
	commandSync    = 0x434e5953 // SYNC
	commandConnect = 0x4e584e43 // CNXN
	commandAuth    = 0x48545541 // AUTH
	commandOpen    = 0x4e45504f // OPEN
	commandOkay    = 0x59414b4f // OKAY
	commandClose   = 0x45534c43 // CLSE
	commandWrite   = 0x45545257 // WRTE
)

const (
	// Peers of versionChecksum expect data_check to be the sum of the payload's
	// bytes; peers of versionSkipChecksum leave it 0.
	versionChecksum     = 0x01000000
	versionSkipChecksum = 0x01000001

	// handshakePayload bounds a payload, in bytes, before both sides have announced
	// theirs.
	handshakePayload = 4096
	minPacket        = 4096
	maxPacket        = 1 << 20
)

// packet is one message of the transport.
type packet struct {
	command, arg0, arg1 uint32
	payload             []byte
}

var errChecksum = errors.New("simphone: packet with a wrong checksum")

// header begins a packet on the wire.
type header struct {
	Command, Arg0, Arg1 uint32
	Length, Sum         uint32 // of the payload
	Magic               uint32 // the complement of the command
}

// readPacket reads one packet and refuses one that is malformed or whose
// payload is longer than limit. The error is io.EOF only between packets.
func readPacket(r io.Reader, limit int, verify bool) (packet, error) {
	var h header
	if err := binary.Read(r, binary.LittleEndian, &h); err != nil {
		return packet{}, err
	}
	p := packet{command: h.Command, arg0: h.Arg0, arg1: h.Arg1}
	if h.Magic != ^p.command {
		return packet{}, fmt.Errorf("simphone: packet %#x with magic %#x, expected %#x", p.command, h.Magic, ^p.command)
	}
	if uint64(h.Length) > uint64(limit) {
		return packet{}, fmt.Errorf("simphone: packet %#x of %d bytes, expected at most %d", p.command, h.Length, limit)
	}
	if h.Length > 0 {
		p.payload = make([]byte, h.Length)
		if _, err := io.ReadFull(r, p.payload); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return packet{}, err
		}
	}
	if verify && h.Sum != checksum(p.payload) {
		return packet{}, errChecksum
	}
	return p, nil
}

// writePacket writes one packet, with its checksum when the peer wants one.
func writePacket(w io.Writer, p packet, sum bool) error {
	h := header{Command: p.command, Arg0: p.arg0, Arg1: p.arg1, Length: uint32(len(p.payload)), Magic: ^p.command}
	if sum {
		h.Sum = checksum(p.payload)
	}
	head, err := binary.Append(nil, binary.LittleEndian, h)
	if err != nil {
		return err
	}
	buffers := net.Buffers{head}
	if len(p.payload) > 0 {
		buffers = append(buffers, p.payload)
	}
	_, err = buffers.WriteTo(w)
	return err
}

// checksum is what the protocol calls a CRC: the sum of the bytes.
func checksum(payload []byte) uint32 {
	var sum uint32
	for _, b := range payload {
		sum += uint32(b)
	}
	return sum
}
