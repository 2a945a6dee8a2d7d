// A puzzle played on its board. The server has the rules of the game's own app: it is told all
// that a finger did since the beginning, so that a stroke is taken back by leaving it out.
import { ask, say } from './page.js';
import { canvas, nearest } from './boards.js';

const least = .08; // how far a finger moves before it is told, in pitches

// hand shows the board in a place and plays what was saved: {strokes, seconds}. It calls told
// with words and their kind, and save with what is to be saved. It returns what ends it, and
// what the hint needs to know.
export async function hand(place, bar, puzzle, saved, told, save) {
  const board = canvas('The puzzle, to be played: arrow keys move, Space puts the finger down and lifts it'), root = board.root;
  const [undo, redo, check, reset] = ['undo', 'redo', 'check', 'reset'].map(n => bar.querySelector(`[name=${n}]`)), clock = bar.querySelector('output');
  let made = saved?.strokes ?? [], boards = [], undone = [], stroke = null, settled = '', seconds = saved?.seconds ?? 0;
  let answer = null, at = 0, busy = false, again = false, judged = false, ended = false;

  async function flush() {
    if (busy) { again = true; return; }
    busy = true;
    do {
      again = false;
      const down = !!stroke, strokes = down ? [...made, stroke] : [...made], check = judged;
      judged = false;
      try {
        const a = await ask('/api/play', { ...puzzle, strokes, down, check });
        if (ended) return;
        const now = JSON.stringify(a.scene), changed = answer && now !== JSON.stringify(answer.scene);
        answer = a;
        board.show(a.scene);
        if (!down) {
          // What changed nothing is not taken back.
          if (now === settled && made.length === strokes.length && made.length === boards.length) made = made.slice(0, -1);
          while (boards.length < made.length) boards.push({}); // they are not known
          boards[made.length] = a.board;
          settled = now;
        }
        show();
        if (a.won) told('You have solved it.', 'good');
        else if (check) told(a.text, a.wrong ? 'bad' : 'good');
        else if (changed) told('', '');
      } catch (e) { say(e); }
    } while (again && !ended);
    busy = false;
  }
  function show() {
    undo.disabled = made.length === 0;
    redo.disabled = undone.length === 0;
    check.disabled = answer?.won;
    const a = answer, cursor = a?.places[at];
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} · ${a?.moves ?? 0} move${a?.moves === 1 ? '' : 's'}`;
    if (cursor) root.setAttribute('aria-label', `${puzzle.game} board, ${stroke ? 'finger down at' : 'at'} ${cursor.name}; arrow keys move, Space puts the finger down and lifts it`);
    mark();
    save({ strokes: made, seconds });
  }
  // mark shows where the keys are.
  function mark() {
    root.querySelector('.cursor')?.remove();
    const p = answer?.places[at];
    if (!p || !root.matches(':focus-visible')) return;
    const c = document.createElementNS(root.namespaceURI, 'circle');
    for (const [k, v] of Object.entries({ cx: p.x, cy: p.y, r: .3, class: stroke ? 'cursor pressed' : 'cursor' })) c.setAttribute(k, v);
    root.append(c);
  }
  function begin(p) { if (!answer?.won) { stroke = [p]; flush(); } }
  function go(p) {
    const last = stroke?.at(-1);
    if (last && Math.hypot(p[0] - last[0], p[1] - last[1]) > least) { stroke.push(p); flush(); }
  }
  function end() {
    if (!stroke) return;
    made = [...made, stroke];
    stroke = null;
    undone = [];
    return flush();
  }
  const point = e => {
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(root.getScreenCTM().inverse());
    return [+p.x.toFixed(2), +p.y.toFixed(2)];
  };
  root.classList.add('played');
  root.setAttribute('tabindex', 0);
  root.setAttribute('role', 'application');
  root.onpointerdown = e => { e.preventDefault(); root.focus({ focusVisible: false }); root.setPointerCapture(e.pointerId); begin(point(e)); };
  root.onpointermove = e => { if (stroke) for (const c of e.getCoalescedEvents?.() ?? [e]) go(point(c)); };
  root.onpointerup = end;
  root.onpointercancel = end;
  root.onfocus = root.onblur = mark;
  root.onkeypress = e => e.preventDefault(); // Space does not scroll
  root.onkeydown = k => {
    if (k.altKey || !answer) return;
    const to = nearest(answer.places, answer.places[at], k.key), here = () => [answer.places[at].x, answer.places[at].y];
    if ((k.ctrlKey || k.metaKey) && /^[zy]$/i.test(k.key)) (k.key === 'y' || k.shiftKey ? forth : back)();
    else if (k.ctrlKey || k.metaKey) return;
    else if (to >= 0) { at = to; go(here()); show(); }
    else if (k.key === ' ' || k.key === 'Enter') { if (stroke) end(); else begin(here()); mark(); }
    else if (/^[a-z0-9]$/i.test(k.key)) type(k.key);
    else if (!k.key.startsWith('Arrow')) return;
    k.preventDefault();
  };
  // type taps the key, or the choice, of that name, after it has opened the choice at the cell.
  async function type(key) {
    const find = () => answer.places.find(p => [key.toUpperCase(), `key ${key}`].includes(p.name)), tap = async p => { begin([p.x, p.y]); await end(); };
    if (stroke || busy) return;
    const cell = answer.places[at];
    if (find() === undefined || find().name.startsWith('key')) await tap(cell);
    if (find()) await tap(find());
    at = Math.max(0, answer.places.findIndex(p => p.name === cell.name));
    show();
  }
  // back takes the last stroke back, and those before it that only chose a cell for it.
  function back() {
    const group = [];
    do { group.unshift(made.at(-1)); made = made.slice(0, -1); boards.length = made.length + 1; } while (made.length && boards[made.length] === boards[made.length - 1]);
    settled = '';
    undone.push(group);
    flush();
  }
  function forth() {
    const group = undone.pop();
    if (group) { made = [...made, ...group]; settled = ''; flush(); }
  }
  undo.onclick = () => made.length && back();
  redo.onclick = forth;
  reset.onclick = () => { if (made.length) undone.push(made); made = []; boards = []; settled = ''; seconds = 0; flush(); };
  check.onclick = () => { judged = true; flush(); };
  const ticking = setInterval(() => { if (answer && !answer.won && !document.hidden) { seconds++; show(); } }, 1000);
  place.replaceChildren(root);
  bar.hidden = false;
  await flush();
  return { strokes: () => made, explain: board.show, end() { ended = true; clearInterval(ticking); bar.hidden = true; } };
}
