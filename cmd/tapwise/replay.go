package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/console/wholefile"
	"tapwise/cmd/internal/console/wording"
	"tapwise/cmd/internal/play/player"
	"tapwise/cmd/internal/play/run"
	"tapwise/cmd/internal/show/bundle"
)

func (a *app) replayCommand() *cobra.Command {
	var overlays string
	command := &cobra.Command{
		Use:   "replay FOLDER…",
		Short: "run evidence of what went wrong again, without a phone",
		Long: `Replay repeats the decisions that were taken on a phone: it looks at the frames
in a folder that play or clear left behind, or in a bundle of one, reads, solves and plans what is on
them, and says which decisions differ. If any does, the exit code is 4.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, folders []string) error {
			return replaying{a, overlays}.replay(cmd.Context(), folders)
		},
	}
	command.Flags().StringVar(&overlays, "overlays", "", "draw what is seen and planned now into this `FOLDER`")
	return command
}

// replayLine is a frame as JSON.
type replayLine struct {
	Folder   string `json:"folder"`
	File     string `json:"file"`
	Place    string `json:"place"`
	Reason   string `json:"reason"`
	Board    string `json:"board,omitempty"`
	Solution string `json:"solution,omitempty"`
	Gestures int    `json:"gestures,omitempty"`
	Error    string `json:"error,omitempty"`
	Differs  string `json:"differs,omitempty"`
}

// replaying is one run of replay.
type replaying struct {
	*app
	overlays string // the folder to draw into; empty draws nothing
}

func (r replaying) replay(ctx context.Context, folders []string) error {
	differs := 0
	for _, folder := range folders {
		n, err := r.folder(ctx, folder)
		if err != nil {
			return err
		}
		differs += n
	}
	if differs > 0 {
		return fmt.Errorf("%w: %d frames are decided otherwise than they were", player.ErrUnreadable, differs)
	}
	return nil
}

// folder replays one folder and counts the frames that are decided otherwise now.
func (r replaying) folder(ctx context.Context, folder string) (differs int, err error) {
	if bundle.Is(folder) {
		if folder, err = bundle.Open(folder); err != nil {
			return 0, err
		}
		defer os.RemoveAll(folder)
	}
	replay, err := r.opener().Replay(ctx, folder)
	if err != nil {
		return 0, err
	}
	if !r.json {
		if err := r.printEvidence(replay); err != nil {
			return 0, err
		}
	}
	for _, frame := range replay.Frames {
		if frame.Differs != "" {
			differs++
		}
		if err := r.printFrame(folder, frame); err != nil {
			return differs, err
		}
		if r.overlays == "" || frame.Seen == nil {
			continue
		}
		if err := os.MkdirAll(r.overlays, 0o755); err != nil {
			return differs, badInput(err)
		}
		picture, err := replay.Draw(ctx, frame)
		if err != nil {
			return differs, err
		}
		if err := wholefile.WritePNG(filepath.Join(r.overlays, filepath.Base(folder)+"-"+frame.File), picture); err != nil {
			return differs, err
		}
	}
	return differs, nil
}

// printEvidence prints what was kept of the level.
func (r replaying) printEvidence(of *run.Replay) error {
	e := of.Evidence
	_, err := fmt.Fprintf(r.out, "%s\n%s, level %d of its run, %s: %s\n", of.Folder, e.Game, e.Level, e.At.Format("2006-01-02 15:04:05"), e.Error)
	for _, s := range e.Steps {
		if err != nil {
			return err
		}
		line := fmt.Sprintf("  %6d ms  %-8s %s", s.At, s.State, s.Note)
		if s.Error != "" && s.Error != s.Note {
			line += "  (" + s.Error + ")"
		}
		_, err = fmt.Fprintln(r.out, strings.TrimRight(line, " "))
	}
	return err
}

// printFrame prints what is made of a frame now.
func (r replaying) printFrame(folder string, f player.Replayed) error {
	line := replayLine{Folder: folder, File: f.File, Place: f.Place.Kind.String(), Reason: f.Place.Reason,
		Board: f.Board, Solution: f.Solution, Gestures: f.Gestures, Differs: f.Differs}
	if f.Err != nil {
		line.Error = wording.Of(f.Err)
	}
	if r.json {
		return r.printJSON(line)
	}
	text := fmt.Sprintf("%s: %s (%s)", f.File, line.Place, line.Reason)
	if f.Board != "" {
		text += "\n" + f.Board
	}
	if f.Gestures > 0 {
		text += fmt.Sprintf("\nsolved, %d gestures", f.Gestures)
	}
	if line.Error != "" {
		text += "\n" + line.Error
	}
	if f.Differs != "" {
		text += "\nDIFFERS: " + f.Differs
	}
	_, err := fmt.Fprintln(r.out, text)
	return err
}
