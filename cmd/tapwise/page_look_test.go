package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"net/url"
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
	"tapwise/adb/simphone"
	"tapwise/solvers"
	"tapwise/solvers/all"
	simapp "tapwise/solvers/app"
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
		{"play", "solve", []chromedp.Action{click("button[name=hand]"), chromedp.WaitVisible("#desk", chromedp.ByQuery), chromedp.Focus("#board svg", chromedp.ByQuery), chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(" ")},
			`document.querySelector('#desk output').textContent.includes(' 1 move')`},
		{"fleet", "fleet", []chromedp.Action{chromedp.SetValue("#order [name=levels]", "1-6", chromedp.ByQuery), click("#order button")},
			`document.querySelector('#runs progress').value === 6 && document.querySelector('#order button').disabled === false`},
	}
	readyToPrepare := map[string]string{
		"fleet": `document.querySelectorAll('.tile').length === 3`,
		"watch": steps[1].ready, "history": `document.querySelectorAll('#rows tr').length === 2`,
		"solve": `document.querySelector('#board svg') && location.hash.startsWith('#solve/')`, "calibrate": `document.querySelector('select[name=phone]').value !== ''`,
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
	p.wait(`document.querySelector('#board svg')`)
	var told []string
	for _, want := range []string{"Step 1 of 5: ", "Step 2 of 5: ", "Step 3 of 5: "} {
		p.run(click("button[name=hint]"))
		p.wait(fmt.Sprintf(`document.querySelector('#outcome').textContent.startsWith(%q) && document.querySelector('#board svg')`, want))
		var outcome, why string
		var marks int
		p.run(chromedp.Evaluate(`document.querySelector('#outcome').textContent`, &outcome), chromedp.Evaluate(`document.querySelector('#why').textContent`, &why),
			chromedp.Evaluate(`document.querySelectorAll('#board svg [stroke^="#ffc400"]').length`, &marks))
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
	p.wait(`document.querySelector('#board svg') && document.querySelector('#rules').textContent.startsWith('Join the two ends')`)
	var last float64
	p.run(chromedp.Evaluate(`Math.max(...['#board svg', 'button[name=solve]', 'button[name=hint]', 'button[name=hand]'].map(s => document.querySelector(s).getBoundingClientRect().bottom))`, &last))
	if last > 844 {
		t.Errorf("the board and its buttons end at %v of 844 pixels", last)
	}
	p.fits("solve-390")
	p.keep("solve-390")
	p.run(click("button[name=solve]"))
	p.wait(`document.querySelector('#outcome').textContent.startsWith('Solved')`)
	p.open("solve", 1920, 1080)
	p.wait(`document.querySelector('#board svg')`)
	var tops []float64
	p.run(chromedp.Evaluate(`[...document.querySelectorAll('#table > section')].map(s => s.getBoundingClientRect().top)`, &tops))
	if len(tops) != 3 || tops[0] != tops[1] || tops[1] != tops[2] {
		t.Errorf("the parts begin at %v, expected all side by side", tops)
	}
	p.keep("solve-1920")
}

// write writes a puzzle as a person does, and waits until it is drawn.
func (p *pageTest) write(text string) {
	p.Helper()
	p.run(chromedp.Evaluate(fmt.Sprintf(`(t => { t.value = %q; t.oninput(); })(document.querySelector('textarea'))`, text), nil))
	p.wait(fmt.Sprintf(`document.querySelector('#problem').textContent === '' && decodeURIComponent(location.hash.split('/').slice(2).join('/')) === %q`, text))
}

// stroke moves the mouse over the board, from place to place in pitches of its picture.
func (p *pageTest) stroke(places ...[2]float64) {
	p.Helper()
	p.run(chromedp.ScrollIntoView("#board svg", chromedp.ByQuery))
	for i, at := range places {
		var on [2]float64
		p.run(chromedp.Evaluate(fmt.Sprintf(`(p => [p.x, p.y])(new DOMPoint(%v, %v).matrixTransform(document.querySelector('#board svg').getScreenCTM()))`, at[0], at[1]), &on))
		if i == 0 {
			p.run(chromedp.MouseEvent("mousePressed", on[0], on[1], chromedp.ButtonLeft))
		}
		p.run(chromedp.MouseEvent("mouseMoved", on[0], on[1], chromedp.ButtonLeft))
		if i == len(places)-1 {
			p.run(chromedp.MouseEvent("mouseReleased", on[0], on[1], chromedp.ButtonLeft))
		}
	}
}

// TestPageHand plays a puzzle on its board with the mouse and with keys: strokes are taken back and
// made again, checked, kept while the page is away, and taken off.
func TestPageHand(t *testing.T) {
	t.Parallel()
	p := newPageTest(t)
	p.open("solve", 1280, 1400)
	p.wait(`document.querySelector('#board svg')`)
	p.write("AB\n..\nAB")
	p.run(click("button[name=hand]"))
	moves := func(n int, more string) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.querySelector('#desk output').textContent.includes(' %d move') && %s`, n, more))
	}
	const undone = `document.querySelector('[name=undo]').disabled`
	moves(0, undone)
	p.fits("hand")
	p.shot("look-hand")
	left, right := [][2]float64{{0.9, 0.9}, {0.9, 1.9}, {0.9, 2.9}}, [][2]float64{{1.9, 0.9}, {1.9, 1.9}, {1.9, 2.9}}
	p.stroke(left...)
	moves(1, `!`+undone)
	p.run(click("[name=check]"))
	p.wait(`document.querySelector('#outcome').textContent === 'So far all is right.'`)
	p.run(click("[name=undo]"))
	moves(0, undone)
	p.run(click("[name=redo]"))
	moves(1, `document.querySelector('[name=redo]').disabled`)
	// It is there again when the page is.
	p.open("solve", 390, 844)
	p.wait(`decodeURIComponent(location.hash) === '#solve/flow/AB\n..\nAB'`)
	p.run(click("button[name=hand]"))
	moves(1, `!`+undone)
	var bottom float64
	p.run(chromedp.Evaluate(`Math.max(...[...document.querySelectorAll('#board svg, #desk button')].map(e => e.getBoundingClientRect().bottom))`, &bottom))
	if bottom > 844 {
		t.Errorf("what is played with ends at %v of 844 pixels", bottom)
	}
	p.run(click("[name=reset]"))
	moves(0, undone)
	// A stroke that leads astray is found.
	p.stroke([2]float64{0.9, 0.9}, [2]float64{0.9, 1.9}, [2]float64{1.9, 1.9})
	moves(1, `!`+undone)
	p.run(click("[name=check]"))
	p.wait(`document.querySelector('#outcome').className === 'bad' && document.querySelectorAll('#board [stroke^="#e61e28"]').length > 0`)
	p.keep("hand-wrong-390")
	p.run(click("[name=reset]"))
	moves(0, undone)
	// One pipe by the keys, the other by the mouse.
	p.run(chromedp.Focus("#board svg", chromedp.ByQuery), chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(" "))
	moves(1, `document.querySelector('#board svg').getAttribute('aria-label').includes('at row 3 column 1')`)
	p.stroke(right...)
	p.wait(`document.querySelector('#outcome').textContent === 'You have solved it.'`)
}

// TestPageHints plays by hand and asks for hints: a step is marked on the board that is played, and
// it is one that is not drawn.
func TestPageHints(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t)
	p.open("solve", 1280, 900)
	p.wait(`document.querySelector('#board svg')`)
	p.write("AB\n..\nAB")
	p.run(click("button[name=hand]"))
	p.wait(`document.querySelector('#desk output').textContent.includes(' 0 move')`)
	p.stroke([2]float64{0.9, 0.9}, [2]float64{0.9, 1.9}, [2]float64{0.9, 2.9})
	p.wait(`document.querySelector('#desk output').textContent.includes(' 1 move')`)
	p.run(click("button[name=hint]"))
	p.wait(`document.querySelector('#outcome').textContent.includes('pipe B from row 1 column 2') && document.querySelector('#board [stroke^="#ffc400"]') && document.querySelectorAll('#board polyline[stroke-width^="0.333"]').length === 2`)
}

// TestPageSheet makes a page of puzzles to print, in the game and size that are chosen.
func TestPageSheet(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t)
	p.open("solve", 1280, 800)
	p.wait(`document.querySelector('#board svg')`)
	p.run(chromedp.SetValue("#blank input[name=rows]", "5"), chromedp.SetValue("#blank input[name=cols]", "4"), chromedp.SetValue("input[name=many]", "3"), click("button[name=sheet]"))
	p.wait(`document.querySelectorAll('#sheet figure').length === 6 && !document.querySelector('#sheet button').disabled`)
	var boxes []string
	var pipes []int
	p.run(chromedp.Evaluate(`[...document.querySelectorAll('#sheet figure svg')].map(f => f.getAttribute('viewBox'))`, &boxes),
		chromedp.Evaluate(`[...document.querySelectorAll('#sheet figure')].map(f => f.querySelectorAll('polyline[stroke-width^="0.333"]').length)`, &pipes))
	for i := range boxes {
		if boxes[i] != "0 0 4.8 5.8" || (pipes[i] > 0) != (i >= 3) {
			t.Errorf("figure %d is %s with %d pipes, expected 5 rows and 4 columns, and pipes only in the last three", i+1, boxes[i], pipes[i])
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

// screenOf is what an app shows of a level, as a JavaScript expression of a file.
func screenOf(t *testing.T, game solvers.Game, level solvers.Puzzle) string {
	t.Helper()
	app, err := all.Simulate(game, []solvers.Puzzle{level}, simapp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var data bytes.Buffer
	if err := png.Encode(&data, simphone.Render(app, image.Pt(720, 1280), 0)); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], 'screen.png', { type: 'image/png' })`, base64.StdEncoding.EncodeToString(data.Bytes()))
}

