// What a feature brings to the page may need a script, which is loaded when it is first shown.

import { table } from './dom.js';

const loaded = new Set();

/** Load what is there and was not loaded yet. */
function load() {
  for (const { dataset } of table.querySelectorAll('[data-script]')) {
    if (!loaded.has(dataset.script)) {
      loaded.add(dataset.script);
      document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: dataset.script }));
    }
  }
}

table.addEventListener('shown', load);
load();
