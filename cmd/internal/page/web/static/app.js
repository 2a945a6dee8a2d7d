// The frame around the views: it decides which one shows.
import { listen, pictured, say } from './page.js';

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
let picture = null; // that waits for the view that takes it

// A picture is calibrated on where that is done; everywhere else it is solved.
pictured(file => {
  picture = file;
  if (leave.take) hand(); else location.hash = '#solve';
});
function hand() {
  if (picture && leave.take) leave.take(picture);
  picture = leave.take ? null : picture;
}

async function show() {
  const [asked] = location.hash.slice(1).split('/');
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
    const both = Object.assign(() => { left(); close(); }, { take: left.take });
    if (shown === name) leave = both; else both();
    hand();
  } catch (e) { say(e); }
}

// "#view" belongs to the skip link; "#watch" and so on are views.
addEventListener('hashchange', () => { if (location.hash !== '#view') show(); });
show();
