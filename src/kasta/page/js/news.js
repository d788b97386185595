// What is new is shown in the order in which it came, and waits while something is still to be seen: dice that fly,
// or a number that was just written. Whoever shows such a thing holds what comes after it:
//
//     hold(promise, then)   nothing new is shown until the promise is done; `then` comes first
//     inOrder(step)         done now if nothing is held, else when all that came before it is done
//     await settled()       until all that has come is shown: dice lie, nothing is held
//     isBehind()            so much waits that nothing more should be held: somebody plays fast, or a page catches up
//     hasten(isSo)          the same as long as somebody wants it so

const MOST = 3; // steps that may wait
const waiting = [];
const listeners = [];
let holds = 0;
let isGoing = false;
let isHasty = false;

/** Do what may be done now, one after the other. */
function go() {
  if (isGoing) {
    return;
  }
  isGoing = true;
  try {
    while (waiting.length && !holds) {
      waiting.shift()();
    }
  } finally {
    isGoing = false;
  }
  if (!holds) {
    for (const listener of listeners.splice(0)) {
      listener();
    }
  }
}

/** Do a step, now or when all before it is done. */
export function inOrder(step) {
  waiting.push(step);
  go();
}

/** Let what is new wait for a promise; `then` is done before all of it. */
export function hold(promise, then) {
  holds += 1;
  const release = () => {
    holds -= 1;
    if (then) {
      waiting.unshift(then);
    }
    go();
  };
  promise.then(release, release);
}

/** When all that has come is shown. */
export const settled = () => new Promise(done => (holds || waiting.length || isGoing ? listeners.push(done) : done()));

/** Let nothing be held, or no longer. */
export function hasten(isSo) {
  isHasty = isSo;
}

/** Whether so much waits that it is to be shown without delay. */
export const isBehind = () => isHasty || waiting.length > MOST;
