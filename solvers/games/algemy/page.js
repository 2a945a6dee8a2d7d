// The drawing of Algemy on the page; the head of its boards.js tells what is asked of it.
import { circle, polygon, replaced, svg } from '/draw.js';

const gems = { R: '#e5484d', O: '#f08c2e', Y: '#f2cf3b', G: '#46a758', B: '#3e8bff', V: '#9d5bd2', W: '#ffffff', X: '#8a6f4d' };
export default {
  keys: true,
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
