// Adrift's notation under a finger; the head of the page's boards.js tells what is asked of it.
import { box, endings, erase, names, nextEnd, replaced } from '/boards.js';

export default {
  keys: true,
  tools: [['End', 'end', endings], ['Stone', 'X', [box('#7d8791')]], ['Erase', '.', erase]],
  blank: rows => Array(3 * Math.max(2, Math.min(7, rows))).fill(Array(Math.max(2, Math.min(7, rows))).fill('.').join(' ')).join('\n'),
  draw(text) {
    const lines = text.replace(/\s+$/, '').split('\n').map(l => l.trim().split(/\s+/));
    const n = Math.max(1, Math.floor(lines.length / 3)), h = Math.sqrt(3) / 2;
    const rows = lines.slice(0, 3 * n).map(r => Array.from({ length: n }, (_, c) => r[c] ?? '.'));
    const place = (face, r, c) => face === 0 ? [c * h + (n - r) * h, n / 2 + c / 2 - (n - r) / 2] : face === 1 ? [c * h, n / 2 + c / 2 + r] : [(n + c) * h, n - c / 2 + r];
    const cells = rows.flat(), known = names(cells, ['.', 'X']);
    const spots = cells.map((c, i) => {
      const face = Math.floor(i / n / n), r = Math.floor(i / n) % n, k = i % n, [x, y] = place(face, r + .5, k + .5);
      return {
        points: [[0, 0], [0, 1], [1, 1], [1, 0]].map(([a, b]) => place(face, r + a, k + b)), x, y, shows: c === '.' ? '' : c,
        name: `${['top', 'left', 'right'][face]} row ${r + 1} column ${k + 1}: ${c === '.' ? 'empty' : c === 'X' ? 'stone' : c}`,
        put: value => {
          if (value === 'end') value = known.includes(c) ? '.' : nextEnd(cells, ['.', 'X']);
          return replaced(rows, face * n + r, k, c === value ? '.' : value).map(l => l.join(' ')).join('\n');
        },
      };
    });
    return { margin: .4, width: 2 * n * h, height: 2 * n, spots };
  },
};
