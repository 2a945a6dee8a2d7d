// How boards are drawn, played and edited. The server draws them, as scenes (solvers.Picture):
// there is one drawing of each game. A game's notation is edited by an object of
//   blank(rows, cols)   the text of an empty board
//   tools               what can be put on a board: [name, value, shapes in a square of 1]
//   keys                keys of letters and signs put them on a cell
//   draw(text, tool)    {margin, width, height, spots}: how far the board is from the sides of
//                       its scene, its size, and the places to click, from the board's corner:
//                       {points, x, y, name, put(value) → text, shows}
// A text that is no puzzle yet has no scene: what its cells show is written on them.
import { svg } from './page.js';
import { grid } from './grid.js';

const editors = {};

// load fetches the editors that games bring.
export async function load(games) {
  for (const g of games) if (g.grid) editors[g.name] ??= grid(g.grid);
  await Promise.all(games.filter(g => g.board && !editors[g.name]).map(async g => {
    editors[g.name] = (await import(g.board)).default;
  }));
}

// isAddress tells a puzzle that is written as an address from one in characters.
export const isAddress = text => /^https?:/.test(text);

// editor is the editor of a game, told with its examples.
export const editor = (game, examples) => editors[game] ?? characters(examples);

// characters edits a notation character by character, or word by word.
function characters(examples = []) {
  const cellsOf = l => l.includes(' ') ? l.trim().split(/\s+/) : [...l], isRow = l => !l.includes(':'); // "equal: 1,1|1,2" is no row
  const tools = names(examples.join('\n').split('\n').filter(isRow).flatMap(cellsOf), ['']);
  return {
    keys: true,
    tools: tools.map(c => [c, c, [sign(c)]]),
    blank: () => examples[0] ?? '',
    draw(text) {
      const lines = text.replace(/\s+$/, '').split('\n'), rows = lines.filter(isRow).map(cellsOf), rest = lines.filter(l => !isRow(l));
      const spots = rows.flatMap((l, r) => l.map((c, k) => ({
        points: around(k + .5, r + .5), x: k + .5, y: r + .5, shows: c, name: `row ${r + 1} column ${k + 1}: ${c}`,
        put: value => [...replaced(rows, r, k, value === c ? tools[(tools.indexOf(c) + 1) % tools.length] ?? c : value).map(s => s.join(lines[0].includes(' ') ? ' ' : '')), ...rest].join('\n'),
      })));
      return { margin: .2, width: Math.max(1, ...rows.map(l => l.length)), height: rows.length, spots };
    },
  };
}

// What editors share: outlines, shapes of tools, texts.
export const around = (x, y, outline = [[-.5, -.5], [.5, -.5], [.5, .5], [-.5, .5]]) => outline.map(([a, b]) => [x + a, y + b]);
export const line = (size, ...points) => ({ kind: 'line', points, size, colour: 'currentColor' });
export const box = colour => ({ kind: 'polygon', points: around(.5, .5), colour });
export const sign = text => ({ kind: 'text', points: [[.5, .5]], size: .5 / Math.max(1, .7 * text.length), text, colour: text.length && 'currentColor' });
export const endings = [{ kind: 'disc', points: [[.5, .5]], size: .4, colour: '#f2cf3b' }, { ...sign('A'), colour: '#000' }];
export const erase = around(.5, .5, [[-.35, -.35], [.35, -.35], [.35, .35], [-.35, .35]]).map((p, i, all) => line(.05, p, all[(i + 1) % 4]));
export const replaced = (rows, r, c, value) => rows.map((l, i) => i === r ? l.map((x, j) => j === c ? value : x) : l);

// names are the labels in the order in which they appear.
export const names = (cells, none) => [...new Set(cells)].filter(c => !none.includes(c));

// nextEnd is the letter whose second end is missing, or a new one.
export function nextEnd(cells, none) {
  const all = names(cells, none);
  return all.find(n => cells.filter(c => c === n).length === 1) ?? [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].find(l => !all.includes(l) && !none.includes(l)) ?? '?';
}

const corners = list => list.map(p => p.map(x => +x.toFixed(3)).join()).join(' ');

