// Look back: the journal, an attempt's frames, its solution, plots of times.
import { html, render, useEffect, useRef, useState } from './preact.js';
import { ask, attempt, calm, el, fill, say } from './page.js';
import { film } from './boards.js';
import { Film, Player } from './film.js';
import { plot, time } from './plots.js';

export const ms = seconds => seconds ? time(seconds) : '–';
// A win that the app did not show is no certain one.
export const verdict = a => a.verdict + (a.unconfirmed ? ', unconfirmed' : '');
const when = at => new Date(at).toLocaleString([], { dateStyle: 'short', timeStyle: 'medium', hour12: false });
export const file = (id, name) => `/api/history/${id}/files/${encodeURIComponent(name)}`;

// plotting loads the library that draws plots, which is no module.
let loaded;
const plotting = () => (loaded ??= new Promise((done, failed) =>
  document.head.append(el('script', { src: 'uplot.js', onload: done, onerror: () => failed(new Error('what draws plots cannot be loaded')) }))));

export async function history(main) {
  const $ = s => main.querySelector(s), form = $('#filters'), places = ['#rows', '#plots', '#attempt'].map($);
  let leave = false, chosen = null, opened = 0;
  const [all] = await Promise.all([ask('/api/history'), plotting()]);
  const distinct = key => ['', ...new Set(all.map(a => a[key]))].filter((v, i) => v || i === 0);
  for (const key of ['game', 'serial', 'verdict']) fill(form[key], distinct(key), '', v => v || 'all');

  let attempts = [];
  function show() {
    if (leave) return;
    const won = attempts.filter(a => a.verdict === 'won').length;
    const unconfirmed = attempts.filter(a => a.unconfirmed).length;
    $('#summary').textContent = attempts.length ? `${attempts.length} attempts, ${won} won${unconfirmed ? ` (${unconfirmed} unconfirmed)` : ''}, ${attempts.length - won} not` : 'Nothing has been played yet.';
    const rows = form.failures.checked ? attempts.toSorted((a, b) => (a.verdict === 'won') - (b.verdict === 'won')) : attempts;
    render(rows.map(a => html`<${Row} key=${a.id} a=${a} chosen=${a.id === chosen} open=${() => open(a.id)} />`), places[0]);
    render([['read', 'Read'], ['solve', 'Solve'], ['play', 'Play']].map(([key, name]) => html`<${Plot} key=${key} of=${key} name=${name} attempts=${attempts} />`), places[1]);
    if (chosen !== null) render(html`<${Attempt} id=${chosen} opened=${opened} all=${all} />`, places[2]);
  }
  function open(id) {
    if (!opened++) places[2].replaceChildren(); // what it says where nothing is chosen
    chosen = id;
    show();
  }
  async function list() {
    const query = new URLSearchParams();
    for (const key of ['game', 'serial', 'verdict', 'days']) if (form[key].value) query.set(key, form[key].value);
    attempts = await ask('/api/history?' + query);
    show();
  }
  for (const e of form.elements) e.onchange = attempt(list);
  await list();
  return () => { leave = true; for (const place of places) render(null, place); };
}

const Row = ({ a, chosen, open }) => html`<tr data-id=${a.id} aria-selected=${chosen}>
  <td><button type="button" onClick=${open} aria-label=${`Attempt of ${when(a.at)}`}>${when(a.at)}</button></td>
  <td>${a.game + (a.rows ? ` ${a.cols}×${a.rows}` : '')}</td><td class="number">${a.level || '–'}</td>
  <td class=${a.verdict === 'won' ? 'good' : 'bad'} title=${a.unconfirmed}>${verdict(a)}</td>
  ${[a.read, a.solve, a.play].map(t => html`<td class="number">${ms(t)}</td>`)}<td>${a.serial}</td></tr>`;

// Plot draws what one part of the attempts took, in the order in which they were made.
function Plot({ attempts, of, name }) {
  const figure = useRef();
  useEffect(() => plot(figure.current, name, attempts.filter(a => a[of] > 0).sort((a, b) => a.at - b.at)
    .map(a => ({ seconds: a[of], kind: a.verdict === 'won' ? 'won' : 'not', label: `${a.game}${a.level ? ` level ${a.level}` : ''}, ${verdict(a)}: ${time(a[of])}` })),
  { won: '--accent', not: '--bad' }), [attempts]);
  return html`<figure ref=${figure}></figure>`;
}

function Attempt({ id, opened, all }) {
  const [a, got] = useState(null), [run, play] = useState(null), head = useRef();
  useEffect(() => {
    let left = false;
    play(null);
    ask(`/api/history/${id}`).then(a => left || got(a), say);
    return () => { left = true; };
  }, [id, opened]);
  useEffect(() => { head.current?.parentNode.scrollIntoView({ block: 'nearest' }); }, [a]);
  if (run) return html`<${Film} attempts=${run} first=${id} />`;
  if (!a) return null;
  const others = all.filter(o => o.run === a.run).sort((x, y) => x.id - y.id);
  return html`<h2 ref=${head}>${a.game}${a.level ? ` level ${a.level}` : ''}: ${verdict(a)}</h2>
    <p class="soft">${when(a.at)} on ${a.serial} · read ${ms(a.read)}, solve ${ms(a.solve)}, play ${ms(a.play)}</p>
    ${a.unconfirmed && html`<p class="soft">Unconfirmed: ${a.unconfirmed}</p>`}
    ${a.error && html`<p class="bad">${a.error}</p>`}
    <div class="row"><button type="button" name="run" onClick=${() => play(others)}>Play the run as a film (${others.length} ${others.length === 1 ? 'level' : 'levels'})</button></div>
    <div class="beside">${a.frames.length > 0 && html`<${Frames} key=${a.id} a=${a} />`}${a.solved && html`<${Board} solved=${a.solved} />`}</div>
    ${a.folder && html`<p class="soft">Evidence: ${a.folder}</p>`}
    ${a.texts.map(name => html`<${Text} key=${`${a.id} ${name}`} address=${file(a.id, name)} name=${name} />`)}`;
}

// Board plays how the solution comes about.
function Board({ solved }) {
  const board = useRef(), controls = useRef();
  useEffect(() => film(board.current, controls.current, solved.scenes ?? [solved.scene], `${solved.game} board`, calm()), [solved]);
  return html`<div><div class="board" ref=${board}></div><${Player} of=${controls} /></div>`;
}

function Text({ address, name }) {
  const [text, got] = useState('');
  return html`<details onToggle=${attempt(async () => { if (!text) got(await (await fetch(address)).text()); })}>
    <summary>${name}</summary><pre tabindex="0" aria-label=${name}>${text}</pre></details>`;
}

// Frames steps through the kept frames, with the overlay on them.
function Frames({ a }) {
  const [i, go] = useState(0), [overlay, lay] = useState(true), f = a.frames[i], name = overlay && f.overlay || f.frame;
  return html`<div><div class="row player">
      <button type="button" disabled=${i === 0} onClick=${() => go(i - 1)}>Back</button><button type="button" disabled=${i === a.frames.length - 1} onClick=${() => go(i + 1)}>Next</button>
      <label class="check"><input type="checkbox" checked=${overlay} onChange=${e => lay(e.target.checked)} /> Overlay</label><output>${i + 1} of ${a.frames.length}: ${name}</output></div>
    <div class="stage"><img src=${file(a.id, name)} alt=${`Frame ${i + 1} of ${a.frames.length}`} /></div></div>`;
}
