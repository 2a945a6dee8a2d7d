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
      place.replaceChildren(...serials.map(s => card(s).root));
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
  let state = null, game = '';

  const order = dryRun => ({ game: form.game.value, pack: form.pack.value, first: +form.first.value || 1, last: +form.last.value || 0, dryRun });
  form.onsubmit = attempt(async e => { e.preventDefault(); await ask(at + '/start', order(false)); });
  form.dry.onclick = attempt(() => ask(at + '/start', order(true)));
  form.pause.onclick = attempt(() => ask(at + (state?.run?.paused ? '/resume' : '/pause'), {}));
  form.stop.onclick = attempt(() => ask(at + '/stop', {}));
  form.game.onchange = attempt(() => ask(at + '/game', { game: form.game.value }));

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
    $('.doing').textContent = doing(now);
    $('.doing').className = 'doing' + (run && !busy && run.failed ? ' bad' : '');
    $('.touch').hidden = !now.touch;
    $('.touch summary').textContent = `touched by ${now.touch}`;
    $('.touch pre').textContent = now.refused ?? 'No better way was refused.';
    root.dataset.won = run?.won ?? 0;
    root.dataset.stage = run?.stage ?? 'idle';
    if (f) {
      const first = !$('.latency').textContent; // the first one may be old
      view.picture(`${at}/frame?v=${f.version}`, f.version, () => {
        if (first) { $('.latency').textContent = `captured at ${time(f.captured)} · ${f.width}×${f.height}`; return; }
        const late = Math.max(0, Date.now() - f.captured - f.took - skew);
        $('.latency').textContent = (f.took ? `captured in ${f.took} ms, ` : '') + `here ${Math.round(late)} ms later · ${f.width}×${f.height}`;
      });
      view.draw(f.width, f.height, f.overlay, run?.active ? run.stroke ?? -1 : -1);
      $('.board').textContent = f.board ?? '';
      $('.solution').textContent = f.solution ?? '';
    }
    const commands = run?.commands;
    $('.commands').hidden = !commands;
    $('.commands pre').textContent = (commands ?? []).join('\n');
    $('.lines').replaceChildren(...now.lines.toReversed().map(l =>
      el('li', { class: l.kind === 'info' ? '' : l.kind }, el('time', {}, time(l.at)), l.text)));
  }
  return { root, show, close: view.close };
}

function doing({ run, frame }) {
  if (run?.active) {
    const what = run.dryRun ? 'dry run' : `level ${run.level}` + (run.last ? ` of ${run.first} to ${run.last}` : '');
    if (run.waiting) return `${what}: paused`;
    return `${what}: ${run.stage}` + (run.paused ? ', will pause' : '') + (run.won ? ` · ${run.won} won` : '');
  }
  const before = run ? `${run.failed ? 'failed: ' + run.failed : run.stage}${run.dryRun ? '' : `, ${run.won} won`} · ` : '';
  if (!frame) return before + 'waiting for a frame';
  if (frame.reason) return before + frame.reason;
  return before + (frame.overlay?.rows ? `${frame.overlay.cols}×${frame.overlay.rows} board` : frame.place);
}
