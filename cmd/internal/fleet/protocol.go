package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A worker asks and the hub answers; that is all there is between them. Each question is a
// request to tapwise.worker.WORKER.VERB, whose WORKER the server enforces, with a list of
// questions of one kind; the answer is a list of as many answers. What the hub has for a
// worker that did not ask, such as a new order, is the answer to a question that waits.
const (
	helloVerb    = "hello"    // hello → greeting
	newsVerb     = "news"     // newsAsk → news; waits
	leaseVerb    = "lease"    // leaseAsk → leased
	phonesVerb   = "phones"   // phoneAsk
	jobVerb      = "job"      // jobAsk → handed
	keepVerb     = "keep"     // jobName
	endVerb      = "end"      // jobEnd
	resultVerb   = "result"   // Event
	bookedVerb   = "booked"   // levelName → bool
	evidenceVerb = "evidence" // evidencePart
	pictureVerb  = "picture"  // pictureSent
	chunkVerb    = "chunk"    // chunkAsk → handed; waits
	wantedVerb   = "wanted"   // batchName → bool
	answerVerb   = "answer"   // answerSent
)

const (
	// maxQuestions is the most questions of a request.
	maxQuestions = 64
	// maxRequest is the most bytes of the questions of a request, of more than one.
	maxRequest = MaxMessage
	// newsWait is for how long the hub waits for news before it says that there are none.
	newsWait = 10 * time.Second
)

// askSubject is where a worker asks; * is any of either.
func askSubject(worker, verb string) string { return "tapwise.worker." + worker + "." + verb }

// WorkerSubjects are the only subject to which a worker may publish and the only one to which
// it may subscribe; no other worker has them.
func WorkerSubjects(worker string) (publish, subscribe string) {
	return askSubject(worker, "*"), inbox(worker) + ".>"
}

// answer is the answer to one question.
type answer struct {
	Data  json.RawMessage `json:"data,omitempty"`
	Error string          `json:"error,omitempty"`
	Kind  string          `json:"kind,omitempty"` // of the error
}

// answers are those to the questions of a request, or why none was answered.
type answers struct {
	Answers []answer `json:"answers,omitempty"`
	Error   string   `json:"error,omitempty"`
}

var (
	// ErrNotHeld is the error when a job was handed to another since, or never to this worker.
	ErrNotHeld = errors.New("the worker does not have the job")
	// ErrNotBelieved is the error for a result that the hub does not believe, and never will.
	ErrNotBelieved = errors.New("the hub does not believe it")
	// errBusy is the error when it is to be asked again.
	errBusy = errors.New("the hub is busy")
	// errTooMuch is the error for more than one worker may have.
	errTooMuch = errors.New("more than a worker may have")
)

// kinds are the errors that are the same at both ends.
func kinds() map[string]error {
	return map[string]error{"held": ErrHeld, "not held": ErrNotHeld, "not believed": ErrNotBelieved, "too much": errTooMuch, "busy": errBusy}
}

// failure is the answer to a question that failed.
func failure(err error) answer {
	a := answer{Error: clip(err.Error())}
	for kind, is := range kinds() {
		if errors.Is(err, is) {
			a.Kind = kind
		}
	}
	return a
}

// err is the error that an answer tells; nil for none.
func (a answer) err() error {
	if a.Error == "" {
		return nil
	}
	if is := kinds()[a.Kind]; is != nil {
		return fmt.Errorf("%w: %s", is, a.Error)
	}
	return fmt.Errorf("the hub: %s", a.Error)
}

// hello is a worker's first question, and greeting what it has to know.
type (
	hello    struct{}
	greeting struct {
		Lease time.Duration `json:"lease"`
	}
)

// leaseAsk is a phone that a worker wants to have, renew or free.
type leaseAsk struct {
	Phone   string `json:"phone"` // its ID
	Serial  string `json:"serial"`
	Session string `json:"session"`
	Renew   bool   `json:"renew,omitempty"` // only when it has it
	Free    bool   `json:"free,omitempty"`
}

// leased says that the worker has the phone.
type leased struct {
	Now time.Time `json:"now"` // by the hub's clock
}

// phoneAsk tells how a phone is, or that it is gone.
type phoneAsk struct {
	Phone
	Gone bool `json:"gone,omitempty"`
}

// jobAsk asks for a job for a phone that the worker has.
type jobAsk struct {
	Run   string `json:"run"`
	Phone string `json:"phone"` // its ID
}

// handed is a job or a chunk that is handed out; without a message there is none now.
type handed struct {
	Message  json.RawMessage `json:"message,omitempty"`
	Delivery int             `json:"delivery,omitempty"` // how often it was handed out, this time included
}

// jobName names a job that was handed out, or a chunk: then the run is its batch.
type jobName struct {
	Run      string `json:"run"`
	Job      int    `json:"job"`
	Delivery int    `json:"delivery"`
}

// jobEnd ends a job: it is done, or another is to have it after a time.
type jobEnd struct {
	jobName
	Back  bool          `json:"back,omitempty"`
	After time.Duration `json:"after,omitempty"`
}

// levelName names a level of a run.
type levelName struct {
	Run   string `json:"run"`
	Level int    `json:"level"`
}

// newsAsk asks for what differs from what was heard.
type newsAsk struct {
	Heard string `json:"heard"` // the version
}

// news is what a worker is to know.
type news struct {
	Version string   `json:"version"`
	Orders  []Order  `json:"orders,omitempty"`  // that are open; none when the version was heard
	Drained []string `json:"drained,omitempty"` // keys of the worker's
	Asks    []Ask    `json:"asks,omitempty"`
	Looks   []look   `json:"looks,omitempty"`
}

// evidencePart is a part of the evidence that a worker was asked for, in order.
type evidencePart struct {
	ID     string `json:"id"`   // of the question
	Part   int    `json:"part"` // from 0
	Data   []byte `json:"data,omitempty"`
	Last   bool   `json:"last,omitempty"`
	Reason string `json:"reason,omitempty"` // why there is none
}

// pictureSent is the answer to a look.
type pictureSent struct {
	ID string `json:"id"` // of the look
	picture
}

// chunkAsk asks for a chunk of any batch, for some time.
type chunkAsk struct {
	Wait time.Duration `json:"wait"`
}

type batchName struct {
	Batch string `json:"batch"`
}

// answerSent is what was found of a chunk that was handed out.
type answerSent struct {
	Answer
	Delivery int `json:"delivery"`
}
