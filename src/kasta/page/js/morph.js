// Makes one element like another, keeping what has focus and what stays the same.

/** Whether the visitor, not the server, decides about an attribute. */
const isOwn = (element, name) => name === 'open' && element.localName === 'details';

/** Give an element the attributes of another; what was typed into a field stays, unless the field got a new value. */
function morphAttributes(from, to) {
  const given = from.getAttribute('value');
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name) && !isOwn(from, name)) {
      from.removeAttribute(name);
    }
  }
  for (const { name, value } of to.attributes) {
    if (from.getAttribute(name) !== value) {
      from.setAttribute(name, value);
    }
  }
  if (from.localName === 'input' && from !== document.activeElement && given !== to.getAttribute('value')) {
    from.value = to.value;
  }
}

/** The child that is to become the wanted one: by its id, or by its place. */
function partner(wanted, place, known) {
  const match = wanted.id ? known.get(wanted.id) : place;
  if (!match || match.nodeName !== wanted.nodeName) {
    return null;
  }
  return match.id && !wanted.id ? null : match;
}

/** Give an element the children of another, moving and reusing those that it has. */
function morphChildren(from, to) {
  const known = new Map([...from.children].filter(child => child.id).map(child => [child.id, child]));
  let place = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const match = partner(wanted, place, known);
    if (!match) {
      from.insertBefore(wanted, place);
      continue;
    }
    if (match === place) {
      place = place.nextSibling;
    } else {
      from.insertBefore(match, place);
    }
    morph(match, wanted);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** Make a node like another; the other may lose its children to it. */
export function morph(from, to) {
  if (from.isEqualNode(to)) {
    return;
  }
  if (from.nodeName !== to.nodeName) {
    from.replaceWith(to);
  } else if (from.nodeType === Node.ELEMENT_NODE) {
    morphAttributes(from, to);
    morphChildren(from, to);
  } else if (from.nodeValue !== to.nodeValue) {
    from.nodeValue = to.nodeValue;
  }
}
