// How boards are drawn and edited. A game brings its drawing, which is an object of
//   blank(rows, cols)      the text of an empty board
//   tools                  what can be put on a board: [name, value]
//   keys                   keys of letters and signs put them on a cell
//   draw(text)             {box, back, tops, spots, model}: the picture's bounds in
//                          cells, its elements, and the places to click, each
//                          {points, x, y, name, put(value) → text}
//   steps(model, solved)   {count, at(k) → elements}: the solution coming about;
//                          whole: they are the whole board; box: bounds of their own;
//                          say(k): words for the k-th step
// A text that is only part of a puzzle is drawn as far as it goes.
// A game on squares may describe its drawing instead (solvers.GridPage), for grid.js.
import { names, polygon, replaced, shape, svg } from './draw.js';
import { grid } from './grid.js';

// The drawings by game. A game that brings none has the one below.
const drawings = {};

// load fetches the drawings that the games bring.
export async function load(games) {
  for (const g of games) if (g.grid) drawings[g.name] ??= grid(g.grid);
  await Promise.all(games.filter(g => g.board && !drawings[g.name]).map(async g => {
    drawings[g.name] = (await import(g.board)).default;
  }));
}

// isAddress tells a puzzle that is written as an address from a drawing in characters.
export const isAddress = text => /^https?:/.test(text);

// characters draws a board as its notation has it, character by character, and a
// solution as the scenes that the game draws.
function characters(examples = []) {
  // Lines such as "equal: 1,1|1,2" are no cells.
  const tools = names([...examples.join('\n').split('\n').filter(l => !l.includes(':')).join('')], [' ', '\n']);
  return {
    keys: true,
    tools: tools.map(c => [c, c]),
    blank: () => examples[0] ?? '',
    draw(text) {
      const lines = text.replace(/\s+$/, '').split('\n').map(l => [...l]), back = [], tops = [], spots = [];
      lines.forEach((l, r) => l.includes(':') || l.forEach((c, k) => {
        if (c === ' ') return;
        const x = k + .5, y = r + .5, shape = [[k, r], [k + 1, r], [k + 1, r + 1], [k, r + 1]];
        back.push(polygon(shape, { class: 'cell' }));
        tops.push(Object.assign(svg('text', { x, y, class: 'letter', fill: 'currentColor', 'font-size': .6 }), { textContent: c }));
        spots.push({ points: shape, x, y, name: `line ${r + 1} character ${k + 1}: ${c}`,
          put: value => replaced(lines, r, k, value === c ? tools[(tools.indexOf(c) + 1) % tools.length] ?? c : value).map(s => s.join('')).join('\n') });
      }));
      const cells = lines.filter(l => !l.includes(':'));
      return { box: [0, 0, Math.max(1, ...cells.map(l => l.length)), cells.length], back, tops, spots, model: {} };
    },
    steps(_, solved) {
      const scenes = solved.scenes ?? [];
      return { count: Math.max(0, scenes.length - 1), at: k => shapes(scenes[k]), whole: true, say: k => scenes[k].text,
        box: scenes.length ? [0, 0, scenes[0].width, scenes[0].height] : undefined };
    },
  };
}

// shapes are the elements of a scene.
function shapes(scene) {
  return [polygon([[0, 0], [scene.width, 0], [scene.width, scene.height], [0, scene.height]], { fill: '#fff' }), ...scene.shapes.map(shape)];
}

// scene is a picture of a scene that the server sends.
export function scene(drawn, name) {
  return svg('svg', { viewBox: `0 0 ${drawn.width} ${drawn.height}`, role: 'img', 'aria-label': name }, ...shapes(drawn));
}

// board is the drawing of a game, told with its examples.
export const board = (game, examples) => drawings[game] ?? characters(examples);

// picture draws a board. With a solution, show(k) draws its first k steps;
// with edit, cells can be clicked and edit(spot) is called.
export function picture(game, text, solved, edit, examples) {
  const b = board(game, examples);
  if (!text) return null;
  const { box: bounds, back, tops, spots, model } = b.draw(text);
  let steps = { count: 0, at: () => [] };
  if (solved && solved.solution) steps = b.steps(model, solved);
  const margin = .08, box = steps.box ?? bounds, root = svg('svg', { viewBox: [box[0] - margin, box[1] - margin, box[2] + 2 * margin, box[3] + 2 * margin].join(' ') });
  const middle = svg('g'), upper = svg('g', {}, ...tops);
  root.append(svg('g', {}, ...back), middle, upper);
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
    else if (/^[a-zA-Z.#+-]$/.test(k.key) && !k.ctrlKey && !k.metaKey && !k.altKey && b.keys) { k.preventDefault(); edit(s, i, k.key); }
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
      if (steps.box) root.firstChild.replaceChildren();
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
  for (const b of controls.querySelectorAll('[data-by]')) b.onclick = () => { pause(); show(Math.max(0, Math.min(p.count, +slider.value + +b.dataset.by))); };
  pause();
  if (calm) show(p.count); else { show(0); play(); }
  return pause;
}
