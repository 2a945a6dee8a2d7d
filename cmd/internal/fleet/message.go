package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tapwise/adb"
	"tapwise/cmd/internal/journal/attempt"
	"tapwise/solvers/described"
)

// The bounds of what is sent. Whoever reads a message refuses what exceeds them.
const (
	// MaxMessage is the most bytes of one message.
	MaxMessage = 512 << 10
	// MaxBoard is the most bytes of a board, and of a solution.
	MaxBoard = 64 << 10
	// MaxLevels is the most levels of an order.
	MaxLevels = 1_000_000
	// maxChunk is the most levels of a job, and maxBoards the most bytes of their boards.
	maxChunk  = 64
	maxBoards = 256 << 10
	// maxText is the most bytes of a name, a reason or a model.
	maxText = 4 << 10
	// maxName is the most bytes of a name that stands in a subject.
	maxName = 64
)

// Level is one level of a pack.
type Level struct {
	Number int    `json:"number"` // in the pack, from 1
	Board  string `json:"board"`  // in the game's notation; empty where any board will do
}

// Job is what a phone does at a time: some levels of an order.
type Job struct {
	Run    string `json:"run"` // the order's ID
	Number int    `json:"job"` // in the order, from 1
	Game   string `json:"game"`
	// Description is that of the game, if it is described: no worker has a file of it.
	Description *described.Carried `json:"description,omitempty"`

	Pack   int     `json:"pack"` // how many levels the pack has
	Levels []Level `json:"levels"`
}

// Wanted chooses phones; each field is a pattern as [path.Match] has them, and an empty
// one matches all.
type Wanted struct {
	Model  string `json:"model,omitempty"`
	Serial string `json:"serial,omitempty"`
	Worker string `json:"worker,omitempty"`
}

// ParseWanted reads KEY=PATTERN,…, where a key is model, serial or worker. Empty text
// wants any phone.
func ParseWanted(text string) (Wanted, error) {
	var w Wanted
	if text == "" {
		return w, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		key, pattern, ok := strings.Cut(part, "=")
		if !ok || pattern == "" {
			key = ""
		}
		switch key {
		case "model":
			w.Model = pattern
		case "serial":
			w.Serial = pattern
		case "worker":
			w.Worker = pattern
		default:
			return Wanted{}, fmt.Errorf("phones %q, expected model=, serial= or worker= with a pattern", part)
		}
	}
	return w, w.check()
}

func (w Wanted) check() error {
	for _, pattern := range []string{w.Model, w.Serial, w.Worker} {
		if _, err := path.Match(pattern, ""); err != nil || len(pattern) > maxText {
			return fmt.Errorf("phones: %q is no pattern", pattern)
		}
	}
	return nil
}

// Fits reports whether a phone is one of those wanted.
func (w Wanted) Fits(p Phone) bool {
	fits := func(pattern string, names ...string) bool {
		return pattern == "" || slices.ContainsFunc(names, func(name string) bool {
			ok, err := path.Match(pattern, name)
			return ok && err == nil
		})
	}
	return fits(w.Model, p.Model) && fits(w.Serial, append([]string{p.Serial}, p.Also...)...) && fits(w.Worker, p.Worker)
}

// The states of an order.
const (
	Open      = "open"
	Complete  = "complete" // every level is booked
	Cancelled = "cancelled"
)

// Order is a run of levels that somebody asked for.
type Order struct {
	ID   string `json:"run"`
	Game string `json:"game"`
	// Description is that of the game, if it is described. Its jobs have it; what is remembered of
	// it is the digest.
	Description *described.Carried `json:"-"`
	Digest      string             `json:"sha256,omitempty"`

	Pack    string    `json:"pack,omitempty"` // its name, for people
	Phones  Wanted    `json:"phones,omitzero"`
	Levels  int       `json:"levels"` // how many
	Last    int       `json:"last"`   // the highest number among them
	Jobs    int       `json:"jobs"`   // how many they are cut into
	State   string    `json:"state"`
	Why     string    `json:"why,omitempty"` // levels have no result though it is complete
	Created time.Time `json:"created"`       // by the hub's clock
}

// Phone is a phone of the fleet and what it does.
type Phone struct {
	Worker string `json:"worker"`
	Serial string `json:"serial"`
	// Also are the other names that the phone has at its worker.
	Also []string `json:"also,omitempty"`
	// Identity tells the phone from every other one, whatever its names are; empty where it
	// does not tell.
	Identity string `json:"identity,omitempty"`
	Model    string `json:"model"`
	// Games are those that can be played on it; none says that nobody knows.
	Games   []string `json:"games,omitempty"`
	State   string   `json:"state"`           // one of the states of phones
	Why     string   `json:"why,omitempty"`   // why it stands still
	Helps   string   `json:"helps,omitempty"` // what a person can do about that
	Run     string   `json:"run,omitempty"`   // that it plays
	Job     int      `json:"job,omitempty"`   // of that run
	Level   int      `json:"level,omitempty"` // that is played next
	Won     int      `json:"won"`             // since its worker began
	Failed  int      `json:"failed"`          // likewise
	Seconds float64  `json:"seconds"`         // for which its worker has had it
	// StateSeconds is for how long State and Why have not changed, by the worker's clock; 0 if
	// the worker does not report it.
	StateSeconds float64 `json:"state_seconds"`
}

