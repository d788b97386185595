// In a crowd all pages are told the same: each takes the throw up by itself, and others' picks are a count.

import { status, table, total } from './dom.js';
import { inOrder } from './news.js';
import { present, refresh, showNow } from './parts.js';
import { play, takeUp } from './taps.js';

const SPREAD = 1_500; // many phones do not ask all at once

/** Whether this page's own sheet waits for a tap. */
const isDue = () => play()?.dataset.mode === 'throw' && !('moves' in play().dataset);

/** Ask for the page, when others do not all ask. */
export function refreshSoon() {
  setTimeout(refresh, Math.random() * SPREAD);
}

/** Show one's own place among all totals. */
function showPlace(totals) {
  const own = Number(total()?.textContent);
  const place = document.querySelector('.place[data-text]');
  if (place && total() && Object.keys(totals).length) {
    const better = Object.entries(totals).filter(([points]) => points > own);
    place.textContent = place.dataset.text.replace('{place}', 1 + better.reduce((all, [, many]) => all + many, 0));
  }
}

/** Show what a crowd was told, as it concerns this page. */
function showCrowd(news) {
  const form = play();
  const known = Number(form?.elements.turn.value ?? news.turn);
  if (form && (form.dataset.mode === undefined || news.turn > known + 1)) {
    refreshSoon();
    return;
  }
  const isThrow = news.turn > known;
  present([...news.all, ...(isThrow || isDue() ? news.due : news.wait)], parts => {
    if (isThrow) {
      takeUp(news.turn, news.sum);
    }
    showNow(parts);
    showPlace(news.totals);
    const isLate = news.turn && document.querySelector('.invitation'); // who has no seat
    if (status().dataset.corrected || isLate) {
      refreshSoon(); // picks have come back, or nobody can sit down any more
    }
  });
}

/** Show how many sit here, and how many have still to pick. */
function showCount({ turn, seats, text }) {
  const number = document.querySelector('#players h2 small');
  if (number) {
    number.textContent = seats;
  }
  if (turn && status().dataset.phase === 'pick' && !isDue()) {
    table.querySelector('.say strong').textContent = text;
  }
}

/** Something that all of a crowd have to know. */
export function onCrowd(event) {
  const news = JSON.parse(event.data);
  table.dataset.digest = news.digest;
  inOrder(() => showCrowd(news));
}

/** How many there are. */
export function onCount(event) {
  const count = JSON.parse(event.data);
  inOrder(() => showCount(count));
}
