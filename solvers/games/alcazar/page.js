// Alcazar's notation under a finger; the head of the page's boards.js tells what is asked of it.
import { line, replaced } from '/boards.js';

export default {
  tools: [['Wall or passage', 'toggle', [line(.16, [.5, .1], [.5, .9])]]],
  blank: (rows, cols) => {
    const lines = [];
    for (let r = 0; r <= 2 * rows; r++) {
      let l = '';
      for (let c = 0; c <= 2 * cols; c++) l += r % 2 && c % 2 ? '0' : r % 2 === 0 && c % 2 === 0 || r === 0 || c === 0 || r === 2 * rows || c === 2 * cols ? 'x' : ' ';
      lines.push(l);
    }
    return lines.join('\n');
  },
  draw(text) {
    const lines = text.replace(/\n+$/, '').split('\n').map(l => [...l]), width = Math.max(...lines.map(l => l.length)), spots = [];
    for (const l of lines) while (l.length < width) l.push(' ');
    lines.forEach((l, i) => l.forEach((ch, j) => {
      const flat = i % 2 === 0, beside = [-1, 1].some(d => (flat ? lines[i + d]?.[j] : l[j + d]) === '0'), x = j / 2, y = i / 2, wall = ch === 'x';
      if (i % 2 === j % 2 || !beside) return;
      const name = `row ${Math.max(1, i >> 1)} column ${Math.max(1, j + 1 >> 1)}, ${flat ? i ? 'below' : 'above' : j ? 'right' : 'left'}`;
      spots.push({ points: [[x - .45, y], [x, y - .45], [x + .45, y], [x, y + .45]], x, y, shows: wall ? flat ? '—' : '|' : '', name: `${name}: ${wall ? 'wall' : 'passage'}`,
        put: () => replaced(lines, i, j, wall ? ' ' : 'x').map(s => s.join('')).join('\n') });
    }));
    return { margin: .9, width: (width - 1) / 2, height: (lines.length - 1) / 2, spots };
  },
};
