// Dice in the air: they leave their places, are shaken in the hand, and land with the faces that they are given.

import { announce } from './announce.js';
import { calm, dice, status, table, tell } from './dom.js';

const LIFT = 120; // ms, into the hand
const SHAKE = 260; // in the hand at least, however quick the answer
const LAND = 520; // from the hand until one die lies
const EACH = 55; // the next one later: the last is the suspense
const TURN = 900; // of a die in the hand
const SPREAD = 2.4; // radians between two dice in the hand
const TURNED = [0, [0, 0], [90, 0], [0, -90], [0, 90], [-90, 0], [0, 180]]; // as cube.css shows each face
const air = new Map(); // dice that have left their places, and what moves them
let leftAt = 0;
let isHurried = false;
let finish = null; // while they land

/** How a die stands, turned so far. */
const pose = (x, y) => `var(--tilt) rotateX(${x}deg) rotateY(${y}deg)`;

/** Move no longer. */
function stop(moves) {
  for (const move of moves) {
    move.cancel();
  }
}

/** Have a die look as if it was in the air; the server knows nothing of that. */
function look(cube) {
  cube.classList.add(calm.matches ? 'away' : 'flying');
}

/** Let one die leave its place for the hand, which shakes. */
function lift(cube, place, at, hand) {
  const near = at.width * 0.45;
  const x = hand.x + Math.cos(place * SPREAD) * near - (at.left + at.width / 2);
  const y = hand.y + Math.sin(place * SPREAD) * near * 0.7 - (at.top + at.height / 2);
  const from = TURNED[cube.dataset.face ?? 1];
  if (calm.matches) {
    return { x, y, from, moves: [] };
  }
  const shaken = ['0 0', '5px -8px', '-6px 4px', '4px 7px', '0 0'].map(translate => ({ translate }));
  const spin = cube.firstElementChild.animate(
    [{ transform: pose(...from) }, { transform: pose(from[0] + 720, from[1] + 1080) }],
    { duration: TURN, iterations: Number.POSITIVE_INFINITY },
  );
  const moves = [
    spin,
    cube.animate([{ transform: 'none' }, { transform: `translate(${x}px, ${y}px) scale(1.1)` }], {
      duration: LIFT,
      easing: 'ease-out',
      fill: 'forwards',
    }),
    cube.animate(shaken, { duration: 170 + 25 * place, iterations: Number.POSITIVE_INFINITY, delay: LIFT / 2 }),
    cube.animate([{ opacity: 1 }, { opacity: 0.35 }], { duration: LIFT, fill: 'forwards', pseudoElement: '::before' }),
  ];
  return { x, y, from, spin, moves };
}

/** Let one die fall into its place: it goes on turning, ever slower, until it shows its face. */
function drop([cube, face], place) {
  const flight = air.get(cube);
  const done = ((flight.spin?.currentTime ?? 0) % TURN) / TURN;
  const from = [flight.from[0] + 720 * done, flight.from[1] + 1080 * done];
  const to = from.map((angle, axis) => {
    const least = angle + 200;
    return least + ((((TURNED[face][axis] - least) % 360) + 360) % 360);
  });
  const timing = { duration: LAND, delay: EACH * place, fill: 'both' };
  stop(flight.moves);
  flight.moves = [
    cube.firstElementChild.animate([{ transform: pose(...from) }, { transform: pose(...to) }], {
      ...timing,
      easing: 'cubic-bezier(.16, .6, .4, 1)',
    }),
    cube.animate(
      [
        { transform: `translate(${flight.x}px, ${flight.y}px) scale(1.1)`, easing: 'cubic-bezier(.4, .1, .8, .7)' },
        { transform: `translate(${-flight.x * 0.07}px, 7%)`, offset: 0.48, easing: 'cubic-bezier(.1, .6, .5, 1)' },
        { transform: `translate(${-flight.x * 0.03}px, -26%) scale(1.04)`, offset: 0.66, easing: 'ease-in' },
        { transform: 'translate(0, 3%)', offset: 0.84, easing: 'ease-out' },
        { transform: 'translate(0, -5%)', offset: 0.92, easing: 'ease-in' },
        { transform: 'none' },
      ],
      timing,
    ),
    cube.animate([{ opacity: 0.35 }, { opacity: 1, offset: 0.48 }, { opacity: 0.6, offset: 0.66 }, { opacity: 1 }], {
      ...timing,
      pseudoElement: '::before',
    }),
  ];
}

