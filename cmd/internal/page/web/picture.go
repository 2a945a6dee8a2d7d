package web

import (
	"bytes"
	"context"
	"errors"
	"image"
	_ "image/gif" // register the formats whose headers are known
	_ "image/jpeg"
	_ "image/png"
	"io"
	"net/http"
	"sync"
	"time"

	_ "golang.org/x/image/webp"
)

// The bounds of the pictures that the page sends: of one, and of all that are
// processed or kept at a time. A pixel takes 4 bytes while it is kept, and up to 30
// while it is decoded.
const (
	maxUpload   = 24 << 20 // bytes
	maxPixels   = 16 << 20 // of one picture
	busyPixels  = 20 << 20 // of all being decoded or read: one large picture, or several screens
	maxOpenings = 4        // pictures being sent, captured or decoded
	maxReads    = 2        // pictures being read
	keptShots   = 4
	keptPixels  = 32 << 20

	// turnTime is how long a page waits for its turn before it is told to come
	// again.
	turnTime = 10 * time.Second
)

// pictureTurns bounds how many pictures are processed at a time.
type pictureTurns struct {
	openings chan struct{} // holds one for each picture being opened
	reads    chan struct{} // and for each being read
	pixels   room
	patience time.Duration // is turnTime
}

func newPictureTurns() pictureTurns {
	return pictureTurns{openings: make(chan struct{}, maxOpenings), reads: make(chan struct{}, maxReads), pixels: room{free: busyPixels}, patience: turnTime}
}

// open takes a place for a picture that is about to arrive. It does not wait for
// one: until then the picture would have to be kept, or its sender held up.
func (t *pictureTurns) open() (release func(), err error) {
	select {
	case t.openings <- struct{}{}:
		return func() { <-t.openings }, nil
	default:
		return nil, refuse(http.StatusTooManyRequests, "%d pictures are already being opened; try again when they are done", maxOpenings)
	}
}

// read takes a place to read a picture with that many pixels, and waits for it.
func (t *pictureTurns) read(ctx context.Context, pixels int) (release func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	select {
	case t.reads <- struct{}{}:
	case <-waiting.Done():
		return nil, noTurn(ctx)
	}
	give, err := t.decode(waiting, pixels)
	if err != nil {
		<-t.reads
		return nil, err
	}
	return func() { give(); <-t.reads }, nil
}

// decode takes room for that many pixels, and waits for it.
func (t *pictureTurns) decode(ctx context.Context, pixels int) (release func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	pixels = min(pixels, busyPixels) // a phone's frame may be larger than the whole room
	if !t.pixels.take(waiting, pixels) {
		return nil, noTurn(ctx)
	}
	return func() { t.pixels.give(pixels) }, nil
}

func noTurn(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err() // nobody waits for the answer
	}
	return refuse(http.StatusServiceUnavailable, "other pictures are being opened and read; try again when they are done")
}

// room is an amount that is shared out, such as pixels.
type room struct {
	mu    sync.Mutex
	free  int
	freed chan struct{} // closed when more is free; nil when nobody waits
}

// take waits until the amount is free and takes it, or reports false when the
// context ends first.
func (r *room) take(ctx context.Context, amount int) bool {
	for {
		r.mu.Lock()
		if amount <= r.free {
			r.free -= amount
			r.mu.Unlock()
			return true
		}
		if r.freed == nil {
			r.freed = make(chan struct{})
		}
		freed := r.freed
		r.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return false
		}
	}
}

func (r *room) give(amount int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free += amount
	if r.freed != nil {
		close(r.freed)
		r.freed = nil
	}
}

// receive reads and decodes the picture in a request.
func (s *Server) receive(r *http.Request) (*image.RGBA, error) {
	release, err := s.turns.open()
	if err != nil {
		return nil, err
	}
	defer release()
	data, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxUpload))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, refuse(http.StatusRequestEntityTooLarge, "a picture of more than %d MiB", maxUpload>>20)
	case err != nil:
		return nil, refuse(http.StatusBadRequest, "the picture did not arrive: %v", err)
	}
	size, err := s.Size(data)
	if err != nil {
		return nil, refuse(http.StatusUnsupportedMediaType, "%v", err)
	}
	if err := checkPixels(size); err != nil {
		return nil, err
	}
	give, err := s.turns.decode(r.Context(), pixelsOf(size))
	if err != nil {
		return nil, err
	}
	defer give()
	// When a page goes away, decoding goes on: otherwise its room would be given
	// back before the decoder, which knows no context, is done with it.
	frame, err := s.Decode(s.ctx, data)
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	if got := frame.Rect.Size(); got.X > size.X || got.Y > size.Y {
		return nil, refuse(http.StatusUnprocessableEntity, "a picture of %dx%d pixels whose header says %dx%d", got.X, got.Y, size.X, size.Y)
	}
	return frame, nil
}

func pixelsOf(size image.Point) int { return size.X * size.Y }

// headerSize is the size of a picture by its header, so that a small file cannot ask for
// much memory.
func headerSize(data []byte) (image.Point, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		err = errors.New("not a picture, expected PNG, JPEG, GIF or WebP")
	}
	return image.Pt(config.Width, config.Height), err
}

// checkPixels refuses pictures that are too large for the page.
func checkPixels(size image.Point) error {
	if size.X <= 0 || size.Y <= 0 || size.X > maxPixels/size.Y {
		return refuse(http.StatusRequestEntityTooLarge, "a picture of %dx%d pixels, expected at most %d in all", size.X, size.Y, maxPixels)
	}
	return nil
}
