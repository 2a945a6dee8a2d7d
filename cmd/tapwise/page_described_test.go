package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"tapwise/cmd/internal/page/web"
	"tapwise/solvers/described"
	"tapwise/solvers/gametest"
)

// TestPageDescribed has the page with the file of a described game: its phone is played, and its
// puzzle is solved, drawn and explained.
func TestPageDescribed(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	tango, err := described.OpenShipped("tango")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.star")
	if err := os.WriteFile(file, []byte(tango.Source()), 0o600); err != nil {
		t.Fatal(err)
	}
	kurodoko, err := described.OpenShipped("kurodoko")
	if err != nil {
		t.Fatal(err)
	}
	phone := simulated(t, "720x1480")
	phone.game = file
	p := newPageTestOf(t, nil, func(a *app, c *web.Config) {
		a.settings.Game = file
		*c = a.pageConfig()
		c.Games = append(c.Games, kurodoko)
	}, phone)
	p.open("watch", 1280, 900)
	card := p.phoneOf(0)
	p.wait(fmt.Sprintf(`document.querySelector('%s img')?.naturalWidth === 720`, card))
	p.keep("described-seen-1280")
	p.run(chromedp.SetValue(card+" input[name=last]", "1"), click(card+" button[name=start]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s').dataset.won === '1' && document.querySelector('%s').dataset.stage === 'done'`, card, card))
	p.keep("described-won-1280")
	p.open("solve", 1280, 900)
	p.wait(`[...document.querySelectorAll('select[name=game] option')].some(o => o.value === 'mine')`)
	for name, cells := range map[string]string{"mine": ".spot", "kurodoko": "polygon"} {
		p.run(chromedp.Evaluate(fmt.Sprintf(`(() => { const g = document.querySelector('select[name=game]'); g.value = %q; g.onchange(); })()`, name), nil))
		p.wait(fmt.Sprintf(`document.querySelector('#problem').textContent === '' && document.querySelectorAll('#board %s').length >= 25`, cells))
		p.run(click(`button[name=solve]`))
		p.wait(`document.querySelector('#outcome').textContent.startsWith('Solved')`)
		p.keep("described-solve-" + name + "-1280")
		p.run(click(`button[name=hint]`))
		p.wait(`!document.querySelector('#why').hidden`)
	}
	p.run(chromedp.SetValue(`input[name=many]`, "1"), click(`button[name=sheet]`))
	p.wait(`document.querySelectorAll('.sheet figure svg').length === 2 && !document.querySelector('.noprint button').disabled`)
	p.keep("described-sheet-1280")
}
