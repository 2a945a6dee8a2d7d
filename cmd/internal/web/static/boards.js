// How the boards of the five games are drawn and edited. A game here is an
// object of
//   blank(rows, cols)      the text of an empty board
//   tools                  what can be put on a board: [name, value]
//   draw(text)             {box, back, spots, model}: the picture's bounds in
//                          cells, its elements, and the places to click, each
//                          {x, y, w, h or points, name, put(value) → text}
//   steps(model, solved)   {count, at(k) → elements}: the solution coming about
// A text that is only part of a puzzle is drawn as far as it goes.
import { svg, hue } from './page.js';

const points = list => list.map(p => p.map(x => +x.toFixed(3)).join()).join(' ');
const line = (x1, y1, x2, y2, c) => svg('line', { x1, y1, x2, y2, class: c });
const circle = (cx, cy, r, more) => svg('circle', { cx, cy, r, ...more });
const polygon = (list, more) => svg('polygon', { points: points(list), ...more });
const replaced = (lines, r, c, value) => lines.map((l, i) => i === r ? l.map((x, j) => j === c ? value : x) : l);
const letterOf = i => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[i] || '?';

// names numbers the labels in the order they appear.
function names(cells, none) {
  const found = [];
  for (const c of cells) if (!none.includes(c) && !found.includes(c)) found.push(c);
  return found;
}

// nextEnd is the letter whose second end is missing, or a new one.
function nextEnd(cells, none) {
  const all = names(cells, none);
  const half = all.find(n => cells.filter(c => c === n).length === 1);
  for (let i = 0; half === undefined; i++) if (!all.includes(letterOf(i)) && !none.includes(letterOf(i))) return letterOf(i);
  return half;
}

function dot(x, y, r, name, i, n) {
  return [circle(x, y, r, { fill: hue(i, n) }),
    Object.assign(svg('text', { x, y, class: 'letter', fill: '#10151a', 'font-size': r }), { textContent: name })];
}

// growing draws pipes up to their k-th cell, all together; at returns a cell's
// middle.
function growing(paths, at, joined, draw) {
  const count = paths.reduce((n, p) => n + p.length, 0);
  return {
    count,
    at(k) {
      const out = [];
      paths.forEach((path, i) => {
        const part = path.slice(0, Math.max(0, k));
        k -= path.length;
        if (part.length === 0) return;
        let run = [at(part[0])];
        for (let j = 1; j < part.length; j++) {
          const [a, b] = [at(part[j - 1]), at(part[j])];
          if (joined(part[j - 1], part[j])) { run.push(b); continue; }
          // Around the edge: out of one side and in at the other.
          const d = [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])];
          run.push([a[0] - d[0] * .5, a[1] - d[1] * .5]);
          out.push(draw(run, i));
          run = [[b[0] + d[0] * .5, b[1] + d[1] * .5], b];
        }
        if (run.length > 1) out.push(draw(run, i));
      });
      return out;
    },
  };
}

