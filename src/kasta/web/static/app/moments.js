// Small moments: a finished hand is called out, and at the end the total counts up line by line.

import { calm, table, total } from './dom.js';

const STEP = 350;
const LENGTH = 1900;
const seen = new Set([...document.querySelectorAll('#mine .box.fresh')].map(box => box.textContent));
let counted = null;

/** The part of a box that shows its points, and names its hand. */
const worth = box => box.querySelector('[title]');

/** The points in a box. */
const pointsIn = box => Number(worth(box)?.textContent ?? 0);

/** Count the total up, box by box: on all phones at once. */
function countUp() {
  const boxes = [...document.querySelectorAll('#mine .box.earned')];
  if (!boxes.length || !total() || calm.matches) {
    return;
  }
  const end = total().textContent;
  let sum = Number(end) - boxes.reduce((all, box) => all + pointsIn(box), 0);
  counted = sum;
  total().textContent = sum;
  boxes.forEach((box, place) => {
    setTimeout(
      () => {
        box.classList.add('fresh');
        sum += pointsIn(box);
        counted = place === boxes.length - 1 ? null : sum;
        total().textContent = counted ?? end;
      },
      STEP * (place + 1),
    );
  });
}

/** Show a few words over the page for a moment. */
function flash(text) {
  const moment = document.createElement('div');
  moment.className = 'moment';
  moment.textContent = text;
  moment.setAttribute('aria-hidden', 'true');
  document.body.append(moment);
  setTimeout(() => moment.remove(), LENGTH);
}

/** Call out the hands that were not there before. */
function celebrate() {
  for (const box of document.querySelectorAll('#mine .box.fresh')) {
    const hand = worth(box)?.title;
    if (hand && !seen.has(box.textContent)) {
      seen.add(box.textContent);
      flash(`${hand[0].toUpperCase()}${hand.slice(1)}! ${worth(box).textContent}`);
    }
  }
}

table.addEventListener('shown', ({ detail: { isEnd } }) => {
  if (isEnd) {
    countUp();
  } else if (counted === null) {
    celebrate();
  } else {
    total().textContent = counted;
  }
});
