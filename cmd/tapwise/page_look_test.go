package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tapwise/adb/adbtest/await"
	"tapwise/solvers/all"
	"tapwise/solvers/gametest"
)

// axeVersion is the accessibility checker with which the page is tested, from npm.
const axeVersion = "axe-core@4.14.1"

// axe is the source of the accessibility checker; empty, with the reason, where npm
// cannot fetch it.
func axe(t *testing.T) (source, reason string) {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", "npm is not installed"
	}
	ctx, cancel := context.WithTimeout(t.Context(), await.Hang)
	defer cancel()
	folder := t.TempDir()
	if said, err := exec.CommandContext(ctx, npm, "install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", axeVersion).CombinedOutput(); err != nil {
		return "", fmt.Sprintf("npm could not fetch %s: %v\n%s", axeVersion, err, said)
	}
	script, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(script), ""
}

// screens are windows of a phone, a tablet, a laptop and a desktop.
var screens = [][2]int64{{390, 844}, {768, 1024}, {1280, 800}, {1920, 1080}}

// TestPageLook judges every view in four windows, light and dark: nothing is wider than
// the window, everything has a name, and the accessibility checker finds nothing.
func TestPageLook(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	source, reason := axe(t)
	p := newPageTestOf(t, nil, withFleet(t, newTestHub(t)), simulated(t, "720x1480", boards...))
	card := p.phoneOf(0)
	steps := []struct {
		name, view string
		prepare    []chromedp.Action
		ready      string
	}{
		{"calibrate", "calibrate", []chromedp.Action{click("button[name=take]")}, `document.querySelector('#boardpicture svg')`},
		{"watch", "watch", nil, fmt.Sprintf(`document.querySelector('%s .stage .grid')`, card)},
		{"played", "watch", []chromedp.Action{chromedp.SetValue(card+" input[name=pack]", "Sample", chromedp.ByQuery), chromedp.SetValue(card+" input[name=last]", "2", chromedp.ByQuery), click(card + " button[name=start]")},
			fmt.Sprintf(`document.querySelector('%[1]s .doing').textContent.startsWith('Done, 2 won') && document.querySelector('%[1]s [data-figure=pack]').textContent === 'Sample'`, card)},
		{"film", "history", []chromedp.Action{click("#rows tr:last-child button"), click("#attempt [name=run]")}, `document.querySelector('#attempt .stage img')?.naturalWidth === 720 && document.querySelector('.decision').textContent.includes('board read')`},
		{"solve", "solve", []chromedp.Action{click("button[name=solve]")}, `document.querySelector('#outcome').textContent.startsWith('Solved')`},
		{"fleet", "fleet", []chromedp.Action{chromedp.SetValue("#order [name=levels]", "1-6", chromedp.ByQuery), click("#order button")},
			`document.querySelector('#runs progress').value === 6 && document.querySelector('#order button').disabled === false`},
	}
	readyToPrepare := map[string]string{
		"fleet": `document.querySelectorAll('.tile').length === 3`,
		"watch": steps[1].ready, "history": `document.querySelectorAll('#rows tr').length === 2`,
		"solve": `document.querySelector('#editor svg')`, "calibrate": `document.querySelector('select[name=phone]').value !== ''`,
	}
	for _, step := range steps {
		p.open(step.view, screens[2][0], screens[2][1])
		p.wait(readyToPrepare[step.view])
		p.run(step.prepare...)
		p.wait(step.ready)
		if source != "" {
			p.run(chromedp.Evaluate(source, nil))
		}
		for _, theme := range []string{"light", "dark"} {
			p.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}))
			for i, screen := range screens {
				name := fmt.Sprintf("%s-%d-%s", step.name, screen[0], theme)
				p.run(chromedp.EmulateViewport(screen[0], screen[1]))
				p.fits(name)
				p.shot("look-" + name)
				// Every window and both themes, but not each with each: it takes seconds.
				if source != "" && (i%2 == 0) == (theme == "light") {
					p.accessible(name)
				}
			}
		}
	}
	if reason != "" {
		t.Skipf("the accessibility checker was left out: %s", reason)
	}
}

