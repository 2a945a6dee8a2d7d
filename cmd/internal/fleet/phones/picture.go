package phones

import (
	"context"
	"fmt"

	"tapwise/cmd/internal/fleet/worker"
	"tapwise/vision"
)

var _ worker.Eyes = (*Shelf)(nil)

// shownSide is the most pixels of the shorter side of a picture.
const shownSide = 360

// Picture captures a phone's screen as it is, whoever plays on the phone: it is neither
// held nor woken. The picture is scaled down.
func (s *Shelf) Picture(ctx context.Context, serial string, most int) ([]byte, error) {
	client, err := s.Opener.Client()
	if err != nil {
		return nil, err
	}
	device, err := client.Open(ctx, serial)
	if err != nil {
		return nil, err
	}
	frame, err := device.Capture(ctx)
	if err != nil {
		return nil, err
	}
	side := min(frame.Image.Rect.Dx(), frame.Image.Rect.Dy())
	shrink := max(1, (side+shownSide-1)/shownSide)
	for _, quality := range []int{75, 40, 10} {
		data, err := vision.JPEG(frame.Image, shrink, quality)
		if err != nil || len(data) <= most {
			return data, err
		}
	}
	return nil, fmt.Errorf("the picture of %s has more than %d bytes", serial, most)
}
