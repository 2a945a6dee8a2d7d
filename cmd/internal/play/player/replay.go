package player

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"strings"

	"tapwise/cmd/internal/eyes/recognise"
	"tapwise/configs/boundedfile"
	"tapwise/solvers"
	"tapwise/solvers/screen"
)

// Replayed is how one frame of an evidence folder is read now.
type Replayed struct {
	File     string
	Place    screen.Place
	Board    string // empty when the frame shows no level or was refused
	Solution string
	Gestures int
	Seen     *screen.Observation
	Puzzle   solvers.Puzzle
	Plan     []screen.Gesture
	Err      error // why there is no board, solution or plan
	// Differs says how the earlier decision was different; it is empty if it was the same, or
	// if the frame was not looked at.
	Differs string
}

// The bounds of an evidence folder: the size of evidence.json, the size of a
// frame's file, and the number of frames. A level has a handful.
const (
	maxEvidence = 16 << 20 // bytes
	maxPicture  = 96 << 20 // bytes
	maxFrames   = 200
)

// LoadEvidence reads the evidence in a folder.
func LoadEvidence(folder string) (Evidence, error) {
	var e Evidence
	data, err := boundedfile.ReadIn(folder, EvidenceFile, maxEvidence)
	if err != nil {
		return e, err
	}
	if e, err = parseEvidence(data); err != nil {
		return e, fmt.Errorf("%s: %w", filepath.Join(folder, EvidenceFile), err)
	}
	return e, nil
}

// parseEvidence reads the text of an evidence file. The file names in it are
// refused unless they are plain names of files in the folder.
func parseEvidence(data []byte) (Evidence, error) {
	var e Evidence
	const byteOrderMark = "\ufeff" // some editors write one
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte(byteOrderMark)), &e); err != nil {
		return e, err
	}
	if e.Version != evidenceVersion {
		return e, fmt.Errorf("version %d, expected %d", e.Version, evidenceVersion)
	}
	if e.Game == "" {
		return e, errors.New("no game is named")
	}
	if len(e.Frames) > maxFrames {
		return e, fmt.Errorf("%d frames, expected at most %d", len(e.Frames), maxFrames)
	}
	for i, f := range e.Frames {
		for _, name := range []string{f.File, f.Observation, f.Overlay} {
			if name != "" && (name != filepath.Base(name) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`)) {
				return e, fmt.Errorf("frame %d: %q is no name of a file in the folder", i+1, name)
			}
		}
		if f.Factor < 0 || f.Factor > 0 && (f.Width%f.Factor > 0 || f.Height%f.Factor > 0) {
			return e, fmt.Errorf("frame %d: factor %d, expected one that divides %dx%d", i+1, f.Factor, f.Width, f.Height)
		}
		if f.File == "" || f.Rotation < -1 || f.Rotation > 3 {
			return e, fmt.Errorf("frame %d: no picture, or rotation %d, expected -1 to 3", i+1, f.Rotation)
		}
	}
	return e, nil
}

// Replay takes the decisions of the loop again from the frames of an evidence folder, without a
// phone: the place, the board, the solution and the plan of each frame. decode reads a picture.
// Links in the folder are not followed: otherwise whoever sent it could make any file be read.
func (p *Player) Replay(ctx context.Context, folder string, e Evidence, decode func(context.Context, []byte) (*image.RGBA, error)) ([]Replayed, error) {
	if e.Game != p.Game.Name() {
		return nil, fmt.Errorf("the evidence is of %s, not of %s", e.Game, p.Game.Name())
	}
	var all []Replayed
	for _, f := range e.Frames {
		frame, err := f.load(ctx, folder, decode)
		if err != nil {
			return all, err
		}
		r := p.replayFrame(ctx, sight{frame: frame, on: screen.Frame{Size: frame.Bounds().Size(), Rotation: f.Rotation}, factor: f.Factor})
		if err := ctx.Err(); err != nil {
			return all, context.Cause(ctx)
		}
		r.File = f.File
		r.Differs = r.difference(f, e)
		all = append(all, r)
	}
	return all, nil
}

// load reads the picture of a frame.
func (f EvidenceFrame) load(ctx context.Context, folder string, decode func(context.Context, []byte) (*image.RGBA, error)) (*image.RGBA, error) {
	data, err := boundedfile.ReadIn(folder, f.File, maxPicture)
	if err != nil {
		return nil, err
	}
	frame, err := decode(ctx, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(folder, f.File), err)
	}
	if got, want := frame.Bounds().Size(), image.Pt(f.Width, f.Height); got != want {
		return nil, fmt.Errorf("%s is %v pixels large, expected %v", f.File, got, want)
	}
	return frame, nil
}

// difference is the text of Replayed.Differs.
func (r Replayed) difference(f EvidenceFrame, e Evidence) string {
	switch {
	case f.Place != "" && r.Place.Kind.String() != f.Place:
		return fmt.Sprintf("was taken for %s", f.Place)
	case f.Read && r.Board != e.Board:
		return "was read as\n" + e.Board
	case f.Read && e.Solution != "" && r.Solution != e.Solution:
		return "was solved as\n" + e.Solution
	case f.Read && r.Gestures != len(e.Plan):
		return fmt.Sprintf("was planned in %d gestures", len(e.Plan))
	}
	return ""
}

// replayFrame takes the decisions of the loop on one frame.
func (p *Player) replayFrame(ctx context.Context, s sight) Replayed {
	l := p.level(StateSettle)
	s.at = l.time()
	var r Replayed
	if s.factor > 0 {
		s.frame = recognise.Shrunk(s.frame, s.factor)
		var ok bool
		if s, ok = l.reduced(s); !ok {
			r.Err = errors.New("the frame that was pushed shows no level that can be read")
			return r
		}
	} else if s, r.Err = l.know(s); r.Err != nil {
		return r
	}
	r.Place, r.Seen = s.Place, s.Seen
	if s.Place.Kind != screen.Level {
		return r
	}
	l.memory.read, l.preview = s, true
	for _, state := range []State{StateRead, StateSolve, StatePlan} {
		if _, r.Err = l.do(ctx, state); r.Err != nil {
			break
		}
	}
	r.Board, r.Solution, r.Puzzle, r.Plan, r.Gestures = l.report.Board, l.report.Solution, l.puzzle, l.plan, len(l.plan)
	return r
}
