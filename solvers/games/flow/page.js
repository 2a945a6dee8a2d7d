// The drawing of Flow on the page; the head of its boards.js tells what is asked of it.
import { points, line, polygon, replaced, names, nextEnd, dot, growing, svg, hue } from '/draw.js';

export default {
  keys: true,
  tools: [['End', 'end'], ['Erase', '.'], ['No cell', '#'], ['Bridge', '+'], ['Wall on the right', 'wall-right'], ['Wall below', 'wall-below']],
  blank: (rows, cols) => Array(rows).fill('.'.repeat(cols)).join('\n'),
  read(text) {
    const lines = text.replace(/\s+$/, '').split('\n');
    const m = { head: [], shape: 'square', walls: [], numbers: false };
    while (lines.length > 1) {
      if (/^\d+ \d+$/.test(lines[0])) m.size = lines[0];
      else if (/^(hex|warp)$/.test(lines[0])) m.shape = lines[0];
      else if (/^walls /.test(lines[0])) m.walls = lines[0].split(' ').slice(1);
      else break;
      lines.shift();
    }
    m.numbers = lines.some(l => l.trim().includes(' '));
    m.rows = lines.map(l => m.numbers ? l.trim().split(/\s+/) : [...l]);
    m.cols = Math.max(...m.rows.map(r => r.length), 1);
    for (const r of m.rows) while (r.length < m.cols) r.push(m.numbers ? '-' : '.');
    m.cells = m.rows.flat();
    m.names = names(m.cells, ['.', '-', '#', '+']);
    const root = Math.sqrt(3) / 2;
    m.at = i => {
      const r = Math.floor(i / m.cols), c = i % m.cols;
      return m.shape === 'hex' ? [(c + .667) * root, r + (c % 2 ? .5 : 1)] : [c + .5, r + .5];
    };
    return m;
  },
  write(m, rows = m.rows, walls = m.walls) {
    return [...(m.numbers ? [`${rows.length} ${m.cols}`] : []), ...(m.shape === 'square' ? [] : [m.shape]),
      ...(walls.length ? ['walls ' + walls.join(' ')] : []), ...rows.map(r => r.join(m.numbers ? ' ' : ''))].join('\n');
  },
  draw(text) {
    const m = this.read(text), back = [], spots = [], hex = m.shape === 'hex', s = 1 / Math.sqrt(3);
    const outline = ([x, y]) => hex ? [[x - s, y], [x - s / 2, y - .5], [x + s / 2, y - .5], [x + s, y], [x + s / 2, y + .5], [x - s / 2, y + .5]]
      : [[x - .5, y - .5], [x + .5, y - .5], [x + .5, y + .5], [x - .5, y + .5]];
    const tops = [];
    m.cells.forEach((c, i) => {
      const at = m.at(i), [x, y] = at, r = Math.floor(i / m.cols), k = i % m.cols;
      back.push(polygon(outline(at), { class: c === '#' ? 'hole' : 'cell' }));
      if (c === '+') tops.push(line(x - .5, y - .16, x + .5, y - .16, 'gap'), line(x - .5, y + .16, x + .5, y + .16, 'gap'), line(x - .16, y - .5, x - .16, y + .5, 'gap'), line(x + .16, y - .5, x + .16, y + .5, 'gap'));
      const j = m.names.indexOf(c);
      if (j >= 0) tops.push(...dot(x, y, .33, c, j, m.names.length));
      spots.push({
        points: outline(at), x, y, name: `row ${r + 1} column ${k + 1}: ${c === '.' || c === '-' ? 'empty' : c}`,
        put: value => {
          if (value.startsWith('wall')) {
            const [r2, k2] = value === 'wall-right' ? [r, k + 1] : [r + 1, k];
            if (k2 >= m.cols && m.shape !== 'warp' || r2 >= m.rows.length && m.shape !== 'warp') return text;
            const wall = `${r},${k}|${r2 % m.rows.length},${k2 % m.cols}`;
            return this.write(m, m.rows, m.walls.includes(wall) ? m.walls.filter(w => w !== wall) : [...m.walls, wall]);
          }
          if (value === 'end') value = j >= 0 ? '.' : nextEnd(m.cells, ['.', '-', '#', '+']);
          if (m.numbers && value === '.') value = '-';
          return this.write(m, replaced(m.rows, r, k, c === value ? (m.numbers ? '-' : '.') : value));
        },
      });
    });
    for (const w of m.walls) {
      const n = w.split(/[,|]/).map(Number);
      if (n.length !== 4 || n.some(Number.isNaN)) continue;
      const a = m.at(n[0] * m.cols + n[1]), b = m.at(n[2] * m.cols + n[3]);
      const far = Math.hypot(b[0] - a[0], b[1] - a[1]) > 1.2;
      const d = far ? [Math.sign(a[0] - b[0]), Math.sign(a[1] - b[1])] : [b[0] - a[0], b[1] - a[1]], half = hex ? s / 2 : .5;
      for (const [p, sign] of far ? [[a, 1], [b, -1]] : [[a, 1]]) {
        const x = p[0] + sign * d[0] / 2, y = p[1] + sign * d[1] / 2;
        tops.push(line(x - d[1] * half, y + d[0] * half, x + d[1] * half, y - d[0] * half, 'wall'));
      }
    }
    const box = hex ? [0, 0, (m.cols - 1) * Math.sqrt(3) / 2 + 1.155, m.rows.length + .5] : [0, 0, m.cols, m.rows.length];
    return { box, back, tops, spots, model: m };
  },
  steps(m, solved) {
    const near = (a, b) => { const [p, q] = [m.at(a), m.at(b)]; return Math.hypot(p[0] - q[0], p[1] - q[1]) < 1.2; };
    const number = path => Math.max(0, m.names.indexOf(m.cells[path[0]]));
    return growing(solved.paths, m.at, near, (run, i) =>
      svg('polyline', { points: points(run), class: 'pipe', stroke: hue(number(solved.paths[i]), m.names.length) }));
  },
};
