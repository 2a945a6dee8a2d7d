// The film of a run: of each level the frame on which it was read, with the board beside
// it on which the solution comes about, and the frame by which it was won.
import { html, useEffect, useRef, useState } from './preact.js';
import { ask, calm, say } from './page.js';
import { canvas, whole } from './boards.js';
import { file, ms, verdict } from './history.js';

const readFor = 1600, endFor = 900; // how long each is shown, in milliseconds

// Player are the controls by which a film is played and stepped through: as film of boards.js
// works them, or by the functions turn, go and step.
export const Player = ({ of, words = 'Play', turn, at, last, said, go }) => html`<div class="row player" ref=${of}>
  <button type="button" onClick=${turn}>${words}</button>
  <button type="button" data-by="-1" aria-label="One step back" onClick=${go && (() => go(at - 1))}>‹</button>
  <button type="button" data-by="1" aria-label="One step on" onClick=${go && (() => go(at + 1))}>›</button>
  <label class="grow">Step <input type="range" min="0" max=${last} value=${at} onInput=${go && (e => go(+e.target.value))} /></label><output>${said}</output></div>`;

// Film plays attempts, beginning with one: at even moments it shows how a level was read, at odd
// ones how it ended.
export function Film({ attempts, first }) {
  const last = 2 * attempts.length - 1, board = useRef(), details = useRef(new Map()).current;
  const [at, move] = useState(2 * Math.max(0, attempts.findIndex(a => a.id === first))), [playing, play] = useState(!calm());
  const [shown, show] = useState({}), { a } = shown, over = shown.at % 2 === 1; // the moment that shows, and its attempt
  const detail = ({ id }) => details.get(id) ?? details.set(id, ask(`/api/history/${id}`)).get(id);
  useEffect(() => {
    let left = false;
    detail(attempts[at >> 1]).then(a => left || show({ at, a }), say);
    if (attempts[(at >> 1) + 1]) detail(attempts[(at >> 1) + 1]).catch(() => {}); // it is told when it shows
    return () => { left = true; };
  }, [at]);
  useEffect(() => {
    const drawn = a?.solved && { ...canvas(`${a.solved.game} board`), scenes: whole(a.solved.scenes ?? [a.solved.scene]) }, began = performance.now();
    let growing = 0;
    board.current.replaceChildren(...(drawn ? [drawn.root] : []));
    function grow() {
      const part = Math.min(1, (performance.now() - began) / (readFor - 300));
      drawn.show(drawn.scenes[Math.round(part * (drawn.scenes.length - 1))]);
      if (part < 1) growing = requestAnimationFrame(grow);
    }
    if (drawn) over || calm() || !playing ? drawn.show(drawn.scenes.at(-1)) : grow();
    return () => cancelAnimationFrame(growing);
  }, [shown, playing]);
  useEffect(() => {
    if (!playing || shown.at !== at) return undefined;
    const timer = setTimeout(() => at >= last ? play(false) : move(at + 1), over ? endFor : readFor);
    return () => clearTimeout(timer);
  }, [at, playing, shown]);
  const f = a && (over ? a.frames.at(-1) : a.frames[0]);
  return html`<h2>Run of ${attempts[0].game}, ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}</h2>
    <${Player} words=${playing ? 'Pause' : 'Play'} turn=${() => { if (!playing && at >= last) move(0); play(!playing); }}
      at=${at} last=${last} said=${`${(at >> 1) + 1} of ${attempts.length}`} go=${to => { play(false); move(Math.max(0, Math.min(last, to))); }} />
    <p class=${'decision ' + (over && a ? a.verdict === 'won' ? 'good' : 'bad' : '')} role="status">${a && decision(a, over)}</p>
    <div class="beside"><div class="stage" hidden=${!f}><img src=${f && file(a.id, f.overlay || f.frame)} alt=${over ? 'The screen at the end' : 'The screen as it was read, with the strokes'} /></div>
      <div class="board" ref=${board}></div></div>`;
}

// decision says in words what was decided, or how it ended.
function decision(a, over) {
  const level = `Level ${a.level}: `;
  if (over) return level + verdict(a) + (a.play ? `, touched and checked in ${ms(a.play)}` : '') + (a.error ? `: ${a.error}` : '');
  if (!a.board) return level + 'no board was read';
  const strokes = a.solved?.paths?.length ?? a.solved?.moves?.length;
  return level + `${a.rows ? `${a.cols}×${a.rows} board` : 'board'} read in ${ms(a.read)}, ` + (a.solution ? `solved in ${ms(a.solve)}${strokes ? `: ${strokes} ${a.solved.paths ? 'paths' : 'moves'}` : ''}` : 'not solved');
}
