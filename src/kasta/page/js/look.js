// Which of one's own sheets, and which line of it, is looked at: kept in the address, and asked for with it.

import { table } from './dom.js';

export const query = new URLSearchParams(location.search);

/** Look at the sheet of one seat, or with none at that of whoever's turn it is. */
export function look(seat) {
  if (seat) {
    query.set('seat', seat);
  } else {
    query.delete('seat');
  }
  query.delete('serve');
  const address = query.size ? `?${query}` : '';
  if (address !== location.search) {
    history.replaceState(null, '', address || location.pathname);
  }
}

table.addEventListener('thrown', () => look());
