package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/page/web"
	"tapwise/cmd/internal/play/trouble"
	"tapwise/cmd/internal/puzzles/puzzlefile"
	"tapwise/cmd/internal/sim/simulation"
	"tapwise/solvers"
	"tapwise/solvers/all"
)

func (a *app) demoCommand() *cobra.Command {
	var listen, film string
	var open bool
	var levels int
	command := &cobra.Command{
		Use:   "demo",
		Short: "watch simulated phones being played on, in a browser",
		Long: `Demo starts a simulated phone for each game, or for the one that --game names, and
opens the page of tapwise serve, which plays level after level on all of them for as long
as you look. On the page a phone can be paused, given a fault, or played on by hand. No
phone is needed, and nothing of it goes into your journal. Ctrl-C ends all of it.

With --levels it opens no page: it plays that many levels of each game, all games at
once, or of the one that --game names, prints what it does and ends. With --film it keeps pictures of
that in a folder.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case levels < 0:
				return badInputf("demo: --levels %d, expected at least 1", levels)
			case levels > 0:
				return a.demoLevels(cmd.Context(), strconv.Itoa(levels), film)
			case film != "":
				return badInputf("demo: --film is of levels that are played without the page: say how many with --levels")
			}
			return a.demoPage(cmd.Context(), listen, open)
		},
	}
	command.Flags().StringVar(&listen, "listen", "127.0.0.1:8420", "`ADDRESS` of the page; port 0 is any free one")
	command.Flags().BoolVar(&open, "open", true, "open the page in the desktop's browser")
	command.Flags().IntVar(&levels, "levels", 0, "play `N` levels of each game, without the page")
	command.Flags().StringVar(&film, "film", "", "keep pictures of the levels in a `FOLDER`, a part for each game")
	return command
}

// demoGames are the game that was asked for, or all.
func (a *app) demoGames() ([]solvers.Game, error) {
	asked, err := a.game()
	if asked == nil {
		return all.Games(), err
	}
	return []solvers.Game{asked}, err
}

// demoPage shows the simulated phones on the page.
func (a *app) demoPage(ctx context.Context, listen string, open bool) error {
	games, err := a.demoGames()
	if err != nil {
		return err
	}
	if err := a.ownFiles(); err != nil {
		return err
	}
	asked := a.settings.Game
	a.settings.Game = "" // each phone has its own
	phones, err := a.openDemo(ctx, games)
	if err != nil {
		return err
	}
	if len(games) == 1 {
		a.settings.Game = asked
	}
	config := a.pageConfig()
	config.Phones = phones
	return a.servePage(ctx, listen, config, open)
}

// toys are simulated phones, each with a game, that the page plays on.
type toys struct {
	web.Phones // by an adb server of their own
	server     simulation.Server
	phones     map[string]*simphone.Phone // by serial
	levels     map[string]int
}

var _ web.Demo = (*toys)(nil)

// demoRounds is how often the phones of a demo offer their levels: longer than anybody looks.
const demoRounds = 500

// openDemo starts a phone for each of some games. What is played on them is not noted in the
// user's journal.
func (a *app) openDemo(ctx context.Context, games []solvers.Game) (_ *toys, err error) {
	t := &toys{phones: map[string]*simphone.Phone{}, levels: map[string]int{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.Close())
		}
	}()
	if err := t.server.Open(ctx); err != nil {
		return nil, err
	}
	options := simulation.Usual()
	options.Size, options.Density, options.TimeScale = image.Pt(720, 1480), 320, 1 // strokes are seen as they are drawn
	for _, game := range games {
		app, err := simulation.GameApp{Game: game, Rounds: demoRounds, Files: puzzlefile.Reader{Stdin: a.in}}.Open(ctx)
		if err != nil {
			return nil, err
		}
		described, err := options.Phone(app)
		if err != nil {
			return nil, err
		}
		described.Model = trouble.Title(game.Name())
		phone, err := described.New()
		if err != nil {
			return nil, err
		}
		if err := phone.Listen(ctx, "127.0.0.1:0"); err != nil {
			return nil, err
		}
		t.phones[phone.Addr()], t.levels[phone.Addr()] = phone, len(puzzlefile.Pack(game))
		if err := t.server.Connect(ctx, phone, false); err != nil {
			return nil, err
		}
	}
	own := *a
	own.settings.Serial, own.settings.Unusable, own.keeper = "", nil, nil
	own.settings.ADB.Host, own.settings.ADB.Port = simulation.Host, t.server.Port()
	if err := own.ownFiles(); err != nil {
		return nil, err
	}
	t.Phones = own.pageSettings().Phones()
	return t, nil
}

// Levels is how many a phone's pack has.
func (t *toys) Levels(serial string) int { return t.levels[serial] }

// demoFaults are those that a demo offers: each shows how the player gets over it, or what the
// page says where it cannot.
var demoFaults = []string{
	"ad", "rating-panel", "dialog", "hint", "not-responding", "crash", "background", "rotated", "offline", "slow-frame", "truncated-frame",
	"hung-frame", "black-frames", "screen-off", "swipe-lock", "locked", "lost-touch", "cut-stroke", "refused-touch", "changed-level",
}

// Faults are those that a demo offers.
func (t *toys) Faults() []web.Fault {
	var faults []web.Fault
	for _, name := range demoFaults {
		faults = append(faults, web.Fault{Name: name, Help: simphone.FaultHelp(name)})
	}
	return faults
}

// Strike gives a phone a fault, at once, or puts it in order.
func (t *toys) Strike(serial, fault string) error {
	phone := t.phones[serial]
	switch {
	case phone == nil:
		return fmt.Errorf("no simulated phone %q", serial)
	case fault != "":
		return phone.Inject([]simphone.Fault{{Name: fault}}, 1)
	}
	phone.Hang("")
	phone.SetBlackFrames(false)
	phone.RefuseInput(false)
	phone.LockNow(simphone.LockNone)
	phone.ScreenOn()
	phone.SetRotation(0)
	return phone.Inject(nil, 1)
}

// Touch puts a finger on a phone.
func (t *toys) Touch(serial string, action int, x, y float64) error {
	phone := t.phones[serial]
	if phone == nil {
		return fmt.Errorf("no simulated phone %q", serial)
	}
	phone.Touch([]simphone.EventKind{simphone.EventDown, simphone.EventMove, simphone.EventUp}[action], x, y)
	return nil
}

// Close ends the phones and their server.
func (t *toys) Close() error {
	err := t.server.Close()
	for _, phone := range t.phones {
		err = errors.Join(err, phone.Close())
	}
	return err
}

// demoLevels plays levels of the game that was asked for, or of every game, each on a
// phone of its own and all at once. What is said of them is printed game by game.
func (a *app) demoLevels(ctx context.Context, levels, film string) error {
	games, err := a.demoGames()
	if err != nil {
		return err
	}
	if err := a.ownFiles(); err != nil { // told once
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	said, ended := make([]held, len(games)), make([]chan error, len(games))
	for i, game := range games {
		ended[i] = make(chan error, 1)
		one := *a
		one.settings.Game = cmp.Or(a.settings.Game, game.Name())
		one.streams = streams{a.in, said[i].stream(a.out), said[i].stream(a.err)}
		clear := []string{"tapwise", "clear", "--levels", levels}
		if film != "" {
			clear = append(clear, "--film", filepath.Join(film, game.Name()))
		}
		go func() { ended[i] <- one.demo(ctx, clear) }()
	}
	var failed error
	for i := range games {
		said[i].release()
		if err := <-ended[i]; err != nil && failed == nil {
			failed = err
			cancel()
		}
	}
	return failed
}

// held keeps what is written to several streams, in its order, until it is released.
type held struct {
	mu       sync.Mutex
	kept     []func()
	released bool
}

// stream is the way to a stream through what holds it.
func (h *held) stream(to io.Writer) io.Writer {
	return writer(func(data []byte) (int, error) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.released {
			return to.Write(data)
		}
		data = bytes.Clone(data)
		h.kept = append(h.kept, func() { _, _ = to.Write(data) }) // an output that nobody reads ends the program by itself
		return len(data), nil
	})
}

// release writes what was kept, and lets through what comes.
func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, write := range h.kept {
		write()
	}
	h.kept, h.released = nil, true
}

// writer is a function that is an [io.Writer].
type writer func([]byte) (int, error)

// Write calls it.
func (w writer) Write(data []byte) (int, error) { return w(data) }

// demo runs a command with a simulated phone that shows the game in the settings.
func (a *app) demo(ctx context.Context, command []string) error {
	if a.settings.Game != "" {
		command = append(command, "--game", a.settings.Game)
	}
	return a.sim(ctx, command, simOptions{listen: "127.0.0.1:0", Options: simulation.Usual()})
}
