// The drawing of Alcazar on the page; the head of its boards.js tells what is asked of it.
import { points, line, replaced, svg } from '/draw.js';

export default {
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
