// The page that is shown without a network. It stands at the address that was asked for, and goes on from there.

import { forgetAll, keptRules, lastGames, pendingPicks } from 'kasta/kept.js';
import 'kasta/page.js';

const PAUSE = 3000; // between two tries

const shelf = document.createElement('ul');
document.getElementById('seen-games').append(shelf);

/** One of the last games, with its picture. */
function shown({ text, picture }) {
  const item = document.createElement('li');
  const image = document.createElement('img');
  image.src = picture;
  image.alt = text;
  image.loading = 'lazy';
  item.append(image);
  return item;
}

/** Show what there is, and hide headings of what is not. */
async function list() {
  const rules = await keptRules();
  for (const item of document.querySelectorAll('#seen-rules li')) {
    item.hidden = !rules.includes(item.dataset.path);
  }
  document.getElementById('seen-rules').hidden = !document.querySelector('#seen-rules li:not([hidden])');
  const games = lastGames();
  shelf.replaceChildren(...games.map(shown));
  shelf.parentElement.hidden = !games.length;
  document.getElementById('forget').hidden = !(games.length || rules.length);
}

/** Go on as soon as the server answers. */
async function goOn() {
  const answer = await fetch('/health').catch(() => null);
  if (answer?.ok) {
    location.reload();
  }
}

document.getElementById('again').href = location.href;
document.getElementById('unsent').hidden = !pendingPicks(location.pathname).length;
document.getElementById('forget').addEventListener('submit', async event => {
  event.preventDefault();
  await forgetAll();
  list();
});
list();
if (location.pathname !== '/offline') {
  addEventListener('online', goOn);
  setInterval(() => document.hidden || goOn(), PAUSE);
}
