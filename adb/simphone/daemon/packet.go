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
	headerSize = 24

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

// readPacket reads one packet and refuses one that is malformed or whose
// payload is longer than limit. The error is io.EOF only between packets.
func readPacket(r io.Reader, limit int, verify bool) (packet, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return packet{}, err
	}
	p := packet{
		command: binary.LittleEndian.Uint32(header[0:]),
		arg0:    binary.LittleEndian.Uint32(header[4:]),
		arg1:    binary.LittleEndian.Uint32(header[8:]),
	}
	length := binary.LittleEndian.Uint32(header[12:])
	sum := binary.LittleEndian.Uint32(header[16:])
	if magic := binary.LittleEndian.Uint32(header[20:]); magic != ^p.command {
		return packet{}, fmt.Errorf("simphone: packet %#x with magic %#x, expected %#x", p.command, magic, ^p.command)
	}
	if uint64(length) > uint64(limit) {
		return packet{}, fmt.Errorf("simphone: packet %#x of %d bytes, expected at most %d", p.command, length, limit)
	}
	if length > 0 {
		p.payload = make([]byte, length)
		if _, err := io.ReadFull(r, p.payload); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return packet{}, err
		}
	}
	if verify && sum != checksum(p.payload) {
		return packet{}, errChecksum
	}
	return p, nil
}

// writePacket writes one packet, with its checksum when the peer wants one.
func writePacket(w io.Writer, p packet, sum bool) error {
	var header [headerSize]byte
	binary.LittleEndian.PutUint32(header[0:], p.command)
	binary.LittleEndian.PutUint32(header[4:], p.arg0)
	binary.LittleEndian.PutUint32(header[8:], p.arg1)
	binary.LittleEndian.PutUint32(header[12:], uint32(len(p.payload)))
	if sum {
		binary.LittleEndian.PutUint32(header[16:], checksum(p.payload))
	}
	binary.LittleEndian.PutUint32(header[20:], ^p.command)
	buffers := net.Buffers{header[:]}
	if len(p.payload) > 0 {
		buffers = append(buffers, p.payload)
	}
	_, err := buffers.WriteTo(w)
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
