// The drawing of a game on squares from what the game tells of its notation
// (solvers.GridPage): grounds, regions, marks, numbers and walls of cells; paths.
import { circle, growing, line, names, points, polygon, replaced, shape, svg } from './draw.js';

const square = (r, c) => [[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]];
const reach = .32; // of the places to click for a wall, to its sides, in parts of its length
const dark = '#16181c'; // lines on grounds of any colour

// renamed gives letters in the order in which they first appear.
function renamed(rows) {
  const found = names(rows.flat(), []);
  return rows.map(l => l.map(x => String.fromCharCode(65 + found.indexOf(x))));
}

export const grid = g => ({
  keys: !g.numbers,
  tools: g.numbers ? [['Number', 'number'], ['Erase', g.entries[0]]] : g.entries.map(e => [e, e]),
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
  // edges are the borders of neighbouring cells: their ends, and the wall's name.
  edges(m) {
    const found = [];
    m.rows.forEach((l, r) => l.forEach((x, c) => {
      if (c + 1 < l.length) found.push({ ends: [c + 1, r, c + 1, r + 1], wall: `${r + 1},${c + 1}|${r + 1},${c + 2}`, apart: x !== l[c + 1] });
      const below = m.rows[r + 1]?.[c];
      if (below !== undefined) found.push({ ends: [c, r + 1, c + 1, r + 1], wall: `${r + 1},${c + 1}|${r + 2},${c + 1}`, apart: x !== below });
    }));
    return found;
  },
  // held is what a cell shows by what it holds, with its ground or without.
  held(x, r, c, ground, numbers) {
    const out = [];
    if (ground && g.grounds[x]) out.push(polygon(square(r, c), { fill: g.grounds[x], stroke: dark, 'stroke-width': .02 }));
    if (g.marks[x]) out.push(svg('g', { transform: `translate(${c} ${r})` }, ...g.marks[x].shapes.map(shape)));
    if (numbers && /^\d+$/.test(x)) out.push(circle(c + .5, r + .5, .33, { fill: 'var(--wall)' }),
      Object.assign(svg('text', { x: c + .5, y: r + .5, class: 'letter', fill: 'var(--board)', 'font-size': .4 }), { textContent: x }));
    return out;
  },
  draw(text) {
    const m = this.read(text), back = [], tops = [], spots = [], cols = Math.max(1, ...m.rows.map(l => l.length));
    m.rows.forEach((l, r) => l.forEach((x, c) => {
      const shown = this.held(x, r, c, true, g.numbers);
      if (!g.grounds[x]) back.push(polygon(square(r, c), { class: 'cell' }));
      (g.numbers ? tops : back).push(...shown);
      spots.push({ points: square(r, c), x: c + .5, y: r + .5, name: `row ${r + 1} column ${c + 1}: ${x === g.entries[0] && !g.regions ? 'empty' : x}`,
        put: value => this.put(m, r, c, value) });
    }));
    for (const { ends: [x1, y1, x2, y2], wall, apart } of this.edges(m)) {
      const walled = m.walls.includes(wall), x = (x1 + x2) / 2, y = (y1 + y2) / 2, along = [(x2 - x1) / 2, (y2 - y1) / 2];
      if (g.regions && apart) back.push(svg('line', { x1, y1, x2, y2, stroke: dark, 'stroke-width': .09, 'stroke-linecap': 'round' }));
      if (walled) tops.push(line(x1, y1, x2, y2, 'wall'));
      if (g.walls) spots.push({ x, y, points: [[x - along[0], y - along[1]], [x + reach * along[1], y + reach * along[0]], [x + along[0], y + along[1]], [x - reach * along[1], y - reach * along[0]]],
        name: `between ${wall.replace('|', ' and ')}: ${walled ? 'wall' : 'open'}`,
        put: () => this.text({ rows: m.rows, walls: this.edges(m).map(e => e.wall).filter(w => w === wall ? !walled : m.walls.includes(w)) }) });
    }
    if (g.regions) back.push(svg('rect', { x: 0, y: 0, width: cols, height: m.rows.length, fill: 'none', stroke: dark, 'stroke-width': .12 }));
    return { box: [0, 0, cols, m.rows.length], back, tops, spots, model: { cols } };
  },
  steps(m, solved) {
    if (solved.paths) return growing(solved.paths, i => [i % m.cols + .5, Math.floor(i / m.cols) + .5], () => true,
      run => svg('polyline', { points: points(run), class: 'pipe', stroke: g.tint }));
    const pictures = solved.pictures ?? [], texts = solved.texts ?? [];
    return { count: Math.max(0, pictures.length - 1), say: k => texts[k - 1],
      at: k => pictures[k].split('\n').flatMap((l, r) => [...l].flatMap((x, c) => this.held(x, r, c, !g.regions))) };
  },
});
