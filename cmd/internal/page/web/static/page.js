// Shared by all views: asking the server, making elements, the stream.

export async function ask(path, body, options = {}) {
  const init = { ...options };
  if (body !== undefined) {
    init.method = 'POST';
    init.body = body instanceof Blob ? body : JSON.stringify(body);
    init.headers = { 'Content-Type': body instanceof Blob ? (body.type || 'application/octet-stream') : 'application/json' };
  }
  const response = await fetch(path, init);
  const answer = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

let saidUntil = 0;
export function say(error) {
  if (error && error.name === 'AbortError') return;
  const place = document.getElementById('said');
  place.textContent = error ? error.message || String(error) : '';
  clearTimeout(saidUntil);
  saidUntil = setTimeout(() => { place.textContent = ''; }, 8000);
}

// attempt runs the action of a button and shows what went wrong.
export const attempt = action => async (...a) => {
  try { return await action(...a); } catch (e) { say(e); }
};

export function el(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes)) {
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (k === 'class') e.className = v;
    else if (v === true) e.setAttribute(k, '');
    else if (v !== false && v != null) e.setAttribute(k, v);
  }
  e.append(...children);
  return e;
}

export function svg(name, attributes = {}, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

export const fill = (select, values, chosen, text = v => v) =>
  select.replaceChildren(...values.map(v => el('option', { value: v, selected: v === chosen }, text(v))));

// title is a game's name as a person writes it.
export const title = name => name.charAt(0).toUpperCase() + name.slice(1);

export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

// listen opens the stream of changes. It connects again by itself. A page that nobody
// sees listens to nothing: frames would be captured for it.
export function listen(look, handlers) {
  const link = document.getElementById('link');
  let source = null;
  function open() {
    source = new EventSource('/api/events' + (look ? '?look=1' : ''));
    source.onopen = () => { link.textContent = 'connected'; link.className = ''; };
    source.onerror = () => { link.textContent = 'not connected'; link.className = 'bad'; };
    for (const [name, handle] of Object.entries(handlers)) source.addEventListener(name, e => handle(JSON.parse(e.data)));
  }
  const turned = () => {
    if (document.hidden) { source?.close(); source = null; } else if (!source) open();
  };
  document.addEventListener('visibilitychange', turned);
  open();
  return () => { document.removeEventListener('visibilitychange', turned); source?.close(); };
}

let known;
export const games = () => (known ??= ask('/api/games').catch(e => { known = undefined; throw e; }));

// pictured calls take with each picture that is dropped anywhere or pasted.
export function pictured(take) {
  const of = data => [...data?.files ?? []].find(f => f.type.startsWith('image/'));
  addEventListener('dragover', e => e.preventDefault());
  for (const kind of ['drop', 'paste']) addEventListener(kind, e => {
    const file = of(e.dataTransfer ?? e.clipboardData);
    if (file || kind === 'drop') e.preventDefault();
    if (file) take(file);
  });
}
