// Solve: draw or paste a puzzle or its picture, see it solved step by step, get a hint,
// play it by hand, count, generate another or a page of them.
import { ask, attempt, calm, el, fill, games, pictured } from './page.js';
import { board, film, isAddress, load, picture, scene } from './boards.js';
import { hand } from './hand.js';
import { sheet } from './sheet.js';

export async function solve(main) {
  const known = await games();
  await load(known);
  const $ = s => main.querySelector(s);
  const game = $('[name=game]'), example = $('[name=example]'), text = $('[name=text]'), editor = $('#editor'), problem = $('#problem');
  let tool, stop = () => {}, drawn = null, latest = 0, timer = 0, told = [];

  const info = () => known.find(g => g.name === game.value);
  const drawing = () => board(game.value, info().examples);
  fill(game, known.map(g => g.name), known[0].name);

  function offer() {
    fill(example, ['', ...info().examples.keys()], '', i => i === '' ? 'choose' : `level ${+i + 1}`);
    fill($('[name=variant]'), ['', ...info().grades], '', v => v || 'any');
    const tools = isAddress(info().examples[0] ?? '') ? [] : drawing().tools;
    tool = tools[0]?.[1];
    $('#rules').textContent = info().rules ?? '';
    $('#tools').closest('fieldset').hidden = tools.length === 0;
    $('#tools').replaceChildren(...tools.map(([name, value], i) => el('button', {
      type: 'button', 'aria-pressed': String(i === 0), onclick: e => {
        tool = value;
        for (const b of $('#tools').children) b.setAttribute('aria-pressed', String(b === e.target));
      } }, name)));
  }

  // draw shows the board in the text: as the server understands it, or as far as it
  // goes.
  function draw(puzzle, keep) {
    // What an address says is drawn by the server.
    try { drawn = isAddress(puzzle) ? null : picture(game.value, puzzle, null, edit, info().examples); } catch { drawn = null; }
    editor.replaceChildren(...(drawn ? [drawn.root] : []));
    if (drawn && keep !== undefined) drawn.focus(keep);
  }
  function edit(spot, i, value = tool) {
    if (value === undefined) return;
    text.value = spot.put(value);
    draw(text.value, i);
    check();
  }
  async function check(guess) {
    const asked = ++latest;
    forget();
    if (!text.value.trim()) { problem.textContent = ''; return; }
    try {
      const answer = await ask('/api/parse', { game: guess ? '' : game.value, text: text.value, limit: 0 });
      if (asked !== latest) return;
      if (answer.game !== game.value) { game.value = answer.game; offer(); }
      problem.textContent = '';
      problem.className = '';
      if (answer.scene && isAddress(answer.puzzle)) editor.replaceChildren(scene(answer.scene, `${answer.game} board`));
      else if (!drawn || guess || answer.puzzle !== text.value) { const at = document.activeElement; draw(answer.puzzle); if (at === text) at.focus(); }
    } catch (e) {
      if (asked !== latest) return;
      problem.textContent = e.message;
      problem.className = 'soft';
    }
  }
  function forget() {
    stop();
    stop = () => {};
    told = [];
    $('#outcome').textContent = '';
    $('#outcome').className = '';
    $('#why').hidden = true;
    $('#solution').replaceChildren();
    $('#steps').hidden = $('#text').hidden = true;
  }
  function set(value) {
    text.value = value;
    draw(value);
    return check();
  }

  game.onchange = () => { offer(); set(info().examples[0] ?? drawing().blank(6, 6)); };
  example.onchange = () => example.value !== '' && set(info().examples[+example.value]);
  text.oninput = () => {
    clearTimeout(timer);
    // A text that is not a board of this game may be one of another.
    timer = setTimeout(() => { draw(text.value); check(true); }, 250);
  };
  $('#blank').onsubmit = e => {
    e.preventDefault();
    set(drawing().blank(+$('[name=rows]').value || 6, +$('[name=cols]').value || 6));
  };
  const run = (limit, outcome) => attempt(async () => {
    forget();
    $('#outcome').className = '';
    $('#outcome').textContent = 'searching…';
    const asked = ++latest;
    let a;
    try { a = await ask('/api/solve', { game: game.value, text: text.value, limit }); } catch (e) { failed(e); return; }
    if (asked !== latest) return;
    $('#outcome').textContent = (a.status === 'solved' ? outcome(a) : a.error) + (a.warning ? ` (not as the game's own boards are: ${a.warning})` : '');
    $('#outcome').className = a.status === 'solved' ? 'good' : 'bad';
    if (a.status !== 'solved') return;
    $('#text').hidden = false;
    $('#text pre').textContent = a.solution;
    stop = film($('#solution'), $('#steps'), a.game, a.puzzle, a, calm());
  });
  const effort = a => ` in ${(a.stats.seconds * 1000).toFixed(1)} ms (${a.stats.nodes} decisions, ${a.stats.conflicts} dead ends)`;
  $('[name=solve]').onclick = run(1, a => 'Solved' + (a.moves ? `, ${a.moves.length} moves,` : '') + effort(a));
  $('[name=count]').onclick = () => run(Math.max(1, +$('[name=limit]').value || 1), a =>
    (a.more ? `At least ${a.solutions} solution${a.solutions === 1 ? '' : 's'}` : a.solutions === 1 ? 'Exactly one solution' : `${a.solutions} solutions`) + effort(a))();
  $('[name=hint]').onclick = attempt(async () => {
    const before = told;
    forget();
    $('#outcome').textContent = 'searching…';
    const asked = ++latest;
    let a;
    try { a = await ask('/api/hint', { game: game.value, text: text.value, told: before }); } catch (e) { failed(e); return; }
    if (asked !== latest) return;
    told = a.text ? [...before, a.step] : before;
    $('#outcome').textContent = a.text ? `Step ${told.length} of ${a.of}: ${a.text}` : 'Nothing is missing.';
    $('#outcome').className = 'good';
    $('#why').textContent = a.why ?? '';
    $('#why').hidden = !a.why;
    $('#solution').replaceChildren(scene(a.scene, `${game.value} board with step ${told.length}`));
  });
  $('[name=hand]').onclick = attempt(async () => {
    forget();
    try {
      stop = await hand($('#solution'), { game: game.value, text: text.value }, won => {
        $('#outcome').textContent = won ? 'You have solved it.' : 'Draw with a finger or the mouse; with keys: arrows move, Space puts the finger down and lifts it.';
        $('#outcome').className = won ? 'good' : '';
      });
    } catch (e) { failed(e); }
  });
  function failed(e) {
    $('#outcome').textContent = e.message;
    $('#outcome').className = 'bad';
  }
  // Of the sides, none, the rows or both may be chosen.
  const wanted = () => {
    const rows = info().sides > 0 ? +$('[name=rows]').value || 0 : 0;
    return { game: game.value, rows, cols: info().sides > 1 ? +$('[name=cols]').value || 0 : rows, colours: 0, variant: $('[name=variant]').value };
  };
  $('[name=sheet]').onclick = attempt(async e => {
    const f = $('#generate').elements, button = e.currentTarget;
    button.disabled = true;
    try {
      await sheet($('#sheet'), wanted(), +f.seed.value || 0, Math.max(1, Math.min(60, +f.many.value || 1)), f.solutions.checked, info());
    } finally { button.disabled = false; }
  });
  const unpictured = pictured($('[name=file]'), $('#table'), attempt(async file => {
    if (!file) return;
    forget();
    latest++;
    text.value = '';
    draw('');
    $('#problem').textContent = 'Reading the picture…';
    $('#problem').className = '';
    const asked = latest;
    try {
      const kept = await ask('/api/pictures', file), read = await ask(`/api/pictures/${kept.id}/puzzle`, {});
      if (asked !== latest) return;
      if (read.game !== game.value) { game.value = read.game; offer(); }
      await set(read.puzzle);
    } catch (e) {
      if (asked !== latest) return;
      $('#problem').textContent = e.message;
      $('#problem').className = 'bad';
    }
  }));
  $('#generate').onsubmit = attempt(async e => {
    e.preventDefault();
    const seed = $('#generate [name=seed]');
    forget();
    $('#outcome').textContent = 'generating…';
    try {
      const a = await ask('/api/generate', { ...wanted(), seed: +seed.value || 0 });
      seed.value = (+seed.value || 0) + 1;
      await set(a.puzzle);
      $('#outcome').className = '';
      $('#outcome').textContent = 'A new puzzle.';
    } catch (failure) { failed(failure); }
  });
  offer();
  await set(info().examples[0] ?? drawing().blank(6, 6));
  return () => { clearTimeout(timer); stop(); unpictured(); };
}
