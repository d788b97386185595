// Calls out the throw: on this device only, in the page's language or not at all.

import { remembered, table } from './dom.js';

const speak = remembered('speak', 'kasta-speak');

/** A voice for the page's language; any kind of Norwegian will do for Norwegian. */
function findVoice() {
  const language = document.documentElement.lang;
  const wanted = language === 'nb' ? 'n' : language;
  return speechSynthesis.getVoices().find(voice => voice.lang.startsWith(wanted));
}

table.addEventListener('thrown', ({ detail: text }) => {
  const voice = speak.checked && text && 'speechSynthesis' in window && findVoice();
  if (voice) {
    speechSynthesis.cancel();
    speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(text), { voice, lang: voice.lang }));
  }
});
