package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"tapwise/cmd/internal/player"
	"tapwise/cmd/internal/puzzlefile"
	"tapwise/cmd/internal/web"
	"tapwise/configs"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/screen"
	"tapwise/vision"
)

func (a *app) serveCommand() *cobra.Command {
	var listen string
	command := &cobra.Command{
		Use:   "serve",
		Short: "open the local page: watch, calibrate, look back, solve",
		Long: `Serve opens a page for a browser on this machine: the phones live with what is
seen and played on them, a layout to be calibrated by dragging corners, what was
played so far, and a board to draw and solve puzzles of any game on.

The page listens on 127.0.0.1. Whoever reaches it can touch the phones, so with
--listen on another address it asks for a token, which is part of the address
that is printed. What goes over the network then is not encrypted.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), listen) },
	}
	command.Flags().StringVar(&listen, "listen", "127.0.0.1:8420", "`ADDRESS` to listen on; port 0 is any free one")
	return command
}

// stopTime is how long pages may take to end their last requests.
const stopTime = 3 * time.Second

func (a *app) serve(ctx context.Context, listen string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return badInputf("serve: --listen %q, expected HOST:PORT", listen)
	}
	config := a.pageConfig()
	if !isLoopback(host) {
		config.Remote, config.Token = true, rand.Text()
		if _, err := netip.ParseAddr(host); err != nil {
			config.Name = host
		}
	}
	var listening net.ListenConfig
	listener, err := listening.Listen(ctx, "tcp", listen)
	if err != nil {
		return badInputf("serve: %w", err)
	}
	page, err := web.New(config)
	if err != nil {
		listener.Close()
		return err
	}
	for _, address := range addresses(listener, host) {
		if config.Token != "" {
			address += "?token=" + config.Token
		}
		fmt.Fprintln(a.out, address)
	}
	fmt.Fprintln(a.err, "open it in a browser; Ctrl-C ends the page and what is being played")
	server := &http.Server{
		Handler: page, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	page.Close()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if server.Shutdown(stop) != nil {
		server.Close()
	}
	if ctx.Err() != nil {
		return nil // it was asked to end
	}
	return err
}

// isLoopback reports whether a host to listen on is this machine only.
func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// addresses are those by which the page can be opened.
func addresses(listener net.Listener, host string) []string {
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return []string{"http://" + listener.Addr().String() + "/"}
	}
	hosts := []string{host}
	if address, err := netip.ParseAddr(host); host == "" || err == nil && address.IsUnspecified() {
		hosts = nil
		found, _ := net.InterfaceAddrs() // none is as good as an error: loopback is left
		for _, a := range found {
			if network, ok := a.(*net.IPNet); ok && !network.IP.IsLinkLocalUnicast() {
				hosts = append(hosts, network.IP.String())
			}
		}
		if len(hosts) == 0 {
			hosts = []string{"127.0.0.1"}
		}
	}
	var list []string
	for _, h := range hosts {
		list = append(list, "http://"+net.JoinHostPort(h, port)+"/")
	}
	return list
}

// pageConfig is the page with the phones, eyes and games that the commands use.
func (a *app) pageConfig() web.Config {
	return web.Config{
		Games: all.Games(),
		Game:  a.settings.Game,
		Pack:  configs.Pack,
		Split: func(game solvers.Game, pack []byte) []string {
			var texts []string
			for _, in := range puzzlefile.Split(game.Name(), pack, game) {
				texts = append(texts, in.Text)
			}
			return texts
		},
		Parse: func(text string, game solvers.Game) (solvers.Game, solvers.Puzzle, error) {
			return puzzlefile.Parse(strings.Trim(puzzlefile.Text([]byte(text)), "\n"), game)
		},
		Decode:      vision.Decode,
		Phones:      &pagePhones{app: a, open: map[string]phone{}},
		Eyes:        pageEyes{a},
		Calibration: pageCalibration{a},
		History:     pageHistory{a.readJournal},
		Log:         a.log,
	}
}

// pageEyes look by the profile that fits, if there is one.
type pageEyes struct{ *app }

// Look looks at a frame of a phone of that model for what a game asks.
func (e pageEyes) Look(frame *image.RGBA, on screen.Frame, game solvers.Game, model string) (*screen.Observation, error) {
	known, err := e.profiles(game.Name())
	if err != nil {
		return nil, err
	}
	known.model = model
	return known.eyes().Observe(frame, on, game.Spec())
}

// pagePhones are the phones of the adb server, as the page wants them.
type pagePhones struct {
	*app

	mu   sync.Mutex
	open map[string]phone // that were probed, by serial
}

// List asks the adb server for its phones.
func (p *pagePhones) List(ctx context.Context) ([]web.Phone, error) {
	client, err := p.client()
	if err != nil {
		return nil, err
	}
	devices, err := client.Devices(ctx)
	if err != nil {
		return nil, err
	}
	var phones []web.Phone
	for _, d := range devices {
		if p.settings.Serial == "" || d.Serial == p.settings.Serial {
			phones = append(phones, web.Phone{Serial: d.Serial, State: string(d.State), Model: d.Model, Ready: d.Err() == nil})
		}
	}
	return phones, nil
}

// asked is the program as if the phone and the game had been asked for by
// flags.
func (p *pagePhones) asked(serial, game string) *app {
	asked := *p.app
	asked.settings.Serial, asked.settings.Game = serial, game
	return &asked
}

// phone opens a phone, or gives the one that is open.
func (p *pagePhones) phone(ctx context.Context, serial string) (phone, error) {
	p.mu.Lock()
	device, ok := p.open[serial]
	p.mu.Unlock()
	if ok {
		return device, nil
	}
	device, err := p.asked(serial, "").openPhone(ctx)
	if err == nil {
		p.mu.Lock()
		p.open[serial] = device
		p.mu.Unlock()
	}
	return device, err
}

// forget closes what is known of a phone that failed: it may be another one
// when it comes back.
func (p *pagePhones) forget(serial string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, serial)
}

// Capture takes a frame.
func (p *pagePhones) Capture(ctx context.Context, serial string) (*image.RGBA, screen.Frame, time.Duration, error) {
	device, err := p.phone(ctx, serial)
	if err != nil {
		return nil, screen.Frame{}, 0, err
	}
	timed := timedPhone{phone: device}
	frame, on, err := timed.Capture(ctx)
	if err != nil && ctx.Err() == nil {
		p.forget(serial)
	}
	return frame, on, timed.took, err
}

// timedPhone remembers how long the last frame took. One goroutine uses it.
type timedPhone struct {
	phone
	took time.Duration
}

func (t *timedPhone) Capture(ctx context.Context) (*image.RGBA, screen.Frame, error) {
	began := time.Now()
	frame, on, err := t.phone.Capture(ctx)
	t.took = time.Since(began)
	return frame, on, err
}

// watched is a player on a phone that tells the page what it does.
func (p *pagePhones) watched(ctx context.Context, o web.Order, watch func(web.Moment)) (phone, *player.Player, error) {
	device, plays, err := p.asked(o.Serial, o.Game.Name()).player(ctx)
	if err != nil {
		return phone{}, nil, err
	}
	timed := &timedPhone{phone: device}
	plays.Device = timed
	plays.Watch = func(e player.Event) { watch(web.Moment{Event: e, Took: timed.took}) }
	return device, plays, nil
}

// Clear plays levels as `tapwise clear` does.
func (p *pagePhones) Clear(ctx context.Context, o web.Order, hold func(context.Context) error, watch func(web.Moment), done func(player.Report, error)) (err error) {
	device, plays, err := p.watched(ctx, o, watch)
	if err != nil {
		return withHint(err)
	}
	beside, err := p.beside(ctx, device, plays, runOptions{awake: true})
	if err != nil {
		return withHint(err)
	}
	defer func() { err = beside.end(err) }()
	j, err := p.openJournal(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := &recorder{journal: j, stop: stop, now: time.Now}
	if err := r.begin(ctx, device, plays, o.Levels()); err != nil {
		return err
	}
	plays.Hold = hold
	frames := newLevelFrames(plays.Evidence)
	defer frames.close()
	told := plays.Watch
	plays.Watch = func(e player.Event) {
		frames.watch(e)
		told(e)
	}
	_, err = plays.Clear(ctx, o.Levels(), func(report player.Report, err error) {
		if err == nil && report.Evidence == "" {
			report.Evidence = frames.keep(time.Now(), report.Game)
		}
		if err := r.finish(ctx, report, err); err != nil {
			stop(err) // nothing may be played that is not remembered
		}
		done(report, err)
	})
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return withHint(errors.Join(err, r.end(ctx, err)))
}

// Preview tells how the level on the screen would be played.
func (p *pagePhones) Preview(ctx context.Context, o web.Order, watch func(web.Moment)) ([]string, error) {
	device, plays, err := p.watched(ctx, o, watch)
	if err != nil {
		return nil, err
	}
	_, plan, err := plays.Preview(ctx)
	if err != nil {
		return nil, withHint(err)
	}
	return device.CommandLines(ctx, plan)
}

// withHint adds what a person can do about an error.
func withHint(err error) error {
	if h := hint(err); err != nil && h != "" {
		return fmt.Errorf("%w (%s)", err, h)
	}
	return err
}

var (
	_ web.Phones    = (*pagePhones)(nil)
	_ player.Device = (*timedPhone)(nil)
)
