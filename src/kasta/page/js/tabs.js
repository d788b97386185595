// Own sheets are tabs, and lines are begun by tapping their box. What was written is seen before the next sheet comes.

import { calm, currentTab, table } from './dom.js';
import { look, query } from './look.js';
import { settled } from './news.js';
import { refresh } from './parts.js';

const STAY = 900; // of a sheet that is done
const GLAD = 1_700; // of one with 8 points or more on it
const SLIDE = 160; // out, and again as long in
const CARD = 700; // with the name of whoever is next

let holder = currentTab()?.dataset.seat; // whose sheet was shown last
let isChosen = false; // by a tap, so that no other comes by itself
let leaving = 0; // the time at which the sheet goes
let sliding = null;
let card = null;

/** Whether the player of a tab has something to do. */
const isBusy = tab => tab.matches('[data-throws], :has(.due)');

/** The tab of whoever is next after one whose sheet is done, if anybody is. */
function nextTab() {
  const now = currentTab();
  if (!now || isBusy(now)) {
    return null;
  }
  const tabs = [...now.parentElement.children];
  const place = tabs.indexOf(now);
  return [...tabs.slice(place + 1), ...tabs.slice(0, place)].find(isBusy) ?? null;
}

/** Move the sheet sideways: out of sight, where it stays, or into it. */
function slide(from, to, timing) {
  sliding?.cancel();
  if (!calm.matches) {
    const frames = [from, to].map(way => ({ transform: `translateX(${way})` }));
    sliding = document.querySelector('#mine .paper').animate(frames, { duration: SLIDE, ...timing });
  }
  return sliding?.finished.catch(() => null);
}

/** Lay a card on the table that says who is next. */
function layCard(tab) {
  card?.remove();
  card = document.createElement('p');
  card.className = 'next-player';
  card.setAttribute('aria-hidden', 'true');
  card.append(tab.querySelector('.mark').cloneNode(true), ` ${tab.dataset.name}`);
  table.append(card);
}

/** Take the card away. */
function takeCard() {
  card?.remove();
  card = null;
}

/** The sheet goes, and that of the next player is asked for. */
async function leave() {
  leaving = 0;
  const next = nextTab();
  if (!next) {
    return;
  }
  layCard(next);
  await slide('0', '-108%', { easing: 'ease-in', fill: 'forwards' });
  if (!isChosen) {
    look(next.dataset.seat);
    await refresh();
    await settled();
  }
  if (currentTab()?.dataset.seat !== next.dataset.seat) {
    sliding?.cancel(); // another was chosen, or it could not be had
    takeCard();
  }
}

/** A sheet comes, with a card. */
function come(tab) {
  layCard(tab);
  const laid = card;
  slide('108%', '0', { easing: 'ease-out' });
  setTimeout(() => laid === card && takeCard(), SLIDE + CARD);
}

/** Bring a tab into sight, however many there are. */
function reveal(tab) {
  const { parentElement: tabs, offsetLeft: left, offsetWidth: width } = tab;
  const start = tabs.offsetLeft;
  tabs.scrollLeft = Math.max(Math.min(tabs.scrollLeft, left - start), left + width - start - tabs.clientWidth);
}

/** The page shows something new: another sheet, or one that is done, which goes after a while. */
function onShown() {
  const now = currentTab();
  if (now && now.dataset.seat !== holder) {
    holder = now.dataset.seat;
    reveal(now);
    if (!isChosen) {
      come(now);
    }
  }
  if (isChosen || !nextTab()) {
    clearTimeout(leaving);
    leaving = 0;
  } else {
    const isGlad = document.querySelector('#mine .fresh:is([data-feast="3"], [data-feast="4"])');
    leaving ||= setTimeout(leave, isGlad ? GLAD : STAY);
  }
}

/** Look at a sheet until something is done on it. */
export function follow(form) {
  if (currentTab() && form.id === 'play') {
    isChosen = false;
    look(currentTab().dataset.seat);
    onShown();
  }
}

/** A tap ends what is only to be looked at, unless it is on something that does more. */
function skip(event) {
  if (event.target.closest('a, button:enabled, input, label, summary, select')) {
    return;
  }
  takeCard();
  if (leaving) {
    clearTimeout(leaving);
    leave();
  }
}

document.addEventListener('click', event => {
  const link = event.target.closest('[data-seat], [data-serve]');
  if (!link) {
    return;
  }
  event.preventDefault();
  if (link.dataset.seat) {
    isChosen = true;
    look(link.dataset.seat);
  } else {
    query.set('serve', link.dataset.serve);
  }
  refresh();
});
document.addEventListener('pointerdown', skip);
table.addEventListener('shown', onShown);
table.addEventListener('thrown', () => {
  isChosen = false;
});
if (currentTab()) {
  reveal(currentTab());
}
