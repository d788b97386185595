// In a crowd all pages are told the same: each takes the throw up by itself, and others' picks are a count.

import { status, table, total } from './dom.js';
import { refresh, show } from './parts.js';
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

/** Something that all of a crowd have to know. */
export function onCrowd(event) {
  const news = JSON.parse(event.data);
  const form = play();
  const known = Number(form?.elements.turn.value ?? news.turn);
  table.dataset.digest = news.digest;
  if (form && (form.dataset.mode === undefined || news.turn > known + 1)) {
    refreshSoon();
    return;
  }
  if (news.turn > known) {
    takeUp(news.turn, news.sum);
    show([...news.all, ...news.due]);
  } else {
    show([...news.all, ...(isDue() ? news.due : news.wait)]);
  }
  showPlace(news.totals);
  if (status().dataset.corrected) {
    refreshSoon(); // picks have come back
  }
}

/** How many sit here, and how many have still to pick. */
export function onCount(event) {
  const { turn, seats, text } = JSON.parse(event.data);
  const number = document.querySelector('#players h2 small');
  if (number) {
    number.textContent = seats;
  }
  if (turn && status().dataset.phase === 'pick' && !isDue()) {
    table.querySelector('.say strong').textContent = text;
  }
}