const flow = {
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

const gems = { R: '#e5484d', O: '#f08c2e', Y: '#f2cf3b', G: '#46a758', B: '#3e8bff', V: '#9d5bd2', W: '#ffffff', X: '#8a6f4d' };
const algemy = {
  tools: [['Erase', '-'], ...Object.keys(gems).map(g => [g, g]), ['Hard colours', 'hard']],
  blank: (rows, cols) => Array(rows).fill(Array(cols).fill('-').join(' ')).join('\n'),
  read(text) {
    const lines = text.replace(/\s+$/, '').split('\n');
    const head = /^(easy|hard)$/.test(lines[0]) ? lines.shift() : '';
    const rows = lines.map(l => l.trim().split(/\s+/));
    const hex = rows.length > 1 && rows[0].length !== rows[Math.floor(rows.length / 2)].length;
    const most = Math.max(...rows.map(r => r.length)), step = hex ? Math.sqrt(3) / 2 : 1;
    const at = (r, c) => [c + .5 + (hex ? (most - rows[r].length) / 2 : 0), r * step + (hex ? .6 : .5)];
    return { head, rows, hex, most, at, step };
  },
  draw(text) {
    const m = this.read(text), back = [], tops = [], spots = [], s = 1 / Math.sqrt(3);
    m.rows.forEach((row, r) => row.forEach((c, k) => {
      const [x, y] = m.at(r, k);
      const shape = m.hex ? [[x, y - s], [x + .5, y - s / 2], [x + .5, y + s / 2], [x, y + s], [x - .5, y + s / 2], [x - .5, y - s / 2]]
        : [[x - .5, y - .5], [x + .5, y - .5], [x + .5, y + .5], [x - .5, y + .5]];
      back.push(polygon(shape, { class: 'cell' }));
      if (c in gems) {
        tops.push(polygon([[x, y - .34], [x + .3, y - .1], [x + .2, y + .3], [x - .2, y + .3], [x - .3, y - .1]], { class: 'gem', fill: gems[c] }),
          Object.assign(svg('text', { x, y: y + .03, class: 'letter', fill: '#10151a', 'font-size': .3 }), { textContent: c }));
      }
      spots.push({ points: shape, x, y, name: `row ${r + 1} column ${k + 1}: ${c === '-' ? 'empty' : 'crystal ' + c}`,
        put: value => value === 'hard'
          ? [...(m.head === 'hard' ? [] : ['hard']), ...m.rows.map(l => l.join(' '))].join('\n')
          : [...(m.head ? [m.head] : []), ...replaced(m.rows, r, k, c === value ? '-' : value).map(l => l.join(' '))].join('\n') });
    }));
    return { box: [0, 0, m.most, m.hex ? (m.rows.length - 1) * m.step + 1.2 : m.rows.length], back, tops, spots, model: m };
  },
  steps(m, solved) {
    const lamps = [];
    solved.solution.split('\n').filter(l => !/^(easy|hard)$/.test(l)).forEach((l, r) => l.trim().split(/\s+/).forEach((c, k) => {
      if (c in gems && m.rows[r]?.[k] === '-') lamps.push([r, k, c]);
    }));
    const here = (x, y) => { // the cell whose middle this is
      for (let r = 0; r < m.rows.length; r++) for (let k = 0; k < m.rows[r].length; k++) {
        const [a, b] = m.at(r, k);
        if (Math.hypot(a - x, b - y) < .2) return m.rows[r][k];
      }
    };
    const ways = m.hex ? [0, 60, 120, 180, 240, 300] : [0, 90, 180, 270];
    const lamp = ([r, k, c]) => {
      const [x, y] = m.at(r, k), out = [];
      for (const way of ways) {
        const d = [Math.cos(way * Math.PI / 180), Math.sin(way * Math.PI / 180)];
        let n = 0;
        while (here(x + d[0] * (n + 1), y + d[1] * (n + 1)) === '-') n++;
        if (here(x + d[0] * (n + 1), y + d[1] * (n + 1)) !== undefined) n += .6;
        if (n > 0) out.push(svg('line', { x1: x, y1: y, x2: x + d[0] * n, y2: y + d[1] * n, class: 'beam', stroke: gems[c] }));
      }
      return [...out, circle(x, y, .26, { fill: gems[c], class: 'gem' }),
        Object.assign(svg('text', { x, y, class: 'letter', fill: '#10151a', 'font-size': .28 }), { textContent: c })];
    };
    return { count: lamps.length, at: k => lamps.slice(0, k).flatMap(lamp) };
  },
};

const alcazar = {
  tools: [['Wall or passage', 'toggle']],
  blank: (rows, cols) => {
    const lines = [];
    for (let r = 0; r <= 2 * rows; r++) {
      let l = '';
      for (let c = 0; c <= 2 * cols; c++) l += r % 2 && c % 2 ? '0' : r % 2 === 0 && c % 2 === 0 || r === 0 || c === 0 || r === 2 * rows || c === 2 * cols ? 'x' : ' ';
      lines.push(l);
    }
    return lines.join('\n');
  },
  read(text) {
    const lines = text.replace(/\n+$/, '').split('\n').map(l => [...l]);
    const width = Math.max(...lines.map(l => l.length));
    for (const l of lines) while (l.length < width) l.push(' ');
    return { lines, rows: (lines.length - 1) / 2, cols: (width - 1) / 2 };
  },
  // beside returns on how many sides of a border there is a room.
  beside(m, i, j) {
    const flat = i % 2 === 0;
    return [-1, 1].filter(d => (flat ? m.lines[i + d]?.[j] : m.lines[i][j + d]) === '0').length;
  },
  draw(text) {
    const m = this.read(text), back = [], tops = [], spots = [];
    for (let r = 0; r < m.rows; r++) for (let c = 0; c < m.cols; c++) if (m.lines[2 * r + 1][2 * c + 1] === '0') back.push(svg('rect', { x: c + .5, y: r + .5, width: 1, height: 1, class: 'cell', stroke: 'none' }));
    m.lines.forEach((l, i) => l.forEach((ch, j) => {
      if (i % 2 === j % 2 || this.beside(m, i, j) === 0) return;
      const x = j / 2 + .5, y = i / 2 + .5, flat = i % 2 === 0, wall = ch === 'x';
      const [dx, dy] = flat ? [.5, 0] : [0, .5];
      (wall ? tops : back).push(line(x - dx, y - dy, x + dx, y + dy, wall ? 'wall' : 'gap'));
      spots.push({ points: [[x - .5, y], [x, y - .5], [x + .5, y], [x, y + .5]].map(([a, b]) => [x + (a - x) * .9, y + (b - y) * .9]), x, y,
        name: `line ${i + 1} place ${j + 1}: ${wall ? 'wall' : 'passage'}`,
        put: () => replaced(m.lines, i, j, wall ? ' ' : 'x').map(s => s.join('')).join('\n') });
    }));
    return { box: [0, 0, m.cols + 1, m.rows + 1], back, tops, spots, model: m };
  },
  steps(m, solved) {
    const marks = solved.solution.split('\n').map(l => [...l]);
    const way = solved.paths[0].map(i => [i % m.cols + 1, Math.floor(i / m.cols) + 1]);
    // The path comes in and leaves where the rim is marked.
    const rim = [];
    marks.forEach((l, i) => l.forEach((ch, j) => {
      if ((ch === '-' || ch === '|') && this.beside(m, i, j) === 1) rim.push([j / 2 + .5, i / 2 + .5]);
    }));
    const near = (p, q) => Math.abs(p[0] - q[0]) + Math.abs(p[1] - q[1]) < .6;
    const first = rim.findIndex(p => near(p, way[0]));
    if (first >= 0) way.unshift(rim.splice(first, 1)[0]);
    if (rim.length && near(rim[0], way[way.length - 1])) way.push(rim[0]);
    return { count: way.length, at: k => k > 1 ? [svg('polyline', { points: points(way.slice(0, k)), class: 'way' })] : [] };
  },
};

const adrift = {
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

// The pieces in one orientation, as the four corners of a tile clockwise from the
// top left: turning a tile rotates its corners.
const pieces = { blank: '    ', small: 'a   ', opposite: 'a a ', edge: 'aa  ', 'big corner': 'A   ', 'big edge': 'AA  ', spacecraft: 'SS  ' };
const turned = t => t[3] + t[0] + t[1] + t[2];
const asteroid = {
  tools: [['Turn', 'turn'], ...Object.keys(pieces).map(p => [p[0].toUpperCase() + p.slice(1), p])],
  blank: () => ['+--+--+--+', ...Array(3).fill(['|  |  |  |', '|  |  |  |', '+--+--+--+']).flat()].join('\n'),
  read(text) {
    const lines = text.split('\n'), tiles = [];
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) {
      const at = (dr, dc) => lines[3 * r + 1 + dr]?.[3 * c + 1 + dc] ?? ' ';
      tiles.push(at(0, 0) + at(0, 1) + at(1, 1) + at(1, 0));
    }
    return { tiles };
  },
  write(tiles) {
    const out = ['+--+--+--+'];
    for (let r = 0; r < 3; r++) {
      const t = tiles.slice(3 * r, 3 * r + 3);
      out.push('|' + t.map(x => x[0] + x[1]).join('|') + '|', '|' + t.map(x => x[3] + x[2]).join('|') + '|', '+--+--+--+');
    }
    return out.join('\n');
  },
  // piece draws the piece on a tile with its middle at x, y.
  piece(t, x, y) {
    const u = 1 / 3, corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]], out = [];
    const units = [];
    for (let i = 0; i < 4; i++) {
      const [cx, cy] = corners[i], next = corners[(i + 1) % 4], before = t[(i + 3) % 4];
      if (t[i] === 'S' && i === 0) {
        const wing = (a, b) => svg('rect', { x: x + (a - .5) * u, y: y + (b - .5) * u, width: u, height: u, rx: .08, class: 'craft' });
        out.push(polygon([[x - u / 2, y + 1.5 * u], [x + u / 2, y + 1.5 * u], [x + u / 2, y - .5 * u], [x - u / 2, y - .5 * u]], { class: 'craft', opacity: .35 }),
          wing(0, 1), wing(-2, -1), wing(-1, -1), wing(1, -1), wing(2, -1));
      } else if (t[i] === 'a') units.push([cx, cy]);
      else if (t[i] === 'A' && t[(i + 1) % 4] === 'A') {
        const ox = (cx + next[0]) / 2, oy = (cy + next[1]) / 2;
        for (const s of [-1, 0, 1]) for (const f of [1, 2]) units.push([ox * f + (ox ? 0 : s), oy * f + (oy ? 0 : s)]);
      } else if (t[i] === 'A' && before !== 'A') units.push([cx, cy], [2 * cx, cy], [cx, 2 * cy], [2 * cx, 2 * cy]);
    }
    return [...out, ...units.map(([a, b]) => svg('rect', { x: x + (a - .5) * u, y: y + (b - .5) * u, width: u, height: u, rx: .12, class: 'rock' }))];
  },
  draw(text) {
    const m = this.read(text), back = [], tops = [], spots = [];
    m.tiles.forEach((t, i) => {
      const x = i % 3 + 1, y = Math.floor(i / 3) + 1, shape = [[x - .5, y - .5], [x + .5, y - .5], [x + .5, y + .5], [x - .5, y + .5]];
      back.push(polygon(shape, { class: t.trim() ? 'cell' : 'hole' }));
      tops.push(...this.piece(t, x, y));
      const kind = Object.keys(pieces).find(k => { let p = pieces[k]; for (let n = 0; n < 4; n++) { if (p === t) return true; p = turned(p); } }) ?? 'unknown';
      spots.push({ points: shape, x, y, name: `row ${y} column ${x}: ${kind === 'blank' ? 'the hole' : kind}`,
        put: value => {
          const now = value === 'turn' || value === kind ? (kind === 'spacecraft' ? t : turned(t)) : pieces[value];
          return now === undefined ? text : this.write(m.tiles.map((o, j) => j === i ? now : o));
        } });
    });
    back.push(svg('path', { d: 'M1.8 3.7l.2.2.2-.2', class: 'exit' }));
    return { box: [.1, .1, 3.8, 3.9], back, tops, spots, model: m };
  },
  steps(m, solved) {
    const boards = solved.pictures.map(p => this.read(p).tiles);
    const parts = tiles => tiles.flatMap((t, i) => {
      const x = i % 3 + 1, y = Math.floor(i / 3) + 1;
      return [svg('rect', { x: x - .5, y: y - .5, width: 1, height: 1, class: t.trim() ? 'cell' : 'hole' }), ...this.piece(t, x, y)];
    });
    return { count: boards.length - 1, at: k => parts(boards[k]), whole: true, say: k => k > 0 ? solved.moves[k - 1] : '' };
  },
};

