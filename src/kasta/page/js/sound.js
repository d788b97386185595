// Sounds, made here and now: of what is done at this device, and of others' throws where that is switched on.

import { remembered, table } from './dom.js';

const KEY = 'kasta-mute';
const hear = remembered('hear', 'kasta-hear');
const HARDNESS = { throw: [1400, 3400], pencil: [2600, 5200] }; // in Hz
const NOTES = [523, 659, 784, 1047, 1319, 1568];
let context = null;
let noise = null;
let isTyped = false; // here: dice that were thrown by hand
let isHeard = false; // the last throw

/** Whether the last throw was made here, or others' are to be heard. */
export const isThrowHeard = () => isHeard;

/** Whether this device is to be quiet. */
const isMute = () => localStorage.getItem(KEY) === '1';

/** Make the means of sound. This can hold a page up for long, so it is not left to the first tap. */
function warmUp() {
  if (context || isMute() || !('AudioContext' in window)) {
    return;
  }
  context = new AudioContext();
  noise = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) {
    samples[at] = Math.random() * 2 - 1;
  }
}

/** Have the means of sound work, once somebody has touched the page: browsers ask for that. */
function unlock() {
  if (context && context.state !== 'running') {
    context.resume();
  }
}

/** A volume that rises at once, and falls until a sound is over. */
function fade(loudness, start, length) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(loudness, start + Math.min(0.01, length / 4));
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  gain.connect(context.destination);
  return gain;
}

/** A short noise: wood on felt, lead on paper. */
function burst([low, high], loudness, after, length) {
  const start = context.currentTime + after;
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  source.buffer = noise;
  filter.type = 'bandpass';
  filter.frequency.value = low + Math.random() * (high - low);
  filter.Q.value = 1.4;
  source.connect(filter).connect(fade(loudness, start, length));
  source.start(start, Math.random() * 0.2, length);
}

/** A note. */
function ring(pitch, loudness, after, length) {
  const start = context.currentTime + after;
  const source = context.createOscillator();
  source.type = 'triangle';
  source.frequency.value = pitch;
  source.connect(fade(loudness, start, length));
  source.start(start);
  source.stop(start + length);
}

/** Notes one after the other, the last one longer. */
function melody(pitches, step, loudness) {
  pitches.forEach((pitch, place) => {
    ring(pitch, loudness, place * step, place === pitches.length - 1 ? step * 4 : step * 1.6);
  });
}

/** Dice on each other, or on wood: how loud, and when. */
function rattle(...knocks) {
  for (const [loudness, after] of knocks) {
    burst(HARDNESS.throw, loudness, after + Math.random() * 0.03, 0.05);
  }
}

const SOUNDS = {
  shake: () => rattle([0.12, 0.02], [0.1, 0.09], [0.14, 0.17]),
  throw: () => rattle([0.4, 0.25], [0.32, 0.31], [0.2, 0.44], [0.1, 0.52]),
  pencil() {
    burst(HARDNESS.pencil, 0.1, 0, 0.14);
    burst(HARDNESS.pencil, 0.07, 0.16, 0.1);
  },
  feast1: () => ring(NOTES[3], 0.06, 0, 0.08),
  feast2: () => melody([NOTES[0], NOTES[2]], 0.09, 0.1),
  feast3: () => melody(NOTES.slice(0, 4), 0.09, 0.12),
  feast4: () => melody([...NOTES, NOTES[4], NOTES[5]], 0.1, 0.15),
  end: () => melody([NOTES[2], NOTES[0], NOTES[1], NOTES[3]], 0.16, 0.12),
  call: () => melody([NOTES[2], NOTES[4]], 0.18, 0.14),
};
const TOUCHES = {
  shake: [10, 60, 15],
  throw: 25,
  pencil: 8,
  feast2: 15,
  feast3: [20, 50, 30],
  feast4: [30, 60, 30, 60, 80],
};

/** Let something be heard and felt, as soon as the page has shown what it has to. */
export function sound(what) {
  if (isMute() || document.hidden || !context) {
    return;
  }
  setTimeout(SOUNDS[what]);
  if (TOUCHES[what] && navigator.vibrate && navigator.userActivation?.hasBeenActive) {
    navigator.vibrate(TOUCHES[what]);
  }
}

/** Show the switch as it stands. */
function showSwitch() {
  const button = document.getElementById('mute');
  button.hidden = false;
  button.setAttribute('aria-pressed', String(isMute()));
}

document.addEventListener('pointerup', unlock, true);
document.addEventListener('keydown', unlock, true);
document.addEventListener('click', ({ target }) => {
  if (target.closest('#mute')) {
    localStorage.setItem(KEY, isMute() ? '0' : '1');
    showSwitch();
    warmUp();
  }
});
document.addEventListener('submit', ({ target, submitter }) => {
  isTyped = target.matches('.owndice');
  if (target.id === 'play' && !submitter?.hasAttribute('formaction')) {
    sound('pencil');
  }
});
table.addEventListener('tossed', ({ detail: isHere }) => {
  isHeard = isHere || hear.checked;
  if (isHeard) {
    sound('shake');
  }
});
table.addEventListener('thrown', () => {
  if (document.querySelector('.tray.real')) {
    isHeard = isTyped || hear.checked;
    isTyped = false;
  }
});
table.addEventListener('landing', () => isHeard && sound('throw'));
table.addEventListener('call', () => {
  if (context && !isMute()) {
    SOUNDS.call(); // also while nobody looks
  }
});
table.addEventListener('shown', showSwitch);
table.addEventListener('ended', () => {
  if (document.getElementById('play') || hear.checked) {
    sound('end');
  }
});
showSwitch();
(window.requestIdleCallback ?? setTimeout)(warmUp);
