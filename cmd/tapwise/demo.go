package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

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
		Short: "watch the simulated phone being played on, in a browser",
		Long: `Demo starts a simulated phone with a game's app on it (--game), and opens the
page of tapwise serve, which plays its levels one after the other. No phone is needed,
and nothing of it goes into your journal. Ctrl-C ends all of it.

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
			serve := []string{"tapwise", "serve", "--play", "--listen", listen, "--open=" + strconv.FormatBool(open)}
			return a.demo(cmd.Context(), serve)
		},
	}
	command.Flags().StringVar(&listen, "listen", "127.0.0.1:8420", "`ADDRESS` of the page; port 0 is any free one")
	command.Flags().BoolVar(&open, "open", true, "open the page in the desktop's browser")
	command.Flags().IntVar(&levels, "levels", 0, "play `N` levels of each game, without the page")
	command.Flags().StringVar(&film, "film", "", "keep pictures of the levels in a `FOLDER`, a part for each game")
	return command
}

// demoLevels plays levels of the game that was asked for, or of every game, each on a
// phone of its own and all at once. What is said of them is printed game by game.
func (a *app) demoLevels(ctx context.Context, levels, film string) error {
	games := all.Games()
	if asked, err := a.game(); err != nil {
		return err
	} else if asked != nil {
		games = []solvers.Game{asked}
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
		one.settings.Game = game.Name()
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
