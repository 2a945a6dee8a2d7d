package fleet

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
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
	levelsBucket  = "TAPWISE_LEVELS"  // RUN.LEVEL → Booked, each created once
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
	return nil
}

// inbox is the prefix of the subjects at which one end gets its answers.
func inbox(name string) string { return "_INBOX_" + Token(name) }

// WorkerSubjects are those to which a worker may publish and subscribe: what happens on
// its own phones, and of JetStream what it takes to get jobs, end them, look at orders and
// at what is booked, see what evidence it is asked for and put that into a bucket of its
// own, and show pictures of its phones. Leases are the only keys that workers share; nobody
// but the hub books, and nobody but an operator orders.
func WorkerSubjects(worker string) (publish, subscribe []string) {
	publish = []string{
		"tapwise.result." + worker + ".*", PoisonSubject(worker), answerSubject(worker, "*"), pictureSubject(worker, "*"), keySubject(phonesBucket, worker+".*"), keySubject(leasesBucket, "*"),
		"$JS.API.CONSUMER.INFO." + jobsStream + ".*", "$JS.API.CONSUMER.MSG.NEXT." + jobsStream + ".*", "$JS.ACK." + jobsStream + ".>",
		"$JS.API.DIRECT.GET.KV_" + levelsBucket + ".>", "$JS.API.DIRECT.GET.KV_" + leasesBucket + ".>",
	}
	for _, bucket := range []string{runsBucket, levelsBucket, phonesBucket, leasesBucket, controlBucket} {
		publish = append(publish, "$JS.API.STREAM.INFO.KV_"+bucket)
	}
	for _, bucket := range []string{runsBucket, controlBucket} { // which it watches
		publish = append(publish, "$JS.API.CONSUMER.CREATE.KV_"+bucket+".>", "$JS.API.CONSUMER.DELETE.KV_"+bucket+".*", "$JS.API.CONSUMER.INFO.KV_"+bucket+".*",
			"$JS.ACK.KV_"+bucket+".>", "$JS.FC.KV_"+bucket+".>")
	}
	return append(publish, evidenceSubjects(worker)...), []string{inbox(worker) + ".>", lookSubject(worker)}
}
