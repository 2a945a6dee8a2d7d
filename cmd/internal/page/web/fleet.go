package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"image"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tapwise/solvers"
)

// Fleet is the phones of many hosts, and the hub that gives them work.
type Fleet interface {
	// Now returns what is known of the fleet, without asking anybody.
	Now() FleetState
	// Start orders levels, and returns the name of the run. An error that is ErrAsked is
	// about the order.
	Start(ctx context.Context, o FleetOrder) (string, error)
	// Cancel ends a run; an error that is fs.ErrNotExist says that there is none.
	Cancel(ctx context.Context, run string) error
	// Drain has a worker's phones, or the one with a serial, take no more jobs; with off
	// they take jobs again.
	Drain(ctx context.Context, worker, serial string, off bool) error
	// Picture returns what a worker's phone shows now, as a JPEG, as a stranger's.
	Picture(ctx context.Context, worker, serial string) ([]byte, error)
}

// ErrAsked marks an error of the fleet's as one of what was asked for.
var ErrAsked = errors.New("this cannot be ordered")

// FleetState is one moment of the fleet.
type FleetState struct {
	Now     int64        `json:"now"`     // Unix milliseconds
	Hub     string       `json:"hub"`     // where it is
	Trouble string       `json:"trouble"` // why the hub cannot be asked; the rest then is what was known last
	Phones  []FleetPhone `json:"phones"`
	Left    int          `json:"left"`    // phones that are left out, since there are so many
	Runs    []FleetRun   `json:"runs"`    // the newest first
	Drained []string     `json:"drained"` // the workers that are
}

// FleetPhone is a phone of the fleet.
type FleetPhone struct {
	Worker   string  `json:"worker"`
	Serial   string  `json:"serial"`
	Model    string  `json:"model"`
	State    string  `json:"state"`    // idle, playing, taken, failing, queued, unready or drained
	Why      string  `json:"why"`      // it stands still
	Seconds  float64 `json:"seconds"`  // for which it has been in its state; 0: unknown
	Draining bool    `json:"draining"` // it is to take no more jobs
	Run      string  `json:"run"`
	Level    int     `json:"level"`
	Won      int     `json:"won"`
	Failed   int     `json:"failed"`
	PerHour  float64 `json:"perHour"` // levels won in an hour; 0: unknown
}

// FleetRun is a run and how far it is.
type FleetRun struct {
	Run    string `json:"run"`
	Game   string `json:"game"`
	Pack   string `json:"pack"`
	State  string `json:"state"` // open, complete or cancelled
	Levels int    `json:"levels"`
	Won    int    `json:"won"`
	Failed int    `json:"failed"`
	At     int64  `json:"at"` // when it was ordered, Unix milliseconds
}

// FleetOrder is what is to be played by the fleet.
type FleetOrder struct {
	Game   solvers.Game
	Pack   string   // its name, for people
	Boards []string // of the pack; none: any levels that come
	Levels string   // FIRST-LAST or how many; empty: all of the boards
	Phones string   // which, as `tapwise fleet run --phones`; empty: all
}

// The bounds on what the page shows and asks of the fleet.
const (
	maxFleetPhones = 500
	maxFleetRuns   = 50
	maxFleetBoards = 2000
	maxFleetText   = 200 // bytes of a field
	fleetTime      = 30 * time.Second
)

// errNoFleet refuses what only a page with a hub does.
var errNoFleet = refuse(http.StatusNotFound, "this page was started without a hub: tapwise serve --hub HUB")

// fleet answers with what the fleet does.
func (s *Server) fleet(*http.Request) (any, error) {
	if s.Fleet == nil {
		return nil, errNoFleet
	}
	state := s.Fleet.Now()
	state.Now = time.Now().UnixMilli()
	if n := len(state.Phones); n > maxFleetPhones {
		// What stands still is what somebody has to look after.
		slices.SortStableFunc(state.Phones, func(a, b FleetPhone) int { return cmp.Compare(urgency(a), urgency(b)) })
		state.Phones, state.Left = state.Phones[:maxFleetPhones], n-maxFleetPhones
		slices.SortFunc(state.Phones, func(a, b FleetPhone) int {
			return cmp.Or(strings.Compare(a.Worker, b.Worker), strings.Compare(a.Serial, b.Serial))
		})
	}
	state.Runs = state.Runs[:min(len(state.Runs), maxFleetRuns)]
	if state.Phones == nil {
		state.Phones = []FleetPhone{}
	}
	if state.Runs == nil {
		state.Runs = []FleetRun{}
	}
	if state.Drained == nil {
		state.Drained = []string{}
	}
	return state, nil
}

// urgency orders phones by how much they are worth to be shown, from 0.
func urgency(p FleetPhone) int {
	switch {
	case p.Why != "" && p.State != "queued":
		return 0
	case p.Run != "":
		return 1
	}
	return 2
}

// fleetOrder is a run as the page asks for it.
type fleetOrder struct {
	Game   string `json:"game"`
	Pack   string `json:"pack"` // usual, any or boards
	Name   string `json:"name"` // of boards, for people
	Boards string `json:"boards"`
	Levels string `json:"levels"`
	Phones string `json:"phones"`
}

