// Moments by their size: a tick, a smile, a feast; each once. They are said in the tray, and cover nothing.

import { calm, dice, status, table } from './dom.js';
import { isThrowHeard, sound } from './sound.js';
import { play } from './taps.js';

const LASTING = 1_700;
const SPARKS = 14;
const sheets = new Set(); // whose feasts are known
const known = new Set();
let joy = null; // what is said now, and on whose sheet it was earned
let ending = 0; // when it will have been said for long enough

/** Whose sheet is shown. */
const owner = () => play()?.elements.seat.value;

/** A feast by its place and what is called out; each throw has its own. */
const nameOf = ({ id, dataset }) => `${id} ${dataset.turn} ${dataset.call}`;

/** How much there is to be glad of. */
const sizeOf = feast => Number(feast.dataset.feast);

/** All that there is to be glad of: on the sheet that is shown, and in the tray. */
const allFeasts = () => [...document.querySelectorAll('#mine [data-feast], #dice[data-feast]')];

/** Whether somebody sees this feast for the first time; what was on a sheet before it was looked at is not new. */
function isNews(feast, isSheetNew) {
  const isKnown = known.has(nameOf(feast));
  known.add(nameOf(feast));
  return !isKnown && !(isSheetNew && feast !== dice());
}

/** A spark flies off, each its own way: up, where it hides nothing that was written. */
function flyAway(spark, place) {
  const way = `rotate(${-(place * 180) / SPARKS}deg) translateX(${3 + Math.random() * 4}rem) scale(.4)`;
  spark.animate([{}, { opacity: 1, offset: 0.6 }, { transform: way, opacity: 0 }], {
    duration: 1_100,
    easing: 'cubic-bezier(.1, .7, .4, 1)',
    fill: 'both',
  });
}

/** The tray says what there is to be glad of, or nothing any more. The server, which makes the tray, does not know. */
function say() {
  const place = status().querySelector('.joy');
  place.textContent = joy?.text ?? '';
  place.dataset.size = joy?.size ?? '';
  return place;
}

/** All of it has been said. */
function forget() {
  clearTimeout(ending);
  joy = null;
  say();
}

/** Say what is new, the largest first. */
function callOut(feasts) {
  const calls = feasts.toSorted((one, other) => sizeOf(other) - sizeOf(one));
  const text = [...new Set(calls.map(each => each.dataset.call))].join(' · ');
  joy = { text, size: sizeOf(calls[0]), owner: owner() };
  clearTimeout(ending);
  ending = setTimeout(forget, LASTING);
  const place = say();
  if (joy.size === 4 && !calm.matches) {
    place.append(...Array.from({ length: SPARKS }, () => document.createElement('i')));
    place.querySelectorAll('i').forEach(flyAway);
  }
}

/** Make of each new moment what it is worth; the largest is heard. */
function celebrate() {
  const isSheetNew = !sheets.has(owner());
  sheets.add(owner());
  const news = allFeasts().filter(feast => isNews(feast, isSheetNew));
  const glad = news.filter(feast => sizeOf(feast) > 1);
  if (glad.length) {
    callOut(glad);
  } else if (joy?.owner === owner()) {
    say();
  } else {
    forget(); // it was somebody else's
  }
  const heard = news.filter(feast => feast !== dice() || isThrowHeard());
  if (heard.length) {
    sound(`feast${Math.max(...heard.map(sizeOf))}`);
  }
}

table.addEventListener('shown', celebrate);
sheets.add(owner());
for (const feast of allFeasts()) {
  known.add(nameOf(feast));
}
