// The frame around the views: it decides which one shows.
import { listen, say } from './page.js';

// Each view is loaded when it first shows.
const views = {
  watch: async main => (await import('./watch.js')).watch(main),
  calibrate: async main => (await import('./calibrate.js')).calibrate(main),
  history: async main => (await import('./history.js')).history(main),
  solve: async main => (await import('./solve.js')).solve(main),
  fleet: async main => (await import('./fleet.js')).fleet(main),
};
let leave = () => {};
let shown = '';

async function show() {
  const asked = location.hash.slice(1);
  // A page without a hub has no tab for the fleet.
  const name = asked in views && !document.querySelector(`nav a[href="#${asked}"]`).hidden ? asked : 'watch';
  if (name === shown) return;
  shown = name;
  leave();
  leave = () => {};
  say(''); // it was of another view
  for (const a of document.querySelectorAll('nav a')) {
    if (a.hash === '#' + name) a.setAttribute('aria-current', 'page'); else a.removeAttribute('aria-current');
  }
  const main = document.getElementById('view');
  main.replaceChildren(document.querySelector(`template#${name}`).content.cloneNode(true));
  document.title = main.querySelector('h1').textContent + ' · tapwise';
  try {
    // Watch and calibrate listen themselves; the others listen only to show that
    // the server is there.
    const close = name !== 'watch' && name !== 'calibrate' ? listen(false, {}) : () => {};
    const left = await views[name](main).catch(e => { close(); throw e; });
    const both = () => { left(); close(); };
    if (shown === name) leave = both; else both();
  } catch (e) { say(e); }
}

// "#view" belongs to the skip link; "#watch" and so on are views.
addEventListener('hashchange', () => { if (location.hash !== '#view') show(); });
show();
