package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestFiguresAreGuarded: /metrics is for whom the page is for.
func TestFiguresAreGuarded(t *testing.T) {
	own := config()
	own.Phones = &fakePhones{serials: []string{"p"}}
	_, server := start(t, own)
	if response, text := send(t, http.MethodGet, server.URL+"/metrics", ""); response.StatusCode != http.StatusOK || !strings.Contains(text, `tapwise_phone_ready{serial="p"} 1`) {
		t.Errorf("status %d: %s", response.StatusCode, text)
	}
	for _, headers := range [][]string{{"Host", "evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Origin", "http://evil.example"}} {
		if response, text := send(t, http.MethodGet, server.URL+"/metrics", "", headers...); response.StatusCode < 400 || strings.Contains(text, "tapwise_") {
			t.Errorf("%v: status %d: %s", headers, response.StatusCode, text)
		}
	}
	if response, _ := send(t, http.MethodPost, server.URL+"/metrics", "{}"); response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d, expected %d", response.StatusCode, http.StatusMethodNotAllowed)
	}
	own.Remote, own.Token = true, "secret"
	_, server = start(t, own)
	if response, text := send(t, http.MethodGet, server.URL+"/metrics", ""); response.StatusCode != http.StatusUnauthorized || strings.Contains(text, "tapwise_") {
		t.Errorf("without the token: status %d: %s", response.StatusCode, text)
	}
}
