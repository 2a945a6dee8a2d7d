// The film of a run: of each level the frame on which it was read, with the board beside
// it on which the solution comes about, and the frame by which it was won.
import { ask, calm, el, player, say } from './page.js';
import { canvas, whole } from './boards.js';
import { file, ms, verdict } from './history.js';

const readFor = 1600, endFor = 900; // how long each is shown, in milliseconds

// runFilm plays attempts in a panel, beginning with one, and returns a function that ends
// it.
export function runFilm(panel, attempts, first) {
  const image = el('img', { alt: '' }), board = el('div', { class: 'board' }), words = el('p', { class: 'decision', role: 'status' }), controls = player();
  const [button, slider, output] = [controls.querySelector('button'), controls.querySelector('input'), controls.querySelector('output')];
  panel.replaceChildren(
    el('h2', {}, `Run of ${attempts[0].game}, ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`),
    controls, words, el('div', { class: 'beside' }, el('div', { class: 'stage' }, image), board));
  slider.max = 2 * attempts.length - 1;
  const details = new Map();
  let ended = false, playing = false, at = 0, asked = 0, drawn = null, growing = 0, timer = 0;

  const detail = id => details.get(id) ?? details.set(id, ask(`/api/history/${id}`)).get(id);

  // show shows a moment: even ones when a level was read, odd ones how it ended.
  async function show(moment) {
    at = moment;
    slider.value = at;
    const now = ++asked, attempt = attempts[at >> 1], over = at % 2 === 1;
    output.textContent = `${(at >> 1) + 1} of ${attempts.length}`;
    let a;
    try { a = await detail(attempt.id); } catch (e) { say(e); return; }
    if (ended || now !== asked) return;
    if (attempts[(at >> 1) + 1]) detail(attempts[(at >> 1) + 1].id).catch(() => {}); // it is asked for again when it shows
    const f = over ? a.frames.at(-1) : a.frames[0];
    image.parentNode.hidden = !f;
    if (f) {
      image.src = file(a.id, f.overlay || f.frame);
      image.alt = over ? 'The screen at the end' : 'The screen as it was read, with the strokes';
    }
    words.textContent = decision(a, over);
    words.className = 'decision ' + (over ? a.verdict === 'won' ? 'good' : 'bad' : '');
    cancelAnimationFrame(growing);
    drawn = a.solved && { ...canvas(`${a.solved.game} board`), scenes: whole(a.solved.scenes ?? [a.solved.scene]) };
    board.replaceChildren(...(drawn ? [drawn.root] : []));
    if (drawn) over || calm() || !playing ? drawn.show(drawn.scenes.at(-1)) : grow(performance.now(), drawn);
  }
  function grow(began, it) {
    const part = Math.min(1, (performance.now() - began) / (readFor - 300));
    if (ended || it !== drawn) return;
    it.show(it.scenes[Math.round(part * (it.scenes.length - 1))]);
    if (part < 1) growing = requestAnimationFrame(() => grow(began, it));
  }
  function pause() {
    clearTimeout(timer);
    playing = false;
    button.textContent = 'Play';
  }
  async function play() {
    playing = true;
    button.textContent = 'Pause';
    const round = async moment => {
      await show(moment);
      timer = setTimeout(() => {
        if (!playing) return;
        if (at >= +slider.max) pause(); else round(at + 1);
      }, at % 2 ? endFor : readFor);
    };
    await round(at >= +slider.max ? 0 : at);
  }
  button.onclick = () => playing ? pause() : play();
  slider.oninput = () => { pause(); show(+slider.value); };
  for (const b of controls.querySelectorAll('[data-by]')) b.onclick = () => { pause(); show(Math.max(0, Math.min(+slider.max, at + +b.dataset.by))); };
  at = 2 * Math.max(0, attempts.findIndex(a => a.id === first));
  if (calm()) show(at); else play();
  return () => { ended = true; pause(); cancelAnimationFrame(growing); };
}

// decision says in words what was decided, or how it ended.
function decision(a, over) {
  const level = `Level ${a.level}: `;
  if (over) return level + verdict(a) + (a.play ? `, touched and checked in ${ms(a.play)}` : '') + (a.error ? `: ${a.error}` : '');
  if (!a.board) return level + 'no board was read';
  const strokes = a.solved?.paths?.length ?? a.solved?.moves?.length;
  return level + `${a.rows ? `${a.cols}×${a.rows} board` : 'board'} read in ${ms(a.read)}, ` + (a.solution ? `solved in ${ms(a.solve)}${strokes ? `: ${strokes} ${a.solved.paths ? 'paths' : 'moves'}` : ''}` : 'not solved');
}
