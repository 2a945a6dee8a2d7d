// The drawing of Asteroid on the page; the head of its boards.js tells what is asked of it.
import { polygon, svg } from '/draw.js';

// The pieces in one orientation, as the four corners of a tile clockwise from the
// top left: turning a tile rotates its corners.
const pieces = { blank: '    ', small: 'a   ', opposite: 'a a ', edge: 'aa  ', 'big corner': 'A   ', 'big edge': 'AA  ', spacecraft: 'SS  ' };
const turned = t => t[3] + t[0] + t[1] + t[2];
export default {
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
