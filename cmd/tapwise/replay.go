package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/overlay"
	"tapwise/cmd/internal/player"
	"tapwise/configs/boundedfile"
	"tapwise/solvers/all"
	"tapwise/vision"
)

func (a *app) replayCommand() *cobra.Command {
	var overlays string
	command := &cobra.Command{
		Use:   "replay FOLDER…",
		Short: "run evidence of what went wrong again, without a phone",
		Long: `Replay takes the decisions again that were taken on a phone: it looks at the frames
in a folder that play or clear left behind, reads, solves and plans what is on
them, and says what was decided otherwise then. Exit code 4 when something was.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, folders []string) error { return a.replay(cmd.Context(), folders, overlays) },
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

func (a *app) replay(ctx context.Context, folders []string, overlays string) error {
	differs := 0
	for _, folder := range folders {
		n, err := a.replayFolder(ctx, folder, overlays)
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

// replayFolder replays one folder and counts the frames that are decided
// otherwise now.
func (a *app) replayFolder(ctx context.Context, folder, overlays string) (differs int, err error) {
	e, err := player.LoadEvidence(folder)
	if err != nil {
		return 0, badInput(err)
	}
	game, err := all.ByName(e.Game)
	if err != nil {
		return 0, badInputf("%s: %w", folder, err)
	}
	known, err := a.profiles(game.Name())
	if err != nil {
		return 0, err
	}
	known.Model = e.Device["model"]
	p := &player.Player{Eyes: known.Eyes(), Game: game, Timing: a.settings.Play.Timing, Profile: known.Profile, Log: a.log}
	frames, err := p.Replay(ctx, folder, e, vision.Decode)
	if err != nil && !errors.Is(err, context.Canceled) {
		return 0, badInputf("%s: %w", folder, err)
	}
	if err != nil {
		return 0, err
	}
	if !a.json {
		if err := a.printEvidence(folder, e); err != nil {
			return 0, err
		}
	}
	for _, r := range frames {
		if r.Differs != "" {
			differs++
		}
		if err := a.printReplayed(folder, r); err != nil {
			return differs, err
		}
		if overlays == "" || r.Seen == nil {
			continue
		}
		if err := a.replayOverlay(ctx, folder, overlays, r); err != nil {
			return differs, err
		}
	}
	return differs, nil
}

// replayOverlay draws what is seen and planned on a frame now, and what is wrong.
func (a *app) replayOverlay(ctx context.Context, folder, overlays string, r player.Replayed) error {
	if err := os.MkdirAll(overlays, 0o755); err != nil {
		return badInput(err)
	}
	data, err := boundedfile.ReadIn(folder, r.File, vision.MaxBytes)
	if err != nil {
		return badInput(err)
	}
	frame, err := vision.Decode(ctx, data)
	if err != nil {
		return badInputf("%s: %w", filepath.Join(folder, r.File), err)
	}
	picture, err := overlay.Draw(frame, r.Seen, r.Puzzle, r.Plan, r.Err)
	if err != nil {
		return err
	}
	return writePNG(filepath.Join(overlays, filepath.Base(folder)+"-"+r.File), picture)
}

// printEvidence prints what was kept of the level.
func (a *app) printEvidence(folder string, e player.Evidence) error {
	_, err := fmt.Fprintf(a.out, "%s\n%s, level %d of its run, %s: %s\n", folder, e.Game, e.Level, e.At.Format("2006-01-02 15:04:05"), e.Error)
	for _, s := range e.Steps {
		if err != nil {
			return err
		}
		line := fmt.Sprintf("  %6d ms  %-8s %s", s.At, s.State, s.Note)
		if s.Error != "" && s.Error != s.Note {
			line += "  (" + s.Error + ")"
		}
		_, err = fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	}
	return err
}

func (a *app) printReplayed(folder string, r player.Replayed) error {
	line := replayLine{Folder: folder, File: r.File, Place: r.Place.Kind.String(), Reason: r.Place.Reason,
		Board: r.Board, Solution: r.Solution, Gestures: r.Gestures, Differs: r.Differs}
	if r.Err != nil {
		line.Error = r.Err.Error()
	}
	if a.json {
		return a.printJSON(line)
	}
	text := fmt.Sprintf("%s: %s (%s)", r.File, line.Place, line.Reason)
	if r.Board != "" {
		text += "\n" + r.Board
	}
	if r.Gestures > 0 {
		text += fmt.Sprintf("\nsolved, %d gestures", r.Gestures)
	}
	if line.Error != "" {
		text += "\n" + line.Error
	}
	if r.Differs != "" {
		text += "\nDIFFERS: " + r.Differs
	}
	_, err := fmt.Fprintln(a.out, text)
	return err
}
