// Solve: one board, on which a puzzle is drawn, played, explained and solved; new ones, and
// pages of them.
import { ask, attempt, calm, el, fill, games } from './page.js';
import { edited, editor, film, icon, isAddress, load, scene } from './boards.js';
import { hand } from './hand.js';
import { sheet } from './sheet.js';

// What is kept in this browser: the game that was shown last, and each game's puzzle and strokes.
const kept = name => { try { return JSON.parse(localStorage.getItem(`tapwise ${name}`)); } catch { return null; } };
const keep = (name, value) => { try { localStorage.setItem(`tapwise ${name}`, JSON.stringify(value)); } catch { /* nothing is kept where that is forbidden */ } };

export async function solve(main) {
  const known = await games();
  await load(known);
  const $ = s => main.querySelector(s);
  const game = $('[name=game]'), example = $('[name=example]'), text = $('[name=text]'), board = $('#board'), problem = $('#problem');
  let tool, stop = () => {}, drawn = null, table = null, latest = 0, timer = 0, told = [];

  const info = () => known.find(g => g.name === game.value);
  const drawing = () => editor(game.value, info().examples);
  fill(game, known.map(g => g.name), known[0].name);

  function offer() {
    fill(example, ['', ...info().examples.keys()], '', i => i === '' ? 'choose' : `level ${+i + 1}`);
    fill($('[name=variant]'), ['', ...info().grades], '', v => v || 'any');
    const tools = isAddress(info().examples[0] ?? '') ? [] : drawing().tools;
    tool = tools[0]?.[1];
    $('#rules').textContent = info().rules ?? '';
    $('#tools').closest('fieldset').hidden = tools.length === 0;
    $('#tools').replaceChildren(...tools.map(([name, value, shapes], i) => el('button', {
      type: 'button', class: 'tool', title: name, 'aria-label': name, 'aria-pressed': String(i === 0), onclick: e => {
        tool = value;
        for (const b of $('#tools').children) b.setAttribute('aria-pressed', String(b === e.currentTarget));
        forget();
        draw();
      } }, icon(shapes))));
  }

  // draw shows the puzzle, to be edited; as far as it goes where it is none yet.
  function draw() {
    const focused = [...board.querySelectorAll('.spot')].indexOf(document.activeElement);
    let shown = null;
    try { shown = isAddress(text.value) ? null : text.value && edited(game.value, text.value, drawn, tool, edit, info().examples); } catch { /* it is no board at all */ }
    board.replaceChildren(...(shown ? [shown.root] : drawn ? [scene(drawn, `${game.value} board`)] : []));
    if (focused >= 0) shown?.focus(focused);
  }
  function edit(spot, value = tool) {
    if (value === undefined) return;
    text.value = spot.put(value);
    check();
  }
  // check asks whether the text is a puzzle, and shows it. A text that is not one of this game
  // may be one of another where guess says so.
  async function check(guess) {
    const asked = ++latest, sent = text.value;
    forget();
    draw(); // what was drawn shows until the answer comes
    let answer, failed = null;
    try { answer = sent.trim() && await ask('/api/parse', { game: guess ? '' : game.value, text: sent, limit: 0 }); } catch (e) { failed = e; }
    if (asked !== latest || text.value !== sent) return; // more was typed, and is asked for next
    drawn = null;
    if (answer) take(answer);
    problem.textContent = failed?.message ?? '';
    problem.className = 'soft';
    draw();
  }
  function take(answer) {
    if (answer.game !== game.value) { game.value = answer.game; offer(); }
    if (isAddress(answer.puzzle) || document.activeElement !== text) text.value = answer.puzzle;
    drawn = answer.scene;
    history.replaceState(null, '', `#solve/${game.value}/${encodeURIComponent(answer.puzzle)}`);
    keep('game', game.value);
    if (kept(game.value)?.text !== answer.puzzle) keep(game.value, { text: answer.puzzle });
  }
  // forget takes away what was said of another board.
  function forget() {
    stop();
    stop = () => {};
    table = null;
    told = [];
    say('', '');
    $('#steps').hidden = $('#desk').hidden = $('#text').hidden = true;
  }
  function say(words, kind, why = '') {
    $('#outcome').textContent = words;
    $('#outcome').className = kind;
    $('#why').textContent = why;
    $('#why').hidden = !why;
  }
  function set(value) {
    text.value = value;
    return check();
  }
  const begin = () => set(kept(game.value)?.text ?? info().examples[0] ?? drawing().blank(6, 6));

  game.onchange = () => { offer(); begin(); };
  example.onchange = () => example.value !== '' && set(info().examples[+example.value]);
  text.oninput = () => {
    clearTimeout(timer);
    timer = setTimeout(() => check(true), 250);
  };
  $('#blank').onsubmit = e => {
    e.preventDefault();
    set(drawing().blank(+$('[name=rows]').value || 6, +$('[name=cols]').value || 6));
  };
  // searched asks for something that takes its time, about the board as it is now.
  async function searched(path, body, words, done) {
    say(words, '');
    const asked = ++latest;
    try {
      const a = await ask(path, body);
      if (asked === latest) done(a);
    } catch (e) { if (asked === latest) say(e.message, 'bad'); }
  }
  const run = (limit, outcome) => () => {
    forget();
    return searched('/api/solve', { game: game.value, text: text.value, limit }, 'searching…', a => {
      const solved = a.status === 'solved';
      say((solved ? outcome(a) : a.error) + (a.warning ? ` (not as the game's own boards are: ${a.warning})` : ''), solved ? 'good' : 'bad');
      if (!solved) { draw(); return; }
      $('#text').hidden = false;
      $('#text pre').textContent = a.solution;
      stop = film(board, $('#steps'), a.scenes, `${a.game} board with its solution`, calm());
    });
  };
  const effort = a => ` in ${(a.stats.seconds * 1000).toFixed(1)} ms (${a.stats.nodes} decisions, ${a.stats.conflicts} dead ends)`;
  const solved = run(1, a => 'Solved' + (a.moves ? `, ${a.moves.length} moves,` : '') + effort(a));
  $('[name=solve]').onclick = solved;
  $('[name=count]').onclick = () => run(Math.max(1, +$('[name=limit]').value || 1), a =>
    (a.more ? `At least ${a.solutions} solution${a.solutions === 1 ? '' : 's'}` : a.solutions === 1 ? 'Exactly one solution' : `${a.solutions} solutions`) + effort(a))();
  $('[name=hint]').onclick = () => {
    const before = told, strokes = table?.strokes() ?? [];
    if (!table) forget();
    return searched('/api/hint', { game: game.value, text: text.value, told: before, strokes }, 'searching…', a => {
      told = a.text ? [...before, a.step] : before;
      say(a.text ? `Step ${told.length} of ${a.of}: ${a.text}` : 'Nothing is missing.', 'good', a.why ?? '');
      if (table) table.explain(a.scene);
      else board.replaceChildren(scene(a.scene, `${game.value} board with step ${told.length}`));
    });
  };
  $('[name=hand]').onclick = attempt(async () => {
    forget();
    const puzzle = { game: game.value, text: text.value }, asked = ++latest, saved = kept(puzzle.game);
    const opened = await hand(board, $('#desk'), puzzle, saved?.text === puzzle.text ? saved : null,
      (words, kind) => { told = []; say(words || 'Draw with a finger or the mouse; with keys: arrows move, Space puts the finger down and lifts it.', kind); },
      played => keep(puzzle.game, { text: puzzle.text, ...played }));
    if (asked !== latest) { opened.end(); return; }
    table = opened;
    stop = opened.end;
  });
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
  // read recognises the puzzle in a picture, and solves it.
  async function read(file) {
    if (!file) return;
    forget();
    const asked = ++latest;
    text.value = '';
    drawn = null;
    draw();
    problem.textContent = 'Reading the picture…';
    problem.className = '';
    const closer = setTimeout(() => { if (asked === latest) problem.textContent = 'No board is clear at first sight; looking closer…'; }, 1500);
    try {
      const sent = await ask('/api/pictures', file), found = await ask(`/api/pictures/${sent.id}/puzzle`, {});
      if (asked !== latest) return;
      take(found);
      problem.textContent = '';
      draw();
      await solved();
    } catch (e) {
      if (asked !== latest) return;
      problem.textContent = e.message;
      problem.className = 'bad';
    } finally { clearTimeout(closer); }
  }
  $('[name=file]').onchange = e => read(e.target.files[0]);
  $('#generate').onsubmit = e => {
    e.preventDefault();
    const seed = $('#generate [name=seed]');
    forget();
    return searched('/api/generate', { ...wanted(), seed: +seed.value || 0 }, 'generating…', a => {
      seed.value = (+seed.value || 0) + 1;
      problem.textContent = '';
      take(a);
      draw();
      say('A new puzzle.', '');
    });
  };
  $('[name=link]').onclick = attempt(async () => {
    const link = `${location.origin}/${location.hash}`;
    await navigator.clipboard.writeText(link).catch(() => prompt('The link to this board', link));
    say('The link to this board is copied.', 'good');
  });
  for (const b of main.querySelectorAll('[data-save]')) b.onclick = attempt(() => save(b.dataset.save));
  // save downloads the board as it is shown.
  async function save(kind) {
    const shown = board.querySelector('svg')?.cloneNode(true);
    for (const e of shown?.querySelectorAll('.spot, .cursor') ?? []) e.remove();
    let blob = new Blob([text.value + '\n' + ($('#text').hidden ? '' : `\n${$('#text pre').textContent}\n`)], { type: 'text/plain' });
    if (kind !== 'txt' && shown) {
      const { width, height } = shown.viewBox.baseVal, pitch = Math.min(100, 4000 / Math.max(width, height));
      shown.setAttribute('xmlns', shown.namespaceURI);
      shown.setAttribute('width', Math.round(width * pitch));
      shown.setAttribute('height', Math.round(height * pitch));
      blob = new Blob([new XMLSerializer().serializeToString(shown).replace(/light-dark\(([^,]*),[^)]*\)/g, '$1').replaceAll('currentColor', '#1e2026')], { type: 'image/svg+xml' });
      if (kind === 'png') blob = await raster(blob);
    }
    const url = URL.createObjectURL(blob);
    el('a', { href: url, download: `${game.value}.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }
  async function raster(blob) {
    const image = new Image(), url = URL.createObjectURL(blob);
    image.src = url;
    await image.decode();
    URL.revokeObjectURL(url);
    const canvas = el('canvas', { width: image.width, height: image.height });
    canvas.getContext('2d').drawImage(image, 0, 0);
    return new Promise(done => canvas.toBlob(done, 'image/png'));
  }

  // A link says which puzzle; else it is the one that was shown last.
  const [, name, ...linked] = location.hash.slice(1).split('/');
  game.value = [name, kept('game'), known[0].name].find(n => known.some(g => g.name === n));
  offer();
  await (linked.length ? set(decodeURIComponent(linked.join('/'))) : begin());
  return Object.assign(() => { clearTimeout(timer); latest++; stop(); }, { take: read });
}
