// A page of new puzzles to print, with their solutions on another.
import { ask, el } from './page.js';
import { isAddress, picture, scene } from './boards.js';

// sheet makes the puzzles of a game, from a seed on, and shows them in a place.
export async function sheet(place, wanted, seed, many, solutions, { name, rules, examples }) {
  const said = el('p', { role: 'status' }), puzzles = el('div', { class: 'sheet' }), solved = el('div', { class: 'sheet solutions' });
  const print = el('button', { type: 'button', class: 'main', disabled: true, onclick: () => window.print() }, 'Print');
  place.replaceChildren(el('div', { class: 'row noprint' }, print, said), el('h2', {}, name), el('p', {}, rules ?? ''), puzzles, ...(solutions ? [solved] : []));
  place.hidden = false;
  said.scrollIntoView({ block: 'center' });
  for (let i = 0; i < many; i++) {
    said.textContent = `making puzzle ${i + 1} of ${many}…`;
    const p = await ask('/api/generate', { ...wanted, seed: seed + i });
    puzzles.append(figure(p, null, `${i + 1}`, examples));
    if (solutions) solved.append(figure(p, await ask('/api/solve', { game: p.game, text: p.puzzle, limit: 1 }), `Solution of ${i + 1}`, examples));
  }
  said.textContent = `${many} puzzle${many === 1 ? '' : 's'}, from seed ${seed} on`;
  print.disabled = false;
}

function figure(p, solution, words, examples) {
  const drawn = !solution && p.scene && isAddress(p.puzzle) ? { root: scene(p.scene, '') } : picture(p.game, p.puzzle, solution, null, examples);
  if (solution) drawn.show(drawn.count);
  drawn.root.setAttribute('aria-label', `${p.game} puzzle: ${words}`);
  return el('figure', {}, el('div', { class: 'board' }, drawn.root), el('figcaption', {}, words));
}
