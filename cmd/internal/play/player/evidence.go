package player

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tapwise/cmd/internal/console/wholefile"
	"tapwise/solvers/screen"
)

// EvidenceFile is the file of an evidence folder that machines read.
const EvidenceFile = "evidence.json"

// evidenceVersion is raised when the meaning of a field changes.
const evidenceVersion = 1

// Evidence is everything known about a level that failed: what was on the
// screen, how it was read, what was done and what was expected.
type Evidence struct {
	Version  int               `json:"version"`
	Game     string            `json:"game"`
	App      string            `json:"app,omitempty"`
	At       time.Time         `json:"at"`
	Level    int               `json:"level"`
	State    State             `json:"state"`
	Kind     string            `json:"kind"`
	Trouble  string            `json:"trouble"`
	Expected string            `json:"expected,omitempty"`
	Seen     string            `json:"seen,omitempty"`
	Error    string            `json:"error"`
	Tried    []string          `json:"tried,omitempty"`
	Board    string            `json:"board,omitempty"`
	Solution string            `json:"solution,omitempty"`
	Plan     []EvidenceGesture `json:"plan,omitempty"`
	Commands []string          `json:"commands,omitempty"`
	Frames   []EvidenceFrame   `json:"frames"`
	Device   map[string]string `json:"device,omitempty"`
	Steps    []step            `json:"steps"`
}

// EvidenceFrame is one of the last frames, the oldest first.
type EvidenceFrame struct {
	File        string    `json:"file"`
	Observation string    `json:"observation,omitempty"` // a file; empty when the frame was not looked at
	Overlay     string    `json:"overlay,omitempty"`     // a file
	At          time.Time `json:"at"`
	Width       int       `json:"width"`
	Height      int       `json:"height"`
	Rotation    int       `json:"rotation"`
	Place       string    `json:"place,omitempty"`
	Reason      string    `json:"reason,omitempty"`
	Read        bool      `json:"read,omitempty"` // the board was read from this one
	// Factor is by how much a frame was enlarged that the phone pushed; 0 of a still one.
	Factor int `json:"factor,omitempty"`
}

// EvidenceGesture is a gesture of the plan.
type EvidenceGesture struct {
	Note   string   `json:"note,omitempty"`
	Points [][2]int `json:"points"`
}

// save writes the evidence of a failed level into a new folder and returns the
// folder.
func (l *level) save(f *Failure) (string, error) {
	e := l.evidenceOf(f)
	folder := filepath.Join(l.Player.Evidence, e.At.UTC().Format("20060102-150405.000")+"-"+e.Game+"-"+f.Stage)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	texts := map[string]string{"error.txt": f.Error() + "\n"}
	for name, text := range map[string]string{"board.txt": e.Board, "solution.txt": e.Solution, "commands.txt": strings.Join(e.Commands, "\n")} {
		if text != "" {
			texts[name] = text + "\n"
		}
	}
	sights := l.memory.forEvidence()
	for i, s := range sights {
		var fault error
		if l.belongsOn(f, s, i == len(sights)-1) {
			fault = f
		}
		frame, text, err := l.saveFrame(folder, i+1, s, fault)
		if err != nil {
			return folder, err
		}
		if text != "" {
			texts[frame.Observation] = text
		}
		e.Frames = append(e.Frames, frame)
	}
	data, err := json.MarshalIndent(e, "", "\t")
	if err != nil {
		return folder, err
	}
	texts[EvidenceFile] = string(data) + "\n"
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return folder, err
		}
	}
	return folder, nil
}

// evidenceOf is the evidence of a failed level, without its frames.
func (l *level) evidenceOf(f *Failure) Evidence {
	e := Evidence{
		Version: evidenceVersion, Game: l.Game.Name(), App: l.App, At: l.time(), Level: l.number, State: State(f.Stage),
		Kind: f.Kind.Error(), Trouble: string(f.trouble), Expected: f.Expected, Seen: f.Seen, Error: f.Error(), Tried: f.Tried,
		Board: l.report.Board, Solution: l.report.Solution, Frames: []EvidenceFrame{}, Steps: l.steps,
	}
	if k := l.keeper(); k != nil {
		e.Device = k.Facts()
	}
	for _, g := range l.plan {
		gesture := EvidenceGesture{Note: g.Note}
		for _, p := range g.Points {
			gesture.Points = append(gesture.Points, [2]int{p.X, p.Y})
		}
		e.Plan = append(e.Plan, gesture)
	}
	if l.Commands != nil && len(l.plan) > 0 && f.trouble != troubleLost { // a phone that is lost does not answer
		e.Commands = l.Commands(l.plan)
	}
	return e
}

// belongsOn reports whether a failure is marked on a frame: a refused board on
// the frame that it was read from, any other failure on the last frame.
func (l *level) belongsOn(f *Failure, s sight, last bool) bool {
	if slices.Contains([]State{StateRead, StateSolve, StatePlan}, State(f.Stage)) {
		return s.frame == l.memory.read.frame
	}
	return last
}

// saveFrame writes the pictures of a look at the screen, with the failure marked
// on it if fault is set. It returns the text of the observation, which the
// caller writes.
func (l *level) saveFrame(folder string, n int, s sight, fault error) (e EvidenceFrame, observation string, err error) {
	e = EvidenceFrame{
		File: fmt.Sprintf("frame-%d.png", n), At: s.at, Width: s.on.Size.X, Height: s.on.Size.Y, Rotation: s.on.Rotation,
		Read: s.frame == l.memory.read.frame && l.puzzle != nil, Factor: s.factor,
	}
	if err := writePNG(filepath.Join(folder, e.File), s.whole()); err != nil || s.Seen == nil {
		return e, "", err
	}
	e.Observation, e.Place, e.Reason = fmt.Sprintf("observation-%d.txt", n), s.Place.Kind.String(), s.Place.Reason
	observation = s.Seen.String()
	if l.Picture == nil {
		return e, observation, nil
	}
	var plan []screen.Gesture
	if e.Read {
		plan = l.plan
	}
	picture, err := l.Picture(s.whole(), s.Seen, l.puzzle, plan, fault)
	if err != nil {
		l.log().Error("the overlay could not be drawn", "error", err)
		return e, observation, nil
	}
	e.Overlay = fmt.Sprintf("overlay-%d.png", n)
	return e, observation, writePNG(filepath.Join(folder, e.Overlay), picture)
}

func writePNG(name string, picture image.Image) error {
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	return wholefile.EncodePrivate(name, func(to io.Writer) error { return encoder.Encode(to, picture) })
}
