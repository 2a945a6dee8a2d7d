// Asteroid's notation under a finger; the head of the page's boards.js tells what is asked of it.
import { around, box } from '/boards.js';

// The pieces in one orientation, as the four corners of a tile clockwise from the
// top left: turning a tile rotates its corners.
const pieces = { blank: '    ', small: 'a   ', opposite: 'a a ', edge: 'aa  ', 'big corner': 'A   ', 'big edge': 'AA  ', spacecraft: 'SS  ' };
const turned = t => t[3] + t[0] + t[1] + t[2];
const icon = t => [box('#c9ced6'), ...[[.25, .25], [.75, .25], [.75, .75], [.25, .75]].flatMap(([x, y], i) => t[i] === ' ' ? [] :
  [{ kind: 'disc', points: [[x, y]], size: t[i] === 'a' ? .18 : .25, colour: t[i] === 'S' ? '#1f6fd0' : '#7d6a58' }])];
export default {
  tools: [['Turn', 'turn', [{ kind: 'text', points: [[.5, .5]], size: .8, text: '↻', colour: 'currentColor' }]], ...Object.entries(pieces).map(([p, t]) => [p[0].toUpperCase() + p.slice(1), p, icon(t)])],
  blank: () => ['+--+--+--+', ...Array(3).fill(['|  |  |  |', '|  |  |  |', '+--+--+--+']).flat()].join('\n'),
  write(tiles) {
    const out = ['+--+--+--+'];
    for (let r = 0; r < 3; r++) {
      const t = tiles.slice(3 * r, 3 * r + 3);
      out.push('|' + t.map(x => x[0] + x[1]).join('|') + '|', '|' + t.map(x => x[3] + x[2]).join('|') + '|', '+--+--+--+');
    }
    return out.join('\n');
  },
  draw(text) {
    const lines = text.split('\n'), tiles = [];
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) {
      const at = (dr, dc) => lines[3 * r + 1 + dr]?.[3 * c + 1 + dc] ?? ' ';
      tiles.push(at(0, 0) + at(0, 1) + at(1, 1) + at(1, 0));
    }
    const spots = tiles.map((t, i) => {
      const x = i % 3 + .5, y = Math.floor(i / 3) + .5;
      const kind = Object.keys(pieces).find(k => { let p = pieces[k]; for (let n = 0; n < 4; n++) { if (p === t) return true; p = turned(p); } }) ?? 'unknown';
      return {
        points: around(x, y), x, y, shows: t.trim(), name: `row ${y + .5} column ${x + .5}: ${kind === 'blank' ? 'the hole' : kind}`,
        put: value => {
          const now = value === 'turn' || value === kind ? (kind === 'spacecraft' ? t : turned(t)) : pieces[value];
          return now === undefined ? text : this.write(tiles.map((o, j) => j === i ? now : o));
        },
      };
    });
    return { margin: .7, width: 3, height: 3, spots };
  },
};