// shot keeps a picture of what a window shows of the page.
func (p *pageTest) shot(name string) {
	p.Helper()
	folder := os.Getenv(picturesFolder)
	if folder == "" {
		return
	}
	p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		data, err := page.CaptureScreenshot().Do(ctx)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(folder, name+".png"), data, 0o644)
	}))
}

// accessible fails when the accessibility checker, which the page has loaded, finds
// something.
func (p *pageTest) accessible(name string) {
	p.Helper()
	var found string
	p.run(chromedp.Evaluate(`axe.run().then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120) + ' ' + n.failureSummary).join(' | ')).join('\n'))`,
		&found, awaited))
	if found != "" {
		p.Errorf("%s: %s", name, found)
	}
}

// TestPageStandsStill plays levels while a page shows them: nothing on it moves.
func TestPageStandsStill(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t, simulated(t, "720x1480", boards...))
	card := p.phoneOf(0)
	for _, screen := range [][2]int64{screens[2], screens[0]} {
		p.open("watch", screen[0], screen[1])
		p.wait(fmt.Sprintf(`document.querySelector('%s img')?.naturalWidth === 720`, card))
		p.run(chromedp.Evaluate(`window.moved = []; new PerformanceObserver(l => { for (const e of l.getEntries()) if (e.value > 0)
			moved.push(e.value.toFixed(4) + ': ' + e.sources.map(s => s.node?.className || s.node?.nodeName).join(', ')); }).observe({ type: 'layout-shift' })`, nil),
			chromedp.Evaluate(fmt.Sprintf(`window.stages = []; new MutationObserver(() => stages.push(document.querySelector('%[1]s').dataset.stage))
				.observe(document.querySelector('%[1]s'), { attributes: true, attributeFilter: ['data-stage'] })`, card), nil),
			chromedp.Evaluate(fmt.Sprintf(`document.querySelector('%s input[name=last]').value = 2; document.querySelector('%s button[name=start]').click()`, card, card), nil))
		// What a busy machine does not look at in time is noted by the page itself.
		p.wait(fmt.Sprintf(`stages.includes('play') && document.querySelector('%[1]s .doing').textContent.startsWith('Done, ')`, card))
		var moved []string
		p.run(chromedp.Evaluate(`moved`, &moved))
		if len(moved) > 0 {
			t.Errorf("in a window of %d pixels the page moved: %s", screen[0], strings.Join(moved, "; "))
		}
	}
}

// TestPageOverlay sees strokes over the board while it is played, in the colours of its
// ends, and nothing over the panel that says that it is won.
func TestPageOverlay(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	slow := simulated(t, "720x1480", boards[0])
	slow.InputDelay = 100 * time.Millisecond // so that there is something to see
	p := newPageTest(t, slow)
	card := p.phoneOf(0)
	p.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	p.open("watch", 1920, 1080)
	p.wait(fmt.Sprintf(`document.querySelector('%s .stage .grid')`, card))
	p.run(chromedp.SetValue(card+" input[name=last]", "1", chromedp.ByQuery), click(card+" button[name=start]"))
	p.wait(fmt.Sprintf(`document.querySelector('%s .stage .now') && document.querySelectorAll('%s .stage .later').length > 0`, card, card))
	p.shot("look-playing-1920-dark")
	var colours []string
	p.run(chromedp.Evaluate(fmt.Sprintf(`[...document.querySelectorAll('%s .stage polyline:not(.under)')].map(e => e.getAttribute('stroke'))`, card), &colours))
	distinct := map[string]bool{}
	for _, c := range colours {
		distinct[c] = true
	}
	// The app's usual colours of five pipes.
	for _, want := range []string{"#ff0000", "#ffff00"} {
		found := false
		for c := range distinct {
			found = found || near(c, want)
		}
		if !found {
			t.Errorf("strokes of %q, expected one near %s as on the board", colours, want)
		}
	}
	p.wait(fmt.Sprintf(`document.querySelector('%s').dataset.stage === 'done' && document.querySelector('%s').dataset.won === '1'`, card, card))
	p.wait(fmt.Sprintf(`document.querySelector('%s .doing').textContent.includes('won') && document.querySelector('%s .stage svg').childElementCount === 0`, card, card))
}

