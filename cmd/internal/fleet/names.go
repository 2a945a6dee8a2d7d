package fleet

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The streams.
const (
	jobsStream    = "TAPWISE_JOBS"    // work queue: tapwise.job.RUN.NUMBER
	resultsStream = "TAPWISE_RESULTS" // appended to only: tapwise.result.WORKER.PHONE
	poisonStream  = "TAPWISE_POISON"  // jobs given up: tapwise.poison.WORKER
)

// The buckets.
const (
	runsBucket    = "TAPWISE_RUNS"    // RUN → Order
	levelsBucket  = "TAPWISE_LEVELS"  // RUN.LEVEL → Booked, RUN.LEVEL.WORKER.EVENT → Try, each created once
	phonesBucket  = "TAPWISE_PHONES"  // WORKER.PHONE → Phone, for as long as its worker says so
	leasesBucket  = "TAPWISE_LEASES"  // PHONE → Lease, for as long as it is renewed
	controlBucket = "TAPWISE_CONTROL" // drain.WORKER[.PHONE]
)

func jobSubject(run string, number int) string {
	return "tapwise.job." + run + "." + strconv.Itoa(number)
}

// jobsOf are the subjects of a run's jobs.
func jobsOf(run string) string { return "tapwise.job." + run + ".*" }

// keySubject is the subject of a bucket's key.
func keySubject(bucket, key string) string { return "$KV." + bucket + "." + key }

// ResultSubject is the subject of what happens on a phone.
func ResultSubject(p Phone) string { return "tapwise.result." + p.Worker + "." + p.ID() }

// PoisonSubject is the subject of the jobs that a worker gives up.
func PoisonSubject(worker string) string { return "tapwise.poison." + worker }

// consumerName is the durable consumer of a run's jobs.
func consumerName(run string) string { return "run-" + run }

func levelKey(run string, level int) string { return run + "." + strconv.Itoa(level) }

// encoding makes names that subjects, keys and file names may have.
var encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// NewID returns a name that nothing else has, of 16 letters and digits.
func NewID() string {
	var random [10]byte
	_, _ = rand.Read(random[:]) // never fails
	return strings.ToLower(encoding.EncodeToString(random[:]))
}

// newRunID is shorter, since people type it.
func newRunID() string { return NewID()[:6] }

// Token makes any text a part of a subject: names stay, other text is told by its hash.
func Token(text string) string {
	if isName(text) {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return "x" + strings.ToLower(encoding.EncodeToString(sum[:10]))
}

// CheckWorker reports whether a worker may have a name.
func CheckWorker(name string) error {
	if !isName(name) {
		return fmt.Errorf("worker %q, expected up to %d letters, digits, - and _", name, maxName)
	}
	// The inboxes of others, and words that stand where a name may.
	first, _, _ := strings.Cut(strings.ToLower(name), "-")
	if slices.Contains([]string{"hub", "clerk", "batch"}, strings.ToLower(name)) || first == "operator" || first == "page" || name[0] == '_' {
		return fmt.Errorf("worker %q has a name that the hub uses itself, expected another", name)
	}
	return nil
}

// inbox is the prefix of the subjects at which one end gets its answers.
func inbox(name string) string { return "_INBOX_" + Token(name) }
