// Arrow keys go from one place on the sheet to the next that can be tapped.

const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const ASIDE = 3; // straight ahead is nearer than beside

/** The middle of an element. */
function middle(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}

/** How far it is from one place to another in a direction; Infinity if it lies elsewhere. */
function distance([fromX, fromY], [toX, toY], [stepX, stepY]) {
  const ahead = (toX - fromX) * stepX + (toY - fromY) * stepY;
  const aside = Math.abs((toX - fromX) * stepY + (toY - fromY) * stepX);
  return ahead > 1 && ahead >= aside ? ahead + ASIDE * aside : Number.POSITIVE_INFINITY;
}

document.addEventListener('keydown', event => {
  const step = STEPS[event.key];
  const here = event.target.closest?.('.paper button, .paper .serve');
  if (!(step && here) || event.altKey || event.ctrlKey || event.metaKey) {
    return;
  }
  event.preventDefault();
  const from = middle(here);
  const places = [...document.querySelectorAll('.paper button:enabled, .paper .serve')]
    .map(place => [distance(from, middle(place), step), place])
    .filter(([far]) => Number.isFinite(far))
    .sort(([one], [other]) => one - other);
  places[0]?.[1].focus({ preventScroll: false });
});
