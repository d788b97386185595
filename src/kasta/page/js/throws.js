// A throw at this table, from the touch until its dice lie. They leave at once, whenever the answer comes; until they
// lie nothing can be tapped, and a second tap is no second wish.

import { announce } from './announce.js';
import { falling, flyOn, hurry, isLanding, isRolling, land, putBack, toss } from './dice.js';
import { dice, status, table } from './dom.js';
import { swapped } from './keep.js';
import { isBehind } from './news.js';

const DOUBLE = 450; // ms; so soon after the touch a tap is half of a double tap, and ends no flight
const AGAIN = 900; // nor does it throw again, if nothing else was touched
const SEEN = 250; // what has come under a finger must be seen before it can be meant
const SLOW = 1_500; // now the network is mentioned
const PATIENCE = 8_000; // now the dice go back. A throw names its turn: asking again is safe
const TAPPED = '#status .throw, #status .spot, #mine button, #mine a, .after button';
let touchedAt = Number.NEGATIVE_INFINITY;
let throwsAt = 0; // when the buttons wake
let picksAt = 0; // and all else
let isVain = false; // a tap that began while all slept
let noted = '';
let timers = [];

/** Whether something is not to be tapped now. */
function isAsleep(target) {
  return isRolling() || performance.now() < (target.closest('.throw') ? throwsAt : picksAt);
}

/** Whether these dice may not be thrown: all are kept, or none although one has to be. */
function isForbidden(button) {
  const kept = dice().querySelectorAll(':checked').length;
  return button.id === 'again' && (kept === dice().querySelectorAll('.spot').length || kept < button.dataset.least);
}

/** Show which buttons sleep, and what there is to say beside the dice. */
function showSleep() {
  for (const button of status().querySelectorAll('button.throw')) {
    button.setAttribute('aria-disabled', String(isAsleep(button) || isForbidden(button)));
  }
  status().querySelector('.note').textContent = noted;
}

/** Say something beside the dice, until the next throw. */
function note(text) {
  noted = text;
  announce(text);
  showSleep();
}

/** Let buttons wake when it is time. */
function wakeLater() {
  setTimeout(showSleep, Math.max(0, throwsAt - performance.now()) + 1);
}

/** Whether a form throws dice of the server's. */
export const isThrow = form => form.matches('#keep, [action$="/roll"]') && !status().matches('.real');

/** Let the dice of a throw that was asked for leave. `giveUp` is called when nobody has answered for long. */
export function leave(giveUp) {
  touchedAt = performance.now();
  throwsAt = touchedAt + AGAIN;
  noted = '';
  toss([...dice().querySelectorAll('.spot:not(:has(:checked)) .cube')], true);
  timers = [
    setTimeout(note, SLOW, table.dataset.slow),
    setTimeout(() => {
      giveUp();
      goBack(table.dataset.unanswered);
    }, PATIENCE),
  ];
  showSleep();
  wakeLater();
}

/** Nothing was thrown: say why, and let it be tried again. */
export function goBack(why) {
  timers.forEach(clearTimeout);
  if (isRolling() && !isLanding()) {
    putBack();
    throwsAt = performance.now() + SEEN;
    note(why);
    wakeLater();
  }
}

/** Let a throw that is about to be shown land first: a promise, or null if no dice fall. */
export function arrive(fallen) {
  if (!fallen || fallen.dataset.turn === dice().dataset.turn) {
    return null;
  }
  timers.forEach(clearTimeout);
  const dropped = status().matches('.real') || isBehind() ? [] : falling(fallen, swapped(fallen));
  return dropped.length ? land(dropped) : null;
}

/** A tap ends the flight, unless it is the second half of a double tap. */
function onTouch({ target, type, timeStamp }) {
  isVain = type === 'pointerdown' && Boolean(target.closest?.(TAPPED)) && isAsleep(target);
  if (isRolling() && timeStamp - touchedAt > DOUBLE) {
    picksAt = timeStamp + SEEN;
    hurry();
  }
}

/** What sleeps cannot be tapped; whatever else is, no second tap on a button came before it. */
function onTap(event) {
  const target = event.target.closest(TAPPED);
  if (!target) {
    return;
  }
  if (isVain || isAsleep(target) || target.ariaDisabled === 'true') {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else if (!target.matches('.throw')) {
    throwsAt = 0;
  }
}

/** Where the tray itself has the focus, the space bar throws: once a turn, for no throw can be taken back. */
function onKey(event) {
  const button = event.target === status() && event.key === ' ' && document.getElementById('roll');
  if (button) {
    event.preventDefault();
    if (!event.repeat) {
      button.click();
    }
  }
}

document.addEventListener('pointerdown', onTouch, true);
document.addEventListener('keydown', onTouch, true);
document.addEventListener('click', onTap, true);
document.addEventListener('keydown', onKey);
document.addEventListener('change', showSleep);
table.addEventListener('thrown', () => {
  noted = '';
  throwsAt = Math.max(performance.now() + SEEN, touchedAt + AGAIN);
  wakeLater();
});
table.addEventListener('shown', () => {
  flyOn();
  showSleep();
});
showSleep();