// shape is an element of a scene.
function shape(s) {
  const [x, y] = s.points[0];
  if (s.kind === 'disc') return svg('circle', { cx: x, cy: y, r: s.size, fill: s.colour });
  if (s.kind === 'polygon') return svg('polygon', { points: corners(s.points), fill: s.colour });
  if (s.kind === 'line') return svg('polyline', { points: corners(s.points), fill: 'none', stroke: s.colour, 'stroke-width': s.size, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });
  return Object.assign(svg('text', { x, y, class: 'letter', fill: s.colour, 'font-size': +(s.size / .72).toFixed(3), 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-family': 'system-ui, sans-serif', 'font-weight': 700 }), { textContent: s.text });
}

// icon shows what a tool draws.
export const icon = shapes => svg('svg', { viewBox: '-.05 -.05 1.1 1.1', class: 'icon', 'aria-hidden': 'true' }, ...shapes.map(shape));

// canvas is a board that shows one scene after the other.
export function canvas(name) {
  const root = svg('svg', { role: 'img', 'aria-label': name }), drawing = svg('g');
  root.append(drawing);
  return {
    root,
    show({ width, height, shapes }) {
      root.setAttribute('viewBox', `0 0 ${width} ${height}`);
      drawing.replaceChildren(svg('rect', { width, height, rx: .15, fill: 'light-dark(#ffffff,#465260)' }), ...shapes.map(shape));
    },
  };
}

// scene is a picture of one.
export function scene(drawn, name) {
  const c = canvas(name);
  c.show(drawn);
  return c.root;
}

// whole are scenes with all of their shapes, of scenes that tell in what they differ.
export function whole(scenes) {
  let shapes = [];
  return scenes.map(s => ({ ...s, shapes: (shapes = shapes.toSpliced(s.from, s.drop, ...s.shapes)) }));
}

// nearest is the index of the nearest place in the direction of an arrow key; -1 for none.
export function nearest(places, from, key) {
  const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = -1, least = Infinity;
  if (d) places.forEach((o, j) => {
    const along = (o.x - from.x) * d[0] + (o.y - from.y) * d[1], across = Math.abs((o.x - from.x) * d[1]) + Math.abs((o.y - from.y) * d[0]);
    if (along > .1 && along + 2.5 * across < least) { least = along + 2.5 * across; best = j; }
  });
  return best;
}

// edited is a board whose places can be clicked: edit(spot, a key) is called.
export function edited(game, text, drawn, tool, edit, examples) {
  const e = editor(game, examples), { margin, width, height, spots } = e.draw(text, tool);
  // A notation whose characters are no cells is edited by itself.
  const fits = drawn && Math.abs(drawn.width - width - 2 * margin) < .01 && Math.abs(drawn.height - height - 2 * margin) < .01;
  const root = fits ? scene(drawn, '') : svg('svg', { viewBox: `0 0 ${width + 2 * margin} ${height + 2 * margin}` });
  const over = svg('g', { transform: `translate(${margin} ${margin})` });
  if (!fits) over.append(...spots.filter(s => !s.hole).flatMap(s => [svg('polygon', { points: corners(s.points), class: 'cell' }), shape({ ...sign(s.shows), points: [[s.x, s.y]], colour: 'currentColor' })]));
  root.setAttribute('role', 'group');
  root.setAttribute('aria-label', `${game} board, arrow keys move, Enter puts`);
  spots.forEach((s, i) => {
    const spot = svg('polygon', { points: corners(s.points), class: 'spot', role: 'button', tabindex: i === 0 ? 0 : -1, 'aria-label': s.name });
    spot.addEventListener('click', () => { focus(i); edit(s); });
    spot.addEventListener('keydown', k => {
      const to = nearest(spots, s, k.key);
      if (k.key === 'Enter' || k.key === ' ') edit(s);
      else if (/^[a-zA-Z.#+-]$/.test(k.key) && !k.ctrlKey && !k.metaKey && !k.altKey && e.keys) edit(s, k.key);
      else if (to >= 0) focus(to);
      else return;
      k.preventDefault();
    });
    over.append(spot);
  });
  root.append(over);
  function focus(i) {
    const all = root.querySelectorAll('.spot');
    all.forEach((e, j) => e.setAttribute('tabindex', j === i ? 0 : -1));
    all[i]?.focus();
  }
  return { root, focus };
}

// film plays scenes in a place: the picture, a button and a slider.
export function film(place, controls, scenes, name, calm) {
  const all = whole(scenes ?? []), c = canvas(name), last = all.length - 1;
  place.replaceChildren(...(last >= 0 ? [c.root] : []));
  controls.hidden = last < 1;
  if (last === 0) c.show(all[0]);
  if (controls.hidden) return () => {};
  const [button, slider, output] = [controls.querySelector('button'), controls.querySelector('input'), controls.querySelector('output')];
  slider.max = last;
  let timer = 0;
  const show = k => {
    slider.value = k;
    c.show(all[k]);
    output.textContent = `${k} of ${last}` + (all[k].text ? `: ${all[k].text}` : '');
  };
  const pause = () => { clearInterval(timer); timer = 0; button.textContent = 'Play'; };
  const play = () => {
    let k = +slider.value >= last ? 0 : +slider.value;
    button.textContent = 'Pause';
    timer = setInterval(() => { show(++k); if (k >= last) pause(); }, Math.min(450, Math.max(30, 6000 / last)));
  };
  button.onclick = () => timer ? pause() : play();
  slider.oninput = () => { pause(); show(+slider.value); };
  for (const b of controls.querySelectorAll('[data-by]')) b.onclick = () => { pause(); show(Math.max(0, Math.min(last, +slider.value + +b.dataset.by))); };
  pause();
  if (calm) show(last); else { show(0); play(); }
  return pause;
}
