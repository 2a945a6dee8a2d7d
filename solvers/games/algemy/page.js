// Algemy's notation under a finger; the head of the page's boards.js tells what is asked of it.
import { around, erase, replaced, sign } from '/boards.js';

const gems = { R: '#e5484d', O: '#f08c2e', Y: '#f2cf3b', G: '#46a758', B: '#3e8bff', V: '#9d5bd2', W: '#ffffff', X: '#8a6f4d' };
const s = 1 / Math.sqrt(3), hexagon = [[0, -s], [.5, -s / 2], [.5, s / 2], [0, s], [-.5, s / 2], [-.5, -s / 2]];
export default {
  keys: true,
  tools: [['Erase', '-', erase], ...Object.entries(gems).map(([g, colour]) => [`Crystal ${g}`, g, [{ kind: 'polygon', points: around(.5, .5, hexagon.map(p => p.map(v => .8 * v))), colour }, sign(g)]]), ['Hard colours', 'hard', [sign('h')]]],
  blank: (rows, cols) => Array(rows).fill(Array(cols).fill('-').join(' ')).join('\n'),
  draw(text) {
    const lines = text.replace(/\s+$/, '').split('\n');
    const head = /^(easy|hard)$/.test(lines[0]) ? lines.shift() : '', rows = lines.map(l => l.trim().split(/\s+/));
    const hex = rows.length > 1 && rows[0].length !== rows[Math.floor(rows.length / 2)].length, most = Math.max(...rows.map(r => r.length)), step = hex ? 1.5 * s : 1;
    const spots = rows.flatMap((row, r) => row.map((c, k) => {
      const [x, y] = [k + .5 + (hex ? (most - row.length) / 2 : 0), r * step + (hex ? s : .5)];
      return {
        points: around(x, y, hex ? hexagon : undefined), x, y, shows: c === '-' ? '' : c, name: `row ${r + 1} column ${k + 1}: ${c === '-' ? 'empty' : 'crystal ' + c}`,
        put: value => value === 'hard'
          ? [...(head === 'hard' ? [] : ['hard']), ...rows.map(l => l.join(' '))].join('\n')
          : [...(head ? [head] : []), ...replaced(rows, r, k, c === value ? '-' : value).map(l => l.join(' '))].join('\n'),
      };
    }));
    return { margin: .4, width: most, height: hex ? (rows.length - 1) * step + 2 * s : rows.length, spots };
  },
};
