// Calibrate: a screenshot with the layout found on it, which can be corrected.
import { ask, attempt, el, fill, games, listen, svg } from './page.js';
import { scene as drawing } from './boards.js';
import { stage } from './stage.js';

export async function calibrate(main) {
  const known = (await games()).filter(g => g.reads);
  const $ = s => main.querySelector(s), drop = $('#drop'), form = $('#layout');
  let kept = null;     // the picture: {id, width, height}
  let draft = null;    // the layout shown
  const past = [];     // earlier drafts, for undo
  const unknown = { board: [0, 0, 0, 0], rows: 0, cols: 0, signs: false, alike: [] }; // all of it to be found out
  let chosen = null;   // the first of two marks that are tapped: [column, row]
  let drag = null;     // what a finger moves: {begun, put}
  let view = null, last = null, latest = 0, queue = Promise.resolve();
  const game = $('[name=game]'), phone = $('[name=phone]'), field = name => form.querySelector(`[name=${name}]`);
  fill(game, known.map(g => g.name), known[0]?.name);
  const close = listen(true, { phones: ({ serials }) => fill(phone, serials, phone.value), phone() {} });

  async function open(taken) {
    kept = taken;
    past.length = 0;
    draft = { ...structuredClone(unknown), buttons: [], colours: [], several: false, uncovered: false };
    chosen = null;
    const place = el('div', { class: 'stage' });
    drop.replaceChildren(place);
    view = stage(place, 'Screenshot');
    view.over.removeAttribute('aria-hidden');
    draggable();
    await view.picture(`/api/pictures/${kept.id}`, 1);
    forget();
    await read();
  }
  // forget takes away what was said of another picture.
  function forget() {
    form.hidden = true;
    $('#saved').textContent = $('#boardtext').textContent = '';
    $('#boardpicture').replaceChildren();
    tell('Reading the picture…', '');
  }
  function tell(text, kind) {
    $('#verdict').textContent = text;
    $('#verdict').className = kind;
  }

  // read asks what the picture shows with the draft, and shows it. Requests wait
  // for each other; of those waiting only the newest is sent.
  function read() {
    const asked = ++latest;
    queue = queue.then(async () => {
      if (asked !== latest) return;
      try {
        const a = await ask(`/api/pictures/${kept.id}/read`, { game: game.value, ...draft });
        if (asked !== latest && !drag) return; // while a finger drags, what is known is shown
        const { overlay, scene, text, reason, cells, ...used } = a;
        if (!drag) draft = used;
        last = a;
        show();
      } catch (e) {
        if (asked !== latest) return;
        field('undo').disabled = past.length === 0;
        $('#boardpicture').replaceChildren();
        $('#boardtext').textContent = '';
        tell(e.message, 'bad');
      }
    });
    return queue;
  }

  function show() {
    form.hidden = false;
    view.draw(kept.width, kept.height, last.overlay);
    handles();
    fields();
    tell(last.reason || `${last.cols}×${last.rows} board read`, last.reason ? 'bad' : 'good');
    $('#boardpicture').replaceChildren(...(last.scene ? [drawing(last.scene, `${game.value} board`)] : last.cells?.length ? [colours(last)] : []));
    $('#boardtext').textContent = last.text ?? '';
    field('undo').disabled = past.length === 0;
  }

  function fields() {
    field('rows').value = draft.rows || last.rows || '';
    field('cols').value = draft.cols || last.cols || '';
    ['left', 'top', 'right', 'bottom'].forEach((name, i) => { field(name).value = draft.board[i]; });
    for (const name of ['signs', 'several', 'uncovered']) field(name).checked = draft[name];
    $('#alike').replaceChildren(...draft.alike.map((pair, i) => el('span', { class: 'row' }, pair.map(nameOf).join(' = '),
      el('button', { type: 'button', 'aria-label': `Forget that ${pair.map(nameOf).join(' and ')} belong together`, onclick: () => change(d => d.alike.splice(i, 1)) }, 'Remove'))));
    $('#buttons').replaceChildren(...draft.buttons.map((b, i) => el('span', { class: 'row' }, `${b.name} at ${b.at.join(', ')}`,
      el('button', { type: 'button', 'aria-label': `Remove the button ${b.name}`, onclick: () => change(d => d.buttons.splice(i, 1)) }, 'Remove'))));
    if (document.activeElement?.type !== 'color') {
      $('#swatches').replaceChildren(...draft.colours.map((c, i) => el('label', {}, c.name,
        el('input', { type: 'color', value: c.colour, 'data-name': c.name, onchange: e => change(d => { d.colours[i] = { ...c, colour: e.target.value }; }) }))));
    }
  }

  // change makes one step that undo takes back.
  function change(make) {
    past.push(structuredClone(draft));
    make(draft);
    $('#saved').textContent = '';
    return read();
  }

  // handles are the corners and buttons, to be dragged or moved by arrow keys.
  function handles() {
    const [l, t, r, b] = draft.board, unit = Math.max(kept.width, kept.height) / 100;
    // At least as large as a fingertip, however small the picture is shown.
    const size = Math.max(1.6 * unit, 14 * kept.width / Math.max(1, view.over.getBoundingClientRect().width));
    const focused = document.activeElement?.getAttribute?.('data-handle');
    if (r > l) {
      view.over.append(svg('rect', { x: l, y: t, width: r - l, height: b - t, class: 'frame', 'stroke-width': unit / 4 }));
      [['top left', 0, 1], ['top right', 2, 1], ['bottom right', 2, 3], ['bottom left', 0, 3]].forEach(([name, x, y]) =>
        handle(name + ' corner', 'handle', draft.board[x], draft.board[y], size, (d, px, py) => { d.board[x] = px; d.board[y] = py; }));
    }
    if (chosen) view.over.append(svg('circle', { cx: l + (chosen[0] + .5) * (r - l) / (draft.cols || last.cols), cy: t + (chosen[1] + .5) * (b - t) / (draft.rows || last.rows), r: .45 * (r - l) / (draft.cols || last.cols), class: 'chosen', 'stroke-width': unit / 2 }));
    draft.buttons.forEach((button, i) => handle('button ' + button.name, 'aim', ...button.at, size, (d, x, y) => { d.buttons[i].at = [x, y]; }));
    if (focused) view.over.querySelector(`[data-handle="${focused}"]`)?.focus();
  }

  const inside = (px, py) => [Math.max(0, Math.min(kept.width, Math.round(px))), Math.max(0, Math.min(kept.height, Math.round(py)))];

  // point is the place of a pointer in the picture, in pixels.
  function point(p) {
    const at = new DOMPoint(p.clientX, p.clientY).matrixTransform(view.over.getScreenCTM().inverse());
    return inside(at.x, at.y);
  }

  // begin lets a pointer move something. The drawing keeps the pointer, since what is
  // on it is drawn anew meanwhile.
  function begin(p, put, tapped) {
    p.preventDefault();
    p.stopPropagation();
    view.over.setPointerCapture(p.pointerId);
    drag = { begun: structuredClone(draft), put, tapped };
  }

  // tap chooses a mark, and pairs the second one that is tapped with it. What was said
  // of either before is forgotten.
  function tap(x, y) {
    const [l, t, r, b] = draft.board, rows = draft.rows || last.rows, cols = draft.cols || last.cols;
    const cell = [Math.floor((x - l) * cols / (r - l)), Math.floor((y - t) * rows / (b - t))];
    if (!(cell[0] >= 0 && cell[1] >= 0 && cell[0] < cols && cell[1] < rows)) return;
    const first = chosen, same = (a, c) => a[0] === c[0] && a[1] === c[1];
    chosen = first ? null : cell;
    if (!first || same(first, cell)) { show(); return; }
    change(d => {
      d.alike = d.alike.filter(pair => !pair.some(c => same(c, first) || same(c, cell)));
      d.alike.push([first, cell]);
      Object.assign(d, { rows, cols, signs: true });
    });
  }

  // nameOf is the name of a cell, as the command line has it.
  const nameOf = ([col, row]) => (col >= 26 ? String.fromCharCode(64 + Math.floor(col / 26)) : '') + String.fromCharCode(65 + col % 26) + (row + 1);

  // draggable lets a pointer move handles, and draw a new rectangle beside them.
  function draggable() {
    const least = 16; // pixels between two sides of a board
    view.over.onpointerdown = p => {
      const [x, y] = point(p);
      begin(p, (d, px, py) => {
        if (Math.abs(px - x) < least || Math.abs(py - y) < least) return;
        Object.assign(d, { rows: 0, cols: 0, alike: [], board: [Math.min(x, px), Math.min(y, py), Math.max(x, px), Math.max(y, py)] });
        chosen = null;
      }, [x, y]);
    };
    view.over.onpointermove = p => {
      if (!drag) return;
      draft = structuredClone(drag.begun);
      drag.put(draft, ...point(p));
      const [l, t, r, b] = draft.board;
      if (r - l < least || b - t < least) return;
      view.over.querySelectorAll('.handle, .aim, .frame, .chosen').forEach(e => e.remove());
      handles();
      read();
    };
    view.over.onpointerup = view.over.onpointercancel = () => {
      if (!drag) return;
      const { begun, tapped } = drag, target = draft;
      draft = begun;
      drag = null;
      if (JSON.stringify(begun) !== JSON.stringify(target)) change(d => Object.assign(d, target));
      else if (tapped) tap(...tapped);
    };
  }

  function handle(name, kind, x, y, radius, put) {
    const e = svg('circle', { cx: x, cy: y, r: radius, class: kind, tabindex: 0, role: 'button', 'aria-label': `${name}, arrow keys move`, 'data-handle': name, 'stroke-width': radius / 6 });
    e.addEventListener('pointerdown', p => {
      e.focus();
      begin(p, put);
    });
    e.addEventListener('keydown', k => {
      const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[k.key];
      if (!d) return;
      k.preventDefault();
      const step = k.shiftKey ? 10 : 1, at = inside(+e.getAttribute('cx') + step * d[0], +e.getAttribute('cy') + step * d[1]);
      change(n => put(n, ...at));
    });
    view.over.append(e);
  }

  for (const name of ['rows', 'cols']) field(name).onchange = e => change(d => { d[name] = Math.max(0, +e.target.value || 0); });
  ['left', 'top', 'right', 'bottom'].forEach((name, i) => { field(name).onchange = e => change(d => { d.board[i] = Math.round(+e.target.value) || 0; }); });
  for (const name of ['signs', 'several', 'uncovered']) field(name).onchange = e => change(d => { d[name] = e.target.checked; });
  $('#newbutton').onsubmit = e => {
    e.preventDefault();
    const name = e.target.elements.name.value;
    if (draft.buttons.some(b => b.name === name)) return;
    change(d => d.buttons.push({ name, at: [Math.round(kept.width / 2), Math.round(kept.height * .9)] }));
  };
  field('undo').onclick = () => { if (past.length) { draft = past.pop(); read(); } };
  field('detect').onclick = () => change(d => Object.assign(d, structuredClone(unknown)));
  field('save').onclick = attempt(async () => {
    await queue;
    const { file } = await ask(`/api/pictures/${kept.id}/save`, { game: game.value, ...draft });
    $('#saved').textContent = `Saved as ${file}`;
    $('#saved').className = 'good';
  });
  game.onchange = () => { if (kept) change(d => Object.assign(d, structuredClone(unknown), { buttons: [], colours: [] })); };

  // opened opens a picture that comes, and says where none does.
  async function opened(picture) {
    forget();
    drop.replaceChildren();
    try { await open(await picture); } catch (e) { tell(e.message, 'bad'); }
  }
  const send = file => { if (file) return opened(ask('/api/pictures', file)); };
  $('[name=take]').onclick = () => phone.value ? opened(ask(`/api/phones/${encodeURIComponent(phone.value)}/picture`, {})) : tell('There is no phone.', 'bad');
  $('[name=file]').onchange = e => send(e.target.files[0]);
  return Object.assign(() => { close(); view?.close(); }, { take: send });
}

// colours draws the colours in the cells of a board that is refused.
function colours({ cells, rows, cols, reason }) {
  const root = svg('svg', { viewBox: `-.1 -.1 ${cols + .2} ${rows + .2}`, role: 'img', 'aria-label': `colours of ${cols}×${rows} cells; ${reason}` });
  cells.forEach((colour, i) => {
    const x = i % cols, y = Math.floor(i / cols);
    root.append(svg('rect', { x, y, width: 1, height: 1, class: 'cell' }), svg('rect', { x: x + .2, y: y + .2, width: .6, height: .6, rx: .1, fill: colour, class: 'gem' }));
  });
  return root;
}
