// Plots of how long things took, by uPlot, which whoever uses them has loaded.

// time is a number of seconds as people write it.
export const time = s => s >= 1 ? `${+s.toPrecision(3)} s` : s >= .01 ? `${Math.round(s * 1000)} ms` : `${+(s * 1000).toPrecision(2)} ms`;

// plot draws dots {seconds, kind, label} into a figure, in their order, on a logarithmic scale.
// A kind has a colour, or the name of a variable that has it. The function that it returns takes
// the plot away.
export function plot(figure, name, dots, colours) {
  const sorted = dots.map(d => d.seconds).sort((a, b) => a - b), within = part => time(sorted[Math.ceil(part * sorted.length) - 1]);
  const words = name + (dots.length ? `: median ${within(.5)}, 95 % within ${within(.95)}` : ': no times');
  const place = document.createElement('div'), caption = document.createElement('figcaption');
  place.className = 'plot';
  place.setAttribute('role', 'img');
  place.setAttribute('aria-label', caption.textContent = words);
  figure.replaceChildren(place, caption);
  if (!dots.length) return () => {};
  const ink = colour => colour.startsWith('--') ? () => getComputedStyle(figure).getPropertyValue(colour) : colour;
  const size = () => ({ width: place.clientWidth, height: place.clientHeight });
  const drawn = new uPlot({
    ...size(), legend: { show: false }, cursor: { y: false },
    scales: { x: { time: false, range: [-.5, dots.length - .5] }, y: { distr: 3 } },
    axes: [{ show: false }, {
      size: 62, font: '11px system-ui, sans-serif', stroke: ink('--soft'), grid: { stroke: ink('--line'), width: 1 }, ticks: { show: false },
      values: (_, ticks) => ticks.map(t => t === null ? '' : time(t)),
    }],
    series: [{}, ...Object.values(colours).map(c => ({ paths: () => null, stroke: ink(c), points: { show: true, size: 6, width: 1, fill: ink(c) } }))],
    hooks: { setCursor: [u => { caption.textContent = dots[u.cursor.idx]?.label ?? words; }] },
  }, [dots.map((_, i) => i), ...Object.keys(colours).map(kind => dots.map(d => d.kind === kind ? d.seconds : null))], place);
  const resized = new ResizeObserver(() => drawn.setSize(size())), dark = matchMedia('(prefers-color-scheme: dark)'), again = () => drawn.redraw();
  resized.observe(place);
  dark.addEventListener('change', again);
  return () => { resized.disconnect(); dark.removeEventListener('change', again); drawn.destroy(); };
}
