// A table's page: nothing reloads, and what others do shows by itself. Each module looks after one thing.

import './brought.js';
import './curtain.js';
import './dialog.js';
import './end.js';
import './first-game.js';
import './forms.js';
import './hint.js';
import './keep.js';
import './keys.js';
import './moments.js';
import './own-dice.js';
import './pace.js';
import './page.js';
import './presence.js';
import './share.js';
import './skip.js';
import './speech.js';
import './tabs.js';
import { live } from './stream.js';

live();
