// Watch: each phone live, and what is played on it.
import { ask, attempt, el, fill, games, listen } from './page.js';
import { stage } from './stage.js';

const time = at => new Date(at).toLocaleTimeString([], { hour12: false });

export async function watch(main) {
  const known = (await games()).filter(g => g.plays || g.reads);
  const place = main.querySelector('#phones'), trouble = main.querySelector('#trouble');
  const cards = new Map();
  let skew = Infinity; // the least difference seen between this clock and the server's

  function card(serial) {
    let c = cards.get(serial);
    if (!c) cards.set(serial, c = phone(serial, known));
    return c;
  }
  const close = listen(true, {
    phones({ now, serials, listed, trouble: text }) {
      skew = Math.min(skew, Date.now() - now);
      trouble.textContent = text || (serials.length ? '' : !listed ? 'Looking for phones…' : 'No phones: plug one in and switch USB debugging on, or run `tapwise sim`.');
      for (const [serial, c] of cards) if (!serials.includes(serial)) { c.close(); cards.delete(serial); }
      const roots = serials.map(s => card(s).root);
      if (roots.length !== place.children.length || roots.some((r, i) => r !== place.children[i])) place.replaceChildren(...roots);
    },
    phone(state) {
      skew = Math.min(skew, Date.now() - state.now);
      card(state.serial).show(state, skew);
    },
  });
  return () => { close(); for (const c of cards.values()) c.close(); };
}

function phone(serial, known) {
  const root = document.querySelector('template#phone').content.firstElementChild.cloneNode(true);
  const $ = s => root.querySelector(s);
  root.dataset.serial = serial;
  root.setAttribute('aria-label', `Phone ${serial}`);
  $('h2').textContent = serial;
  const view = stage($('.stage'), `Screen of ${serial}`);
  const form = $('form'), at = `/api/phones/${encodeURIComponent(serial)}`;
  fill(form.game, known.map(g => g.name), '', v => v + (known.find(g => g.name === v).plays ? '' : ' (view only)'));
  let state = null, game = '', told = '';
  let before = { stroke: -1, at: 0 }; // the last stroke that began, and when

  const order = dryRun => ({ game: form.game.value, pack: form.pack.value, first: +form.first.value || 1, last: +form.last.value || 0, dryRun });
  form.onsubmit = attempt(async e => { e.preventDefault(); await ask(at + '/start', order(false)); });
  form.dry.onclick = attempt(() => ask(at + '/start', order(true)));
  form.pause.onclick = attempt(() => ask(at + (state?.run?.paused ? '/resume' : '/pause'), {}));
  form.stop.onclick = attempt(() => ask(at + '/stop', {}));
  form.game.onchange = attempt(() => ask(at + '/game', { game: form.game.value }));

  const parts = Object.keys(partWords).map(name => {
    const row = el('tr', {}, el('th', { scope: 'row' }, partWords[name]), el('td', { class: 'number' }, '–'), el('td', { class: 'number' }, '–'));
    $('.parts tbody').append(row);
    return { name, last: row.children[1], mean: row.children[2] };
  });
  const figure = (name, text) => { put($(`[data-figure=${name}]`), String(text)); };

  function show(now, skew) {
    state = now;
    const run = now.run, busy = run?.active ?? false, f = now.frame;
    $('h2').textContent = now.model ? `${now.model} · ${serial}` : serial;
    $('.state').textContent = busy ? 'playing' : now.state;
    $('.state').className = 'state ' + (now.ready ? 'good' : 'bad');
    if (game !== now.game) { game = now.game; form.game.value = game; }
    for (const e of [form.game, form.pack, form.first, form.last, form.start, form.dry]) e.disabled = busy || !now.ready;
    form.pause.disabled = form.stop.disabled = !busy;
    form.pause.textContent = run?.paused && busy ? 'Go on' : 'Pause';
    put($('.doing'), doing(now));
    $('.doing').className = 'doing' + (run && !busy && run.failed ? ' bad' : '');
    figure('level', !run || run.dryRun ? '–' : run.level + (run.last ? ` / ${run.last}` : ''));
    figure('pack', run?.pack || '–');
    figure('won', run ? run.won : '–');
    figure('pace', run?.perHour ? Math.round(run.perHour).toLocaleString() : '–');
    for (const part of parts) {
      const took = run?.parts?.find(p => p.name === part.name);
      put(part.last, took ? span(took.last) : '–');
      put(part.mean, took ? span(took.mean) : '–');
    }
    $('.touch').hidden = !now.touch;
    $('.touch summary').textContent = `touched by ${now.touch}`;
    $('.touch pre').textContent = now.refused ?? 'No better way was refused.';
    root.dataset.won = run?.won ?? 0;
    root.dataset.stage = run?.stage ?? 'idle';
    if (f) {
      $('.screen').style.setProperty('--w', f.width);
      $('.screen').style.setProperty('--h', f.height);
      const first = !$('.latency').textContent; // the first one may be old
      view.picture(`${at}/frame?v=${f.version}`, f.version, () => {
        if (first) { $('.latency').textContent = `captured at ${time(f.captured)} · ${f.width}×${f.height}`; return; }
        const late = Math.max(0, Date.now() - f.captured - f.took - skew);
        $('.latency').textContent = (f.took ? `captured in ${f.took} ms, ` : '') + `here ${Math.round(late)} ms later · ${f.width}×${f.height}`;
      });
      const stroke = run?.active ? run.stroke ?? -1 : -1, moment = performance.now();
      if (stroke === before.stroke + 1 && stroke > 0) root.style.setProperty('--lasts', `${Math.min(2000, Math.max(80, moment - before.at))}ms`);
      if (stroke !== before.stroke) before = { stroke, at: moment };
      view.overlay(f.version, f.width, f.height, f.overlay, stroke);
      put($('.board'), f.board ?? '');
      put($('.solution'), f.solution ?? '');
    }
    const commands = run?.commands;
    $('.commands').hidden = !commands;
    $('.commands pre').textContent = (commands ?? []).join('\n');
    const lines = JSON.stringify(now.lines);
    if (lines !== told) $('.lines').replaceChildren(...now.lines.toReversed().map(l =>
      el('li', { class: l.kind === 'info' ? '' : l.kind }, el('time', {}, time(l.at)), l.text)));
    told = lines;
  }
  return { root, show, close: view.close };
}

