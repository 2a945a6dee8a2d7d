package web

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"tapwise/cmd/internal/play/player"
)

// TestPlayByItself begins to play on a phone when a page shows it, once, and not before.
func TestPlayByItself(t *testing.T) {
	orders := make(chan Order, 8)
	c := config()
	c.Play = true
	c.Phones = &fakePhones{serials: []string{"one"}, play: func(ctx context.Context, o Order, _ func(context.Context) error, _ func(Moment), _ func(player.Report, error)) error {
		orders <- o
		<-ctx.Done()
		return ctx.Err()
	}}
	_, server := start(t, c)
	if len(orders) > 0 {
		t.Error("it plays although no page is open")
	}
	request, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/api/events?look=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	// Before the first list the page is told that there is none yet.
	var lists []phoneList
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		var l phoneList
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if ok && json.Unmarshal([]byte(data), &l) == nil && l.Serials != nil {
			lists = append(lists, l)
		}
		if len(lists) > 0 && len(lists[len(lists)-1].Serials) > 0 {
			break
		}
	}
	if last := lists[len(lists)-1]; !last.Listed || lists[0].Listed && len(lists[0].Serials) == 0 {
		t.Errorf("the page is told %+v, expected no phones before they were listed", lists)
	}
	o := <-orders
	if o.Serial != "one" || o.Game != nil || o.First != 1 || o.Last != 0 {
		t.Errorf("played %+v, expected what is on the screen from level 1", o)
	}
	if len(orders) > 0 {
		t.Error("it plays twice")
	}
}
