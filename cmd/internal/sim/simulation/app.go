package simulation

import (
	"context"
	"errors"
	"image"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/cmd/internal/sim/webphone"
	"tapwise/configs"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
)

// GameApp says which app of a game to show.
type GameApp struct {
	Game      solvers.Game // nil: the first of all games
	Pack      string       // the file of the levels; empty: the pack that comes with tapwise
	Rounds    int          // how often the app offers the levels, one after the other; 0 is once
	Uncovered bool         // levels are complete without covering every cell
	Style     string       // how the app looks, by a name that the game documents
	Theme     string       // another look: a file, or a theme that comes with tapwise
	Bare      bool         // no panel comes over a completed level
	Seed      uint64       // for what is random about the app's look
	// With Neighbours the app looks only at where the finger is, not at the way it came: a move
	// that skips a cell is not followed.
	Neighbours bool
	Files      puzzlefile.Reader
}

// Open makes the app.
func (a GameApp) Open(ctx context.Context) (simphone.App, error) {
	game := a.Game
	if game == nil {
		game = all.Games()[0]
	}
	if all.App(game) == nil {
		return nil, cause.Inputf("sim: %s brings no app for the simulated phone", game.Name())
	}
	levels, err := a.levels(ctx, game)
	if err != nil {
		return nil, err
	}
	options := simapp.Options{Style: a.Style, Seed: a.Seed, Bare: a.Bare}
	if options.Theme, err = a.theme(ctx); err != nil {
		return nil, err
	}
	app, err := all.Simulate(game, levels, options)
	if err != nil {
		return nil, cause.Input(err)
	}
	if strict, ok := app.(interface{ WantNeighbours() }); ok && a.Neighbours {
		strict.WantNeighbours()
	}
	return app, nil
}

// levels are those of the pack.
func (a GameApp) levels(ctx context.Context, game solvers.Game) ([]solvers.Puzzle, error) {
	texts, err := a.pack(ctx, game)
	if err != nil {
		return nil, err
	}
	levels := make([]solvers.Puzzle, len(texts))
	for i, in := range texts {
		if in.Image != nil {
			return nil, cause.Inputf("%s: a picture, expected a pack of levels", in.File)
		}
		if _, levels[i], err = puzzlefile.Parse(in.Text, game); err != nil {
			return nil, cause.Inputf("%s: puzzle at line %d: %w", in.File, in.Line, err)
		}
	}
	for i := range levels {
		if levels[i], err = (solvers.Levels{Uncovered: a.Uncovered}).Of(game, levels[i]); err != nil {
			return nil, cause.Inputf("sim: --cover=false: %w", err)
		}
	}
	return slices.Repeat(levels, max(1, a.Rounds)), nil
}

// pack is the file of the levels, split.
func (a GameApp) pack(ctx context.Context, game solvers.Game) ([]puzzlefile.Puzzle, error) {
	if a.Pack != "" {
		return a.Files.Puzzles(ctx, []string{a.Pack}, game)
	}
	levels := puzzlefile.Pack(game)
	if len(levels) == 0 {
		return nil, cause.Inputf("sim: %s brings no levels, expected --pack", game.Name())
	}
	return levels, nil
}

// theme is the look that was asked for; nil when none was.
func (a GameApp) theme(ctx context.Context) (*simapp.Theme, error) {
	if a.Theme == "" {
		return nil, nil
	}
	text, err := configs.Theme(a.Theme)
	if err != nil {
		if text, err = a.Files.File(ctx, a.Theme); errors.Is(err, os.ErrNotExist) {
			return nil, cause.Inputf("sim: --theme %s: no such file, and none of %s", a.Theme, strings.Join(configs.Themes(), ", "))
		}
	}
	if err != nil {
		return nil, err
	}
	theme, err := ReadTheme(a.Theme, text)
	return theme, cause.Input(err)
}

// WebApp says which web page to show as an app.
type WebApp struct {
	Page     string      // the page's address, or its file
	Size     image.Point // of the screen held upright, in pixels
	Density  int         // of the screen, in dots per inch
	Rotation int         // of the screen, in quarter turns
	Wait     time.Duration
	Log      *slog.Logger
}

// Open starts a browser with the page, until the page is closed or the context
// ends.
func (a WebApp) Open(ctx context.Context) (*webphone.Page, error) {
	size := a.Size
	if a.Rotation%2 == 1 {
		size = image.Pt(size.Y, size.X)
	}
	address := a.Page
	if !strings.Contains(address, "://") {
		file, err := filepath.Abs(address)
		if err != nil {
			return nil, cause.Input(err)
		}
		if _, err := os.Stat(file); err != nil {
			return nil, cause.Inputf("sim: --page: %w", err)
		}
		address = (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	}
	page, err := webphone.Open(ctx, webphone.Config{URL: address, Size: size, Density: a.Density, Wait: a.Wait, Log: a.Log})
	return page, cause.Input(err)
}
