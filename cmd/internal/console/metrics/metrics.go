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
type Page struct{ figures []prometheus.Metric }

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
	p.figures = append(p.figures, m)
}

// valid makes labels of any text: what comes from phones need not be UTF-8.
func valid(labels []string) []string {
	for i := range labels {
		labels[i] = strings.ToValidUTF8(labels[i], "?")
	}
	return labels
}

// Describe says nothing: what is shown depends on what is known.
func (p *Page) Describe(chan<- *prometheus.Desc) {}

// Collect gives the figures.
func (p *Page) Collect(to chan<- prometheus.Metric) {
	for _, m := range p.figures {
		to <- m
	}
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

// mostScrapes is how many requests are answered at a time.
const mostScrapes = 4

// Handler answers with the figures of all sources, of the Go runtime and of the process. What
// is wrong with a source is for the log only: errors may name files.
func Handler(log *slog.Logger, sources ...Source) http.Handler {
	own := prometheus.NewRegistry()
	own.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	options := promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), ErrorHandling: promhttp.ContinueOnError}
	slots := make(chan struct{}, mostScrapes)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
		default:
			http.Error(w, "tapwise: too many requests for figures at a time", http.StatusServiceUnavailable)
			return
		}
		page := &Page{}
		page.Show(buildInfo, 1, build.Read().Version)
		for _, source := range sources {
			up := 1.0
			if err := source.Read(r.Context(), page); err != nil {
				up = 0
				log.Info("figures are missing", "source", source.Name, "error", err)
			}
			page.Show(sourceUp, up, source.Name)
		}
		now := prometheus.NewRegistry()
		now.MustRegister(page)
		promhttp.HandlerFor(prometheus.Gatherers{own, now}, options).ServeHTTP(w, r)
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
