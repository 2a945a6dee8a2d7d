// Fleet: the phones of many hosts, what they do, and the runs that were ordered.
import { html, render, useEffect, useState } from './preact.js';
import { ask, attempt, fill, games } from './page.js';

const every = 1000, pictureEvery = 1000; // milliseconds between two questions

const count = (n, one, many) => `${n.toLocaleString()} ${n === 1 ? one : many}`;

export async function fleet(main) {
  const $ = s => main.querySelector(s), form = $('#order'), places = [$('#runs'), $('#workers')];
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

  let known = 0; // when the hub was last heard of
  function say(text, bad) {
    $('#hub').className = bad ? 'bad' : 'soft';
    if ($('#hub').textContent !== text) $('#hub').textContent = text; // it is read out when it changes
  }
  function show(state) {
    const away = state.trouble !== '';
    if (!away) known = state.now;
    say(away ? `The hub cannot be reached: ${state.trouble}.` + (known ? ` Shown is what was known at ${new Date(known).toLocaleTimeString([], { hour12: false })}.` : '') : summary(state), away);
    for (const e of form.elements) e.disabled = away;
    render(state.runs.map(r => html`<${Run} key=${r.run} ...${r} away=${away} />`), places[0]);
    $('#runs').hidden = !state.runs.length;
    $('#noruns').hidden = !!state.runs.length;
    const groups = new Map();
    for (const name of state.drained) groups.set(name, []);
    for (const p of state.phones) groups.set(p.worker, [...groups.get(p.worker) ?? [], p]);
    render([...groups].sort(([a], [b]) => a < b ? -1 : 1)
      .map(([name, phones]) => html`<${Worker} key=${name} name=${name} phones=${phones} drained=${state.drained.includes(name)} away=${away} />`), places[1]);
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
      if (e.name !== 'AbortError' && !left) say(`The page's server does not answer: ${e.message}`, true);
    }
    if (!left && asking === mine && !document.hidden) timer = setTimeout(look, every);
  }
  const turned = () => { if (!document.hidden) look(); };
  document.addEventListener('visibilitychange', turned);
  again = look;
  await look();
  return () => {
    left = true;
    clearTimeout(timer);
    asking?.abort();
    document.removeEventListener('visibilitychange', turned);
    for (const place of places) render(null, place);
  };
}

// again asks at once, after something was done.
let again = () => {};
const act = (path, body = {}) => attempt(async () => { await ask(path, body); await again(); })();

function summary({ hub, phones, left }) {
  const playing = phones.filter(p => p.state === 'playing').length, still = phones.filter(p => p.why && p.state !== 'queued').length;
  const pace = Math.round(phones.reduce((sum, p) => sum + p.perHour, 0));
  return `${hub}: ${count(phones.length + left, 'phone', 'phones')}, ${playing} playing` + (still ? `, ${count(still, 'stands', 'stand')} still` : '') +
    (pace ? `, ${count(pace, 'level', 'levels')} an hour` : '') + (left ? `; ${left} of them, which have nothing to tell, are not shown` : '');
}

function Run({ run, game, pack, levels, won, failed, state, away }) {
  const cancel = () => act(`/api/fleet/runs/${encodeURIComponent(run)}/cancel`);
  return html`<li data-run=${run}><p>${run}: ${game}, ${pack}</p><progress max=${levels} value=${won + failed} aria-label=${`Run ${run}`} />
    <p class="soft">${won} of ${count(levels, 'level', 'levels')} won${failed ? `, ${failed} failed` : ''} · ${{ open: 'under way', complete: 'complete', cancelled: 'cancelled' }[state] ?? state}</p>
    <button type="button" aria-label=${`Cancel run ${run}`} hidden=${state !== 'open'} disabled=${away} onClick=${cancel}>Cancel</button></li>`;
}

function Worker({ name, phones, drained, away }) {
  return html`<section class="worker" data-worker=${name} aria-label=${`Worker ${name}`}>
    <div class="row"><div><h2>${name}</h2><p class="soft">${count(phones.length, 'phone', 'phones')}${drained ? ', takes no more jobs' : ''}</p></div>
      <button type="button" disabled=${away} onClick=${() => act('/api/fleet/drain', { worker: name, serial: '', off: drained })}>${drained ? 'Resume' : 'Drain'} ${name}</button></div>
    <ul class="tiles">${phones.map(p => html`<${Phone} key=${p.serial} p=${{ ...p, away, drained }} />`)}</ul></section>`;
}

function Phone({ p }) {
  const { worker, serial, draining, away } = p, [looked, look] = useState(false), does = draining ? 'Resume' : 'Pause';
  const figure = (name, value) => html`<div><dt>${name}</dt><dd>${value.toLocaleString()}</dd></div>`;
  return html`<li class="panel tile" data-serial=${serial} data-state=${p.state}><h3>${serial}</h3><p class="soft">${p.model || 'unknown model'}</p>
    <div class="acts">
      <button type="button" aria-label=${`${does} ${serial} of ${worker}`} disabled=${away || p.drained /* its worker's button is the one */}
        onClick=${() => act('/api/fleet/drain', { worker, serial, off: draining })}>${does}</button>
      <button type="button" aria-label=${`Look at ${serial} of ${worker}`} aria-pressed=${looked} disabled=${away} onClick=${() => look(!looked)}>Look</button></div>
    <p class=${p.why ? 'does bad' : 'does'}>${doing(p)}</p>
    <dl class="figures">${figure('Won', p.won)}${figure('Failed', p.failed)}${figure('Per hour', p.perHour ? Math.round(p.perHour) : '–')}</dl>
    ${looked && html`<${Screen} worker=${worker} serial=${serial} />`}</li>`;
}

// Screen shows a phone's screen: a picture is asked for when the one before has come, by a page
// that somebody sees.
function Screen({ worker, serial }) {
  const [picture, show] = useState(), [trouble, lacks] = useState('Waits for a picture…');
  useEffect(() => {
    const path = '/api/fleet/picture?' + new URLSearchParams({ worker, serial });
    let shown = '', timer = 0, left = false;
    async function next() {
      if (!document.hidden) {
        try {
          const response = await fetch(path, { cache: 'no-store' });
          if (!response.ok) throw new Error((await response.json()).error);
          const came = await response.blob();
          if (left) return;
          URL.revokeObjectURL(shown);
          show(shown = URL.createObjectURL(came));
          lacks('');
        } catch (e) { lacks(e.message); }
      }
      if (!left) timer = setTimeout(next, pictureEvery);
    }
    next();
    return () => { left = true; clearTimeout(timer); URL.revokeObjectURL(shown); };
  }, []);
  return html`<figure class="look"><img src=${picture} alt=${`Screen of ${serial} of ${worker}`} /><p class="soft" role="status">${trouble}</p></figure>`;
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