export const boards = { flow, algemy, alcazar, adrift, asteroid };

// picture draws a board. With a solution, show(k) draws its first k steps;
// with edit, cells can be clicked and edit(spot) is called.
export function picture(game, text, solved, edit) {
  const b = boards[game];
  if (!b || !text) return null;
  const { box, back, tops, spots, model } = b.draw(text);
  const margin = .08, root = svg('svg', { viewBox: [box[0] - margin, box[1] - margin, box[2] + 2 * margin, box[3] + 2 * margin].join(' ') });
  const middle = svg('g'), upper = svg('g', {}, ...tops);
  root.append(svg('g', {}, ...back), middle, upper);
  let steps = { count: 0, at: () => [] };
  if (solved && solved.solution) steps = b.steps(model, solved);
  if (edit) {
    root.setAttribute('role', 'group');
    root.setAttribute('aria-label', `${game} board, arrow keys move, Enter puts`);
    spots.forEach((s, i) => {
      const e = polygon(s.points, { class: 'spot', role: 'button', tabindex: i === 0 ? 0 : -1, 'aria-label': s.name });
      e.addEventListener('click', () => edit(s, i));
      e.addEventListener('keydown', k => move(k, s, i));
      root.append(e);
    });
  } else {
    root.setAttribute('role', 'img');
    root.setAttribute('aria-label', `${game} board` + (steps.count ? ' with its solution' : ''));
  }
  function move(k, s, i) {
    const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[k.key];
    if (k.key === 'Enter' || k.key === ' ') { k.preventDefault(); edit(s, i); }
    else if (/^[a-zA-Z.#+-]$/.test(k.key) && !k.ctrlKey && !k.metaKey && !k.altKey && game !== 'alcazar' && game !== 'asteroid') { k.preventDefault(); edit(s, i, k.key); }
    if (!d) return;
    k.preventDefault();
    let best = -1, least = Infinity;
    spots.forEach((o, j) => {
      const along = (o.x - s.x) * d[0] + (o.y - s.y) * d[1], across = Math.abs((o.x - s.x) * d[1]) + Math.abs((o.y - s.y) * d[0]);
      if (along > .1 && along + 2.5 * across < least) { least = along + 2.5 * across; best = j; }
    });
    if (best >= 0) focus(best);
  }
  function focus(i) {
    const all = root.querySelectorAll('.spot');
    all.forEach((e, j) => e.setAttribute('tabindex', j === i ? 0 : -1));
    all[i]?.focus();
  }
  return {
    root, focus, count: steps.count, say: steps.say ?? (() => ''),
    show(k) {
      middle.replaceChildren(...steps.at(k));
      if (steps.whole) upper.replaceChildren();
    },
  };
}

// film plays a solution in a place: the picture, a button and a slider.
export function film(place, controls, game, text, solved, calm) {
  const p = picture(game, text, solved);
  place.replaceChildren(...(p ? [p.root] : []));
  controls.hidden = !p || p.count === 0;
  if (controls.hidden) return () => {};
  const [button, slider, output] = [controls.querySelector('button'), controls.querySelector('input'), controls.querySelector('output')];
  slider.max = p.count;
  let timer = 0;
  const show = k => {
    slider.value = k;
    p.show(k);
    output.textContent = `${k} of ${p.count}` + (p.say(k) ? `: ${p.say(k)}` : '');
  };
  const pause = () => { clearInterval(timer); timer = 0; button.textContent = 'Play'; };
  const play = () => {
    let k = +slider.value >= p.count ? 0 : +slider.value;
    button.textContent = 'Pause';
    timer = setInterval(() => { show(++k); if (k >= p.count) pause(); }, Math.min(p.say(1) ? 450 : 120, Math.max(30, 6000 / p.count)));
  };
  button.onclick = () => timer ? pause() : play();
  slider.oninput = () => { pause(); show(+slider.value); };
  pause();
  if (calm) show(p.count); else { show(0); play(); }
  return pause;
}
