// Where things are on a table's page. The table sends `tossed` when dice leave, `landing` when they fall, `thrown` when
// they lie, `shown` when its parts are new, `ended` when all is told,
// and `signal` when something happens beside the game. It hears `call` when others wait for this device.

export const table = document.getElementById('table');

/** A name for this page, by which its posts find its stream. */
export const page = Math.random().toString(36).slice(2);

export const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** The section that says what is to do now. */
export const status = () => document.getElementById('status');

/** The dice that fell last. */
export const dice = () => document.getElementById('dice');

/** The sheet that is shown, where several are played at this device. */
export const currentTab = () => document.querySelector('.tabs [aria-current]');

/** The total under one's own sheet. */
export const total = () => document.querySelector('#mine .total strong');

/** Tell the other modules what happened. */
export const tell = (what, detail) => table.dispatchEvent(new CustomEvent(what, { detail }));

/** A checkbox whose state this device remembers. */
export function remembered(id, key) {
  const box = document.getElementById(id);
  box.checked = localStorage.getItem(key) === '1';
  box.addEventListener('change', () => localStorage.setItem(key, box.checked ? '1' : '0'));
  return box;
}
