package main

import (
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tapwise/adb/simphone"
	"tapwise/cmd/internal/page/web"
	"tapwise/solvers/all"
	"tapwise/solvers/gametest"
)

// anyGame configures a page that looks for whichever game is on the screen.
func anyGame(_ *app, c *web.Config) { c.Game = "" }

// playing returns simulated phones with these games on them.
func playing(t *testing.T, games ...string) []testPhone {
	t.Helper()
	var phones []testPhone
	for _, game := range games {
		phone := simulated(t, "720x1480")
		phone.game = game
		phones = append(phones, phone)
	}
	return phones
}

// onCard waits until an expression about a phone's card, e, is true.
func (p *pageTest) onCard(i int, expression string) {
	p.Helper()
	p.wait(fmt.Sprintf(`(e => %s)(document.querySelector(%q))`, expression, p.phoneOf(i)))
}

// choose chooses an option of a select as a person does.
func choose(selector, value string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event('change', { bubbles: true })); })(document.querySelector(%q))`, value, selector), nil)
}

// TestPageSeesGames shows phones with three games: each card says which it sees, and Start
// plays that. A phone on which another game is asked for says so, and one button plays the
// right one.
func TestPageSeesGames(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	games := []string{"flow", "zip", "queens"}
	p := newPageTestOf(t, nil, func(a *app, c *web.Config) {
		a.settings.Game, a.settings.Play.NextDeadline = "", 6*time.Second // a board of another game is given half of that to be read
		*c = a.pageConfig()
	}, playing(t, games...)...)
	p.open("watch", 1280, 900)
	for i, game := range games {
		p.onCard(i, fmt.Sprintf(`e.dataset.sees === %q && e.querySelector('.doing').textContent.startsWith(%q) && e.querySelector('select[name=game]').value === ''`, game, strings.ToUpper(game[:1])+game[1:]+", "))
	}
	p.keep("sees-games-1280")
	p.run(chromedp.SetValue(p.phoneOf(2)+" input[name=last]", "1"), click(p.phoneOf(2)+" button[name=start]"))
	p.onCard(2, `e.dataset.won === '1' && e.dataset.stage === 'done'`)

	p.run(choose(p.phoneOf(1)+" select[name=game]", "flow"), chromedp.SetValue(p.phoneOf(1)+" input[name=last]", "1"))
	p.onCard(1, `!e.querySelector('button[name=start]').disabled`)
	p.run(click(p.phoneOf(1) + " button[name=start]"))
	p.onCard(1, `e.querySelector('.problem .say').textContent === 'This is Zip, not Flow.' && e.querySelector('button[name=help]').textContent === 'Play Zip' && !e.querySelector('.problem details').open`)
	p.keep("wrong-game-1280")
	p.fits("the wrong game")
	var said int
	p.run(chromedp.Evaluate(`document.body.innerText.split('This is Zip, not Flow.').length - 1`, &said))
	if said > 2 { // on the card and in the list of events
		t.Errorf("the page says it %d times", said)
	}
	p.run(click(p.phoneOf(1) + " button[name=help]"))
	p.onCard(1, `e.dataset.won === '1' && e.dataset.stage === 'done' && !e.querySelector('.problem')`)
}

// TestPageLocked shows a phone that sleeps and one that is locked: a sentence each, no broken
// picture, and the first wakes by a button.
func TestPageLocked(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTestOf(t, nil, anyGame, playing(t, "flow", "flow")...)
	p.phones[0].ScreenOff()
	p.phones[1].LockNow(simphone.LockPIN)
	p.phones[1].ScreenOff()
	p.open("watch", 390, 844)
	p.onCard(0, `['The phone\'s screen is off.', 'The phone shows nothing but black.'].includes(e.querySelector('.problem .say').textContent) && e.querySelector('button[name=help]').textContent === 'Wake the phone'`)
	p.onCard(1, `e.querySelector('.problem .say').textContent === 'The phone is locked.' && e.querySelector('.state').textContent === 'needs a hand'`)
	p.onCard(1, `getComputedStyle(e.querySelector('.stage img')).visibility === 'hidden'`)
	p.keep("locked-390")
	p.fits("locked")
	p.run(click(p.phoneOf(0) + " button[name=help]"))
	p.onCard(0, `e.dataset.sees === 'flow' && !e.querySelector('.problem')`)
}

// TestPageDemo shows all games side by side, each played on its phone; one is paused, one is
// given a fault and put in order again, one is played by hand.
func TestPageDemo(t *testing.T) {
	gametest.Long(t) // and not beside others: it keeps all cores busy
	var phones *toys
	p := newPageTestOf(t, nil, func(a *app, c *web.Config) {
		c.Game = ""
		var err error
		if phones, err = a.openDemo(t.Context(), all.Games()); err != nil {
			t.Fatal(err)
		}
		c.Phones = phones
	})
	p.open("watch", 1280, 900)
	card := map[string]string{} // selectors by game
	p.wait(fmt.Sprintf(`document.querySelectorAll('.phone').length === %d`, len(all.Games())))
	var serial string
	for _, g := range all.Games() {
		p.wait(fmt.Sprintf(`+document.querySelector('.phone[data-sees=%q]').dataset.won >= 1`, g.Name()))
		p.run(chromedp.Evaluate(fmt.Sprintf(`document.querySelector('.phone[data-sees=%q]').dataset.serial`, g.Name()), &serial))
		card[g.Name()] = fmt.Sprintf("[data-serial=%q]", serial)
	}
	p.keep("demo-1280")
	p.run(chromedp.Evaluate(`window.moved = []; new PerformanceObserver(l => { for (const e of l.getEntries()) moved.push(e.value.toFixed(4) + ': ' + e.sources.map(s => (s.node?.className ?? s.node?.nodeName) + ' ' + JSON.stringify(s.previousRect) + JSON.stringify(s.currentRect)).join(', ')); }).observe({ type: 'layout-shift' })`, nil))
	var moved []string
	p.wait(fmt.Sprintf(`+document.querySelector('%s').dataset.won >= 4`, card["zip"]))
	if p.run(chromedp.Evaluate(`moved`, &moved)); len(moved) > 0 {
		t.Errorf("while all play the page moves: %s", strings.Join(moved, "; "))
	}
	p.fits("demo")
	p.run(click(card["zip"] + " button[name=pause]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s .state').textContent === 'paused'`, card["zip"]))

	p.run(choose(card["flow"]+" select[name=fault]", "locked"), click(card["flow"]+" button[name=strike]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s .problem .say').textContent === 'The phone is locked.'`, card["flow"]))
	p.keep("demo-locked-1280")
	p.run(click(card["flow"] + " button[name=heal]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s .state').textContent === 'playing' && +document.querySelector('%[1]s').dataset.won >= 1`, card["flow"]))

	p.run(click(card["queens"] + " button[name=hand]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s .state').textContent === 'yours'`, card["queens"]))
	queens := strings.Split(card["queens"], `"`)[1]
	phones.phones[queens].ClearEvents()
	p.run(chromedp.Click(card["queens"]+" .stage", chromedp.ByQuery))
	for { // the browser tells of it in its own time
		if events := phones.phones[queens].Events(); len(events) >= 2 {
			if events[0].Kind != simphone.EventDown {
				t.Errorf("the finger does %v first, expected that it comes down", events[0])
			}
			break
		}
		p.run(chromedp.Evaluate(`document.readyState`, nil))
	}
	p.run(click(card["queens"] + " button[name=hand]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s .state').textContent === 'playing'`, card["queens"]))
}

// TestPageWithoutServer opens a page whose adb server does not run: it says so in a sentence,
// starts the server by a button, shows the steps to a phone and offers the demo, which plays.
func TestPageWithoutServer(t *testing.T) {
	gametest.Long(t)
	p := newPageTestOf(t, nil, func(a *app, c *web.Config) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		a.settings.ADB.Port = listener.Addr().(*net.TCPAddr).Port
		listener.Close()
		a.settings.Game = ""
		// A server started on that port finds no phones of this machine, and is ended.
		t.Setenv("ADB_LOCAL_TRANSPORT_MAX_PORT", "0")
		t.Setenv("ADB_MDNS", "0")
		t.Cleanup(func() {
			_ = exec.Command("adb", "-P", strconv.Itoa(a.settings.ADB.Port), "kill-server").Run()
		})
		*c = a.pageConfig()
	})
	p.open("watch", 390, 844)
	p.wait(`document.querySelector('.problem .say').textContent === 'No adb server is running.' && document.querySelector('button[name=help]').textContent === 'Start the adb server'`)
	p.wait(`document.querySelectorAll('.steps li svg').length === 5 && document.querySelector('#link').textContent === 'connected'`)
	var said string
	p.run(chromedp.Evaluate(`document.body.innerText`, &said))
	if strings.Contains(said, "refused") || strings.Contains(said, "dial") {
		t.Errorf("the page says:\n%s", said)
	}
	p.keep("no-server-390")
	p.fits("without a server")
	p.run(click("button[name=help]"))
	p.wait(`document.querySelector('.problem .say').textContent === 'No phone is connected.' && !document.querySelector('button[name=help]')`)
	p.run(chromedp.EmulateViewport(1280, 800))
	p.keep("no-phone-1280")
	p.run(click("button[name=demo]"))
	p.wait(fmt.Sprintf(`document.querySelectorAll('.phone').length === %d && document.querySelector('.phone').querySelector('button[name=strike]')`, len(all.Games())))
	p.wait(`[...document.querySelectorAll('.phone')].some(e => +e.dataset.won >= 1)`)
}

// TestPageNothingStale leaves views with words about one thing and finds them gone with the
// next: an error of a view, a board of another picture, an error of a calibration.
func TestPageNothingStale(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTestOf(t, nil, anyGame, playing(t, "flow")...)
	p.open("solve", 1280, 900)
	p.wait(`document.querySelector('#board svg') && document.querySelector('textarea').value !== ''`)
	p.run(click("button[name=solve]"))
	p.wait(`document.querySelector('#outcome').textContent.startsWith('Solved')`)
	// A picture without a board, while the answer is slow: what was there before is gone at
	// once, and it says that it reads.
	p.run(chromedp.Evaluate(`window.before = window.fetch; window.fetch = (...a) => String(a[0]).includes('/puzzle') ? new Promise(done => { window.go = () => done(before(...a)); }) : before(...a)`, nil))
	drop := func(place string) {
		p.run(chromedp.Evaluate(fmt.Sprintf(`(async () => {
			const c = new OffscreenCanvas(400, 800), g = c.getContext('2d'); g.fillStyle = '#345'; g.fillRect(0, 0, 400, 800);
			const data = new DataTransfer(); data.items.add(new File([await c.convertToBlob()], 'empty.png', { type: 'image/png' }));
			document.querySelector(%q).dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
		})()`, place), nil, awaited))
	}
	drop("#puzzle")
	p.wait(`document.querySelector('#problem').textContent === 'Reading the picture…' && document.querySelector('#outcome').textContent === '' && document.querySelector('textarea').value === '' && !document.querySelector('#board svg')`)
	p.wait(`window.go`)
	p.run(chromedp.Evaluate(`window.go(); window.fetch = window.before`, nil))
	p.wait(`document.querySelector('#problem').className === 'bad' && document.querySelector('#problem').textContent.length > 10 && !document.querySelector('#board svg')`)
	p.keep("picture-without-board-1280")

	p.run(chromedp.Evaluate(`import('/page.js').then(m => m.say(new Error('something of this view')))`, nil, awaited))
	p.wait(`document.querySelector('#said').textContent === 'something of this view'`)
	p.run(click(`nav a[href="#calibrate"]`))
	p.wait(`document.querySelector('main h1').textContent === 'Calibrate' && document.querySelector('#said').textContent === ''`)

	// A calibration's error shows although no layout was found.
	p.wait(`document.querySelector('select[name=phone]').value !== ''`)
	p.run(click("button[name=take]"))
	p.wait(`document.querySelector('#verdict').className === 'good'`)
	p.run(chromedp.Evaluate(`window.before = window.fetch; window.fetch = (...a) => String(a[0]).endsWith('/read') ? Promise.resolve(new Response('{"error":"it cannot be read"}', { status: 422, headers: { 'Content-Type': 'application/json' } })) : before(...a)`, nil))
	drop("#drop")
	p.wait(`document.querySelector('#verdict').textContent === 'it cannot be read' && document.querySelector('#verdict').checkVisibility() && !document.querySelector('#boardpicture svg') && document.querySelector('#boardtext').textContent === ''`)
	p.keep("calibrate-unread-1280")
}
