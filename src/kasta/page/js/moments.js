// Moments by their size: a tick, a smile, a feast; each once.

import { calm, dice, status, table } from './dom.js';
import { isThrowHeard, sound } from './sound.js';

const LASTING = 1_700;
const SPARKS = 14;
const ROOM = 16; // a feast swells before it settles
const sheets = new Set(); // whose feasts are known
const known = new Set();

/** A feast by its place and what is called out; each throw has its own. */
const nameOf = ({ id, dataset }) => `${id} ${dataset.turn} ${dataset.call}`;

/** All that there is to be glad of: on the sheet that is shown, and in the tray. */
const allFeasts = () => [...document.querySelectorAll('#mine [data-feast], #dice[data-feast]')];

/** Whether somebody sees this feast for the first time; what was on a sheet before it was looked at is not new. */
function isNews(feast, isSheetNew) {
  const isKnown = known.has(nameOf(feast));
  known.add(nameOf(feast));
  return !isKnown && !(isSheetNew && feast !== dice());
}

/** A spark flies off, each its own way. */
function flyAway(spark, place) {
  const way = `rotate(${(place * 360) / SPARKS}deg) translateX(${4 + Math.random() * 5}rem) scale(.4)`;
  spark.animate([{}, { opacity: 1, offset: 0.6 }, { transform: way, opacity: 0 }], {
    duration: 1_100,
    easing: 'cubic-bezier(.1, .7, .4, 1)',
    fill: 'both',
  });
}

/** Show a few words where they belong, for a moment: never over the tray. */
function callOut(feast) {
  const moment = document.createElement('div');
  const size = Number(feast.dataset.feast);
  moment.className = 'moment';
  moment.dataset.size = size;
  moment.textContent = feast.dataset.call;
  moment.setAttribute('aria-hidden', 'true');
  for (let spark = 0; size === 4 && spark < SPARKS; spark += 1) {
    moment.append(document.createElement('i'));
  }
  moment.querySelectorAll('i').forEach(flyAway);
  document.body.append(moment);
  const tray = status().getBoundingClientRect();
  const { left, width, top } = feast.getBoundingClientRect();
  const isBeside = tray.height > tray.width; // a phone held sideways
  const least = isBeside ? tray.right : 0;
  const wanted = left + width / 2 - moment.offsetWidth / 2;
  moment.style.left = `${Math.max(least + ROOM, Math.min(wanted, innerWidth - moment.offsetWidth - 4))}px`;
  moment.style.top = `${Math.max(top - moment.offsetHeight, isBeside ? ROOM : tray.bottom + ROOM)}px`;
  setTimeout(() => moment.remove(), LASTING);
}

/** Make of each new moment what it is worth; the largest is heard. */
function celebrate() {
  const sheet = document.getElementById('play')?.elements.seat.value;
  const isSheetNew = !sheets.has(sheet);
  sheets.add(sheet);
  const news = allFeasts().filter(feast => isNews(feast, isSheetNew));
  for (const feast of calm.matches ? [] : news.filter(each => each.dataset.feast > 1)) {
    callOut(feast);
  }
  const heard = news.filter(feast => feast !== dice() || isThrowHeard());
  if (heard.length) {
    sound(`feast${Math.max(...heard.map(feast => Number(feast.dataset.feast)))}`);
  }
}

table.addEventListener('shown', celebrate);
for (const feast of allFeasts()) {
  known.add(nameOf(feast));
}
