// A frame of a phone with an overlay of what was seen.
import { svg, el } from './page.js';

const path = list => list.map(p => p.join()).join(' ');

export function stage(place, name) {
  const image = el('img', { alt: name });
  const over = svg('svg', { 'aria-hidden': 'true' });
  place.replaceChildren(image, over);
  let url = '', shown = 0, wanted = null, loading = false;
  let drawing = null, drawn = ''; // the overlay that is wanted, and a text of what is drawn

  // picture shows the newest frame wanted; older ones are left out.
  async function picture(address, version, done) {
    if (version === shown) return;
    wanted = { address, version, done };
    if (loading) return;
    loading = true;
    while (wanted) {
      const now = wanted;
      wanted = null;
      try {
        const response = await fetch(now.address);
        if (!response.ok) continue;
        const next = URL.createObjectURL(await response.blob());
        image.src = next;
        await image.decode();
        if (url) URL.revokeObjectURL(url);
        url = next;
        shown = +response.headers.get('X-Frame-Version') || now.version;
        settle();
        now.done?.(shown);
      } catch { /* a newer frame comes, or the stream says that the server is gone */ }
    }
    loading = false;
  }

  // overlay draws an overlay once the frame shows that it belongs to, and as long as
  // that one shows.
  function overlay(version, ...what) {
    drawing = { version, what };
    settle();
  }
  function settle() {
    if (!drawing || drawing.version !== shown) {
      // The frame shown is another one than the overlay's; a newer message brings its own.
      if (drawing && shown > drawing.version) { over.replaceChildren(); drawn = ''; }
      return;
    }
    const text = JSON.stringify(drawing.what);
    if (text !== drawn) draw(...drawing.what);
    drawn = text;
  }

  // draw draws the overlay of a frame. stroke is the index of the stroke being
  // made: those before it are complete; -1 when it is unknown.
  function draw(width, height, o, stroke = -1) {
    over.setAttribute('viewBox', `0 0 ${width} ${height}`);
    over.replaceChildren();
    if (!o) return;
    const unit = Math.max(1, Math.min(width, height) / 400);
    for (const [l, t, r, b] of o.boxes ?? []) over.append(svg('rect', { x: l, y: t, width: r - l, height: b - t, class: 'box', 'stroke-width': unit }));
    if (o.rows > 0) {
      const [l, t, r, b] = o.board, g = svg('g', { class: 'grid', 'stroke-width': unit });
      if (o.apart) for (const [x, y] of o.centres ?? []) g.append(svg('circle', { cx: x, cy: y, r: o.pitch * .45 }));
      else {
        for (let i = 0; i <= o.rows; i++) { const y = t + i * (b - 1 - t) / o.rows; g.append(svg('line', { x1: l, y1: y, x2: r - 1, y2: y })); }
        for (let i = 0; i <= o.cols; i++) { const x = l + i * (r - 1 - l) / o.cols; g.append(svg('line', { x1: x, y1: t, x2: x, y2: b - 1 })); }
      }
      over.append(g);
      for (const [x1, y1, x2, y2] of o.missing ?? []) over.append(svg('line', { x1, y1, x2, y2, class: 'missing', 'stroke-width': 2 * unit }));
    }
    (o.plan ?? []).forEach((g, i) => touch(g, i < stroke ? 'made' : i === stroke ? 'now' : 'later', o.pitch, unit));
    const size = Math.max(10, .3 * o.pitch);
    for (const { at: [x, y], text } of o.labels ?? []) over.append(Object.assign(svg('text', { x, y, class: 'mark', 'font-size': size, 'stroke-width': size / 5 }), { textContent: text }));
  }

  // touch draws a gesture in the colour of what it draws on the board: thin before it is
  // made, wide once it is.
  function touch({ points: at, colour = '#ffffff' }, when, pitch, unit) {
    const wide = Math.max(3 * unit, (when === 'later' ? .09 : .22) * pitch);
    if (at.length === 1) {
      const ring = { cx: at[0][0], cy: at[0][1], r: .22 * pitch };
      over.append(svg('circle', { ...ring, class: 'stroke under', 'stroke-width': wide }),
        svg('circle', { ...ring, class: `stroke ${when}`, stroke: when === 'made' ? colour : '#ffffff', 'stroke-width': wide / 2, pathLength: 1 }));
      return;
    }
    const points = path(at);
    over.append(svg('polyline', { points, class: 'stroke under', 'stroke-width': Math.max(3 * unit, .09 * pitch) * 2 }));
    over.append(svg('polyline', { points, class: `stroke ${when}`, stroke: colour, 'stroke-width': wide, pathLength: 1 }));
    if (when === 'made') return;
    const [[x1, y1], [x2, y2]] = at.slice(-2), a = Math.atan2(y2 - y1, x2 - x1), s = Math.max(9 * unit, .27 * pitch);
    over.append(svg('polygon', { points: path([[x2, y2], ...[2.6, -2.6].map(d => [x2 + s * Math.cos(a + d), y2 + s * Math.sin(a + d)])]), fill: colour, class: 'tip', 'stroke-width': unit }));
  }

  return { image, over, picture, draw, overlay, close() { if (url) URL.revokeObjectURL(url); wanted = null; } };
}
