// Fleet: the phones of many hosts, what they do, and the runs that were ordered.
import { ask, attempt, el, fill, games } from './page.js';

const every = 1000, pictureEvery = 1000; // milliseconds between two questions

const put = (e, text) => { if (e.textContent !== text) e.textContent = text; };
const mark = (e, kind) => { if (e.className !== kind) e.className = kind; };
const count = (n, one, many) => `${n.toLocaleString()} ${n === 1 ? one : many}`;

export async function fleet(main) {
  const $ = s => main.querySelector(s), form = $('#order');
  fill(form.game, (await games()).filter(g => g.plays).map(g => g.name));
  form.pack.onchange = () => {
    for (const e of [form.elements.name, form.elements.boards]) e.closest('label').hidden = form.pack.value !== 'boards';
  };
  const text = name => form.elements[name].value.trim();
  form.onsubmit = attempt(async e => {
    e.preventDefault();
    const boards = form.pack.value === 'boards' ? form.boards.value : '';
    await ask('/api/fleet/runs', { game: form.game.value, pack: form.pack.value, name: text('name'), boards, levels: text('levels'), phones: text('phones') });
    await look();
  });

  const runs = keep($('#runs'), run), workers = keep($('#workers'), worker);
  let known = 0; // when the hub was last heard of
  function show(state) {
    const head = $('#hub'), away = state.trouble !== '';
    if (!away) known = state.now;
    mark(head, away ? 'bad' : 'soft');
    put(head, away ? `The hub cannot be reached: ${state.trouble}.` + (known ? ` Shown is what was known at ${new Date(known).toLocaleTimeString([], { hour12: false })}.` : '') : summary(state));
    for (const e of form.elements) e.disabled = away;
    runs.show(state.runs.map(r => [r.run, { ...r, away }]));
    $('#runs').hidden = !state.runs.length;
    $('#noruns').hidden = !!state.runs.length;
    const groups = new Map();
    for (const name of state.drained) groups.set(name, []);
    for (const p of state.phones) groups.set(p.worker, [...groups.get(p.worker) ?? [], p]);
    workers.show([...groups].sort(([a], [b]) => a < b ? -1 : 1)
      .map(([name, phones]) => [name, { name, phones, drained: state.drained.includes(name), away }]));
    $('#nophones').hidden = away || groups.size > 0;
  }

  let timer = 0, left = false, asking = null;
  async function look() {
    clearTimeout(timer);
    asking?.abort();
    const mine = asking = new AbortController();
    try {
      const state = await ask('/api/fleet', undefined, { signal: mine.signal });
      if (!left && asking === mine) show(state);
    } catch (e) {
      if (e.name !== 'AbortError' && !left) { mark($('#hub'), 'bad'); put($('#hub'), `The page's server does not answer: ${e.message}`); }
    }
    if (!left && asking === mine && !document.hidden) timer = setTimeout(look, every);
  }
  const turned = () => { if (!document.hidden) look(); };
  document.addEventListener('visibilitychange', turned);
  again = look;
  await look();
  return () => { left = true; clearTimeout(timer); asking?.abort(); document.removeEventListener('visibilitychange', turned); };
}

// again asks at once, after something was done.
let again = () => {};
const act = (path, body = {}) => attempt(async () => { await ask(path, body); await again(); })();

// keep keeps one element for each key in a place, so that nobody's focus is lost.
function keep(place, make) {
  const made = new Map();
  return { show(list) {
    const keys = new Set(list.map(([key]) => key));
    for (const [key, m] of made) if (!keys.has(key)) { m.root.remove(); made.delete(key); }
    list.forEach(([key, value], i) => {
      let m = made.get(key);
      if (!m) made.set(key, m = make(value));
      if (place.children[i] !== m.root) place.insertBefore(m.root, place.children[i] ?? null);
      m.show(value);
    });
  } };
}

function summary({ hub, phones, left }) {
  const playing = phones.filter(p => p.state === 'playing').length, still = phones.filter(p => p.why && p.state !== 'queued').length;
  const pace = Math.round(phones.reduce((sum, p) => sum + p.perHour, 0));
  return `${hub}: ${count(phones.length + left, 'phone', 'phones')}, ${playing} playing` + (still ? `, ${count(still, 'stands', 'stand')} still` : '') +
    (pace ? `, ${count(pace, 'level', 'levels')} an hour` : '') + (left ? `; ${left} of them, which have nothing to tell, are not shown` : '');
}

function run(first) {
  const title = el('p'), bar = el('progress', { 'aria-label': `Run ${first.run}` }), said = el('p', { class: 'soft' });
  const cancel = el('button', { type: 'button', onclick: () => act(`/api/fleet/runs/${encodeURIComponent(first.run)}/cancel`), 'aria-label': `Cancel run ${first.run}` }, 'Cancel');
  const root = el('li', { 'data-run': first.run }, title, bar, said, cancel);
  return { root, show(r) {
    put(title, `${r.run}: ${r.game}, ${r.pack}`);
    bar.max = r.levels;
    bar.value = r.won + r.failed;
    put(said, `${r.won} of ${count(r.levels, 'level', 'levels')} won` + (r.failed ? `, ${r.failed} failed` : '') + ` · ${{ open: 'under way', complete: 'complete', cancelled: 'cancelled' }[r.state] ?? r.state}`);
    cancel.hidden = r.state !== 'open';
    cancel.disabled = r.away;
  } };
}

