// Watch: each phone live, what is played on it, and what helps where something is in the way.
import { html, render, useEffect, useRef, useState } from './preact.js';
import { ask, attempt, games, listen, title } from './page.js';
import { stage } from './stage.js';

const time = at => new Date(at).toLocaleTimeString([], { hour12: false });

export async function watch(main) {
  const known = (await games()).filter(g => g.reads);
  const place = main.querySelector('#phones'), trouble = main.querySelector('#trouble');
  const states = new Map(); // by serial
  let list = { serials: [], listed: false, trouble: null, demo: false, faults: [], offers: false };
  let skew = Infinity; // the least difference seen between this clock and the server's

  // draw shows what is known, once for all messages that come before the next picture.
  let due = false, left = false;
  function draw() {
    if (!due) requestAnimationFrame(paint);
    due = true;
  }
  function paint() {
    due = false;
    if (left) return;
    const none = list.listed && !list.serials.length;
    trouble.textContent = list.listed ? '' : 'Looking for phones…';
    trouble.hidden = list.listed;
    const shown = list.serials.filter(s => states.has(s));
    render(none ? html`<${Welcome} list=${list} />` : shown.map(serial => html`<${Phone} key=${serial} state=${states.get(serial)}
      known=${known} skew=${skew} demo=${list.demo} faults=${list.faults} alone=${shown.length === 1} />`), place);
  }
  const close = listen(true, {
    phones(told) {
      skew = Math.min(skew, Date.now() - told.now);
      list = told;
      for (const serial of states.keys()) if (!told.serials.includes(serial)) states.delete(serial);
      draw();
    },
    phone(state) {
      skew = Math.min(skew, Date.now() - state.now);
      states.set(state.serial, state);
      draw();
    },
  });
  draw();
  return () => { left = true; close(); render(null, place); };
}

// helps are what the page does about a problem.
const helps = {
  play: p => `Play ${title(p.game)}`, wake: () => 'Wake the phone', look: () => 'Look at it again',
  calibrate: () => 'Calibrate', serve: () => 'Start the adb server',
};

// Problem is a card: a sentence, one button that helps, and the details folded.
function Problem({ problem, help, children }) {
  const [busy, work] = useState(false);
  const name = helps[problem.do]?.(problem);
  const act = attempt(async () => { work(true); try { await help(problem); } finally { work(false); } });
  return html`<div class="problem" role="alert">
    <p class="say">${problem.say}</p>
    ${problem.hint && ['', 'look'].includes(problem.do) && html`<p class="soft">${problem.hint}</p>`}
    <div class="row">${name && help && html`<button class="main" name="help" type="button" disabled=${busy} onClick=${act}>${busy ? 'One moment…' : name}</button>`}${children}</div>
    ${problem.details && problem.details !== problem.say && html`<details><summary>Details</summary><pre tabindex="0" aria-label="Details">${problem.details}</pre></details>`}
  </div>`;
}

// steps lead to a phone that can be played on; each has a picture of few lines.
const steps = [
  ['Open the settings', 'In “About phone” tap “Build number” seven times: the developer options appear.', 'M30 22h40M30 36h40M30 50h24'],
  ['Allow debugging', 'In the developer options switch “USB debugging” on.', 'M26 36a12 12 0 0 1 12-12h24a12 12 0 0 1 0 24H38a12 12 0 0 1-12-12M62 29a7 7 0 1 1 0 14a7 7 0 1 1 0-14'],
  ['Plug it in', 'Connect phone and computer with a cable that carries data.', 'M50 16v40M50 16l-6 9h12zM38 34v8l12 8M62 30v8l-12 8'],
  ['Say yes', 'On the phone allow this computer, for always.', 'M30 38l14 14l28-32'],
  ['Open a level', 'Open a level of the game on the phone: it shows here.', 'M30 18h40v40H30zM43 18v40M57 18v40M30 31h40M30 45h40'],
];