/** Whether dice are in the hand, or land. */
export const isRolling = () => air.size > 0;

/** Whether they land: it is known what they show. */
export const isLanding = () => finish !== null;

/** Where the hand is over the tray's width: beside its words, which stand on the right of a sum, else on the left. */
function handAt() {
  if (!status()) {
    return 0.5;
  }
  return status().matches('.faces') ? 0.58 : 0.34;
}

/** Let dice leave their places, if they have not; `isHere`: they are thrown at this device. */
export function toss(cubes, isHere) {
  const leaving = cubes.filter(cube => !air.has(cube));
  if (!leaving.length) {
    return;
  }
  const { x, y, width, height } = (status() ?? dice()).getBoundingClientRect();
  const hand = { x: x + width * handAt(), y: y + height * 0.36 };
  if (!isRolling()) {
    leftAt = performance.now();
    isHurried = false;
    table.classList.add('rolling');
    tell('tossed', isHere);
  }
  leaving.forEach(look);
  const places = leaving.map(cube => cube.getBoundingClientRect()); // all before the first one moves: one layout
  for (const [number, cube] of leaving.entries()) {
    air.set(cube, lift(cube, number, places[number], hand));
  }
}

/** Put a die where it belongs: whoever calls this shows what it shows there. */
function lay(cube) {
  stop(air.get(cube).moves);
  cube.classList.remove('flying', 'away');
  air.delete(cube);
}

/** Let all dice lie where they belong. */
function lie() {
  [...air.keys()].forEach(lay);
  finish = null;
  table.classList.remove('rolling');
}

/** Nothing was thrown: dice go back to where they lay. */
export function putBack() {
  for (const [cube, { moves }] of air) {
    const here = getComputedStyle(cube).transform;
    if (moves.length) {
      cube.animate([{ transform: here }, { transform: 'none' }], { duration: LIFT * 2, easing: 'ease-in-out' });
    }
  }
  lie();
}

/** The page shows a new throw: its dice lie, and it is told, once. */
export function thrown() {
  lie();
  const said = dice().dataset.say;
  tell('thrown', said);
  announce(said);
}

/** Which dice of this page a throw lets fall, and what they will show. `swapped`: places that stand for others. */
export function falling(fallen, swapped = new Map()) {
  const here = [...(dice()?.querySelectorAll('.cube') ?? [])];
  const there = [...fallen.querySelectorAll('.cube')];
  const kept = there.map((cube, place) => 'kept' in cube.dataset && !swapped.has(place));
  const stayed = [...swapped.values()];
  return here.length === there.length
    ? here.flatMap((cube, place) =>
        kept[place] || stayed.includes(place) ? [] : [[cube, there[swapped.get(place) ?? place].dataset.face]],
      )
    : [];
}

/** Land dice with their faces, given as pairs: a promise that is done when they can lie. Others go back. */
export function land(dropped) {
  const cubes = dropped.map(([cube]) => cube);
  toss(cubes, false);
  [...air.keys()].filter(cube => !cubes.includes(cube)).forEach(lay);
  return new Promise(done => {
    finish = done;
    if (!dropped.length || isHurried || calm.matches || document.hidden) {
      tell('landing');
      done();
      return;
    }
    const shaken = Math.max(0, leftAt + SHAKE - performance.now());
    setTimeout(() => {
      if (finish === done) {
        tell('landing');
        dropped.forEach(drop);
        setTimeout(done, LAND + EACH * (dropped.length - 1));
      }
    }, shaken);
  });
}

/** Let dice lie as soon as it is known what they show. */
export function hurry() {
  isHurried = true;
  finish?.();
}

/** What is shown meanwhile keeps dice in the air. */
export function flyOn() {
  [...air.keys()].forEach(look);
}