// startFleet orders a run.
func (s *Server) startFleet(r *http.Request) (any, error) {
	if s.Fleet == nil {
		return nil, errNoFleet
	}
	var q fleetOrder
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	for _, text := range []string{q.Name, q.Levels, q.Phones} {
		if len(text) > maxFleetText || !utf8.ValidString(text) {
			return nil, refuse(http.StatusBadRequest, "a name, levels or phones of %d bytes, expected at most %d", len(text), maxFleetText)
		}
	}
	order, err := s.fleetOrder(q)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), fleetTime)
	defer cancel()
	run, err := s.Fleet.Start(ctx, order)
	if err != nil {
		return nil, fleetError(err)
	}
	return map[string]string{"run": run}, nil
}

// fleetOrder reads the boards of what the page asks for.
func (s *Server) fleetOrder(q fleetOrder) (FleetOrder, error) {
	game, err := s.game(q.Game)
	if err != nil {
		return FleetOrder{}, err
	}
	if game == nil {
		return FleetOrder{}, refuse(http.StatusBadRequest, "no game chosen")
	}
	o := FleetOrder{Game: game, Levels: q.Levels, Phones: q.Phones}
	switch q.Pack {
	case "any":
		if q.Levels == "" {
			return o, refuse(http.StatusBadRequest, "any levels: say how many")
		}
		o.Pack = "any levels"
		return o, nil
	case "usual":
		o.Pack, o.Boards = "the usual pack", s.Split(game, []byte(game.About().Pack))
	case "boards":
		o.Pack, o.Boards = cmp.Or(q.Name, "boards from the page"), s.Split(game, []byte(q.Boards))
	default:
		return o, refuse(http.StatusBadRequest, "pack %q, expected usual, any or boards", q.Pack)
	}
	if len(o.Boards) == 0 || len(o.Boards) > maxFleetBoards {
		return o, refuse(http.StatusUnprocessableEntity, "%s: %d boards, expected 1 to %d", o.Pack, len(o.Boards), maxFleetBoards)
	}
	for i, text := range o.Boards {
		if _, err := game.Parse(text); err != nil {
			return o, refuse(http.StatusUnprocessableEntity, "board %d: %v", i+1, err)
		}
	}
	return o, nil
}

// cancelFleet ends a run.
func (s *Server) cancelFleet(r *http.Request) (any, error) {
	if s.Fleet == nil {
		return nil, errNoFleet
	}
	if err := readJSON(r, &struct{}{}); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), fleetTime)
	defer cancel()
	return struct{}{}, fleetError(s.Fleet.Cancel(ctx, r.PathValue("run")))
}

// drainFleet has phones take no more jobs, or jobs again.
func (s *Server) drainFleet(r *http.Request) (any, error) {
	if s.Fleet == nil {
		return nil, errNoFleet
	}
	var q struct {
		Worker string `json:"worker"`
		Serial string `json:"serial"` // empty: all of the worker's
		Off    bool   `json:"off"`
	}
	if err := readJSON(r, &q); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), fleetTime)
	defer cancel()
	return struct{}{}, fleetError(s.Fleet.Drain(ctx, q.Worker, q.Serial, q.Off))
}

// fleetPicture answers with what a phone of the fleet shows now. Few are asked for at a
// time, and none unless a page looks.
func (s *Server) fleetPicture(w http.ResponseWriter, r *http.Request) {
	data, err := s.lookAtFleet(r)
	if err != nil {
		s.answer(func(*http.Request) (any, error) { return nil, err })(w, r)
		return
	}
	sendPicture(w, data)
}

func (s *Server) lookAtFleet(r *http.Request) ([]byte, error) {
	if s.Fleet == nil {
		return nil, errNoFleet
	}
	worker, serial := r.URL.Query().Get("worker"), r.URL.Query().Get("serial")
	if serial == "" || len(worker) > maxFleetText || len(serial) > maxFleetText || !utf8.ValidString(serial) {
		return nil, refuse(http.StatusBadRequest, "a worker and the serial of its phone, expected at most %d bytes", maxFleetText)
	}
	release, err := s.turns.open()
	if err != nil {
		return nil, err
	}
	defer release()
	ctx, cancel := context.WithTimeout(r.Context(), fleetTime)
	defer cancel()
	data, err := s.Fleet.Picture(ctx, worker, serial)
	if err != nil {
		return nil, fleetError(err)
	}
	header, kind, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || kind != "jpeg" {
		return nil, refuse(http.StatusBadGateway, "worker %s sent no JPEG", worker)
	}
	if err := checkPixels(image.Pt(header.Width, header.Height)); err != nil {
		return nil, err
	}
	return data, nil
}

// fleetError is an error of the fleet's as the page is told of it: what is not the
// request's fault is the hub's.
func fleetError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return refuse(http.StatusNotFound, "%v", err)
	case errors.Is(err, ErrAsked):
		return refuse(http.StatusUnprocessableEntity, "%v", err)
	}
	return refuse(http.StatusBadGateway, "%v", err)
}

// hiddenTab is the tab of the fleet in the page, which only a page with a hub shows.
const hiddenTab = `<a href="#fleet" hidden>`

// index is the page itself.
func (s *Server) index(w http.ResponseWriter, _ *http.Request) {
	data, err := static.ReadFile("static/index.html")
	if err != nil {
		http.Error(w, "tapwise: the page is missing", http.StatusInternalServerError)
		return
	}
	text := string(data)
	if s.Fleet != nil {
		text = strings.Replace(text, hiddenTab, `<a href="#fleet">`, 1)
	}
	sendFile(w, "index.html", []byte(text))
}
