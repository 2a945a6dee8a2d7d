// A frame of a phone with an overlay of what was seen.
import { svg, hue, el } from './page.js';

const path = list => list.map(p => p.join()).join(' ');

export function stage(place, name) {
  const image = el('img', { alt: name });
  const over = svg('svg', { 'aria-hidden': 'true' });
  place.replaceChildren(image, over);
  let url = '', shown = 0, wanted = null, loading = false;

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
        shown = now.version;
        now.done?.(+response.headers.get('X-Frame-Version') || now.version);
      } catch { /* a newer frame comes, or the stream says that the server is gone */ }
    }
    loading = false;
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
    const plan = o.plan ?? [], size = Math.max(10, .3 * o.pitch);
    plan.forEach((g, i) => {
      const made = stroke >= 0 && i < stroke, width = Math.max(3 * unit, .09 * o.pitch);
      if (g.points.length === 1) {
        over.append(svg('circle', { cx: g.points[0][0], cy: g.points[0][1], r: .2 * o.pitch, class: 'stroke' + (made ? ' made' : ''), stroke: hue(i, plan.length), 'stroke-width': width }));
        return;
      }
      const points = path(g.points);
      over.append(svg('polyline', { points, class: 'stroke under', 'stroke-width': 2 * width }),
        svg('polyline', { points, class: 'stroke' + (made ? ' made' : ''), stroke: hue(i, plan.length), 'stroke-width': width }));
      if (i === stroke) over.append(svg('polyline', { points, class: 'stroke now', 'stroke-width': width / 2, 'stroke-dasharray': '30 30' }));
      const [[x1, y1], [x2, y2]] = g.points.slice(-2), a = Math.atan2(y2 - y1, x2 - x1), s = 3 * width;
      over.append(svg('polygon', { points: path([[x2, y2], ...[2.6, -2.6].map(d => [x2 + s * Math.cos(a + d), y2 + s * Math.sin(a + d)])]), fill: hue(i, plan.length) }));
    });
    for (const { at: [x, y], text } of o.labels ?? []) over.append(Object.assign(svg('text', { x, y, class: 'mark', 'font-size': size, 'stroke-width': size / 5 }), { textContent: text }));
  }

  return { image, over, picture, draw, close() { if (url) URL.revokeObjectURL(url); wanted = null; } };
}