// The states of phones.
const (
	Idle    = "idle"
	Playing = "playing"
	Taken   = "taken"   // by another worker, or another process
	Failing = "failing" // Why says how; it is tried again
	Queued  = "queued"  // its host plays on as many phones as it can; its turn comes
	Unready = "unready" // the adb server cannot reach it, or the phone refuses; Why says which
	Drained = "drained"
)

// Plays reports whether a game can be played on the phone, as far as is known.
func (p Phone) Plays(game string) bool {
	for _, g := range p.Games {
		if g == game {
			return true
		}
	}
	return len(p.Games) == 0
}

// ID is the phone's name in subjects and keys: what the phone reports of itself, since one
// phone may have several serials, at several workers, and several phones may have one serial.
// If the phone reports nothing, it is the serial, unless that names another phone on each host.
func (p Phone) ID() string {
	switch {
	case p.Identity != "":
		return p.Identity
	case adb.SharedSerial(p.Serial):
		return Token(p.Worker + "/" + p.Serial)
	}
	return Token(p.Serial)
}

// Lease is who plays on a phone.
type Lease struct {
	Worker  string `json:"worker"`
	Session string `json:"session"`          // of the worker's process
	Serial  string `json:"serial,omitempty"` // of the phone
}

// Verdicts of events and of booked levels.
const (
	Won    = "won"
	Failed = "failed"
	// Poison ends a job that was tried often enough; its levels that are not booked
	// have failed.
	Poison = "poison"
)

// Event is something that happened on a phone: a level was won or failed, or a job is
// given up.
type Event struct {
	ID     string `json:"id"` // unlike every other
	Run    string `json:"run"`
	Job    int    `json:"job"`
	Level  int    `json:"level,omitempty"`  // 0 for a job
	Levels []int  `json:"levels,omitempty"` // of a job that is given up
	Worker string `json:"worker"`
	Phone  string `json:"phone"` // its serial
	Model  string `json:"model"`
	Game   string `json:"game"`
	attempt.Record

	Verdict    string    `json:"verdict"`
	Reason     string    `json:"reason,omitempty"`
	Code       int       `json:"code,omitempty"` // the exit code that the reason has
	Started    time.Time `json:"started"`        // by the hub's clock, as Ended, where the worker's is wrong
	Ended      time.Time `json:"ended"`
	Deliveries int       `json:"deliveries,omitempty"` // of the job, so far
}

// Booked is what is booked of a level.
type Booked struct {
	Level   int    `json:"level"`
	Verdict string `json:"verdict"` // Won or Failed
	Worker  string `json:"worker"`
	Phone   string `json:"phone"`
	Event   string `json:"event"` // its ID
	Reason  string `json:"reason,omitempty"`
	Code    int    `json:"code,omitempty"`
	// Seconds is for how long the phone was at the attempt that won it.
	Seconds float64 `json:"seconds,omitempty"`
	// At is when it was booked, by the hub's clock; only an [Account] has it.
	At time.Time `json:"at,omitzero"`
}

// message is what is sent.
type message interface{ check() error }

// encode is decode's inverse.
func encode(m message) ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(m)
	if err == nil && len(data) > MaxMessage {
		return nil, fmt.Errorf("fleet: a message of %d bytes, expected %d at most", len(data), MaxMessage)
	}
	return data, err
}

// decode reads a message and checks it.
func decode[T any, P interface {
	*T
	message
}](data []byte) (T, error) {
	var value T
	if len(data) > MaxMessage {
		return value, fmt.Errorf("fleet: a message of %d bytes, expected %d at most", len(data), MaxMessage)
	}
	if err := json.Unmarshal(data, &value); err != nil {
		return value, fmt.Errorf("fleet: %w", err)
	}
	if err := P(&value).check(); err != nil {
		return value, err
	}
	return value, nil
}

// Encode returns the event as it is sent.
func (e *Event) Encode() ([]byte, error) { return encode(e) }

// DecodeJob reads a job.
func DecodeJob(data []byte) (Job, error) { return decode[Job](data) }

// DecodeEvent reads an event.
func DecodeEvent(data []byte) (Event, error) { return decode[Event](data) }

