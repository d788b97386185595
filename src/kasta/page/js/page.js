// What every page has. Without scripts every form still works; with them nothing has to be submitted twice.

import { forgetAll } from './kept.js';
import './names.js';
import './share.js';

const QUIET = 3000; // ms after the page was loaded
const BUSY = { timeout: 20_000 }; // ms for which a page that is never idle is left alone

document.documentElement.classList.add('js');

document.querySelector('.language select')?.addEventListener('change', event => event.target.form.requestSubmit());

// A seat's link keeps its secret after #, where no server log sees it.
const secret = document.getElementById('secret');
if (secret) {
  secret.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
}

document.addEventListener('focusin', event => {
  if (event.target.matches('.link')) {
    event.target.select();
  }
});

// Who deletes all that the server keeps wants nothing left here.
document.addEventListener('submit', event => event.target.matches('[data-forget]') && forgetAll());

/** Install as an app, and be of use without a network, where browsers allow it: with https, and on this machine. */
async function install() {
  await navigator.serviceWorker.register('/worker.js');
  await tellWorker();
}

/** Let the worker know which language is read, and that this page is seen: notices that lead here go. */
async function tellWorker() {
  const { active } = await navigator.serviceWorker.ready;
  const { lang } = document.documentElement;
  active.postMessage({ language: lang });
  if (!navigator.connection?.saveData) {
    whenIdle(() => active.postMessage({ language: lang, isLater: true }));
  }
}

/** Do something that nobody waits for, once the page has nothing else to do. */
function whenIdle(work) {
  setTimeout(() => window.requestIdleCallback?.(work, BUSY) ?? work(), QUIET);
}

const hasServer = !('static' in document.documentElement.dataset);
if (hasServer && navigator.serviceWorker) {
  addEventListener('load', () => install().catch(() => {})); // a browser may say no
  document.addEventListener('visibilitychange', () => document.hidden || tellWorker());
}

// Games that were played without a network come home.
if (hasServer && localStorage.getItem('kasta-pocket')) {
  import(`/static/${import.meta.url.split('/')[4]}/pocket/home.js`).catch(() => {}); // later
}

/** Days are those of UTC: each visitor reads when that is, in their own language. */
function showTimes(selector, options) {
  const { lang } = document.documentElement;
  const format = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, options); // as in Europe: 18 November, 13:00
  for (const time of document.querySelectorAll(selector)) {
    time.textContent = format.format(new Date(time.dateTime));
  }
}

showTimes('time[data-day]', { dateStyle: 'long', timeZone: 'UTC' });
showTimes('time[data-weekday]', { weekday: 'long', timeZone: 'UTC' });
showTimes('time[data-month]', { month: 'long', timeZone: 'UTC' });
showTimes('time[data-clock]', { timeStyle: 'short' });
showTimes('time[data-moment]', { dateStyle: 'medium', timeStyle: 'short' });
