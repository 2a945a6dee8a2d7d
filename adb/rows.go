package adb

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"io"
	"regexp"
	"time"
)

// ErrNoRows: the phone gives whole frames only, or none was seen yet of which rows
// could be cut.
var ErrNoRows = errors.New("rows of a frame cannot be captured")

// The limits of capturing rows.
const (
	// rowsPay is how many sums of rows must cost less than one frame: settling by
	// them takes three, and saves one of two frames.
	rowsPay = 3
	// rowsTried is how often Probe times a way to get rows; the fastest time counts.
	rowsTried = 2
	// minRows is the height in pixels from which on a frame has a middle.
	minRows = 4
)

// rowsBy is a way to tell whether rows stand still.
type rowsBy string

const (
	rowsBySum     rowsBy = "checksum on the phone"
	rowsByCapture rowsBy = "rows of the frame"
)

// rawLayout is how screencap writes a frame, as the last whole raw one had it.
type rawLayout struct {
	header []byte // 12 or 16 bytes
	size   image.Point
	format pixelFormat
}

// row is the bytes of one row of pixels.
func (l rawLayout) row() int { return l.size.X * l.format.size() }

// headed counts the bytes of a raw frame and keeps the first of them.
type headed struct {
	r     io.Reader
	first []byte
	count int
}

const longHeader = headerSize + 4 // with Android 8's colour space

func (h *headed) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	h.count += n
	if missing := longHeader - len(h.first); missing > 0 {
		h.first = append(h.first, p[:min(n, missing)]...)
	}
	return n, err
}

// noteLayout keeps how a whole raw frame was written. One with text before it is not
// kept: where the pixels of the next begin is then unknown.
func (d *Device) noteLayout(h *headed, size image.Point) {
	if len(h.first) < headerSize {
		return
	}
	header := readHeader(h.first)
	length := h.count - size.X*size.Y*header.format.size()
	var layout rawLayout
	if header.plausible() && header.size() == size && (length == headerSize || length == longHeader) {
		layout = rawLayout{bytes.Clone(h.first[:length]), size, header.format}
	}
	d.mu.Lock()
	d.layout = layout
	d.mu.Unlock()
}

// rowsLayout is how frames are written, for rows from..to of them.
func (d *Device) rowsLayout(from, to int) (rawLayout, error) {
	d.mu.Lock()
	layout := d.layout
	d.mu.Unlock()
	switch {
	case layout.header == nil:
		return layout, fmt.Errorf("%w: no raw frame was seen whole", ErrNoRows)
	case from < 0 || from >= to || to > layout.size.Y:
		return layout, fmt.Errorf("adb: rows %d to %d of a frame of %s", from, to, sizeText(layout.size))
	}
	return layout, nil
}

// screencap is the command that writes a raw frame.
func (d *Device) screencap() string { return Raw.command(d.client.config.CaptureDisplay, "") }

// CaptureRows captures the rows from from up to, but not including, to. The frame's Size is the
// whole screen's, and its Image's rectangle is the part that was captured. The frame's header
// comes along and has to equal that of the last whole raw frame: a screen of another size or
// format is an ErrScreenChanged. Rows that are not exactly as long as they have to be, or all
// black, are a FrameError.
func (d *Device) CaptureRows(ctx context.Context, from, to int) (*Frame, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	layout, err := d.rowsLayout(from, to)
	if err != nil {
		return nil, err
	}
	start := d.client.config.Now()
	screen := d.screenBeside(ctx, start)
	img, err := d.grabRows(ctx, layout, from, to)
	if err != nil {
		if ctx.Err() != nil {
			err = contextError(ctx)
		}
		return nil, d.fail(ctx, fmt.Sprintf("screencap (rows %d to %d)", from, to), err)
	}
	frame := &Frame{Image: img, Size: layout.size, Method: Raw, Time: start, Duration: d.client.config.Now().Sub(start)}
	frame.Screen, frame.Rotation = d.screenOf(ctx, frame.Size, screen())
	return frame, nil
}

// grabRows captures rows of a frame. dd takes the header byte by byte: screencap
// writes it in pieces, and what another program took beyond it would be lost.
func (d *Device) grabRows(ctx context.Context, layout rawLayout, from, to int) (*image.RGBA, error) {
	command := fmt.Sprintf("%s | { dd bs=1 count=%d 2>/dev/null; tail -c +%d | head -c %d; }",
		d.screencap(), len(layout.header), from*layout.row()+1, (to-from)*layout.row())
	d.mu.Lock()
	packed := d.packs
	d.mu.Unlock()
	if packed {
		command += " | gzip -1"
	}
	k, err := d.exec(ctx, command)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	img, err := decodeRows(k, packed, layout, from, to)
	if errors.Is(err, ErrScreenChanged) {
		d.mu.Lock()
		d.layout = rawLayout{}
		d.mu.Unlock()
	}
	return img, err
}