func (j *Job) check() error {
	switch {
	case !isName(j.Run), !isName(j.Game):
		return fmt.Errorf("fleet: job of run %q and game %q, expected names", j.Run, j.Game)
	case j.Number < 1 || j.Number > MaxLevels, j.Pack < 0 || j.Pack > MaxLevels:
		return fmt.Errorf("fleet: job %d of a pack of %d levels, expected 1 to %d", j.Number, j.Pack, MaxLevels)
	case len(j.Levels) == 0 || len(j.Levels) > maxChunk:
		return fmt.Errorf("fleet: a job of %d levels, expected 1 to %d", len(j.Levels), maxChunk)
	}
	for _, l := range j.Levels {
		if l.Number < 1 || l.Number > MaxLevels || !isText(l.Board, MaxBoard) {
			return fmt.Errorf("fleet: level %d with a board of %d bytes, expected %d levels and %d bytes at most", l.Number, len(l.Board), MaxLevels, MaxBoard)
		}
	}
	if err := j.Description.Check(); err != nil {
		return fmt.Errorf("fleet: %w", err)
	}
	return nil
}

func (o *Order) check() error {
	if !isName(o.ID) || !isName(o.Game) || !isText(o.Pack, maxText) || !isText(o.Why, maxText) || !isText(o.Digest, maxName) {
		return fmt.Errorf("fleet: run %q of game %q, expected names", o.ID, o.Game)
	}
	if o.Levels < 1 || o.Levels > MaxLevels || o.Jobs < 0 || o.Jobs > o.Levels {
		return fmt.Errorf("fleet: run of %d levels in %d jobs, expected 1 to %d levels", o.Levels, o.Jobs, MaxLevels)
	}
	if o.Last < o.Levels || o.Last > MaxLevels {
		return fmt.Errorf("fleet: run of %d levels up to number %d, expected up to %d", o.Levels, o.Last, MaxLevels)
	}
	if o.State != Open && o.State != Complete && o.State != Cancelled {
		return fmt.Errorf("fleet: run in the state %q, expected %s, %s or %s", o.State, Open, Complete, Cancelled)
	}
	return o.Phones.check()
}

func (p *Phone) check() error {
	for _, text := range slices.Concat([]string{p.Serial, p.Model, p.State, p.Why, p.Helps, p.Run}, p.Also, p.Games) {
		if !isText(text, maxText) {
			return errors.New("fleet: a phone with a field that is too long or no text")
		}
	}
	if !isName(p.Worker) || p.Serial == "" || len(p.Games) > maxChunk || len(p.Also) > maxChunk || p.Identity != "" && !isName(p.Identity) {
		return fmt.Errorf("fleet: phone %q of worker %q, expected names", p.Serial, p.Worker)
	}
	return nil
}

func (l *Lease) check() error {
	if !isName(l.Worker) || !isName(l.Session) || !isText(l.Serial, maxText) {
		return fmt.Errorf("fleet: lease of worker %q, session %q, expected names", l.Worker, l.Session)
	}
	return nil
}

func (e *Event) check() error {
	for _, text := range []string{e.Phone, e.Model, e.Reason, e.Unconfirmed} {
		if !isText(text, maxText) {
			return errors.New("fleet: an event with a field that is too long or no text")
		}
	}
	switch {
	case !isName(e.ID), !isName(e.Run), !isName(e.Worker), !isName(e.Game):
		return fmt.Errorf("fleet: event %q of run %q, worker %q and game %q, expected names", e.ID, e.Run, e.Worker, e.Game)
	case !isText(e.Board, MaxBoard), !isText(e.Solution, MaxBoard):
		return fmt.Errorf("fleet: event %s with a board or solution beyond %d bytes", e.ID, MaxBoard)
	case e.Level < 0 || e.Level > MaxLevels || e.Job < 1 || e.Job > MaxLevels || len(e.Levels) > maxChunk || e.Code < 0 || e.Code > 255:
		return fmt.Errorf("fleet: event %s with a number out of bounds", e.ID)
	case e.Verdict == Poison && e.Level != 0, e.Verdict != Poison && e.Level == 0:
		return fmt.Errorf("fleet: event %s: %s of level %d", e.ID, e.Verdict, e.Level)
	case e.Verdict != Won && e.Verdict != Failed && e.Verdict != Poison:
		return fmt.Errorf("fleet: event %s: verdict %q, expected %s, %s or %s", e.ID, e.Verdict, Won, Failed, Poison)
	}
	for _, n := range e.Levels {
		if n < 1 || n > MaxLevels {
			return fmt.Errorf("fleet: event %s: level %d, expected 1 to %d", e.ID, n, MaxLevels)
		}
	}
	return nil
}

func (b *Booked) check() error {
	if b.Level < 1 || b.Level > MaxLevels || b.Verdict != Won && b.Verdict != Failed || !isText(b.Reason, maxText) {
		return fmt.Errorf("fleet: level %d booked as %q, expected %s or %s", b.Level, b.Verdict, Won, Failed)
	}
	return nil
}

func isText(text string, most int) bool { return len(text) <= most && utf8.ValidString(text) }

// isName reports whether a text may be a part of a subject.
func isName(text string) bool {
	if text == "" || len(text) > maxName {
		return false
	}
	for _, r := range text {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return false
		}
	}
	return true
}

// clip returns text that a message may have.
func clip(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxText)], "")
}