// near reports whether two colours, each #rrggbb, differ little.
func near(a, b string) bool {
	var x, y [3]int
	if n, _ := fmt.Sscanf(a, "#%02x%02x%02x", &x[0], &x[1], &x[2]); n != 3 {
		return false
	}
	_, _ = fmt.Sscanf(b, "#%02x%02x%02x", &y[0], &y[1], &y[2]) // the test's own text
	for i := range x {
		if max(x[i]-y[i], y[i]-x[i]) > 60 {
			return false
		}
	}
	return true
}

// awaited has the value of a promise taken.
func awaited(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }

// TestPageHint asks for one step after the other: each is another pipe, with a reason and its
// line marked on the board.
func TestPageHint(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t)
	p.open("solve", 1280, 800)
	p.wait(`document.querySelector('#editor svg')`)
	var told []string
	for _, want := range []string{"Step 1 of 5: ", "Step 2 of 5: ", "Step 3 of 5: "} {
		p.run(click("button[name=hint]"))
		p.wait(fmt.Sprintf(`document.querySelector('#outcome').textContent.startsWith(%q) && document.querySelector('#solution svg')`, want))
		var outcome, why string
		var marks int
		p.run(chromedp.Evaluate(`document.querySelector('#outcome').textContent`, &outcome), chromedp.Evaluate(`document.querySelector('#why').textContent`, &why),
			chromedp.Evaluate(`document.querySelectorAll('#solution svg [stroke^="#ffc400"]').length`, &marks))
		if why == "" || marks == 0 || slices.Contains(told, outcome[len("Step 1"):]) {
			t.Errorf("%q because %q, with %d lines marked after %q", outcome, why, marks, told)
		}
		told = append(told, outcome[len("Step 1"):])
	}
	p.keep("hint")
	p.fits("hint")
	// A step on and one back.
	p.run(click("button[name=solve]"))
	p.wait(`(s => +s.value === +s.max && +s.max > 0)(document.querySelector('#steps input'))`)
	p.run(click("#steps [data-by='-1']"), click("#steps [data-by='-1']"), click("#steps [data-by='1']"))
	p.wait(`(s => +s.value === +s.max - 1)(document.querySelector('#steps input'))`)
}

// TestPageSolveOnAPhone: on a phone the board and what is done with it are on the first screen,
// with the rules of the game below it; on a wide screen all of it stands side by side.
func TestPageSolveOnAPhone(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t)
	p.open("solve", 390, 844)
	p.wait(`document.querySelector('#editor svg') && document.querySelector('#rules').textContent.startsWith('Join the two ends')`)
	var last float64
	p.run(chromedp.Evaluate(`Math.max(...['#editor svg', 'button[name=solve]', 'button[name=hint]', 'button[name=hand]'].map(s => document.querySelector(s).getBoundingClientRect().bottom))`, &last))
	if last > 844 {
		t.Errorf("the board and its buttons end at %v of 844 pixels", last)
	}
	p.fits("solve-390")
	p.keep("solve-390")
	p.run(click("button[name=solve]"))
	p.wait(`document.querySelector('#outcome').textContent.startsWith('Solved')`)
	p.open("solve", 1920, 1080)
	p.wait(`document.querySelector('#editor svg')`)
	var tops []float64
	p.run(chromedp.Evaluate(`[...document.querySelectorAll('#table > section')].map(s => s.getBoundingClientRect().top)`, &tops))
	if len(tops) != 3 || tops[0] != tops[1] || tops[1] != tops[2] {
		t.Errorf("the parts begin at %v, expected all side by side", tops)
	}
	p.keep("solve-1920")
}