// put changes a text only when it is another one.
function put(e, text) { if (e.textContent !== text) e.textContent = text; }

// span is a time in milliseconds, in words.
const span = ms => ms >= 10000 ? `${(ms / 1000).toFixed(1)} s` : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;

const partWords = { settle: 'Wait until it stands still', read: 'Read', solve: 'Solve', play: 'Touch', verify: 'See that it is won' };

// What the player does in each of its states.
const stages = {
  connect: 'looking for the app', settle: 'waiting until the screen stands still', read: 'reading the board', solve: 'solving it',
  plan: 'planning the strokes', hold: 'ready to touch', play: 'touching', verify: 'looking whether it is won', redo: 'making again what is missing',
  next: 'going to the next level', recover: 'finding the way back', done: 'done', stop: 'stopping',
};

function doing({ run, frame }) {
  if (run?.active) {
    const what = run.dryRun ? 'Dry run' : `Level ${run.level}`;
    if (run.waiting) return `${what}: paused`;
    const strokes = frame?.overlay?.plan?.length;
    const stage = run.stroke >= 0 && strokes > run.stroke && (run.stage === 'play' || run.stage === 'redo') ? `stroke ${run.stroke + 1} of ${strokes}` : stages[run.stage] ?? run.stage;
    return `${what}: ${stage}` + (run.paused ? ', will pause' : '');
  }
  const before = run ? `${run.failed ? 'Failed: ' + run.failed : run.stage === 'stopped' ? 'Stopped' : 'Done'}${run.dryRun ? '' : `, ${run.won} won`} · ` : '';
  if (!frame) return before + 'waiting for a frame';
  if (frame.reason) return before + frame.reason;
  return before + (frame.overlay?.rows ? `${frame.overlay.cols}×${frame.overlay.rows} board` : frame.place);
}
