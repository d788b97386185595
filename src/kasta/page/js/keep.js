// Dice in their places: what is kept stays ticked, and stays where it lies. A log knows faces, not places: of equal
// dice the server may keep another one than was tapped. Then those two are seen in each other's place.

import { dice, table } from './dom.js';

let tapped = null; // places whose dice were kept here, and their faces
let seen = []; // which place is seen where

/** All places with dice, as the server has them. */
const places = () => [...dice().querySelectorAll('.spot')];

/** The face of the die in a place. */
const faceIn = number => places()[number].querySelector('.cube').dataset.face;

/** The numbers of the places in which something is found. */
const having = what => places().flatMap((place, number) => (place.querySelector(what) ? [number] : []));

/** Have two places seen where the other was. */
function swap(one, other) {
  const [here, there] = [seen.indexOf(one), seen.indexOf(other)];
  [seen[here], seen[there]] = [other, one];
}

/** What was kept lies where it lay, and is ticked. */
function settle() {
  const kept = having('[data-kept]');
  if (!kept.length || seen.length !== places().length) {
    seen = places().map((_, number) => number);
  }
  for (const number of tapped ? kept.filter(each => !tapped.has(each)) : []) {
    const [place] = [...tapped].find(([each, face]) => face === faceIn(number) && !kept.includes(each)) ?? [number];
    swap(number, place);
    tapped.delete(place);
  }
  tapped = null;
  for (const box of dice().querySelectorAll('input[name=kept]')) {
    box.checked = box.defaultChecked;
  }
}

/** Show the dice where they lie, also while some of them are in the cup. */
function arrange() {
  if (tapped && dice().querySelector('.cube:not([data-face])')) {
    settle();
  }
  places().forEach((place, number) => {
    place.style.order = seen.indexOf(number);
  });
}

document.addEventListener('submit', ({ target }) => {
  if (target.id === 'keep') {
    tapped = new Map(having(':checked').map(number => [number, faceIn(number)]));
  }
});
table.addEventListener('thrown', settle);
table.addEventListener('shown', arrange);