function worker({ name }) {
  const said = el('p', { class: 'soft' });
  let drained = false;
  const button = el('button', { type: 'button', onclick: () => act('/api/fleet/drain', { worker: name, serial: '', off: drained }) });
  const list = el('ul', { class: 'tiles' }), tiles = keep(list, phone);
  const root = el('section', { class: 'worker', 'data-worker': name, 'aria-label': `Worker ${name}` },
    el('div', { class: 'row' }, el('div', {}, el('h2', {}, name), said), button), list);
  return { root, show(w) {
    drained = w.drained;
    put(said, count(w.phones.length, 'phone', 'phones') + (drained ? ', takes no more jobs' : ''));
    put(button, drained ? `Resume ${name}` : `Drain ${name}`);
    button.disabled = w.away;
    tiles.show(w.phones.map(p => [p.serial, { ...p, away: w.away, drained }]));
  } };
}

function phone({ worker, serial }) {
  const title = el('h3'), model = el('p', { class: 'soft' }), does = el('p', { class: 'does' });
  const figure = name => { const value = el('dd', {}, '–'); return [el('div', {}, el('dt', {}, name), value), value]; };
  const [wonBox, won] = figure('Won'), [failedBox, failed] = figure('Failed'), [paceBox, pace] = figure('Per hour');
  let draining = false;
  const button = el('button', { type: 'button', onclick: () => act('/api/fleet/drain', { worker, serial, off: draining }) });
  const eyes = el('button', { type: 'button', 'aria-label': `Look at ${serial} of ${worker}`, 'aria-pressed': 'false', onclick: () => seen.turn() }, 'Look');
  const root = el('li', { class: 'panel tile', 'data-serial': serial }, title, model, el('div', { class: 'acts' }, button, eyes), does,
    el('dl', { class: 'figures' }, wonBox, failedBox, paceBox));
  const seen = looking(root, worker, serial, on => eyes.setAttribute('aria-pressed', on));
  return { root, show(p) {
    eyes.disabled = p.away;
    draining = p.draining;
    root.dataset.state = p.state;
    put(title, serial);
    put(model, p.model || 'unknown model');
    put(button, draining ? 'Resume' : 'Pause');
    const name = `${draining ? 'Resume' : 'Pause'} ${serial} of ${worker}`;
    if (button.getAttribute('aria-label') !== name) button.setAttribute('aria-label', name);
    button.disabled = p.away || p.drained; // its worker's button is the one
    put(does, doing(p));
    mark(does, 'does' + (p.why ? ' bad' : ''));
    put(won, p.won.toLocaleString());
    put(failed, p.failed.toLocaleString());
    put(pace, p.perHour ? Math.round(p.perHour).toLocaleString() : '–');
  } };
}

// looking shows a phone's screen below its tile while it is wanted: a picture is asked for
// when the one before has come, by a page that somebody sees.
function looking(root, worker, serial, turned) {
  const image = el('img', { alt: `Screen of ${serial} of ${worker}` }), trouble = el('p', { class: 'soft', role: 'status' });
  const place = el('figure', { class: 'look' }, image, trouble);
  const path = '/api/fleet/picture?' + new URLSearchParams({ worker, serial });
  let on = false, shown = '';
  async function next() {
    if (!document.hidden) {
      try {
        const response = await fetch(path, { cache: 'no-store' });
        if (!response.ok) throw new Error((await response.json()).error);
        const picture = URL.createObjectURL(await response.blob());
        URL.revokeObjectURL(shown);
        image.src = shown = picture;
        put(trouble, '');
      } catch (e) { put(trouble, e.message); }
    }
    if (on && root.isConnected) setTimeout(() => on && root.isConnected ? next() : URL.revokeObjectURL(shown), pictureEvery);
  }
  return { turn() {
    turned(on = !on);
    if (!on) return place.remove();
    put(trouble, 'Waits for a picture…');
    root.append(place);
    next();
  } };
}

// doing says what a phone does, or why it stands still and since when.
function doing(p) {
  const lasts = p.seconds ? ` for ${span(p.seconds)}` : '';
  switch (p.state) {
    case 'playing': return `Plays run ${p.run}` + (p.level ? `, level ${p.level}` : '') + (p.draining ? ', then takes no more jobs' : '');
    case 'idle': return 'Waits for work' + lasts;
    case 'queued': return `Waits for its turn${lasts}`;
    case 'drained': return 'Takes no jobs' + lasts + (p.drained ? ': its worker is drained' : ': it was paused');
    case 'taken': return `Stands still${lasts}: ${p.why || 'another has it'}`;
    default: return `${p.state === 'failing' || p.state === 'unready' ? 'Stands still' : p.state}${lasts}` + (p.why ? `: ${p.why}` : '');
  }
}

const span = s => s < 90 ? `${Math.round(s)} s` : s < 5400 ? `${Math.round(s / 60)} min` : `${(s / 3600).toFixed(1)} h`;
