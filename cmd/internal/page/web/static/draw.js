// What the drawings of boards share.
import { hue, svg } from './page.js';

export { hue, svg };

export const points = list => list.map(p => p.map(x => +x.toFixed(3)).join()).join(' ');
export const line = (x1, y1, x2, y2, c) => svg('line', { x1, y1, x2, y2, class: c });
export const circle = (cx, cy, r, more) => svg('circle', { cx, cy, r, ...more });
export const polygon = (list, more) => svg('polygon', { points: points(list), ...more });
export const replaced = (lines, r, c, value) => lines.map((l, i) => i === r ? l.map((x, j) => j === c ? value : x) : l);
export const letterOf = i => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[i] || '?';

// shape is an element of a scene.
export function shape(s) {
  if (s.kind === 'disc') return circle(s.points[0][0], s.points[0][1], s.size, { fill: s.colour });
  if (s.kind === 'polygon') return polygon(s.points, { fill: s.colour });
  if (s.kind === 'line') return svg('polyline', { points: points(s.points), fill: 'none', stroke: s.colour, 'stroke-width': s.size, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });
  return Object.assign(svg('text', { x: s.points[0][0], y: s.points[0][1], class: 'letter', fill: s.colour, 'font-size': s.size }), { textContent: s.text });
}

// names numbers the labels in the order they appear.
export function names(cells, none) {
  const found = [];
  for (const c of cells) if (!none.includes(c) && !found.includes(c)) found.push(c);
  return found;
}

// nextEnd is the letter whose second end is missing, or a new one.
export function nextEnd(cells, none) {
  const all = names(cells, none);
  const half = all.find(n => cells.filter(c => c === n).length === 1);
  for (let i = 0; half === undefined; i++) if (!all.includes(letterOf(i)) && !none.includes(letterOf(i))) return letterOf(i);
  return half;
}

export function dot(x, y, r, name, i, n) {
  return [circle(x, y, r, { fill: hue(i, n) }),
    Object.assign(svg('text', { x, y, class: 'letter', fill: '#10151a', 'font-size': r }), { textContent: name })];
}

// growing draws pipes up to their k-th cell, all together; at returns a cell's
// middle.
export function growing(paths, at, joined, draw) {
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