// TestPageHand solves a puzzle with the mouse, and draws with the keys.
func TestPageHand(t *testing.T) {
	t.Parallel()
	p := newPageTest(t)
	p.open("solve", 1280, 1400)
	p.wait(`document.querySelector('#editor svg')`)
	p.run(chromedp.Evaluate(`(t => { t.value = 'AB\n..\nAB'; t.oninput(); })(document.querySelector('textarea'))`, nil))
	p.wait(`document.querySelectorAll('#editor .cell').length === 6 && document.querySelector('#problem').textContent === ''`)
	p.run(click("button[name=hand]"))
	p.wait(`document.querySelector('.hand img').naturalWidth === 720`)
	p.fits("hand")
	p.shot("look-hand")
	var plan struct {
		Strokes [][][2]float64
		Box     [4]float64
	}
	// Where the board lies on the app's screen is told by its own eyes.
	p.run(chromedp.Evaluate(`(async () => {
		const blob = await (await fetch(performance.getEntriesByType('resource').findLast(e => e.name.includes('/frame')).name)).blob();
		const kept = await (await fetch('/api/pictures', { method: 'POST', body: blob, headers: { 'Content-Type': blob.type } })).json();
		const seen = await (await fetch('/api/pictures/' + kept.id + '/read', { method: 'POST', headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ game: 'flow', board: [0, 0, 0, 0], rows: 0, cols: 0, signs: false, alike: [], buttons: [], colours: [], several: false, uncovered: false }) })).json();
		const [l, t, r, b] = seen.board, box = document.querySelector('.hand img').getBoundingClientRect(), at = (c, k) => [l + (c + .5) * (r - l) / 2, t + (k + .5) * (b - t) / 3];
		return { Strokes: [[at(0, 0), at(0, 1), at(0, 2)], [at(1, 0), at(1, 1), at(1, 2)]], Box: [box.x, box.y, box.width / kept.width, box.height / kept.height] };
	})()`, &plan, awaited))
	for _, stroke := range plan.Strokes {
		var moves []chromedp.Action
		for i, at := range stroke {
			x, y := plan.Box[0]+at[0]*plan.Box[2], plan.Box[1]+at[1]*plan.Box[3]
			kind := chromedp.MouseEvent("mouseMoved", x, y, chromedp.ButtonLeft)
			if i == 0 {
				kind = chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft)
			}
			moves = append(moves, kind)
			if i == len(stroke)-1 {
				moves = append(moves, chromedp.MouseEvent("mouseReleased", x, y, chromedp.ButtonLeft))
			}
		}
		p.run(moves...)
	}
	p.wait(`document.querySelector('#outcome').textContent === 'You have solved it.'`)
	p.run(click("button[name=hand]"))
	p.wait(`document.querySelector('.hand img').naturalWidth === 720 && document.querySelector('#outcome').textContent.startsWith('Draw')`)
	p.run(chromedp.Focus(".hand", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.ArrowDown))
	p.wait(`document.querySelector('.cursor.pressed').style.left === '46%' && document.querySelector('.cursor').style.top !== '50%'`)
}

