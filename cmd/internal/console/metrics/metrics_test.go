package metrics

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

// ask asks for figures, at an address or of a handler.
func ask(t *testing.T, url, host string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// TestHandler: a source that fails is told by one figure, without its error, and what others
// and it told stays; Prometheus's own linter finds nothing.
func TestHandler(t *testing.T) {
	took := Durations{}
	for _, d := range []time.Duration{time.Millisecond, 100 * time.Millisecond, 3 * time.Second, time.Hour} {
		took.Add(d)
	}
	good := Source{"good", func(_ context.Context, p *Page) error {
		p.Show(Attempts, 3, "flow", "won")
		p.Show(FleetWorkers, 2)
		p.ShowTimes(Stages, &took, "flow", "play")
		return nil
	}}
	bad := Source{"bad", func(_ context.Context, p *Page) error {
		p.Show(PhoneReady, 1, "odd\xff\"\n")
		return errors.New("journal /home/somebody/journal.db: it is damaged")
	}}
	server := httptest.NewServer(Handler(slog.New(slog.DiscardHandler), good, bad))
	defer server.Close()
	status, text := ask(t, server.URL, "")
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, text)
	}
	for _, line := range []string{
		`tapwise_attempts_total{game="flow",verdict="won"} 3`, "tapwise_fleet_workers 2", `tapwise_source_up{source="good"} 1`, `tapwise_source_up{source="bad"} 0`,
		`tapwise_phone_ready{serial="odd?\"\n"} 1`, `tapwise_stage_duration_seconds_bucket{game="flow",stage="play",le="0.001"} 1`,
		`tapwise_stage_duration_seconds_bucket{game="flow",stage="play",le="0.1"} 2`, `tapwise_stage_duration_seconds_bucket{game="flow",stage="play",le="4"} 3`,
		`tapwise_stage_duration_seconds_bucket{game="flow",stage="play",le="+Inf"} 4`, `tapwise_stage_duration_seconds_sum{game="flow",stage="play"} 3603.101`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("there is no line %s in\n%s", line, text)
		}
	}
	if strings.Contains(text, "somebody") {
		t.Error("the name of a file is shown")
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("the linter: %v %v", problems, err)
	}
}

// TestTwice: two figures of one family with the same labels are a mistake of the program's,
// which a scrape tells; the others are shown.
func TestTwice(t *testing.T) {
	twice := Source{"twice", func(_ context.Context, p *Page) error {
		p.Show(FleetWorkers, 1)
		p.Show(FleetWorkers, 2)
		p.Show(FleetRuns, 1, "a label that it does not have")
		p.Show(FleetLeases, 7)
		return nil
	}}
	var log strings.Builder
	server := httptest.NewServer(Handler(slog.New(slog.NewTextHandler(&log, nil)), twice))
	defer server.Close()
	if status, text := ask(t, server.URL, ""); status != http.StatusOK || !strings.Contains(text, "tapwise_fleet_leases 7\n") {
		t.Errorf("status %d: %s", status, text)
	}
	for _, name := range []string{"tapwise_fleet_workers", "tapwise_fleet_runs"} {
		if !strings.Contains(log.String(), name) {
			t.Errorf("the log does not tell of %s:\n%s", name, log.String())
		}
	}
}

// TestListen: figures are for this machine only, and for no page of another site.
func TestListen(t *testing.T) {
	handler := Handler(slog.New(slog.DiscardHandler))
	for _, address := range []string{"nonsense", "0.0.0.0:0", ":9464", "192.0.2.1:0", "example.org:80", "127.0.0.1:99999"} {
		if url, end, err := Listen(t.Context(), address, handler); err == nil {
			end()
			t.Errorf("it listens on %s, at %s", address, url)
		}
	}
	url, end, err := Listen(t.Context(), "127.0.0.1:0", handler)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	for host, want := range map[string]int{"": http.StatusOK, "localhost": http.StatusOK, "[::1]:9464": http.StatusOK, "evil.example:9464": http.StatusMisdirectedRequest, "192.0.2.1": http.StatusMisdirectedRequest} {
		if status, text := ask(t, url, host); status != want {
			t.Errorf("host %q: status %d, expected %d: %.200s", host, status, want, text)
		}
	}
	if status, _ := ask(t, strings.TrimSuffix(url, "metrics"), ""); status != http.StatusNotFound {
		t.Errorf("another path: status %d, expected %d", status, http.StatusNotFound)
	}
}
