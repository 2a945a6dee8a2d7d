// The drawing of Adrift on the page; the head of its boards.js tells what is asked of it.
import { points, polygon, replaced, names, nextEnd, dot, growing, svg, hue } from '/draw.js';

export default {
  keys: true,
  tools: [['End', 'end'], ['Stone', 'X'], ['Erase', '.']],
  blank: rows => Array(3 * Math.max(2, Math.min(7, rows))).fill(Array(Math.max(2, Math.min(7, rows))).fill('.').join(' ')).join('\n'),
  read(text) {
    const rows = text.replace(/\s+$/, '').split('\n').map(l => l.trim().split(/\s+/));
    const n = Math.max(1, Math.floor(rows.length / 3)), h = Math.sqrt(3) / 2;
    const place = (r, c) => { // a point of the faces, below each other
      const face = Math.min(2, Math.floor(r / n)), v = r - face * n;
      if (face === 0) return [c * h + (n - v) * h, n / 2 + c / 2 - (n - v) / 2];
      if (face === 1) return [c * h, n / 2 + c / 2 + v];
      return [(n + c) * h, n - c / 2 + v];
    };
    // The corner of a cell belongs to the cell's own face.
    const corner = (r, c, dr, dc) => {
      const a = place(r, c), face = Math.min(2, Math.floor(r / n));
      const right = face === 0 ? [h, .5] : face === 1 ? [h, .5] : [h, -.5], down = face === 0 ? [-h, .5] : [0, 1];
      return [a[0] + dc * right[0] + dr * down[0], a[1] + dc * right[1] + dr * down[1]];
    };
    const cells = rows.flatMap(r => Array.from({ length: n }, (_, c) => r[c] ?? '.'));
    return { rows: rows.slice(0, 3 * n).map(r => Array.from({ length: n }, (_, c) => r[c] ?? '.')), n, cells, corner, names: names(cells, ['.', 'X']),
      at: i => corner(Math.floor(i / n), i % n, .5, .5) };
  },
  draw(text) {
    const m = this.read(text), back = [], tops = [], spots = [];
    m.cells.forEach((c, i) => {
      const r = Math.floor(i / m.n), k = i % m.n, [x, y] = m.at(i);
      const shape = [m.corner(r, k, 0, 0), m.corner(r, k, 0, 1), m.corner(r, k, 1, 1), m.corner(r, k, 1, 0)];
      back.push(polygon(shape, { class: c === 'X' ? 'stone' : 'cell' }));
      const j = m.names.indexOf(c);
      if (j >= 0) tops.push(...dot(x, y, .3, c, j, m.names.length));
      spots.push({ points: shape, x, y, name: `${['top', 'left', 'right'][Math.floor(r / m.n)]} face, row ${r % m.n + 1} column ${k + 1}: ${c === '.' ? 'empty' : c === 'X' ? 'stone' : c}`,
        put: value => {
          if (value === 'end') value = j >= 0 ? '.' : nextEnd(m.cells, ['.', 'X']);
          return replaced(m.rows, r, k, c === value ? '.' : value).map(l => l.join(' ')).join('\n');
        } });
    });
    return { box: [0, 0, m.n * Math.sqrt(3), 2 * m.n], back, tops, spots, model: m };
  },
  steps(m, solved) {
    const number = path => Math.max(0, m.names.indexOf(m.cells[path[0]]));
    return growing(solved.paths, m.at, () => true, (run, i) =>
      svg('polyline', { points: points(run), class: 'pipe', stroke: hue(number(solved.paths[i]), m.names.length) }));
  },
};
