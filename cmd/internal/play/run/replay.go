package run

import (
	"context"
	"errors"
	"image"
	"path/filepath"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/eyes/overlay"
	"tapwise/cmd/internal/play/player"
	"tapwise/configs/boundedfile"
	"tapwise/solvers/all"
	"tapwise/vision"
)

// Replay is what is made now of the evidence that a level left.
type Replay struct {
	Folder   string
	Evidence player.Evidence
	Frames   []player.Replayed
}

// Replay takes again the decisions on the frames in a folder of evidence, with the profile for
// the phone from which they come. No phone is needed.
func (o Opener) Replay(ctx context.Context, folder string) (*Replay, error) {
	e, err := player.LoadEvidence(folder)
	if err != nil {
		return nil, cause.Input(err)
	}
	game, err := all.ByName(e.Game)
	if err != nil {
		return nil, cause.Inputf("%s: %w", folder, err)
	}
	known, err := o.Profiles.For(game.Name())
	if err != nil {
		return nil, err
	}
	known.Model = e.Device["model"]
	p := &player.Player{Eyes: known.Eyes(), Game: game, Timing: o.Timing, Profile: known.Profile, Log: o.Log}
	frames, err := p.Replay(ctx, folder, e, vision.Decode)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, cause.Inputf("%s: %w", folder, err)
	}
	return &Replay{Folder: folder, Evidence: e, Frames: frames}, nil
}

// Draw draws over a frame of the evidence what is seen and planned on it now, and
// what is wrong.
func (r *Replay) Draw(ctx context.Context, frame player.Replayed) (image.Image, error) {
	data, err := boundedfile.ReadIn(r.Folder, frame.File, vision.MaxBytes)
	if err != nil {
		return nil, cause.Input(err)
	}
	picture, err := vision.Decode(ctx, data)
	if err != nil {
		return nil, cause.Inputf("%s: %w", filepath.Join(r.Folder, frame.File), err)
	}
	return overlay.Draw(picture, frame.Seen, frame.Puzzle, frame.Plan, frame.Err)
}
