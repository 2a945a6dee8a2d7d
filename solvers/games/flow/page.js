// Flow's notation under a finger; the head of the page's boards.js tells what is asked of it.
import { around, endings, erase, line, names, nextEnd, replaced, sign } from '/boards.js';

const s = 1 / Math.sqrt(3), hexagon = [[-s, 0], [-s / 2, -.5], [s / 2, -.5], [s, 0], [s / 2, .5], [-s / 2, .5]];
export default {
  keys: true,
  tools: [['End', 'end', endings], ['Erase', '.', erase], ['No cell', '#', [line(.08, [.2, .2], [.8, .8]), line(.08, [.8, .2], [.2, .8])]],
    ['Bridge', '+', [line(.1, [.35, 0], [.35, 1]), line(.1, [.65, 0], [.65, 1]), line(.1, [0, .5], [.25, .5]), line(.1, [.75, .5], [1, .5])]],
    ['Wall on the right', 'wall-right', [line(.16, [.9, .1], [.9, .9])]], ['Wall below', 'wall-below', [line(.16, [.1, .9], [.9, .9])]]],
  blank: (rows, cols) => Array(rows).fill('.'.repeat(cols)).join('\n'),
  read(text) {
    const lines = text.replace(/\s+$/, '').split('\n');
    const m = { shape: 'square', walls: [], numbers: false };
    while (lines.length > 1) {
      if (/^(hex|warp)$/.test(lines[0])) m.shape = lines[0];
      else if (/^walls /.test(lines[0])) m.walls = lines[0].split(' ').slice(1);
      else if (!/^\d+ \d+$/.test(lines[0])) break;
      lines.shift();
    }
    m.numbers = lines.some(l => l.trim().includes(' '));
    m.rows = lines.map(l => m.numbers ? l.trim().split(/\s+/) : [...l]);
    m.cols = Math.max(...m.rows.map(r => r.length), 1);
    for (const r of m.rows) while (r.length < m.cols) r.push(m.numbers ? '-' : '.');
    return m;
  },
  write(m, rows = m.rows, walls = m.walls) {
    return [...(m.numbers ? [`${rows.length} ${m.cols}`] : []), ...(m.shape === 'square' ? [] : [m.shape]),
      ...(walls.length ? ['walls ' + walls.join(' ')] : []), ...rows.map(r => r.join(m.numbers ? ' ' : ''))].join('\n');
  },
  draw(text) {
    const m = this.read(text), hex = m.shape === 'hex', root = Math.sqrt(3) / 2, none = ['.', '-', '#', '+'], empty = m.numbers ? '-' : '.';
    const cells = m.rows.flat(), known = names(cells, none);
    const spots = cells.map((c, i) => {
      const r = Math.floor(i / m.cols), k = i % m.cols, [x, y] = hex ? [s + k * root, r + (k % 2 ? .5 : 1)] : [k + .5, r + .5];
      return {
        points: around(x, y, hex ? hexagon : undefined), x, y, shows: none.includes(c) ? '' : c, hole: c === '#', name: `row ${r + 1} column ${k + 1}: ${c === '.' || c === '-' ? 'empty' : c}`,
        put: value => {
          if (value.startsWith('wall')) {
            const [r2, k2] = value === 'wall-right' ? [r, k + 1] : [r + 1, k];
            if ((k2 >= m.cols || r2 >= m.rows.length) && m.shape !== 'warp') return text;
            const wall = `${r},${k}|${r2 % m.rows.length},${k2 % m.cols}`;
            return this.write(m, m.rows, m.walls.includes(wall) ? m.walls.filter(w => w !== wall) : [...m.walls, wall]);
          }
          if (value === 'end') value = known.includes(c) ? empty : nextEnd(cells, none);
          if (value === '.' || c === value) value = empty;
          return this.write(m, replaced(m.rows, r, k, value));
        },
      };
    });
    return { margin: m.shape === 'warp' ? .8 : .4, width: hex ? (m.cols - 1) * root + 2 * s : m.cols, height: m.rows.length + (hex ? .5 : 0), spots };
  },
};
