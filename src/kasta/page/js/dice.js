// Dice that have just fallen: told at once, then seen tumbling. A tap ends that.

import { announce } from './announce.js';
import { calm, dice, tell } from './dom.js';

const LENGTH = 950; // of a throw
const DELAY = 60; // each die a little after the one before
let flying = [];
let frame = 0; // in which they will take off

/** A number between two. */
const between = (least, most) => least + Math.random() * (most - least);

/** How a die flies in, lands, hops and lies. */
function flight() {
  const from = between(-260, -140);
  const hop = between(8, 20);
  return [
    { transform: `translate(${from}%, ${between(-190, -90)}%) scale(1.5)`, easing: 'cubic-bezier(.3, .1, .8, .7)' },
    { transform: `translate(${hop}%, 4%)`, offset: 0.5, easing: 'cubic-bezier(.1, .6, .5, 1)' },
    { transform: `translate(${hop / 2}%, ${between(-45, -25)}%) scale(1.08)`, offset: 0.66, easing: 'ease-in' },
    { transform: 'translate(2%, 2%)', offset: 0.82, easing: 'ease-out' },
    { transform: `translate(1%, ${between(-8, -3)}%)`, offset: 0.9, easing: 'ease-in' },
    { transform: 'none' },
  ];
}

/** How it turns meanwhile, until it shows its face. */
function spin() {
  const turns = (x, y, z) => `rotateX(${x}deg) rotateY(${y}deg) rotateZ(${z}deg) var(--turned)`;
  const side = Math.sign(between(-1, 1));
  return [
    { transform: turns(between(500, 900), side * between(400, 800), side * between(90, 300)) },
    { transform: turns(between(70, 130), side * between(50, 110), side * between(20, 50)), offset: 0.55 },
    { transform: turns(between(-25, -10), side * between(5, 25), 0), offset: 0.8 },
    { transform: 'var(--tilt) rotateZ(0deg) var(--turned)' },
  ];
}

/** Throw one die into its place. */
function fly(cube, place) {
  const timing = { duration: LENGTH - DELAY * 3, delay: DELAY * Math.min(place, 3), fill: 'backwards' };
  const shadow = [{ opacity: 0 }, { opacity: 0.3, offset: 0.45 }, { opacity: 1 }];
  return [
    cube.animate(flight(), timing),
    cube.firstElementChild.animate(spin(), { ...timing, easing: 'cubic-bezier(.2, .5, .4, 1)' }),
    cube.animate(shadow, { ...timing, pseudoElement: '::before' }),
  ];
}

/** Let all dice fall that are not kept, unless the end has come before they could. */
function takeOff() {
  flying = [...(dice()?.querySelectorAll('.cube[data-face]:not([data-kept])') ?? [])].flatMap(fly);
}

/** Let all dice lie. */
function land() {
  cancelAnimationFrame(frame);
  for (const flight of flying.splice(0)) {
    flight.finish();
  }
}

/** Tell of the throw that the page shows by now, and let its dice fall: in the frame that shows it, not before. */
export function thrown() {
  const said = dice().dataset.say;
  tell('thrown', said);
  announce(said);
  land();
  if (!calm.matches) {
    frame = requestAnimationFrame(takeOff);
  }
}

document.addEventListener('pointerdown', land, true);
document.addEventListener('keydown', land, true);
