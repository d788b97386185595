// The row of reactions brings what lets them rise: a table's page loads it when it first has the row.

import 'kasta/rise.js';
