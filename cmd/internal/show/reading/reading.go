package reading

import (
	"context"
	"image"
	"strings"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/eyes/overlay"
	"tapwise/cmd/internal/eyes/profiles"
	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/solvers"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

// Reading is what was made of a picture or an observation. It holds how far reading
// got, also when that failed.
type Reading struct {
	Frame *image.RGBA  // as it was looked at: smaller than On if that is larger than any screen; nil for an observation
	On    screen.Frame // the picture, in whose pixels everything is told
	recognise.Sight
}

// The warnings about a board that has several solutions, and about one whose solutions
// leave cells uncovered.
const (
	severalWarning   = "the board has more than one solution, the game's levels have exactly one: look whether it was read right"
	uncoveredWarning = "the board has no solution that covers every cell, the game's levels have exactly one: look whether it was read right"
)

// Warning is what is to be said about a board that was believed without proof; empty is
// nothing.
func Warning(several, uncovered bool) string {
	switch {
	case uncovered:
		return uncoveredWarning
	case several:
		return severalWarning
	}
	return ""
}

// observationHead is how many bytes are looked at to tell an observation from a
// picture.
const observationHead = 64

// Read reads the board in a picture, or in an observation's text. Without a game it
// tries them all; a picture that several could read is refused.
func Read(ctx context.Context, reader profiles.Reader, data []byte, game solvers.Game) (Reading, error) {
	if text := puzzlefile.Text(data[:min(len(data), observationHead)]); strings.HasPrefix(text, "frame ") {
		seen, err := screen.ParseObservation(puzzlefile.Text(data))
		if err != nil {
			return Reading{}, cause.Input(err)
		}
		if game == nil {
			return Reading{}, cause.Inputf("an observation is for one game's eyes: say which with --game")
		}
		sight, err := reader.Observation(ctx, seen, game)
		return Reading{Sight: sight}, err
	}
	frame, size, err := vision.DecodeReduced(ctx, data)
	if err != nil {
		return Reading{}, cause.Input(err)
	}
	on := screen.Frame{Size: size, Rotation: -1}
	sight, err := reader.Frame(ctx, frame, on, game, "")
	return Reading{Frame: frame, On: on, Sight: sight}, err
}

// Fill returns what is drawn already of the puzzle that was read, as a partial solution in the
// puzzle's notation; it is empty if the game cannot find out.
func (r Reading) Fill() (string, error) {
	f, ok := r.Puzzle.(solvers.Filler)
	if !ok {
		return "", nil
	}
	return f.Fill(r.Seen)
}

// Draw writes the picture with what was seen and would be played, and where reading
// failed, into a PNG file.
func (r Reading) Draw(name string, failure error) error {
	var plan []screen.Gesture
	if r.Solution != nil {
		plan = r.Solution.Plan(r.Seen.Layout)
	}
	picture, err := overlay.Draw(r.Frame, r.Seen, r.Puzzle, plan, failure)
	if err != nil {
		return err
	}
	return wholefile.WritePNG(name, picture)
}
