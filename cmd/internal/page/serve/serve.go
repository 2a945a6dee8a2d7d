package serve

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"tapwise/cmd/internal/console/cause"
	"tapwise/cmd/internal/console/metrics"
	"tapwise/cmd/internal/console/tell"
	"tapwise/cmd/internal/journal/figures"
	"tapwise/cmd/internal/page/web"
	"tapwise/cmd/internal/play/run"
	"tapwise/solvers"
	"tapwise/solvers/all"
	"tapwise/solvers/described"
	"tapwise/vision"
)

// Settings say what the page shows and by what means.
type Settings struct {
	Opener run.Opener
	// Serial is the only phone shown; empty shows all.
	Serial string
	// Game is the name of the game to look for on phones at first; empty is whichever is on
	// the screen.
	Game string
	// Journal is its file.
	Journal func() (string, error)
	// Tell tells how runs end to whoever does not look at the page.
	Tell tell.Settings
	// Split takes the puzzles of a pack apart.
	Split func(game solvers.Game, pack []byte) []string
	// Parse reads a puzzle; with no game, that of the first game whose notation it is.
	Parse func(text string, game solvers.Game) (solvers.Game, solvers.Puzzle, error)
}

// Config returns the page's configuration.
func (s Settings) Config() web.Config {
	games, name := all.Games(), s.Game
	// A described game is there if it was asked for.
	if g, err := all.ByName(s.Game); err == nil && described.Carry(g) != nil {
		games, name = append(games, g), g.Name()
	}
	return web.Config{
		LookTime:    s.Opener.ADB.Timeout,
		Games:       games,
		Game:        name,
		Split:       s.Split,
		Parse:       s.Parse,
		Decode:      vision.Decode,
		Size:        vision.Size,
		Encode:      vision.JPEG,
		Phones:      s.Phones(),
		Eyes:        eyes{s.Opener},
		Calibration: calibrator{s.Opener},
		Recognise:   s.recognise,
		Table:       openTable,
		History:     history{s.Journal},
		Figures:     []metrics.Source{figures.Of(history{s.Journal}.open)},
		Log:         s.Opener.Log,
	}
}

// Phones are those of the adb server.
func (s Settings) Phones() web.Phones {
	return &phones{Settings: s, open: map[string]run.Phone{}, played: map[string]run.Phone{}}
}

// stopTime is how long pages may take to end their last requests.
const stopTime = 3 * time.Second

// Serve serves the page on an address, HOST:PORT, until the context ends. It calls opened with
// the addresses by which a browser opens the page. If other machines can reach it, they have to
// show a token, which is part of those addresses.
func Serve(ctx context.Context, address string, config web.Config, opened func(addresses []string)) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return cause.Inputf("serve: --listen %q, expected HOST:PORT", address)
	}
	if !isLoopback(host) {
		config.Remote, config.Token = true, rand.Text()
		if _, err := netip.ParseAddr(host); err != nil {
			config.Name = host
		}
	}
	var listening net.ListenConfig
	listener, err := listening.Listen(ctx, "tcp", address)
	if err != nil {
		return cause.Inputf("serve: %w", err)
	}
	page, err := web.New(config)
	if err != nil {
		listener.Close()
		return err
	}
	list := addresses(listener, host)
	if config.Token != "" {
		for i := range list {
			list[i] += "?token=" + config.Token
		}
	}
	opened(list)
	server := &http.Server{
		Handler: page, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(config.Log.Handler(), slog.LevelDebug),
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

// addresses returns the addresses by which the page can be opened.
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
