// Package metrics answers Prometheus: it shows what the program knows as figures, under names
// that are listed in one place. It alone imports Prometheus's client, and counts nothing
// itself; each source reads what is kept elsewhere, anew for each request.
package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"tapwise/cmd/internal/console/build"
)

// Source tells figures.
type Source struct {
	Name string // for the log and a label
	// Read tells the figures that are known now. With an error, those that it told before
	// are shown nevertheless.
	Read func(context.Context, *Page) error
}

// Page takes the figures of one answer.
type Page struct{ to chan<- prometheus.Metric }

// Show shows a value of a family, with a value for each of its labels.
func (p *Page) Show(f *Family, value float64, labels ...string) {
	m, err := prometheus.NewConstMetric(f.desc, f.kind, value, valid(labels)...)
	p.add(f, m, err)
}

// ShowTimes shows durations.
func (p *Page) ShowTimes(f *Family, d *Durations, labels ...string) {
	buckets, below := map[float64]uint64{}, uint64(0)
	for i, limit := range limits {
		below += d.counts[i]
		buckets[limit] = below
	}
	m, err := prometheus.NewConstHistogram(f.desc, below+d.counts[len(limits)], d.sum, buckets, valid(labels)...)
	p.add(f, m, err)
}

func (p *Page) add(f *Family, m prometheus.Metric, err error) {
	if err != nil { // a mistake in the program, which a scrape tells
		m = prometheus.NewInvalidMetric(f.desc, err)
	}
	p.to <- m
}

// valid makes labels of any text: what comes from phones need not be UTF-8.
func valid(labels []string) []string {
	for i := range labels {
		labels[i] = strings.ToValidUTF8(labels[i], "?")
	}
	return labels
}

// limits are those of the buckets of durations, in seconds: a board is solved within
// milliseconds, and a slow app is played on for minutes.
var limits = [...]float64{0.001, 0.005, 0.02, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 180}

// Durations are how often a duration was within which limits.
type Durations struct {
	counts [len(limits) + 1]uint64 // the last one is of those above all limits
	sum    float64
}

// Add counts a duration.
func (d *Durations) Add(one time.Duration) {
	i := 0
	for i < len(limits) && one.Seconds() > limits[i] {
		i++
	}
	d.counts[i]++
	d.sum += one.Seconds()
}

// sources are those of one handler.
type sources struct {
	log *slog.Logger
	all []Source
}

// Describe says nothing: what is shown depends on what is known.
func (s sources) Describe(chan<- *prometheus.Desc) {}

// readTime bounds what is read for one answer; Prometheus waits for ten seconds unless it is
// told otherwise.
const readTime = 30 * time.Second

// Collect reads all sources.
func (s sources) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	page := &Page{to}
	page.Show(buildInfo, 1, build.Read().Version)
	for _, source := range s.all {
		up := 1.0
		if err := source.Read(ctx, page); err != nil {
			up = 0
			s.log.Info("figures are missing", "source", source.Name, "error", err)
		}
		page.Show(sourceUp, up, source.Name)
	}
}

// Handler answers with the figures of all sources, of the Go runtime and of the process. What
// is wrong with a source is for the log only: errors may name files.
func Handler(log *slog.Logger, all ...Source) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), sources{log, all})
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 4,
	})
}

// Listen answers on HOST:PORT of this machine, at /metrics, until end is called. It returns
// the address.
func Listen(ctx context.Context, address string, handler http.Handler) (url string, end func(), err error) {
	if host, _, err := net.SplitHostPort(address); err != nil || !isLocal(host) {
		return "", nil, fmt.Errorf("metrics on %q, expected HOST:PORT of this machine, as 127.0.0.1:9464", address)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return "", nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", handler)
	server := &http.Server{Handler: onlyLocal(mux), ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return "http://" + listener.Addr().String() + "/metrics", func() { _ = errors.Join(server.Close(), <-ended) }, nil
}

// onlyLocal refuses requests to another host's name: a page of another site whose name was
// made to point here sends that.
func onlyLocal(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if !isLocal(host) {
			http.Error(w, "tapwise: this name is not this machine's; expected 127.0.0.1", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isLocal(host string) bool {
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && address.IsLoopback()
}
