// Reactions rise from the mark of whoever sent them, and are read out. They cover nothing that can be tapped.

import { refuse } from './announce.js';
import { table } from './dom.js';

const LONG = 2_600; // ms, as long as the style sheet lets them rise
const MOST = 12; // at once
const BESIDE = 8; // px, from the edge of the screen
const ASIDE = 26; // between those that come together
const APART = 3; // places, of counts
const BUZZ = [40, 80, 40];
const KEY = 'kasta-still';
const PARTS = { accept: 'application/vnd.kasta.parts+json' };
const SVG = 'http://www.w3.org/2000/svg';

const sky = document.createElement('div');
sky.id = 'rising';
sky.setAttribute('aria-hidden', 'true');
const voice = document.createElement('div');
voice.className = 'hidden';
voice.setAttribute('role', 'status');
document.body.append(sky, voice);

let waits = performance.now(); // since when nothing was played

/** Whether this device shows none. */
const isStill = () => localStorage.getItem(KEY) === '1';

/** Say something to those who do not see the page, even if it is the same again. */
function say(text) {
  voice.replaceChildren(Object.assign(document.createElement('p'), { textContent: text }));
}

/** A reaction as a picture. */
function picture(name) {
  const svg = document.createElementNS(SVG, 'svg');
  const use = document.createElementNS(SVG, 'use');
  svg.setAttribute('class', 'reaction');
  svg.setAttribute('viewBox', '0 0 32 32');
  use.setAttribute('href', `#reaction-${name}`);
  svg.append(use);
  return svg;
}

/** The mark of a player, if it is in sight. */
function markOf(seat) {
  const shown = [...document.querySelectorAll(`#p-${seat} .mark, #best .seat${seat % 8}`)];
  return shown.find(mark => {
    const { top, bottom, width } = mark.getBoundingClientRect();
    return width && top > 0 && bottom < innerHeight;
  });
}

/** Let something rise: from a mark, or from the foot of the screen. */
function rise(name, text, mark, place) {
  if (sky.children.length >= MOST) {
    return;
  }
  const risen = document.createElement('div');
  risen.className = 'risen';
  risen.dataset.reaction = name;
  risen.append(picture(name));
  if (text && !mark) {
    risen.append(Object.assign(document.createElement('span'), { className: 'who', textContent: text }));
  }
  sky.append(risen);
  const { width, height } = risen.getBoundingClientRect();
  const from = mark?.getBoundingClientRect() ?? { left: BESIDE, top: innerHeight - height - BESIDE };
  const left = from.left + place * ASIDE;
  risen.style.left = `${Math.max(BESIDE, Math.min(left, innerWidth - width - BESIDE))}px`;
  risen.style.top = `${from.top}px`;
  setTimeout(() => risen.remove(), LONG);
}

/** Show what players sent; in a crowd, how often. */
function showReactions({ given = [], counts = {}, text }) {
  if (isStill() || document.hidden) {
    return;
  }
  for (const [place, { seat, reaction, name }] of given.entries()) {
    rise(reaction, name, markOf(seat), place);
  }
  for (const [place, [reaction, many]] of Object.entries(counts).entries()) {
    rise(reaction, `× ${many}`, null, place * APART);
  }
  if (text) {
    say(text);
  }
}

/** Somebody has waited for this device for long. */
function showNudge({ text }) {
  refuse(text);
  if (navigator.vibrate && navigator.userActivation?.hasBeenActive) {
    navigator.vibrate(BUZZ);
  }
}

/** Offer to nudge, once those who are missing have had their time. */
function offerNudge() {
  const form = document.querySelector('.nudge');
  form?.classList.toggle('due', performance.now() - waits > Number(form.dataset.after) * 1000);
}

/** Send what was tapped. It is shown when it comes back as everybody's. */
async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  try {
    const answer = await fetch(form.action, { method: 'POST', body, headers: PARTS });
    refuse(answer.ok ? '' : await answer.text());
    if (answer.ok && form.matches('.nudge')) {
      waits = performance.now();
      offerNudge();
    }
  } catch {
    refuse(table.dataset.retry);
  }
}

/** Remember what the box says about this device. */
function keepStill() {
  const box = document.getElementById('still');
  if (box) {
    box.checked = isStill();
    box.addEventListener('change', () => localStorage.setItem(KEY, box.checked ? '1' : '0'));
  }
}

document.addEventListener('submit', event => {
  if (event.target.closest('#reactions')) {
    event.preventDefault();
    send(event.target, event.submitter);
  }
});
table.addEventListener('signal', ({ detail }) => {
  if (detail.kind === 'reaction') {
    showReactions(detail);
  } else if (detail.kind === 'nudge') {
    showNudge(detail);
  }
});
table.addEventListener('shown', () => {
  waits = performance.now();
  offerNudge();
});
setInterval(offerNudge, 1_000);
keepStill();
