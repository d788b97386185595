// Names that were typed on this device are offered again, below the field that asks for one.

import { keepNames, keptNames } from './kept.js';

const FIELDS = 'form:is(.new, .line) input[name=name]';
const chips = document.createElement('div');
chips.className = 'known-names';
chips.role = 'group';

/** Those of a form, without the ones that do not show up yet. */
const fields = form => [...form.querySelectorAll(FIELDS)].filter(each => each.checkVisibility());

/** Fill a name in, and go on to the next that is missing. */
function fill(field, name) {
  field.value = name;
  const next = fields(field.form).find(each => !each.value) ?? field;
  next.focus();
  offer(next);
}

/** A button that fills a field. */
function chip(field, name) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = name;
  button.addEventListener('click', () => fill(field, name));
  return button;
}

/** Offer the names that are not in the form yet. */
function offer(field) {
  const used = fields(field.form).map(each => each.value.trim());
  const names = keptNames().filter(name => !used.includes(name));
  chips.ariaLabel = field.closest('label').textContent.trim();
  chips.replaceChildren(...names.map(name => chip(field, name)));
  const last = [...field.form.querySelectorAll('.name')].at(-1); // of several fields
  if (!names.length) {
    chips.remove();
  } else if (last) {
    last.after(chips);
  } else {
    field.form.append(chips);
  }
}

document.addEventListener('focusin', ({ target }) => target.matches(FIELDS) && offer(target));
document.getElementById('table')?.addEventListener('shown', () => {
  if (document.activeElement.matches(FIELDS)) {
    offer(document.activeElement); // the form was made anew
  }
});
document.addEventListener('submit', ({ target }) => keepNames(fields(target).map(each => each.value.trim())), true);
