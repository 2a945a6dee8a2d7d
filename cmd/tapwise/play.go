package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/player"
	"tapwise/cmd/internal/recognise"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/screen"
)

func (a *app) playCommand() *cobra.Command {
	var dryRun bool
	var o runOptions
	command := &cobra.Command{
		Use:   "play",
		Short: "play the level on the phone's screen",
		Long: `Play reads the level on the phone's screen, solves it, checks the solution and
plays it, then looks whether the level is won. A board with several solutions,
where the game's levels have one, is played when it was seen clearly and a second
look finds it again. A level that is complete already is left as it is, which is no
failure: it is said, and the exit code is 0. A phone that is asleep or locked is not
touched. Exit codes: 4 the screen could not be read, 5 the phone failed, is asleep or
locked, 6 the level was played but not won, 7 it was not solved within the
configuration's solve-deadline.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.play(cmd.Context(), dryRun, o) },
	}
	o.flags(command.Flags())
	command.Flags().BoolVar(&dryRun, "dry-run", false, "print the adb commands instead of running them")
	return command
}

func (a *app) play(ctx context.Context, dryRun bool, o runOptions) (err error) {
	phone, p, err := a.player(ctx)
	if err != nil {
		return err
	}
	if dryRun {
		report, plan, err := p.Preview(ctx)
		if errors.Is(err, player.ErrComplete) {
			return a.printComplete(report)
		}
		if err != nil {
			return err
		}
		lines, err := phone.CommandLines(ctx, plan)
		if err != nil {
			return err
		}
		if a.json {
			return a.printJSON(struct {
				Game     string   `json:"game"`
				Board    string   `json:"board"`
				Solution string   `json:"solution"`
				Commands []string `json:"commands"`
			}{report.Game, report.Board, report.Solution, lines})
		}
		for _, line := range lines {
			if _, err := fmt.Fprintln(a.out, line); err != nil {
				return err
			}
		}
		return nil
	}
	beside, err := a.beside(ctx, phone, p, o)
	if err != nil {
		return err
	}
	defer func() { err = beside.end(err) }()
	a.quiet = o.quiet
	j, err := a.openJournal(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &recorder{journal: j, stop: stop, now: time.Now}
	if err := r.prepare(ctx, phone, p, 1); err != nil {
		return err
	}
	report, err := p.Level(ctx)
	if errors.Is(err, player.ErrComplete) {
		return a.printComplete(report)
	}
	beside.times.add(report)
	if saveErr := errors.Join(r.finish(ctx, report, err), r.end(ctx, err)); saveErr != nil {
		return errors.Join(err, saveErr)
	}
	if printErr := a.printReport("", 1, report, err); printErr != nil {
		return printErr
	}
	return err
}

// player joins the phone, the eyes and the game.
func (a *app) player(ctx context.Context) (phone, *player.Player, error) {
	game, err := a.screenGame()
	if err != nil {
		return phone{}, nil, err
	}
	return a.playerFor(ctx, target{a.settings.Serial, game}, mustBeAwake)
}

// playerFor is player for one of several phones.
func (a *app) playerFor(ctx context.Context, t target, wake waking) (phone, *player.Player, error) {
	device, err := a.openPhoneNamed(ctx, t.serial, wake)
	if err != nil {
		return phone{}, nil, err
	}
	game := t.game
	if game == nil {
		if game, err = a.gameOn(ctx, device); err != nil {
			return phone{}, nil, err
		}
	}
	p, err := a.playerOn(ctx, device, game)
	return device, p, err
}

// evidenceFolder is where levels that went wrong leave what was seen.
func (a *app) evidenceFolder() (string, error) {
	if folder := a.settings.Play.Evidence; folder != "" {
		return folder, nil
	}
	folder, err := os.UserCacheDir()
	if err != nil {
		return "", badInputf("play.evidence is not set and there is no cache folder: %w", err)
	}
	return filepath.Join(folder, "tapwise", "evidence"), nil
}

// playerOn joins a phone, the eyes and a game.
func (a *app) playerOn(ctx context.Context, device phone, game solvers.Game) (*player.Player, error) {
	timing, err := a.useProfiles(ctx, device, game.Name())
	if err != nil {
		return nil, err
	}
	evidence, err := a.evidenceFolder()
	if err != nil {
		return nil, err
	}
	return &player.Player{
		Device:   device,
		Eyes:     device.profiles.eyes(),
		Game:     game,
		Timing:   timing,
		Profile:  device.profiles.profile,
		Evidence: evidence,
		Picture:  drawOverlay,
		Commands: func(plan []screen.Gesture) []string {
			lines, err := device.CommandLines(ctx, plan)
			if err != nil {
				return []string{err.Error()}
			}
			return lines
		},
		Log: a.log,
	}, nil
}

// gameOn is the game asked for, else the one whose level is on the phone's
// screen. Where there is no level that is known, it is the first game that
// knows its app's screens: the player will say what it sees.
func (a *app) gameOn(ctx context.Context, device phone) (solvers.Game, error) {
	game, err := a.screenGame()
	if game != nil || err != nil {
		return game, err
	}
	// An app that is just starting, or an animation, is given a little time.
	const looks = 3
	for range looks {
		var frame *image.RGBA
		var on screen.Frame
		if frame, on, err = device.Capture(ctx); err == nil {
			var sight recognise.Sight
			sight, err = a.recognise(ctx, frame, on, nil, device.Model)
			if err == nil || sight.Place.Kind == screen.Won {
				return sight.Game, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(a.settings.Play.SettleInterval):
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	a.log.Warn("which game is on the screen could not be told; say it with --game", "error", err)
	return all.Games()[0], nil
}

// levelLine is a level's report as JSON.
type levelLine struct {
	Serial   string  `json:"serial,omitempty"` // where several phones play
	Level    int     `json:"level"`
	Game     string  `json:"game"`
	Status   string  `json:"status"` // won, failed, complete: before it was played
	Board    string  `json:"board,omitempty"`
	Solution string  `json:"solution,omitempty"`
	Rows     int     `json:"rows,omitempty"`
	Cols     int     `json:"cols,omitempty"`
	Settle   float64 `json:"settle_seconds"`
	Read     float64 `json:"read_seconds"`
	Solve    float64 `json:"solve_seconds"`
	Play     float64 `json:"play_seconds"`
	Verify   float64 `json:"verify_seconds"`
	Captures int     `json:"captures"`
	Redone   bool    `json:"redone"`
	Evidence string  `json:"evidence,omitempty"`
	Warning  string  `json:"warning,omitempty"`
	Error    string  `json:"error,omitempty"`
}

// printComplete says that there is nothing to play.
func (a *app) printComplete(r player.Report) error {
	if a.json {
		return a.printJSON(levelLine{Level: 1, Game: r.Game, Status: "complete", Settle: r.Settle.Seconds(), Read: r.Read.Seconds(), Captures: r.Captures})
	}
	if a.quiet {
		return nil
	}
	_, err := fmt.Fprintf(a.err, "%v\n", player.ErrComplete)
	return err
}

// printReport prints a line for a level that was played or failed. The serial
// is empty where one phone plays.
func (a *app) printReport(serial string, number int, r player.Report, failure error) error {
	if a.quiet && failure == nil {
		return nil
	}
	verdict := "won"
	switch {
	case failure != nil:
		verdict = "failed"
	case r.Redone:
		verdict = "won, after playing some of it again"
	case r.Several:
		verdict = "won, by one of several solutions"
	}
	if a.json {
		line := levelLine{Serial: serial, Level: number, Game: r.Game, Status: "won", Board: r.Board, Solution: r.Solution, Rows: r.Rows, Cols: r.Cols,
			Settle: r.Settle.Seconds(), Read: r.Read.Seconds(), Solve: r.Solve.Seconds(), Play: r.Play.Seconds(), Verify: r.Verify.Seconds(),
			Captures: r.Captures, Redone: r.Redone, Evidence: r.Evidence}
		if r.Several {
			line.Warning = severalWarning
		}
		if failure != nil {
			line.Status, line.Error = "failed", failure.Error()
		}
		return a.printJSON(line)
	}
	ms := func(d time.Duration) string { return fmt.Sprintf("%d ms", d.Milliseconds()) }
	if serial != "" {
		serial += "  "
	}
	_, err := fmt.Fprintf(a.out, "%s%3d  %-8s %-7s read %-7s solve %-7s play %-8s %s\n", serial, number, r.Game,
		fmt.Sprintf("%dx%d", r.Cols, r.Rows), ms(r.Settle+r.Read), ms(r.Solve), ms(r.Play+r.Verify), verdict)
	return err
}