// decodeRows reads the header and the rows of a frame, and nothing after them.
func decodeRows(r io.Reader, packed bool, layout rawLayout, from, to int) (*image.RGBA, error) {
	want := len(layout.header) + (to-from)*layout.row()
	fault := func(kind FrameKind, got int, err error) error {
		return &FrameError{Kind: kind, Got: int64(got), Want: int64(want), Size: layout.size, Err: brokenStream(err)}
	}
	if packed {
		z, err := gzip.NewReader(r)
		if err != nil {
			if brokenStream(err) == nil {
				return nil, fault(FrameEmpty, 0, nil)
			}
			return nil, fault(FrameBadGzip, 0, err)
		}
		r = z
	}
	data, err := readUpTo(r, want+1)
	if len(data) >= len(layout.header) && !bytes.Equal(data[:len(layout.header)], layout.header) {
		return nil, fmt.Errorf("%w: the frame's header is not that of %s any more", ErrScreenChanged, sizeText(layout.size))
	}
	switch {
	case err == nil:
		return nil, fault(FrameExcess, len(data), nil)
	case len(data) == 0:
		return nil, fault(FrameEmpty, 0, err)
	case len(data) < want:
		return nil, fault(FrameTruncated, len(data), err)
	case brokenStream(err) != nil: // the sum at the end of a gzip stream
		return nil, fault(FrameBadGzip, len(data), err)
	}
	img, err := notBlack(toRGBA(data[len(layout.header):], image.Pt(layout.size.X, to-from), layout.format))
	if err != nil {
		return nil, err
	}
	img.Rect = img.Rect.Add(image.Pt(0, from))
	return img, nil
}

// sumLine is what md5sum prints about its input; emptySum is the sum of nothing.
var sumLine = regexp.MustCompile(`(?m)^([0-9a-f]{32})(?:[ \t]+-)?\s*$`)

const (
	emptySum    = "d41d8cd98f00b204e9800998ecf8427e"
	maxSumBytes = 4096 // of a line of md5sum or of an error in its place, and a shell's own around it
)

// RowsSum returns the MD5 sum of rows from..to of the screen's pixels, as screencap writes
// them, computed by the phone: 35 bytes travel. It proves only whether the rows change: a
// turned screen has other rows, and even a black screen has a sum.
func (d *Device) RowsSum(ctx context.Context, from, to int) (string, error) {
	ctx, cancel := d.client.limit(ctx)
	defer cancel()
	layout, err := d.rowsLayout(from, to)
	if err != nil {
		return "", err
	}
	command := fmt.Sprintf("%s | tail -c +%d | head -c %d | md5sum", d.screencap(), len(layout.header)+from*layout.row()+1, (to-from)*layout.row())
	output, status, err := d.client.shell(ctx, d.Serial, command)
	if err != nil {
		return "", d.fail(ctx, "screencap (checksum)", err)
	}
	found := sumLine.FindStringSubmatch(output[:min(len(output), maxSumBytes)])
	if status != 0 || found == nil || found[1] == emptySum {
		return "", fmt.Errorf("%w: md5sum on %s printed %q with status %d", ErrNoRows, d.Serial, shorten(output), status)
	}
	return found[1], nil
}

// RowsMark returns a text that is the same for the same pixels in rows from..to of a frame of
// the given size, in the cheapest way that the phone has. The error is ErrNoRows if Probe found
// none cheap enough to wait by.
func (d *Device) RowsMark(ctx context.Context, size image.Point, from, to int) (string, error) {
	d.mu.Lock()
	by, known := d.rowsBy, d.layout.size
	d.mu.Unlock()
	if by == "" {
		return "", ErrNoRows
	}
	if known != size {
		return "", fmt.Errorf("%w: frames were %s, not %s", ErrNoRows, sizeText(known), sizeText(size))
	}
	return d.markBy(ctx, by, from, to)
}

func (d *Device) markBy(ctx context.Context, by rowsBy, from, to int) (string, error) {
	if by == rowsBySum {
		return d.RowsSum(ctx, from, to)
	}
	frame, err := d.CaptureRows(ctx, from, to)
	if err != nil {
		return "", err
	}
	sum := md5.Sum(frame.Image.Pix)
	return hex.EncodeToString(sum[:]), nil
}

// RowsBy tells how RowsMark gets its marks; empty: it does not.
func (d *Device) RowsBy() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return string(d.rowsBy)
}

// chooseRows finds out whether marks of the screen's middle cost so much less than a
// frame that waiting by them is worth it. A phone that takes neither has none.
func (d *Device) chooseRows(ctx context.Context, frame time.Duration) {
	d.mu.Lock()
	d.rowsBy = ""
	height := d.layout.size.Y
	d.mu.Unlock()
	if height < minRows {
		return
	}
	for _, by := range []rowsBy{rowsBySum, rowsByCapture} {
		if took := d.timeRows(ctx, by, height/4, height-height/4); took > 0 && rowsPay*took < frame {
			d.mu.Lock()
			d.rowsBy = by
			d.mu.Unlock()
			return
		}
	}
}

// timeRows is the shortest time that a mark took; 0 where it failed.
func (d *Device) timeRows(ctx context.Context, by rowsBy, from, to int) (least time.Duration) {
	for range rowsTried {
		start := d.client.config.Now()
		if _, err := d.markBy(ctx, by, from, to); err != nil {
			return 0
		}
		if took := d.client.config.Now().Sub(start); least == 0 || took < least {
			least = took
		}
	}
	return least
}
