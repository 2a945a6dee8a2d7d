// A puzzle under a finger: the game's own app, which the server draws and touches.
import { ask, el, say } from './page.js';

const down = 0, move = 1, up = 2;

// hand shows the app in a place and tells whether the puzzle is solved, at first and
// after each touch. It returns a function that ends it.
export async function hand(place, puzzle, told) {
  const opened = await ask('/api/tables', puzzle), at = `/api/tables/${opened.id}`;
  const image = el('img', { alt: 'The puzzle as it stands', width: opened.width, height: opened.height, draggable: 'false' });
  const cursor = el('span', { class: 'cursor', hidden: true });
  const pad = el('div', { class: 'stage hand', tabindex: 0, role: 'application', 'aria-label': 'The puzzle, to be played with a finger; arrow keys move, Space puts the finger down and lifts it' }, image, cursor);
  place.replaceChildren(pad);
  let waiting = [], busy = false, ended = false, fresh = 0, pressed = false, won = null;
  let key = [opened.width / 2, opened.height / 2]; // where the keys have moved the finger

  async function show() {
    const response = await fetch(`${at}/frame?${++fresh}`);
    if (!response.ok || ended) return;
    const next = URL.createObjectURL(await response.blob()), old = image.src;
    image.src = next;
    await image.decode().catch(() => {});
    if (old.startsWith('blob:')) URL.revokeObjectURL(old);
  }
  // flush sends what the finger did since the last message, one message at a time.
  async function flush() {
    if (busy) return;
    busy = true;
    try {
      while (waiting.length && !ended) {
        const touches = waiting.splice(0, 200), answer = await ask(`${at}/touch`, { touches });
        if (answer.won !== won) told(won = answer.won);
        await show();
      }
    } catch (e) { say(e); }
    busy = false;
  }
  let later = 0;
  function touch(action, [x, y]) {
    waiting.push({ action, x, y });
    flush();
    clearTimeout(later);
    // What the app shows after a touch comes about in some time.
    if (action === up) later = setTimeout(() => show().then(() => { later = setTimeout(show, 700); }), 250);
  }
  const point = p => {
    const box = image.getBoundingClientRect();
    return [(p.clientX - box.x) * opened.width / box.width, (p.clientY - box.y) * opened.height / box.height];
  };
  pad.onpointerdown = p => { p.preventDefault(); pad.focus(); pad.setPointerCapture(p.pointerId); cursor.hidden = true; pressed = true; touch(down, point(p)); };
  pad.onpointermove = p => { if (pressed) for (const e of p.getCoalescedEvents?.() ?? [p]) touch(move, point(e)); };
  pad.onpointerup = pad.onpointercancel = p => { if (pressed) { pressed = false; touch(up, point(p)); } };
  pad.onkeydown = k => {
    const d = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[k.key];
    if (d) {
      const step = opened.width / (k.shiftKey ? 100 : 25);
      key = [Math.max(0, Math.min(opened.width, key[0] + step * d[0])), Math.max(0, Math.min(opened.height, key[1] + step * d[1]))];
      if (pressed) touch(move, key);
    } else if (k.key === ' ' || k.key === 'Enter') {
      pressed = !pressed;
      touch(pressed ? down : up, key);
    } else return;
    k.preventDefault();
    cursor.hidden = false;
    cursor.classList.toggle('pressed', pressed);
    cursor.style.left = `${100 * key[0] / opened.width}%`;
    cursor.style.top = `${100 * key[1] / opened.height}%`;
  };
  told(won = opened.won);
  await show();
  return () => { ended = true; clearTimeout(later); place.replaceChildren(); };
}