// TestPagePicture drops pictures of boards on whatever view shows: Solve opens, and solves them. The
// board has the colours of the picture.
func TestPagePicture(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t)
	for i, game := range all.Games() {
		p.open([]string{"history", "solve"}[i%2], 1280, 900)
		p.wait(`document.querySelector('#summary, #board svg')`)
		p.run(chromedp.Evaluate(`(() => { const data = new DataTransfer(); data.items.add(`+screenOf(t, game, gametest.Levels(t, game)[0])+`);
			document.querySelector('main h1').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); })()`, nil))
		p.wait(fmt.Sprintf(`document.querySelector('select[name=game]')?.value === %q && document.querySelector('#outcome').textContent.startsWith('Solved') && location.hash.startsWith('#solve/%s/')`, game.Name(), game.Name()))
	}
}

// TestPageShare has a link that opens the board that is shown, and files of it.
func TestPageShare(t *testing.T) {
	gametest.Long(t)
	t.Parallel()
	p := newPageTest(t)
	for _, game := range all.Games() {
		level := gametest.Levels(t, game)[0].String()
		p.open("solve/"+game.Name()+"/"+url.PathEscape(level), 1280, 900)
		p.wait(fmt.Sprintf(`document.querySelector('#board svg polygon, #board svg polyline') && document.querySelector('select[name=game]').value === %q && document.querySelector('#problem').textContent === ''`, game.Name()))
		var got string
		if p.run(chromedp.Evaluate(`document.querySelector('textarea').value`, &got)); got != level {
			t.Errorf("%s: the link opens\n%s\nexpected\n%s", game.Name(), got, level)
		}
		p.run(chromedp.Evaluate(`window.files = []; URL.createObjectURL = (make => blob => { files.push(blob); return make(blob); })(URL.createObjectURL);
			HTMLAnchorElement.prototype.click = function () { files.at(-1).called = this.download; }`, nil))
		for _, kind := range []string{"txt", "svg", "png"} {
			p.run(click(fmt.Sprintf("[data-save=%s]", kind)))
			p.wait(fmt.Sprintf(`window.files.some(f => f.called === '%s.%s')`, game.Name(), kind))
		}
		var text, drawing string
		var size [2]int
		p.run(chromedp.Evaluate(`files.find(f => f.called?.endsWith('txt')).text()`, &text, awaited), chromedp.Evaluate(`files.find(f => f.called?.endsWith('svg')).text()`, &drawing, awaited),
			chromedp.Evaluate(`createImageBitmap(files.find(f => f.called?.endsWith('png'))).then(b => [b.width, b.height])`, &size, awaited))
		if strings.TrimRight(text, "\n") != level {
			t.Errorf("%s: the text has\n%s", game.Name(), text)
		}
		if err := xml.Unmarshal([]byte(drawing), new(struct{})); err != nil || strings.Contains(drawing, "light-dark") || strings.Contains(drawing, "spot") {
			t.Errorf("%s: the drawing is no plain SVG (%v):\n%.300s", game.Name(), err, drawing)
		}
		if min(size[0], size[1]) < 300 {
			t.Errorf("%s: the picture has %v pixels", game.Name(), size)
		}
		p.run(click("button[name=hint]"))
		p.wait(`document.querySelector('#outcome').textContent.startsWith('Step 1 of ')`)
		p.keep("hint-" + game.Name() + "-1280")
		p.run(click("button[name=hand]"))
		p.wait(`document.querySelector('#desk output').textContent.includes(' 0 moves')`)
		p.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
		p.keep("play-" + game.Name() + "-1280-dark")
		p.run(emulation.SetEmulatedMedia().WithFeatures(nil))
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
	p.wait(`document.querySelector('.decision').textContent.startsWith('Level 2: 5×5 board read') && document.querySelectorAll('#attempt .board polyline[stroke-width^="0.333"]').length === 5`)
}
