// The notation of a game on squares under a finger, from what the game tells of it
// (solvers.GridPage); the head of boards.js tells what is asked of it.
import { around, box, erase, line, names, replaced, sign } from './boards.js';

// renamed gives letters in the order in which they first appear.
function renamed(rows) {
  const found = names(rows.flat(), []);
  return rows.map(l => l.map(x => String.fromCharCode(65 + found.indexOf(x))));
}

export const grid = g => ({
  keys: !g.numbers,
  tools: [
    ...g.numbers ? [['Number', 'number', [{ kind: 'disc', points: [[.5, .5]], size: .36, colour: 'currentColor' }, { ...sign('1'), colour: 'var(--field)' }]], ['Erase', g.entries[0], erase]]
      : g.entries.map(e => [e, e, [...g.grounds[e] ? [box(g.grounds[e])] : [], ...g.marks[e]?.shapes ?? (g.regions ? [sign(e)] : [])]]),
    ...g.walls ? [['Wall', 'wall', [line(.16, [.5, .1], [.5, .9])]]] : [],
  ],
  blank(rows, cols) {
    if (g.regions) cols = rows = Math.min(rows, g.entries.length);
    return this.text({ rows: Array.from({ length: rows }, (_, r) => Array(cols).fill(g.entries[g.regions ? r : 0])), walls: [] });
  },
  read(text) {
    const lines = text.replace(/\s+$/, '').split('\n');
    const walls = g.walls && /^walls /.test(lines[lines.length - 1]) ? lines.pop().split(' ').slice(1) : [];
    return { rows: lines.map(l => l.split(g.separator)), walls };
  },
  text: ({ rows, walls }) => [...rows.map(l => l.join(g.separator)), ...walls.length ? ['walls ' + walls.join(' ')] : []].join('\n'),
  // numbered is what a cell holds after a click: the first number that is missing, or
  // nothing where there was one.
  numbered(rows, x) {
    if (x !== g.entries[0]) return g.entries[0];
    let n = 1;
    while (rows.flat().includes(String(n))) n++;
    return String(n);
  },
  put(m, r, c, value) {
    const held = m.rows[r][c], next = g.entries[(g.entries.indexOf(held) + 1) % g.entries.length];
    if (g.numbers) value = value === 'number' ? this.numbered(m.rows, held) : g.entries[0];
    else if (value === held && !g.regions) value = next;
    const rows = replaced(m.rows, r, c, value);
    return this.text({ rows: g.regions ? renamed(rows) : rows, walls: m.walls });
  },
  // edges are the borders of neighbouring cells: their middles, and the wall's name.
  edges(m) {
    const found = [];
    m.rows.forEach((l, r) => l.forEach((_, c) => {
      if (c + 1 < l.length) found.push({ x: c + 1, y: r + .5, wall: `${r + 1},${c + 1}|${r + 1},${c + 2}` });
      if (m.rows[r + 1]?.[c] !== undefined) found.push({ x: c + .5, y: r + 1, wall: `${r + 1},${c + 1}|${r + 2},${c + 1}` });
    }));
    return found;
  },
  draw(text, tool) {
    const m = this.read(text);
    const spots = tool === 'wall' ? this.edges(m).map(({ x, y, wall }) => {
      const walled = m.walls.includes(wall);
      return { x, y, points: [[x - .5, y], [x, y - .5], [x + .5, y], [x, y + .5]], shows: '', name: `between ${wall.replace('|', ' and ')}: ${walled ? 'wall' : 'open'}`,
        put: () => this.text({ rows: m.rows, walls: this.edges(m).map(e => e.wall).filter(w => w === wall ? !walled : m.walls.includes(w)) }) };
    }) : m.rows.flatMap((l, r) => l.map((x, c) => ({
      points: around(c + .5, r + .5), x: c + .5, y: r + .5, shows: x === '.' ? '' : x, name: `row ${r + 1} column ${c + 1}: ${x === g.entries[0] && !g.regions ? 'empty' : x}`,
      put: value => this.put(m, r, c, value),
    })));
    return { margin: .2, width: Math.max(1, ...m.rows.map(l => l.length)), height: m.rows.length, spots };
  },
});
