// Dice in their places: what is kept stays ticked, and stays where it lies. A log knows faces, not places: of equal
// dice the server may keep another one than was tapped. Then those two are seen in each other's place.

import { dice, status, table } from './dom.js';

const SEEN = 'kasta-places';
let tapped = null; // places whose dice were kept here, and their faces
let seen = JSON.parse(sessionStorage.getItem(SEEN) ?? '{}')[placesOf()] ?? []; // which place is seen where

/** What the order of the dice belongs to: a throw at this table. */
function placesOf() {
  return `${table.dataset.table} ${dice().dataset.turn}`;
}

/** All places with dice, as the server has them. */
const places = (from = dice()) => [...from.querySelectorAll('.spot')];

/** The die in a place. */
const dieIn = place => place.querySelector('.cube');

/** The numbers of the places in which something is found. */
const having = (what, from) => places(from).flatMap((place, number) => (place.querySelector(what) ? [number] : []));

/** Which of the dice that were kept here lies, for each that the server keeps, in a place of its own. */
function partners(kept, faces) {
  const free = new Map([...(tapped ?? [])].filter(([place]) => !kept.includes(place)));
  return new Map(
    (tapped ? kept.filter(number => !tapped.has(number)) : []).flatMap(number => {
      const [place] = [...free].find(([, face]) => face === faces[number]) ?? [];
      free.delete(place);
      return place === undefined ? [] : [[number, place]];
    }),
  );
}

/** Of a throw that is still to be seen: places here, and those of the server whose dice are seen there. */
export function swapped(fallen) {
  return partners(
    having('[data-kept]', fallen),
    places(fallen).map(place => dieIn(place).dataset.face),
  );
}

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
  for (const [number, place] of swapped(dice())) {
    swap(number, place);
  }
  tapped = null;
  sessionStorage.setItem(SEEN, JSON.stringify({ [placesOf()]: seen }));
  for (const box of dice().querySelectorAll('input[name=kept]')) {
    box.checked = box.defaultChecked;
  }
}

/** Show the dice where they lie, also while some of them are in the cup. */
function arrange() {
  if (tapped && status().matches('.real') && dice().querySelector('.cube:not([data-face])')) {
    settle();
  }
  places().forEach((place, number) => {
    place.style.order = seen.indexOf(number);
  });
}

document.addEventListener('submit', ({ target }) => {
  if (target.id === 'keep') {
    tapped = new Map(having(':checked').map(number => [number, dieIn(places()[number]).dataset.face]));
  }
});
table.addEventListener('thrown', settle);
table.addEventListener('shown', arrange);
arrange();
