package tell

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// hook is a web hook that keeps what it gets.
func hook(t *testing.T, status int) (address string, got func() (string, http.Header)) {
	t.Helper()
	var mu sync.Mutex
	var body string
	var header http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		body, header = string(data), r.Header
		w.WriteHeader(status)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/secret-topic", func() (string, http.Header) {
		mu.Lock()
		defer mu.Unlock()
		return body, header
	}
}

var example = News{Kind: Stuck, Text: "The phone is locked.", Phone: "Pixel 8", Game: "flow", Won: 3, Failed: 1, Time: time.Date(2026, 11, 25, 7, 0, 0, 0, time.UTC)}

// TestCommand: a command gets the news in variables and as JSON; each kind has its own.
func TestCommand(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "said")
	teller := Settings{
		OnStuck: `echo "$TAPWISE_NEWS|$TAPWISE_TEXT|$TAPWISE_PHONE|$TAPWISE_GAME|$TAPWISE_WON|$TAPWISE_FAILED" > ` + file + `; cat >> ` + file,
		OnEnd:   "exit 3",
	}
	if err := teller.Tell(t.Context(), example); err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	words, line, _ := strings.Cut(string(said), "\n")
	if want := "stuck|The phone is locked.|Pixel 8|flow|3|1"; words != want {
		t.Errorf("variables: %q, expected %q", words, want)
	}
	var got News
	if err := json.Unmarshal([]byte(line), &got); err != nil || got != example {
		t.Errorf("standard input: %+v, %v, expected %+v", got, err, example)
	}
	ended := example
	ended.Kind = End
	if err := teller.Tell(t.Context(), ended); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a command that fails: %v", err)
	}
	// Somebody who ended the run is no reason not to tell.
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := teller.Tell(gone, example); err != nil {
		t.Error(err)
	}
}

// TestWebhook: a web hook gets JSON, or the form of ntfy; its address is in no error.
func TestWebhook(t *testing.T) {
	address, got := hook(t, http.StatusOK)
	if err := (Settings{Webhook: address, Form: JSON}).Tell(t.Context(), example); err != nil {
		t.Fatal(err)
	}
	body, header := got()
	var news News
	if err := json.Unmarshal([]byte(body), &news); err != nil || news != example || header.Get("Content-Type") != "application/json" {
		t.Errorf("JSON: %q, %v, %v", body, header, err)
	}
	if err := (Settings{Webhook: address, Form: Ntfy}).Tell(t.Context(), example); err != nil {
		t.Fatal(err)
	}
	if body, header := got(); body != example.Text || header.Get("Title") != "tapwise flow on Pixel 8 needs a hand" || header.Get("Priority") != "high" || header.Get("Tags") != "warning" {
		t.Errorf("ntfy: %q, %v", body, header)
	}
	refusing, _ := hook(t, http.StatusForbidden)
	for _, address := range []string{refusing, "http://127.0.0.1:1/secret-topic"} {
		err := (Settings{Webhook: address}).Tell(t.Context(), example)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, expected an error without the address", address, err)
		}
	}
}

// TestStandsStill: a run of which no level ends is told once, until one does; one that is paused
// is not.
func TestStandsStill(t *testing.T) {
	folder := t.TempDir()
	told := func() (kinds []string) {
		data, err := os.ReadFile(filepath.Join(folder, "told"))
		if err != nil {
			return nil
		}
		return strings.Fields(string(data))
	}
	note := "echo $TAPWISE_NEWS >> " + filepath.Join(folder, "told")
	synctest.Test(t, func(t *testing.T) {
		r := Settings{OnEnd: note, OnStuck: note, StuckAfter: time.Minute}.Begin(t.Context(), slog.New(slog.DiscardHandler), "phone")
		for range 5 {
			time.Sleep(50 * time.Second)
			r.Level(true)
		}
		resume := r.Pause()
		time.Sleep(time.Hour)
		resume()
		time.Sleep(50 * time.Second)
		if got := told(); got != nil {
			t.Errorf("told %q of a run that goes on", got)
		}
		time.Sleep(time.Hour)
		r.Level(false)
		r.End("")
	})
	if got := told(); !slices.Equal(got, []string{"stuck", "end"}) {
		t.Errorf("told %q, expected that it stands still, once, and its end", got)
	}
}

func TestValidate(t *testing.T) {
	for _, test := range []struct {
		settings Settings
		wrong    string
	}{
		{Settings{}, ""},
		{Settings{Webhook: "https://ntfy.sh/topic", Form: Ntfy, StuckAfter: time.Minute}, ""},
		{Settings{Webhook: "ftp://ntfy.sh/topic"}, "webhook"},
		{Settings{Webhook: "ntfy.sh/topic"}, "webhook"},
		{Settings{Form: "xml"}, "form"},
		{Settings{StuckAfter: -1}, "stuck-after"},
	} {
		wrong := test.settings.Validate()
		if _, found := wrong[test.wrong]; found != (test.wrong != "") || len(wrong) > 1 {
			t.Errorf("%+v: %v, expected %q", test.settings, wrong, test.wrong)
		}
	}
}
