package phones

import (
	"context"
	"errors"

	"tapwise/cmd/internal/fleet/worker"
	"tapwise/cmd/internal/journal"
	"tapwise/cmd/internal/show/bundle"
)

// Evidence is the folders that failures left, as far as the journal has them.
type Evidence struct{ *journal.Noted }

var _ worker.Evidence = Evidence{}

// Pack packs the folder that was noted for an event.
func (e Evidence) Pack(ctx context.Context, event string, most int) ([]byte, error) {
	folder, err := e.Folder(ctx, event)
	if err != nil {
		return nil, err
	}
	if folder == "" {
		return nil, errors.New("the failure left none, or it was long ago")
	}
	return bundle.Evidence(ctx, folder, most)
}
