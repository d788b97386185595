// The review: arrow keys and links step through the game without a new page, which also grows by itself.

import { morph } from 'kasta/morph.js';
import 'kasta/page.js';

const AGAIN = 1500;
const reviewed = () => document.getElementById('review');
let asked = 0; // the last answer that was asked for wins

/** Make the page like the one at an address. */
async function showReview(address) {
  asked += 1;
  const mine = asked;
  const answer = await fetch(address, { headers: { accept: 'text/html' } });
  if (!answer.ok || mine !== asked) {
    return;
  }
  const found = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('review');
  if (found && mine === asked) {
    history.replaceState(null, '', address);
    morph(reviewed(), document.adoptNode(found));
  }
}

/** Follow a link to a decision: its sheet comes into sight, if the link names it. */
async function follow({ href, hash }) {
  await showReview(href);
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
  document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'nearest', behavior });
}

/** Look again until all is there; a hidden page waits. */
async function growReview() {
  if (!document.hidden && 'growing' in reviewed().dataset) {
    try {
      await showReview(location.href);
    } catch {
      // the server does not answer: it is asked again
    }
  }
  if ('growing' in reviewed().dataset) {
    setTimeout(growReview, AGAIN);
  }
}

document.addEventListener('click', event => {
  const link = event.target.closest('a[data-step]');
  if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
    event.preventDefault();
    follow(link);
  }
});

document.addEventListener('keydown', event => {
  const rel = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
  const isTaken =
    event.altKey || event.ctrlKey || event.metaKey || event.target.closest('select, input, [role="region"]');
  const link = rel && !isTaken && document.querySelector(`a[data-step][rel="${rel}"]`);
  if (link) {
    event.preventDefault();
    follow(link);
  }
});

growReview();
