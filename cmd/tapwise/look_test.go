package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"tapwise/cmd/internal/sim/looks"
)

// looked are the levels won on the pages that scripts have open, by the page's address.
var looked sync.Map

// tally is the levels won on one page.
type tally struct {
	mu   sync.Mutex
	wins []string
}

// witness has a page tell which levels are won on it, which nothing on its screen does,
// and loses one stroke. Where levels end by leaving the page, it does that.
const witness = `<script>
let told = false, strokes = 0, losing = false;
setInterval(() => {
  if (won && !told) {
    fetch("/won/" + number, {method: "POST"});
    if (look.win === "leave") setTimeout(() => document.body.replaceChildren("Your score: 12"), 900);
  }
  told = won;
}, 10);
for (const kind of ["touchstart", "touchmove", "touchend"]) document.addEventListener(kind, event => {
  if (kind === "touchstart") losing = ++strokes === %d;
  if (losing) event.stopImmediatePropagation();
}, {capture: true, passive: true});
</script>
`

// serveLook is the script command look.
func serveLook(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: look FILE WIN [LOST]")
	}
	var l looks.Look
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &l))
	l.Win = args[1]
	lost := 0
	if len(args) == 3 {
		_, err := fmt.Sscan(args[2], &lost)
		ts.Check(err)
	}
	page, err := l.HTML()
	ts.Check(err)
	page = append(page, fmt.Sprintf(witness, lost)...)
	won := &tally{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if number, ok := strings.CutPrefix(r.URL.Path, "/won/"); ok {
			won.mu.Lock()
			won.wins = append(won.wins, number)
			won.mu.Unlock()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(page) // a browser that has gone is no failure
	}))
	ts.Defer(server.Close)
	looked.Store(server.URL, won)
	ts.Setenv("LOOK", server.URL)
}

// wantLooked is the script command looked.
func wantLooked(ts *testscript.TestScript, neg bool, args []string) {
	found, ok := looked.Load(ts.Getenv("LOOK"))
	if neg || !ok {
		ts.Fatalf("usage: looked NUMBERS…, after look")
	}
	won := found.(*tally)
	won.mu.Lock()
	defer won.mu.Unlock()
	if !slices.Equal(won.wins, args) {
		ts.Fatalf("the page has seen the levels %v won, expected %v", won.wins, args)
	}
}