// TestPageSheet makes a page of puzzles to print, in the game and size that are chosen.
func TestPageSheet(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t)
	p.open("solve", 1280, 800)
	p.wait(`document.querySelector('#editor svg')`)
	p.run(chromedp.SetValue("#blank input[name=rows]", "5"), chromedp.SetValue("#blank input[name=cols]", "4"), chromedp.SetValue("input[name=many]", "3"), click("button[name=sheet]"))
	p.wait(`document.querySelectorAll('#sheet figure').length === 6 && !document.querySelector('#sheet button').disabled`)
	var cells, pipes []int
	p.run(chromedp.Evaluate(`[...document.querySelectorAll('#sheet figure')].map(f => f.querySelectorAll('.cell').length)`, &cells),
		chromedp.Evaluate(`[...document.querySelectorAll('#sheet figure')].map(f => f.querySelectorAll('.pipe').length)`, &pipes))
	for i := range cells {
		if cells[i] != 20 || (pipes[i] > 0) != (i >= 3) {
			t.Errorf("figure %d has %d cells and %d pipes, expected 20, and pipes only in the last three", i+1, cells[i], pipes[i])
		}
	}
	p.fits("sheet")
	// On paper nothing but the sheet remains.
	p.run(emulation.SetEmulatedMedia().WithMedia("print"))
	var shown []string
	p.run(chromedp.Evaluate(`[...document.querySelectorAll('body > header, main > *, #sheet button')].filter(e => e.getClientRects().length).map(e => e.id || e.nodeName)`, &shown))
	if fmt.Sprint(shown) != "[sheet]" {
		t.Errorf("printed are %v, expected the sheet alone", shown)
	}
	p.wait(`(s => s.includes('flow') && s.includes('Join the two ends'))(document.querySelector('#sheet').textContent)`)
}

// TestPagePicture drops pictures of boards on Solve, which reads them.
func TestPagePicture(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t)
	for _, game := range all.Games()[:2] {
		p.open("solve", 1280, 900)
		p.wait(`document.querySelector('#editor svg')`)
		level := gametest.Levels(t, game)[0]
		body, err := json.Marshal(map[string]string{"game": game.Name(), "text": level.String()})
		if err != nil {
			t.Fatal(err)
		}
		p.run(chromedp.Evaluate(fmt.Sprintf(`(async () => {
			const table = await (await fetch('/api/tables', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: %q })).json();
			const blob = await (await fetch('/api/tables/' + table.id + '/frame')).blob(), data = new DataTransfer();
			data.items.add(new File([blob], 'screen.jpg', { type: 'image/jpeg' }));
			document.querySelector('#blank').requestSubmit();
			document.querySelector('#puzzle').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
		})()`, bytes.TrimSpace(body)), nil, awaited))
		p.wait(fmt.Sprintf(`document.querySelector('select[name=game]').value === %q && document.querySelector('textarea').value !== '' && !document.querySelector('textarea').value.startsWith('......')`, game.Name()))
		p.run(click("button[name=solve]"))
		p.wait(`document.querySelector('#outcome').textContent.startsWith('Solved')`)
	}
}

// TestPageFilm plays a run as a film, and steps through it.
func TestPageFilm(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t, simulated(t, "720x1280", boards...))
	card := p.phoneOf(0)
	p.open("watch", 1280, 900)
	p.wait(fmt.Sprintf(`document.querySelector('%s img')?.naturalWidth === 720`, card))
	p.run(chromedp.SetValue(card+" input[name=last]", "2", chromedp.ByQuery), click(card+" button[name=start]"))
	p.wait(fmt.Sprintf(`document.querySelector('%[1]s .doing').textContent.startsWith('Done, 2 won')`, card))
	p.open("history", 1280, 900)
	p.wait(`document.querySelectorAll('#rows tr').length === 2`)
	p.run(click("#rows tr:last-child button"), click("#attempt [name=run]"))
	p.wait(`document.querySelector('.decision').textContent.startsWith('Level 1: 5×5 board read') && document.querySelector('#attempt .stage img').naturalWidth === 720`)
	p.wait(`document.querySelector('.decision').textContent.startsWith('Level 1: won')`)
	p.wait(`document.querySelector('.decision').textContent.startsWith('Level 2: 5×5 board read')`)
	p.wait(`document.querySelector('.decision').textContent.startsWith('Level 2: won') && document.querySelector('#attempt .player button').textContent === 'Play'`)
	p.run(click("#attempt [data-by='-1']"))
	p.wait(`document.querySelector('.decision').textContent.startsWith('Level 2: 5×5 board read') && document.querySelectorAll('#attempt .pipe').length === 5`)
}