// Welcome is what the page shows without phones: what is missing, how to get there, and the
// demo.
function Welcome({ list: { trouble, offers } }) {
  const [busy, work] = useState(false);
  const demo = attempt(async () => { work(true); try { await ask('/api/demo', {}); } finally { work(false); } });
  const problem = trouble ?? { say: 'No phone is connected.', do: '', hint: '', details: '' };
  return html`<section class="panel welcome" aria-label="Begin">
    <${Problem} problem=${problem} help=${problem.do === 'serve' ? () => ask('/api/server', {}) : null}>
      ${offers && html`<button name="demo" type="button" disabled=${busy} onClick=${demo}>${busy ? 'Starting…' : 'Show me on simulated phones'}</button>`}
    <//>
    <ol class="steps">${steps.map(([name, text, path]) => html`<li><svg viewBox="0 0 100 74" aria-hidden="true"><rect x="18" y="6" width="64" height="62" rx="8" /><path d=${path} /></svg>
      <strong>${name}</strong><span class="soft">${text}</span></li>`)}</ol>
  </section>`;
}

// fresh is a text that gets a new element when it changes, so that it takes its place in the
// middle or on the right without moving there.
const fresh = text => html`<span key=${text}>${text}</span>`;

// Phone is the card of a phone.
function Phone({ state: now, known, skew, demo, faults, alone }) {
  const root = useRef(), place = useRef(), form = useRef(), view = useRef(), latency = useRef(), game = useRef(null), before = useRef({ stroke: -1, at: 0 });
  const [byHand, hold] = useState(false);
  const { serial, run, frame: f, trouble } = now, busy = run?.active ?? false, at = `/api/phones/${encodeURIComponent(serial)}`;
  const name = now.model ? `${now.model} · ${serial}` : serial;

  useEffect(() => {
    view.current = stage(place.current, `Screen of ${serial}`);
    return () => view.current.close();
  }, [serial]);
  useEffect(() => { if (game.current !== now.game) form.current.game.value = game.current = now.game; });
  useEffect(() => {
    if (!f) return;
    place.current.parentNode.style.setProperty('--w', f.width);
    place.current.parentNode.style.setProperty('--h', f.height);
    const first = !latency.current.textContent; // the first one may be old
    view.current.picture(`${at}/frame?v=${f.version}`, f.version, () => {
      if (!latency.current) return;
      const late = Math.max(0, Date.now() - f.captured - f.took - skew);
      latency.current.textContent = first ? `captured at ${time(f.captured)} · ${f.width}×${f.height}`
        : (f.took ? `captured in ${f.took} ms, ` : '') + `here ${Math.round(late)} ms later · ${f.width}×${f.height}`;
    });
    const stroke = busy ? run.stroke : -1, moment = performance.now(), was = before.current;
    if (stroke === was.stroke + 1 && stroke > 0) root.current.style.setProperty('--lasts', `${Math.min(2000, Math.max(80, moment - was.at))}ms`);
    if (stroke !== was.stroke) before.current = { stroke, at: moment };
    view.current.overlay(f.version, f.width, f.height, byHand ? null : f.overlay, stroke);
  });

  const order = dryRun => {
    const e = form.current.elements;
    return { game: e.game.value, pack: e.pack.value, first: +e.first.value || 1, last: +e.last.value || 0, dryRun };
  };
  const start = dry => attempt(() => { hold(false); return ask(at + '/start', order(dry)); });
  const help = {
    play: p => ask(at + '/start', { ...order(false), game: p.game }), wake: () => ask(at + '/wake', {}), look: () => ask(at + '/look', {}),
    calibrate: () => { location.hash = 'calibrate'; }, serve: () => ask('/api/server', {}),
  };
  const idle = !busy && now.ready, figure = (word, key, value) => html`<div><dt>${word}</dt><dd data-figure=${key}>${value}</dd></div>`;
  const [said, kind] = standing(now, byHand);
  return html`<section class="panel phone" ref=${root} data-serial=${serial} data-won=${run?.won ?? 0} data-stage=${run?.stage ?? 'idle'} data-sees=${now.sees} aria-label="Phone ${serial}">
   <div class="inside">
    <header><h2>${name}</h2><span class="state ${kind}">${fresh(said)}</span></header>
    <div class="screen">
      <${Screen} place=${place} byHand=${byHand} frame=${f} at=${at} />
      <p class="latency" ref=${latency}></p>
    </div>
    <div class="now">
      <p class="doing" hidden=${trouble && !run}>${fresh(byHand ? 'You play: draw on the screen' : doing(now))}</p>
      ${trouble && html`<${Problem} problem=${trouble} help=${help[trouble.do]} />`}
      <dl class="figures" hidden=${trouble && !run}>${figure('Level', 'level', run ? `${run.level}${run.last ? ` / ${run.last}` : ''}` : '–')}${figure('Pack', 'pack', run?.pack || '–')}
        ${figure('Won', 'won', run?.won ?? '–')}${figure('Per hour', 'pace', run?.perHour ? Math.round(run.perHour).toLocaleString() : '–')}</dl>
    </div>
    <div class="control">
      <form class="order" ref=${form} onSubmit=${e => { e.preventDefault(); start(false)(); }}>
        <label class="grow">Game <select name="game" disabled=${!idle} onChange=${attempt(e => ask(at + '/game', { game: e.target.value }))}>
          <option value="">What is on the screen</option>
          ${known.map(g => html`<option value=${g.name}>${title(g.name)}</option>`)}</select></label>
        <div class="row">
          <button class="main" name="start" type="submit" disabled=${!idle}>Start</button>
          <button name="pause" type="button" disabled=${!busy} onClick=${attempt(() => ask(at + (run?.paused ? '/resume' : '/pause'), {}))}>${fresh(run?.paused && busy ? 'Go on' : 'Pause')}</button>
          <button name="stop" type="button" disabled=${!busy} onClick=${attempt(() => ask(at + '/stop', {}))}>Stop</button>
        </div>
        <details class="more" open=${alone && innerWidth >= 1024}><summary>Which levels, dry run</summary><div class="row">
          <label>From <input name="first" type="number" min="1" max="1000000" defaultValue="1" inputmode="numeric" disabled=${!idle} /></label>
          <label>To <input name="last" type="number" min="1" max="1000000" inputmode="numeric" placeholder="end" disabled=${!idle} /></label>
          <label class="grow">Pack <input name="pack" autocomplete="off" maxlength="100" placeholder="any name" disabled=${!idle} /></label>
          <button name="dry" type="button" disabled=${!idle} onClick=${start(true)}>Dry run</button>
        </div></details>
      </form>
      ${run?.commands && html`<details class="commands" open><summary>Commands of the dry run</summary><pre tabindex="0" aria-label="Commands">${run.commands.join('\n')}</pre></details>`}
      ${demo && html`<${Toy} at=${at} faults=${faults} byHand=${byHand} busy=${busy} hold=${hold} start=${start(false)} />`}
    </div>
    <${Events} alone=${alone}>
      <details open=${alone && innerWidth >= 768}><summary>Last events</summary>
        <ol class="lines" aria-label="Last events" tabindex="0">${now.lines.toReversed().map((l, i) => html`<li key=${`${i} ${l.at} ${l.text}`} class=${l.kind === 'info' ? '' : l.kind}><time>${time(l.at)}</time>${l.text}</li>`)}</ol></details>
      <${Parts} parts=${run?.parts ?? []} open=${alone && innerWidth >= 1024} />
      <details class="texts"><summary>Board and solution</summary><pre class="board" tabindex="0" aria-label="Board as read">${f?.board}</pre><pre class="solution" tabindex="0" aria-label="Solution">${f?.solution}</pre></details>
      ${now.touch && html`<details class="touch texts"><summary>touched by ${now.touch}</summary><pre tabindex="0" aria-label="Why it is not touched in another way">${now.refused}</pre></details>`}
    <//>
   </div>
  </section>`;
}

