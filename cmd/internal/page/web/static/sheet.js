// A page of new puzzles to print, with their solutions on another.
import { ask, el } from './page.js';
import { scene, whole } from './boards.js';

// sheet makes the puzzles of a game, from a seed on, and shows them in a place.
export async function sheet(place, wanted, seed, many, solutions, { name, rules }) {
  const said = el('p', { role: 'status' }), puzzles = el('div', { class: 'sheet' }), solved = el('div', { class: 'sheet solutions' });
  const print = el('button', { type: 'button', class: 'main', disabled: true, onclick: () => window.print() }, 'Print');
  place.replaceChildren(el('div', { class: 'row noprint' }, print, said), el('h2', {}, name), el('p', {}, rules ?? ''), puzzles, ...(solutions ? [solved] : []));
  place.hidden = false;
  said.scrollIntoView({ block: 'center' });
  const figure = (drawn, words) => el('figure', {}, el('div', { class: 'board' }, scene(drawn, `${name} puzzle: ${words}`)), el('figcaption', {}, words));
  for (let i = 0; i < many; i++) {
    said.textContent = `making puzzle ${i + 1} of ${many}…`;
    const p = await ask('/api/generate', { ...wanted, seed: seed + i });
    puzzles.append(figure(p.scene, `${i + 1}`));
    if (solutions) solved.append(figure(whole((await ask('/api/solve', { game: p.game, text: p.puzzle, limit: 1 })).scenes).at(-1), `Solution of ${i + 1}`));
  }
  said.textContent = `${many} puzzle${many === 1 ? '' : 's'}, from seed ${seed} on`;
  print.disabled = false;
}
