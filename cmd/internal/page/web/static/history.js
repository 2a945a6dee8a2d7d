// Look back: the journal, an attempt's frames, its solution, plots of times.
import { ask, attempt, calm, el, fill, player, svg } from './page.js';
import { film } from './boards.js';
import { runFilm } from './film.js';

export const ms = seconds => seconds ? (seconds * 1000).toFixed(seconds < .01 ? 1 : 0) + ' ms' : '–';
// A win that the app did not show is no certain one.
export const verdict = a => a.verdict + (a.unconfirmed ? ', unconfirmed' : '');
const when = at => new Date(at).toLocaleString([], { dateStyle: 'short', timeStyle: 'medium', hour12: false });

export async function history(main) {
  const $ = s => main.querySelector(s), form = $('#filters');
  let stop = () => {}, leave = false;
  const all = await ask('/api/history');
  const distinct = key => ['', ...new Set(all.map(a => a[key]))].filter((v, i) => v || i === 0);
  for (const key of ['game', 'serial', 'verdict']) fill(form[key], distinct(key), '', v => v || 'all');

  async function list() {
    const query = new URLSearchParams();
    for (const key of ['game', 'serial', 'verdict', 'days']) if (form[key].value) query.set(key, form[key].value);
    const attempts = await ask('/api/history?' + query);
    if (leave) return;
    if (form.failures.checked) attempts.sort((a, b) => (a.verdict === 'won') - (b.verdict === 'won'));
    const won = attempts.filter(a => a.verdict === 'won').length;
    const unconfirmed = attempts.filter(a => a.unconfirmed).length;
    $('#summary').textContent = attempts.length ? `${attempts.length} attempts, ${won} won${unconfirmed ? ` (${unconfirmed} unconfirmed)` : ''}, ${attempts.length - won} not` : 'Nothing has been played yet.';
    $('#rows').replaceChildren(...attempts.map(a => el('tr', { 'data-id': a.id },
      el('td', {}, el('button', { type: 'button', onclick: attempt(() => open(a.id)), 'aria-label': `Attempt of ${when(a.at)}` }, when(a.at))),
      el('td', {}, a.game + (a.rows ? ` ${a.cols}×${a.rows}` : '')), el('td', { class: 'number' }, a.level || '–'),
      el('td', { class: a.verdict === 'won' ? 'good' : 'bad', title: a.unconfirmed }, verdict(a)),
      ...[a.read, a.solve, a.play].map(t => el('td', { class: 'number' }, ms(t))), el('td', {}, a.serial))));
    $('#plots').replaceChildren(...[['read', 'Read'], ['solve', 'Solve'], ['play', 'Play']].map(([k, n]) => plot(attempts, k, n)));
  }

  async function open(id) {
    const a = await ask(`/api/history/${id}`), panel = $('#attempt');
    stop();
    for (const row of $('#rows').children) row.setAttribute('aria-selected', String(row.dataset.id === String(id)));
    const board = el('div', { class: 'board' }), controls = player();
    const run = all.filter(o => o.run === a.run).sort((x, y) => x.id - y.id);
    panel.replaceChildren(
      el('h2', {}, `${a.game}${a.level ? ` level ${a.level}` : ''}: ${verdict(a)}`),
      el('p', { class: 'soft' }, `${when(a.at)} on ${a.serial} · read ${ms(a.read)}, solve ${ms(a.solve)}, play ${ms(a.play)}`),
      ...(a.unconfirmed ? [el('p', { class: 'soft' }, `Unconfirmed: ${a.unconfirmed}`)] : []),
      ...(a.error ? [el('p', { class: 'bad' }, a.error)] : []),
      el('div', { class: 'row' }, el('button', { type: 'button', name: 'run', onclick: attempt(() => { stop(); stop = runFilm(panel, run, a.id); }) }, `Play the run as a film (${run.length} ${run.length === 1 ? 'level' : 'levels'})`)),
      el('div', { class: 'beside' }, ...(a.frames.length ? [frames(a)] : []), el('div', {}, board, controls)),
      ...(a.folder ? [el('p', { class: 'soft' }, `Evidence: ${a.folder}`)] : []),
      ...a.texts.map(name => text(a.id, name)));
    controls.hidden = true;
    if (a.solved) stop = film(board, controls, a.solved.scenes ?? [a.solved.scene], `${a.game} board`, calm());
    panel.scrollIntoView({ block: 'nearest' });
  }
  for (const e of form.elements) e.onchange = attempt(list);
  await list();
  return () => { leave = true; stop(); };
}

export const file = (id, name) => `/api/history/${id}/files/${encodeURIComponent(name)}`;

function text(id, name) {
  const pre = el('pre', { tabindex: 0, 'aria-label': name });
  return el('details', { ontoggle: attempt(async () => { if (!pre.textContent) pre.textContent = await (await fetch(file(id, name))).text(); }) },
    el('summary', {}, name), pre);
}

// frames steps through the kept frames, with the overlay on them.
function frames(a) {
  let i = 0;
  const image = el('img', { alt: '' }), place = el('div', { class: 'stage' }, image), output = el('output');
  const overlay = el('input', { type: 'checkbox', checked: true, onchange: () => show() });
  const back = el('button', { type: 'button', onclick: () => show(i - 1) }, 'Back'), next = el('button', { type: 'button', onclick: () => show(i + 1) }, 'Next');
  function show(to = i) {
    i = Math.max(0, Math.min(a.frames.length - 1, to));
    const f = a.frames[i], name = overlay.checked && f.overlay || f.frame;
    image.src = file(a.id, name);
    image.alt = `Frame ${i + 1} of ${a.frames.length}`;
    output.textContent = `${i + 1} of ${a.frames.length}: ${name}`;
    back.disabled = i === 0;
    next.disabled = i === a.frames.length - 1;
  }
  show(0);
  return el('div', {}, el('div', { class: 'row player' }, back, next, el('label', { class: 'check' }, overlay, ' Overlay'), output), place);
}

// plot draws times in the order they came, on a logarithmic scale.
function plot(attempts, key, name) {
  const values = attempts.filter(a => a[key] > 0).sort((a, b) => a.at - b.at);
  const logs = values.map(a => Math.log10(a[key])), low = Math.floor(Math.min(0, ...logs)), high = Math.ceil(Math.max(low + 1, ...logs));
  const W = 320, H = 110, y = v => H - 14 - (v - low) / (high - low) * (H - 28), x = i => 44 + (W - 54) * (i + .5) / Math.max(1, values.length);
  const root = svg('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img' });
  for (let d = low; d <= high; d++) root.append(svg('line', { x1: 42, x2: W - 8, y1: y(d), y2: y(d), class: 'axis' }),
    Object.assign(svg('text', { x: 4, y: y(d) + 4 }), { textContent: d >= 0 ? `${10 ** d} s` : `${+(1000 * 10 ** d).toPrecision(1)} ms` }));
  values.forEach((a, i) => root.append(svg('circle', { cx: x(i), cy: y(logs[i]), r: 3, class: a.verdict === 'won' ? 'dot' : 'dot bad' })));
  const sorted = values.map(a => a[key]).sort((a, b) => a - b), median = sorted[Math.floor(sorted.length / 2)];
  const words = `${name}: ${values.length ? `median ${ms(median)}, longest ${ms(sorted.at(-1))}` : 'no times'}`;
  root.setAttribute('aria-label', words);
  return el('figure', {}, root, el('figcaption', {}, words));
}