// Events are folded where there are several phones.
const Events = ({ alone, children }) => html`<div class="events">${alone ? children : html`<details><summary>Events, times, board</summary>${children}</details>`}</div>`;

// Screen is where the picture goes; a simulated phone's can be drawn on.
function Screen({ place, byHand, frame, at }) {
  const waiting = useRef([]), sending = useRef(false), down = useRef(false);
  async function send() {
    if (sending.current) return;
    sending.current = true;
    try {
      while (waiting.current.length) await ask(at + '/touch', { touches: waiting.current.splice(0, 200) });
    } finally { sending.current = false; }
  }
  const touch = (action, p) => {
    const box = place.current.getBoundingClientRect();
    waiting.current.push({ action, x: (p.clientX - box.x) * frame.width / box.width, y: (p.clientY - box.y) * frame.height / box.height });
    attempt(send)();
  };
  const hands = byHand && frame ? {
    onPointerDown(p) { p.preventDefault(); place.current.setPointerCapture(p.pointerId); down.current = true; touch(0, p); },
    onPointerMove(p) { if (down.current) for (const e of p.getCoalescedEvents?.() ?? [p]) touch(1, e); },
    onPointerUp(p) { if (down.current) { down.current = false; touch(2, p); } },
  } : {};
  return html`<div class="stage ${byHand ? 'byhand' : ''} ${frame ? '' : 'empty'}" ref=${place} ...${hands}></div>`;
}

// Toy is what can be done to a simulated phone.
function Toy({ at, faults, byHand, busy, hold, start }) {
  const fault = useRef();
  return html`<div class="toy row">
    <label class="grow">Let something go wrong <select name="fault" ref=${fault}>${faults.map(x => html`<option value=${x.name}>${x.help}</option>`)}</select></label>
    <button name="strike" type="button" onClick=${attempt(() => ask(at + '/fault', { fault: fault.current.value }))}>Do it</button>
    <button name="heal" type="button" onClick=${attempt(async () => { await ask(at + '/fault', { fault: '' }); if (!busy && !byHand) await start(); })}>Put it in order</button>
    <button name="hand" type="button" aria-pressed=${byHand} onClick=${attempt(async () => { if (byHand) return start(); await ask(at + '/stop', {}); hold(true); })}>${byHand ? 'Let it play' : 'Play by hand'}</button>
  </div>`;
}

function Parts({ parts, open }) {
  return html`<details class="parts" open=${open}><summary>Time of each part</summary><table>
    <thead><tr><th scope="col">Part</th><th scope="col" class="number">Last level</th><th scope="col" class="number">Mean</th></tr></thead>
    <tbody>${Object.entries(partWords).map(([name, words]) => {
      const p = parts.find(x => x.name === name);
      return html`<tr><th scope="row">${words}</th><td class="number">${fresh(p ? span(p.last) : '–')}</td><td class="number">${fresh(p ? span(p.mean) : '–')}</td></tr>`;
    })}</tbody></table></details>`;
}

// standing is how a phone stands, in a word, and whether that is good.
function standing({ run, ready, state, trouble }, byHand) {
  if (run?.active) return run.waiting ? ['paused', ''] : ['playing', 'good'];
  if (byHand) return ['yours', 'good'];
  if (trouble) return ['needs a hand', 'bad'];
  return ready ? ['ready', 'good'] : [state, 'bad'];
}

// span is a time in milliseconds, in words.
const span = ms => ms >= 10000 ? `${(ms / 1000).toFixed(1)} s` : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;

const partWords = { settle: 'Wait until it stands still', read: 'Read', solve: 'Solve', play: 'Touch', verify: 'See that it is won' };

// What the player does in each of its states.
const stages = {
  connect: 'looking for the app', settle: 'waiting until the screen stands still', read: 'reading the board', solve: 'solving it',
  plan: 'planning the strokes', hold: 'ready to touch', play: 'touching', verify: 'looking whether it is won', redo: 'making again what is missing',
  next: 'going to the next level', recover: 'finding the way back', done: 'done', stop: 'stopping',
};

function doing({ run, frame, sees, trouble }) {
  if (run?.active) {
    const what = run.dryRun ? 'Dry run' : run.game ? `${title(run.game)}, level ${run.level}` : `Level ${run.level}`;
    if (run.waiting) return `${what}: paused`;
    const strokes = frame?.overlay?.plan?.length;
    const stage = run.stroke >= 0 && strokes > run.stroke && (run.stage === 'play' || run.stage === 'redo') ? `stroke ${run.stroke + 1} of ${strokes}` : stages[run.stage] ?? run.stage;
    return `${what}: ${stage}` + (run.paused ? ', will pause' : '');
  }
  const before = run ? `${run.failed || run.stage === 'stopped' ? 'Stopped' : 'Done'}${run.dryRun ? '' : `, ${run.won} won`}` : '';
  if (trouble) return before;
  const board = frame?.overlay?.rows ? `${sees ? title(sees) + ', ' : ''}${frame.overlay.cols}×${frame.overlay.rows} board` : '';
  const what = !frame ? 'Waiting for a picture' : frame.reason || board || frame.place;
  return before ? `${before} · ${what}` : what[0].toUpperCase() + what.slice(1);
}
